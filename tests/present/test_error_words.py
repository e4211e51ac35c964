"""Sentences on errors say where which outcome is predicted."""

from __future__ import annotations

import pandas as pd
import pytest

from fairaudit import run
from fairaudit.plan import AuditPlan, DataPlan, ErrorsPlan, OutcomePlan, ScorePlan
from fairaudit.present.error_words import errors_headline, predicted_sentence


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
