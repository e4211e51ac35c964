"""What a check says, as readings and keys: verdict, headline and lead follow from one reading."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest
from amounts_by_hand import pay, plan
from findings_by_hand import finding, stratified
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.audit.running import run
from fairaudit.findings import Group, Message, Phrase, Points, Share, Word
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.verdicts import Chip
from fairaudit.sections.check import answer_words, likely_range, read_check, say_check
from fairaudit.sections.check.charts import check_chart, check_chart_text
from fairaudit.sections.check.reading import quantity_of

TURNED = [("a", 900, 100, 8000, 2000), ("b", 2000, 8000, 100, 900)]
OPEN = [("a", 90, 10, 810, 190), ("b", 190, 810, 18, 82)]
"""A clear gap in all rows together, and inside the areas an average that cannot tell whether one is left."""
GONE = [("a", 640, 2_560, 160, 640), ("b", 640, 160, 2_560, 640)]
"""A clear gap in all rows together, and groups that are alike on average inside the areas."""
OPPOSITE = [("no", 500, 500, 600, 400), ("yes", 600, 400, 500, 500)]
AVERAGE = [("a", 200, 300, 1_000, 1_000), ("b", 1_100, 900, 325, 175)]
"""Alike in all rows together, and clearly not on average inside the areas, though in neither area alone."""
SMALL_WITHIN = [("a", 1_904, 1_496, 1_440, 960), ("b", 576, 1_024, 1_040, 1_560)]
"""Alike in all rows together; inside the areas a gap that is no chance, and may be within the tolerance."""
SAME = [("a", 1_000, 1_000, 1_500, 500), ("b", 1_000, 1_000, 1_500, 500)]


@pytest.mark.parametrize(
    ("counts", "verdict", "headline"),
    [
        ((5000, 10000, 5100, 10000), "no_gap_above_tolerance", "check-headline-no-gap"),
        ((623, 1945, 6132, 13827), "clear_gap", "check-headline-gap"),
        ((300, 600, 345, 600), "gap_size_unclear", "check-headline-gap-perhaps-small"),
        ((9, 20, 10, 20), "too_few_to_tell", "check-headline-too-few"),
        ((0, 500, 0, 500), "nothing_to_compare", "check-headline-one-decision"),
    ],
)
def test_the_verdict_decides_chip_and_headline(counts, verdict, headline):
    one = finding(*counts)
    said = say_check(one)
    assert read_check(one).verdict == verdict
    assert said.verdict.key == f"verdict-{verdict.replace('_', '-')}" and said.headline.key == headline


SMALLER = [("a", 160, 640, 56, 144), ("b", 146, 54, 640, 160)]
"""A gap that is clear in all, and within strata there on average, if of unclear size."""


@pytest.mark.parametrize(
    ("cells", "within", "verdict", "headline"),
    [
        (TURNED, "turned", "verdict-turns-around-within", "check-headline-turns-around"),
        (OPEN, "open", "verdict-clear-gap", "check-headline-gap"),
        (GONE, "gone", "verdict-gap-overall-none-within", "check-headline-gap-none-within"),
        (OPPOSITE, "both", "verdict-turns-around-within", "check-headline-both-ways"),
        (AVERAGE, "only", "verdict-gap-only-within", "check-headline-gap-only-within"),
        (SMALL_WITHIN, "only", "verdict-gap-perhaps-small-within", "check-headline-gap-only-within"),
        (SAME, "same", "verdict-clear-gap", "check-headline-gap-within"),
        (SMALLER, "smaller", "verdict-clear-gap", "check-headline-gap"),
    ],
)
def test_similar_cases_have_their_say_in_verdict_and_headline(cells, within, verdict, headline):
    one = stratified(cells)
    said = say_check(one)
    assert read_check(one).within == within
    assert (said.verdict.key, said.headline.key) == (verdict, headline)


def test_a_chip_says_clear_where_the_exit_code_does():
    assert read_check(stratified(AVERAGE)).fails_on == "clear_gap"
    assert read_check(stratified(SMALL_WITHIN)).fails_on == "gap_size_unclear"
    assert say(say_check(stratified(SMALL_WITHIN)).verdict).startswith("Gap, perhaps small")


def test_where_a_stratum_is_hidden_an_average_without_a_gap_leaves_a_clear_one_an_exception():
    one = stratified([*GONE, ("c", 40, 120, 84, 76)])
    rows = [
        dataclasses.replace(row, comparison=dataclasses.replace(row.comparison, difference=None))
        if row.name == "a"
        else row
        for row in one.strata.strata
    ]
    hidden = dataclasses.replace(one, strata=dataclasses.replace(one.strata, strata=tuple(rows)))
    reading = read_check(hidden)
    assert reading.verdict == "clear_gap" and reading.within == "on_average"
    assert [row.name for row in reading.exceptions] == ["c"]
    keys = [message.key for message in say_check(hidden).lead]
    assert keys[-2:] == ["check-lead-within-none", "check-lead-exception"]


def test_a_gap_that_may_be_chance_among_similar_cases_is_said_with_its_size_and_a_stratum_with_a_found_gap_named():
    one = stratified([("a", 40, 10, 300, 90), ("b", 20, 60, 6, 24), ("c", 10, 90, 50, 150)])
    reading, said = read_check(one), say_check(one)
    assert reading.within == "open"
    assert [(row.name, row.comparison.verdict) for row in reading.exceptions] == [("c", "gap_size_unclear")]
    within, exception = said.lead[-2:]
    assert (within.key, exception.key) == ("check-lead-within-open", "check-lead-exception")
    sizes = [dict(message.args)["size"] for message in (within, exception)]
    gaps = one.strata.common_difference, reading.exceptions[0].difference
    assert sizes == [Points(abs(gap)) for gap in gaps]


def test_hidden_strata_say_nothing():
    one = stratified(TURNED)
    hidden = dataclasses.replace(one.strata, common_difference=None, common_difference_interval=(None, None))
    said = say_check(dataclasses.replace(one, strata=hidden))
    assert said.verdict.key == "verdict-clear-gap" and "strata" not in {f for m in said.lead for f in m.reveals}


def test_a_hidden_answer_says_no_figure():
    one = finding(623, 1945, 6132, 13827)
    result = dataclasses.replace(one.result, difference=None)
    said = say_check(dataclasses.replace(one, result=result))
    assert said.verdict.key == "verdict-not-shown" and not said.lead and not said.caution


counts = st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.thorough
@given(counts, counts)
def test_any_answer_can_be_said_and_drawn(own, other):
    one = finding(*own, *other)
    said = say_check(one)
    assert say(said.verdict) and 2 <= len(say(said.headline).split()) <= 20
    for message in said.lead:
        assert len(re.findall(r"\d[\d,.]*", say(message))) <= 4, say(message)
        assert "{" not in say(message) and "  " not in say(message)
    check_chart(one).to_dict()
    check_chart(one, narrow=True).to_dict()
    assert "nan" not in check_chart_text(one) and "nan" not in say(said.lead)


@given(counts, counts)
def test_the_direction_that_is_said_is_that_of_the_figures(own, other):
    one = finding(*own, *other)
    said = say_check(one)
    directions = {value.name for message in said.lead for name, value in message.args if name == "direction"}
    if directions and math.isfinite(one.result.difference) and one.result.difference:
        assert directions == {"less" if one.result.difference < 0 else "more"}


def test_where_the_unfavourable_result_is_spoken_of_shares_and_direction_turn():
    one = finding(200, 1000, 500, 1000)
    turned = dataclasses.replace(one, names=dataclasses.replace(one.names, of_unfavorable=True))
    first = dict(say_check(turned).lead[0].args)
    assert (first["share"], first["rest"], first["direction"]) == (Share(0.8), Share(0.5), Word("more"))
    assert read_check(turned) == read_check(one)


def test_a_gap_beside_the_tolerance_has_the_digits_that_show_its_side():
    one = finding(5_230, 10_000, 5_752, 10_000)
    assert dict(say_check(one).lead[0].args)["gap"].digits == 1


def test_what_other_chips_say_stands_after_the_verdict():
    one = dataclasses.replace(finding(623, 1945, 6132, 13827), strata=None)
    beside = say(Message("errors-beside", {"by": Phrase("sex")}))
    assert answer_words(one, [Chip(beside, "gap")]) == f"Clear gap; {beside}"


def test_groups_are_called_by_their_names_and_everyone_else_has_one_of_its_own():
    one = finding(623, 1945, 6132, 13827)
    rest = say(Message("group-rest"))
    assert rest in say(say_check(one).headline) and rest in say(say_check(one).lead)
    named = dataclasses.replace(
        one, names=dataclasses.replace(one.names, protected=Group("women"), others=Group("men"))
    )
    assert say(say_check(named).headline).startswith("Women ") and "men" in say(say_check(named).headline)


def test_every_stratum_that_reads_too_few_to_tell_is_grey_and_no_other():
    one = stratified([*TURNED, ("c", 5, 5, 60, 40), ("d", 40, 40, 50, 60)])
    points = [row for data in check_chart(one).to_dict()["datasets"].values() for row in data if "group" in row]
    few = say(Message("reading-too-few-to-tell"))
    strata = [row for row in points if row["label"] != say(Message("check-chart-all"))]
    assert strata and {(row["reading"] == few, row["few"]) for row in strata} <= {(True, True), (False, False)}


def test_an_end_of_a_range_beside_no_gap_has_the_digits_that_show_its_side():
    quantity = quantity_of(finding(623, 1945, 6132, 13827))
    assert [quantity.end_beside(end, 0.05) for end in (0.002, 0.052, 0.146)] == [
        Points(0.002, 1), Points(0.052, 1), Points(0.146, 0),
    ]  # fmt: skip
    one = finding(623, 1945, 6132, 13827)
    ends = Interval(0.002, 0.146)
    near = dataclasses.replace(one, result=dataclasses.replace(one.result, difference_interval=ends))
    said = dict(likely_range(near).args)
    assert (said["low"], said["high"]) == (Points(0.002, 1), Points(0.146, 0))


def test_where_the_range_leaves_out_no_gap_and_the_test_does_not_no_range_is_said_to_fit():
    one = finding(3, 3, 8, 24)
    assert one.result.verdict == "too_few_to_tell" and one.result.difference_interval[0] > 0
    [message] = [message for message in say_check(one).lead if message.key.startswith("check-sure")]
    assert message.key == "check-sure-too-few-one-side" and not message.args


def test_an_amount_is_about_the_gap_where_its_means_do_not_subtract_to_it():
    [one] = run(plan(), table=pay()).checks
    for means, word in (((3_776.44, 4_019.56), "no"), ((3_776.4, 4_019.4), "yes")):
        sides = [
            dataclasses.replace(side, mean=mean)
            for side, mean in zip((one.result.protected, one.result.reference), means, strict=True)
        ]
        values = {"protected": sides[0], "reference": sides[1], "difference": means[0] - means[1]}
        found = dataclasses.replace(one, result=dataclasses.replace(one.result, **values), strata=None)
        figures = say_check(found).lead[0]
        assert dict(figures.args)["states_gap"].name == word and ("about" in say(figures)) == (word == "no")


@pytest.mark.parametrize(("tolerance", "allowed"), [(0.05, "proposed"), (0.03, "set")])
def test_a_limit_is_called_the_persons_own_only_where_it_was_set(tolerance, allowed):
    asked = CheckPlan(protected="race <> 'White'", tolerance=tolerance)
    said = say_check(finding(100, 1_000, 6_000, 10_000, plan=asked, tolerance=tolerance))
    [sure] = [message for message in said.lead if message.key.startswith("check-sure")]
    assert dict(sure.args)["allowed"] == Word(allowed) and ("your" in say(sure)) is (allowed == "set")
