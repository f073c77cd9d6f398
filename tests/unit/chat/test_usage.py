"""What turns cost is read as it was written, and summed up."""

from __future__ import annotations

import pytest

from ade_runtime.chat.usage import Spent, read, text


@pytest.mark.parametrize("cost", [None, 0.0, 0.0123, 12.5])
def test_it_is_read_as_it_was_written(cost: float | None) -> None:
    assert read(text(1200, 34, cost), "ses_1") == Spent(
        session="ses_1", turns=1, tokens_in=1200, tokens_out=34, cost_usd=cost
    )


@pytest.mark.parametrize("said", ["", "12 tokens", "1 tokens in, 2 out, much USD", "x 1 tokens in, 2 out"])
def test_what_is_none_counts_nothing(said: str) -> None:
    assert read(said, "ses_1") == Spent(session="ses_1")


def test_a_cost_that_nobody_told_is_not_nothing() -> None:
    one, other = read(text(1, 2, None)), read(text(3, 4, 0.5))
    assert one.plus(one).cost_usd is None
    assert one.plus(other) == Spent(turns=2, tokens_in=4, tokens_out=6, cost_usd=0.5)
