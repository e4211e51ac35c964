"""Sentences on errors say where which outcome is predicted."""

from __future__ import annotations

import pandas as pd
import pytest

from fairaudit import run
from fairaudit.plan import AuditPlan, DataPlan, ErrorsPlan, OutcomePlan, ScorePlan
from fairaudit.present.error_words import errors_chip, errors_headline, errors_sentence, predicted_sentence


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"score": ScorePlan(column="risk", higher_is_favorable=False, cut=7)}, ("bad outcome", "risk 7 on")),
        ({"score": ScorePlan(column="merit", cut=0.5)}, ("good outcome", "merit 0.5 on")),
        ({"prediction": OutcomePlan(column="risk", favorable_when="risk <= 5")}, ("good outcome", "risk <= 5")),
        ({"prediction": OutcomePlan(column="said", favorable=("y", 1))}, ("good outcome", "said is 'y' or '1'")),
    ],
)
def test_what_is_predicted_is_said_in_the_words_of_the_plan(roles, words):
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="ok", favorable=("y",)), **roles)
    assert all(word in predicted_sentence(plan) for word in words)


def test_a_score_without_a_cut_predicts_nothing():
    decision, score = OutcomePlan(column="ok", favorable=("y",)), ScorePlan(column="risk")
    assert predicted_sentence(AuditPlan(data=DataPlan(source="t.csv"), decision=decision, score=score)) == ""


def test_a_group_that_is_not_known_is_no_extreme_where_two_others_are_left():
    rows = {"Outside EU": (34, 66), "Born here": (15, 85), "Not known": (5, 95)}
    people = [(name, wrong) for name, (n, right) in rows.items() for wrong in [1] * n + [0] * right for _ in range(2)]
    origin, flagged = map(list, zip(*people, strict=True))
    data = pd.DataFrame({"origin": origin, "flag": flagged, "fraud": 0})
    data = pd.concat([data, data.assign(fraud=1)], ignore_index=True)
    plan = AuditPlan(
        data=DataPlan(source="t.csv"),
        decision=OutcomePlan(column="fraud", favorable=(0,)),
        prediction=OutcomePlan(column="flag", favorable=(0,)),
        errors=(ErrorsPlan(by=("origin",), positive="unfavorable"),),
    )
    [finding] = run(plan, table=data).errors
    said = errors_headline(finding, plan)
    assert "Outside EU 34" in said and "Born here 15" in said and "Not known" not in said
    [few] = run(plan, table=data[data["origin"] != "Born here"]).errors
    assert "Not known 5" in errors_headline(few, plan)


def missed_by_group(groups, **asked):
    """Return the errors of a prediction and its audit, from (of how many, wrongly not predicted) by group."""
    right = [(name, 1, int(i >= wrong)) for name, (n, wrong) in groups.items() for i in range(n)]
    rows = right + [(name, 0, int(i < 20)) for name in groups for i in range(1_000)]
    plan = AuditPlan(
        data=DataPlan(source="t.csv"),
        decision=OutcomePlan(column="fit", favorable=(1,)),
        prediction=OutcomePlan(column="said", favorable=(1,)),
        errors=(ErrorsPlan(by=("group",), **asked),),
    )
    return run(plan, table=pd.DataFrame(rows, columns=["group", "fit", "said"])).errors[0], plan


FOUR = {"a": (3_966, 508), "b": (5_101, 408), "c": (1_445, 191), "few": (38, 0)}
"""12.8, 8.0, 13.2 and 0.0 %: the groups furthest apart say least."""


@pytest.mark.parametrize(
    ("tolerance", "chip"), [(0.0, "Clear gap"), (0.02, "Clear gap"), (0.05, "A gap, size unclear"), (0.2, "Alike")]
)
def test_the_verdict_on_errors_is_that_of_all_groups_and_clear_is_beyond_the_tolerance(tolerance, chip):
    finding, plan = missed_by_group(FOUR, tolerance=tolerance)
    assert errors_chip(finding).text == chip
    said = errors_sentence(finding, plan, below_headline=True).replace("\N{NO-BREAK SPACE}", " ")
    assert ("a (12.8 % of 3,966) and b (8.0 % of 5,101)" in said) is (chip != "Alike")
    # The interval that decides is that at 90 %: c against few, 13.2 points apart.
    assert ("90 % interval" in said and "+6.4 to +14.8" in said) is (chip == "Alike")


def test_errors_that_chance_alone_makes_are_no_gap():
    finding, plan = missed_by_group({"a": (400, 48), "b": (400, 52), "c": (60, 10)})
    assert errors_chip(finding).text == "Cannot tell"
    assert "could be chance" in errors_sentence(finding, plan)
