"""Sentences about amounts: right in direction, number and how sure they are."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd
import pytest
from amounts_by_hand import CHECK, pay, plan

from fairaudit.audit.amounts import run_amount
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.present import amount_words, words
from fairaudit.present.amount_card import amount_figures
from fairaudit.present.headlines import amount_question
from fairaudit.present.numbers import amount_digits
from fairaudit.sections.check import say_check


@pytest.fixture(scope="module")
def finding():
    return run_amount(pay(), plan(), CHECK)


ALIKE = "no_gap_above_tolerance"


def shown(finding, difference: float, low: float, high: float, *, verdict: str, tolerance: float = 100):
    """Return a finding with another difference."""
    reference = finding.result.reference
    result = replace(
        finding.result,
        protected=replace(finding.result.protected, mean=reference.mean + difference),
        difference=difference,
        difference_interval=Interval(low, high),
        equivalence_interval=Interval(low, high),
        verdict=verdict,
        tolerance=tolerance,
        within_tolerance=abs(difference) <= tolerance,
    )
    return replace(finding, result=result, strata=None)


@pytest.mark.parametrize(("spread", "digits"), [(8_000, 0), (250, 0), (25, 1), (0.04, 4), (0, 2), (float("nan"), 2)])
def test_amounts_are_shown_with_as_many_decimals_as_distinguish_them(spread, digits):
    assert amount_digits(spread) == digits


def test_similar_people_are_shown_in_plain_words(finding):
    text = amount_words.similar_sentence(finding)
    assert text.startswith("Among the 10 people who are most similar in grade, the protected group (women) has")
    assert "That is more than chance explains" in text
    weak = replace(finding, similar=replace(finding.similar, difference_by_chance=Interval(-9_999.0, 9_999.0)))
    assert "That could be chance alone" in amount_words.similar_sentence(weak)
    drawn = replace(finding, similar=replace(finding.similar, n_usable=20_000, n_rows=5_000, n_alone=(3, 0)))
    details = amount_words.similar_details(drawn)
    assert "Of 20,000 rows that could be used, 5,000 were drawn at random" in details
    assert "3 rows have nobody of the protected group near them" in details and "of the rest near" not in details
    lonely = replace(finding, similar=replace(finding.similar, difference=float("nan")))
    assert amount_words.similar_sentence(lonely).startswith("Nobody has people of both groups")


def test_a_tolerance_that_the_audit_does_not_set_is_called_proposed(finding):
    found = run_amount(pay(), plan(), CHECK.model_copy(update={"amount_tolerance": None}))
    limit = amount_words.tolerance_text(found)
    asked = amount_question(found)
    assert f"This audit sets no tolerance, so one is proposed: a difference of up to {limit} counts as alike" in asked
    assert "the proposed tolerance of" in say(say_check(found).lead)
    assert "proposed" not in amount_question(finding) + say(say_check(finding).lead)


def test_card_has_four_figures_that_agree_with_the_verdict(finding):
    difference, size, evidence, rows = amount_figures(finding)
    assert difference.value.startswith(f"\N{MINUS SIGN}{-finding.result.difference:,.0f}")
    assert size.note.endswith("large") and evidence.value == words.CLEAR_GAP and rows.value == "300"
    alike = amount_figures(shown(finding, 5, -40, 50, verdict="no_gap_above_tolerance"))
    assert alike[0].value.startswith("+5") and "interval, −40 to +50, lies within ±100" in alike[2].note


def test_hidden_numbers_are_shown_as_hidden():
    from fairaudit import run
    from fairaudit.disclosure.gate import exported

    [hidden] = exported(run(plan(minimum=1_000), table=pd.DataFrame(pay()))).amounts
    for text in (amount_words.similar_sentence(hidden),):
        assert not re.search(r"\d[\d,]{2,}", text), text
    assert amount_words.similar_details(hidden) == ""
