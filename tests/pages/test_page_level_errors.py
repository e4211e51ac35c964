"""The page Errors where a predicted level is held against the true one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from shown import shows
from sources import ROOT

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from ui.data.levels import YES_OR_NO

GRADES = tuple("ABCDE")


@pytest.fixture
def graded(app):
    """The app with appraisals, and grades that a model predicts lower for part-time staff."""
    data = pd.read_csv(ROOT / "sample_data" / "appraisals.csv")
    rng = np.random.default_rng(5)
    lower = rng.random(len(data)) < np.where(data["hours"] == "part-time", 0.3, 0.1)
    data["guess"] = [
        GRADES[min(GRADES.index(grade) + low, 4)] if isinstance(grade, str) else None
        for grade, low in zip(data["grade"], lower, strict=True)
    ]
    app.hold("graded.csv", data.to_csv(index=False).encode())
    app.state.decision = OutcomePlan(column="grade", favorable=("A", "B"), levels=GRADES, ordered=True)
    app.state.prediction = OutcomePlan(column="guess", favorable=("A", "B"), levels=GRADES, ordered=True)
    app.state.change_check(protected="hours = 'part-time'")
    return app


def test_the_page_says_who_is_placed_too_low_and_shows_all_levels_under_more(graded):
    graded.go("Errors")
    assert not graded.exception and "placed too low" in graded.text
    assert say(Message("level-errors-table-recall")) in graded.text
    assert shows(graded.text, "level-errors-yes-no", flagged="were flagged")


def test_similar_cases_are_chosen_beside_the_groups(graded):
    graded.go("Errors").set("multiselect", "errors_strata", ["department"])
    assert not graded.exception and graded.state.errors[0].strata == ("department",)
    assert shows(graded.text, "level-errors-within-same")


def test_data_takes_the_levels_for_the_prediction_and_gives_them_back(graded):
    graded.state.prediction = OutcomePlan(column="guess", favorable=("A", "B"))
    graded.go("Data")
    assert not graded.exception and graded.state.prediction.levels == GRADES
    next(each for each in graded.radio if each.key.startswith("data_levels")).set_value(YES_OR_NO).run()
    assert not graded.exception and graded.state.prediction.levels == ()
    graded.go("Errors")
    assert not graded.exception and "placed too low" not in graded.text


def test_another_favourable_value_of_the_prediction_leaves_yes_and_no(graded):
    graded.state.prediction = OutcomePlan(column="guess", favorable=("A",))
    graded.go("Data")
    assert graded.state.prediction.levels == () and say(Message("level-errors-data-good")) in graded.text
