"""The documentation as a static site: ``python -m codegen site``.

Pages are made from the specs, from ``docs/`` and from nothing else, need no server, and ask no other host for anything.
"""
