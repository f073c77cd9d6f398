"""Packs: actions that a project or a Python package brings, in the language of ``specs/`` and under the same checks.

``python -m codegen.packs`` reads a pack as JSON and writes what the runtime needs of it, or what is wrong with it.
"""
