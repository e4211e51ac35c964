"""What a person meant who wrote a condition wrongly: it can be read, and what could be read is never changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.conditions import Condition
from fairaudit.conditions.correcting import corrected, with_known_values
from fairaudit.errors import ConditionError

COLUMNS = {"race": "text", "tier": "number", "ugpa": "number", "work": "text", "capital gain": "number", "day": "date"}
KNOWN = {"race": ["White", "Black"], "work": ["full-time", "Part time", "part time"]}


def values(column: str) -> list[str]:
    return KNOWN.get(column, [])


@pytest.mark.parametrize(
    "written, meant",
    [
        ("ugpa > three", "ugpa > 3"),
        ("tier in 1,2", "tier IN (1, 2)"),
        ("race = White & ugpa => 3", "race = 'White' AND ugpa >= 3"),
        ("race = white || ugpa =< 2.5", "race = 'White' OR ugpa <= 2.5"),
        ("work = full-time", "work = 'full-time'"),
        ("work in full-time, half-time or tier=1", "work IN ('full-time', 'half-time') OR tier = 1"),
        ("capital gain > 5", '"capital gain" > 5'),
        ("race <> \u2018white\u2019", "race <> 'White'"),
        ("ugpa between two and 3 & not tier = 1", "ugpa BETWEEN 2 AND 3 AND tier <> 1"),
        ("race = 'White", "race = 'White'"),
        ("ugpa > 3 and", None),
        ("rice = White", None),
        ("ugpa > many", None),
        ("race = White; DROP TABLE x", None),
    ],
)
def test_what_was_meant(written, meant):
    with pytest.raises(ConditionError):
        Condition.parse(written, COLUMNS)
    assert corrected(written, COLUMNS, values) == meant


@pytest.mark.parametrize(
    "written, meant",
    [
        ("race = 'white' AND tier = 1", "race = 'White' AND tier = 1"),
        ("work IN ('FULL TIME', 'x')", "work IN ('full-time', 'x')"),
        ("race = 'White'", None),
        ("race = 'green'", None),
        ("work = 'PART TIME'", None),
        ("tier = 1", None),
    ],
)
def test_texts_are_spelled_as_the_column_has_them(written, meant):
    found = with_known_values(Condition.parse(written, COLUMNS), values)
    assert (None if found is None else str(found)) == meant


@given(st.text(alphabet="raceugp tier'\"()<>=!&|,;-0123456789inandor\n", max_size=60))
def test_whatever_is_written_is_answered_with_a_condition_or_nothing(text):
    meant = corrected(text, COLUMNS, values)
    assert meant is None or str(Condition.parse(meant, COLUMNS)) == meant
