"""A tree is shown as it is, chosen without the held-out rows, and what is doubtful about it is said."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from declared_columns import assert_frames_have_their_declared_columns
from event_runs import stopped_at
from study_data import as_loans, biased_loans, drained, loans_plan
from sweeps import part_of

from fairaudit.audit.trying import iter_remedies, iter_remedy, remedy_name, search_key
from fairaudit.conditions import Condition
from fairaudit.errors import GroupError, InputError, PlanError
from fairaudit.estimators.trees.lookahead_tree import PUBLISHED_WEIGHTS
from fairaudit.events import Incumbent, Progress
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.indices import didi, dtdi_details
from fairaudit.measure.intervals import wilson
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.fit import unseen_columns
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.search import (
    is_kept,
    new_search,
    outcome_words,
    ratio_table,
    setting_words,
    settings_around,
)
from fairaudit.remedies.trees.words import warnings
from fairaudit.study.constraint_check import positive_labels
from fairaudit.study.findings import plan_key
from fairaudit.study.rows import Study
from fairaudit.study.similar import SimilarRows, alike_table, similar_table

# Few different values make few splits, so that each search ends by proof.
LOANS = biased_loans(1000).assign(
    merit=lambda loans: (2 * loans["merit"]).round() / 2, weight=lambda loans: 20 * (loans["weight"] / 20).round()
)
TABLE = as_loans(LOANS)
ALIKE = TreesPlan(max_depth=2)
FREE = TreesPlan(max_depth=2, constraint=None)
FIFTHS = TreesPlan(max_depth=2, constraint="four_fifths")
PRICED = TreesPlan(max_depth=2, constraint=None, discrimination="didi", fairness_weight=0.5)
AHEAD = TreesPlan(search="look_ahead", max_depth=3, constraint="four_fifths", time_limit=10)
ALL = {"alike": ALIKE, "free": FREE, "four fifths": FIFTHS, "priced": PRICED, "ahead": AHEAD}
RATES = {
    "fnr": lambda y, h: (1 - h)[y == 1].mean(),
    "fpr": lambda y, h: h[y == 0].mean(),
    "selection_rate": lambda y, h: h.mean(),
}
RATES_OF = {
    "demographic_parity": ("selection_rate",),
    "equal_opportunity": ("fnr",),
    "equalized_odds": ("fnr", "fpr"),
}


def study_of(*remedies, table=TABLE, **models) -> Study:
    return Study.of(table, loans_plan(**models).model_copy(update={"remedies": remedies}))


@cache
def tried(remedy, **models):
    return drained(iter_remedy(study_of(remedy, **models), remedy))


def known_part(study: Study, part: str):
    """The rows of a part whose group is known."""
    rows = getattr(study.split, part)
    return rows[study.group_known[rows]]


def predicted(study: Study, details: TreesDetails):
    """What the conditions of the leaves say about all rows, read with the ordinary conditions of this package."""
    leaves = details.nodes[details.nodes["is_leaf"]]
    inside = np.array([Condition.parse(text, study.X).mask(study.X) for text in leaves["condition"]])
    assert (inside.sum(axis=0) == 1).all()
    return leaves["prediction"].to_numpy(dtype=int)[inside.argmax(axis=0)]


# What is said.


@pytest.mark.parametrize(
    ("name", "positive"),
    part_of(product(ALL, ["favorable", "unfavorable"]), [*product(ALL, ["favorable"]), ("alike", "unfavorable")]),
)
def test_the_conditions_that_are_shown_are_what_the_model_does(name, positive):
    remedy = ALL[name]
    study, candidate = study_of(remedy, positive=positive), tried(remedy, positive=positive)
    details = candidate.finding.details
    h = predicted(study, details)
    good = h if positive == "favorable" else 1 - h
    assert (candidate.model.predict(study.X) == good).all()
    assert (candidate.prediction == good[study.split.held_out]).all()
    assert candidate.model.classes_.tolist() == [0, 1] and candidate.score is None
    y = positive_labels(study)
    for part, shown in (("train", details.trained_accuracy), ("tune", details.tuned_accuracy)):
        rows = known_part(study, part)
        assert shown == pytest.approx((h[rows] == y[rows]).mean())
    assert details.depth == details.nodes["depth"].max() <= remedy.max_depth
    assert details.n_leaves == details.nodes["is_leaf"].sum() == len(details.leaves)


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
@pytest.mark.parametrize("constraint", part_of(RATES_OF, ["demographic_parity", "equalized_odds"]))
def test_gaps_are_those_of_the_outcome_that_is_called_positive(constraint, positive):
    remedy = ALIKE.model_copy(update={"constraint": constraint, "max_difference": 0.1})
    study, details = study_of(positive=positive), tried(remedy, positive=positive).finding.details
    y, h = positive_labels(study), predicted(study, details)
    assert details.gaps["rate"].tolist() == list(RATES_OF[constraint])
    for row in details.gaps.itertuples():
        for part, shown in (("train", row.trained), ("tune", row.tuned), ("held_out", row.held_out)):
            rows = known_part(study, part)
            one, other = (rows[study.groups[rows] == name] for name in (row.first, row.second))
            assert shown == pytest.approx(RATES[row.rate](y[one], h[one]) - RATES[row.rate](y[other], h[other]))
        assert row.low <= row.held_out <= row.high
    assert details.trained_gap == details.gaps["trained"].abs().max() <= 0.1 + 1e-9
    assert details.tuned_gap == details.gaps["tuned"].abs().max()
    assert details.ratios.empty


@pytest.mark.parametrize(
    ("positive", "meaning", "words"),
    [
        ("favorable", "loan granted", ("not: loan granted", "loan granted")),
        ("unfavorable", "loan granted", ("loan granted", "not: loan granted")),
        ("favorable", None, ("granted is no", "granted is yes")),
        ("unfavorable", None, ("granted is yes", "granted is no")),
    ],
)
def test_leaves_say_in_few_words_which_outcome_they_predict(positive, meaning, words):
    plan = loans_plan(positive=positive)
    study = Study.of(TABLE, plan.model_copy(update={"decision": plan.decision.model_copy(update={"meaning": meaning})}))
    assert outcome_words(study) == words


def test_the_80_percent_rule_is_shown_as_ratios_on_all_parts_of_the_rows():
    study, details = study_of(), tried(FIFTHS).finding.details
    h = predicted(study, details)
    [row] = details.ratios.itertuples()
    for part, shown in (("train", row.trained), ("tune", row.tuned), ("held_out", row.held_out)):
        rows = known_part(study, part)
        shares = [h[rows[study.groups[rows] == name]].mean() for name in (row.first, row.second)]
        assert shown == pytest.approx(min(shares) / max(shares))
    assert details.trained_gap == row.trained >= 0.8 - 1e-9
    assert row.low <= row.held_out <= row.high
    assert details.gaps["reading"].tolist() == [row.reading]
    assert math.isnan(details.max_difference) and math.isnan(details.trained_difference)


def test_ratios_say_on_which_side_of_80_percent_they_are_and_how_clear_that_is():
    groups = np.repeat(["a", "b"], 1000)
    for shares, shown in (
        ((0.9, 0.92), "within"),
        ((0.5, 0.61), "within, not clear"),
        ((0.5, 0.64), "outside, not clear"),
        ((0.1, 0.9), "outside"),
    ):
        h = np.concatenate([np.arange(1000) < 1000 * share for share in shares]).astype(int)
        [row] = ratio_table(("a", "b"), groups, h, 0.95).itertuples()
        assert row.ratio == pytest.approx(shares[0] / shares[1]) and row.reading == shown, shares
    [row] = ratio_table(("a", "b"), groups, np.zeros(2000, dtype=int), 0.95).itertuples()
    assert math.isnan(row.ratio) and row.reading == "not defined"


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
def test_everybody_who_comes_to_a_node_is_counted(positive):
    study, details = study_of(positive=positive), tried(ALIKE, positive=positive).finding.details
    y = positive_labels(study)
    conditions = dict(zip(details.nodes["node"], details.nodes["condition"], strict=True))
    for row in details.counts.itertuples():
        inside = Condition.parse(conditions[row.node], study.X).mask(study.X)
        for part, n, positives, rate in (
            ("train", row.n_learned, row.n_learned_positive, row.learned_rate),
            ("held_out", row.n, row.n_positive, row.rate),
        ):
            rows = known_part(study, part)
            rows = rows[inside[rows] & (study.groups[rows] == row.group)]
            assert (n, positives) == (len(rows), y[rows].sum())
            assert rate == pytest.approx(y[rows].mean()) if len(rows) else math.isnan(rate)
    low, high = wilson(details.counts["n_positive"], details.counts["n"], 0.95)
    assert np.allclose(details.counts["rate_low"], low, equal_nan=True)
    assert np.allclose(details.counts["rate_high"], high, equal_nan=True)
    sums = details.counts.groupby("node")[["n_learned", "n", "n_positive"]].sum()
    for node in details.nodes[~details.nodes["is_leaf"]]["node"]:
        assert (sums.loc[node] == sums.loc[2 * node] + sums.loc[2 * node + 1]).all()
    h = predicted(study, details)
    held = known_part(study, "held_out")
    assert details.leaves["n_right"].sum() == (h[held] == y[held]).sum()
    assert details.leaves["n"].tolist() == sums.loc[details.leaves["leaf"], "n"].tolist()


def test_indices_are_those_of_the_predictions_before_and_after():
    study, details = study_of(), tried(PRICED).finding.details
    after = predicted(study, details)
    before = tried(PRICED).plain.predict(study.X)
    near = study.X[list(study.facts.features)]
    assert len(details.indices) == 6 and not details.indices["sampled"].any()
    for row in details.indices.itertuples(index=False):
        rows = known_part(study, {"trained": "train", "tuned": "tune"}.get(row.part, row.part))
        groups = study.groups[rows]
        assert row.n == len(rows)
        for h, shown in ((before, row.before), (after, row.after)):
            if row.index == "didi":
                assert shown == pytest.approx(didi(h[rows], sensitive_features=groups))
            else:
                whole = dtdi_details(near.iloc[rows], h[rows], sensitive_features=groups, n_neighbors=10)
                assert shown == pytest.approx(whole.normalized)
    trained = details.indices[(details.indices["index"] == "didi") & (details.indices["part"] == "trained")].iloc[0]
    assert trained["after"] < trained["before"]


def test_similar_people_are_compared_as_a_loop_over_rows_would():
    random = np.random.default_rng(5)
    X = pd.DataFrame({"a": random.integers(0, 6, 60), "b": random.choice(["x", "y"], 60), "name": "only"})
    groups = random.choice(["m", "w"], 60).astype(object)
    one, other = random.integers(0, 2, (2, 60))
    people = SimilarRows.of(X, np.arange(60), groups, ("m", "w"), n_neighbors=5, seed=0)
    points = np.column_stack([X["a"] / X["a"].std(ddof=0), X["b"] == "x", X["b"] == "y"]).astype(float)
    expected, compared = [], []
    for place in range(60):
        distance = np.sqrt(((points - points[place]) ** 2).sum(axis=1))
        near = distance <= np.sort(distance)[4] + 1e-9
        own = near & (groups == groups[place])
        compared.append(len(set(groups[near])) > 1)
        expected.append(one[own].mean() - one[near].mean())
    assert np.allclose(people.own(one), expected)
    assert people.compared.tolist() == compared
    shown = similar_table(people, one, other)
    assert shown.groupby("model")["n"].sum().tolist() == [sum(compared)] * 2
    assert shown.groupby("model")["share"].sum().tolist() == pytest.approx([1, 1])
    same = sum(abs(gap) < 1e-9 for gap, is_compared in zip(expected, compared, strict=True) if is_compared)
    none = shown[(shown["model"] == "before") & (shown["low"] == 0) & (shown["high"] == 0)]["n"].sum()
    assert none == same == alike_table(people, one, other).groupby("model")["n_alike"].sum()["before"]


def test_of_many_rows_some_are_drawn_and_names_do_not_make_people_alike():
    n = 5200
    X = pd.DataFrame({"name": [f"n{i}" for i in range(n)], "a": np.arange(n) % 3})
    groups = np.where(np.arange(n) % 2, "m", "w").astype(object)
    people = SimilarRows.of(X, np.arange(n), groups, ("m", "w"), n_neighbors=3, seed=0)
    assert people.sampled and len(people.rows) == 5000
    assert people.complete.all()
    assert (people.rows == SimilarRows.of(X, np.arange(n), groups, ("m", "w"), n_neighbors=3, seed=0).rows).all()
    nobody = SimilarRows.of(X[["name"]], np.arange(n), groups, ("m", "w"), n_neighbors=3, seed=0)
    assert math.isnan(nobody.dtdi(np.zeros(5000, dtype=int))) and not nobody.compared.any()


def test_the_columns_of_the_frames_are_those_that_their_fields_declare():
    assert_frames_have_their_declared_columns(tried(FIFTHS).finding.details)


def test_a_proven_tree_has_its_bound_and_keeps_to_less_by_the_margin():
    details = tried(ALIKE.model_copy(update={"margin": 0.03})).finding.details
    assert details.status == "optimal" and details.bound == pytest.approx(details.objective)
    assert details.objective == pytest.approx(1 - details.trained_accuracy)
    assert (details.max_difference, details.trained_difference) == (0.05, 0.02)
    assert details.trained_gap <= 0.02 + 1e-9
    assert details.bounds["share"].is_monotonic_increasing
    assert details.bounds.iloc[-1]["bound"] == pytest.approx(details.bound)


def test_a_search_that_looks_ahead_claims_no_bound():
    details = tried(AHEAD).finding.details
    assert (details.status, details.method, details.search) == ("grown", "look_ahead", "look_ahead")
    assert all(map(math.isnan, (details.objective, details.bound, details.optimality_gap))) and details.bounds.empty


# Before, and what is known already.


def test_before_is_the_tree_of_the_same_settings_without_a_constraint():
    study, candidate = study_of(ALIKE), tried(ALIKE)
    free = tried(FREE)
    assert candidate.finding.before.name == "model without the remedy, tree of depth up to 2"
    assert repr(candidate.finding.before.measures) == repr(free.finding.after.measures)
    assert (candidate.plain.predict(study.X) == free.model.predict(study.X)).all()
    assert search_key(ALIKE.baseline()) == search_key(PRICED.baseline()) == search_key(FREE)
    assert free.finding.before.name == "model without the remedy, logistic regression" and free.plain is None
    assert repr(free.finding.before.measures) == repr(tried(PlainPlan()).finding.after.measures)


def test_what_is_known_is_not_searched_for_again():
    # Of the bad outcome, so that models are read the other way round.
    positive = "unfavorable"
    study, fresh = study_of(positive=positive), tried(ALIKE, positive=positive)
    events = list(iter_remedy(study, FREE, known={plan_key(ALIKE): fresh}))
    assert not any(isinstance(event, Incumbent) for event in events)
    assert repr(events[-1].result.finding.after.measures) == repr(tried(FREE, positive=positive).finding.after.measures)
    [again] = drained(iter_remedies(TABLE, study_of(ALIKE).plan, known={plan_key(ALIKE): tried(ALIKE)})).remedies
    assert repr(again.after.measures) == repr(tried(ALIKE).finding.after.measures)


def test_limits_that_nothing_is_held_to_make_no_other_search():
    loose = FREE.model_copy(update={"max_difference": 0.3, "margin": 0.1, "n_neighbors": 3})
    assert search_key(loose) == search_key(FREE) != search_key(ALIKE)
    assert search_key(FREE) != search_key(FREE.model_copy(update={"max_depth": 3}))


def test_a_tree_learns_from_the_training_part_where_the_group_is_known(monkeypatch):
    study, seen = study_of(), []
    from fairaudit.remedies.trees import search as module

    class Spied(module.OptimalTreeClassifier):
        def iter_fit(self, X, y, *, sensitive_features=None, population=None):
            seen.append((X.index, y, sensitive_features))
            return super().iter_fit(X, y, sensitive_features=sensitive_features, population=population)

    monkeypatch.setattr(module, "OptimalTreeClassifier", Spied)
    found = drained(iter_remedy(study, FREE)).finding.warnings
    rows = known_part(study, "train")
    assert len(rows) < len(study.split.train) and len(seen) > 1
    for index, y, groups in seen:
        assert index.tolist() == rows.tolist()
        assert (y == study.y[rows]).all() and (groups == study.groups[rows]).all()
    assert say(Message("doubt-unknown-groups")) in found


def test_columns_that_reveal_the_groups_are_left_out_unless_they_are_asked_for():
    features = ("merit", "area", "sex")
    assert not tried(FREE, features=features).finding.details.nodes["uses_protected"].any()
    used = FREE.model_copy(update={"use_sensitive": True, "max_depth": 3})
    finding = tried(used, features=features).finding
    assert finding.details.nodes["uses_protected"].any() and finding.uses_protected_features
    with pytest.raises(InputError, match="no tree can be built"):
        tried(FREE, features=("sex",))


def test_a_column_that_comes_close_to_revealing_the_groups_is_named():
    nodes = tried(FREE).finding.details.nodes
    assert set(nodes.loc[nodes["words"].str.startswith("weight"), "proxies"]) == {"weight"}


# Other settings.


def test_other_settings_hold_the_asked_one_and_are_measured_on_the_tuning_rows():
    study, details = study_of(), tried(ALIKE).finding.details
    settings = details.settings
    asked = settings[settings["chosen"]]
    assert asked["setting"].tolist() == ["asked"]
    row = asked.iloc[0]
    assert (row["accuracy"], row["gap"]) == (details.tuned_accuracy, details.tuned_gap)
    assert (row["trained_accuracy"], row["limit"]) == (details.trained_accuracy, 0.05)
    free = settings[settings["setting"] == "free"].iloc[0]
    h = tried(ALIKE).plain.predict(study.X)
    rows = known_part(study, "tune")
    assert free["accuracy"] == pytest.approx((h[rows] == study.y[rows]).mean())
    assert set(settings["setting"]) == {"asked", "free", "depth", "limit"}
    proven = settings[(settings["status"] == "optimal") & (settings["max_depth"] == 2)].sort_values("limit")
    assert proven["trained_accuracy"].is_monotonic_increasing


def test_a_price_has_its_own_curve_with_the_index():
    settings = tried(PRICED).finding.details.settings
    priced = settings[settings["max_depth"] == 2].sort_values("weight")
    assert priced["weight"].tolist() == [0, 0.25, 0.5, 1, 2]
    assert priced["trained_index"].is_monotonic_decreasing
    assert settings["gap"].isna().all() and settings["index"].notna().all()


@pytest.mark.parametrize("depth", range(1, 9))
@pytest.mark.parametrize("limit", [0.0, 0.05, 0.8])
def test_settings_are_few_and_differ_in_one_thing(depth, limit):
    remedy = TreesPlan(max_depth=depth, max_difference=limit)
    found = settings_around(remedy)
    assert 1 <= len(found) <= 9
    for what, plan in found:
        field = {"depth": "max_depth", "limit": "max_difference"}[what]
        assert getattr(plan, field) != getattr(remedy, field)
        assert plan.model_copy(update={field: getattr(remedy, field)}) == remedy
        assert 0 <= plan.max_difference <= 1 and 1 <= plan.max_depth <= 8
    assert "10 points" in setting_words("limit", TreesPlan(max_difference=0.1))


# Events and stops.


def test_progress_never_goes_back_and_only_the_search_asked_for_is_drawn():
    events = list(iter_remedy(study_of(), ALIKE))
    steps = [event for event in events if isinstance(event, Progress)]
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[-1].done < steps[-1].total
    assert f"Other settings: {said('tree-setting-depth', n=Count(1))}" in {step.what for step in steps}
    drawn = [place for place, event in enumerate(events) if isinstance(event, Incumbent)]
    words = [event.what for event in events[: drawn[0]] if isinstance(event, Progress)]
    assert any(text.startswith("Without a limit, to compare with") for text in words)
    assert all(set(events[place].figures) == {"objective", "bound", "share"} for place in drawn)
    last = events[drawn[-1]].figures
    assert last["objective"] == pytest.approx(tried(ALIKE).finding.details.objective)


STOPS = {
    "before anything": lambda event: isinstance(event, Progress),
    "in the search": lambda event: isinstance(event, Incumbent),
    "in other settings": lambda event: event.what == f"Other settings: {said('tree-setting-depth', n=Count(3))}",
}


@pytest.mark.parametrize("name", STOPS)
def test_a_stopped_tree_keeps_what_it_has_and_serves_no_other_plan(name):
    candidate = stopped_at(iter_remedy(study_of(ALIKE), ALIKE), STOPS[name])
    details = candidate.finding.details
    assert details.stopped and details.trained_gap <= 0.05 + 1e-9
    assert len(candidate.prediction) == len(study_of().split.held_out)
    # What it is compared with serves others only where it was complete.
    assert (candidate.plain is None) == (name == "before anything")
    if name == "in other settings":
        assert repr(candidate.finding.after.measures) == repr(tried(ALIKE).finding.after.measures)
        assert said("tree-caution-settings") in details.notes
        assert 1 < len(details.settings) < len(tried(ALIKE).finding.details.settings)
    [again] = drained(iter_remedies(TABLE, study_of(ALIKE).plan, known={plan_key(ALIKE): candidate})).remedies
    assert not again.details.stopped
    assert repr(again.after.measures) == repr(tried(ALIKE).finding.after.measures)


# What is doubtful.


def shown(*, kept=True, unseen=(), components=False, **changes) -> set[str]:
    """The warnings of the tree of `ALIKE`, of which something is changed."""
    details = replace(tried(ALIKE).finding.details, **changes)
    return set(warnings(details, kept=kept, unseen=unseen, components=components))


def said(key, **args) -> str:
    return say(Message(key, args))


def test_leaves_of_few_rows_are_counted():
    leaves = tried(ALIKE).finding.details.leaves
    one, every = (said("tree-caution-few", n=Count(n), few=Count(30)) for n in (1, len(leaves)))
    assert not {one, every} & shown(leaves=leaves.assign(n_learned=30))
    assert one in shown(leaves=leaves.assign(n_learned=[29, *[30] * (len(leaves) - 1)]))
    assert every in shown(leaves=leaves.assign(n_learned=3))


def test_leaves_that_are_mostly_wrong_are_counted():
    details = tried(ALIKE).finding.details
    swapped = replace(details, nodes=details.nodes.assign(prediction=1 - details.nodes["prediction"]))
    assert details.n_mostly_wrong == 0 < swapped.n_mostly_wrong
    assert said("tree-caution-against", n=Count(swapped.n_mostly_wrong)) in shown(nodes=swapped.nodes)


def test_a_tree_of_one_leaf_and_one_beyond_its_limit_in_training_are_shown():
    assert said("tree-caution-one-leaf") in shown(n_leaves=1) and said("tree-caution-not-kept") in shown(kept=False)
    assert is_kept(FIFTHS, 0.8) and not is_kept(FIFTHS, 0.79) and is_kept(FREE, math.nan)


def test_the_end_of_time_is_shown_and_leaves_a_tree():
    remedy = ALIKE.model_copy(update={"max_depth": 4, "time_limit": 0.01})
    table = as_loans(biased_loans(300))
    finding = drained(iter_remedy(study_of(table=table), remedy)).finding
    assert finding.details.status == "work_limit" and finding.details.optimality_gap > 0
    assert said("tree-caution-work") in finding.warnings


def test_values_that_were_never_seen_in_learning_are_shown():
    frame = LOANS.copy()
    study = study_of()
    held = study.split.held_out
    number = study.plan.decision.column
    decided = frame.index[frame[number].notna()]
    frame.loc[decided[held[:5]], "area"] = "east"
    changed = study_of(table=as_loans(frame))
    assert unseen_columns(study, ("area", "merit")) == ()
    assert unseen_columns(changed, ("area", "merit")) == ("area",)
    assert said("tree-caution-unseen", columns=Phrase("area")) in shown(unseen=("area",))


# Refusals and names.


def test_one_group_and_a_group_without_an_outcome_are_refused_before_anything_is_learned():
    everybody = LOANS.assign(sex="woman")
    everybody.loc[::3, "sex"] = None
    with pytest.raises(GroupError, match=r"^There is one group only"):
        drained(iter_remedy(study_of(table=as_loans(everybody), by=("sex",), protected="merit > 0"), ALIKE))
    refused = LOANS.copy()
    refused.loc[refused["sex"] == "woman", "granted"] = "no"
    odds = ALIKE.model_copy(update={"constraint": "equalized_odds"})
    with pytest.raises(GroupError, match="rows that the tree is learned from"):
        drained(iter_remedy(study_of(table=as_loans(refused)), odds))


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ("max_depth = 0", "greater than or equal to 1"),
        ("max_depth = 9", "less than or equal to 8"),
        ('constraint = "accuracy"', "demographic_parity"),
        ('constraint = "four_fifths"\nmax_difference = 0.1', "80 % of another group's share; leave it out"),
        ('constraint = "four_fifths"\nmargin = 0.1', "'margin' does nothing"),
        ("margin = 0.1", "'margin' must be at most 'max_difference' (0.05)"),
        ("fairness_weight = 1", "needs 'discrimination'"),
        ("max_discrimination = 0.1", "needs 'discrimination'"),
        ('discrimination = "didi"', "give 'fairness_weight' or 'max_discrimination'"),
        ("choose_weight = true", "needs 'search' = 'look_ahead'"),
        ("fairness_weight = -1", "greater than or equal to 0"),
        ("time_limit = 0", "greater than 0"),
        ('search = "look_ahead"\ndiscrimination = "didi"\nfairness_weight = 1', "has no index"),
        ('search = "look_ahead"\nbranching = "linear"', "splits by one column"),
        ('search = "look_ahead"\nmax_features = 2', "does not count the features"),
        ('search = "look_ahead"\nuse_sensitive = true', "leaves out columns that reveal the group"),
        ('search = "look_ahead"\nfairness_weight = 1\nchoose_weight = true', "and not both"),
        ('search = "look_ahead"\nconstraint = "none"\nchoose_weight = true', "need a 'constraint'"),
        ("look_ahead = 2", "need 'search' = 'look_ahead'"),
        ('search = "look_ahead"\nmax_splits = 9', "takes cuts of its own"),
        ("sample_size = 2000", "need 'search' = 'look_ahead'"),
        ('search = "look_ahead"\nlook_ahead = 5', "less than or equal to 4"),
        ('search = "look_ahead"\nchoose_weight = false\nprices_tried = "published"', "needs 'choose_weight' = true"),
    ],
)
def test_settings_that_do_not_go_together_are_refused_in_a_sentence(settings, shown):
    text = loans_plan().to_toml() + f'\n[[remedies]]\nmethod = "trees"\n{settings}\n'
    with pytest.raises(PlanError, match=re.escape(shown)):
        AuditPlan.from_toml(text)


@pytest.mark.parametrize("remedy", [*ALL.values(), TreesPlan(search="look_ahead", choose_weight=True, name="t")])
def test_a_plan_with_a_tree_comes_back_from_its_file(remedy):
    plan = loans_plan().model_copy(update={"remedies": (remedy,)})
    assert AuditPlan.from_toml(plan.to_toml()) == plan


@pytest.mark.parametrize(
    ("settings", "chooses"),
    [
        ('search = "look_ahead"', True),
        ('search = "look_ahead"\nchoose_weight = false', False),
        ('search = "look_ahead"\nchoose_weight = true', True),
        ('search = "look_ahead"\nfairness_weight = 0.5', False),
        ('search = "look_ahead"\nconstraint = "none"', False),
        ("", False),
    ],
)
def test_a_search_that_looks_ahead_chooses_its_price_unless_the_plan_says_otherwise(settings, chooses):
    text = loans_plan().to_toml() + f'\n[[remedies]]\nmethod = "trees"\n{settings}\n'
    plan = AuditPlan.from_toml(text)
    assert plan.remedies[-1].choose_weight is chooses
    assert AuditPlan.from_toml(plan.to_toml()) == plan


def test_a_search_that_looks_ahead_is_set_as_its_paper_has_it():
    remedy = TreesPlan(search="look_ahead", constraint="four_fifths", look_ahead=2, prices_tried="published")
    search = new_search(Study.of(TABLE, loans_plan()), remedy)
    assert (search.look_ahead, search.sample_size, search.fairness_weight) == (2, 8000, "cv")
    assert search.weights_to_try == PUBLISHED_WEIGHTS
    assert new_search(Study.of(TABLE, loans_plan()), TreesPlan(max_splits=30)).max_splits == 30
    usual = new_search(Study.of(TABLE, loans_plan()), TreesPlan(search="look_ahead", sample_size=500))
    assert (usual.look_ahead, usual.sample_size, usual.weights_to_try) == ("adaptive", 500, None)
    assert remedy_name(remedy).endswith("fifty weights tried, looking 2 ahead)")


def test_names_show_what_was_asked():
    assert remedy_name(ALIKE) == "A decision tree (depth up to 2, positive predictions alike within 5 points)"
    assert remedy_name(ALIKE.model_copy(update={"name": "mine"})) == "mine"
    many = TreesPlan(
        max_depth=1, constraint="equalized_odds", margin=0.01, discrimination="both", max_discrimination=0.2,
        branching="linear", max_uses_per_feature=1, max_features=2, min_leaf_size=5, n_neighbors=4, use_sensitive=True,
        time_limit=3,
    )  # fmt: skip
    assert remedy_name(many) == (
        "A decision tree (depth up to 1, both error rates alike within 5 points, a margin of 1 point, DIDI and DTDI "
        "up to 0.2, splits by several columns, each column asked for once, up to 2 columns, leaves of 5 rows or more, "
        f"4 near rows, {say(Message('tree-name-sensitive'))}, a search of about 3 seconds' work)"
    )
    names = [remedy_name(remedy) for remedy in (*ALL.values(), many)]
    assert len(set(names)) == len(names)
