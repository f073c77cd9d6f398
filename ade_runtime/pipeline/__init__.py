"""The way of one call, a module a stage; :mod:`ade_runtime.pipeline.pipeline` puts them in order."""
