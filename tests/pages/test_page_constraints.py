"""The page Constraints: what must hold, with controls and as text, what the plain model breaks, the fit and after."""

from __future__ import annotations

import math

import pytest
from remedy_pages import NARROWED, assert_names_rows, bring_loans, finish, has, has_answer, search_in_sight, with_sex
from study_data import as_loans, biased_loans

from fairaudit.audit.trying import remedy_name
from fairaudit.events import Incumbent
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.remedies.constrain.details import scales
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.constraint_check import limited_rows
from fairaudit.study.findings import plan_key
from ui.entries import settings_of
from ui.remedies.constrain.constraints import ConstraintDraft

pytestmark = pytest.mark.campaign

BY_SEX = "demographic_parity by sex <= 0.1"
BOTH = (BY_SEX, "fpr by area <= 0.2")


def bring(app, *specs, frame=None, **models):
    """Give a session the loans, a question, what models learn from, and constraints."""
    bring_loans(app, biased_loans(600) if frame is None else frame, **models)
    app.state.settings[settings_of("constrain")] = (
        ConstrainPlan(constraints=specs) if specs else ConstraintDraft(metric="demographic_parity", points=5.0)
    )
    return app.go("Constraints")


def asked(app) -> list[str]:
    """The constraints that are in use."""
    return [str(spec) for spec in app.state.settings[settings_of("constrain")].specs]


def write(app, text: str):
    """Write the constraints as text."""
    if not any(area.key == "constraints_text" for area in app.text_area):
        app.set("segmented_control", "constraints_way", "As text")
    return app.set("text_area", "constraints_text", text)


@pytest.fixture
def trained(app):
    """The page, with a model that was trained under two constraints."""
    return finish(bring(app, *BOTH).click("constraints_fit"))


def test_what_the_audit_asks_is_the_first_limit_until_it_is_changed(app):
    bring_loans(app, biased_loans(600)).go("Constraints")
    assert app.state.models is not None and not app.button(key="constraints_fit").disabled
    [limit] = app.state.settings[settings_of("constrain")].specs
    assert (limit.measure.name, limit.max_difference) == ("demographic_parity", app.state.models.tolerance)
    app.click("constraints_remove_0")
    assert asked(app) == [] and app.button(key="constraints_fit").disabled
    app.click("constraints_undo")
    assert app.state.settings[settings_of("constrain")].specs == (limit,)


def test_protected_group_and_the_rest_are_constrained_within_the_filter(app):
    bring(app, where="merit > -2")
    assert say(Message("constrain-no-limit")) in app.text and app.button(key="constraints_fit").disabled
    app.set("selectbox", "constraints_metric", "demographic_parity").set("number_input", "constraints_points", 5.0)
    app.click("constraints_add").assert_refuses_nothing()
    # Once it is listed, the form does not say the same again.
    assert say(Message("constrain-listed")) in app.text
    assert asked(app) == [
        'demographic_parity by ["sex = \'woman\'" as "women", "sex <> \'woman\'" as "the rest"] <= 0.05'
    ]
    study = app.state.study[1]
    [members] = limited_rows(study, app.state.settings[settings_of("constrain")].specs).members
    assert sum(map(len, members)) == study.population.sum() < study.known.sum()
    assert not app.button(key="constraints_fit").disabled
    assert app.state.settings[settings_of("constrain")].points == 5.0


def test_values_of_a_column_are_groups_and_small_ones_are_left_out_at_first(app):
    frame = biased_loans(1200)
    frame.loc[frame.index[:20], "area"] = "island"
    bring(app, frame=frame).set("radio", "constraints_how", "values").set(
        "multiselect", "constraints_columns", ["area"]
    )
    assert app.multiselect(key="constraints_kept").value == ["north", "south", "west"]
    assert say(Message("constrain-left-out", {"groups": Phrase("island"), "n": Count(0)})) in app.text
    app.click("constraints_add")
    assert asked(app)[0].startswith('demographic_parity by ["area = \'north\'" as "north"')
    app.set("multiselect", "constraints_kept", ["island", "north", "south", "west"])
    assert "island (" in app.warnings
    app.click("constraints_add")
    assert asked(app)[1] == "demographic_parity by area <= 0.05"


def test_own_groups_are_named_built_and_completed(app):
    bring(app).set("radio", "constraints_how", "own").set("text_input", "constraints_where", "merit > 1")
    app.set("text_input", "constraints_group_name", "high").click("constraints_group_add")
    assert app.text_input(key="constraints_where").value == "" and app.button(key="constraints_add").disabled
    app.click("constraints_group_rest").click("constraints_add").assert_refuses_nothing()
    assert asked(app) == ['demographic_parity by ["merit > 1" as "high", "merit <= 1" as "the rest"] <= 0.05']
    app.set("text_input", "constraints_where", "mrit > 1")
    assert "merit" in app.errors and app.text_input(key="constraints_where").value == "mrit > 1"
    app.click("constraints_drop_1")
    assert app.button(key="constraints_add").disabled


def test_two_metrics_at_once_and_costs_of_errors_are_constraints(app):
    bring(app).set("selectbox", "constraints_metric", "equalized_odds").click("constraints_add")
    assert [text.split()[0] for text in asked(app)] == ["fpr", "fnr"]
    app.set("selectbox", "constraints_metric", "aec").set("number_input", "constraints_false_negative_cost", 3.0)
    app.click("constraints_add")
    assert asked(app)[2].startswith("aec(1, 3) by [") and asked(app)[2].endswith("<= 0.05")
    app.set("selectbox", "constraints_metric", "errors").set("number_input", "constraints_false_negative_cost", 0.5)
    app.click("constraints_add")
    assert asked(app)[3].startswith("errors(1, 0.5) by [") and asked(app)[3].endswith("<= 0.05")
    app.click("constraints_edit_3")
    assert app.selectbox(key="constraints_metric").value == "errors"
    assert app.number_input(key="constraints_false_negative_cost").value == 0.5
    app.set("number_input", "constraints_cost_difference", 0.0)
    assert "must be above 0" in app.errors and app.button(key="constraints_add").disabled


def test_constraint_is_edited_removed_and_brought_back(app):
    bring(app, *BOTH).click("constraints_edit_1")
    assert app.multiselect(key="constraints_columns").value == ["area"]
    assert app.number_input(key="constraints_points").value == 20.0
    app.set("number_input", "constraints_points", 10.0).click("constraints_add")
    assert asked(app) == [BY_SEX, "fpr by area <= 0.1"]
    app.click("constraints_remove_0")
    assert asked(app) == ["fpr by area <= 0.1"]
    app.click("constraints_undo").click("constraints_undo")
    assert asked(app) == list(BOTH)
    app.click("constraints_clear")
    assert asked(app) == [] and app.button(key="constraints_fit").disabled


def test_text_and_controls_are_kept_in_step(app):
    write(bring(app), "equalized_odds by sex <= 5%; demographic_parity by area <= 0.1")
    assert asked(app) == ["fpr by sex <= 0.05", "fnr by sex <= 0.05", "demographic_parity by area <= 0.1"]
    assert app.text_area(key="constraints_text").value == "\n".join(asked(app))
    app.click("constraints_remove_2")
    assert app.text_area(key="constraints_text").value == "\n".join(asked(app))
    write(app, "")
    assert asked(app) == []


@pytest.mark.parametrize(
    ("text", "said", "column"),
    [
        ("demographic_parity by sex <= 0.1\nfpr bi sex <= 0.1", "Expected 'by'", 4),
        ("fpr by sx <= 0.1", "There is no column 'sx'", 7),
        ("fpr by sex <= 0", "must be above 0", 14),
        ('fpr by ["merit >", "merit < 0"] <= 0.1', "ends too early", 16),
    ],
)
def test_text_that_cannot_be_used_is_explained_with_its_place_and_kept(app, text, said, column):
    write(bring(app, BY_SEX), text)
    assert said in app.errors
    (shown, sign), *_ = (code.value.splitlines() for code in app.code)
    assert text.splitlines()[-1].startswith(shown) and sign == " " * column + "^"
    app.go("Check").go("Constraints")
    assert app.text_area(key="constraints_text").value == text and said in app.errors
    assert asked(app) == [BY_SEX]
    write(app, "demographic_parity by area <= 0.2")
    app.assert_refuses_nothing()
    assert asked(app) == ["demographic_parity by area <= 0.2"]


def test_form_outlasts_the_page(app):
    bring(app, BY_SEX).set("selectbox", "constraints_metric", "error_rate").set(
        "number_input", "constraints_points", 7.0
    )
    app.set("radio", "constraints_how", "own").set("text_input", "constraints_where", "merit > 1")
    app.set("selectbox", "constraints_model", "random_forest").go("Check").go("Constraints")
    assert app.selectbox(key="constraints_metric").value == "error_rate"
    assert app.number_input(key="constraints_points").value == 7.0
    assert app.text_input(key="constraints_where").value == "merit > 1"
    assert app.selectbox(key="constraints_model").value == "random_forest"


def test_broken_constraints_of_the_plain_model_are_shown_before_any_training(app):
    finish(
        bring(app, "demographic_parity by sex <= 0.01", "demographic_parity by sex <= 0.9").click("constraints_plain")
    ).assert_refuses_nothing()
    assert say(Message("constrain-breaks", {"n": Count(1), "all": Count(2)})) in app.text
    table = next(element.value for element in app.table if "met" in element.value.columns)
    assert table["met"].tolist() == ["no", "yes"]
    assert not app.state.remedies and list(app.state.fitted) == [plan_key(PlainPlan())]


def test_training_shows_what_is_met_and_offers_other_models_of_the_search(trained):
    trained.assert_refuses_nothing()
    assert has_answer(trained)
    (entry,) = trained.state.remedies
    assert entry.in_report and entry.plan.constraints == BOTH
    # Another model of the search is judged without a fit.
    details = trained.state.find_fitted(entry.plan).candidate.finding.details
    slider = next(each for each in trained.select_slider if each.label == "Other limits")
    assert trained.button(key="constraints_judge").disabled
    slider.set_value(max(scales(details.path)))
    trained.run()
    finish(trained.click("constraints_judge")).assert_refuses_nothing()
    other = trained.state.remedies[1].plan
    assert other.scale > 1 and other.constraints == entry.plan.constraints
    found = trained.state.find_fitted(other).candidate.finding.details
    assert found.n_fits == details.n_fits and found.accuracy >= details.accuracy
    trained.go("Compare").assert_refuses_nothing()
    assert "Train to your limits" in trained.text
    assert "Train to your limits" in trained.go("Report").text


def test_result_is_marked_when_the_constraints_or_the_settings_have_changed(trained):
    [entry] = trained.state.remedies
    changed = say(Message("constrain-changed", {"name": Phrase(remedy_name(entry.plan))}))
    assert changed not in trained.text
    trained.click("constraints_remove_0")
    assert changed in trained.text
    trained.click("constraints_undo")
    assert changed not in trained.text
    trained.state.models = trained.state.models.model_copy(update={"features": ("merit",)})
    assert "Out of date" in trained.run().warnings


def test_saved_audit_reopens_into_the_form(trained, another_app):
    another_app.open_audit(trained.state.plan().to_toml())
    another_app.state.put_table(as_loans(biased_loans(600)), source="loans.csv")
    another_app.go("Constraints").assert_refuses_nothing()
    assert asked(another_app) == list(BOTH)
    finish(another_app.click("remedies_fit_kept"))
    assert has_answer(another_app)


def test_constraint_on_a_column_that_is_gone_stops_no_other_page(trained):
    trained.state.put_table(as_loans(biased_loans(600).drop(columns="area")), source="loans.csv")
    trained.state.models = trained.state.models.model_copy(update={"features": ("merit", "weight")})
    assert "area" in " ".join(trained.state.dropped)
    trained.go("Retrain").assert_refuses_nothing()
    trained.go("Constraints")
    assert "area" in trained.errors and trained.button(key="constraints_fit").disabled
    trained.click("constraints_remove_1").assert_refuses_nothing()
    assert not trained.button(key="constraints_fit").disabled


def test_limits_among_similar_cases_are_offered_where_the_question_has_some(app, another_app):
    bring(app, BY_SEX)
    assert "constraints_among" not in {box.key for box in app.test.checkbox}
    app.state.change_check(protected="sex = 'woman'", strata=("area",))
    app.go("Constraints").set("checkbox", "constraints_among", True)
    assert not app.test.checkbox(key="constraints_confidence").disabled
    finish(app.click("constraints_fit")).assert_refuses_nothing()
    [entry] = app.state.remedies
    assert entry.plan.strata == ("area",) and entry.plan.confidence is None and has_answer(app)
    assert "among similar cases" in remedy_name(entry.plan)
    another_app.open_audit(app.state.plan().to_toml())
    another_app.state.put_table(as_loans(biased_loans(600)), source="loans.csv")
    assert another_app.go("Constraints").test.checkbox(key="constraints_among").value is True


def test_search_is_seen_while_it_goes_on_and_a_stop_is_asked_for(app):
    bring(app, BY_SEX)
    fits = [(0.9, 3.0), (0.87, math.inf), (0.86, 0.8)]
    found = [
        Incumbent(
            "fit",
            {
                "fit": fit,
                "multiplier": 0.1 * fit,
                "accuracy": accuracy,
                "ratio": ratio,
                "met": ratio <= 1,
                "threshold": None,
            },
            best=ratio <= 1,
        )
        for fit, (accuracy, ratio) in enumerate(fits, start=1)
    ]
    with search_in_sight(app, ConstrainPlan(constraints=(BY_SEX,)), found):
        assert "Models 3" in app.text and "Best so far 86.0" in app.text and "all met" in app.text


def test_group_that_cannot_be_measured_is_named(app):
    frame = biased_loans(600)
    frame.loc[frame["area"] == "west", "granted"] = "no"
    finish(bring(app, "fnr by area <= 0.1", frame=frame).click("constraints_fit"))
    assert "'west'" in app.errors and has(app, "constraints_fit")


def test_rows_that_the_gap_is_measured_on_are_shown(app):
    bring(app, BY_SEX, frame=with_sex(biased_loans(600), missing=True), where=NARROWED).click("constraints_fit")
    assert_names_rows(finish(app))


def test_the_wish_that_no_group_is_worse_off_is_asked_judged_and_kept_in_the_audit(app, another_app):
    bring(app, "demographic_parity by sex <= 0.03", "tpr by sex >= 0.6").set(
        "checkbox", "constraints_no_group_worse_off", True
    )
    finish(app.click("constraints_fit"))
    [entry] = app.state.remedies
    assert entry.plan.no_group_worse_off
    assert app.state.find_fitted(entry.plan).candidate.finding.worse_off.kept
    app.set("checkbox", "constraints_no_group_worse_off", False)
    assert say(Message("constrain-changed", {"name": Phrase(remedy_name(entry.plan))})) in app.text
    another_app.open_audit(app.state.plan().to_toml())
    another_app.state.put_table(as_loans(biased_loans(600)), source="loans.csv")
    another_app.go("Constraints")
    assert another_app.test.checkbox(key="constraints_no_group_worse_off").value is True


def test_a_limit_for_new_people_is_asked_by_a_tick_and_shown_and_other_limits_are_not_offered_then(app, another_app):
    bring(app, "demographic_parity by sex <= 0.2").set("checkbox", "constraints_confidence", True)
    finish(app.click("constraints_fit"))
    [entry] = app.state.remedies
    assert entry.plan.confidence == 0.9
    certified = app.state.find_fitted(entry.plan).candidate.finding.certified
    assert certified.n_rows and say(Message("remedy-certified-title")) in app.text
    assert say(Message("constrain-search-certified")) in app.text and not has(app, "constraints_judge")
    app.set("checkbox", "constraints_no_group_worse_off", True)
    assert not app.test.checkbox(key="constraints_confidence").disabled
    another_app.open_audit(app.state.plan().to_toml())
    another_app.state.put_table(as_loans(biased_loans(600)), source="loans.csv")
    another_app.go("Constraints")
    assert another_app.test.checkbox(key="constraints_confidence").value is True
