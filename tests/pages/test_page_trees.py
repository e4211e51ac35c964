"""The page Trees: what is asked, the search in sight, the tree and its nodes, a made-up person, other settings."""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import replace

import pandas as pd
import pytest
from remedy_pages import (
    NARROWED,
    asked,
    assert_names_rows,
    bring_loans,
    figures,
    finish,
    put,
    said_of,
    search_in_sight,
    trees_found,
    with_sex,
)
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.trying import iter_remedy, remedy_name
from fairaudit.events import Progress
from fairaudit.findings import REST, Message, Phrase
from fairaudit.messages import say
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.words import best, similar, tree_lines
from fairaudit.study.findings import plan_key
from fairaudit.study.fitting import unwrap
from fairaudit.study.rows import Study
from ui.entries import settings_of
from ui.remedies.fitting import iter_fit
from ui.remedies.trees import results as tree_drawn
from ui.remedies.trees.form import plan_of

pytestmark = pytest.mark.campaign

ROWS = 400
QUICK = TreesPlan(max_depth=2, max_difference=0.1, time_limit=20)
PRICED = TreesPlan(max_depth=1, constraint=None, discrimination="didi", fairness_weight=0.5, time_limit=20)


def loans(n: int = ROWS) -> pd.DataFrame:
    """Loans with few different numbers, so that trees are found at once."""
    frame = biased_loans(n)
    return frame.assign(merit=(2 * frame["merit"]).round() / 2, weight=20 * (frame["weight"] / 20).round())


def bring(app, *, frame=None, **models):
    """Give a session the loans, a question, and what models learn from."""
    return bring_loans(app, loans() if frame is None else frame, **models).go("Trees")


def study_of(**models) -> Study:
    """The rows that the page has, too."""
    return Study.of(as_loans(loans()), loans_plan(**models))


def node_box(app):
    """The choice of a node."""
    return next(box for box in app.selectbox if box.label == "Look at a node")


@pytest.fixture(scope="module")
def searched():
    """A tree that was found once for all tests."""
    return drained(iter_remedy(study_of(), QUICK))


@pytest.fixture(scope="module")
def priced():
    """A tree whose discrimination has a price."""
    return drained(iter_remedy(study_of(), PRICED))


@pytest.fixture
def found(app, searched):
    """The page with a tree."""
    return put(bring(app), searched)


# What is asked


def test_choices_make_the_plan_and_outlast_the_page(app):
    bring(app).set("slider", "trees_max_depth", 2).set("selectbox", "trees_constraint", "equalized_odds")
    app.set("number_input", "trees_max_difference", 4.0).set("number_input", "trees_margin", 1.5)
    app.set("checkbox", "trees_use_sensitive", True).set("radio", "trees_branching", "linear")
    app.set("number_input", "trees_max_features", 2).set("number_input", "trees_max_uses_per_feature", 1)
    app.set("number_input", "trees_min_leaf_size", 5).set("number_input", "trees_time_limit", 30.0)
    app.set("number_input", "trees_n_neighbors", 7)
    app.go("Check").go("Trees")
    assert app.slider(key="trees_max_depth").value == 2 and app.number_input(key="trees_margin").value == 1.5
    assert asked(app, "trees_fit") == TreesPlan(
        max_depth=2,
        constraint="equalized_odds",
        max_difference=0.04,
        margin=0.015,
        use_sensitive=True,
        branching="linear",
        max_features=2,
        max_uses_per_feature=1,
        min_leaf_size=5,
        n_neighbors=7,
        time_limit=30,
    )


def test_index_begins_with_a_price_and_can_be_bounded_instead(app):
    bring(app).set("selectbox", "trees_discrimination", "dtdi")
    assert app.number_input(key="trees_fairness_weight").value == 0.5
    app.set("radio", "trees_way", "bound").set("number_input", "trees_max_discrimination", 0.02)
    assert not any(each.key == "trees_fairness_weight" for each in app.number_input)
    plan = asked(app, "trees_fit")
    assert (plan.discrimination, plan.max_discrimination, plan.fairness_weight) == ("dtdi", 0.02, 0.0)


def test_accuracy_to_give_up_takes_the_place_of_a_limit_and_leaves_out_what_does_not_go_with_it(app):
    bring(app).set("number_input", "trees_max_difference", 4.0).set("radio", "trees_given", "loss")
    for gone in ("trees_max_difference", "trees_margin", "trees_max_features"):
        assert not any(each.key == gone for each in app.number_input)
    assert not any(each.key == "trees_discrimination" for each in app.selectbox)
    app.set("number_input", "trees_max_loss", 1.5)
    assert asked(app, "trees_fit") == TreesPlan(max_loss=0.015)
    app.set("radio", "trees_given", "limit")
    assert asked(app, "trees_fit") == TreesPlan(max_difference=0.04)


def test_the_answer_with_accuracy_given_up_is_what_is_proven_and_its_curve(app):
    plan = TreesPlan(max_depth=2, max_loss=0.012, time_limit=20)
    put(bring(app), drained(iter_remedy(study_of(), plan)))
    assert say(Message("curve-title")) in app.text
    said = said_of(app, "trees")
    assert say(said.headline) in app.text
    assert not app.exception


def test_grown_tree_is_asked_for_without_what_only_the_best_tree_has(app):
    bring(app).set("selectbox", "trees_discrimination", "didi").set("radio", "trees_branching", "linear")
    app.set("radio", "trees_search", "look_ahead").set("slider", "trees_max_depth", 6)
    assert not any(each.key == "trees_branching" for each in app.radio)
    assert asked(app, "trees_fit") == TreesPlan(search="look_ahead", max_depth=6, choose_weight=True)
    app.set("radio", "trees_prices_tried", "published").set("number_input", "trees_look_ahead", 2)
    app.set("number_input", "trees_sample_size", 5000)
    published = {"prices_tried": "published", "look_ahead": 2, "sample_size": 5000}
    assert asked(app, "trees_fit") == TreesPlan(search="look_ahead", max_depth=6, choose_weight=True, **published)
    app.set("number_input", "trees_look_ahead", 0).set("number_input", "trees_sample_size", 8000)
    app.set("checkbox", "trees_choose_weight", False).set("number_input", "trees_fairness_weight", 0.3)
    assert asked(app, "trees_fit") == TreesPlan(search="look_ahead", max_depth=6, fairness_weight=0.3)


@pytest.mark.parametrize("constraint", [None, "four_fifths", "equal_opportunity"])
@pytest.mark.parametrize("search", ["optimal", "look_ahead"])
@pytest.mark.parametrize("index", [None, "both"])
def test_whatever_stands_in_the_form_makes_a_plan_that_is_allowed(constraint, search, index):
    draft = TreesPlan().model_copy(
        update={
            "constraint": constraint, "search": search, "discrimination": index, "fairness_weight": 0.4, "margin": 0.9,
            "choose_weight": True, "max_discrimination": 0.1, "branching": "linear", "max_features": 1,
            "look_ahead": 2, "prices_tried": "published", "max_splits": 60, "max_loss": 0.02,
        }
    )  # fmt: skip
    plan = plan_of(draft)
    assert TreesPlan.model_validate(plan.model_dump()) == plan and plan.constraint == constraint


def test_margin_beyond_the_limit_is_shown_cut_in_the_plan_and_kept_in_the_form(app):
    bring(app).set("number_input", "trees_margin", 8.0)
    assert say(Message("limits-margin")) in app.warnings
    assert asked(app, "trees_fit").margin == 0.05 and app.number_input(key="trees_margin").value == 8.0


def test_columns_that_reveal_the_groups_are_named_where_questions_leave_them_out(app):
    bring(app, features=("merit", "sex"))
    left_out = say(Message("limits-left-out", {"columns": Phrase("sex")}))
    assert left_out in app.text
    app.set("checkbox", "trees_use_sensitive", True)
    assert left_out not in app.text


# The search


def test_tree_is_found_shown_in_words_and_kept_for_the_report(app):
    bring(app).state.settings[settings_of("trees")] = QUICK
    finish(app.run().click("trees_fit")).assert_refuses_nothing()
    # These two questions are as good with the limit as without it.
    assert said_of(app, "trees").headline.key == "remedy-headline-unchanged"
    [entry] = app.state.remedies
    assert entry.plan == QUICK and entry.in_report
    assert "A decision tree (depth up to 2" in app.go("Compare").text


def test_search_is_seen_while_it_goes_on_and_a_stop_is_asked_for(app):
    bring(app)
    with search_in_sight(app, QUICK, trees_found((0.0, math.nan), (0.1, 0.4), (0.25, 0.3))):
        shown = figures(app)
        assert shown["Best so far"].startswith("30.0") and shown["Least possible"].startswith("25.0")
        assert shown["Distance"].startswith("20.0")


def test_search_without_a_constraint_is_made_once_for_all_trees_of_a_depth(searched):
    def first_words(known):
        events = iter_fit(study_of(), QUICK.model_copy(update={"max_difference": 0.2}), known)
        with closing(events):
            # The plain model that it is judged beside comes first.
            words = (event.what for event in events if isinstance(event, Progress))
            return next(what for what in words if what != "Fitting the model")

    assert first_words({}).startswith("Without a limit")
    assert not first_words({plan_key(QUICK): searched}).startswith("Without a limit")


def test_group_without_the_outcome_is_named(app):
    frame = loans()
    frame.loc[frame["sex"] == "woman", "granted"] = "no"
    bring(app, frame=frame).set("selectbox", "trees_constraint", "equal_opportunity")
    finish(app.click("trees_fit"))
    assert "'women'" in app.errors and app.button(key="trees_fit")


# The result


def test_result_shows_the_tree_its_certificate_its_gaps_and_how_it_was_found(found, searched):
    found.assert_refuses_nothing()
    details = searched.finding.details
    assert say(best(details)) in found.text and say(similar(details)) in found.text
    assert any("\n".join(tree_lines(details.nodes)) in block.value for block in found.code)
    leaves = next(table.value for table in found.table if "who comes here" in table.value.columns)
    assert len(leaves) == details.n_leaves


def test_result_is_marked_when_what_is_asked_or_the_settings_have_changed(found):
    found.state.settings[settings_of("trees")] = QUICK
    assert say(Message("tree-old")) not in found.run().text
    found.set("slider", "trees_max_depth", 4)
    assert say(Message("tree-old")) in found.text and "Out of date" not in found.warnings
    found.state.models = found.state.models.model_copy(update={"features": ("merit",)})
    assert "Out of date" in found.run().warnings
    assert say(Message("tree-person-old")) in found.text


def test_downloads_hold_the_tree_and_hidden_counts_are_not_offered(found):
    def offered():
        return {button.label for button in found.get("download_button")}

    files = {"Picture (PNG)", "Picture (SVG)", "Tree as text", "Download as CSV"}
    assert files <= offered()
    found.state.small_cells = found.state.small_cells.model_copy(update={"mask": True})
    found.run()
    assert not offered() & files
    assert say(Message("files-hidden")) in found.text


def test_tree_with_a_price_shows_its_index_against_accuracy(app, priced):
    put(bring(app), priced)
    words = next(box for box in app.selectbox if box.label == "One of these settings").options
    assert any("index" in word for word in words)


# The drawing


def test_chosen_node_shows_who_comes_there_in_words_and_by_group(found, searched):
    details = searched.finding.details
    leaf = details.leaves.iloc[-1]
    node_box(found).set_value(int(leaf["leaf"]))
    found.run()
    assert say(Message("tree-node-who", {"path": Phrase(leaf["path"])})) in found.text
    table = next(table.value for table in found.table if "with the outcome" in table.value.columns)
    counts = details.counts[details.counts["node"] == leaf["leaf"]]
    others = say(Message("group-rest"))
    assert table["group"].tolist() == counts["group"].replace(REST, others).tolist()
    assert table["training cases"].tolist() == [f"{n:,}" for n in counts["n_learned"]]
    assert "Who comes here" not in found.click("trees_first").text


def test_click_on_a_node_chooses_it_as_the_list_does(found, searched):
    fitted = found.state.find_fitted(QUICK)
    tree_drawn.look_at(found.state, fitted, 3)
    assert node_box(found.run()).value == 3
    assert next(row.path for row in searched.finding.details.nodes.itertuples() if row.node == 3) in found.text


def test_deep_tree_is_drawn_in_parts_that_hold_the_chosen_node():
    assert tree_drawn.root_for(63, 1) == 1, "five questions below the first one"
    assert tree_drawn.root_for(64, 1) == 2 and tree_drawn.root_for(127, 2) == 3
    assert tree_drawn.root_for(200, 6) == 6 and tree_drawn.root_for(6, 200) == 1


# A made-up person


def test_made_up_person_is_predicted_as_the_tree_predicts_and_the_way_is_shown(found, searched):
    tree = unwrap(searched.model).tree
    rows = study_of().X

    def person():
        boxes = [*found.number_input, *found.selectbox]
        values = {name: box.value for name in tree.columns for box in boxes if box.label == name}
        return pd.DataFrame({name: [values[name]] for name in tree.columns})

    def check():
        made = person()
        [leaf] = tree.apply(made)
        predicted = Message("tree-person-predicted", {"leaf": Phrase(tree.prediction_text(tree.node(int(leaf))))})
        assert f"**{say(predicted)}**" in found.text
        assert f"on to {leaf}" in found.text
        return int(leaf)

    first = check()
    seen = {first}
    for value in (rows["merit"].min(), rows["merit"].max()):
        [box] = [box for box in found.number_input if box.label == "merit"]
        box.set_value(float(value))
        found.run()
        seen.add(check())
    assert len(seen) > 1
    found.click("trees_show_way")
    assert node_box(found).value == check()


def test_person_of_whom_nothing_is_known_goes_where_missing_values_go(found, searched):
    tree = unwrap(searched.model).tree
    for name in tree.columns:
        box = next(box for box in [*found.number_input, *found.selectbox] if box.label == name)
        box.set_value(None)
    found.run().assert_refuses_nothing()
    leaf = max(node.number for node in tree.leaves if node.number & (node.number + 1) == 0)
    assert f"{tree.columns[0]} is not known: on to 3" in found.text and f"on to {leaf}" in found.text


# Other settings


def test_where_no_other_setting_was_tried_that_is_said(app, searched):
    said, details = say(Message("learn-no-settings")), searched.finding.details
    assert said not in put(bring(app), searched).text
    alone = replace(searched.finding, details=replace(details, settings=details.settings.head(1)))
    assert said in put(app, replace(searched, finding=alone)).text


def test_setting_fills_the_form_and_keeps_the_rest(found, searched):
    settings = searched.finding.details.settings.reset_index(drop=True)
    choice = next(box for box in found.selectbox if box.label == "One of these settings")
    assert found.button(key="trees_take").disabled and len(choice.options) == len(settings)
    choice.set_value(int(settings.index[settings["setting"] == "depth"][0]))
    found.run().click("trees_take")
    draft = found.state.settings[settings_of("trees")]
    assert draft.max_depth == 1 and draft.max_difference == QUICK.max_difference
    assert found.slider(key="trees_max_depth").value == 1
    choice = next(box for box in found.selectbox if box.label == "One of these settings")
    choice.set_value(int(settings.index[settings["setting"] == "free"][0]))
    found.run().click("trees_take")
    assert found.state.settings[settings_of("trees")].constraint is None


def test_kept_tree_of_a_saved_audit_is_found_again(found, another_app):
    another_app.open_audit(found.state.plan().to_toml())
    another_app.state.put_table(as_loans(loans()), source="loans.csv")
    finish(another_app.go("Trees").click("remedies_fit_kept")).assert_refuses_nothing()
    assert said_of(another_app, "trees").headline.key.startswith("remedy-headline-")


def test_rows_that_the_gap_is_measured_on_are_shown(app):
    bring(app, frame=with_sex(loans(), missing=True), where=NARROWED)
    found = drained(iter_remedy(app.state.study[1], QUICK))
    put(app, found)
    assert_names_rows(app)


def test_the_wish_that_no_group_is_worse_off_is_asked_of_the_best_tree_and_not_of_one_that_is_grown(app):
    bring(app).state.settings[settings_of("trees")] = QUICK
    finish(app.run().set("checkbox", "trees_no_group_worse_off", True).click("trees_fit"))
    [entry] = app.state.remedies
    assert entry.plan.no_group_worse_off
    app.set("radio", "trees_search", "look_ahead")
    assert not any(box.key == "trees_no_group_worse_off" for box in app.test.checkbox)
    assert not plan_of(app.state.settings[settings_of("trees")]).no_group_worse_off


def test_groups_are_kept_alike_among_similar_cases_where_a_difference_is_limited(app):
    bring(app).state.settings[settings_of("trees")] = QUICK
    app.state.change_check(protected="sex = 'woman'", strata=("area",))
    finish(app.go("Trees").set("checkbox", "trees_among", True).click("trees_fit"))
    [entry] = app.state.remedies
    assert entry.plan.strata == ("area",) and "among similar cases" in remedy_name(entry.plan)
    app.set("selectbox", "trees_constraint", "four_fifths")
    assert not any(box.key == "trees_among" for box in app.test.checkbox)
    assert not plan_of(app.state.settings[settings_of("trees")]).strata
