"""Laws that hold for every condition on every table."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, settings
from strategies import KINDS, Rows, condition_texts, rows

from fairaudit.conditions import Condition

_MANY = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def _answers(truth: pd.Series) -> list[bool | None]:
    return [None if value is pd.NA else bool(value) for value in truth]


@_MANY
@given(rows(), condition_texts(), condition_texts(max_leaves=3))
def test_mask_agrees_with_duckdb_and_follows_three_valued_logic(table: Rows, text: str, other: str):
    condition, frame = Condition.parse(text, KINDS), table.frame
    expected = table.in_sql(condition.to_sql())
    truth = condition.truth(frame)
    assert _answers(truth) == expected, f"{text!r} as {condition.to_sql()!r} on\n{frame!r}"
    mask = condition.mask(frame)
    assert mask.tolist() == [value is True for value in expected]
    assert condition.mask(frame[::-1]).tolist() == mask[::-1].tolist(), "row order does not matter"

    negated = ~condition
    assert np.array_equal(mask ^ negated.mask(frame), truth.notna().to_numpy())
    assert not (mask & negated.mask(frame)).any()
    assert ~negated == condition
    second = Condition.parse(other, KINDS)
    assert _answers((condition & second).truth(frame)) == _answers(truth & second.truth(frame))
    assert _answers((condition | second).truth(frame)) == _answers(truth | second.truth(frame))
    assert _answers((~(condition & second)).truth(frame)) == _answers((negated | ~second).truth(frame))


@_MANY
@given(condition_texts(max_leaves=12))
def test_printed_text_reads_back_as_the_same_condition_and_words_are_one_line(text: str):
    condition = Condition.parse(text, KINDS)
    again = Condition.parse(str(condition), KINDS)
    assert again == condition
    assert again.tree == condition.tree
    words = condition.in_words()
    assert words == words.strip() != ""
    assert "None" not in words
