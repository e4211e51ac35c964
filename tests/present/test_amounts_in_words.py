"""Sentences about amounts: right in direction, number and how sure they are."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd
import pytest
from amounts_by_hand import CHECK, pay, plan

from fairaudit.findings import Count, Message
from fairaudit.measure.limits import amount_digits, answer_digits
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.present import verdicts
from fairaudit.present.numbers import difference_text
from fairaudit.present.verdicts import figures
from fairaudit.sections.check import say_check
from fairaudit.sections.check.answering import answer_check


@pytest.fixture(scope="module")
def finding():
    return answer_check(pay(), plan(), CHECK)


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


def test_similar_people_are_said_with_whether_that_is_more_than_chance(finding):
    similar = finding.similar
    shown = {
        name: verdicts.similar_sentence(replace(finding, similar=replace(similar, **changed)))
        for name, changed in {
            "clear": {},
            "chance": {"difference_by_chance": Interval(-9_999.0, 9_999.0)},
            "nobody": {"difference": float("nan")},
        }.items()
    }
    assert len({*shown.values()}) == 3 and shown["chance"].endswith("That may be chance.")
    assert difference_text(similar.difference, digits=answer_digits(finding.result)) in shown["clear"]
    drawn = replace(finding, similar=replace(similar, n_usable=20_000, n_rows=5_000))
    assert say(Message("amount-similar-drawn", {"n": Count(5_000), "all": Count(20_000)})) in (
        verdicts.similar_details(drawn)
    )


def test_a_tolerance_that_the_audit_does_not_set_is_called_proposed(finding):
    found = answer_check(pay(), plan(), CHECK.model_copy(update={"amount_tolerance": None}))
    assert "the proposed tolerance of" in say(say_check(found).lead)
    assert "proposed" not in say(say_check(finding).lead)


def test_card_has_four_figures_that_agree_with_the_verdict(finding):
    difference, size, evidence, rows = figures(finding.result)
    assert difference.value.startswith(f"\N{MINUS SIGN}{-finding.result.difference:,.0f}")
    assert size.note.endswith("large") and evidence.value == verdicts.CLEAR_GAP and rows.value == "300"
    alike = figures(shown(finding, 5, -40, 50, verdict="no_gap_above_tolerance").result)
    assert alike[0].value.startswith("+5") and "−40 to +50" in alike[2].note and "±100" in alike[2].note


def test_hidden_numbers_are_shown_as_hidden():
    from fairaudit import run
    from fairaudit.disclosure.gate import exported

    [hidden] = exported(run(plan(minimum=1_000), table=pd.DataFrame(pay()))).checks
    for text in (verdicts.similar_sentence(hidden),):
        assert not re.search(r"\d[\d,]{2,}", text), text
    assert verdicts.similar_details(hidden) == ""
