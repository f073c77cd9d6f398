"""Marks in what ADE writes, by which it finds its own words again when GitHub's answer was lost.

A mark is an HTML comment at the end of a text, which GitHub does not show. A call with a request id always gets the same mark,
so that one that is repeated later, from another process too, finds what it has written. It gives nothing away: it is a hash.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

_MARK = re.compile(r"\n*<!-- ade:[0-9a-f]{24} -->\s*\Z")


def mark_of(call: Call) -> str:
    """The mark of what this call writes."""
    if call.request_id is None:
        return secrets.token_hex(12)
    what = f"{call.action.id}\0{call.identity.key}\0{call.request_id}"
    return hashlib.sha256(what.encode()).hexdigest()[:24]


def marked(text: str, mark: str) -> str:
    return f"{text}\n\n<!-- ade:{mark} -->".lstrip("\n")


def without_mark(text: str) -> str:
    return _MARK.sub("", text)


def find_marked(texts: Iterable[Mapping[str, Any]], mark: str) -> Mapping[str, Any] | None:
    """The one among these documents whose ``body`` bears the mark."""
    return next((one for one in texts if f"<!-- ade:{mark} -->" in (one.get("body") or "")), None)
