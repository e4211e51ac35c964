"""What four answers speak for."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from fairaudit.errors import PlanError
from fairaudit.measure.vocabulary import RATES
from fairaudit.messages import say
from fairaudit.plan.measuring import Measured, MeasurePlan
from fairaudit.present.measuring import say_measure

WANTED = {
    ("benefit", "unknown", None): ("demographic_parity", "favorable", "points"),
    ("limited", "unknown", None): ("four_fifths", "favorable", "ratio"),
    ("burden", "unknown", "person"): ("demographic_parity", "unfavorable", "points"),
    ("benefit", "known", "person"): ("equal_opportunity", "favorable", "points"),
    ("limited", "known", "others"): ("fdr", "favorable", "points"),
    ("burden", "known", "person"): ("fpr", "unfavorable", "points"),
    ("burden", "known", "others"): ("fnr", "unfavorable", "points"),
    ("benefit", "known", "both"): ("equalized_odds", "favorable", "points"),
}


@pytest.mark.parametrize(("answers", "expected"), WANTED.items())
def test_answers_speak_for_a_measure_an_outcome_and_a_limit(answers, expected):
    decided, truth, borne_by = answers
    found = MeasurePlan(decided=decided, truth=truth, borne_by=borne_by)
    assert (found.measure, found.positive, found.limit) == expected


def test_all_answers_have_a_measure_that_constraints_know_and_words_or_none_at_all():
    choices = [
        (None, *get_args(get_args(MeasurePlan.model_fields[name].annotation)[0]))
        for name in ("decided", "truth", "borne_by")
    ]
    found = set()
    for decided, truth, borne_by in product(*choices):
        answers = MeasurePlan(decided=decided, truth=truth, borne_by=borne_by)
        said = say_measure(answers, 0.05)
        assert bool(said) == answers.is_answered == (answers.measure is not None)
        found |= {answers.measure} - {None}
        assert not said or say(said)
    assert found == set(get_args(Measured)) <= set(RATES)


def test_the_limit_is_the_tolerance_with_its_digits_and_the_group_is_said():
    answers = MeasurePlan(decided="benefit", truth="unknown", group_use="no")
    keys = [each.key for each in say_measure(answers, 0.025)]
    assert keys == ["measure-because", "measure-compare", "measure-limit-points", "measure-group-no"]
    assert "2.5" in say(say_measure(answers, 0.025)[2])


def test_another_answer_is_refused():
    with pytest.raises(PlanError, match="decided"):
        MeasurePlan(decided="a loan")
