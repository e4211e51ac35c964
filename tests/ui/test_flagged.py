"""A score or a prediction of risk is known by what the plan says of it, or by its words."""

from __future__ import annotations

import pytest

from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from ui.data.predictions import flagged_value, proposed_positive
from ui.values import SIDES, Cut, cut_of


@pytest.mark.parametrize(
    ("prediction", "score"),
    [
        (None, ScorePlan(column="points", higher_is_favorable=False)),
        (OutcomePlan(column="said", favorable=("y",)), ScorePlan(column="points", higher_is_favorable=False)),
        (OutcomePlan(column="points", favorable_when="points <= 5"), None),
        (OutcomePlan(column="points", favorable_when='"points" < 5'), None),
        (OutcomePlan(column="points", favorable=(0,)), None),
        (OutcomePlan(column="held", favorable=("No",)), None),
        (OutcomePlan(column="risk level", favorable=("low", "medium")), None),
        (OutcomePlan(column="level", favorable=("Low risk",)), None),
        (OutcomePlan(column="level", favorable=("a",), meaning="not flagged"), None),
    ],
)
def test_of_who_is_flagged_the_bad_outcome_is_proposed_as_positive(prediction, score):
    assert proposed_positive(prediction, score) == "unfavorable"


@pytest.mark.parametrize(
    ("prediction", "score"),
    [
        (None, None),
        (None, ScorePlan(column="risk")),
        (OutcomePlan(column="said", favorable=("y",)), ScorePlan(column="points")),
        (OutcomePlan(column="points", favorable_when="points >= 5"), None),
        (OutcomePlan(column="points", favorable=(0, 1)), None),
    ],
)
def test_of_any_other_prediction_the_good_outcome_is_proposed(prediction, score):
    assert proposed_positive(prediction, score) == "favorable"


@pytest.mark.parametrize("column", ["points", 'odd "name"', "a < b", "a > 3 AND b"])
@pytest.mark.parametrize("side", list(SIDES))
def test_a_cut_is_read_as_it_is_written(column, side):
    cut = Cut(side, -2.5)
    assert cut_of(OutcomePlan(column=column, favorable_when=cut.condition(column))) == cut


@pytest.mark.parametrize("when", ["a < 5 AND a > 2", "a > 2 AND a < 5", "a = 3", "NOT a < 5", "abs(a) < 5"])
def test_any_other_condition_is_no_cut(when):
    assert cut_of(OutcomePlan(column="a", favorable_when=when)) is None


def test_an_unquoted_name_is_read_too():
    assert cut_of(OutcomePlan(column="a", favorable_when="a <= 5")) == Cut("at or below", 5.0)


@pytest.mark.parametrize(
    ("column", "values", "flagged"),
    [
        ("flagged", ("no", "yes"), "yes"),
        ("flagged", (False, True), True),
        ("Alert", (1.0, 0.0), 1.0),
        ("risk level", ("Risk", "No risk"), "Risk"),
        ("flag", ("flagged", "not flagged"), "flagged"),
        ("flag", ("flagged", "clear"), "flagged"),
        ("risk level", ("high", "low"), None),
        ("flagged", ("yes", "unknown"), None),
        ("not_flagged", ("no", "yes"), None),
        ("fraud_found", ("no", "yes"), None),
        ("prior_flag", ("no", "yes"), None),
        ("member", ("no", "yes"), None),
    ],
)
def test_by_which_value_a_column_flags_people_is_known_by_its_words(column, values, flagged):
    assert flagged_value(column, values) == flagged_value(column, values[::-1]) == flagged
