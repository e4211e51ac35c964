"""The page Trees where the decision is an amount: what is asked, the search, the result, and where it goes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from remedy_pages import (
    asked,
    assert_names_rows,
    figures,
    finish,
    has_answer,
    put,
    said_of,
    search_in_sight,
    trees_found,
    with_sex,
)
from shown import shows

from fairaudit.audit.trying import iter_remedy
from fairaudit.data import Table
from fairaudit.findings import Amount, Count, Message, Phrase
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.means import proposed_tolerance
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.present.naming import gap_head
from fairaudit.present.numbers import number_text
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.words import best, moved
from fairaudit.study.findings import plan_key
from ui.entries import settings_of
from ui.remedies.comparison import amount_frontier_rows, findings_of_amounts
from ui.remedies.trees.form import amount_plan_of

pytestmark = pytest.mark.campaign

QUICK = TreesPlan(max_depth=1, amount_difference=30, min_leaf_size=5, time_limit=4)
PRICED = TreesPlan(
    max_depth=1, constraint=None, discrimination="didi", fairness_weight=0.5, min_leaf_size=5, time_limit=4
)


def pay(n: int = 240) -> pd.DataFrame:
    """Pay by grade, of which women have lower ones."""
    random = np.random.default_rng(2)
    sex = np.where(np.arange(n) % 2 == 0, "F", "M")
    grade = 1 + (np.arange(n) // 2) % 3 + (sex == "M")
    area = random.choice(["north", "south"], n)
    return pd.DataFrame(
        {"sex": sex, "grade": grade, "area": area, "pay": 1_000 + 100 * grade + random.integers(0, 40, n)}
    )


def bring(app, frame=None, **models):
    """Give a session that pay, a question, and what models learn from."""
    app.go("")
    state = app.state
    state.put_table(Table.from_pandas(pay() if frame is None else frame, name="pay"), source="pay.csv")
    state.decision = OutcomePlan(column="pay", amount=True, meaning="monthly pay")
    state.change_check(protected="sex = 'F'")
    state.change_check(protected_name="women")
    asked = {"features": ("grade", "area"), "protected": "sex = 'F'", "protected_name": "women"} | models
    state.models = ModelsPlan(**asked)
    return app.go("Trees")


def found_by(app, plan):
    """Find a tree of the rows that the page has."""
    *_, last = iter_remedy(app.state.study[1], plan)
    return last.result


@pytest.fixture(scope="module")
def kept():
    """Trees that were found once for all tests, by their plans."""
    return {}


@pytest.fixture
def found(app, kept):
    """The page with a tree under a limit."""
    bring(app)
    if "quick" not in kept:
        kept["quick"] = found_by(app, QUICK)
    return put(app, kept["quick"])


# What is asked


def test_choices_in_the_unit_of_the_amount_make_the_plan_and_outlast_the_page(app):
    bring(app).set("slider", "trees_max_depth", 3).set("number_input", "trees_amount_difference", 40.0)
    app.set("radio", "trees_leaves", "linear").set("radio", "trees_branching", "linear")
    app.set("checkbox", "trees_use_sensitive", True).set("number_input", "trees_max_features", 2)
    app.set("number_input", "trees_min_leaf_size", 5).set("number_input", "trees_time_limit", 30.0)
    assert say(Message("tree-form-deep")) in app.text
    app.go("Check").go("Trees")
    assert app.number_input(key="trees_amount_difference").value == 40.0
    assert asked(app, "trees_fit") == TreesPlan(
        max_depth=3,
        amount_difference=40,
        leaves="linear",
        branching="linear",
        use_sensitive=True,
        max_features=2,
        min_leaf_size=5,
        time_limit=30,
    )


def test_without_a_number_a_tenth_of_the_spread_is_offered_and_none_is_written_in_the_plan(app):
    box = bring(app).number_input(key="trees_amount_difference")
    facts = app.state.study[1].facts
    tenth = number_text(proposed_tolerance(facts.deviation), digits=amount_digits(facts.deviation))
    assert box.value is None and box.placeholder == tenth
    plan = asked(app, "trees_fit")
    assert plan.amount_difference is None and plan.constraint == "demographic_parity" and plan.max_depth == 2


def test_only_what_goes_with_an_amount_is_offered(app):
    bring(app)
    assert len(app.selectbox(key="trees_constraint").options) == 2
    keys = {each.key for kind in ("radio", "number_input", "checkbox") for each in getattr(app, kind)}
    assert not keys & {"trees_search", "trees_max_difference", "trees_margin", "trees_choose_weight", "models_positive"}
    app.set("selectbox", "trees_constraint", "nothing")
    assert not any(each.key == "trees_amount_difference" for each in app.number_input)
    assert asked(app, "trees_fit").is_free


def test_an_index_has_a_price_or_a_limit_in_the_unit_of_the_amount(app):
    bring(app).set("selectbox", "trees_discrimination", "didi")
    assert app.number_input(key="trees_fairness_weight").value == 0.5
    app.set("radio", "trees_way", "bound")
    tenth = float(f"{0.1 * app.state.study[1].facts.deviation:.1g}")
    assert app.number_input(key="trees_max_discrimination").value == tenth
    plan = asked(app, "trees_fit")
    assert (plan.discrimination, plan.max_discrimination, plan.fairness_weight) == ("didi", tenth, 0.0)


@pytest.mark.parametrize("constraint", [None, "demographic_parity"])
@pytest.mark.parametrize("index", [None, "dtdi"])
def test_whatever_stands_in_the_form_makes_a_plan_that_is_allowed(constraint, index):
    draft = TreesPlan().model_copy(
        update={"constraint": constraint, "discrimination": index, "amount_difference": 5.0, "max_discrimination": 2.0}
    )
    plan = amount_plan_of(draft)
    assert TreesPlan.model_validate(plan.model_dump()) == plan and plan.constraint == constraint
    assert (plan.amount_difference is None) == (constraint is None)


def test_settings_of_outcomes_and_of_amounts_are_kept_apart(app):
    bring(app).set("slider", "trees_max_depth", 1)
    decision = app.state.decision
    app.state.decision = OutcomePlan(column="area", favorable=("north",))
    app.state.models = app.state.models.model_copy(update={"features": ("grade",)})
    app.go("Trees").set("selectbox", "trees_constraint", "equalized_odds")
    app.assert_refuses_nothing()
    assert app.slider(key="trees_max_depth").value == 3
    app.state.decision = decision
    app.go("Trees").assert_refuses_nothing()
    assert app.slider(key="trees_max_depth").value == 1


# The search


def test_search_is_seen_in_the_unit_of_the_amount_and_a_stop_is_asked_for(app):
    bring(app)
    with search_in_sight(app, QUICK, trees_found((0.0, math.nan), (10.0, 90.0), (50.0, 60.0))):
        shown = figures(app)
        assert shown["Best so far"].startswith("60.0") and shown["Least possible"].startswith("50.0")
        assert shown["Distance"].startswith("20.0") and say(Message("tree-search-off")) in app.text
    assert app.state.remedies == []


def test_only_the_last_of_several_trees_goes_into_the_report_unless_a_person_says_so(app, kept):
    bring(app)
    other = QUICK.model_copy(update={"amount_difference": 200.0})
    for plan in (QUICK, other):
        app.state.settings[settings_of("trees", AMOUNTS)] = plan
        finish(app.run().click("trees_fit"))
    assert [(entry.plan, entry.in_report) for entry in app.state.remedies] == [(QUICK, False), (other, True)]
    assert shows(app.go("Report").text, "report-page-last")
    app.set("checkbox", "report_remedy_in_0", True)
    third = QUICK.model_copy(update={"amount_difference": 300.0})
    app.state.settings[settings_of("trees", AMOUNTS)] = third
    finish(app.go("Trees").click("trees_fit"))
    assert [entry.in_report for entry in app.state.remedies] == [True, False, True]


# Bad input


@pytest.mark.parametrize(
    ("frame", "models", "words"),
    [
        (pay().assign(pay=1_000.0), {}, "one amount only"),
        (pay().head(12), {}, "at least 20 rows with an amount"),
    ],
)
def test_rows_that_no_model_can_learn_from_are_shown_in_a_sentence(app, frame, models, words):
    bring(app, frame, **models)
    assert words in app.errors


def test_one_group_and_nothing_to_ask_for_are_shown_in_a_sentence(app):
    finish(bring(app, pay().assign(one="x"), by=("one",)).click("trees_fit"))
    assert "one group only" in app.errors
    finish(bring(app, features=("sex",)).click("trees_fit"))
    assert "no tree can be built" in app.errors


# The result


def test_result_shows_its_limit_its_certificate_and_its_formulas(found, kept):
    found.assert_refuses_nothing()
    details = kept["quick"].finding.details
    assert say(best(details)) in found.text
    assert any("MAE  = mean of | predicted − actual |" in block.value for block in found.code)
    leaves = next(table.value for table in found.table if "who comes here" in table.value.columns)
    assert len(leaves) == details.n_leaves
    assert not [label for table in found.table for label in table.value.columns if "accuracy" in str(label)]


def test_a_limit_that_is_missed_and_leaves_that_are_overpredicted_are_said(found, kept):
    candidate = kept["quick"]
    assert said_of(found, "trees").verdict.key != "verdict-limit-not-met"
    details = candidate.finding.details
    nodes = details.nodes.assign(prediction=details.nodes["prediction"] + [0, 300, -300])
    worse = replace(details, held_out_gap=99.0, nodes=nodes)
    put(found, replace(candidate, finding=replace(candidate.finding, details=worse)))
    assert said_of(found, "trees").verdict.key == "verdict-limit-not-met"
    said = moved(worse, amount_digits(found.state.study[1].facts.deviation))
    assert [message.key for message in said] == ["tree-caution-moved"] * 2
    assert all(say(message) in found.text for message in said)


def test_result_is_marked_when_what_is_asked_or_the_settings_have_changed(found):
    found.state.settings[settings_of("trees", AMOUNTS)] = QUICK
    assert say(Message("tree-old")) not in found.run().text
    found.set("slider", "trees_max_depth", 2)
    assert say(Message("tree-old")) in found.text and "Out of date" not in found.warnings
    found.state.models = found.state.models.model_copy(update={"features": ("grade",)})
    assert "Out of date" in found.run().warnings
    assert say(Message("tree-person-old")) in found.text


def test_tree_of_amounts_is_not_shown_where_the_decision_has_a_good_outcome(found):
    found.state.decision = OutcomePlan(column="area", favorable=("north",))
    found.state.models = found.state.models.model_copy(update={"features": ("grade",)})
    found.go("Trees").assert_refuses_nothing()
    assert found.button(key="trees_fit") and not has_answer(found)
    found.go("Compare").assert_refuses_nothing()
    found.go("Report").assert_refuses_nothing()


def test_chosen_node_shows_rows_and_means_by_group(found, kept):
    details = kept["quick"].finding.details
    leaf = details.leaves.iloc[0]
    box = next(box for box in found.selectbox if box.label == "Look at a node")
    box.set_value(int(leaf["leaf"]))
    found.run()
    assert say(Message("tree-node-who", {"path": Phrase(leaf["path"])})) in found.text
    table = next(table.value for table in found.table if {"group", "training cases"} <= set(table.value.columns))
    counts = details.counts[details.counts["node"] == leaf["leaf"]]
    digits = amount_digits(found.state.study[1].facts.deviation)
    shown = [cell.replace("\\", "") for cell in table["mean amount"]]
    assert shown == [number_text(mean, digits=digits) for mean in counts["learned_mean"]]


def test_made_up_person_is_predicted_as_the_tree_predicts(found, kept):
    tree = kept["quick"].model.tree
    digits = amount_digits(found.state.study[1].facts.deviation)
    seen = set()
    for grade in (1.0, 4.0):
        [box] = [box for box in found.number_input if box.label == "grade"]
        box.set_value(grade)
        found.run()
        person = pd.DataFrame({"grade": [grade], "area": ["north"]})
        [amount] = tree.predict(person)
        assert f"**Predicted: {number_text(amount, digits=digits)} monthly pay**" in found.text
        seen.add(amount)
    assert len(seen) == 2


def test_hidden_counts_are_not_offered_as_files(found):
    def offered():
        return {button.label for button in found.get("download_button")}

    files = {"Picture (PNG)", "Picture (SVG)", "Tree as text", "Download as CSV"}
    assert files <= offered()
    found.state.small_cells = found.state.small_cells.model_copy(update={"mask": True})
    found.run()
    assert not offered() & files


def test_setting_fills_the_form_in_the_unit_of_the_amount(found, kept):
    settings = kept["quick"].finding.details.settings.reset_index(drop=True)
    limit = next(i for i, row in settings.iterrows() if row["setting"] == "limit")
    box = next(box for box in found.selectbox if box.label == "One of these settings")
    assert all("off by" in option for option in box.options)
    box.set_value(limit)
    found.run().click("trees_take")
    assert found.number_input(key="trees_amount_difference").value == settings.iloc[limit]["limit"]


def test_tree_with_a_price_shows_what_depth_makes_of_error_and_price(app):
    bring(app)
    put(app, found_by(app, PRICED))
    assert say(Message("tree-depths-priced")) in app.text
    words = next(box for box in app.selectbox if box.label == "One of these settings").options
    assert any("index" in word for word in words)


# Compare and report


def test_models_of_amounts_are_compared_by_errors_and_differences(found):
    finish(found.go("Compare").click("compare_plain")).assert_refuses_nothing()
    names = {plan_key(one.candidate.finding.plan) for one in found.state.fitted.values()}
    assert names >= {plan_key(PlainPlan(model=model)) for model in ("linear_regression", "median")}
    [table] = [table.value for table in found.table if "mean absolute error" in table.value.columns]
    heads = {"mean absolute error", "R²", gap_head(found.state.study[1].facts.names, "difference"), "DIDI", "DTDI"}
    assert len(table) == 3 and heads <= set(table.columns)
    assert not any(button.key == "compare_plain" for button in found.button)
    for measure in ("didi", "dtdi"):
        found.set("selectbox", "compare_amount_y", measure).assert_refuses_nothing()


def test_a_model_is_unbeaten_where_no_other_has_less_error_and_less_difference(found):
    finish(found.go("Compare").click("compare_plain"))
    rows = amount_frontier_rows(findings_of_amounts(found.state, found.state.study[1]), "difference")
    for row in rows.itertuples():
        better = (rows["x"] <= row.x) & (rows["y"] <= row.y) & ((rows["x"] < row.x) | (rows["y"] < row.y))
        assert row.on_frontier == (not better.any())
        assert np.isnan(row.y_low) or row.y_low <= row.y <= row.y_high


def test_panel_of_what_models_learn_from_suggests_columns_for_amounts(app):
    bring(app).state.models = None
    app.run()
    assert "First choose" in app.text
    assert not any(radio.key == "models_positive" for radio in app.radio)
    app.click("models_take").assert_refuses_nothing()
    assert app.state.models.features == ("grade", "area")


def test_rows_that_the_difference_is_measured_on_are_shown(app):
    frame = with_sex(pay().astype({"sex": object}), missing=True)
    bring(app, frame, where="area = 'north'")
    candidate = found_by(app, QUICK)
    put(app, candidate)
    assert_names_rows(app)
    leaf = candidate.finding.details.leaves.iloc[0]
    next(box for box in app.selectbox if box.label == "Look at a node").set_value(int(leaf["leaf"]))
    off = {"off": Amount(leaf["mae"], amount_digits(app.state.study[1].facts.deviation)), "n": Count(int(leaf["n"]))}
    assert say(Message("tree-node-off", off)) in app.run().text


def test_tree_is_found_shown_compared_and_kept_for_the_report(app):
    bring(app).state.settings[settings_of("trees", AMOUNTS)] = QUICK
    finish(app.run().click("trees_fit")).assert_refuses_nothing()
    [entry] = app.state.remedies
    assert entry.plan.max_depth == 1 and entry.in_report and has_answer(app)
    assert said_of(app, "trees").verdict.key.startswith(("verdict-limit", "verdict-gap"))
    assert "A decision tree (depth up to 1, mean amounts within 30" in app.go("Compare").text
