"""Limits that are to hold on new people: met where the test meets them, for certain where cases set aside say so."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
import remedies_by_hand as by_hand
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.estimators.certified import Certificate
from fairaudit.findings import Count, Share
from fairaudit.messages import say
from fairaudit.report.remedies import remedies_annex
from fairaudit.sections.compare import read_comparison
from fairaudit.sections.remedy import read_remedy, say_remedy
from fairaudit.sections.remedy.saying import done_sentence
from fairaudit.sections.remedy.tables import named_tables
from fairaudit.study.certified import CertifiedLimit, up_to_two_digits

FACTS = by_hand.facts()
READINGS = ("within", "within, not clear", "outside", "outside, not clear")


def held(n_certified: int = 3, n_needed: int | None = None) -> CertifiedLimit:
    return CertifiedLimit(0.9, 1_234, 7, n_certified, 0.012, 0.42, n_needed)


def limited(reading: str, found: CertifiedLimit | None, *, n: int = 1):
    """Return a remedy with so many limits on shares, that read so on the test cases."""
    one = by_hand.remedy("constrain")
    judged = next(change for change in one.changes if change.measure == "fpr_gap")
    row = {
        "metric": "demographic_parity",
        "first": judged.first,
        "second": judged.second,
        "max_difference": 0.05,
        "reading": reading,
    }
    return replace(one, details=replace(one.details, pairs=pd.DataFrame([row] * n)), certified=found)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("n_certified", [0, 1, 5])
def test_a_limit_is_met_for_certain_where_the_test_meets_it_and_the_cases_set_aside_certify_it(reading, n_certified):
    one = limited(reading, held(n_certified))
    is_met = reading.startswith("within")
    expected = ("limit_met" if n_certified else "limit_met_in_test") if is_met else "limit_not_met"
    assert read_remedy(one, FACTS).verdict == expected
    [row] = read_comparison(replace(by_hand.remedies(("constrain",)), remedies=(one,))).remedies
    assert row.limit == expected


def said_of_new_people(one) -> list:
    return [m for m in say_remedy(one, FACTS).lead if "certified" in m.reveals]


@pytest.mark.parametrize(
    ("reading", "found", "key"),
    [
        ("within, not clear", held(), "remedy-lead-certified"),
        ("outside, not clear", held(), "remedy-lead-certified-missed"),
        ("within", held(0, 52_000), "remedy-lead-needs-cases"),
        ("within", held(0, None), "remedy-lead-not-certified"),
        ("within", held(0, 10), "remedy-lead-not-certified"),
    ],
)
def test_the_lead_says_whether_a_limit_holds_on_new_people_or_how_many_cases_that_takes(reading, found, key):
    [said] = said_of_new_people(limited(reading, found))
    args = dict(said.args)
    assert said.key == key and args["confidence"] == Share(0.9, 0)
    if key == "remedy-lead-needs-cases":
        assert (args["n"], args["all"]) == (Count(52_000), Count(FACTS.n_rows))


def test_several_limits_that_hold_on_new_people_are_said_in_one_sentence():
    [said] = said_of_new_people(limited("within, not clear", held(), n=2))
    assert said.key == "remedy-lead-limits-certified"


def test_nothing_is_said_of_new_people_where_it_was_not_asked():
    one = by_hand.remedy("constrain")
    assert not said_of_new_people(one) and "certified" not in named_tables(one, FACTS, 1)
    assert read_remedy(one, FACTS).certified is None and "set aside" not in done_sentence(one, FACTS)


def test_the_exact_figures_stand_in_a_table_of_the_remedy_and_in_the_annex():
    one = replace(by_hand.remedy("constrain"), certified=held(0, 52_000))
    table = named_tables(one, FACTS, 1)["certified"]
    assert table.rows == ((0.9, 1_234, 7, 0, 0.012, 0.42, 52_000),)
    [row] = named_tables(replace(one, certified=held()), FACTS, 1)["certified"].rows
    assert row[-1] == ""
    finding = replace(by_hand.remedies(("constrain",)), remedies=(by_hand.remedy("constrain"),))
    keys = {getattr(block, "key", "") for block in remedies_annex(finding)}
    certified = replace(finding, remedies=(replace(finding.remedies[0], certified=held()),))
    assert {getattr(block, "key", "") for block in remedies_annex(certified)} - keys == {"remedy_1_certified"}
    assert "1,234" in done_sentence(one, FACTS)


@given(st.integers(1, 10**7), st.integers(20, 10**6), st.integers(20, 10**6))
def test_cases_that_are_needed_are_counted_in_the_table_and_never_too_few(needed, n_rows, n_cases):
    found = CertifiedLimit.of(Certificate(0.9, n_rows, 4, 0, 0.3, 0.8, needed), n_cases)
    exact = n_cases * needed / n_rows
    assert exact <= found.n_needed <= max(1.1 * exact + 1, 1)
    assert len(str(found.n_needed).rstrip("0")) <= 2 and up_to_two_digits(found.n_needed) == found.n_needed


def test_sentences_name_no_more_than_two_figures_beside_the_confidence():
    said = say(said_of_new_people(limited("within", held(0, 52_000))))
    assert "90%" in said and "52,000" in said and len(said.split()) <= 20
