"""What the user let pass: planning rounds, and validation as a whole. Only the user's own words count."""

from __future__ import annotations

import re

from ade_runtime.runs.document import Manifest

VALIDATION = "validation"
GATE = "gate"

_NEGATION = r"(?:do\s+not|don't|dont|never|not\s+to|must\s+not|should\s+not|shouldn't|cannot|can't|won't|not)"
_POSITIVE = (
    rf"(?<!\w)(?P<not>{_NEGATION}\s+(?:\w+\s+)?)?(?:skip|waive|omit|forgo|bypass)\s+(?:the\s+|all\s+|any\s+)?validation",
    r"\b(?:no|without|without\s+any|without\s+the)\s+validation",
    r"\b(?:do\s+not|don't)\s+(?:run|do|need|want)\s+(?:the\s+|any\s+)?validation",
    r"\bvalidation\s+(?:is\s+|can\s+be\s+|may\s+be\s+)(?:not\s+(?:needed|required|necessary)|unnecessary|waived|skipped|omitted)",
)
_AFTER = re.compile(
    r"^(?:\s+(?:for|in|of|on)\s+(?:this|the|the\s+whole|the\s+entire|all\s+of\s+this)\s+(?:run|phase|project|plan|time)"
    r"|\s+(?:phase|at\s+all|please|is\s+needed|is\s+required|needed|required|this\s+time|here|entirely|altogether))*"
    r"\s*(?:,.*|[-;:(].*)?$"
)
_ELSEWHERE = re.compile(
    r"\b(?:task|tasks|if|unless|when|whenever|why|would|last\s+time|before|previously|yesterday|because\s+we|t-?[0-9]+)\b"
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")


def waives_validation(text: str) -> bool:
    """Whether the text says, of the whole run and in so many words, that nothing is to be validated.

    A negation ("do not skip validation"), a task's own waiver, a condition, a question and a mention in passing do not.
    """
    return any(_waives(found[0].strip().lower().replace("’", "'")) for found in _SENTENCE.finditer(text))


def _waives(sentence: str) -> bool:
    if sentence.endswith("?") or _ELSEWHERE.search(sentence):
        return False
    sentence = sentence.rstrip(".!").strip()
    for pattern in _POSITIVE:
        for found in re.finditer(pattern, sentence):
            if not found.groupdict().get("not") and _AFTER.match(sentence[found.end() :]):
                return True
    return False


def round_default(kind: str) -> str:
    """What an override names that waives a planning round."""
    return f"planning.round.{kind}"


def waived(manifest: Manifest, default: str) -> bool:
    """Whether the user let a default pass for the whole run. It holds only while its entry is there."""
    return any(
        one["affectedDefault"] == default and one["taskId"] is None for one in manifest["userOverrides"]
    )


def settled(manifest: Manifest, kind: str) -> bool:
    """Whether a planning round is over: answered, waived, or with nothing to ask. The one rule of it."""
    planning = manifest["leadState"]["planning"]
    if kind in planning["autoSkippedRounds"] or waived(manifest, round_default(kind)):
        return True
    return any(one["kind"] == kind and one["cascadedFrom"] is None for one in planning["rounds"])
