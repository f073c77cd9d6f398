"""Which facts fit a question, the best first. Plain functions over facts that were read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ade_runtime.memory.records import Fact, folded, words_of


def with_tags(facts: Iterable[Fact], tags: Sequence[str]) -> list[Fact]:
    """The facts that have every tag, in whatever case it is written."""
    wanted = {folded(tag) for tag in tags}
    return [fact for fact in facts if wanted <= {folded(tag) for tag in fact.tags}]


def matching(facts: Iterable[Fact], query: str) -> list[Fact]:
    """The facts that hold every word of ``query``, or a word that begins with it. Whole words, pinned facts and words
    that are a tag count more; of equals the newest comes first."""
    words = list(dict.fromkeys(words_of(query)))
    scored = [(_score(fact, words), fact) for fact in facts] if words else []
    found = [pair for pair in scored if pair[0] > 0]
    found.sort(key=lambda pair: (-pair[0], -pair[1].created_at.timestamp(), pair[1].id))
    return [fact for _, fact in found]


def _score(fact: Fact, words: Sequence[str]) -> float:
    own = words_of(fact.text)
    tags = [word for tag in fact.tags for word in words_of(tag)]
    whole, all_words = set(own) | set(tags), [*own, *tags]
    total = 0.0
    for word in words:
        if word in whole:
            total += 2.0 + (word in tags)
        elif any(other.startswith(word) for other in all_words):
            total += 1.0
        else:
            return 0.0
    return total + (0.5 if fact.pinned else 0.0) + 1.0 / (1 + len(own))
