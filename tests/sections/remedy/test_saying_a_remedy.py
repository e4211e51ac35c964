"""What a remedy says, as readings and keys: verdict, headline, lead and caution follow from one reading."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd
import pytest
import remedies_by_hand as by_hand
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.findings import Group, Message, Phrase, Points, Share, Word
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.remedies.plain.plan import PlainPlan, plain_words
from fairaudit.remedies.plain.section import PlainSection
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.sections.remedy import read_remedy, remedy_text, say_remedy
from fairaudit.sections.remedy.charts import remedy_chart, remedy_chart_text, remedy_chart_title
from fairaudit.sections.remedy.reading import harm_within, turns_within
from fairaudit.study.judging.results import WORSE, BesideDecisions, WithinStrata, WorseOff

FACTS = by_hand.facts()


def made(before=by_hand.BEFORE, after=by_hand.AFTER, **options):
    return by_hand.remedy("equalize", before=before, after=after, **options)


def with_gap(finding, before: float, after: float, half: float, *, measures=("gap",)):
    """Return a finding whose gaps changed so, with an interval of the change of so many on each side."""
    moved = [
        replace(
            change, before=before, after=after, difference=after - before,
            interval=Interval(after - before - half, after - before + half),
        ) if change.measure in measures else change
        for change in finding.changes
    ]  # fmt: skip
    return replace(finding, changes=tuple(moved))


@pytest.mark.parametrize(
    ("gaps", "verdict", "headline"),
    [
        ((-0.10, -0.04, 0.02), "gap_smaller", "remedy-headline-smaller"),
        ((-0.04, -0.10, 0.02), "gap_larger", "remedy-headline-larger"),
        ((-0.10, -0.09, 0.02), "gap_may_not_have_changed", "remedy-headline-open"),
    ],
)
def test_the_paired_change_decides_the_verdict(gaps, verdict, headline):
    one = with_gap(made(), *gaps)
    said = say_remedy(one, FACTS)
    assert read_remedy(one, FACTS).verdict == verdict
    assert said.verdict.key == f"verdict-{verdict.replace('_', '-')}" and said.headline.key == headline


TURNED = [
    (-0.08, 0.06, 0.01, "gap_smaller"),
    (-0.08, 0.06, 0.03, "gap_may_not_have_changed"),
    (0.04, -0.06, 0.03, "gap_may_not_have_changed"),
    (0.24, -0.005, 0.08, "gap_smaller"),
    (0.24, -0.005, 0.25, "gap_may_not_have_changed"),
    (-0.20, 0.06, 0.03, "gap_smaller"),
    (-0.01, 0.20, 0.03, "gap_larger"),
    (-0.01, 0.20, 0.195, "gap_may_not_have_changed"),
]
"""A gap, what is left of it on the other side, how far the interval of its change reaches, and what became of it."""


@pytest.mark.parametrize(("was", "now", "half", "verdict"), TURNED)
def test_a_gap_that_points_the_other_way_is_smaller_or_larger_only_beyond_chance(was, now, half, verdict):
    n = 5_000
    fair = [by_hand.fairness(round((0.4 + gap) * n), n, round(0.4 * n), n) for gap in (was, now)]
    one = with_gap(made(), *(each.difference for each in fair), half)
    before, after = (replace(side, fairness=own) for side, own in zip((one.before, one.after), fair, strict=True))
    one = replace(one, before=before, after=after)
    facts = replace(FACTS, decisions=by_hand.fairness(round(0.1 * n), n, round(0.6 * n), n))
    said = say_remedy(one, facts)
    assert read_remedy(one, facts).verdict == verdict and len(say(said.headline).split()) <= 14


@pytest.mark.parametrize(("n", "is_turned"), [(5_000, True), (300, False)])
def test_a_gap_turns_around_where_both_are_beyond_chance(n, is_turned):
    fair = [by_hand.fairness(round((0.4 + gap) * n), n, round(0.4 * n), n) for gap in (-0.08, 0.06)]
    one = with_gap(made(), *(each.difference for each in fair), 0.01)
    before, after = (replace(side, fairness=own) for side, own in zip((one.before, one.after), fair, strict=True))
    facts = replace(FACTS, decisions=by_hand.fairness(round(0.2 * n), n, round(0.6 * n), n))
    headline = say_remedy(replace(one, before=before, after=after), facts).headline
    assert (headline.key == "remedy-headline-turned") is is_turned


@pytest.mark.parametrize(("was", "now", "half", "verdict"), TURNED)
@pytest.mark.parametrize(("metric", "measure"), [("fpr", "fpr_gap"), ("fnr", "tpr_gap")])
def test_a_gap_in_errors_that_points_the_other_way_is_read_by_its_size_too(metric, measure, was, now, half, verdict):
    one = with_gap(limited("within", metric=metric), was, now, half, measures=(measure,))
    assert read_remedy(one, FACTS).gap == verdict


@pytest.mark.parametrize(
    ("tpr", "fpr", "moved"),
    [
        ((0.24, -0.005, 0.08), (0.24, -0.005, 0.08), "smaller"),
        ((0.24, -0.005, 0.25), (0.24, -0.005, 0.08), "open"),
        ((0.24, 0.02, 0.03), (0.06, 0.01, 0.03), "smaller"),
        # One that was the narrower may now be as wide as the widest was.
        ((0.08, 0.01, 0.02), (0.05, 0.07, 0.03), "open"),
        ((0.02, -0.20, 0.08), (0.01, 0.01, 0.01), "larger"),
        ((0.02, 0.05, 0.04), (0.01, 0.01, 0.01), "open"),
    ],
)
def test_the_wider_gap_in_errors_is_smaller_or_larger_by_its_size(tpr, fpr, moved):
    one = with_gap(with_gap(made(), *tpr, measures=("tpr_gap",)), *fpr, measures=("fpr_gap",))
    [aim] = [message for message in say_remedy(one, FACTS).lead if message.key == "remedy-lead-aim"]
    assert dict(aim.args)["moved"] == Word(moved)


@pytest.mark.parametrize(
    ("gap", "is_said"), [(float("nan"), True), (None, False), (-0.02, False)], ids=["few", "hidden", "known"]
)
def test_that_too_few_cases_tell_the_gap_in_errors_is_said_where_it_is_aimed_at(gap, is_said):
    one = made()
    changes = (replace(c, before=gap, after=gap, difference=gap) if c.measure == "tpr_gap" else c for c in one.changes)
    keys = [message.key for message in say_remedy(replace(one, changes=tuple(changes)), FACTS).lead]
    assert ("remedy-lead-aim-few" in keys) is is_said
    # A pair of groups is compared where both have enough cases; without one there is no such change.
    left = replace(one, changes=tuple(change for change in one.changes if change.measure != "tpr_gap"))
    assert "remedy-lead-aim-few" in [message.key for message in say_remedy(left, FACTS).lead]
    everybody = replace(left, after=replace(left.after, fairness=by_hand.fairness(525, 525, 9_244, 9_244)))
    assert "remedy-lead-aim-few" not in [message.key for message in say_remedy(everybody, FACTS).lead]


@pytest.mark.parametrize(
    ("past", "after", "verdict"),
    [
        (-0.15, -0.16, "gap_may_not_have_changed"),
        (-0.153, -0.149, "gap_may_not_have_changed"),
        (-0.05, -0.16, "gap_larger"),
        (-0.18, -0.16, "gap_smaller"),
    ],
)
def test_a_gap_is_smaller_only_where_it_is_so_against_past_decisions_too(past, after, verdict):
    n = 2_000
    own = by_hand.fairness(round((0.4 + after) * n), n, round(0.4 * n), n)
    facts = replace(FACTS, decisions=by_hand.fairness(round((0.4 + past) * n), n, round(0.4 * n), n))
    one = with_gap(made(), -0.21, own.difference, 0.02)
    one = replace(one, after=replace(one.after, fairness=own))
    said = say_remedy(one, facts)
    assert read_remedy(one, facts).verdict == verdict and said.verdict.key == f"verdict-{verdict.replace('_', '-')}"
    assert (said.headline.key == "remedy-headline-gains-nothing") is (verdict != "gap_smaller")
    # A gap that is as large as in what happened is held against no model, a larger one is.
    happened = replace(facts, decision_is_outcome=True)
    beside = "gap_smaller" if round(100 * after) >= round(100 * past) else verdict
    said = say_remedy(one, happened)
    assert read_remedy(one, happened).verdict == beside
    assert (said.headline.key == "remedy-headline-gains-nothing") is (beside != "gap_smaller")


@pytest.mark.parametrize(("own", "turned"), [(0.52, "yes"), (0.42, "yes"), (0.401, "no"), (0.28, "no")])
def test_a_gap_on_the_other_side_than_in_past_decisions_is_said_and_drawn_so(own, turned):
    n = 2_000
    facts = replace(FACTS, decisions=by_hand.fairness(round(0.25 * n), n, round(0.40 * n), n))
    fair = by_hand.fairness(round(own * n), n, round(0.40 * n), n)
    one = with_gap(made(), fair.difference, fair.difference, 0.01)
    one = replace(one, after=replace(one.after, fairness=fair), before=replace(one.before, fairness=fair))
    said = say_remedy(one, facts)
    [figures] = [dict(message.args) for message in said.lead if message.key == "remedy-lead-figures"]
    # A gap that is 0 as it is written is on no side.
    assert read_remedy(one, facts).is_other_way is (turned == "yes") and figures["turned"] == Word(turned)


@pytest.mark.parametrize(("own", "other", "about"), [(5540, 6160, True), (5500, 6200, False), (5460, 6240, True)])
def test_a_gap_beside_two_shares_that_do_not_subtract_to_it_is_about_that(own, other, about):
    """55% and 62% are 7 points apart as they are written, and 6.2 in truth."""
    n = 10_000
    fair = by_hand.fairness(own, n, other, n)
    one = replace(made(), after=replace(made().after, fairness=fair), before=replace(made().before, fairness=fair))
    layers = remedy_chart(one, replace(FACTS, decisions=fair)).to_dict()["datasets"].values()
    readings = {row["text"] for layer in layers for row in layer if "gap" in str(row.get("text"))}
    size = {"measure": Word("share"), "quantity": Word("share"), "size": Quantity("share", 0).size(fair.difference)}
    args = {**size, "turned": Word("no"), "exact": Word("no" if about else "yes")}
    assert readings == {say(Message("remedy-chart-gap", args))}


def test_the_price_counts_all_people_and_says_whether_fewer_have_the_result():
    """Of 600, 39 and 47 %, where it was 43 and 55 %: neither group surely, both together surely."""
    counts, past = (117, 300, 141, 300), (129, 300, 165, 300)
    own, decided = by_hand.fairness(*counts), by_hand.fairness(*past)
    around = {"protected": (-0.09, 0.01), "rest": (-0.16, 0.0), "compared": (-0.10, -0.02), "gap": (-0.1, 0.02)}
    beside = BesideDecisions(**{name: Interval(*ends) for name, ends in around.items()})
    one = with_gap(by_hand.remedy("thresholds"), -0.16, own.difference, 0.02)
    one = replace(one, after=replace(one.after, fairness=own), beside_decisions=beside)
    facts = replace(FACTS, decisions=decided)
    said = say_remedy(one, facts)
    [price] = [dict(message.args) for message in said.lead if message.key == "remedy-lead-in-all"]
    assert (price["own"], price["rest"], price["moved"]) == (Share(0.43), Share(0.49), Word("down"))
    assert said.caution[0].key == "remedy-caution-gives-less"
    # One group has more.
    mixed = by_hand.fairness(135, 300, 123, 300)
    assert not read_remedy(replace(one, after=replace(one.after, fairness=mixed)), facts).gives_less


WIDER = "remedy-caution-wider"
NO_SMALLER = "remedy-headline-gains-nothing"


def grown(**options):
    """Return a remedy that narrows the gap of the model without it, to more than past decisions have, and these."""
    n = 2_000
    own = by_hand.fairness(round(0.24 * n), n, round(0.4 * n), n)
    one = with_gap(made(), -0.21, own.difference, 0.02)
    facts = replace(FACTS, decisions=by_hand.fairness(round(0.2 * n), n, round(0.25 * n), n))
    return replace(one, after=replace(one.after, fairness=own), **options), facts


def keys_said(said) -> list[str]:
    """Return the keys of what is said, with that of a headline within a sentence."""
    return [
        within.key if isinstance(within := dict(each.args).get("gap"), Message) else each.key
        for each in (said.headline, *said.lead, *said.caution)
    ]


def test_that_past_decisions_have_a_smaller_gap_is_said_once():
    one, facts = grown()
    keys = keys_said(say_remedy(one, facts))
    assert NO_SMALLER in keys and WIDER not in keys


def test_where_the_headline_is_another_the_caution_says_that_past_decisions_have_a_smaller_gap():
    own = by_hand.fairness(30, 100, 40, 10_000)
    nearly = with_gap(made(), 0.50, own.difference, 0.02)
    nearly = replace(nearly, after=replace(nearly.after, fairness=own))
    facts = replace(FACTS, decisions=by_hand.fairness(30, 100, 2_500, 10_000))
    reading = read_remedy(nearly, facts)
    assert reading.gains_nothing and reading.verdict == "nearly_one_answer"
    keys = keys_said(say_remedy(nearly, facts))
    assert WIDER in keys and NO_SMALLER not in keys


def test_beside_a_simple_rule_a_sentence_or_the_caution_says_that_past_decisions_have_a_smaller_gap():
    better = by_hand.yardstick("shifted", gained=(-0.05, -0.07, -0.03), is_best=True, learner="logistic_regression")
    better = replace(better, fairness=replace(better.fairness, difference=-0.04), holds_in_test=True)
    one, facts = grown(yardsticks=(better,))
    said = say_remedy(one, facts)
    assert said.headline.key == "remedy-headline-simple-rule"
    assert (NO_SMALLER in keys_said(said)) is (WIDER not in keys_said(said))


@pytest.mark.parametrize("turned", [True, False])
def test_that_both_groups_get_less_is_the_first_caution(turned):
    n = 1_000
    facts = replace(FACTS, decisions=by_hand.fairness(250, n, 400, n), names=replace(
        FACTS.names, of_unfavorable=turned)
    )  # fmt: skip
    one = made()
    fewer = replace(one, after=replace(one.after, fairness=by_hand.fairness(160, n, 320, n)))
    first, *_ = say_remedy(fewer, facts).caution
    assert first.key == "remedy-caution-gives-less" and dict(first.args)["side"] == Word("more" if turned else "less")
    mixed = replace(one, after=replace(one.after, fairness=by_hand.fairness(160, n, 410, n)))
    assert "remedy-caution-gives-less" not in {message.key for message in say_remedy(mixed, facts).caution}


def test_a_remedy_that_changes_no_answer_leaves_the_gap_unchanged():
    one = replace(made(), predictions_differ=False)
    assert read_remedy(one, FACTS).verdict == "gap_unchanged"


def test_a_gap_that_falls_is_said_with_figures_that_differ():
    one = with_gap(made(), -0.0231, -0.0194, 0.001)
    args = dict(say_remedy(one, FACTS).headline.args)
    assert (args["before"].digits, args["after"].digits) == (1, 1)


def beside_simple(*, gap, holds_in_test=True, kind="shifted"):
    """Return a remedy with a gap of 10 points, beside a simple rule that surely matches more often."""
    better = by_hand.yardstick(kind, gained=(-0.05, -0.07, -0.03), is_best=True, learner="logistic_regression")
    better = replace(better, fairness=replace(better.fairness, difference=gap), holds_in_test=holds_in_test)
    return replace(with_gap(made(), -0.20, -0.10, 0.02), yardsticks=(better,))


def test_a_simple_rule_that_does_better_is_named_with_its_gap_beside_that_of_the_remedy():
    said = say_remedy(beside_simple(gap=-0.04), FACTS)
    assert (said.verdict.key, said.headline.key) == ("verdict-worse-than-simple-rule", "remedy-headline-simple-rule")
    rule = dict(said.headline.args)["rule"]
    assert dict(rule.args) == {"simple": Word("shifted"), "learner": Word("logistic-regression")}
    args = dict(said.lead[1].args)
    assert (args["size"], args["after"]) == (Points(0.04, 0), Points(0.10, 0))


@pytest.mark.parametrize("kind", ["constant", "plain", "shifted", "by_group", "shifted_closer", "by_group_closer"])
def test_every_simple_rule_has_a_name(kind):
    assert say(say_remedy(beside_simple(gap=0.0, kind=kind), FACTS).headline)


@pytest.mark.parametrize("gap", [-0.174, 0.11, None])
def test_a_simple_rule_with_a_larger_gap_or_a_hidden_one_does_not_do_better(gap):
    reading = read_remedy(beside_simple(gap=gap), FACTS)
    assert (reading.verdict, reading.simple) == ("gap_smaller", None)


@pytest.mark.parametrize("holds_in_test", [False, None])
def test_a_simple_rule_beyond_the_limit_on_the_test_cases_does_not_do_better(holds_in_test):
    assert read_remedy(beside_simple(gap=-0.06, holds_in_test=holds_in_test), FACTS).simple is None


def test_a_simple_rule_that_may_be_as_good_says_nothing_of_a_gap_that_closes():
    near = by_hand.yardstick("plain", gained=(0.0, -0.01, 0.01), is_best=True)
    one = replace(with_gap(made(), -0.10, -0.01, 0.02), yardsticks=(near,))
    assert read_remedy(one, FACTS).verdict == "gap_smaller"


def test_one_answer_for_all_is_the_verdict_whatever_the_gap():
    everybody = ((80, 445, 0, 0), (2600, 6644, 0, 0))
    one = made(after=everybody)
    assert read_remedy(one, FACTS).verdict == "one_answer"
    nearly = ((80, 440, 5, 0), (2600, 6634, 10, 0))
    assert read_remedy(made(after=nearly), FACTS).verdict == "nearly_one_answer"


def limited(reading: str, n: int = 1, metric: str = "demographic_parity", groups: tuple[str, str] | None = None):
    one = with_gap(by_hand.remedy("constrain"), -0.10, -0.04, 0.02)
    judged = next(change for change in one.changes if change.measure == "fpr_gap")
    first, second = groups or (judged.first, judged.second)
    row = {"metric": metric, "first": first, "second": second, "max_difference": 0.05, "reading": reading}
    rows = [row for _ in range(n)]
    return replace(one, details=replace(one.details, pairs=pd.DataFrame(rows)))


@pytest.mark.parametrize(
    ("reading", "verdict"),
    [
        ("within", "limit_met"), ("within, not clear", "limit_met_in_test"), ("outside", "limit_not_met"),
        ("outside, not clear", "limit_not_met"),
    ],
)  # fmt: skip
def test_a_limit_that_was_set_is_the_verdict_and_the_gap_the_headline(reading, verdict):
    one = limited(reading)
    said = say_remedy(one, FACTS)
    assert read_remedy(one, FACTS).verdict == verdict and said.headline.key == "remedy-headline-smaller"
    side = "none" if verdict == "limit_not_met" else "within"
    assert dict(said.lead[0].args)["limit"] == Word(side)


def test_a_limit_on_something_else_than_the_gap_is_said_by_itself():
    one = limited("within", n=3)
    assert read_remedy(one, FACTS).limit_size is None
    assert say_remedy(one, FACTS).lead[0].key == "remedy-lead-limits-met"


def within(decisions: float, before: float, after: float, *, half: float = 0.01, change: float = 0.03) -> WithinStrata:
    ends = {
        f"{name}_interval": Interval(value - half, value + half)
        for name, value in (("decisions", decisions), ("before", before), ("after", after))
    }
    moved = after - decisions
    return WithinStrata(
        columns=("area",), cut=(), decisions=decisions, before=before, after=after, change=moved,
        change_interval=Interval(moved - change, moved + change), tolerance=0.05, strata=pd.DataFrame(), **ends,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("gaps", "harm"),
    [
        ((-0.08, 0.048, 0.052), None),
        ((-0.08, 0.048, 0.059), None),
        ((-0.08, -0.05, 0.060), "turned"),
        ((-0.08, 0.002, 0.060), "turned"),
        ((0.0, -0.01, -0.09), "opens"),
        ((0.0, -0.08, -0.09), None),
        ((-0.08, -0.08, -0.15), None),
        ((-0.08, -0.02, -0.15), "wider"),
        ((-0.08, -0.06, -0.01), None),
    ],
)
def test_harm_among_similar_cases_is_said_only_where_the_model_without_the_remedy_does_not_do_it(gaps, harm):
    assert harm_within(within(*gaps), FACTS) == harm


@pytest.mark.parametrize(
    ("gaps", "turns"),
    [
        ((-0.08, 0.048, 0.06), True),
        ((0.08, -0.05, -0.06), True),
        ((-0.08, 0.05, 0.03), False),
        ((-0.08, 0, -0.2), False),
    ],
)
def test_a_gap_that_turns_among_similar_cases_is_read_whatever_the_model_without_the_remedy_does(gaps, turns):
    assert turns_within(within(*gaps), FACTS) == turns


def test_harm_is_a_caution_with_its_direction():
    facts = replace(FACTS, names=replace(FACTS.names, similar=Phrase("at similar ages")))
    one = replace(with_gap(made(), -0.10, -0.04, 0.02), within=within(-0.08, -0.05, 0.06))
    [first, *_] = say_remedy(one, facts).caution
    assert first.key == "remedy-harm-turned" and dict(first.args)["direction"] == Word("more")
    assert say(first).startswith("At similar ages, ") and "on the test cases" in say(first)


@pytest.mark.parametrize("rate", ["good_outcomes", "tpr"])
@pytest.mark.parametrize("columns", [("race",), ("race", "sex")])
def test_a_group_by_columns_that_is_worse_off_is_people_with_their_values(columns, rate):
    worse = by_hand.group_change("Black", WORSE, 0.40, 0.30, rate=rate)
    one = replace(with_gap(made(), -0.10, -0.04, 0.02), worse_off=WorseOff(False, None, (worse,)))
    [first, *_] = say_remedy(one, replace(FACTS, group_columns=columns)).caution
    group = dict(first.args)["group"]
    assert isinstance(group, Message) and dict(group.args)["values"] == Phrase("Black")
    assert say(group) in say(first) or say(first).startswith("People whose ")


@pytest.mark.parametrize(
    ("groups", "worse", "named"),
    [(("woman", "man"), "man", True), (("woman", "man"), "woman", True), (("woman", "man", "other"), "man", False)],
)
def test_a_group_by_the_column_that_the_question_asks_about_is_called_as_in_the_question(groups, worse, named):
    change = by_hand.group_change(worse, WORSE, 0.40, 0.30, rate="tpr")
    one = replace(with_gap(made(), -0.10, -0.04, 0.02), worse_off=WorseOff(False, None, (change,)))
    names = replace(FACTS.names, protected=Group("women"), others=Group("men"))
    asked = FACTS.plan.model_copy(update={"protected": "sex = 'woman'"})
    facts = replace(FACTS, plan=asked, names=names, groups=groups, group_columns=("sex",))
    [first, *_] = say_remedy(one, facts).caution
    called = Group({"woman": "women", "man": "men"}[worse])
    assert (dict(first.args)["group"] == called) is named


def test_one_that_decides_by_group_says_what_the_law_may_say():
    one = by_hand.remedy("thresholds")
    assert "remedy-caution-by-group" in {message.key for message in say_remedy(one, FACTS).caution}


def test_who_judges_wrongly_is_spoken_of_where_that_is_the_limit():
    one = limited("within", metric="fpr")
    compared = read_remedy(one, FACTS).compared
    # Positive is the favourable result here: falsely so is missed.
    assert compared is not None and compared.measure == "missed" and compared.decided is None
    turned = limited("within", metric="fnr")
    assert read_remedy(turned, FACTS).compared.measure == "flagged"
    assert "remedy-lead-wrongly" in {message.key for message in say_remedy(turned, FACTS).lead}


@pytest.mark.parametrize("metric", ["demographic_parity", "fpr"])
def test_a_limit_between_other_groups_is_not_held_against_the_gap_of_those_asked_about(metric):
    one = limited("outside", metric=metric, groups=("age < 30", "age >= 30"))
    reading = read_remedy(one, FACTS)
    assert reading.verdict == "limit_not_met" and reading.limit_size is None
    assert reading.compared.measure == "share"


def test_a_hidden_answer_says_no_figure_and_draws_none():
    one = made()
    hidden = replace(
        one,
        after=replace(one.after, fairness=replace(
            one.after.fairness,
            protected=replace(one.after.fairness.protected, ratio=None, n=None, positives=None),
            difference=None,
        )),
        changes=tuple(replace(change, interval=Interval(None, None)) for change in one.changes),
    )  # fmt: skip
    said = say_remedy(hidden, FACTS)
    assert said.verdict.key == "verdict-not-shown" and not said.lead
    assert remedy_chart(hidden, FACTS) is None and remedy_chart_text(hidden, FACTS) == ""


@pytest.mark.parametrize(
    ("was", "now", "verdict"), [(-0.3, -0.02, "gap_smaller"), (-0.1, -0.08, "gap_may_not_have_changed")]
)
def test_where_the_paired_change_alone_is_hidden_the_gap_and_the_price_that_are_shown_are_said(was, now, verdict):
    fair = [by_hand.fairness(round((0.4 + gap) * 2_000), 2_000, 800, 2_000) for gap in (was, now)]
    one = with_gap(made(), *(each.difference for each in fair), 0.001)
    before, after = (replace(side, fairness=own) for side, own in zip((one.before, one.after), fair, strict=True))
    hidden = tuple(replace(change, interval=Interval(None, None)) for change in one.changes)
    one = replace(one, before=before, after=after, changes=hidden)
    facts = replace(FACTS, decisions=by_hand.fairness(100, 2_000, 1_000, 2_000))
    said = say_remedy(one, facts)
    assert read_remedy(one, facts).verdict == verdict
    assert {"remedy-lead-figures", "remedy-lead-in-all"} <= {message.key for message in said.lead}


def test_a_model_without_a_remedy_is_called_that():
    assert read_remedy(by_hand.remedy("plain"), FACTS).verdict == "nothing_to_compare"


def test_where_the_unfavourable_result_is_spoken_of_shares_turn():
    facts = replace(FACTS, names=replace(FACTS.names, of_unfavorable=True))
    one = made()
    figures = dict(say_remedy(one, facts).lead[0].args)
    assert figures["own"].value == pytest.approx(1 - one.after.fairness.protected.ratio)
    assert isinstance(figures["own"], Share)


cells = st.tuples(*(st.integers(1, 300),) * 4)


@pytest.mark.thorough
@settings(max_examples=25)
@given(cells, cells, cells, cells, st.booleans())
def test_any_answer_can_be_said_and_drawn(own, others, own_after, others_after, is_outcome):
    one = made(before=(own, others), after=(own_after, others_after))
    facts = replace(FACTS, decision_is_outcome=is_outcome)
    said = say_remedy(one, facts)
    assert 2 <= len(say(said.headline).split()) <= 14
    for message in (*said.lead, *said.caution):
        text = say(message)
        assert "{" not in text and "  " not in text and "nan" not in text
        assert len(re.findall(r"\d[\d,.]*", text)) <= 4, text
    assert remedy_text(one, facts).startswith(one.name)
    for narrow in (False, True):
        remedy_chart(one, facts, narrow=narrow).to_dict()
    assert remedy_chart_title(one, facts) in remedy_chart_text(one, facts)


@pytest.mark.parametrize(
    ("share", "past", "verdict"),
    [
        (0.94, 0.66, "nearly_one_answer"),
        (0.06, 0.40, "nearly_one_answer"),
        # So few others were there before, or there are more than nearly none.
        (0.94, 0.90, None),
        (0.88, 0.50, None),
        (0.94, 0.04, "nearly_one_answer"),
    ],
)
def test_few_other_answers_than_so_far_are_nearly_one_answer(share, past, verdict):
    def fair(given):
        return by_hand.fairness(round(1_000 * given), 1_000, round(9_000 * given), 9_000)

    one = with_gap(made(), -0.10, 0.0, 0.02)
    one = replace(one, after=replace(one.after, fairness=fair(share)))
    reading = read_remedy(one, replace(FACTS, decisions=fair(past)))
    assert (reading.verdict == "nearly_one_answer") is (verdict is not None)


@pytest.mark.parametrize(
    ("method", "options", "key"),
    [
        ("rules", {}, "remedy-row-no-limit"),
        ("rules", {"plan": RulesPlan(fairness=None)}, "remedy-row-without"),
        ("relabel", {}, "remedy-row-without"),
    ],
)
def test_what_is_without_the_remedy_is_named(method, options, key):
    one = with_gap(by_hand.remedy(method, **options), -0.10, -0.04, 0.02)
    is_limit = key == "remedy-row-no-limit"
    without, name = say(Message(key, {"kind": Word("rules")} if is_limit else {})), say(Message("remedy-name-none"))
    assert without in remedy_chart_text(one, FACTS)
    assert without.startswith(name), "one name, also where its kind is said"


def test_models_without_a_remedy_have_one_name_and_their_kind():
    model = say(Message("remedy-name-none-of", {"model": Phrase("logistic regression")}))
    assert plain_words("logistic_regression") == model
    assert PlainSection().name(PlainPlan()) == say(Message("remedy-name-own", {"name": Phrase(model)}))
