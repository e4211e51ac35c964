"""Sentences on errors say where which outcome is predicted."""

from __future__ import annotations

import pytest

from fairaudit.plan import AuditPlan, DataPlan, OutcomePlan, ScorePlan
from fairaudit.present.error_words import predicted_sentence


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
