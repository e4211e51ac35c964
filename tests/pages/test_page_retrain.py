"""The page Retrain: what models learn from, fits that go on in the background, and what is kept of them."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from remedy_pages import (
    NARROWED,
    PATIENCE_S,
    assert_names_rows,
    bring_loans,
    finish,
    has_answer,
    put,
    with_sex,
)
from shown import shows
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit import AuditPlan
from fairaudit.audit.trying import iter_remedy
from fairaudit.events import STOP, Finished, Progress, Started
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.remedies.relabel.details import is_all_there_is, no_more, reach_message
from fairaudit.remedies.relabel.fit import reach_of
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.study.findings import plan_key
from fairaudit.study.rows import Study
from ui.entries import settings_of
from ui.remedies import fitting
from ui.remedies.learning_panel import TAKE, other_question_words
from ui.remedies.trying import tick_key

pytestmark = pytest.mark.campaign

FIRST = say(Message("learn-first", {"button": Phrase(TAKE)}))
QUICK = {"risk_model": "logistic_regression", "final_model": "logistic_regression"}


def bring(app, *, n: int = 500, refused: float = 0.5) -> None:
    """Give a session the loans and a question, without a word on models."""
    app.go("")
    plan = loans_plan()
    app.state.put_table(as_loans(biased_loans(n, refused=refused)), source="loans.csv")
    app.state.decision, app.state.protected_columns, app.state.score = plan.decision, ("sex",), plan.score
    app.state.change_check(protected="sex = 'woman'")
    app.state.change_check(protected_name="women")
    app.state.settings[settings_of("relabel")] = RelabelPlan(**QUICK)


@pytest.fixture
def loans(app):
    """The app on the page Retrain, where nobody has said yet what models learn from."""
    bring(app)
    return app.go("Retrain")


@pytest.fixture
def learning(loans):
    """The same, with the suggested settings taken."""
    return loans.click("models_take")


def test_before_a_fit_it_is_said_what_models_reach_that_do_not_see_who_is_protected(learning):
    unseen, study = say(Message("retrain-unseen")), learning.state.study[1]
    reached = say(reach_message(reach_of(study), study.models.tolerance))
    assert "sex" not in study.facts.features and reached in learning.text and unseen not in learning.text
    learning.state.settings[settings_of("relabel")] = RelabelPlan(**QUICK, as_published=True)
    assert unseen in learning.run().text
    learning.state.models = learning.state.models.model_copy(
        update={"features": (*learning.state.models.features, "sex")}
    )
    text = learning.run().text
    assert unseen not in text and reached not in text


def test_where_the_data_allow_no_more_the_curve_is_the_picture_and_that_is_said(learning):
    plan = RelabelPlan(**QUICK, target_gap=1e-9)
    learning.state.settings[settings_of("relabel")] = plan
    finish(learning.run().click("retrain_fit")).assert_refuses_nothing()
    details = learning.state.find_fitted(plan).candidate.finding.details
    assert is_all_there_is(details) and say(no_more(details)) in learning.text and has_answer(learning)


def test_how_far_decisions_were_changed_is_shown_and_can_be_switched_off(learning):
    finish(learning.click("retrain_fit"))
    details = learning.state.find_fitted(RelabelPlan(**QUICK)).candidate.finding.details
    assert len(details.path) and len(table_named(learning, "how far", "accuracy")) == len(details.path)
    learning.set("toggle", "retrain_more", True)
    assert not [box for box in learning.checkbox if box.key == "retrain_reweigh"]
    learning.set("checkbox", "retrain_search", False)
    assert learning.state.settings[settings_of("relabel")].search is False
    learning.set("checkbox", "retrain_as_published", True)
    assert not [box for box in learning.checkbox if box.key == "retrain_search"]


@pytest.fixture(scope="module")
def relabelled():
    """A remedy that is fitted once for all tests."""
    return drained(iter_remedy(Study.of(as_loans(biased_loans(500)), loans_plan()), RelabelPlan(**QUICK)))


@pytest.fixture
def retrained(learning, relabelled):
    """The same, with one remedy fitted."""
    return put(learning, relabelled)


@pytest.fixture
def gate(monkeypatch):
    """Fits wait at their first step until the gate opens."""
    opened = threading.Event()

    def held(study, plan, *, known=None):
        yield Started("held work", 2)
        while not opened.wait(0.01):
            if (yield Progress("held work", 1, 2)) is STOP:
                break
        candidate = next(e for e in iter_remedy(study, plan, known=known) if isinstance(e, Finished))
        yield candidate

    monkeypatch.setattr(fitting, "iter_remedy", held)
    yield opened
    opened.set()


def table_named(app, *words: str):
    """Return the table on the page whose head holds all words."""
    return next(t.value for t in app.table if all(word in " ".join(map(str, t.value.columns)) for word in words))


# What models learn from


def test_nothing_is_fitted_before_the_person_has_said_what_models_learn_from(loans):
    assert FIRST in loans.text
    assert loans.state.models is None and loans.state.plan().models is None
    assert not [b for b in loans.button if b.key == "retrain_fit"]


def test_suggestion_leaves_out_the_decision_the_score_row_numbers_and_who_is_protected(loans):
    assert set(loans.multiselect(key=f"models_features_{loans.state.data_key}").value) == {"merit", "weight", "area"}
    assert "granted" not in loans.multiselect(key=f"models_features_{loans.state.data_key}").options
    assert "sex (it may say who is protected)" in loans.text and "number (it names the rows)" in loans.text
    assert "granted (" not in loans.text


def test_a_column_that_is_chosen_is_no_longer_said_not_to_be_proposed(learning):
    assert "sex (it may say who is protected)" in learning.text
    learning.set("multiselect", f"models_features_{learning.state.data_key}", ["merit", "sex"])
    assert "sex (" not in learning.text


def test_sizes_of_the_parts_are_shown_and_add_up(learning):
    facts = learning.state.study[1].facts
    assert facts.n_train + facts.n_tune + facts.n_held_out == facts.n_rows
    sizes = {"n": Count(facts.n_train + facts.n_tune), "test": Count(facts.n_held_out)}
    undecided = {"n": Count(facts.n_undecided), "what": Phrase("a decision")}
    for said in (Message("learn-sizes", sizes), Message("learning-undecided", undecided)):
        assert say(said) in learning.text


def test_learning_from_a_protected_column_is_possible_and_said(learning):
    seen = say(Message("learn-shows-group", {"columns": Phrase("sex")}))
    assert seen not in learning.warnings
    learning.set("multiselect", f"models_features_{learning.state.data_key}", ["merit", "sex"])
    assert seen in learning.warnings
    assert "not in use yet" in learning.text and learning.state.models.features == ("merit", "weight", "area")
    learning.click("models_take")
    assert learning.state.models.features == ("merit", "sex")
    assert learning.state.study[1].facts.protected_features == ("sex",)


def test_no_columns_is_said_and_cannot_be_taken(loans):
    loans.set("multiselect", f"models_features_{loans.state.data_key}", [])
    assert shows(loans.warnings, "learn-choose-first")
    assert not [b for b in loans.button if b.key == "models_take"]


def test_choices_about_models_outlast_the_page(learning):
    learning.set("multiselect", f"models_by_{learning.state.data_key}", ["area"])
    learning.set("radio", "models_positive", "unfavorable")
    learning.set("toggle", "models_more", True).set("number_input", "models_components", 2)
    learning.click("models_take").go("Check").go("Retrain")
    taken = learning.state.models
    assert (taken.by, taken.positive, taken.n_components) == (("area",), "unfavorable", 2)
    assert learning.multiselect(key=f"models_by_{learning.state.data_key}").value == ["area"]
    assert learning.radio(key="models_positive").value == "unfavorable"
    assert learning.number_input(key="models_components").value == 2


def test_question_that_changed_is_offered_and_not_taken_unasked(learning):
    learning.state.change_check(tolerance=0.2)
    learning.run()
    assert "not in use yet" in learning.text and learning.state.models.tolerance == 0.05
    assert learning.click("models_take").state.models.tolerance == 0.2


def test_another_question_of_the_audit_can_be_judged(learning):
    learning.go("Check").click("check_another")
    learning.protect("area = 'north'").go("Retrain")
    assert learning.state.models.protected == "sex = 'woman'"
    learning.set("selectbox", "models_question_2", 1).click("models_take")
    assert learning.state.models.protected == "area = 'north'"


@pytest.mark.parametrize(
    "protected, said",
    [
        ("sex = 'nobody'", "No row of the protected group"),
        ("sex = ", "ends too early"),
        ("size = 1", "no column"),
    ],
)
def test_settings_that_do_not_fit_are_said_with_a_way_forward(learning, protected, said):
    learning.state.models = learning.state.models.model_copy(update={"protected": protected})
    learning.run()
    assert said in learning.errors and len(learning.error) == 1
    assert not [b for b in learning.button if b.key == "retrain_fit"]


def test_few_rows_are_said(app):
    bring(app, n=15)
    app.go("Retrain").click("models_take")
    assert "at least 20 rows" in app.errors


# Fitting


def test_retraining_shows_the_answer_and_keeps_it_for_the_report(learning):
    retrained = finish(learning.click("retrain_fit"))
    retrained.assert_refuses_nothing()
    assert has_answer(retrained)
    (entry,) = retrained.state.remedies
    assert entry.in_report and entry.plan == RelabelPlan(**QUICK)
    plan = retrained.state.plan()
    assert plan.models == retrained.state.models and plan.remedies == (entry.plan,)
    assert AuditPlan.from_toml(plan.to_toml()) == plan


def test_changed_labels_are_shown_by_group(retrained):
    details = retrained.state.find_fitted(RelabelPlan(**QUICK)).candidate.finding.details
    assert details.n_flipped > 0
    shown = table_named(retrained, "decisions changed")
    assert shown["decisions changed"].astype(int).sum() == details.n_flipped
    assert "women" in shown["group"].tolist()


def test_result_and_choices_outlast_the_page(retrained):
    retrained.go("Check").go("Retrain")
    assert has_answer(retrained) and "Out of date" not in retrained.warnings
    assert retrained.selectbox(key="retrain_final_model").value == "logistic_regression"


def test_same_remedy_fitted_again_is_kept_once(retrained):
    retrained.click("retrain_fit")
    finish(retrained)
    assert len(retrained.state.remedies) == 1


def test_remedy_can_be_left_out_of_the_report(retrained):
    key = tick_key(retrained.state.remedies[0].plan)
    retrained.set("checkbox", key, False)
    assert retrained.state.plan().remedies == ()
    retrained.go("Check").go("Retrain")
    assert retrained.checkbox(key=key).value is False
    retrained.set("checkbox", key, True)
    assert len(retrained.state.plan().remedies) == 1


def test_other_settings_make_a_result_out_of_date_and_fitting_renews_it(retrained):
    retrained.set("multiselect", f"models_features_{retrained.state.data_key}", ["merit"]).click("models_take")
    assert "Out of date" in retrained.warnings
    retrained.click("retrain_fit")
    finish(retrained)
    assert "Out of date" not in retrained.warnings
    retrained.state.seed = 5
    assert "Out of date" in retrained.run().warnings


def test_models_say_by_which_question_they_are_judged_once_another_is_asked(retrained):
    assert other_question_words(retrained.state) not in retrained.warnings
    retrained.state.change_check(where="merit > 0")
    said = retrained.run().warnings
    assert other_question_words(retrained.state) in said and "the gap of women, among all cases" in said


def test_a_fit_begun_with_other_settings_is_distinguished_from_those_of_now(learning, gate):
    learning.click("retrain_fit")
    assert "Begun with other settings" not in learning.text
    learning.state.seed = 5
    assert "Begun with other settings" in learning.run().text
    gate.set()
    finish(learning)


def test_the_other_algorithm_is_another_remedy_and_both_can_be_looked_at(retrained):
    retrained.set("radio", "retrain_algorithm", "risk_adjustment").click("retrain_fit")
    finish(retrained)
    assert [e.plan.algorithm for e in retrained.state.remedies] == ["risk_flipping", "risk_adjustment"]
    assert retrained.state.shown["relabel"] == plan_key(RelabelPlan(algorithm="risk_adjustment", **QUICK))
    retrained.set("selectbox", "remedies_shown_relabel", plan_key(RelabelPlan(**QUICK)))
    assert retrained.state.shown["relabel"] == plan_key(RelabelPlan(**QUICK))
    retrained.assert_refuses_nothing()


def test_all_pairs_are_ranked_beside_each_other_and_kept_on_request(learning):
    learning.click("retrain_pairs")
    assert len(learning.state.jobs.active) + len(learning.state.fitted) >= 4
    finish(learning)
    assert learning.state.remedies == []
    shown = table_named(learning, "first model", "AUC")
    assert len(shown) == 4
    areas = [float(cell.replace("\\", "")) for cell in shown["AUC"]]
    assert areas == sorted(areas, reverse=True)
    learning.set("checkbox", "retrain_keep_logistic_regression_mlp", True)
    (kept,) = learning.state.plan().remedies
    assert (kept.risk_model, kept.final_model) == ("logistic_regression", "mlp")


def test_rows_are_drawn_on_the_page_and_not_where_small_counts_are_hidden(retrained):
    assert [s for s in retrained.selectbox if s.key == "retrain_x"]
    before = len(retrained.get("download_button"))
    assert before > 1
    retrained.state.small_cells = retrained.state.small_cells.model_copy(update={"mask": True})
    retrained.run()
    assert not [s for s in retrained.selectbox if s.key == "retrain_x"]
    assert say(Message("retrain-masked-points")) in retrained.text
    # What is left is saving the audit.
    assert len(retrained.get("download_button")) == 1


def test_fit_that_cannot_be_made_is_said_and_can_be_dismissed(app):
    bring(app, n=60, refused=1.0)
    app.state.change_check(where="area = 'north' AND merit > 1.5")
    app.go("Retrain").click("models_take")
    if not app.error:
        app.click("retrain_fit")
        finish(app)
    assert len(app.error) == 1
    for button in [b for b in app.button if b.key.startswith("remedies_dismiss")]:
        app.click(button.key)
        assert not app.error


# In the background


def test_fit_goes_on_while_the_person_looks_at_other_pages(learning, gate):
    learning.click("retrain_fit")
    assert [b for b in learning.button if b.label == "Stop"]
    learning.go("Check")
    assert "Retraining …" in learning.text and not learning.state.fitted
    gate.set()
    finish(learning)
    assert "Retraining: finished." in learning.text and len(learning.state.fitted) == 1
    assert has_answer(learning.go("Retrain"))


def test_stop_ends_the_fit(learning, gate):
    learning.click("retrain_fit")
    learning.click(next(b.key for b in learning.button if b.label == "Stop"))
    finish(learning)
    assert len(learning.state.fitted) == 1 and not learning.state.jobs.active


def test_new_data_cancel_the_fit_and_forget_the_results(retrained, gate):
    retrained.click("retrain_fit")
    (job,) = retrained.state.jobs.active
    retrained.state.put_table(as_loans(biased_loans(400, seed=9)), source="loans.csv")
    gate.set()
    assert job.wait(PATIENCE_S) and job.status == "cancelled"
    assert retrained.state.fitted == {} and retrained.state.study is None
    retrained.run()
    assert say(Message("retrain-nothing")) in retrained.text and len(retrained.state.remedies) == 1


def test_result_of_settings_that_changed_meanwhile_is_out_of_date(learning, gate):
    learning.click("retrain_fit")
    learning.set("multiselect", f"models_features_{learning.state.data_key}", ["merit"]).click("models_take")
    gate.set()
    finish(learning)
    assert "Out of date" in learning.warnings


def test_error_inside_a_fit_is_a_sentence_without_data(learning, monkeypatch):
    def wrong(study, plan, *, known=None):
        yield Started("work", 1)
        raise ZeroDivisionError("woman 4711")

    monkeypatch.setattr(fitting, "iter_remedy", wrong)
    learning.click("retrain_fit")
    finish(learning)
    assert "failed inside fairaudit" in learning.errors and "4711" not in learning.text
    learning.click(next(b.key for b in learning.button if b.label == "Dismiss"))
    learning.assert_refuses_nothing()


def test_two_sessions_fit_at_the_same_time_and_share_nothing(learning, another_app):
    bring(another_app, n=400)
    another_app.go("Retrain").click("models_take")
    learning.click("retrain_fit")
    another_app.click("retrain_fit")
    finish(learning), finish(another_app)
    first, second = (next(iter(app.state.fitted.values())).candidate for app in (learning, another_app))
    assert first.finding.after.n != second.finding.after.n


def test_result_of_a_stopped_fit_says_so(retrained):
    (fitted,) = retrained.state.fitted.values()
    assert "Stopped before its end" not in retrained.warnings
    finding = fitted.candidate.finding
    stopped = replace(finding, details=replace(finding.details, stopped=True))
    key = plan_key(finding.plan)
    retrained.state.fitted[key] = replace(fitted, candidate=replace(fitted.candidate, finding=stopped))
    assert "Stopped before its end" in retrained.run().warnings


# Saved audits


def test_saved_audit_reopens_with_its_models_and_remedies(retrained, another_app):
    text = retrained.state.plan().to_toml()
    another_app.open_audit(text)
    another_app.state.put_table(as_loans(biased_loans(500)), source="loans.csv")
    assert another_app.state.models == retrained.state.models
    assert [e.plan for e in another_app.state.remedies] == [e.plan for e in retrained.state.remedies]
    another_app.go("Retrain")
    kept = say(Message("learn-kept", {"n": Count(1)}))
    assert say(Message("retrain-nothing")) in another_app.text and kept in another_app.text
    another_app.assert_refuses_nothing()
    another_app.click("remedies_fit_kept")
    finish(another_app)
    assert has_answer(another_app) and kept not in another_app.text
    [entry] = retrained.state.remedies
    saved = drained(iter_remedy(Study.of(retrained.state.table, retrained.state.plan()), entry.plan))
    [again] = another_app.state.fitted.values()
    assert str(saved.finding.after.measures) == str(again.candidate.finding.after.measures)


def test_features_that_the_table_lacks_are_left_out_and_said(retrained):
    frame = biased_loans(500).drop(columns=["weight"])
    retrained.state.put_table(as_loans(frame), source="loans.csv")
    assert retrained.state.models.features == ("merit", "area")
    assert any("'weight'" in sentence for sentence in retrained.state.dropped)
    retrained.go("Retrain").assert_refuses_nothing()


def test_table_without_any_of_the_features_asks_again(retrained):
    frame = biased_loans(500).drop(columns=["weight", "merit", "area"])
    retrained.state.put_table(as_loans(frame), source="loans.csv")
    assert retrained.state.models is None and retrained.state.plan().remedies == ()
    retrained.go("Retrain")
    assert FIRST in retrained.text


def test_hostile_names_are_shown_as_text(app):
    frame = biased_loans(400).rename(columns={"merit": "**m** $x$ :red[a]", "area": "<b>", "sex": "a](http://b)"})
    app.go("")
    plan = loans_plan()
    app.state.put_table(as_loans(frame), source="loans.csv")
    app.state.decision = plan.decision
    app.state.change_check(protected="\"a](http://b)\" = 'woman'")
    app.state.settings[settings_of("relabel")] = RelabelPlan(**QUICK)
    app.go("Retrain").click("models_take").click("retrain_fit")
    finish(app).assert_refuses_nothing()
    assert has_answer(app)


def test_rows_that_the_gap_is_measured_on_are_shown(app):
    bring_loans(app, with_sex(biased_loans(500), missing=True), where=NARROWED)
    app.state.settings[settings_of("relabel")] = RelabelPlan(**QUICK)
    finish(app.go("Retrain").click("retrain_fit"))
    assert_names_rows(app)


def test_press_just_before_the_page_is_left_begins_the_fit(learning, gate):
    # Where both come before the page is drawn, the server draws the other page once, with the press.
    learning.test.button(key="retrain_fit").click()
    learning.go("Compare")
    assert [job.about.plan for job in learning.state.jobs.active] == [RelabelPlan(**QUICK)]
    gate.set()
    finish(learning)
    assert learning.state.find_current(RelabelPlan(**QUICK)) is not None


def test_press_on_settings_that_were_just_changed_waits_for_its_page(learning, gate):
    learning.test.selectbox(key="retrain_final_model").set_value("random_forest")
    learning.test.button(key="retrain_fit").click()
    learning.go("Compare")
    assert not learning.state.jobs.active
    learning.go("Retrain")
    assert [job.about.plan.final_model for job in learning.state.jobs.active] == ["random_forest"]
    gate.set()
    finish(learning)
