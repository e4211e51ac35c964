"""The page Rules: what is asked, the search in sight, the rules in words, changing them by hand, other settings."""

from __future__ import annotations

import math
from contextlib import closing

import pytest
from remedy_pages import (
    NARROWED,
    asked,
    assert_names_rows,
    bring_loans,
    figures,
    finish,
    has,
    has_answer,
    put,
    said_of,
    search_in_sight,
    with_sex,
)
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.trying import iter_remedy, remedy_name
from fairaudit.events import Incumbent, Progress
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.rules.charts import rules_path_alt
from fairaudit.remedies.rules.details import proof, rules_head
from fairaudit.remedies.rules.figures import rule_figures
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.study.findings import plan_key
from fairaudit.study.rows import Study
from ui.entries import settings_of
from ui.remedies import trying as remedies
from ui.remedies.fitting import iter_fit
from ui.remedies.rules.form import plan_of

pytestmark = pytest.mark.campaign

ROWS = 400
QUICK = RulesPlan(max_complexity=4, fairness="equal_opportunity", max_difference=0.1, time_limit=20)
BY_HAND = ("merit > 0.2 AND weight > 60", "area = 'north' AND merit > -0.2")
CHOSEN = RulesPlan(max_complexity=6, max_difference=0.1, rules=BY_HAND)


def bring(app, *, frame=None, **models):
    """Give a session the loans, a question, and what models learn from."""
    return bring_loans(app, biased_loans(ROWS) if frame is None else frame, **models).go("Rules")


def study_of(**models) -> Study:
    """The rows that the page has, too."""
    return Study.of(as_loans(biased_loans(ROWS)), loans_plan(**models))


def test_accuracy_to_give_up_takes_the_place_of_a_limit(app):
    bring(app).set("radio", "rules_given", "loss")
    for gone in ("rules_max_difference", "rules_margin"):
        assert not any(each.key == gone for each in app.number_input)
    app.set("number_input", "rules_max_loss", 2.0)
    plan, usual = asked(app, "rules_fit"), RulesPlan()
    assert (plan.max_loss, plan.max_difference, plan.margin) == (0.02, usual.max_difference, usual.margin)


def test_the_answer_with_accuracy_given_up_shows_its_curve(app):
    plan = RulesPlan(
        max_complexity=4, fairness="demographic_parity", max_loss=0.02, max_rule_length=2, objective="zero_one",
        time_limit=20,
    )  # fmt: skip
    put(bring(app), drained(iter_remedy(study_of(), plan)))
    assert say(Message("curve-title")) in app.text
    assert say(said_of(app, "rules").headline) in app.text


@pytest.fixture(scope="module")
def searched():
    """A rule set that was searched for, found once for all tests."""
    return drained(iter_remedy(study_of(), QUICK))


@pytest.fixture(scope="module")
def chosen():
    """A rule set that a person chose."""
    return drained(iter_remedy(study_of(), CHOSEN))


@pytest.fixture
def found(app, searched):
    """The page with a rule set that was searched for."""
    return put(bring(app), searched)


@pytest.fixture
def by_hand(app, chosen):
    """The page with rules that a person chose."""
    return put(bring(app), chosen)


def edited(app) -> tuple[str, ...]:
    """The rules as they are changed now."""
    [edit] = [draft for key, draft in app.state.drafts.items() if key.startswith("rules ")]
    return edit.rules.conditions()


# What is asked


def test_choices_make_the_plan_and_outlast_the_page(app):
    bring(app).set("slider", "rules_max_complexity", 9).set("selectbox", "rules_fairness", "equal_opportunity")
    app.set("number_input", "rules_max_difference", 4.0).set("number_input", "rules_margin", 1.5)
    app.set("checkbox", "rules_use_sensitive", True).set("radio", "rules_objective", "zero_one")
    app.set("number_input", "rules_max_rule_length", 2).set("number_input", "rules_time_limit", 30.0)
    app.go("Check").go("Rules")
    assert app.slider(key="rules_max_complexity").value == 9 and app.number_input(key="rules_margin").value == 1.5
    assert asked(app, "rules_fit") == RulesPlan(
        max_complexity=9,
        fairness="equal_opportunity",
        max_difference=0.04,
        margin=0.015,
        use_sensitive=True,
        objective="zero_one",
        max_rule_length=2,
        time_limit=30,
    )


def test_conditions_of_a_rule_without_a_limit_are_shown_as_such(app):
    bring(app).set("number_input", "rules_max_rule_length", None)
    assert asked(app, "rules_fit").max_rule_length is None
    app.go("Check").go("Rules")
    field = app.number_input(key="rules_max_rule_length")
    assert field.value is None and field.min == 1 and field.placeholder == "as many as fit"


def test_margin_beyond_the_limit_is_shown_cut_in_the_plan_and_kept_in_the_form(app):
    bring(app).set("number_input", "rules_margin", 8.0)
    assert say(Message("limits-margin")) in app.warnings
    plan = asked(app, "rules_fit")
    assert plan.margin == plan.max_difference == 0.05
    assert app.number_input(key="rules_margin").value == 8.0


def test_nothing_needs_to_be_alike_where_the_person_says_so(app):
    bring(app).set("selectbox", "rules_fairness", "nothing")
    assert not any(each.key == "rules_margin" for each in app.number_input)
    assert asked(app, "rules_fit").fairness is None


def test_columns_that_reveal_the_groups_are_named_where_rules_leave_them_out(app):
    bring(app, features=("merit", "sex"))
    left_out = say(Message("limits-left-out", {"columns": Phrase("sex")}))
    assert left_out in app.text
    app.set("checkbox", "rules_use_sensitive", True)
    assert left_out not in app.text


# The search


def test_rule_set_is_found_shown_in_words_and_kept_for_the_report(app):
    bring(app).state.settings[settings_of("rules")] = QUICK
    finish(app.run().click("rules_fit")).assert_refuses_nothing()
    [fitted] = [one for one in app.state.fitted.values() if one.candidate.finding.plan == QUICK]
    assert rules_head(fitted.candidate.finding.details, fitted.facts) in app.text
    [entry] = app.state.remedies
    assert entry.plan == QUICK and entry.in_report
    assert app.state.find_fitted(QUICK).candidate.finding.details.n_columns > 0
    assert said_of(app, "rules").headline.key == "remedy-headline-unchanged"
    assert say(Message("limits-chart")) in app.text
    assert f"{say(Message('remedy-name-rules'))} (complexity up to 4" in app.go("Compare").text


def test_search_is_seen_while_it_goes_on_and_a_stop_is_asked_for(app):
    bring(app)
    names = ("round", "columns", "lp", "bound", "incumbent")
    free, *rounds = (
        Incumbent("round", dict(zip(names, said, strict=True)))
        for said in ((1, 30, 50.0, 50.0, 51.0), (1, 40, 90.0, math.nan, math.nan), (2, 70, 80.5, 60.0, 104.0))
    )
    without, last = (
        Incumbent("solution", {"objective": objective, "bound": bound, "share": 0.5}, best=True)
        for objective, bound in ((50.0, 50.0), (100.0, 80.5))
    )
    # The search without a constraint comes first.
    with search_in_sight(app, QUICK, [free, without, *rounds, last]):
        said = figures(app)
        assert said["Rules considered"] == "70" and said["Best so far"] == "100" and said["Fewest possible"] == "60.0"
        assert said["Above the fewest possible"].startswith("66.7")
        assert say(Message("rules-search-choosing")) in app.text


def test_search_without_a_constraint_is_made_once_for_all_rule_sets_of_a_complexity(searched):
    def first_words(known):
        events = iter_fit(study_of(), QUICK.model_copy(update={"max_difference": 0.2}), known)
        with closing(events):
            # The plain model that it is judged beside comes first.
            words = (event.what for event in events if isinstance(event, Progress))
            return next(what for what in words if what != "Fitting the model")

    assert first_words({}).startswith("Without a limit")
    assert first_words({plan_key(QUICK): searched}) == "Turning columns into conditions"


def test_group_without_the_outcome_is_named(app):
    frame = biased_loans(ROWS)
    frame.loc[frame["sex"] == "woman", "granted"] = "no"
    bring(app, frame=frame).set("selectbox", "rules_fairness", "equal_opportunity")
    finish(app.click("rules_fit"))
    assert "'women'" in app.errors and has(app, "rules_fit")


# The result


def test_result_shows_each_rule_its_certificate_and_how_it_was_found(found, searched):
    found.assert_refuses_nothing()
    details = searched.finding.details
    [rules] = [table.value for table in found.table if say(Message("rules-column-rule")) in table.value.columns]
    assert len(rules) == len(details.rules)
    assert say(proof(details)) in found.text
    drawn = [chart.proto.alt for chart in found.get("vega_lite_chart")]
    assert any(alt == rules_path_alt(details.path, reached=details.objective) for alt in drawn)
    whole = next(table.value for table in found.table if "only this rule" in table.value.columns)
    assert len(whole) == len(details.coverage)


def test_result_is_marked_when_what_is_asked_or_the_settings_have_changed(found):
    found.state.settings[settings_of("rules")] = QUICK
    assert say(Message("rules-old")) not in found.run().text
    found.set("slider", "rules_max_complexity", 12)
    assert say(Message("rules-old")) in found.text
    found.state.models = found.state.models.model_copy(update={"features": ("merit",)})
    assert "Out of date" in found.run().warnings
    assert say(Message("rules-old")) in found.text and not has(found, "rules_judge")


def test_rules_that_use_a_column_that_reveals_the_groups_are_marked(app):
    features = ("merit", "sex")
    plan = QUICK.model_copy(update={"rules": ("sex = 'man' AND merit > 0",)})
    put(bring(app, features=features), drained(iter_remedy(study_of(features=features), plan)))
    assert say(Message("rules-mark-group")) in app.warnings
    assert "remedy-caution-by-group" in {message.key for message in said_of(app, "rules").caution}


def test_downloads_hold_the_rules_and_hidden_counts_are_not_offered(by_hand):
    def offered():
        return {button.label for button in by_hand.get("download_button")}

    assert {"Rules as text", "Rules as CSV", "Download as CSV"} <= offered()
    by_hand.state.small_cells = by_hand.state.small_cells.model_copy(update={"mask": True})
    by_hand.run()
    assert not offered() & {"Rules as text", "Rules as CSV", "Download as CSV"}
    assert say(Message("files-hidden")) in by_hand.text


def test_rules_that_the_report_will_not_show_are_named_where_small_counts_are_hidden(by_hand, chosen):
    covered = chosen.finding.details.coverage.groupby("rule")["n_covered"].sum()
    small = {"mask": True, "minimum": int(covered[1:].min()) + 1}
    by_hand.state.small_cells = by_hand.state.small_cells.model_copy(update=small)
    by_hand.run()
    assert say(Message("rules-hidden")) in by_hand.text


# Changing rules by hand


def test_each_change_is_measured_on_the_tuning_rows_at_once_and_undone(by_hand):
    study, first = by_hand.state.study[1], figures(by_hand)
    by_hand.click("rules_drop_0")
    assert edited(by_hand) == BY_HAND[1:]
    expected = rule_figures(study, BY_HAND[1:], CHOSEN)
    assert figures(by_hand)["Accuracy"].startswith(f"{100 * expected.accuracy:.1f}")
    assert figures(by_hand)["Complexity"] == "3" and "as found" in by_hand.text
    by_hand.click("rules_drop_0_1")
    assert edited(by_hand) == ("area = 'north'",)
    by_hand.click("rules_undo").click("rules_undo")
    assert edited(by_hand) == BY_HAND and figures(by_hand) == first
    by_hand.click("rules_drop_1").click("rules_reset")
    assert edited(by_hand) == BY_HAND
    by_hand.click("rules_undo")
    assert edited(by_hand) == BY_HAND[:1]


def test_condition_is_added_to_a_rule_or_makes_a_new_one(by_hand):
    by_hand.set("selectbox", "rules_build_column", "weight")
    by_hand.set("number_input", "rules_build_value_weight", 75.0).click("rules_add")
    assert edited(by_hand)[0] == "merit > 0.2 AND weight >= 75"
    by_hand.set("selectbox", "rules_add_to_3", 2)
    by_hand.set("selectbox", "rules_build_column", "area").set("multiselect", "rules_build_values_area", ["west"])
    by_hand.click("rules_add").assert_refuses_nothing()
    assert edited(by_hand)[2] == "area = 'west'" and figures(by_hand)["Complexity"] == "8"
    assert say(Message("rules-too-complex")) in by_hand.warnings


def test_condition_that_no_row_can_meet_is_refused_and_nothing_is_lost(by_hand):
    by_hand.set("selectbox", "rules_build_column", "merit").set(
        "selectbox", "rules_build_operator_number", "is less than"
    )
    by_hand.set("number_input", "rules_build_value_merit", 0.0).click("rules_add")
    assert "can never hold" in by_hand.errors and edited(by_hand) == BY_HAND
    by_hand.click("rules_drop_1").assert_refuses_nothing()


def test_edit_outlasts_the_page_and_belongs_to_its_result(by_hand, searched):
    by_hand.click("rules_drop_0").go("Check").go("Rules")
    assert edited(by_hand) == BY_HAND[1:]
    put(by_hand, searched).set("selectbox", "remedies_shown_rules", plan_key(QUICK))
    judge = by_hand.button(key="rules_judge")
    assert not by_hand.button(key="rules_undo").value and judge.label == "Keep as chosen by hand"


def test_results_of_one_name_are_distinguished(by_hand):
    other = CHOSEN.model_copy(update={"rules": ("merit > 0.2", "area = 'north'")})
    put(by_hand, drained(iter_remedy(study_of(), other)))
    [choice] = [box for box in by_hand.selectbox if box.key == "remedies_shown_rules"]
    name = remedy_name(CHOSEN)
    assert sorted(choice.options) == [name, f"{name} (2)"]
    by_hand.set("selectbox", "remedies_shown_rules", plan_key(other))
    assert by_hand.state.shown["rules"] == plan_key(other)


def test_rule_set_without_rules_is_not_judged(by_hand):
    by_hand.click("rules_drop_0").click("rules_drop_0")
    assert edited(by_hand) == () and by_hand.button(key="rules_judge").disabled
    by_hand.click("rules_undo")
    assert not by_hand.button(key="rules_judge").disabled


def test_edited_rules_are_judged_compared_reported_and_saved(by_hand, another_app):
    assert by_hand.button(key="rules_judge").disabled
    finish(by_hand.click("rules_drop_1").click("rules_judge")).assert_refuses_nothing()
    assert by_hand.state.remedies[-1].plan == CHOSEN.model_copy(update={"rules": BY_HAND[:1]})
    assert has_answer(by_hand)
    assert plan_key(PlainPlan()) in by_hand.state.fitted
    for page in ("Compare", "Report"):
        assert remedy_name(by_hand.state.remedies[-1].plan) in by_hand.go(page).text
    another_app.open_audit(by_hand.state.plan().to_toml())
    another_app.state.put_table(as_loans(biased_loans(ROWS)), source="loans.csv")
    finish(another_app.go("Rules").click("remedies_fit_kept")).assert_refuses_nothing()
    assert say(Message("rules-no-search")) in another_app.text


def test_rules_on_a_column_that_is_no_feature_any_more_are_refused_in_one_sentence(by_hand):
    by_hand.state.models = by_hand.state.models.model_copy(update={"features": ("merit", "weight")})
    remedies.start_fit(by_hand.state, study_of(features=("merit", "weight")), CHOSEN)
    finish(by_hand)
    assert "not among the features" in by_hand.errors


# Other settings


def test_setting_of_the_frontier_fills_the_form_and_keeps_what_is_aimed_at(found, searched):
    frontier = searched.finding.details.frontier
    choice = next(box for box in found.selectbox if box.label == "One of these settings")
    assert found.button(key="rules_take").disabled and len(choice.options) == len(frontier)
    tight = int(((frontier["max_difference"] < 0.1) & (frontier["max_complexity"] > 4)).to_numpy().nonzero()[0][0])
    row = frontier.iloc[tight]
    choice.set_value(tight)
    found.run().click("rules_take")
    draft = found.state.settings[settings_of("rules")]
    assert draft.max_complexity == row["max_complexity"] and draft.max_difference == 0.1
    assert draft.margin == pytest.approx(0.1 - row["max_difference"])
    assert found.number_input(key="rules_margin").value == pytest.approx(100 * draft.margin)


def test_rows_that_the_gap_is_measured_on_are_shown(app):
    bring(app, frame=with_sex(biased_loans(ROWS), missing=True), where=NARROWED)
    found = drained(iter_remedy(app.state.study[1], CHOSEN))
    put(app, found)
    assert_names_rows(app)
    n = int(found.finding.details.coverage.query("rule == 1")["n_covered"].sum())
    [rules] = [table.value for table in app.table if say(Message("rules-column-rule")) in table.value.columns]
    assert rules.iloc[0, 1] == str(n)


def test_the_wish_that_no_group_is_worse_off_is_asked_kept_and_not_asked_of_rules_by_hand(app, another_app):
    bring(app).state.settings[settings_of("rules")] = QUICK
    finish(app.run().set("checkbox", "rules_no_group_worse_off", True).click("rules_fit"))
    [entry] = app.state.remedies
    assert entry.plan.no_group_worse_off
    another_app.open_audit(app.state.plan().to_toml())
    another_app.state.put_table(as_loans(biased_loans(ROWS)), source="loans.csv")
    assert another_app.go("Rules").test.checkbox(key="rules_no_group_worse_off").value is True
    # Where nothing must be alike, no group has to lose.
    app.set("selectbox", "rules_fairness", "nothing")
    assert not any(box.key == "rules_no_group_worse_off" for box in app.test.checkbox)
    assert not plan_of(app.state.settings[settings_of("rules")]).no_group_worse_off


def test_the_limit_of_false_positives_may_be_another_one_and_groups_alike_among_similar_cases(app):
    bring(app).set("selectbox", "rules_fairness", "equalized_odds")
    app.set("number_input", "rules_max_fpr_difference", 12.5)
    app.state.change_check(protected="sex = 'woman'", strata=("area",))
    app.go("Rules").set("checkbox", "rules_among", True)
    draft = plan_of(app.state.settings[settings_of("rules")])
    assert (draft.max_fpr_difference, draft.strata) == (0.125, ("area",))
    # One limit is certified, and where nothing must be alike there is none.
    assert plan_of(draft.model_copy(update={"confidence": 0.9})).max_fpr_difference is None
    assert plan_of(draft.model_copy(update={"fairness": None})).strata == ()
