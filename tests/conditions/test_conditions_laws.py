"""Laws that hold for every condition on every table."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, settings
from strategies import KINDS, Rows, condition_texts, frames, rows

from fairaudit.conditions import Condition

_MANY = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def _answers(truth: pd.Series) -> list[bool | None]:
    return [None if value is pd.NA else bool(value) for value in truth]


@_MANY
@given(rows(), condition_texts())
def test_mask_agrees_with_duckdb(table: Rows, text: str):
    condition = Condition.parse(text, KINDS)
    expected = table.in_sql(condition.to_sql())
    got = _answers(condition.truth(table.frame))
    assert got == expected, f"{text!r} as {condition.to_sql()!r} on\n{table.frame!r}"
    assert condition.mask(table.frame).tolist() == [value is True for value in expected]


@_MANY
@given(frames(), condition_texts())
def test_a_condition_and_its_negation_partition_the_known_rows(frame: pd.DataFrame, text: str):
    condition = Condition.parse(text, KINDS)
    known = condition.truth(frame).notna().to_numpy()
    assert np.array_equal(condition.mask(frame) ^ (~condition).mask(frame), known)
    assert not (condition.mask(frame) & (~condition).mask(frame)).any()
    assert ~~condition == condition


@_MANY
@given(condition_texts(max_leaves=12))
def test_printed_text_reads_back_as_the_same_condition(text: str):
    condition = Condition.parse(text, KINDS)
    again = Condition.parse(str(condition), KINDS)
    assert again == condition
    assert again.tree == condition.tree


@_MANY
@given(frames(), condition_texts(max_leaves=3), condition_texts(max_leaves=3))
def test_and_and_or_follow_three_valued_logic(frame: pd.DataFrame, one: str, other: str):
    a, b = Condition.parse(one, KINDS), Condition.parse(other, KINDS)
    assert _answers((a & b).truth(frame)) == _answers(a.truth(frame) & b.truth(frame))
    assert _answers((a | b).truth(frame)) == _answers(a.truth(frame) | b.truth(frame))
    assert _answers((~(a & b)).truth(frame)) == _answers((~a | ~b).truth(frame))


@_MANY
@given(frames(), condition_texts(max_leaves=3))
def test_row_order_does_not_matter(frame: pd.DataFrame, text: str):
    condition = Condition.parse(text, KINDS)
    assert condition.mask(frame[::-1]).tolist() == condition.mask(frame)[::-1].tolist()


@_MANY
@given(condition_texts())
def test_words_are_one_line_of_text(text: str):
    words = Condition.parse(text, KINDS).in_words()
    assert words == words.strip() != ""
    assert "None" not in words
