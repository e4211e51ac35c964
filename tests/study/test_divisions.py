"""A remedy on several divisions of the same rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit import run
from fairaudit.audit.trying import iter_remedies
from fairaudit.disclosure.gate import exported
from fairaudit.errors import GroupError
from fairaudit.events import STOP, Progress
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.sections.remedy.saying import repeats_sentence
from fairaudit.study.judging.results import DIVISIONS
from fairaudit.study.rows import Study

REMEDIES = (
    RelabelPlan(risk_model="logistic_regression", final_model="logistic_regression"),
    ThresholdsPlan(),
)


@pytest.fixture(scope="module")
def loans():
    return as_loans(biased_loans())


@pytest.fixture(scope="module")
def finding(loans):
    plan = loans_plan(divisions=3).model_copy(update={"remedies": REMEDIES})
    return drained(iter_remedies(loans, plan))


def test_the_first_division_is_what_one_alone_gives(loans, finding):
    alone = drained(iter_remedies(loans, loans_plan().model_copy(update={"remedies": REMEDIES})))
    for one, of_several in zip(alone.remedies, finding.remedies, strict=True):
        assert one.divisions is None
        first = of_several.divisions.query("division == 1")
        figures = [(c.measure, c.before, c.after, c.difference) for c in one.changes]
        pd.testing.assert_frame_equal(
            first.drop(columns="division").reset_index(drop=True),
            pd.DataFrame(figures, columns=["measure", "before", "after", "difference"]),
        )


def test_each_division_is_a_whole_audit_of_another_seed(loans, finding):
    study = Study.of(loans, loans_plan(divisions=3))
    for number in (2, 3):
        plan = loans_plan().model_copy(update={"remedies": REMEDIES, "seed": study.divided_again(number).seed})
        for other, remedy in zip(drained(iter_remedies(loans, plan)).remedies, finding.remedies, strict=True):
            found = remedy.divisions.query("division == @number").set_index("measure")
            for change, first in zip(other.changes, remedy.changes, strict=True):
                if (change.first, change.second) == (first.first, first.second):
                    expected = [change.before, change.after, change.difference]
                    np.testing.assert_array_equal(
                        found.loc[change.measure, ["before", "after", "difference"]], expected
                    )
            assert {"accuracy", "gap"} <= set(found.index)


def test_divisions_share_no_rows_between_their_parts_and_hold_out_others(loans):
    study = Study.of(loans, loans_plan())
    divided = [study, *(study.divided_again(number) for number in (2, 3))]
    for each in divided:
        parts = (each.split.train, each.split.tune, each.split.held_out)
        assert sorted(np.concatenate(parts)) == list(range(len(study.y)))
        sizes = [study.facts.n_train, study.facts.n_tune, study.facts.n_held_out]
        np.testing.assert_allclose([len(part) for part in parts], sizes, atol=5)
        assert each.held_out.n == len(each.split.held_out)
        assert each.held_out.decisions().protected.positives == sum(
            (each.y & each.protected & each.population)[each.split.held_out]
        )
    held = [set(each.split.held_out) for each in divided]
    assert len({frozenset(rows) for rows in held}) == 3
    pd.testing.assert_frame_equal(divided[1].X, study.X)
    np.testing.assert_array_equal(study.divided_again(2).split.held_out, divided[1].split.held_out)


def test_a_division_that_leaves_nobody_to_compare_is_left_out(loans, monkeypatch):
    divided_again = Study.divided_again

    def refusing(study, number):
        if number == 2:
            raise GroupError("Nobody is held out.", uncounted="Nobody is held out.")
        return divided_again(study, number)

    monkeypatch.setattr(Study, "divided_again", refusing)
    plan = loans_plan(divisions=3).model_copy(update={"remedies": REMEDIES[:1]})
    (remedy,) = drained(iter_remedies(loans, plan)).remedies
    assert set(remedy.divisions["division"]) == {1, 3}
    assert repeats_sentence(remedy)
    assert remedy.warnings[-1].startswith("On 1 of 3 repeats")


def test_where_no_other_division_can_be_made_no_spread_is_said(loans, monkeypatch):
    def refusing(study, number):
        raise GroupError("Nobody is held out.", uncounted="Nobody is held out.")

    monkeypatch.setattr(Study, "divided_again", refusing)
    plan = loans_plan(divisions=2).model_copy(update={"remedies": REMEDIES[:1]})
    (remedy,) = drained(iter_remedies(loans, plan)).remedies
    assert repeats_sentence(remedy) == "" and "On 1 of 2 repeats" in remedy.warnings[-1]


def test_a_stop_keeps_the_first_division_and_says_so(loans):
    plan = loans_plan(divisions=3).model_copy(update={"remedies": REMEDIES[:1]})
    events, command = iter_remedies(loans, plan), None
    while True:
        event = events.send(command)
        if not isinstance(event, Progress):
            if hasattr(event, "result"):
                break
            command = None
            continue
        command = STOP if "Repeat 2" in event.what else None
    (remedy,) = event.result.remedies
    assert remedy.divisions is None and remedy.changes
    assert "Stopped after 1 of 1 remedies" in event.result.facts.warnings[-1]


def test_a_gap_between_other_groups_is_left_out(loans):
    plan = loans_plan(divisions=3, by=("area",)).model_copy(update={"remedies": REMEDIES[:1]})
    (remedy,) = drained(iter_remedies(loans, plan)).remedies
    study, n_left_out = Study.of(loans, plan), 0
    for number in (2, 3):
        other = plan.model_copy(update={"seed": study.divided_again(number).seed})
        other = other.model_copy(update={"models": other.models.model_copy(update={"divisions": 1})})
        (alone,) = drained(iter_remedies(loans, other)).remedies
        for change, first in zip(alone.changes, remedy.changes, strict=True):
            same = (change.first, change.second) == (first.first, first.second)
            found = remedy.divisions.query("division == @number and measure == @change.measure")
            assert len(found) == same
            n_left_out += not same
    assert n_left_out


def test_other_divisions_are_not_exported_where_small_counts_are_hidden(loans):
    plan = loans_plan(divisions=2).model_copy(update={"remedies": REMEDIES[:1]})
    result = run(plan, table=loans)
    assert list(result.remedies.remedies[0].divisions.columns) == list(DIVISIONS)
    assert exported(result).remedies.remedies[0].divisions is not None
    hiding = replace(result, plan=plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True)}))
    assert exported(hiding).remedies.remedies[0].divisions is None
