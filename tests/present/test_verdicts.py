from __future__ import annotations

import dataclasses
import math
import re

import pytest
from findings_by_hand import ADULT, fairness, finding
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.findings import Group, Message
from fairaudit.measure.comparison import sides_at
from fairaudit.measure.results import GroupRow, Interval
from fairaudit.measure.verdicts_of_many import by_bonferroni, by_holm
from fairaudit.messages import say
from fairaudit.messages.catalogue import MINUS
from fairaudit.present import verdicts
from fairaudit.present.blocks import Paragraph
from fairaudit.present.cases import population_sentence
from fairaudit.present.numbers import (
    confidence_text,
    count_text,
    interval_text,
    number_text,
    p_text,
    points_text,
    share_text,
)
from fairaudit.present.verdicts import figures, reading_chip
from fairaudit.sections.check import next_step
from fairaudit.sections.check.chapter import doubt_blocks

TURNED = [("a", 900, 100, 8000, 2000), ("b", 2000, 8000, 100, 900)]


def spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("counts", [(5000, 10000, 5360, 10000), (503, 1000, 500, 1000), (5000, 10000, 5100, 10000)])
def test_the_interval_beside_an_answer_of_alike_is_the_one_that_decides_it(counts):
    one = finding(*counts)
    assert one.result.verdict == "no_gap_above_tolerance"
    ends = interval_text(one.result.equivalence_interval)
    assert f"90 % range, {ends}" in spaced(figures(one.result)[2].note)


def test_the_95_percent_interval_of_groups_that_are_clearly_alike_may_leave_the_tolerance():
    result = fairness(1880, 4000, 2000, 4000)
    assert result.verdict == "no_gap_above_tolerance" and result.difference_interval.low < -0.05
    assert verdicts.deciding_interval(result) == result.equivalence_interval


def test_the_card_prints_the_interval_that_makes_groups_alike_and_not_the_wider_one():
    # 500 of 1,000 beside 510: -5.4 to +3.4 at 95 %, -4.7 to +2.7 at 90 %.
    result = fairness(500, 1000, 510, 1000)
    assert (verdicts.verdict_word(result), f"{result.difference_interval.low:.3f}") == (verdicts.NO_GAP, "-0.054")
    said = spaced(figures(result)[2].note)
    assert "90 % range, −4.7 to +2.7" in said and "5.4" not in said


def test_words_follow_the_verdict():
    assert verdicts.verdict_word(fairness(*ADULT)) == verdicts.CLEAR_GAP
    assert verdicts.verdict_word(fairness(5000, 10000, 5000, 10000)) == verdicts.NO_GAP
    assert verdicts.verdict_word(fairness(5, 10, 5, 10)) == verdicts.CANNOT_TELL
    assert verdicts.verdict_word(fairness(300, 600, 345, 600)) == verdicts.PERHAPS_SMALL
    assert verdicts.verdict_word(fairness(0, 0, 5, 10)) == verdicts.NOTHING_TO_COMPARE
    assert verdicts.reading(fairness(*ADULT), small=False) == verdicts.verdict_word(fairness(*ADULT))
    assert verdicts.reading(fairness(2, 10, 5, 10), small=False) == verdicts.CANNOT_TELL
    assert verdicts.reading(fairness(2, 10, 5, 10), small=True) == f"{verdicts.CANNOT_TELL}, few rows"
    assert verdicts.reading(fairness(0, 0, 5, 10), small=True) == f"{verdicts.NOTHING_TO_COMPARE}, few rows"


@given(st.integers(1, 400), st.integers(1, 400), st.data())
def test_a_table_reads_a_comparison_as_its_chip_does(n_p, n_r, data):
    result = fairness(data.draw(st.integers(0, n_p)), n_p, data.draw(st.integers(0, n_r)), n_r)
    word = verdicts.verdict_word(result)
    chip = reading_chip(word).text
    assert word == chip


def test_one_of_many_groups_has_a_gap_only_if_the_adjusted_p_value_agrees():
    # 50.0 % against 57.5 %: p = 0.009. Among twelve such groups that is no evidence of a gap, among two it is.
    one = fairness(300, 600, 345, 600)
    assert verdicts.verdict_word(one) == verdicts.PERHAPS_SMALL
    for n_groups, expected in ((2, verdicts.PERHAPS_SMALL), (12, verdicts.CANNOT_TELL)):
        for read in (by_holm, by_bonferroni):
            assert {verdicts.verdict_word(each) for each in read([one] * n_groups, sides_at)} == {expected}
    clear = GroupRow((("a", 1),), fairness(*ADULT), None, False)
    assert verdicts.verdict_words([clear]) == (verdicts.CLEAR_GAP,)
    hidden = dataclasses.replace(one, difference=None, p_value=None, verdict=None)
    assert verdicts.verdict_words([GroupRow((("a", 1),), hidden, None, None)]) == (verdicts.NO_VERDICT,)


@pytest.mark.parametrize("counts", [(0, 500, 0, 500), (500, 500, 90, 90)])
def test_one_decision_only_is_no_verdict_and_has_no_next_step(counts):
    one = finding(*counts)
    assert verdicts.verdict_word(one.result) == verdicts.NOTHING_TO_COMPARE
    assert verdicts.reading(one.result) == "one decision only"
    assert next_step(one) is None
    texts = [block.strong for block in doubt_blocks(one) if isinstance(block, Paragraph)]
    assert "What next." not in texts
    assert not any(verdicts.NO_GAP in figure.value + figure.note for figure in figures(one.result))


def test_who_is_compared_is_called_by_the_names_of_the_audit():
    one = finding(*ADULT)
    named = dataclasses.replace(
        one, names=dataclasses.replace(one.names, protected=Group("women"), others=Group("men"))
    )
    said = population_sentence(named)
    assert "women" in said and " men" in said and say(Message("explain-protected")) not in said


def test_every_row_is_counted_once():
    said = population_sentence(finding(*ADULT, unknown=7, undecided=(2, 3), filtered_out=33070))
    assert [figure for figure in re.findall(r"\d[\d,]*", said) if len(figure) != 2] == ["1,945", "13,827", "7", "5"]
    assert re.findall(r"\d[\d,]*", population_sentence(finding(*ADULT, where=None))) == ["1,945", "13,827"]


def test_reading_marks_a_side_with_fewer_than_thirty_rows():
    assert verdicts.reading(fairness(15, 30, 15, 30)) == verdicts.CANNOT_TELL
    assert verdicts.reading(fairness(15, 29, 15, 30)) == f"{verdicts.CANNOT_TELL}, few rows"
    assert verdicts.reading(fairness(15, 30, 15, 29)) == f"{verdicts.CANNOT_TELL}, few rows"


def hide(one, **sizes):
    return dataclasses.replace(one, result=dataclasses.replace(one.result, **sizes))


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


def test_the_words_of_verdicts_are_those_of_the_catalogue():
    for verdict, word in verdicts.BY_VERDICT.items():
        assert say(Message(f"verdict-{verdict.replace('_', '-')}")) == word
