"""Blocks: values read as people write them, and nothing can be changed afterwards."""

from __future__ import annotations

import dataclasses
import math

import pandas as pd
import pytest

from fairaudit.disclosure.fields import Field
from fairaudit.findings import REST
from fairaudit.messages import called
from fairaudit.present.blocks import Document, Heading, TableBlock, cell_text, row_texts
from fairaudit.present.naming import row_labels, shorten, unique_labels, whole


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0.3203, "share", "32.0\u00a0%"),
        (-0.123, "points", "\u221212.3"),
        (0.0301, "points", "+3.0"),
        (-0.0001, "points", "0.0"),
        (13827, "count", "13,827"),
        (0.7222, "number", "0.72"),
        (0.0004, "p", "< 0.001"),
        (0.0214, "p", "0.021"),
        ((0.3, 0.341), "share_interval", "30.0 to 34.1"),
        ((-0.145, 0.101), "points_interval", "\u221214.5 to +10.1"),
        (True, "text", "yes"),
        ("race <> 'White'", "code", "race <> 'White'"),
        ("under 10", "count", "under 10"),
    ],
)
def test_values_read_as_people_write_them(value, kind, text):
    assert cell_text(value, kind) == text


@pytest.mark.parametrize("kind", ["count", "share", "points", "number", "p"])
def test_undefined_and_hidden_numbers_read_differently(kind):
    assert cell_text(math.nan, kind) == cell_text(pd.NA, kind) == "not defined"
    assert cell_text(None, kind) == "not shown"


def test_intervals_say_when_they_are_undefined_or_hidden():
    assert cell_text((math.nan, math.nan), "share_interval") == "not defined"
    assert cell_text((None, None), "share_interval") == cell_text(None, "share_interval") == "not shown"


def test_missing_text_is_empty():
    assert cell_text(None) == cell_text(math.nan) == cell_text(pd.NaT) == ""


def test_digits_can_be_chosen():
    assert cell_text(0.71234, "number", digits=3) == "0.712"
    assert cell_text(0.5, "share", digits=0) == "50\u00a0%"


def test_blocks_are_frozen_and_comparable():
    table = TableBlock("k", "t", (Field("a", "A"),), (("x",),))
    document = Document("t", "s", "en", (Heading(1, "h"), table))
    assert document == Document("t", "s", "en", (Heading(1, "h"), table))
    with pytest.raises(dataclasses.FrozenInstanceError):
        document.title = "other"


def test_a_value_that_reads_like_the_name_of_everyone_else_is_shown_as_it_is_outside_columns_of_groups():
    table = TableBlock("t", "T", (Field("value", "region"), Field("group", "group", "group")), ((REST, REST),))
    assert row_texts(table) == [[REST, called(REST)]]
    assert shorten(REST) == whole(REST) == REST
    assert row_labels([REST, "north"]) == unique_labels([REST, "north"]) == [REST, "north"]
