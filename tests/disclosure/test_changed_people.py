"""What two models differ by on the same rows counts people, and is hidden where few are counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import remedies_by_hand as by_hand
from findings_by_hand import finding as check_by_hand

from fairaudit.disclosure.remedies import masked_remedies
from fairaudit.measure.results import Interval
from fairaudit.study.findings import RemediesFinding, RemedyFinding
from fairaudit.study.judging.held_out import HeldOut, JudgeWords
from fairaudit.study.judging.results import Judged, Yardstick

MINIMUM = 10
GROUPS = ("women", "the rest")
GAINS = {"good": (40, 30), "bad": (25, 20)}
"""People of either group and outcome for whom the model after says yes, and that before no."""
LOSSES = {"good": (20, 15), "bad": (45, 35)}

SIZES = {"good": (200, 311), "bad": (223, 420)}
"""Sizes that differ, so that a width belongs to one number of people in each."""


def judged(gains, losses, *, missing=(0, 0)) -> tuple[HeldOut, Judged, Judged]:
    """Return held-out rows and two models: 100 rows of each group and outcome have a yes before, the others do not."""
    rows = []
    for place in range(2):
        for outcome in ("good", "bad"):
            number = np.arange(SIZES[outcome][place])
            before = number < 100
            changed = (number < losses[outcome][place]) | (number >= len(number) - gains[outcome][place])
            after = before ^ changed
            rows += [(place, outcome == "good", *each) for each in zip(before, after, strict=True)]
    for outcome, n in zip((1, 0), missing, strict=True):
        rows += [(2, outcome, i % 2, i % 2) for i in range(n)]
    group, y, before, after = np.array(rows, dtype=int).T
    held_out = HeldOut(
        y,
        protected=group == 0,
        population=group < 2,
        groups=np.array([*GROUPS, "missing"], dtype=object)[group],
        group_names=(*GROUPS, "missing"),
        names=JudgeWords(protected=GROUPS[0]),
    )
    return held_out, Judged(before), Judged(after)


def shown(
    held_out: HeldOut, before: Judged, after: Judged, *, ranked_alike=False, cuts=(), plain=None, best=0, checks=()
) -> RemedyFinding:
    """Return a remedy as it leaves the building; `cuts` are simple answers at another threshold of a plain model.

    That is the one before, if no `plain` one is given.
    """
    models = [held_out.evaluate(name, each.prediction) for name, each in (("plain", before), ("other", after))]
    changes = held_out.changes(before, after)
    if ranked_alike:
        changes = tuple(replace(c, interval=Interval(0.0, 0.0)) if c.measure == "auc" else c for c in changes)
    simple = () if plain is None else (replace(answer(held_out, plain, after, best=False), kind="plain"),)
    remedy = replace(
        by_hand.remedy("relabel"),
        before=models[0],
        after=models[1],
        changes=changes,
        yardsticks=(*simple, *(answer(held_out, cut, after, best=i == best) for i, cut in enumerate(cuts))),
    )
    facts = by_hand.facts(GROUPS, decisions=held_out.decisions())
    return masked_remedies(RemediesFinding(facts, (remedy,)), MINIMUM, checks=checks, others_hidden=False).remedies[0]


def answer(held_out: HeldOut, cut: Judged, after: Judged, *, best: bool = True) -> Yardstick:
    found = held_out.evaluate("plain with another threshold for all", cut.prediction)
    change = held_out.accuracy_change(cut, after)
    return replace(
        by_hand.yardstick("shifted"),
        is_best=best,
        measures=found.measures,
        fairness=found.fairness,
        evaluation=found,
        change=change,
    )


def with_intervals(remedy: RemedyFinding) -> set[str]:
    return {change.measure for change in remedy.changes if change.interval.low is not None and change.measure != "auc"}


def moved(model: Judged, *places: int) -> Judged:
    """Return a model that predicts otherwise for some rows."""
    prediction = model.prediction.copy()
    prediction[list(places)] ^= 1
    return Judged(prediction)


def test_intervals_of_changes_stay_where_many_gain_and_many_lose():
    remedy = shown(*judged(GAINS, LOSSES))
    assert remedy.after.errors.counts["tp"].notna().all()
    assert with_intervals(remedy) == {
        "accuracy", "balanced_accuracy", "gap", "selection_gap", "tpr_gap", "fpr_gap", "fdr_gap", "for_gap",
    }  # fmt: skip


@pytest.mark.parametrize("outcome", ["good", "bad"])
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("gain", [True, False])
def test_no_interval_stays_where_few_of_a_group_gain_or_lose(outcome, place, gain):
    gains, losses = dict(GAINS), dict(LOSSES)
    few = gains if gain else losses
    few[outcome] = tuple(3 if i == place else n for i, n in enumerate(few[outcome]))
    remedy = shown(*judged(gains, losses))
    assert len(remedy.changes) > 3
    assert with_intervals(remedy) == set()


def test_no_interval_stays_where_it_says_that_nobody_gains_beside_the_few_who_do():
    remedy = shown(*judged({"good": (3, 30), "bad": (25, 20)}, {"good": (0, 0), "bad": (0, 0)}))
    assert with_intervals(remedy) == set()


def test_a_simple_answer_that_differs_from_the_remedy_for_few_shows_no_interval():
    held_out, before, after = judged(GAINS, LOSSES)
    few = shown(held_out, before, after, cuts=[moved(after, *range(100, 103))]).yardsticks[0].change
    assert few.difference is not None
    assert few.interval.low is None
    many = shown(held_out, before, after, cuts=[before]).yardsticks[0].change
    assert many.interval.low is not None


def test_of_simple_answers_only_the_best_has_an_interval():
    held_out, before, after = judged(GAINS, LOSSES)
    simple = shown(held_out, before, after, cuts=[before, after], best=1).yardsticks
    assert [each.change.interval.low is not None for each in simple] == [False, True]
    assert all(each.change.difference is not None for each in simple)


def test_a_simple_answer_shows_no_interval_where_few_of_all_gain_and_every_part_loses():
    held_out, before, after = judged({"good": (7, 0), "bad": (0, 0)}, {"good": (40, 30), "bad": (45, 35)})
    few = shown(held_out, before, after, cuts=[before]).yardsticks[0].change
    assert few.difference is not None and few.interval.low is None


def test_two_cuts_of_one_score_that_differ_by_few_are_not_both_shown():
    held_out, before, _ = judged(GAINS, LOSSES)
    # Rows 100 to 200 of the first group have the good outcome, and 300 to 423 the other one; all have a no before.
    close, far = moved(before, 150, 151, 350), moved(before, *range(100, 130), *range(300, 330))
    assert shown(held_out, before, close, ranked_alike=True).after.errors.counts.empty
    assert not shown(held_out, before, far, ranked_alike=True).after.errors.counts.empty
    assert not shown(held_out, before, close).after.errors.counts.empty
    # What predicts the same as a simple answer is one, too.
    assert shown(held_out, before, close, cuts=[close]).after.errors.counts.empty


def test_a_simple_answer_that_cuts_a_score_close_to_another_one_shows_no_accuracy():
    held_out, before, after = judged(GAINS, LOSSES)
    close, far = moved(before, 150, 151, 350), moved(before, *range(100, 130), *range(300, 330))
    for cut, is_shown in ((close, False), (far, True)):
        (simple,) = shown(held_out, before, after, cuts=[cut]).yardsticks
        assert (simple.measure("accuracy").value is not None) == is_shown


def test_a_simple_answer_that_cuts_the_plain_score_close_to_the_plain_model_shows_no_accuracy():
    held_out, before, after = judged(GAINS, LOSSES)
    close = moved(before, 150, 151, 350)
    # The remedy predicts the same, and the model before it is of another kind.
    for cut, is_shown in ((close, False), (moved(before, *range(100, 130), *range(300, 330)), True)):
        found = shown(held_out, after, cut, plain=before, cuts=[cut])
        assert (found.yardsticks[1].measure("accuracy").value is not None) == is_shown
        assert (found.after.measure("accuracy").value is not None) == is_shown


@pytest.mark.parametrize(("missing", "is_shown"), [((30, 30), True), ((30, 4), False)])
def test_beside_a_check_overall_figures_go_where_few_of_neither_side_have_an_outcome(missing, is_shown):
    remedy = shown(*judged(GAINS, LOSSES, missing=missing), checks=(check_by_hand(1050, 2200, 9000, 20000),))
    assert (remedy.after.measure("accuracy").value is not None) == is_shown


@pytest.mark.parametrize(("good_outside", "is_shown"), [(3, False), (40, True)])
def test_decisions_go_where_few_of_a_side_with_an_outcome_are_held_out_but_outside_the_filter(good_outside, is_shown):
    held_out, before, after = judged(GAINS, LOSSES)
    inside = replace(held_out.decisions(), where="years >= 1")
    women, rest = inside.protected, inside.reference
    # A fifth of all rows that a check counts is held out.
    counts = (
        5 * (women.positives + good_outside),
        5 * (women.n + good_outside + 30),
        5 * (rest.positives + 40),
        5 * (rest.n + 80),
    )
    everybody = check_by_hand(*counts, where=None)
    result = replace(everybody.result, protected_condition=inside.protected_condition)
    models = [held_out.evaluate(name, each.prediction) for name, each in (("plain", before), ("other", after))]
    remedy = replace(by_hand.remedy("relabel"), before=models[0], after=models[1], changes=(), yardsticks=())
    found = masked_remedies(
        RemediesFinding(by_hand.facts(GROUPS, decisions=inside), (remedy,)),
        MINIMUM,
        checks=(replace(everybody, result=result),),
        others_hidden=False,
    )
    assert (found.facts.decisions.difference is not None) == is_shown
    assert found.remedies[0].after.errors.counts.empty != is_shown
