"""What a comparison of remedies says, as readings and keys: who meets the limit, for certain or in the test alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
import remedies_by_hand as by_hand

from fairaudit.findings import Count, Message, Phrase, Share
from fairaudit.messages import say
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.charts import compare_chart, compare_chart_text
from fairaudit.sections.compare.reading import MET, gap_size, quantity_of

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
    assert "compare-caution-beside" in [message.key for message in say_comparison(finding).caution]


def test_a_remedy_that_decides_by_group_is_named_where_it_meets_the_limit():
    keys = {
        gap: [message.key for message in say_comparison(found(-0.03, gap)).caution] for gap in (-0.01, -0.2)
    }  # fmt: skip
    assert keys == {-0.01: ["compare-caution-group"], -0.2: []}
    [row] = [row for row in read_comparison(found(-0.03, -0.01)).rows if row.needs_group]
    assert row.name == Message("remedy-name-thresholds")


def test_two_remedies_of_a_kind_have_their_own_names():
    finding = found(-0.1, -0.2)
    first, other = finding.remedies
    other = replace(other, plan=first.plan)
    names = [row.name for row in read_comparison(replace(finding, remedies=(first, other))).remedies]
    assert names == [Phrase(first.name), Phrase(other.name)]


def test_a_gap_beside_the_limit_has_the_digits_that_show_its_side():
    finding = found(-0.0514)
    [row] = read_comparison(finding).remedies
    assert row.limit == "limit_not_met" and row.limit not in MET
    assert gap_size(quantity_of(finding), row, 0.05).digits == 1


def test_what_is_predicted_of_what_happened_is_given_to_nobody():
    keys = [message.key for message in say_comparison(found(-0.1, decision_is_outcome=True)).lead]
    assert keys == ["compare-lead-smallest-happened", "compare-lead-accuracy"]
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
