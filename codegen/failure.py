"""A fault that is not one of a spec file's text: the generator cannot make what the specs say."""

from __future__ import annotations


class GenerationError(Exception):
    """The message tells which part could not be made and what to do."""
