"""Remedies where the decision is an amount: learned on their own rows, judged on held-out ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fairaudit import AuditPlan, run
from fairaudit.audit.running import iter_run
from fairaudit.audit.trying import iter_remedies, iter_remedy
from fairaudit.errors import GroupError, InputError
from fairaudit.events import STOP, Finished, Incumbent, Progress
from fairaudit.findings import Message, Phrase
from fairaudit.measure import didi
from fairaudit.measure.indices import dtdi_details
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.trees.fit import amount_tree_warnings
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.search import allowed_difference
from fairaudit.study.amounts.judging import changes, evaluate
from fairaudit.study.amounts.rows import AmountStudy, limit_set
from fairaudit.study.findings import plan_key
from fairaudit.study.similar import similar_parts

TREE = TreesPlan(max_depth=2, amount_difference=60, min_leaf_size=5, time_limit=20)


def pay() -> pd.DataFrame:
    """Return 400 people whose pay follows grade and sex; three of no known sex, two without pay."""
    random = np.random.default_rng(4)
    n = 400
    sex = np.where(np.arange(n) % 5 < 2, "F", "M").astype(object)
    grade = random.integers(1, 5, n) + (sex == "M")
    amount = np.round(2_000 + 400 * grade - 150 * (sex == "F") + random.normal(0, 100, n))
    sex[:3], amount[-2:] = None, np.nan
    return pd.DataFrame({"sex": sex, "grade": grade, "area": random.choice(["a", "b", "c"], n), "pay": amount})


def plan(*remedies, **models) -> AuditPlan:
    """Return an audit of that pay with remedies."""
    asked = {"features": ("grade", "area"), "protected": "sex = 'F'", "protected_name": "women"} | models
    return AuditPlan(
        data=DataPlan(source="pay.csv"),
        decision=OutcomePlan(column="pay", amount=True, meaning="monthly pay"),
        checks=(CheckPlan(protected="sex = 'F'"),),
        models=ModelsPlan(**asked),
        remedies=remedies or (TREE,),
    )


@pytest.fixture(scope="module")
def study():
    return AmountStudy.of(pay(), plan())


@pytest.fixture(scope="module")
def candidate(study):
    """What trying the tree found."""
    return last_of(iter_remedy(study, TREE))


@pytest.fixture(scope="module")
def found(candidate):
    asked = plan(PlainPlan(model="linear_regression"), PlainPlan(model="median"), TREE)
    return last_of(iter_remedies(pay(), asked, known={plan_key(TREE): candidate}))


def last_of(events):
    """Return the result of a generator of events."""
    *_, last = events
    return last.result


def test_rows_are_divided_alike_in_each_group_and_band_of_the_amount(study):
    parts = (study.split.train, study.split.tune, study.split.held_out)
    assert sorted(np.concatenate(parts)) == list(range(398))
    assert [round(len(part) / 398, 1) for part in parts] == [0.6, 0.2, 0.2]
    assert study.facts.n_undecided == 2 and (~study.group_known).sum() == 3
    means = [study.y[part][study.protected[part]].mean() for part in parts]
    assert max(means) - min(means) < 0.2 * study.y.std()


def test_other_seeds_divide_otherwise_and_the_same_seed_does_not(study):
    again, other = (AmountStudy.of(pay(), plan().model_copy(update={"seed": seed})) for seed in (0, 1))
    assert (again.split.held_out == study.split.held_out).all()
    assert not np.array_equal(other.split.held_out, study.split.held_out)


LINEAR = PlainPlan(model="linear_regression")


@pytest.mark.parametrize("remedy", [pytest.param(LINEAR, marks=pytest.mark.usual), TREE], ids=["linear", "tree"])
def test_held_out_amounts_change_no_model(study, remedy):
    held = study.split.held_out
    # The same fifth of the amounts keeps the rows divided as they were.
    spoiled = pay()
    spoiled.loc[spoiled.index[held], "pay"] += np.where(np.arange(len(held)) % 2, 1.0, -1.0)
    altered = AmountStudy.of(spoiled, plan())
    if not np.array_equal(altered.split.held_out, held):
        pytest.fail("the rows are divided otherwise, so this comparison says nothing")
    one, other = (last_of(iter_remedy(each, remedy)) for each in (study, altered))
    assert (one.model.predict(study.X) == other.model.predict(study.X)).all()
    assert one.finding.after.mae != other.finding.after.mae


def test_figures_are_those_of_the_formulas(study):
    held = study.split.held_out
    y = study.y[held]
    prediction = np.round(y / 500) * 500 + np.where(study.protected[held], 10, 0)
    model = evaluate(study, "rounded", prediction)
    assert model.mae == pytest.approx(np.abs(prediction - y).mean())
    assert model.r2 == pytest.approx(1 - ((prediction - y) ** 2).sum() / ((y - y.mean()) ** 2).sum())
    inside, own = study.population[held], study.protected[held]
    difference = prediction[inside & own].mean() - prediction[inside & ~own].mean()
    assert model.predicted.difference == pytest.approx(difference)
    women = model.groups.set_index("group").loc["women"]
    assert women["error"] == pytest.approx((prediction - y)[own].mean())
    assert women["error_low"] < women["error"] < women["error_high"] and women["n"] == own.sum()


def test_who_does_not_meet_the_filter_is_counted_apart_and_nobody_of_an_unknown_group_is_judged():
    rows = pay().dropna(subset="pay").reset_index(drop=True)
    rows["sex"] = rows["sex"].where(rows.index % 6 > 0, None)
    study = AmountStudy.of(rows, plan(where="area = 'a'"))
    held = rows.iloc[study.split.held_out]
    found = study.facts.decisions
    assert (held["area"] == "a").all() and not held["sex"].isna().any()
    assert study.facts.n_unknown == rows["sex"].isna().sum() > 0 < study.facts.n_filtered_out
    assert found.n_filtered_out == found.unknown == 0
    assert found.n_population == len(held) == found.protected.n + found.reference.n
    alone = AmountStudy.of(rows, plan(where="area = 'a'", learn_from="population"))
    assert (rows["area"].iloc[alone.split.learning] == "a").all() and len(alone.split.train) < len(study.split.train)


def test_no_model_learns_from_amounts_that_the_filter_leaves_out():
    rows = pay()
    most = float(rows["pay"].quantile(0.9))
    made = AmountStudy.of(rows, plan(where=f"pay <= {most}"))
    assert made.facts.n_rows == (rows["pay"] <= most).sum() and made.y.max() <= most
    assert made.facts.n_filtered_out == 0 and made.facts.outcome_where_words is not None


def test_changes_are_those_of_the_figures_of_both_models(study):
    y = study.y[study.split.held_out]
    before, after = y + 10, np.round(y / 500) * 500 + np.where(study.protected[study.split.held_out], 60, 0)
    found = {change.measure: change for change in changes(study, before, after)}
    models = [evaluate(study, name, values) for name, values in (("before", before), ("after", after))]
    for measure, figures in (
        ("mae", [model.mae for model in models]),
        ("r2", [model.r2 for model in models]),
        ("gap", [model.predicted.difference for model in models]),
    ):
        change = found[measure]
        assert (change.before, change.after) == pytest.approx(tuple(figures))
        assert change.interval.low < change.difference == change.after - change.before < change.interval.high
    assert found["error_gap"].before == pytest.approx(0, abs=1e-9)
    # What is predicted and the error move by the same amount.
    assert found["error_gap"].difference == pytest.approx(found["gap"].difference)
    assert found["error_gap"].interval == found["gap"].interval


def test_a_tree_keeps_its_limit_on_the_rows_it_learned_from(found):
    tree = found.remedies[2]
    assert tree.details.status == "optimal" and tree.details.trained_gap <= 60 + 1e-6
    assert tree.details.trained_gap < tree.details.max_difference + 1e-6
    assert tree.before.name == "model without the remedy, tree of depth up to 2"
    assert tree.after.mae > tree.before.mae, "the limit binds here, so it costs accuracy"
    assert [change.measure for change in tree.changes] == ["mae", "r2", "gap", "error_gap"]


def test_counts_of_a_tree_add_up_and_hold_the_mean_of_each_group(found):
    details = found.remedies[2].details
    leaves = set(details.leaves["leaf"])
    for columns in ("n", "n_learned"):
        own = details.counts.set_index(["node", "group"])[columns]
        for group in ("women", "the rest"):
            assert own[1, group] == sum(own[leaf, group] for leaf in leaves)
    root = details.counts[details.counts["node"] == 1]
    groups = found.remedies[2].after.groups.set_index("group")
    for row in root.itertuples():
        assert row.n == groups.loc[row.group, "n"] and row.actual == pytest.approx(groups.loc[row.group, "actual"])
        assert row.predicted == pytest.approx(groups.loc[row.group, "predicted"])
    assert details.leaves["n"].sum() == root["n"].sum()


def test_indices_are_those_of_the_measure(found, study):
    tree = found.remedies[2]
    held = study.split.held_out[study.group_known[study.split.held_out]]
    shown = tree.indices.set_index(["index", "part"])
    assert shown.loc[("didi", "held_out"), "n"] == len(held)
    groups = tree.after.groups.set_index("group").loc[["women", "the rest"]]
    values = np.repeat(groups["predicted"].to_numpy(), groups["n"].to_numpy())
    expected = didi(values, sensitive_features=np.repeat(["F", "M"], groups["n"]), task="regression")
    assert shown.loc[("didi", "held_out"), "after"] == pytest.approx(expected)
    assert (shown.loc["dtdi", "after"] >= 0).all()


def test_plain_models_are_judged_alike_and_the_median_treats_everybody_alike(found):
    linear, median, tree = found.remedies
    assert linear.changes == () and linear.details is None and linear.before.mae == linear.after.mae
    assert linear.after.r2 > tree.after.r2 > median.after.r2
    assert median.after.predicted.difference == 0
    assert any(warning == say(Message("doubt-same-amount")) for warning in median.warnings)


def test_a_free_tree_is_compared_with_a_linear_regression():
    free = TreesPlan(max_depth=1, constraint=None, time_limit=20)
    [tree] = run(plan(free), table=pay()).amount_remedies.remedies
    assert (
        tree.before.name == "model without the remedy, linear regression"
        and tree.name == "A decision tree (depth up to 1, a search of about 20 seconds' work)"
    )


def test_a_priced_index_and_linear_leaves_come_through():
    priced = TreesPlan(
        max_depth=1, constraint=None, discrimination="didi", fairness_weight=5, leaves="linear", time_limit=10
    )
    [tree] = run(plan(priced), table=pay()).amount_remedies.remedies
    held = tree.indices.set_index(["index", "part"]).loc[("didi", "trained")]
    assert held["after"] <= held["before"] + 1e-6
    assert tree.details.leaf_kind == "linear" and "5 times DIDI" in tree.details.objective_words


def test_without_a_number_a_tenth_of_the_spread_is_allowed(study):
    remedy = TreesPlan(max_depth=1)
    tenth = 0.1 * np.std(study.y[study.split.train], ddof=1)
    assert allowed_difference(study, remedy) == float(f"{tenth:.1g}") == study.judge.tolerance
    assert np.isnan(allowed_difference(study, remedy.baseline()))


@pytest.mark.parametrize("protected", ["sex = 'F'", "area = 'a'"])
def test_the_limit_that_the_person_set_holds_for_remedies_too(protected):
    asked = (*plan().checks, CheckPlan(protected=protected, amount_tolerance=50))
    study = AmountStudy.of(pay(), plan().model_copy(update={"checks": asked}))
    assert study.judge.tolerance == study.facts.decisions.tolerance == 50 and study.facts.is_limit_set
    assert allowed_difference(study, TreesPlan(max_depth=1)) == 50


def test_the_limit_of_the_same_people_comes_first():
    asked = [CheckPlan(protected=who, amount_tolerance=size) for who, size in (("area = 'a'", 70), ("sex = 'F'", 50))]
    assert limit_set(asked, plan().models) == 50 and limit_set((), plan().models) is None


def test_remedies_of_one_name_are_distinguished_and_a_stop_keeps_what_was_made():
    events = iter_remedies(pay(), plan(PlainPlan(model="median"), PlainPlan(model="median"), TREE))
    names, command, median = [], None, f"{say(Message('remedy-name-none'))}, the median for everybody"
    while True:
        event = events.send(command)
        if isinstance(event, Finished):
            names = [each.name for each in event.result.remedies]
            break
        command = STOP if getattr(event, "what", "").startswith(f"{median} (2)") else None
    assert names == [median, f"{median} (2)"], "the second is the first, and the tree is left out"


def test_an_audit_shows_its_steps_to_the_end():
    *_, last = events = list(iter_run(plan(PlainPlan(model="median")), table=pay()))
    done = [event.done for event in events if hasattr(event, "done")]
    assert done == sorted(done) and last.result.remedies is None and len(last.result.checks) == 1


@pytest.mark.parametrize(
    ("remedy", "words"),
    [
        (RelabelPlan(), '"plain" and "trees" can be tried'),
        (PlainPlan(), 'give model = "linear_regression" or "median"'),
        (TreesPlan(search="look_ahead"), "look_ahead"),
        (TreesPlan(constraint="equal_opportunity"), "mean amounts alike"),
        (TreesPlan(max_difference=0.1), "give 'amount_difference'"),
        (TreesPlan(constraint=None, amount_difference=5), "needs constraint"),
    ],
)
def test_what_does_not_go_with_an_amount_is_refused_in_a_sentence(remedy, words):
    with pytest.raises(ValueError, match=words):
        plan(remedy)


@pytest.mark.parametrize(
    "remedy", [PlainPlan(model="median"), TreesPlan(leaves="linear"), TreesPlan(amount_difference=5)]
)
def test_what_needs_an_amount_is_refused_without_one(remedy):
    with pytest.raises(ValueError, match="amount = true"):
        AuditPlan.model_validate(
            plan().model_dump() | {"decision": {"column": "pay", "favorable": [1]}, "remedies": [remedy.model_dump()]}
        )


def test_a_plan_with_trees_of_amounts_survives_its_file():
    asked = plan(PlainPlan(model="median"), TREE.model_copy(update={"leaves": "linear"}))
    assert AuditPlan.from_toml(asked.to_toml()) == asked


@pytest.mark.parametrize(
    ("table", "error", "words"),
    [
        (lambda: pay().assign(pay=1.0), GroupError, "one amount only"),
        (lambda: pay().head(15), GroupError, "at least 20 rows with an amount"),
        (lambda: pay().assign(pay="a"), InputError, "is to be an amount"),
    ],
)
def test_data_that_no_model_can_learn_from_are_refused(table, error, words):
    with pytest.raises(error, match=words):
        AmountStudy.of(table(), plan())


def test_one_group_alone_cannot_be_kept_alike():
    table = pay().assign(one="x")
    with pytest.raises(GroupError, match="one group only"):
        run(plan(TREE, by=("one",)), table=table)


def test_columns_that_reveal_the_groups_are_left_out_unless_they_may_be_used():
    shown = TreesPlan(max_depth=1, constraint=None, use_sensitive=True)
    with pytest.raises(InputError, match="no tree can be built"):
        run(plan(features=("sex",)), table=pay())
    [tree] = run(plan(shown, features=("sex",)), table=pay()).amount_remedies.remedies
    assert tree.uses_protected_features


def test_people_of_no_known_group_are_not_learned_from(found):
    tree = found.remedies[2]
    assert tree.details.counts["group"].unique().tolist() == ["women", "the rest"]
    assert "missing" not in tree.after.groups["group"].tolist()
    assert any("no known group" in warning for warning in tree.warnings)


def test_other_settings_hold_the_asked_one_and_are_measured_on_the_tuning_rows(found, study):
    details = found.remedies[2].details
    table = details.settings
    assert set(table["setting"]) == {"asked", "free", "depth", "limit"} and table["chosen"].sum() == 1
    chosen = table[table["chosen"]].iloc[0]
    assert (chosen["mae"], chosen["gap"]) == pytest.approx((details.tuned_mae, details.tuned_gap))
    limits = table[table["setting"].isin(["limit", "asked"])].sort_values("limit")
    assert (limits["trained_gap"] <= limits["limit"] + 1e-6).all()
    assert limits["objective"].is_monotonic_decreasing, "a wider limit costs no accuracy where it is learned"
    deep = table[table["setting"].isin(["depth", "asked"])].sort_values("max_depth")
    assert deep["objective"].is_monotonic_decreasing, "a shallower tree may be deeper, too"
    assert {say(Message("tree-setting-limit", {"limit": Phrase(f"{limit:,.6g}")})) for limit in (30, 120, 240)} <= set(
        table["words"]
    )


def test_similar_people_are_counted_once_in_bins_around_those_treated_alike(found):
    details = found.remedies[2].details
    sizes = details.similar.groupby("model")["n"].sum()
    assert sizes["before"] == sizes["after"] == details.alike[details.alike["model"] == "after"]["n"].sum()
    for model in ("before", "after"):
        rows = details.similar[details.similar["model"] == model]
        [middle] = rows[(rows["low"] == -details.alike_within) & (rows["high"] == details.alike_within)]["n"]
        assert middle == details.alike[details.alike["model"] == model]["n_alike"].sum()
        assert rows["share"].sum() == pytest.approx(1)


def test_indices_of_similar_people_are_those_of_the_measure(study):
    people = similar_parts(study, TREE.n_neighbors)["tuned"]
    rows, values = people.rows, np.round(study.y / 300) * 300
    shown = dtdi_details(
        study.X.iloc[rows], values[rows], sensitive_features=study.groups[rows], n_neighbors=10, task="regression"
    )
    assert people.dtdi(values[rows], task="regression") == pytest.approx(shown.normalized)
    expected = didi(values[rows], sensitive_features=study.groups[rows], task="regression")
    assert people.didi(values[rows], task="regression") == pytest.approx(expected)


def test_what_is_known_is_not_made_again(study, candidate):
    known = {plan_key(TREE): candidate}
    asked = plan(TREE.model_copy(update={"name": "ours"}))
    [finding] = last_of(iter_remedies(pay(), asked, known=known)).remedies
    assert finding.name == "ours" and finding.details is candidate.finding.details
    wider = TREE.model_copy(update={"amount_difference": 200.0})
    what = [event.what for event in iter_remedy(study, wider, known=known) if isinstance(event, Progress)]
    assert not any("Without a limit" in each for each in what), "the tree to compare with is known"
    assert candidate.model.predict(study.X)[study.split.held_out] == pytest.approx(candidate.prediction)


def test_a_stopped_tree_keeps_its_best_and_is_made_anew_for_a_report(study):
    events, command, seen = iter_remedy(study, TREE), None, 0
    while True:
        event = events.send(command)
        if isinstance(event, Finished):
            break
        seen += isinstance(event, Incumbent)
        command = STOP if seen else None
    details = event.result.finding.details
    assert details.stopped and details.n_leaves >= 1 and len(details.settings) <= 2
    [again] = last_of(iter_remedies(pay(), plan(TREE), known={plan_key(TREE): event.result})).remedies
    assert not again.details.stopped


@pytest.mark.parametrize(("prediction", "shown"), [("3,194.5", True), ("2000 + 3 × grade", False)])
def test_weights_that_were_allowed_and_not_found_are_shown(study, found, prediction, shown):
    details = found.remedies[2].details
    leaves = details.leaves.assign(prediction=["1,000", *[prediction] * (len(details.leaves) - 1)])
    linear = TREE.model_copy(update={"leaves": "linear"})
    changed, said = replace(details, leaves=leaves), say(Message("tree-caution-not-weighed"))
    assert (said in amount_tree_warnings(study, linear, changed, ())) == shown
    assert said not in amount_tree_warnings(study, TREE, changed, ())
