"""The page Thresholds: a score, thresholds tried on the tuning rows at once, and their judgement on held-out rows."""

from __future__ import annotations

import numpy as np
import pytest
from remedy_pages import NARROWED, assert_names_rows, bring_loans, figures, finish, has, has_answer, said_of, with_sex
from study_data import as_loans, biased_loans

from fairaudit import AuditPlan
from fairaudit.audit.trying import remedy_name
from fairaudit.findings import Count, Message, Phrase, Points
from fairaudit.messages import say
from fairaudit.plan.outcomes import ScorePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.findings import plan_key
from ui.entries import settings_of

pytestmark = pytest.mark.campaign


def bring(app, *, frame=None, score=None, **models):
    """Give a session the loans, a question, and what models learn from."""
    return bring_loans(app, biased_loans(500) if frame is None else frame, score=score, **models)


def tuning_of(app):
    """What the page counted."""
    return next(value for place, value in app.state.memo.items() if place[0] == "tuning")


@pytest.fixture
def scored(app):
    """The page, on the score that the data hold, cut at 0."""
    bring(app, score=ScorePlan(column="rating", cut=0.0))
    app.state.settings[settings_of("thresholds")] = ThresholdsPlan(model="score")
    return app.go("Thresholds")


@pytest.fixture
def fitted(app):
    """The page, with a fitted logistic regression."""
    return finish(bring(app).go("Thresholds").click("thresholds_fit"))


def judge(app):
    """Ask for the test of what is set by hand, and wait for it."""
    return finish(app.click("thresholds_judge"))


# Which score


def test_one_press_trains_finds_and_tests_and_then_thresholds_can_be_tried(app):
    bring(app).go("Thresholds")
    assert has(app, "thresholds_fit") and not has(app, "thresholds_judge") and not app.slider
    finish(app.click("thresholds_fit")).assert_refuses_nothing()
    assert has_answer(app) and has(app, "thresholds_judge") and len(app.slider) == 2
    assert plan_key(PlainPlan()) in app.state.fitted
    assert [entry.plan for entry in app.state.remedies] == [ThresholdsPlan()]


def test_the_answer_names_the_gap_that_thresholds_are_made_for(app):
    fitted = finish(bring(app, frame=biased_loans(1600)).go("Thresholds").click("thresholds_fit"))
    [plan] = [entry.plan for entry in fitted.state.remedies]
    finding = fitted.state.find_fitted(plan).candidate.finding
    [aim] = [each for each in said_of(fitted, "thresholds").lead if each.key == "remedy-lead-aim"]
    for side in ("before", "after"):
        widest = max(abs(getattr(c, side)) for c in finding.changes if c.measure in ("tpr_gap", "fpr_gap"))
        assert dict(aim.args)[side] == Points(widest)
    assert say(aim) in fitted.text


def test_score_of_the_data_is_offered_only_where_there_is_one(scored):
    assert "The score in the data" in scored.selectbox(key="thresholds_model").options
    scored.state.score = None
    scored.run()
    assert "The score in the data" not in scored.selectbox(key="thresholds_model").options


def test_a_column_that_is_exactly_the_score_from_a_value_on_is_offered_as_what_is_done_now(app):
    frame = biased_loans(500)
    frame["risk"] = np.clip(np.round(5 - 2 * frame["rating"]), 1, 10)
    frame["flagged"] = np.where(frame["risk"] >= 5, "Y", "N")
    frame["member"] = np.where(frame["risk"] >= 6, "Y", "N")
    bring(app, frame=frame, score=ScorePlan(column="risk", higher_is_favorable=False)).go("Thresholds")
    assert say(Message("thresholds-no-cut")) in app.warnings
    assert "From 5 on, flagged is 'Y'; below it is 'N'." in app.text
    app.click("thresholds_in_use").assert_refuses_nothing()
    assert app.state.score == ScorePlan(column="risk", higher_is_favorable=False, cut=5)
    assert say(Message("thresholds-no-cut")) not in app.warnings and not has(app, "thresholds_in_use")
    assert [slider.value for slider in app.click("thresholds_same").slider] == [4, 4]
    assert app.go("Data").number_input(key=app.data_key("score_cut_risk")).value == 5


def test_nothing_is_offered_where_no_column_is_exactly_the_score_from_a_value_on(app):
    bring(app, score=ScorePlan(column="rating")).go("Thresholds")
    assert say(Message("thresholds-no-cut")) in app.warnings
    assert not has(app, "thresholds_in_use")


def test_support_vector_machine_has_scores_below_zero(app):
    bring(app).state.settings[settings_of("thresholds")] = ThresholdsPlan(model="svm")
    finish(app.go("Thresholds").click("thresholds_fit"))
    assert app.slider[0].min < 0 < app.slider[0].max
    judge(app).assert_refuses_nothing()


# Trying


def test_best_thresholds_are_those_of_the_exact_search(fitted):
    best = tuning_of(fitted).problem.best(1.0)
    names = tuning_of(fitted).names
    assert [slider.value for slider in fitted.slider] == [best.by_group[name] for name in names]
    assert say(Message("thresholds-best")) in fitted.text


def test_where_a_limit_is_to_hold_on_new_people_it_is_said_that_others_are_tested(fitted):
    said = say(Message("thresholds-held-tested"))
    assert said not in fitted.text
    draft = fitted.state.settings[settings_of("thresholds")]
    fitted.state.settings[settings_of("thresholds")] = draft.model_copy(update={"confidence": 0.9})
    assert said in fitted.run().text


def test_slider_changes_the_figures_at_once_and_marks_thresholds_as_set_by_hand(scored):
    before = figures(scored)
    name = tuning_of(scored).names[0]
    scored.set("slider", "thresholds_cut_0", scored.slider(key="thresholds_cut_0").max)
    assert figures(scored) != before
    assert say(Message("thresholds-nobody", {"group": Phrase(name)})) in scored.text
    draft = scored.state.settings[settings_of("thresholds")]
    assert draft.search == "chosen" and dict(draft.thresholds)[name] == scored.slider(key="thresholds_cut_0").value


def test_moving_one_slider_leaves_the_other_threshold_as_exact_as_it_was(scored):
    other = tuning_of(scored).names[1]
    exact = tuning_of(scored).problem.best(1.0).by_group[other]
    scored.set("slider", "thresholds_cut_0", 0.5)
    assert dict(scored.state.settings[settings_of("thresholds")].thresholds)[other] == exact


def test_one_threshold_for_all_is_the_cut_from_before(scored):
    scored.click("thresholds_same")
    tuning = tuning_of(scored)
    assert {value for _, value in scored.state.settings[settings_of("thresholds")].thresholds} == {tuning.default}
    assert f"{100 * tuning.before.accuracy:.1f}" in figures(scored)["Accuracy"]


def test_swarm_says_how_far_it_is_from_the_exact_optimum(scored):
    scored.click("thresholds_pso")
    assert scored.state.settings[settings_of("thresholds")].search == "pso"
    assert scored.state.settings[settings_of("thresholds")].swarm == "thresholds"
    scored.set("number_input", "thresholds_n_particles", 20).set("number_input", "thresholds_inertia", 0.5)
    draft = scored.state.settings[settings_of("thresholds")]
    assert (draft.search, draft.n_particles, draft.inertia) == ("pso", 20, 0.5)
    near = say(Message("thresholds-near")) in scored.text
    assert near or "short of the best" in scored.text


def test_larger_weight_gives_no_larger_gap(scored):
    gaps = []
    for weight in (0.0, 1.0, 10.0):
        scored.set("select_slider", "thresholds_fairness_weight", weight)
        gaps.append(tuning_of(scored).problem.best(weight).gap)
        assert scored.state.settings[settings_of("thresholds")].fairness_weight == weight
    assert gaps == sorted(gaps, reverse=True)


def test_no_figure_of_test_cases_appears_before_they_are_asked_for(scored):
    assert say(Message("thresholds-tried-on", {"n": Count(tuning_of(scored).problem.n)})) in scored.text
    assert not has_answer(scored) and not scored.state.fitted


def test_score_where_higher_is_worse_is_shown_in_its_own_numbers(app):
    frame = biased_loans(500)
    frame["risk"] = np.clip(np.round(5 - 2 * frame["rating"]), 1, 10)
    bring(app, frame=frame, score=ScorePlan(column="risk", higher_is_favorable=False, cut=5))
    app.state.settings[settings_of("thresholds")] = ThresholdsPlan(model="score")
    app.go("Thresholds").click("thresholds_same")
    # Below 5, in whole numbers: up to 4.
    assert [slider.value for slider in app.slider] == [4, 4]
    assert "yes up to 4," in app.text
    app.set("slider", "thresholds_cut_0", 6)
    assert dict(app.state.settings[settings_of("thresholds")].thresholds)[tuning_of(app).names[0]] == -6
    judge(app).assert_refuses_nothing()
    assert "yes up to 6," in app.text
    (fitted,) = app.state.fitted.values()
    name = tuning_of(app).names[0]
    assert dict(fitted.candidate.finding.details.thresholds[["group", "after"]].to_numpy())[name] == 6


# Judging


def test_judgement_is_shown_kept_and_repeats_what_was_tried(scored):
    scored.set("select_slider", "thresholds_fairness_weight", 0.5)
    judge(scored).assert_refuses_nothing()
    assert has_answer(scored)
    (entry,) = scored.state.remedies
    assert entry.plan == ThresholdsPlan(model="score", fairness_weight=0.5) and entry.in_report
    details = scored.state.find_fitted(entry.plan).candidate.finding.details
    best = tuning_of(scored).problem.best(0.5)
    assert dict(zip(details.thresholds["group"], details.thresholds["after"], strict=True)) == best.by_group
    assert AuditPlan.from_toml(scored.state.plan().to_toml()) == scored.state.plan()
    assert "How well it does" in scored.text and "Gaps between groups" in scored.text


def test_thresholds_set_by_hand_are_judged_as_they_stand_and_named_by_their_values(scored):
    scored.set("slider", "thresholds_cut_0", 0.5)
    judge(scored)
    (entry,) = scored.state.remedies
    assert entry.plan.search == "chosen" and "0.50" in entry.plan.name
    details = scored.state.find_fitted(entry.plan).candidate.finding.details
    judged = details.thresholds.set_index("group")["after"].to_dict()
    assert judged == dict(entry.plan.thresholds) and judged[tuning_of(scored).names[0]] == 0.5


def test_what_was_tried_outlasts_the_page(scored):
    scored.set("slider", "thresholds_cut_0", 0.5)
    scored.go("Check").go("Thresholds")
    assert scored.slider(key="thresholds_cut_0").value == 0.5
    assert scored.selectbox(key="thresholds_model").value == "score"


def test_other_settings_make_the_judgement_out_of_date(scored):
    judge(scored)
    scored.state.models = scored.state.models.model_copy(update={"features": ("merit",)})
    assert "Out of date" in scored.run().warnings


def test_model_of_other_settings_is_not_used(fitted):
    fitted.state.models = fitted.state.models.model_copy(update={"features": ("merit",)})
    fitted.run()
    assert not fitted.slider and "Out of date" in fitted.warnings


def test_panel_keeps_its_choices_from_one_remedy_page_to_the_next(fitted):
    fitted.go("Equalize").go("Thresholds").assert_refuses_nothing()
    assert "not in use yet" not in fitted.text and len(fitted.slider) == 2


def test_kept_thresholds_of_a_saved_audit_are_offered(scored, another_app):
    scored.set("select_slider", "thresholds_fairness_weight", 0.2)
    text = judge(scored).state.plan().to_toml()
    another_app.open_audit(text)
    another_app.state.put_table(as_loans(biased_loans(500)), source="loans.csv")
    another_app.go("Thresholds")
    assert another_app.selectbox(key="thresholds_model").value == "score"
    assert another_app.select_slider(key="thresholds_fairness_weight").value == 0.2
    another_app.assert_refuses_nothing()


# What cannot be


def test_group_without_good_outcomes_is_named(app):
    frame = biased_loans(500)
    frame.loc[frame["area"] == "west", "granted"] = "no"
    bring(app, frame=frame, score=ScorePlan(column="rating", cut=0.0), by=("area",))
    app.state.settings[settings_of("thresholds")] = ThresholdsPlan(model="score")
    app.go("Thresholds")
    assert "'west' has 0 rows with the favourable result" in app.errors
    assert not app.slider and app.button(key="thresholds_fit").disabled


def test_score_that_is_the_same_for_all_is_said(app):
    frame = biased_loans(500).assign(rating=0.5)
    bring(app, frame=frame, score=ScorePlan(column="rating", cut=0.5))
    app.state.settings[settings_of("thresholds")] = ThresholdsPlan(model="score")
    app.go("Thresholds").assert_refuses_nothing()
    assert say(Message("thresholds-other-score")) in app.warnings and app.button(key="thresholds_fit").disabled


def test_kept_thresholds_on_a_score_that_is_gone_fall_back_to_a_model(scored):
    judge(scored)
    scored.state.score = None
    scored.state.drafts.clear()
    scored.go("Check").go("Thresholds").assert_refuses_nothing()
    assert scored.selectbox(key="thresholds_model").value == "logistic_regression"


@pytest.mark.parametrize("n_groups", [2, 9, 50])
def test_from_two_to_fifty_groups(app, n_groups):
    frame = biased_loans(max(500, 60 * n_groups)).dropna(subset=["granted"])
    frame["town"] = [f"t{i % n_groups:02d}" for i in range(len(frame))]
    bring(app, frame=frame, score=ScorePlan(column="rating", cut=0.0), by=("town",))
    app.state.settings[settings_of("thresholds")] = ThresholdsPlan(model="score")
    app.go("Thresholds").assert_refuses_nothing()
    assert len(app.slider) == n_groups
    folded = say(Message("thresholds-other-groups", {"n": Count(n_groups - 8)}))
    assert (folded in [e.label for e in app.expander]) is (n_groups > 8)
    last = f"thresholds_cut_{n_groups - 1}"
    app.set("slider", last, app.slider(key=last).max)
    judge(app).assert_refuses_nothing()
    assert has_answer(app)


def test_hostile_group_names_are_shown_as_text(app):
    frame = biased_loans(500)
    frame["town"] = np.where(np.arange(500) % 2, "a](http://b) :red[x]", "**b** $c$ | <i>")
    bring(app, frame=frame, score=ScorePlan(column="rating", cut=0.0), by=("town",))
    app.state.settings[settings_of("thresholds")] = ThresholdsPlan(model="score")
    app.go("Thresholds")
    app.set("slider", "thresholds_cut_0", 0.5)
    judge(app).assert_refuses_nothing()
    assert "**b** $c$ | <i>" in app.text


def test_rows_that_the_gap_is_measured_on_are_shown(app):
    frame, score = with_sex(biased_loans(500), missing=True), ScorePlan(column="rating", cut=0.0)
    bring(app, frame=frame, score=score, where=NARROWED)
    app.state.settings[settings_of("thresholds")] = ThresholdsPlan(model="score")
    assert_names_rows(judge(app.go("Thresholds")))


def test_other_settings_than_those_of_the_result_are_said(scored):
    judge(scored)
    [entry] = scored.state.remedies
    changed = say(Message("thresholds-changed", {"name": Phrase(remedy_name(entry.plan))}))
    assert changed not in scored.text
    scored.set("checkbox", "thresholds_no_group_worse_off", True)
    assert changed in scored.text
    assert changed not in judge(scored).text


def test_the_wish_that_no_group_is_worse_off_narrows_the_search_and_not_what_is_set_by_hand(scored):
    box = "thresholds_no_group_worse_off"
    before = tuning_of(scored).before
    scored.set("checkbox", box, True)
    assert scored.state.settings[settings_of("thresholds")].no_group_worse_off
    assert say(Message("thresholds-best-kept")) in scored.text
    found = tuning_of(scored).problem.not_below(before).best(1.0)
    assert f"{100 * found.accuracy:.1f}" in figures(scored)["Accuracy"]
    scored.click("thresholds_same")
    assert scored.test.checkbox(key=box).disabled and say(Message("thresholds-hand-wish")) in scored.text
    scored.click("thresholds_exact")
    assert (
        scored.state.settings[settings_of("thresholds")].no_group_worse_off
        and not scored.test.checkbox(key=box).disabled
    )


def test_the_same_thresholds_under_another_weight_have_a_name_of_their_own(scored):
    judge(scored.click("thresholds_same"))
    draft = scored.state.settings[settings_of("thresholds")]
    scored.state.settings[settings_of("thresholds")] = draft.model_copy(update={"fairness_weight": 2.0})
    judge(scored.go("Data").go("Thresholds"))
    first, second = (entry.plan.name for entry in scored.state.remedies)
    assert second == f"{first} (2)"
    for page in ("Data", "Report", "Compare"):
        scored.go(page).assert_refuses_nothing()


def test_more_says_whom_it_hits_where_predictions_are_searched(app):
    page = bring(app, frame=biased_loans(1600), search_predictions=True).go("Thresholds")
    finish(page.click("thresholds_fit")).assert_refuses_nothing()
    assert say(Message("remedy-hit-title")) in app.text
    [table] = [one for one in app.state.memo.items() if one[0][0] == "groups hit"]
    assert table[1] is not None


def test_groups_are_kept_alike_among_similar_cases_where_the_question_has_some(app):
    page = bring(app, frame=biased_loans(900)).go("Thresholds")
    assert not any(box.key == "thresholds_among" for box in page.test.checkbox)
    app.state.change_check(protected="sex = 'woman'", strata=("area",))
    finish(app.go("Thresholds").set("checkbox", "thresholds_among", True).click("thresholds_fit"))
    [entry] = app.state.remedies
    assert entry.plan.strata == ("area",) and "among similar cases" in remedy_name(entry.plan)
    assert has_answer(app)
    details = app.state.find_fitted(entry.plan).candidate.finding.details
    # By hand, the same averages are shown.
    assert details.are_averages and tuning_of(app).problem.best(1.0).gap == pytest.approx(details.gap)
    assert [each.key for each in said_of(app, "thresholds").lead].count("remedy-lead-aim") == 0
