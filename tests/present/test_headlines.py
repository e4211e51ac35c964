from __future__ import annotations

import dataclasses
import json
import math
import re

import pandas as pd
import pytest
from findings_by_hand import ADULT, fairness, finding
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.measure import check_groups, check_strata
from fairaudit.measure.results import Interval
from fairaudit.plan import CheckPlan
from fairaudit.present import headlines, words
from fairaudit.present.blocks import cell_text
from fairaudit.present.card import figures
from fairaudit.present.charts.gap_texts import groups_alt
from fairaudit.present.charts.gaps import groups_chart
from fairaudit.present.chips import evidence_chip
from fairaudit.present.strata_words import comparisons_note, strata_apart
from fairaudit.report.explanations import next_step
from fairaudit.report.tables import comparison_table, groups_table

SIDES = (("p", "yes"), ("p", "no"), ("r", "yes"), ("r", "no"))


def spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def stratified(cells):
    data = pd.DataFrame(
        [(area, who, got) for area, *counts in cells for (who, got), n in zip(SIDES, counts, strict=True)
         for _ in range(n)],
        columns=["area", "race", "income"],
    )  # fmt: skip
    strata = check_strata(data, decision="income", favorable="yes", protected="race = 'p'", strata="area")
    p, r = strata.pooled.protected, strata.pooled.reference
    return finding(p.positives, p.n, r.positives, r.n, strata=strata)


@pytest.mark.parametrize(
    ("counts", "chip", "sort"),
    [
        ((5000, 10000, 5100, 10000), "Alike", "alike"),
        ((623, 1945, 6132, 13827), "Clear gap", "gap"),
        ((300, 600, 345, 600), "A gap, size unclear", "open"),
        ((9, 20, 10, 20), "Cannot tell", "open"),
        ((0, 500, 0, 500), "Nothing to compare", "quiet"),
    ],
)
def test_chip_says_what_the_data_support(counts, chip, sort):
    found = evidence_chip(fairness(*counts))
    assert (found.text, found.sort) == (chip, sort)


def test_headline_and_details_of_adult_hold_the_figures_of_the_verdict():
    one = finding(*ADULT, plan=CheckPlan(protected="race <> 'White'", protected_name="people of colour"))
    assert spaced(headlines.headline(one)) == ("32.0 % of people of colour reach the good outcome, 44.3 % of the rest.")
    details = spaced(headlines.details(one))
    assert "That is a gap of 12.3 points to their disadvantage, more than the 5 points that count as alike." in details
    assert "Data like these fit gaps from 10.1 to 14.5 points (95 % interval)." in details


@given(st.integers(1, 400), st.integers(1, 400), st.data())
def test_headline_never_names_the_wrong_share_and_details_never_the_wrong_side(n_p, n_r, data):
    positives_p, positives_r = data.draw(st.integers(0, n_p)), data.draw(st.integers(0, n_r))
    one = finding(positives_p, n_p, positives_r, n_r)
    headline, details = spaced(headlines.headline(one)), spaced(headlines.details(one))
    assert headline[:1] == headline[:1].upper() and "nan" not in headline + details
    if positives_p + positives_r in (0, n_p + n_r):
        assert ("nobody reaches" in headline or "everybody reaches" in headline) and details == ""
        return
    shares = [float(share) for share in re.findall(r"(\d+\.\d+) %", headline)]
    assert shares == [
        pytest.approx(100 * positives_p / n_p, abs=0.051),
        pytest.approx(100 * positives_r / n_r, abs=0.051),
    ]
    cross = positives_p * n_r - positives_r * n_p
    assert (re.search(r"gap of .* points?( \(of [^)]*\))? to their disadvantage,", details) is not None) == (cross < 0)
    assert ("within the 5 points that count as alike" in details) == one.result.fair


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([("a", 100, 100, 150, 50), ("b", 100, 100, 150, 50)], "Within area the gap stays: 25.0 points to their dis"),
        ([("a", 800, 200, 90, 10), ("b", 20, 80, 300, 700)], "Within area the gap shrinks|Within area the gap turns"),
        ([("a", 900, 100, 8000, 2000), ("b", 2000, 8000, 100, 900)], "Within area the gap turns around"),
        ([("a", 50, 50, 50, 50), ("b", 10, 90, 10, 90)], "Within area no clear gap remains"),
    ],
)
def test_strata_are_one_sentence(cells, said):
    one = stratified(cells)
    sentence = spaced(headlines.strata_sentence(one))
    assert re.match(said, sentence), sentence
    size = abs(one.strata.common_difference) * 100
    assert f"{size:.1f} points" in sentence
    assert sentence in spaced(headlines.details(one))


HARBOUR = [("Harbour", 120, 130, 172, 78), ("North", 150, 100, 150, 100), ("South", 140, 110, 143, 107)]
"""One stratum with a clear gap of 20.8 points, whose average is clear in the same direction."""


def test_a_stratum_with_a_clear_gap_is_named_where_the_average_has_the_same_sign():
    one = stratified(HARBOUR)
    assert one.strata.common_difference_interval.high < 0
    said = spaced(headlines.strata_sentence(one))
    assert "The gap is clear in Harbour (20.8 points to their disadvantage, −29.0 to −12.2); in the other 2 no " in said
    assert said.endswith("no clear gap shows: read the strata, not the average alone.")
    two = dataclasses.replace(one, plan=CheckPlan(protected="race = 'p'", strata=("area",)))
    assert next_step(two).startswith("Look at Harbour apart (filter: area = 'Harbour'). ")


def test_strata_that_all_have_the_gap_of_their_average_are_not_named():
    one = stratified([(area, 120, 130, 172, 78) for area in "abc"])
    assert strata_apart(one.strata) == () and "clear" not in headlines.strata_sentence(one)
    assert "apart" not in next_step(one)


def test_a_stratum_whose_clear_gap_contradicts_a_clear_average_comes_first():
    one = stratified([(area, 100, 150, 200, 50) for area in "abcd"] + [("turned", 170, 80, 120, 130)])
    said = headlines.strata_sentence(one)
    assert "But there is a clear gap in turned (" in said and "and 2 more: read the strata" in said


def test_the_only_stratum_that_is_left_is_not_compared_a_second_time():
    one = stratified(HARBOUR[:1])
    assert headlines.strata_sentence(one) == "Only one stratum is left, Harbour: the gap inside it is this same one."
    assert "on average" not in headlines.details(one)
    beside = stratified([*HARBOUR[:1], ("empty", 0, 0, 9, 9)])
    assert "on average" in headlines.strata_sentence(beside), "the gap in all rows is another one"


def test_what_readings_of_strata_allow_for_is_said_and_where_alike_leaves_the_band():
    note = comparisons_note(stratified(HARBOUR).strata.strata)
    assert note == "Readings allow for 3 comparisons; the interval of each stratum does not."
    assert comparisons_note(stratified(HARBOUR[:1]).strata.strata) == ""
    alike = stratified([("a", 990, 1010, 1000, 1000), ("b", 9300, 700, 9000, 1000), ("c", 970, 1030, 1010, 990)])
    rows = alike.strata.strata
    assert "alike" in words.evidence_of_many(rows)
    read = dataclasses.replace(
        rows[0].comparison, evidence="supported_fair", difference_interval=Interval(-0.051, 0.01)
    )
    assert "two one-sided tests" in comparisons_note([dataclasses.replace(rows[0], comparison=read), *rows[1:]])


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
    assert "a clear gap" in said and "Further behind, but not clearly: few (−32.5 points, 8 rows)." in said


def test_figures_of_who_is_worst_off_are_those_of_the_table_beside():
    found = groups({"few": (30_354, 100_000), "others": (44_519, 100_000)})
    assert worst(found).startswith("Worst off: few, 30.4 % (−14.2 points against all others;")
    table = comparison_table(found, 1, 1)
    row = {
        column.name: cell_text(value, column.kind, digits=column.digits, beside=column.beside)
        for column, value in zip(table.columns, table.rows[0], strict=True)
    }
    assert (spaced(row["share"]), row["gap"]) == ("30.4 %", "−14.2")


def test_the_answer_its_card_its_chart_and_its_table_have_the_same_figures():
    one = finding(30_354, 100_000, 44_519, 100_000)
    assert {"30.35 %", "44.52 %"} <= set(re.findall(r"[\d.]+ %", spaced(headlines.headline(one))))
    assert "a gap of 14.16 points (of shares that are not rounded)" in headlines.details(one)
    assert figures(one.result)[0].value == "−14.16"
    alt = spaced(groups_alt(one.result))
    assert "30.35 % of" in alt and "44.52 % of" in alt and "The gap is −14.16 points" in alt
    drawn = spaced(json.dumps(groups_chart(one.result).to_dict(), ensure_ascii=False))
    assert '"text": "30.35 %"' in drawn and '"text": "44.52 %"' in drawn
    [digits] = [column.digits for column in groups_table(one, 1).columns if column.name == "share"]
    assert digits == 2


@pytest.mark.parametrize(
    ("few", "others", "expected"),
    [
        ((300, 600), (345, 600), "a gap, size unclear: it may be small enough to count as alike"),
        ((3, 10), (5, 10), "the data cannot tell: it may be chance"),
        ((5000, 10_000), (5050, 10_000), "small enough to count as alike"),
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
