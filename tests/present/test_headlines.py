from __future__ import annotations

import dataclasses
import json
import math
import re

import pandas as pd
import pytest
from findings_by_hand import ADULT, finding, stratified

from fairaudit.measure import check_groups
from fairaudit.measure.near_limits import answer_digits
from fairaudit.present import headlines, words
from fairaudit.present.blocks import cell_text, row_texts
from fairaudit.present.card import figures
from fairaudit.present.charts.gap_texts import strata_alt
from fairaudit.present.charts.gaps import strata_chart
from fairaudit.present.charts.parts import without_mirror, worst_first
from fairaudit.present.strata_words import strata_apart
from fairaudit.report.tables import comparison_table, groups_table, share_figures, strata_table


def spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([("a", 100, 100, 150, 50), ("b", 100, 100, 150, 50)], "Within area the gap stays: 25.0 points to their dis"),
        ([("a", 800, 200, 90, 10), ("b", 20, 80, 300, 700)], "Within area the gap shrinks|Within area the gap turns"),
        ([("a", 900, 100, 8000, 2000), ("b", 2000, 8000, 100, 900)], "Within area the gap turns around"),
        ([("a", 50, 50, 50, 50), ("b", 10, 90, 10, 90)], "On average within area no clear gap remains"),
        ([("a", 910, 90, 2670, 330), ("b", 660, 2340, 200, 800)], "On average within area the groups are alike: 2"),
        ([("a", 900, 100, 2700, 300), ("b", 600, 2400, 200, 800)], "On average within area the groups are alike: 0"),
        ([("a", 600, 400, 7200, 1800), ("b", 1800, 7200, 400, 600)], "Within area the gap shrinks but stays clear: 20"),
    ],
)
def test_strata_are_one_sentence(cells, said):
    one = stratified(cells)
    sentence = spaced(headlines.strata_sentence(one))
    assert re.match(said, sentence), sentence
    size = abs(one.strata.common_difference) * 100
    assert f"{size:.{answer_digits(one.result)}f} points" in sentence


TURNED = [("a", 900, 100, 8000, 2000), ("b", 2000, 8000, 100, 900)]
OPEN = [("a", 90, 10, 810, 190), ("b", 190, 810, 18, 82)]
"""A clear gap in all rows together, and inside the areas an average that cannot tell whether one is left."""
GONE = [("a", 640, 2_560, 160, 640), ("b", 640, 160, 2_560, 640)]
"""A clear gap in all rows together, and groups that are alike on average inside the areas."""


OPPOSITE = [("no", 500, 500, 600, 400), ("yes", 600, 400, 500, 500)]
AVERAGE = [("a", 200, 300, 1_000, 1_000), ("b", 1_100, 900, 325, 175)]
"""Alike in all rows together, and clearly not on average inside the areas, though in neither area alone."""


def test_what_strata_have_on_average_is_not_said_to_be_no_gap_where_some_have_clear_ones():
    said = spaced(headlines.strata_sentence(stratified(OPPOSITE)))
    assert said.startswith("On average within area the gap may be chance: 0.0 points (95 % interval −3.1 to +3.1). But")
    assert "no clear gap remains" not in said


@pytest.mark.parametrize(("n_strata", "said"), [(10, True), (1, False)])
def test_where_groups_are_alike_on_average_alone_that_is_said(n_strata, said):
    cells = [(f"s{i}", 600 // n_strata, 600 // n_strata, 600 // n_strata, 600 // n_strata) for i in range(n_strata)]
    text = headlines.strata_sentence(stratified([*cells, ("big", 4_000, 4_000, 4_000, 4_000)][: n_strata + (not said)]))
    assert "the groups are alike" in text
    assert text.endswith(" In no single stratum are there enough rows to say so.") == said


HARBOUR = [("Harbour", 120, 130, 172, 78), ("North", 150, 100, 150, 100), ("South", 140, 110, 143, 107)]
"""One stratum with a clear gap of 20.8 points, whose average is clear in the same direction."""


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([("North", 1_450, 1_050, 1_600, 900)], "; in the other one there is a gap, too, of unclear size: read"),
        (
            [("North", 1_450, 1_050, 1_600, 900), ("South", 140, 110, 143, 107)],
            "; of the other 2, 1 has a gap of unclear size: read",
        ),
    ],
)
def test_a_gap_of_unclear_size_in_other_strata_is_not_called_no_gap(others, said):
    assert said in spaced(headlines.strata_sentence(stratified([HARBOUR[0], *others])))


def test_a_stratum_with_a_clear_gap_is_named_where_the_average_has_the_same_sign():
    one = stratified(HARBOUR)
    assert one.strata.common_difference_interval.high < 0
    said = spaced(headlines.strata_sentence(one))
    assert "The gap is clear in Harbour (20.8 points to their disadvantage, −29.0 to −12.2); in the other 2 no " in said
    assert said.endswith("no clear gap shows: read the strata, not the average alone.")


def test_strata_that_all_have_the_gap_of_their_average_are_not_named():
    one = stratified([(area, 120, 130, 172, 78) for area in "abc"])
    assert strata_apart(one.strata) == () and "clear" not in headlines.strata_sentence(one)


def test_a_stratum_whose_clear_gap_contradicts_a_clear_average_comes_first():
    one = stratified([(area, 100, 150, 200, 50) for area in "abcd"] + [("turned", 170, 80, 120, 130)])
    said = headlines.strata_sentence(one)
    assert "But there is a clear gap in turned (" in said and "and 2 more: read the strata" in said


def test_the_only_stratum_that_is_left_is_not_compared_a_second_time():
    one = stratified(HARBOUR[:1])
    assert headlines.strata_sentence(one) == "Only one stratum is left, Harbour: the gap inside it is this same one."
    beside = stratified([*HARBOUR[:1], ("empty", 0, 0, 9, 9)])
    assert "on average" in headlines.strata_sentence(beside), "the gap in all rows is another one"


def test_strata_that_are_missing_or_hidden_have_no_sentence():
    assert headlines.strata_sentence(finding(*ADULT)) == ""
    one = stratified([("a", 100, 100, 150, 50), ("b", 100, 100, 150, 50)])
    for hidden in ({"common_difference": None}, {"common_difference": math.nan}, {"reversal": None}):
        strata = dataclasses.replace(one.strata, **hidden)
        assert headlines.strata_sentence(dataclasses.replace(one, strata=strata)) == ""


def groups(counts: dict[str, tuple[int, int]]):
    rows = [(name, "yes" if i < yes else "no") for name, (yes, n) in counts.items() for i in range(n)]
    data = pd.DataFrame(rows, columns=["race", "income"])
    return check_groups(data, decision="income", favorable="yes", columns=["race"])


def worst(comparison) -> str:
    return spaced(headlines.worst_off_sentence(comparison, words.own_share_text, words.gap_text))


def test_the_group_with_a_clear_gap_is_named_before_a_small_one_that_is_further_behind():
    said = worst(groups({"many": (300, 1000), "others": (600, 1000), "few": (1, 8)}))
    assert said.startswith("Worst off: many, 30.0 % (−")
    assert words.CLEAR_GAP in said and "Further behind, but not clearly: few (−32.5 points, 8 rows)." in said


def test_figures_of_who_is_worst_off_are_those_of_the_table_beside():
    found = groups({"few": (30_354, 100_000), "others": (44_519, 100_000)})
    assert worst(found).startswith("Worst off: few, 30.4 % (−14.2 points against all others;")
    table = comparison_table(found, 1, 1)
    row = {
        column.name: cell_text(value, column.kind, digits=column.digits, beside=column.beside)
        for column, value in zip(table.columns, table.rows[0], strict=True)
    }
    assert (spaced(row["share"]), row["gap"]) == ("30.4 %", "−14.2")


def test_the_card_and_the_table_have_the_same_figures():
    one = finding(30_354, 100_000, 44_519, 100_000)
    assert figures(one.result)[0].value == "−14.2"
    [digits] = [column.digits for column in groups_table(one, 1, share_figures(one)).columns if column.name == "share"]
    assert digits == 1


@pytest.mark.parametrize(
    ("cells", "digits"),
    [
        # The strata would take two decimals to subtract, the answer takes one.
        ([("a", 14, 4, 26, 7), ("b", 807, 143, 781, 196)], 1),
        ([("a", 4_000, 1_000, 4_700, 300), ("b", 3_846, 1_154, 4_654, 346)], 2),
    ],
)
def test_an_answer_its_strata_and_all_groups_have_the_decimals_of_the_answer(cells, digits):
    one = stratified(cells)
    assert answer_digits(one.result) == digits
    gap = figures(one.result)[0].value
    assert re.fullmatch(rf"[+−]\d+\.\d{{{digits}}}", gap)
    assert f"dashed line is the gap over all strata, {gap} points" in strata_alt(one.strata)
    drawn = json.dumps(strata_chart(one.strata).to_dict(), ensure_ascii=False)
    assert f"all together: {gap}" in drawn
    table = strata_table(one.strata, 1, share_figures(one))
    for row in row_texts(table):
        assert f'"gap": "{row[[column.name for column in table.columns].index("gap")]}"' in drawn
    for each in (table, comparison_table(groups({"few": (30, 90), "others": (40, 90)}), 1, 1, share_figures(one))):
        assert {column.digits for column in each.columns if column.kind in ("share", "points")} == {digits}


def test_of_two_groups_that_are_compared_with_each_other_one_is_drawn():
    both, three = groups({"a": (20, 100), "b": (50, 100)}), groups({"a": (20, 100), "b": (50, 100), "c": (5, 9)})
    assert [row.name for row in without_mirror(worst_first(both)).rows] == ["a"]
    assert without_mirror(three) == three
    against = dataclasses.replace(both, reference="b")
    assert without_mirror(against) == against


@pytest.mark.parametrize(
    ("few", "others", "expected"),
    [
        ((300, 600), (345, 600), words.SIZE_UNCLEAR),
        ((3, 10), (5, 10), words.CANNOT_TELL),
        ((5000, 10_000), (5050, 10_000), words.ALIKE),
    ],
)
def test_who_is_worst_off_is_named_with_what_the_data_support(few, others, expected):
    assert worst(groups({"few": few, "others": others})).endswith(f"; {expected}).")


def test_nobody_is_called_worst_off_where_a_group_is_hidden_or_none_is_behind():
    comparison = groups({"a": (50, 100), "b": (50, 100)})
    assert worst(comparison) == ""
    behind = groups({"a": (20, 100), "b": (50, 100)})
    assert worst(behind)
    row = behind.rows[1]
    hidden = dataclasses.replace(row, comparison=dataclasses.replace(row.comparison, difference=None))
    assert worst(dataclasses.replace(behind, rows=(behind.rows[0], hidden))) == ""
