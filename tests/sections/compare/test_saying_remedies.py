"""What a comparison of remedies says, as readings and keys: who meets the limit, for certain or in the test alone."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
import remedies_by_hand as by_hand

from fairaudit.defaults import ENOUGH
from fairaudit.findings import Count, Message, Phrase, Share, Word
from fairaudit.measure.controlled import REST
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.messages.verbs import would_verb
from fairaudit.report.pdf import printable
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.charts import compare_chart, compare_chart_text
from fairaudit.sections.compare.models import labels, summary_table
from fairaudit.sections.compare.reading import MET
from fairaudit.sections.compare.saying import shared_args
from fairaudit.sections.remedy import read_remedy
from fairaudit.sections.remedy.reading import unit_of
from fairaudit.study.judging.results import Measured, WithinStrata

METHODS = ("relabel", "thresholds", "equalize")
SIZES = (52_500, 924_400)
"""So many test cases that a small gap is certain."""


def apart(gap: float, sizes=(525, 9_244), share=0.4):
    """Predictions whose gap is that, of so many people in both groups."""
    n, others = sizes
    return by_hand.fairness(round((share + gap) * n), n, round(share * others), others)


def found(*gaps, sizes=(525, 9_244), **options):
    """Remedies with these gaps, in the order of METHODS."""
    finding = by_hand.remedies(METHODS[: len(gaps)], **options)
    remedies = (
        replace(each, after=replace(each.after, fairness=apart(gap, sizes)), yardsticks=())
        for each, gap in zip(finding.remedies, gaps, strict=True)
    )
    return replace(finding, remedies=tuple(remedies))


@pytest.mark.parametrize(
    ("gaps", "sizes", "verdict", "limits"),
    [
        ((-0.02, -0.01, 0.01), SIZES, "limit_met", {"limit_met"}),
        ((-0.04, -0.2, -0.1), (525, 9_244), "limit_met_in_test", {"limit_met_in_test", "limit_not_met"}),
        ((-0.2, 0.3, -0.1), (525, 9_244), "limit_not_met", {"limit_not_met"}),
        ((-0.2, -0.01, -0.1), SIZES, "limit_met", {"limit_met", "limit_not_met"}),
    ],
)
def test_the_verdict_is_the_best_that_any_remedy_does(gaps, sizes, verdict, limits):
    finding = found(*gaps, sizes=sizes)
    reading, said = read_comparison(finding), say_comparison(finding)
    assert reading.verdict == verdict and {row.limit for row in reading.remedies} == limits
    assert said.verdict.key == f"verdict-{verdict.replace('_', '-')}"
    args = dict(said.headline.args)
    n_met = sum(abs(gap) <= reading.limit for gap in gaps)
    assert (args["n"], args["k"]) == (Count(3), Count(n_met))


SAME = by_hand.fairness(525, 525, 9244, 9244)
"""Everybody has the favourable result."""


def judged(finding, place, fair, **options):
    """Return findings whose remedy in that place has this answer."""
    found = list(finding.remedies)
    found[place] = replace(found[place], after=replace(found[place].after, fairness=fair), **options)
    return replace(finding, remedies=tuple(found))


def test_remedies_that_nobody_should_take_leave_no_gap_above_the_limit():
    alone = judged(found(-0.1), 0, SAME)
    assert read_comparison(alone).verdict == "one_answer"
    assert say_comparison(alone).headline.key == "compare-headline-one-answer"
    assert not say_comparison(alone).lead and not say_comparison(alone).caution
    both = judged(judged(found(-0.1, -0.2), 0, SAME), 1, SAME)
    assert read_comparison(both).verdict == "one_answer"
    better = by_hand.yardstick("constant", gained=(-0.05, -0.07, -0.03), is_best=True, fairness=SAME)
    mixed = judged(judged(found(-0.1, -0.2), 0, SAME), 1, apart(-0.01), yardsticks=(better,))
    assert read_comparison(mixed).verdict == "limit_not_met"
    assert say_comparison(mixed).headline.key == "compare-headline-none-usable"
    assert len(say(say_comparison(mixed).headline).split()) <= 14


def test_beside_one_answer_for_all_the_others_are_counted():
    args = dict(say_comparison(judged(found(-0.2, -0.1), 0, SAME)).headline.args)
    assert (args["n"], args["part"]) == (Count(1), Word("usable"))


def test_how_many_meet_the_limit_for_certain_is_said_where_some_do_not():
    finding = judged(found(-0.04, -0.045, -0.2), 0, apart(-0.01, SIZES))
    said = say_comparison(finding)
    args = dict(said.headline.args)
    assert said.verdict.key == "verdict-limit-met" and said.headline.key == "compare-headline-met-some"
    assert (args["k"], args["sure"]) == (Count(2), Count(1))
    assert len(say(said.headline).split()) <= 14


def test_remedies_that_are_hidden_are_counted():
    finding = found(-0.2, -0.1, -0.01)
    hidden = replace(finding.remedies[2].after.fairness, difference=None)
    said = say_comparison(judged(finding, 2, hidden))
    assert dict(said.headline.args)["part"] == Word("shown")
    assert "compare-caution-hidden" in [message.key for message in said.caution]


def test_a_model_without_a_remedy_is_not_taken_for_a_hidden_one():
    said = say_comparison(by_hand.remedies(("plain",)))
    assert (said.verdict.key, said.headline.key) == ("verdict-nothing-to-compare", "compare-headline-no-remedy")


@pytest.mark.parametrize(
    ("reading", "limit"),
    [("within", "limit_met"), ("within, not clear", "limit_met_in_test"), ("outside", "limit_not_met")],
)
@pytest.mark.parametrize("allowed", [0.05, 0.10])
def test_a_limit_that_a_remedy_states_is_read_as_on_its_page(reading, limit, allowed):
    finding = by_hand.remedies(("constrain",))
    [one] = finding.remedies
    pairs = {
        "metric": "demographic_parity",
        "first": "race",
        "second": REST,
        "max_difference": allowed,
        "reading": reading,
    }
    one = replace(one, details=replace(one.details, pairs=pd.DataFrame([pairs])), yardsticks=())
    finding = replace(finding, remedies=(one,))
    [row] = read_comparison(finding).remedies
    assert row.limit == read_remedy(one, finding.facts).verdict == limit == read_comparison(finding).verdict
    assert row.has_own_limit is (allowed != finding.facts.decisions.tolerance)
    limits = dict(say_comparison(finding).headline.args)["limits"]
    assert limits == Word("own" if row.has_own_limit else "gap")
    assert ("own limit" in compare_chart_text(finding)) is row.has_own_limit


def test_the_remedy_that_is_named_is_one_that_meets_its_limit():
    near, far = (
        replace(each, name=name, after=replace(each.after, fairness=apart(gap)))
        for each, name, gap in zip(
            by_hand.remedies(("constrain", "constrain")).remedies, "ab", (-0.01, -0.04), strict=True
        )
    )
    pairs = {"metric": "demographic_parity", "first": "race", "second": REST, "max_difference": 0.05}
    limited = [
        replace(one, details=replace(one.details, pairs=pd.DataFrame([pairs | {"reading": reading}])), yardsticks=())
        for one, reading in ((near, "outside"), (far, "within"))
    ]
    finding = by_hand.remedies(("constrain",))
    reading = read_comparison(replace(finding, remedies=tuple(limited)))
    assert [row.made for row in reading.remedies] == ["a", "b"]
    assert [row.made for row in reading.met] == ["b"] and reading.best in reading.met


def test_past_decisions_beside_the_limit_have_the_digits_that_show_its_side():
    finding = found(-0.048)
    finding = replace(finding, facts=replace(finding.facts, decisions=apart(-0.053)))
    args = dict(say_comparison(finding).lead[0].args)
    assert (args["size"].digits, args["past"].digits) == (1, 1)


def test_past_decisions_come_first_and_remedies_from_the_widest_gap_to_the_smallest():
    reading = read_comparison(found(-0.04, 0.2, -0.1))
    assert [row.role for row in reading.rows] == ["past", "without", "remedy", "remedy", "remedy"]
    sizes = [abs(row.gap) for row in reading.rows if row.role == "remedy"]
    assert sizes == sorted(sizes, reverse=True) and reading.best is reading.rows[-1]


def test_one_answer_for_everybody_and_what_a_simple_rule_beats_meet_no_limit():
    finding = found(-0.2, -0.1, -0.04)
    same = by_hand.fairness(525, 525, 9244, 9244)
    first, *others = finding.remedies
    finding = replace(finding, remedies=(replace(first, after=replace(first.after, fairness=same)), *others))
    reading = read_comparison(finding)
    assert reading.remedies[0].limit == "one_answer" and len(reading.met) == 1
    assert reading.best is not reading.remedies[0]
    [caution] = [each for each in say_comparison(finding).caution if each.key == "compare-caution-beside"]
    assert dict(caution.args) == {"remedy": reading.remedies[0].phrase, "why": Word("answer")}


def test_a_remedy_that_a_simple_rule_beats_is_named_and_the_rule_is_among_the_rows():
    finding = found(-0.2, -0.1)
    first, other = finding.remedies
    rule = by_hand.yardstick("shifted", gained=(-0.05, -0.07, -0.03), is_best=True, learner="logistic_regression")
    rule = replace(rule, fairness=apart(-0.02), holds_in_test=True)
    finding = replace(finding, remedies=(first, replace(other, yardsticks=(rule,))))
    reading = read_comparison(finding)
    [row] = [row for row in reading.remedies if row.limit == "worse_than_simple_rule"]
    assert [each.gap for each in reading.rows if each.role == "without"][-1] == rule.fairness.difference
    [caution] = [each for each in say_comparison(finding).caution if each.key == "compare-caution-beside"]
    assert dict(caution.args) == {"remedy": row.phrase, "why": Word("simple"), "rule": row.simple}
    assert reading.usable[0].made == first.name
    compare_chart(finding).to_dict()


def test_a_remedy_that_decides_by_group_is_named_where_it_meets_the_limit():
    keys = {
        gap: [message.key for message in say_comparison(found(-0.03, gap)).caution] for gap in (-0.01, -0.2)
    }  # fmt: skip
    assert keys == {-0.01: ["compare-caution-group"], -0.2: []}
    [row] = [row for row in read_comparison(found(-0.03, -0.01)).rows if row.needs_group]
    assert row.name == Message("remedy-name-thresholds")


def test_two_remedies_of_a_kind_have_the_numbers_that_they_have_in_tables_and_files():
    finding = found(-0.1, -0.2, -0.3)
    first, other, third = finding.remedies
    finding = replace(finding, remedies=(first, other, replace(third, plan=first.plan)))
    rows = {row.made: row.name for row in read_comparison(finding).remedies}
    numbers = {remedy.name: labels(finding)[remedy.name] for remedy in finding.remedies}
    assert [dict(rows[name].args).get("n") for name in numbers] == [Count(1), None, Count(3)]
    assert [*numbers.values()] == ["1", "2", "3"]
    again = {row.made: row.name for row in read_comparison(finding, (7, 2, 4)).remedies}
    assert [dict(again[name].args).get("n") for name in numbers] == [Count(7), None, Count(4)]


def test_a_gap_beside_the_limit_has_the_digits_that_show_its_side():
    finding = found(-0.0514)
    [row] = read_comparison(finding).remedies
    assert row.limit == "limit_not_met" and row.limit not in MET
    assert unit_of(finding.facts).size_beside(row.gap, 0.05).digits == 1


def test_no_gap_is_called_the_smallest_that_past_decisions_do_not_have():
    finding = found(-0.2, -0.16)
    for past, key in ((-0.15, "compare-lead-gains-nothing"), (-0.3, "compare-lead-smallest")):
        now = replace(finding, facts=replace(finding.facts, decisions=apart(past, SIZES)))
        assert say_comparison(now).lead[0].key == key


def test_the_gap_that_gains_nothing_is_the_smallest_of_all_that_can_be_used():
    finding = by_hand.remedies(("constrain", "relabel"))
    pairs = {
        "metric": "demographic_parity",
        "first": "race",
        "second": REST,
        "max_difference": 0.15,
        "reading": "within",
    }
    own, other = (
        replace(each, yardsticks=(), after=replace(each.after, fairness=apart(gap)))
        for each, gap in zip(finding.remedies, (-0.12, -0.09), strict=True)
    )
    own = replace(own, details=replace(own.details, pairs=pd.DataFrame([pairs])))
    facts = replace(finding.facts, decisions=apart(-0.08, SIZES))
    finding = replace(finding, remedies=(own, other), facts=facts)
    reading, [first, given, right] = read_comparison(finding), say_comparison(finding).lead
    best = reading.usable[0]
    assert reading.gains_nothing and best is not reading.best
    assert first.key == "compare-lead-gains-nothing"
    args = dict(first.args)
    assert (args["remedy"], args["of"]) == (best.phrase, Word("all"))
    assert args["size"] == unit_of(finding.facts).size_beside(best.gap, reading.limit)
    assert dict(given.args)["given"] == Share(best.given) and dict(right.args)["right"] == Share(best.right)


@pytest.mark.parametrize(
    ("own", "past", "is_no_smaller", "is_larger"),
    [
        (0.053, 0.054, False, False), (-0.054, 0.053, True, True), (0.124, 0.118, True, False),
        (0.118, 0.122, True, False), (0.118, 0.13, False, False),
    ],
)  # fmt: skip
def test_one_rule_says_on_both_pages_whether_a_gap_gains_anything_on_past_decisions(
    own, past, is_no_smaller, is_larger
):
    finding = found(own, sizes=(10_000, 10_000))
    finding = replace(finding, facts=replace(finding.facts, decisions=apart(past, (10_000, 10_000))))
    [one] = finding.remedies
    [change] = [each for each in one.changes if each.measure == "gap"]
    moved = replace(change, before=-0.3, after=own, difference=own + 0.3, interval=Interval(own + 0.29, own + 0.31))
    one = replace(one, changes=(moved, *(each for each in one.changes if each is not change)))
    finding = replace(finding, remedies=(one,))
    assert read_comparison(finding).gains_nothing is is_no_smaller
    assert read_remedy(one, finding.facts).gains_nothing is is_no_smaller
    # Of what happened, a gap that is as large is none that a model has added to.
    happened = replace(finding, facts=replace(finding.facts, decision_is_outcome=True))
    assert read_comparison(happened).gains_nothing is is_larger
    assert read_remedy(one, happened.facts).gains_nothing is is_larger
    first = say_comparison(happened).lead[0]
    assert first.key == ("compare-lead-gains-nothing" if is_larger else "compare-lead-smallest")
    assert dict(first.args)["about"] == Word("outcome")


def test_the_smallest_gap_is_of_those_that_can_be_used_where_another_one_is_smaller():
    usable = dict(say_comparison(judged(found(-0.3, -0.2), 1, SAME)).lead[0].args)["of"]
    assert (usable, dict(say_comparison(found(-0.3, -0.2)).lead[0].args)["of"]) == (Word("usable"), Word("all"))


@pytest.mark.parametrize(("gap", "turned"), [(-0.1, "no"), (0.1, "yes"), (0.001, "no")])
def test_a_gap_on_the_other_side_than_in_past_decisions_is_said_to_be_so(gap, turned):
    finding = found(gap)
    assert finding.facts.decisions.difference < 0
    assert dict(say_comparison(finding).lead[0].args)["turned"] == Word(turned)


def test_a_remedy_that_changes_nothing_is_said_to_do_as_the_model_without_it():
    finding = found(-0.1)
    same = replace(finding, remedies=tuple(replace(each, predictions_differ=False) for each in finding.remedies))
    keys = [[message.key for message in say_comparison(each).lead] for each in (finding, same)]
    assert ["compare-lead-unchanged" in each for each in keys] == [False, True]


def test_what_is_predicted_of_what_happened_is_given_to_nobody():
    keys = [message.key for message in say_comparison(found(-0.1, decision_is_outcome=True)).lead]
    assert keys == ["compare-lead-smallest", "compare-lead-accuracy"]
    keys = [message.key for message in say_comparison(found(-0.1)).lead]
    assert keys == ["compare-lead-smallest", "compare-lead-given", "compare-lead-matches"]


def test_a_remedy_whose_gap_is_hidden_is_left_out_and_nothing_is_said_of_none():
    finding = found(-0.1, -0.2)
    hidden = [
        replace(each, after=replace(each.after, fairness=replace(each.after.fairness, difference=None)))
        for each in finding.remedies
    ]
    one = replace(finding, remedies=(hidden[0], finding.remedies[1]))
    assert read_comparison(one).n_tried == 1
    said = say_comparison(replace(finding, remedies=tuple(hidden)))
    assert said.verdict.key == "verdict-not-shown" and not said.lead and not said.caution


@pytest.mark.parametrize("gaps", [(-0.02,), (-0.1,), (-0.02, 0.2), (0.3, -0.3, 0.1), (0.0, 0.0, 0.0)])
def test_any_comparison_can_be_said_and_drawn(gaps):
    finding = found(*gaps)
    said = say_comparison(finding)
    assert len(say(said.headline).split()) <= 14 and len(said.lead) <= 3
    for narrow in (False, True):
        compare_chart(finding, narrow=narrow).to_dict()
    assert "nan" not in compare_chart_text(finding) and Share(0.95) not in dict(said.headline.args).values()


def test_what_a_remedy_gives_is_said_as_what_would_be():
    finding = found(-0.1)
    names = replace(finding.facts.names, verb=Phrase("were approved"))
    said = say_comparison(replace(finding, facts=replace(finding.facts, names=names)))
    [given] = [message for message in said.lead if message.key == "compare-lead-given"]
    would = dict(given.args)["would"]
    assert would == would_verb(names.verb) != names.verb
    assert say(Message("group-alone", {"group": would})) in say(given)


def test_a_narrow_picture_has_the_figures_of_a_wide_one():
    def texts(narrow):
        drawn = compare_chart(found(-0.03, -0.01), narrow=narrow).to_dict()
        return [str(row["text"]) for rows in drawn["datasets"].values() for row in rows if "text" in row]

    wide, narrow = texts(False), texts(True)
    figures = [text for text in wide if text.endswith("%")]
    assert figures and all(any(text.endswith(f" {figure}") for text in narrow) for figure in figures)


def test_labels_of_two_lines_are_printed_as_they_are_drawn():
    drawn = printable(compare_chart(found(-0.03, -0.01)).to_dict())
    [labels] = {layer["encoding"]["y"]["axis"]["labelExpr"] for layer in drawn["layer"] if "axis" in str(layer)
                and "labelExpr" in str(layer.get("encoding", {}).get("y", {}))}  # fmt: skip
    sign = labels.rpartition("split(datum.label, '")[2].removesuffix("')")
    assert any(sign in str(row.get("label")) for rows in drawn["datasets"].values() for row in rows)


def test_one_answer_and_nearly_one_are_nearly_one_of_both():
    nearly = by_hand.fairness(520, 525, 9_200, 9_244)
    both = judged(judged(found(-0.1, -0.2), 0, SAME), 1, nearly)
    assert read_comparison(both).verdict == "nearly_one_answer"
    assert say_comparison(both).headline.key == "compare-headline-nearly-one-answer"


@pytest.mark.parametrize(("method", "made"), [("rules", "rules"), ("equalize", "model")])
def test_what_a_remedy_is_held_against_is_named(method, made):
    finding = by_hand.remedies((method,))
    [one] = finding.remedies
    one = replace(one, after=replace(one.after, fairness=apart(-0.01)), yardsticks=())
    [right] = [m for m in say_comparison(replace(finding, remedies=(one,))).lead if m.key == "compare-lead-matches"]
    assert dict(right.args)["made"] == Word(made)


def test_that_remedies_turn_the_gap_among_similar_cases_is_said_once_for_all():
    finding = found(-0.02, -0.01, 0.01, sizes=SIZES)
    ends = {"decisions": -0.083, "before": 0.048, "after": 0.057}
    turned = WithinStrata(
        columns=("income",), cut=(), change=0.14, change_interval=Interval(0.1, 0.18), tolerance=0.05,
        strata=pd.DataFrame(), **ends, **{f"{k}_interval": Interval(v - 0.04, v + 0.04) for k, v in ends.items()},
    )  # fmt: skip
    names = replace(finding.facts.names, similar=Phrase("at similar incomes"))
    one, *others = finding.remedies
    remedies = (replace(one, within=turned), *others)
    of_one = replace(finding, remedies=remedies, facts=replace(finding.facts, names=names))
    assert read_comparison(of_one).n_turning == 1 and read_comparison(finding).n_turning == 0
    [said] = [message for message in say_comparison(of_one).caution if message.key == "compare-caution-turns"]
    args = dict(said.args)
    assert (args["n"], args["tried"]) == (Count(1), Count(3)) and say(said).startswith("At similar incomes")


@pytest.mark.parametrize("few", [True, False])
def test_a_table_says_why_a_gap_in_errors_is_not_defined(few):
    finding = by_hand.remedies(("equalize",))
    [one] = finding.remedies
    if few:
        undefined = Measured("tpr_gap", float("nan"), Interval(float("nan"), float("nan")))
        kept = (undefined if each.measure == "tpr_gap" else each for each in one.after.measures)
        one = replace(one, after=replace(one.after, measures=tuple(kept)))
    note = summary_table(replace(finding, remedies=(one,))).note
    assert (say(Message("remedies-rates-few", {"n": Count(ENOUGH)})) in note) is few


@pytest.mark.parametrize(("tolerance", "is_own"), [(0.05, False), (0.04, True)])
def test_the_band_is_of_the_persons_own_limit_only_where_it_was_set(tolerance, is_own):
    finding = found(-0.1)
    decisions = replace(finding.facts.decisions, tolerance=tolerance)
    finding = replace(finding, facts=replace(finding.facts, decisions=decisions))
    args = shared_args(finding, unit_of(finding.facts))
    assert ("your" in say(Message("compare-chart-band", args))) is is_own
