from __future__ import annotations

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from fairaudit import check_controlled_fairness, group_gaps, group_metrics
from fairaudit.errors import GroupError, InputError
from fairaudit.measure import check_errors, check_scores
from fairaudit.present.errors import with_group
from fairaudit.study.judging import GOOD, MEASURES, Judged
from fairaudit.study.judging.held_out import HeldOut, JudgeWords

WORDS = JudgeWords(
    decision="truth",
    favorable="truth = 1",
    protected="who is P",
    protected_condition="who = 'P'",
    where="area = 'in'",
    positive_meaning="truth is 1",
)
PAIRS = dict.fromkeys(["selection_gap", "tpr_gap", "fpr_gap", "fdr_gap", "for_gap"], ("kind 0", "kind 1"))
GAPS = {"selection_gap": "selection_rate", "tpr_gap": "tpr", "fpr_gap": "fpr", "fdr_gap": "fdr", "for_gap": "for_"}


def data(n=1500, n_groups=3, seed=0):
    """Make rows with two models, of which the second is worse and depends on the group."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "truth": rng.integers(0, 2, n),
            "who": rng.choice(["P", "R"], n, p=[0.3, 0.7]),
            "area": rng.choice(["in", "out"], n, p=[0.8, 0.2]),
            "kind": [f"kind {i}" for i in rng.integers(0, n_groups, n)],
        }
    )
    frame["points"] = np.round(rng.normal(frame["truth"], 1), 2)
    frame["other"] = frame["points"] + rng.normal(0, 0.5, n) + 0.4 * (frame["kind"] == "kind 0")
    return frame.assign(guess=(frame["points"] > 0.5).astype(int), second=(frame["other"] > 0.6).astype(int))


def held_out(frame, **settings):
    return HeldOut(
        frame["truth"],
        protected=frame["who"] == "P",
        population=frame["area"] == "in",
        groups=frame["kind"],
        **{"names": WORDS, **settings},
    )


def change_of(changes, measure):
    return next(change for change in changes if change.measure == measure)


def both(frame):
    return Judged(frame["guess"], frame["points"]), Judged(frame["second"], frame["other"])


def test_figures_without_groups_equal_those_of_scikit_learn():
    frame = data()
    found = held_out(frame).evaluate("model", frame["guess"], frame["points"])
    assert (found.name, found.n) == ("model", 1500)
    assert tuple(measured.measure for measured in found.measures) == tuple(MEASURES)
    assert found.measure("accuracy").value == (frame["truth"] == frame["guess"]).mean()
    assert found.measure("balanced_accuracy").value == pytest.approx(
        balanced_accuracy_score(frame["truth"], frame["guess"]), abs=1e-12
    )
    assert found.measure("auc").value == pytest.approx(roc_auc_score(frame["truth"], frame["points"]), abs=1e-12)


def test_intervals_without_groups_are_those_of_the_audit():
    frame = data()
    found = held_out(frame, confidence=0.9).evaluate("model", frame["guess"], frame["points"])
    right = int((frame["truth"] == frame["guess"]).sum())
    assert found.measure("accuracy").interval == pytest.approx(oracles.wilson(right, 1500, 1.6448536269514722))
    scores = check_scores(frame.assign(one="x"), outcome="truth", favorable=1, score="points", by="one", confidence=0.9)
    assert found.measure("auc").interval == pytest.approx(tuple(scores.auc.loc[0, ["low", "high"]]))


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
def test_errors_equal_those_of_the_audit(positive):
    frame = data()
    found = held_out(frame, positive=positive).evaluate("model", frame["guess"]).errors
    expected = check_errors(frame, outcome="truth", favorable=1, prediction="guess = 1", by="kind", positive=positive)
    for part in ("counts", "metrics", "intervals", "gaps"):
        assert_frame_equal(getattr(found, part), getattr(expected, part), check_dtype=False, check_column_type=False)
    assert (found.groups, found.positive, found.warnings) == (expected.groups, positive, expected.warnings)


@pytest.mark.parametrize("column", ["guess", "truth"])
def test_fairness_equals_that_of_the_audit(column):
    frame = data()
    judge = held_out(frame, tolerance=0.02, confidence=0.9)
    found = judge.decisions() if column == "truth" else judge.evaluate("model", frame[column]).fairness
    expected = check_controlled_fairness(
        frame,
        decision=column,
        favorable=1,
        protected="who = 'P'",
        where="area = 'in'",
        tolerance=0.02,
        confidence=0.9,
    )
    different = {"decision": "truth", "favorable": "truth = 1"}
    assert found.to_dict() | different == expected.to_dict() | different
    assert (found.n_population, found.n_filtered_out) == ((frame["area"] == "in").sum(), (frame["area"] == "out").sum())


def test_gaps_equal_a_count_of_the_rows():
    frame = data()
    found = held_out(frame).evaluate("model", frame["guess"])
    gaps = group_gaps(group_metrics(frame["truth"], frame["guess"], sensitive_features=frame["kind"]))
    for measure, rate in GAPS.items():
        assert found.measure(measure).value == pytest.approx(gaps.loc[rate, "difference"], abs=1e-12)
    assert found.measure("odds_gap").value == max(found.measure(m).value for m in ("tpr_gap", "fpr_gap"))
    for measure, rate in GAPS.items():
        low, high = found.errors.gaps.loc[rate, ["low", "high"]]
        assert found.measure(measure).interval == (max(low, 0), high)
    assert found.measure("selection_gap").interval.low == 0 > found.errors.gaps.loc["selection_rate", "low"]
    inside = frame[frame["area"] == "in"].groupby("who")["guess"].mean()
    assert found.measure("gap").value == pytest.approx(abs(inside["P"] - inside["R"]), abs=1e-12)


def test_a_gap_has_no_sign_and_its_interval_ends_at_zero():
    frame = data()
    near = held_out(frame).evaluate("near", frame["guess"])
    low, high = near.fairness.difference_interval
    assert low < 0 < high
    assert near.measure("gap").interval == (0, max(-low, high))
    for sign, guess in ((-1, frame["who"] == "R"), (1, frame["who"] == "P")):
        noisy = np.where(frame.index % 4 == 0, 1 - guess, guess)
        far = held_out(frame).evaluate("far", noisy)
        low, high = far.fairness.difference_interval
        assert sign * low > 0 and sign * high > 0
        assert far.measure("gap").interval == (min(abs(low), abs(high)), max(abs(low), abs(high)))


def test_groups_with_few_rows_are_left_out_of_gaps_and_named():
    frame = data()
    frame.loc[:19, "kind"] = "rare"
    frame.loc[:19, "guess"] = 1
    found = held_out(frame).evaluate("model", frame["guess"])
    large = frame.loc[20:]
    gaps = group_gaps(group_metrics(large["truth"], large["guess"], sensitive_features=large["kind"]))
    assert found.measure("selection_gap").value == pytest.approx(gaps.loc["selection_rate", "difference"], abs=1e-12)
    assert any("'rare' (20)" in warning for warning in found.errors.warnings)
    pair = found.errors.gaps.loc["selection_rate", "worst_pair"]
    change = change_of(held_out(frame).changes(*both(frame), {"selection_gap": pair}), "selection_gap")
    assert change.before == pytest.approx(found.measure("selection_gap").value, abs=1e-12)
    assert np.isnan(
        change_of(held_out(frame).changes(*both(frame), {"tpr_gap": ("kind 0", "rare")}), "tpr_gap").difference
    )


def test_changes_hold_the_figures_of_both_models_and_their_difference():
    frame = data(n_groups=4)
    judge = held_out(frame)
    before, after = both(frame)
    first, second = (
        judge.evaluate("a", before.prediction, before.score),
        judge.evaluate("b", after.prediction, after.score),
    )
    changes = judge.changes(before, after, PAIRS)
    assert tuple(change.measure for change in changes) == tuple(name for name in MEASURES if name != "odds_gap")
    for change in changes:
        for value, model in ((change.before, first), (change.after, second)):
            expected = model.measure(change.measure).value
            if change.measure == "gap":
                expected = model.fairness.difference
            elif change.first is not None:
                rates = with_group(model.errors.metrics).set_index("group")[GAPS[change.measure]]
                expected = rates[change.first] - rates[change.second]
            assert value == pytest.approx(expected, abs=1e-12)
        assert change.difference == change.after - change.before
        assert -1 <= change.interval.low < change.difference < change.interval.high <= 1


def test_a_gap_that_turns_round_changes_by_both_sizes():
    protected = np.arange(200) < 100
    before, after = (np.where(protected, np.arange(200) % 10 < few, np.arange(200) % 10 < 5) for few in (4, 6))
    for positive in ("favorable", "unfavorable"):
        judge = HeldOut(np.arange(200) % 2, protected=protected, positive=positive)
        change = change_of(judge.changes(Judged(before), Judged(after)), "gap")
        assert (change.before, change.after, change.difference) == pytest.approx((-0.1, 0.1, 0.2))


def test_without_a_score_only_the_area_is_undefined():
    frame = data()
    judge = held_out(frame)
    found = judge.evaluate("model", frame["guess"])
    assert [m.measure for m in found.measures if np.isnan(m.value)] == ["auc"]
    changes = judge.changes(Judged(frame["guess"]), Judged(frame["second"], frame["other"]), PAIRS)
    assert [c.measure for c in changes if np.isnan(c.difference)] == ["auc"]
    assert np.isnan(changes[list(MEASURES).index("auc")].interval).all()


def test_rows_without_a_score_are_left_out_of_the_area():
    frame = data()
    missing = frame.index % 5 == 0
    score = frame["points"].mask(missing)
    found = held_out(frame).evaluate("model", frame["guess"], score).measure("auc")
    assert found.value == pytest.approx(roc_auc_score(frame["truth"][~missing], score[~missing]), abs=1e-12)
    changes = held_out(frame).changes(Judged(frame["guess"], frame["points"]), Judged(frame["guess"], score))
    assert np.isnan(changes[list(MEASURES).index("auc")].interval).all()


def test_two_models_that_say_the_same_may_differ_on_other_rows_but_for_the_area():
    frame = data()
    same = Judged(frame["guess"], frame["points"])
    ranked_alike = Judged(frame["guess"], frame["points"] * 3 + 1)
    for change in held_out(frame).changes(same, ranked_alike, PAIRS):
        assert change.difference == 0, change
        low, high = change.interval
        assert low == -high and (high == 0) == (change.measure == "auc") and high < 0.1, change


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000), st.integers(2, 5))
def test_row_order_and_group_names_do_not_matter(seed, n_groups):
    frame = data(400, n_groups, seed)
    names = dict(
        zip(sorted(frame["kind"].unique()), np.random.default_rng(seed).permutation(list("vwxyz")), strict=False)
    )
    other = frame.assign(kind=frame["kind"].map(names)).sample(frac=1, random_state=seed)
    first, second = held_out(frame), held_out(other)
    renamed = {gap: tuple(names[name] for name in pair) for gap, pair in PAIRS.items()}
    for a, b in zip(first.changes(*both(frame), PAIRS), second.changes(*both(other), renamed), strict=True):
        assert a.measure == b.measure
        numbers = [(c.before, c.after, c.difference, *c.interval) for c in (a, b)]
        assert numbers[0] == pytest.approx(numbers[1], nan_ok=True, abs=1e-12)
    for a, b in zip(
        first.evaluate("a", frame["guess"], frame["points"]).measures,
        second.evaluate("a", other["guess"], other["points"]).measures,
        strict=True,
    ):
        assert a.value == pytest.approx(b.value, nan_ok=True, abs=1e-12)


def test_groups_stand_in_the_order_asked_for():
    judge = HeldOut([1, 0, 1, 0], protected=[1, 0, 1, 0], groups=["missing", "b", "a", "b"])
    assert judge.groups == ("a", "b", "missing")
    ordered = HeldOut([1, 0, 1], protected=[1, 0, 1], groups=["c", "b", "a"], group_names=("c", "empty", "a", "b"))
    assert ordered.groups == ("c", "a", "b")
    assert ordered.evaluate("m", [1, 0, 0]).errors.counts[["group", "tp", "tn", "fn"]].to_numpy().tolist() == [
        ["c", 1, 0, 0],
        ["a", 0, 0, 1],
        ["b", 0, 1, 0],
    ]


def test_one_group_or_one_outcome_leaves_gaps_undefined():
    found = HeldOut(np.ones(80), protected=np.arange(80) < 40).evaluate("m", np.arange(80) % 2, np.arange(80))
    defined = [m.measure for m in found.measures if not np.isnan(m.value)]
    assert defined == ["accuracy", "gap"]
    assert {m.measure for m in found.measures} - set(defined) >= set(GOOD) - {"accuracy"}


def test_bad_input_is_named():
    with pytest.raises(InputError, match="'prediction' must have 2 rows"):
        HeldOut([1, 0], protected=[1, 0]).evaluate("m", [1])
    with pytest.raises(InputError, match="'score' must have one number for each of 2 rows"):
        HeldOut([1, 0], protected=[1, 0]).evaluate("m", [1, 0], [0.5])
    with pytest.raises(InputError, match="'prediction' must be bool or 0/1"):
        HeldOut([1, 0], protected=[1, 0]).changes(Judged([1, 2]), Judged([1, 0]))
    with pytest.raises(InputError, match="at least one test case"):
        HeldOut([])
    with pytest.raises(InputError, match="'groups' must have no missing values"):
        HeldOut([1, 0], groups=["a", None])
    with pytest.raises(InputError, match="'group_names' must hold every group, 'b' is missing"):
        HeldOut([1, 0], groups=["a", "b"], group_names=["a"])
    with pytest.raises(InputError, match="'tolerance'"):
        HeldOut([1, 0], tolerance=2)
    with pytest.raises(GroupError, match="there is nobody to compare with"):
        HeldOut([1, 0], protected=[1, 1]).evaluate("m", [1, 0])
