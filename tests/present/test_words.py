from __future__ import annotations

import dataclasses
import math
import re
from decimal import Decimal
from typing import get_args

import pandas as pd
import pytest
from findings_by_hand import ADULT, fairness, finding
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.measure import check_strata
from fairaudit.measure.comparison import sides_at
from fairaudit.measure.results import GroupRow, Interval
from fairaudit.measure.verdicts_of_many import by_bonferroni, by_holm
from fairaudit.plan import CheckPlan
from fairaudit.present import words
from fairaudit.present.blocks import Paragraph
from fairaudit.present.brief import capital
from fairaudit.present.card import figures
from fairaudit.present.chips import reading_chip
from fairaudit.present.numbers import (
    MINUS,
    confidence_text,
    count_text,
    interval_text,
    number_text,
    p_text,
    points_text,
    share_text,
)
from fairaudit.report.chapters.checks import doubt_blocks
from fairaudit.report.explanations import next_step
from fairaudit.report.json_export.checks import Answer

SIDES = (("p", "yes"), ("p", "no"), ("r", "yes"), ("r", "no"))
TURNED = [("a", 900, 100, 8000, 2000), ("b", 2000, 8000, 100, 900)]
UNCLEAR = [("a", 9, 1, 80, 20), ("b", 20, 80, 1, 9)]


def spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_each_reading_has_an_answer_that_the_json_allows():
    assert set(words.READINGS) | set(words.WITHOUT_FIGURES) == set(words.ANSWERS)
    assert set(words.ANSWERS.values()) == set(get_args(Answer))


def test_verdict_of_adult_is_the_agreed_sentence():
    assert spaced(words.verdict_sentence(finding(*ADULT))) == (
        "No. Among rows where education_num is more than 10, 32.0 % of the protected group (race is not White) reach "
        "the good outcome (income is >50K), against 44.3 % of the rest: a gap of 12.3 points to their disadvantage. "
        "Allowing for chance, the gap may be anywhere from 10.1 to 14.5 points (95 % interval)."
    )


@pytest.mark.parametrize(
    ("counts", "start", "parts"),
    [
        ((5000, 10000, 5100, 10000), "Yes. ", ["1.0 points to their disadvantage", "within the tolerance of 5 points"]),
        ((5000, 10000, 5000, 10000), "Yes. ", [": no gap, within"]),
        (
            (9, 20, 10, 20),
            "Cannot tell. ",
            ["5.0 points to their disadvantage, within", "so no gap at all is possible too", "do not settle"],
        ),
        (
            (300, 600, 345, 600),
            "A gap, size unclear. ",
            ["from 1.9 to 13.1 points (95 % interval): some gap is likely; whether it exceeds 5 points is open."],
        ),
        ((6, 20, 10, 20), "Cannot tell. ", ["20.0 points to their disadvantage, outside", "do not settle"]),
        ((9000, 10000, 5000, 10000), "No. ", ["40.0 points to their advantage"]),
        ((0, 500, 0, 500), "Nothing to compare. ", ["nobody reaches the good outcome"]),
        ((500, 500, 90, 90), "Nothing to compare. ", ["everybody reaches the good outcome"]),
        ((500, 500, 89, 90), "Yes. ", ["100.0 % of the protected group"]),
        (
            (0, 0, 4, 10),
            "Nothing to compare. ",
            ["the protected group (race is not White) has no row with a known decision"],
        ),
        ((4, 10, 0, 0), "Nothing to compare. ", ["the rest has no row"]),
    ],
)
def test_verdict_names_the_answer_the_gap_and_the_direction(counts, start, parts):
    sentence = spaced(words.verdict_sentence(finding(*counts)))
    assert sentence.startswith(start)
    for part in parts:
        assert part in sentence


def stratified(cells, **options):
    data = pd.DataFrame(
        [(area, who, got) for area, *counts in cells for (who, got), n in zip(SIDES, counts, strict=True)
         for _ in range(n)],
        columns=["area", "race", "income"],
    )  # fmt: skip
    strata = check_strata(data, decision="income", favorable="yes", protected="race = 'p'", strata="area")
    p, r = strata.pooled.protected, strata.pooled.reference
    return finding(p.positives, p.n, r.positives, r.n, strata=strata, **options)


@pytest.mark.parametrize(
    "cells, end",
    [
        (TURNED, "the gap is to their advantage on average: +10.0 points (95 % interval +8.6 to +11.4)."),
        (
            [(a, *c[2:], *c[:2]) for a, *c in TURNED],
            "the gap is to their disadvantage on average: −10.0 points (95 % interval −11.4 to −8.6).",
        ),
        (UNCLEAR, "no clear gap remains on average: +10.0 points (95 % interval −4.3 to +24.3)."),
        (
            [(a, *c[2:], *c[:2]) for a, *c in UNCLEAR],
            "no clear gap remains on average: −10.0 points (95 % interval −24.3 to +4.3).",
        ),
    ],
)
def test_verdict_ends_with_the_gap_inside_the_strata_where_it_turns_around(cells, end):
    one = stratified(cells)
    sentence = spaced(words.verdict_sentence(one))
    assert one.strata.reversal
    assert sentence.endswith(f"But within area {end}")


@pytest.mark.parametrize(
    ("cells", "start", "inside"),
    [
        (TURNED, "The direction turns around. Taken together, group", "to +11.4; in 2 of 2 strata). Read the strata"),
        (
            UNCLEAR,
            "Within 'area' no clear gap remains on average. Taken",
            "to +24.3; in 2 of 2 strata), which may be chance alone. Read",
        ),
    ],
)
def test_the_warning_says_whether_a_gap_that_turns_around_is_clear_within_the_strata(cells, start, inside):
    warning = spaced(words.reversal_warning(stratified(cells)))
    assert warning.startswith(start) and inside in warning and "inside each" not in warning


def test_strata_whose_sign_disagrees_are_warned_of_where_nothing_is_clear_but_are_not_in_the_answer():
    one = stratified([("a", 45, 55, 50, 50), ("b", 52, 48, 50, 50), ("c", 3, 7, 60, 40)])
    turned = stratified([("a", 9, 1, 8, 2), ("b", 2, 8, 1, 9)])
    for answer in (one, turned):
        assert words.evidence_word(answer.result) != words.CLEAR_GAP
        warned = words.reversal_warning(answer)
        assert (warned is not None) is answer.strata.reversal and words.reversal_sentence(answer) == ""


def test_verdict_says_nothing_of_strata_that_agree_or_are_hidden():
    for one in (finding(*ADULT), stratified([("a", 10, 90, 50, 50), ("b", 20, 80, 60, 40)])):
        assert words.reversal_sentence(one) == ""
        assert words.reversal_warning(one) is None
        assert "But inside" not in words.verdict_sentence(one)
    one = stratified(TURNED)
    hidden = dataclasses.replace(one, strata=dataclasses.replace(one.strata, reversal=None, warning="Not said."))
    assert words.reversal_sentence(hidden) == ""
    assert words.reversal_warning(hidden) == "Not said."


def test_reversal_warning_names_the_group_as_the_plan_does():
    plan = CheckPlan(protected="race = 'p'", protected_name="people of colour")
    assert "group 'people of colour' reaches" in words.reversal_warning(stratified(TURNED, plan=plan))


def test_reversal_warning_has_the_decimals_of_the_answer():
    one = stratified([("a", 237, 20, 800, 200), ("b", 20, 188, 10, 90)])
    gap = words.figures_that_subtract(one.result)[2]
    assert re.search(r"\.\d\d points", gap) and one.strata.reversal
    assert f"(by {gap.strip('+−')})" in words.reversal_warning(one)


def test_verdict_without_filter_speaks_of_all_rows_and_uses_the_group_name_of_the_plan():
    plan = CheckPlan(protected="race <> 'White'", protected_name="people of colour")
    sentence = words.verdict_sentence(finding(*ADULT, where=None, plan=plan))
    assert "Among all rows, " in sentence
    assert "protected group (people of colour)" in sentence


@given(st.integers(1, 400), st.integers(1, 400), st.data())
def test_verdict_never_names_the_wrong_group(n_p, n_r, data):
    positives_p, positives_r = data.draw(st.integers(0, n_p)), data.draw(st.integers(0, n_r))
    one = finding(positives_p, n_p, positives_r, n_r)
    sentence = spaced(words.verdict_sentence(one))
    if positives_p + positives_r in (0, n_p + n_r):
        assert sentence.startswith("Nothing to compare. ")
        return
    first = re.search(r"(\d+\.\d+) % of the protected group .* against (\d+\.\d+) % of the rest", sentence)
    assert float(first[1]) == pytest.approx(100 * positives_p / n_p, abs=0.051)
    assert float(first[2]) == pytest.approx(100 * positives_r / n_r, abs=0.051)
    cross = positives_p * n_r - positives_r * n_p
    gap = re.search(r": (no gap|no observed gap|a gap of .*? to their (?:dis)?advantage)", sentence)[1]
    assert gap.endswith("to their disadvantage") == (cross < 0)
    assert gap.endswith("to their advantage") == (cross > 0)
    by_chance = one.result.test == "fisher" and one.result.p_value > 0.05
    assert sentence.startswith("No. ") == (one.result.verdict == "clear_gap")
    assert sentence.startswith("Yes. ") == (one.result.verdict == "no_gap_above_tolerance")
    low, high = one.result.difference_interval
    open_answer = one.result.verdict in ("gap_size_unclear", "too_few_to_tell")
    for start, said, is_said in (
        ("A gap, size unclear. ", "some gap is likely", (low > 0 or high < 0) and not by_chance),
        ("Cannot tell. ", "no gap at all is possible too", low <= 0 <= high or by_chance),
    ):
        assert sentence.startswith(start) == (said in sentence) == (open_answer and is_said)
    low, high = words.deciding_interval(one.result)
    assert ("disadvantage to" in sentence) == (low < 0 < high)
    assert len(re.findall("interval", sentence)) == 1
    assert "nan" not in sentence


@pytest.mark.parametrize("counts", [(5000, 10000, 5360, 10000), (503, 1000, 500, 1000), (5000, 10000, 5100, 10000)])
def test_the_interval_beside_an_answer_of_alike_is_the_one_that_decides_it(counts):
    one = finding(*counts)
    assert one.result.verdict == "no_gap_above_tolerance"
    answer, spread = words.verdict_parts(one)
    assert "(90 % interval), all within the tolerance" in spaced(spread)
    assert all(float(end) <= 5 for end in re.findall(r"\d+\.\d+", spread))
    ends = words.interval_text(one.result.equivalence_interval)
    said = spaced(words.evidence_sentence(one.result))
    assert f"the whole 90 % interval, {ends}, which decides this, lies inside" in said
    assert f"the whole 90 % interval, {ends}, lies within" in spaced(figures(one.result)[2].note)
    assert "95" not in answer + spread + said


def test_the_95_percent_interval_of_groups_that_are_clearly_alike_may_leave_the_tolerance():
    result = fairness(1880, 4000, 2000, 4000)
    assert result.verdict == "no_gap_above_tolerance" and result.difference_interval.low < -0.05
    assert "the gap may be anywhere from 1.2 to 4.8 points (90 % interval)" in spaced(words.evidence_range(result))


def test_card_and_sentence_print_the_interval_that_makes_groups_alike_and_not_the_wider_one():
    # 500 of 1,000 beside 510: -5.4 to +3.4 at 95 %, -4.7 to +2.7 at 90 %.
    result = fairness(500, 1000, 510, 1000)
    assert (words.evidence_word(result), f"{result.difference_interval.low:.3f}") == ("alike", "-0.054")
    for said in (words.evidence_sentence(result), figures(result)[2].note):
        assert "90 % interval, −4.7 to +2.7" in spaced(said) and "5.4" not in said


def test_chance_is_unlikely_only_if_cases_are_independent():
    assert words.evidence_sentence(fairness(*ADULT)).endswith(
        "If the cases are independent of each other, chance alone is an unlikely reason."
    )


@given(st.integers(0, 60), st.integers(0, 60), st.data())
def test_impact_ratio_sentence_never_names_the_wrong_group(n_p, n_r, data):
    counts = (data.draw(st.integers(0, n_p)), n_p, data.draw(st.integers(0, n_r)), n_r)
    sentence = words.impact_ratio_sentence(fairness(*counts))
    ratio = fairness(*counts).impact_ratio
    assert ("disadvantage of the protected group" in sentence) == (ratio < 0.8)
    assert ("the rest is below four fifths" in sentence) == (ratio > 1.25)
    assert ("not defined" in sentence) == math.isnan(ratio)


def test_evidence_words_follow_the_evidence():
    assert words.evidence_word(fairness(*ADULT)) == "clear gap"
    assert words.evidence_word(fairness(5000, 10000, 5000, 10000)) == "alike"
    assert words.evidence_word(fairness(5, 10, 5, 10)) == "cannot tell"
    assert words.evidence_word(fairness(300, 600, 345, 600)) == "a gap, size unclear"
    assert words.evidence_word(fairness(0, 0, 5, 10)) == "not defined"
    assert "outside the tolerance of ±5 points" in words.evidence_sentence(fairness(*ADULT))
    assert "No gap at all is possible too" in words.evidence_sentence(fairness(5, 10, 5, 10))
    assert "Some gap is likely" in words.evidence_sentence(fairness(300, 600, 345, 600))
    assert words.reading(fairness(*ADULT), small=False) == words.evidence_word(fairness(*ADULT))
    assert words.reading(fairness(2, 10, 5, 10), small=False) == "cannot tell"
    assert words.reading(fairness(2, 10, 5, 10), small=True) == "cannot tell, few rows"
    assert words.reading(fairness(0, 0, 5, 10), small=True) == "not defined, few rows"


@given(st.integers(1, 400), st.integers(1, 400), st.data())
def test_a_table_reads_a_comparison_as_its_chip_does(n_p, n_r, data):
    result = fairness(data.draw(st.integers(0, n_p)), n_p, data.draw(st.integers(0, n_r)), n_r)
    word = words.evidence_word(result)
    chip = reading_chip(word).text
    assert capital(word) == chip or (word, chip) == ("not defined", "Nothing to compare")


def test_one_of_many_groups_has_a_gap_only_if_the_adjusted_p_value_agrees():
    # 50.0 % against 57.5 %: p = 0.009. Among twelve such groups that is no evidence of a gap, among two it is.
    one = fairness(300, 600, 345, 600)
    assert words.evidence_word(one) == "a gap, size unclear"
    for n_groups, expected in ((2, "a gap, size unclear"), (12, "cannot tell")):
        for read in (by_holm, by_bonferroni):
            assert {words.evidence_word(each) for each in read([one] * n_groups, sides_at)} == {expected}
    clear = GroupRow((("a", 1),), fairness(*ADULT), None, False)
    assert words.evidence_of_many([clear]) == ("clear gap",)
    hidden = dataclasses.replace(one, difference=None, p_value=None, verdict=None)
    assert words.evidence_of_many([GroupRow((("a", 1),), hidden, None, None)]) == ("not shown",)


@pytest.mark.parametrize("counts", [(0, 500, 0, 500), (500, 500, 90, 90)])
def test_one_decision_only_is_no_verdict_and_has_no_next_step(counts):
    one = finding(*counts)
    assert words.evidence_word(one.result) == "not defined"
    assert words.reading(one.result) == "one decision only"
    assert words.evidence_sentence(one.result).endswith("all known decisions are the same.")
    assert next_step(one) == ""
    texts = [block.strong for block in doubt_blocks(one) if isinstance(block, Paragraph)]
    assert "What next." not in texts
    assert not any("alike" in figure.value + figure.note for figure in figures(one.result))


@given(st.integers(1, 30_000), st.integers(1, 30_000), st.data())
def test_the_shares_and_the_gap_of_a_verdict_subtract(n_p, n_r, data):
    counts = (data.draw(st.integers(0, n_p)), n_p, data.draw(st.integers(0, n_r)), n_r)
    sentence = spaced(words.verdict_sentence(finding(*counts)))
    found = re.search(r"([\d.]+) % of .* against ([\d.]+) % of the rest: a gap of ([\d.]+) points", sentence)
    if found is None:
        assert (
            "no gap" in sentence
            or "no observed gap" in sentence
            or "less than 0.1 points" in sentence
            or sentence.startswith("Nothing to compare")
        )
        return
    protected, rest, gap = map(Decimal, found.groups())
    last = Decimal(1).scaleb(gap.as_tuple().exponent)
    assert abs(abs(protected - rest) - gap) <= (last if "(from the shares before rounding)" in sentence else 0)
    # Never another gap than the true one, rounded.
    assert abs(gap - Decimal(100 * abs(counts[0] / n_p - counts[2] / n_r))) <= last / 2 + Decimal("1e-9")


def test_shares_that_do_not_subtract_with_one_decimal_have_two():
    sentence = spaced(words.verdict_sentence(finding(7846, 10_000, 9354, 10_000)))
    assert "78.46 % of the protected group" in sentence and "against 93.54 % of the rest" in sentence
    assert "a gap of 15.08 points" in sentence
    # Neither one nor two decimals subtract: the gap stays the true one, rounded, and it is said why.
    berkeley = words.verdict_sentence(finding(557, 1835, 1198, 2691))
    assert "a gap of 14.2 points (from the shares before rounding)" in berkeley
    # More decimals tell a gap from the tolerance, too.
    near = spaced(words.verdict_sentence(finding(4996, 10_000, 5500, 10_000)))
    assert "49.96 % of" in near and "against 55.00 % of the rest: a gap of 5.04 points to" in near
    hidden = words.verdict_sentence(hide(finding(7846, 10_000, 9354, 10_000), unknown=None))
    assert "against 93.5" in hidden and "a gap of 15.1 points (from the shares before rounding)" in hidden


def test_population_sentence_counts_every_row_once():
    one = finding(*ADULT, unknown=7, undecided=(2, 3), filtered_out=33070)
    assert words.population_sentence(one) == (
        "15,784 of 48,854 rows meet the filter (education_num is more than 10): 1,945 in the protected group, "
        "13,827 in the rest, 7 in neither because the group is unknown, and 5 left out because they have no decision."
    )


def test_population_sentence_leaves_out_what_there_is_none_of():
    assert words.population_sentence(finding(*ADULT, where=None)).endswith("and 13,827 in the rest.")


def test_a_ratio_within_four_fifths_beside_a_clear_gap_is_said_to_be_another_limit():
    passing = fairness(6000, 10_000, 7000, 10_000)
    assert words.evidence_word(passing) == "clear gap" and passing.four_fifths
    assert "lets larger gaps pass than the tolerance of 5 points here" in words.impact_ratio_sentence(passing)
    assert "larger gaps" not in words.impact_ratio_sentence(fairness(5000, 10_000, 5000, 10_000))


def test_reading_marks_a_side_with_fewer_than_thirty_rows():
    assert words.reading(fairness(15, 30, 15, 30)) == "cannot tell"
    assert words.reading(fairness(15, 29, 15, 30)) == "cannot tell, few rows"
    assert words.reading(fairness(15, 30, 15, 29)) == "cannot tell, few rows"


def hide(one, **sizes):
    return dataclasses.replace(one, result=dataclasses.replace(one.result, **sizes))


def test_population_sentence_of_hidden_counts_is_a_sentence():
    one = finding(*ADULT, unknown=7, undecided=(2, 3), filtered_out=33070)
    assert words.population_sentence(hide(one, unknown=None, undecided=None)) == (
        "15,784 of 48,854 rows meet the filter (education_num is more than 10): 1,945 in the protected group and "
        "13,827 in the rest. How many are in neither because the group is unknown or left out because they have no "
        "decision is not shown."
    )
    sides = {side: dataclasses.replace(getattr(one.result, side), n=None) for side in ("protected", "reference")}
    nothing = hide(one, unknown=None, undecided=None, n_population=None, n_filtered_out=None, **sides)
    assert words.population_sentence(nothing) == (
        "How many rows meet the filter (education_num is more than 10) is not shown. How many are in the protected "
        "group, in the rest, in neither because the group is unknown, or left out because they have no decision is "
        "not shown."
    )
    part = hide(one, n_population=None, n_filtered_out=None, unknown=None, undecided=0)
    assert words.population_sentence(part).startswith(
        "How many rows meet the filter (education_num is more than 10) is not shown; among them are 1,945"
    )


@given(st.floats(-1, 1))
def test_points_round_as_numbers_do_and_have_no_signed_zero(value):
    text = points_text(value)
    number = float(text.removesuffix(" points").replace(MINUS, "-"))
    assert number == pytest.approx(100 * value, abs=0.0501)
    assert not text.startswith((f"{MINUS}0.0 ", "+0.0 "))
    assert "-" not in text


def test_undefined_and_hidden_numbers_are_distinguished():
    assert [number_text(math.nan), share_text(math.nan), points_text(math.inf), p_text(math.nan)] == ["not defined"] * 4
    assert [number_text(None), share_text(None), points_text(None), p_text(None), count_text(None)] == ["not shown"] * 5
    assert interval_text(Interval(math.nan, math.nan)) == "not defined"
    assert interval_text(Interval(None, None)) == "not shown"


def test_numbers_carry_separators_and_units():
    assert count_text(48842) == "48,842"
    assert share_text(0.5, digits=0) == "50\N{NO-BREAK SPACE}%"
    assert spaced(confidence_text(0.95)) == "95 %"
    assert spaced(confidence_text(0.999)) == "99.9 %"
    assert interval_text(Interval(0.3, 0.341), "share") == "30.0 to 34.1"
