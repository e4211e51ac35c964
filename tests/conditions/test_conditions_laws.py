"""Laws that hold for every condition on every table."""

from __future__ import annotations

from math import isinf

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import KINDS, Rows, condition_texts, rows

from fairaudit.conditions import Condition
from fairaudit.conditions.tree import plain_value

_MANY = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def _answers(truth: pd.Series) -> list[bool | None]:
    return [None if value is pd.NA else bool(value) for value in truth]


@pytest.mark.thorough
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


@pytest.mark.thorough
@_MANY
@given(rows(), st.data())
def test_values_of_a_list_are_those_it_was_made_of(table: Rows, data: st.DataObject):
    column = data.draw(st.sampled_from(sorted(KINDS)))
    # No condition holds a number that is not finite.
    cells = [cell for cell in table.frame[column] if not (isinstance(cell, float) and isinf(cell))]
    known = [value for value in map(plain_value, cells) if value == value]
    values = tuple(dict.fromkeys(data.draw(st.lists(st.sampled_from([None, *known]), min_size=1))))
    found = Condition.one_of(column, values, KINDS)
    name, listed = found.listed
    assert name == column and set(listed) == set(values)
    assert Condition.one_of(name, listed, KINDS) == found
    assert (~found).listed is None
    assert (found & Condition.equals(column, None, KINDS)).listed is None
