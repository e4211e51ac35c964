"""Data asks whether rows count by what seems to be survey weights; no page answers before, and Check says by which."""

from __future__ import annotations

import pytest

from fairaudit.columns import SurveyDesign
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.present.cases import say_weighted


@pytest.fixture
def surveyed(app, csv):
    sex, approved, weight, place = [], [], [], []
    for group, good, w, n in (
        ("F", "yes", 0.5, 100),
        ("F", "no", 1.5, 100),
        ("M", "yes", 1.2, 110),
        ("M", "no", 1, 90),
    ):
        sex += [group] * n
        approved += [good] * n
        weight += [w] * n
        place += [f"p{i % 20}" for i in range(n)]
    app.hold("survey.csv", csv(sex=sex, approved=approved, pweight=weight, place=place))
    app.state.decision = OutcomePlan(column="approved", favorable=("yes",))
    app.state.change_check(protected="sex = 'F'")
    return app


@pytest.mark.parametrize("page", ["Groups", "Check", "Errors", "Worst_groups", "Explain", "Change", "Remedies"])
def test_no_page_answers_before_it_is_said_how_rows_count(surveyed, page):
    surveyed.go(page)
    assert not surveyed.exception and not surveyed.metric
    assert say(Message("page-needs-rows")) in surveyed.text


def test_check_answers_for_the_people_that_rows_speak_for(surveyed):
    surveyed.go("Data")
    assert say(Message("data-weights-headline")) in surveyed.text
    surveyed.button(key="data_weights_use").click().run()
    assert not surveyed.exception
    assert surveyed.state.table.design == SurveyDesign("pweight")
    assert surveyed.state.plan().data.weights == "pweight"
    surveyed.go("Check")
    assert not surveyed.exception
    assert "25%" in surveyed.text and "59%" in surveyed.text


def test_of_two_columns_each_can_be_chosen_and_how_the_sample_was_drawn_is_said(app, csv):
    rows = {
        "sex": ["F", "M"] * 60,
        "ok": list("ynnyyn") * 20,
        "dweight": [0.5, 1.5] * 60,
        "pspwght": [0.7, 1.1, 1.2] * 40,
    }
    app.hold("survey.sav.csv", csv(**rows, stratum=[1, 2] * 60, psu=[i // 4 for i in range(120)]))
    # Weights of the draw alone are the less likely ones: the others hold them.
    app.go("Data").button(key="data_weights_use").click().run()
    assert app.state.table.design == SurveyDesign("pspwght", "stratum", "psu")
    assert say(say_weighted(app.state.table.design)) in app.text


def test_rows_that_count_once_open_the_way_and_stay_so_in_the_saved_audit(surveyed):
    surveyed.go("Data")
    surveyed.button(key="data_weights_leave").click().run()
    assert surveyed.state.plan().data.reading.unweighted
    surveyed.go("Check")
    assert "50%" in surveyed.text and "55%" in surveyed.text
    surveyed.go("Data")
    assert say(Message("data-weights-headline")) not in surveyed.text


def test_weights_clusters_and_strata_are_chosen_under_more_and_left_out_again(surveyed):
    surveyed.go("Data")
    surveyed.button(key="data_weights_use").click().run()
    key = surveyed.state.data_key
    surveyed.selectbox(key=f"data_weights_clusters_{key}").set_value("place")
    next(each for each in surveyed.button if each.label == say(Message("data-weights-change"))).click().run()
    assert not surveyed.exception
    assert surveyed.state.table.design == SurveyDesign("pweight", clusters="place")
    surveyed.button(key="data_weights_back").click().run()
    assert surveyed.state.table.design is None
    assert surveyed.state.plan().data.reading.unweighted


@pytest.mark.parametrize("page", ["Errors", "Worst_groups", "Explain", "Change"])
def test_deeper_pages_answer_for_the_people_that_rows_speak_for(surveyed, page):
    surveyed.go("Data").button(key="data_weights_use").click().run()
    surveyed.state.prediction = OutcomePlan(column="place", favorable=tuple(f"p{i}" for i in range(10)))
    surveyed.go(page).assert_refuses_nothing()
    assert say(Message("page-needs-rows")) not in surveyed.text
    if page == "Errors":
        assert "'pweight'" in surveyed.text
