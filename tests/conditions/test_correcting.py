"""What a person meant who wrote a condition wrongly: it can be read, and what could be read is never changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.conditions import Condition
from fairaudit.conditions.correcting import (
    corrected,
    other_spellings,
    resembling_values,
    with_known_values,
    with_near_values,
    with_spellings,
)
from fairaudit.errors import ConditionError

COLUMNS = {"race": "text", "tier": "number", "ugpa": "number", "work": "text", "capital gain": "number", "day": "date"}
COLUMNS |= {"date of birth": "date", "terms and conditions": "text"}
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
        ("Date of birth > 2001-12-31", "\"date of birth\" > DATE '2001-12-31'"),
        ("not Terms and conditions = none & tier = 1", "\"terms and conditions\" <> 'none' AND tier = 1"),
        ("ugpa between two and three", "ugpa BETWEEN 2 AND 3"),
        ("day >= 31.1.2024", "day >= DATE '2024-01-31'"),
        ("day between '13/01/2024' and DATE '01-31-2024'", "day BETWEEN DATE '2024-01-13' AND DATE '2024-01-31'"),
        ("day > '01/02/2024'", None),
        ("day > '32/13/2024'", None),
        ("ugpa > 3 and", None),
        ("rice = White", None),
        ("ugpa > many", None),
        ("race = White; DROP TABLE x", None),
        ("race is white and ugpa is not three", "race = 'White' AND ugpa <> 3"),
        ("work is 'full time'", "work = 'full-time'"),
        ("ugpa > forty", "ugpa > 40"),
        ("race is", None),
        ("race is not", None),
    ],
)
def test_what_was_meant(written, meant):
    with pytest.raises(ConditionError):
        Condition.parse(written, COLUMNS)
    assert corrected(written, COLUMNS, values) == meant


@pytest.mark.parametrize(
    "written, near",
    [
        ("race = 'Whte'", "race = 'White'"),
        ("race IN ('Blak', 'white') AND tier = 1", "race IN ('Black', 'White') AND tier = 1"),
        ("NOT work = 'Parttime'", "work <> 'Part time'"),
        ("race = 'White'", None),
        ("race = 'Green'", None),
        ("tier = 9", None),
    ],
)
def test_a_value_that_is_not_there_is_the_nearest_one(written, near):
    found = with_near_values(Condition.parse(written, COLUMNS), values)
    assert (found and str(found)) == near


@pytest.mark.parametrize("order, meant", [("day first", "2024-02-01"), ("month first", "2024-01-02")])
def test_a_day_is_turned_as_the_file_writes_days(order, meant):
    for written in ("day > '01/02/2024'", "day > 01-02-2024"):
        assert corrected(written, COLUMNS, values, order) == f"day > DATE '{meant}'"
    assert corrected("race > 01-02-2024", COLUMNS, values, order) == "race > '01-02-2024'"
    assert corrected("day > '01/02/2024'", COLUMNS, values, "year first") is None


SPELLED = {"race": ["white", "White", "WHITE ", "Black", None], "work": ["full-time", "Full-Time"], "tier": [1, 2]}


@pytest.mark.parametrize(
    "written, whole",
    [
        ("race = 'White'", "race IN ('White', 'white', 'WHITE ')"),
        ("race <> 'White' AND tier = 1", "race NOT IN ('White', 'white', 'WHITE ') AND tier = 1"),
        ("race NOT IN ('Black', 'white') OR race IS NULL",
         "race NOT IN ('Black', 'white', 'White', 'WHITE ') OR race IS NULL"),
        ("work = 'Full-Time' OR work = 'full-time'", None),
        ("race = 'White' OR lower(race) = 'black'", None),
        ("race LIKE 'White' AND tier = 1", None),
    ],
)  # fmt: skip
def test_other_spellings_are_found_and_named_too(written, whole):
    condition = Condition.parse(written, COLUMNS)
    others = other_spellings(condition, lambda column: SPELLED[column])
    assert (str(with_spellings(condition, others)) if others else None) == whole


def test_typing_errors_are_found_and_named_beside_their_own_value_alone():
    condition = Condition.parse("nationality = 'Polish' OR NOT nationality = 'Moroccan'", {"nationality": "text"})
    others = resembling_values(condition, lambda column: ["Polish", "Moroccan", "Morocan", "Pollish", "Pole", None])
    assert others == {"nationality": {"Morocan": "Moroccan", "Pollish": "Polish"}}
    whole = "nationality IN ('Polish', 'Pollish') OR nationality NOT IN ('Moroccan', 'Morocan')"
    assert str(with_spellings(condition, others)) == whole


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
