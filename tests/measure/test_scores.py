from __future__ import annotations

import math

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score, roc_curve

from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError
from fairaudit.findings import Message, Phrase
from fairaudit.measure import check_scores
from fairaudit.measure.scores import auc_interval, roc_points
from fairaudit.messages import say

QUESTION = {"outcome": "truth", "favorable": 1, "score": "points", "by": "kind"}
LABELED = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1)), min_size=1, max_size=30)


def by_score(pairs):
    scores = sorted({s for s, _ in pairs})
    p = [sum(1 for s, t in pairs if s == v and t) for v in scores]
    q = [sum(1 for s, t in pairs if s == v and not t) for v in scores]
    return np.array(scores, dtype=float), p, q


def frame(n=400, seed=0):
    rng = np.random.default_rng(seed)
    kind, truth = rng.choice(["a", "b"], n), rng.integers(0, 2, n)
    points = 1 / (1 + np.exp(-rng.normal(truth, 1)))
    return pd.DataFrame({"kind": kind, "truth": truth, "points": points})


@given(LABELED)
def test_auc_and_delong_equal_all_pairs_and_roc_points_are_those_of_scikit_learn(pairs):
    scores, labels = zip(*pairs, strict=True)
    values, p, q = by_score(pairs)
    curve = roc_points(values, p, q)
    if sum(p) and sum(q):
        fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
        assert curve["fpr"].tolist() == pytest.approx(fpr.tolist())
        assert curve["tpr"].tolist() == pytest.approx(tpr.tolist())
    else:
        assert curve.empty
    auc, (low, high) = auc_interval(p, q, 0.9)
    assert auc == pytest.approx(oracles.auc(scores, labels), nan_ok=True)
    if min(sum(p), sum(q)) < 2:
        assert math.isnan(low) and math.isnan(high)
        return
    spread = stats.norm.isf(0.05) * math.sqrt(oracles.delong_variance(scores, labels))
    if spread < 1e-7:
        assert math.isnan(low) and math.isnan(high)
    else:
        assert (low, high) == pytest.approx((max(auc - spread, 0), min(auc + spread, 1)))


def test_a_long_roc_curve_is_thinned_but_keeps_its_area():
    data = frame(20_000)
    result = check_scores(data, **QUESTION)
    for group, curve in result.roc.groupby("group"):
        assert len(curve) <= 202
        assert curve[["fpr", "tpr"]].iloc[[0, -1]].to_numpy().tolist() == [[0, 0], [1, 1]]
        mine = data[data["kind"] == group]
        expected = roc_auc_score(mine["truth"], mine["points"])
        assert result.auc.set_index("group").loc[group, "auc"] == pytest.approx(expected)
        assert np.trapezoid(curve["tpr"], curve["fpr"]) == pytest.approx(expected, abs=2e-3)


def test_compas_deciles_by_race(shared_data):
    data = pd.read_csv(shared_data("compas_two_years.csv.gz"))
    result = check_scores(
        Table.from_pandas(data),
        outcome="two_year_recid",
        favorable=0,
        score="decile_score",
        higher_is_favorable=False,
        by="race",
        positive="unfavorable",
    )
    assert not result.is_probability
    calibration = result.calibration[result.calibration["group"] == "Caucasian"]
    assert calibration["bin"].tolist() == [str(i) for i in range(1, 11)]
    mine = data[data["race"] == "Caucasian"]
    expected = mine.groupby("decile_score")["two_year_recid"]
    assert calibration["observed"].tolist() == pytest.approx(expected.mean().tolist())
    assert calibration["n"].tolist() == expected.size().tolist()
    auc = result.auc.set_index("group").loc["Caucasian"]
    assert auc["auc"] == pytest.approx(roc_auc_score(mine["two_year_recid"], mine["decile_score"]))
    assert auc["low"] < auc["auc"] < auc["high"]
    bars = result.distribution[(result.distribution["group"] == "Caucasian") & (result.distribution["label"] == 1)]
    assert bars["bin_low"].tolist() == [i - 0.5 for i in range(1, 11)]
    assert bars["n"].sum() == mine["two_year_recid"].sum()


def test_probabilities_are_binned_by_equal_width_and_add_up():
    data = frame()
    result = check_scores(data, **QUESTION, n_bins=5)
    assert result.is_probability
    assert set(result.calibration["bin"]) <= {"0 to 0.2", "0.2 to 0.4", "0.4 to 0.6", "0.6 to 0.8", "0.8 to 1"}
    assert result.calibration["n"].sum() == len(data)
    assert (result.calibration["low"] <= result.calibration["observed"]).all()
    assert (result.calibration["observed"] <= result.calibration["high"]).all()
    assert result.distribution.groupby(["group", "label"])["share"].sum().tolist() == pytest.approx([1] * 4)
    assert result.distribution["n"].sum() == len(data)


def test_other_scores_are_binned_by_size():
    result = check_scores(frame().assign(points=lambda d: d["points"] * 1000), **QUESTION, n_bins=4)
    assert not result.is_probability
    sizes = result.calibration.groupby("bin")["n"].sum()
    assert sizes.tolist() == [100] * 4


def test_turned_probabilities_are_named_and_binned_as_written():
    tenths = pd.DataFrame({"kind": "a", "truth": [0, 1] * 9, "points": [k / 10 for k in range(1, 10)] * 2})
    few = check_scores(tenths, **QUESTION, higher_is_favorable=False).calibration
    assert few["bin"].tolist() == [f"0.{k}" for k in range(1, 10)]
    # 1 - 0.9 is a little less than 0.1 in floating point, but 0.1 opens the second bin.
    hundredths = pd.DataFrame({"kind": "a", "truth": [0, 1] * 50, "points": [k / 100 for k in range(1, 101)]})
    many = check_scores(hundredths, **QUESTION, higher_is_favorable=False).calibration
    assert many["n"].tolist() == [10] * 10


@pytest.mark.parametrize("n_bins", [7, 10, 20, 100, 1000])
def test_a_probability_at_an_edge_opens_its_bin(n_bins):
    points = [k / 1000 for k in range(1, 1000)]
    data = pd.DataFrame({"kind": "a", "truth": [k % 2 for k in range(999)], "points": points})
    found = check_scores(data, **QUESTION, n_bins=n_bins).calibration["n"].tolist()
    bins = [k * n_bins // 1000 for k in range(1, 1000)]
    assert found == [bins.count(i) for i in sorted(set(bins))]


def test_a_huge_number_of_bins_takes_no_memory():
    assert len(check_scores(frame(50), **QUESTION, n_bins=10**9).calibration) == 50


def test_bars_of_a_probability_start_at_their_edges():
    points = [k / 100 for k in range(1, 101)]
    data = pd.DataFrame({"kind": "a", "truth": [1, *[0, 1] * 49, 1], "points": points})
    bars = check_scores(data, **QUESTION).distribution.groupby("bin_low")["n"].sum()
    assert bars.tolist() == [4, *[5] * 18, 6]


def test_turning_the_score_or_the_outcome_keeps_the_area():
    data = frame()
    plain = check_scores(data, **QUESTION)
    turned = check_scores(data.assign(points=1 - data["points"]), **QUESTION, higher_is_favorable=False)
    other = check_scores(data, **QUESTION, positive="unfavorable")
    for result in (turned, other):
        assert result.auc["auc"].tolist() == pytest.approx(plain.auc["auc"].tolist())
        assert result.turned and not plain.turned
    assert turned.calibration["score_mean"].tolist() == pytest.approx(plain.calibration["score_mean"].tolist())
    points = check_scores(data.assign(points=-5 * data["points"]), **QUESTION, higher_is_favorable=False)
    assert points.auc["auc"].tolist() == pytest.approx(plain.auc["auc"].tolist())
    assert points.turned


def test_a_score_that_points_the_other_way_everywhere_is_called_that():
    data, said = frame(), say(Message("doubt-score-turned"))
    turned = check_scores(data.assign(points=1 - data["points"]), **QUESTION).warnings
    assert any(said in text for text in turned)
    assert not any(said in text for text in check_scores(data, **QUESTION).warnings)


@settings(max_examples=5)
@given(st.randoms(use_true_random=False))
def test_row_order_does_not_matter(random):
    data = frame(60)
    other = check_scores(data.sample(frac=1, random_state=random.randrange(1000)), **QUESTION)
    first = check_scores(data, **QUESTION)
    for name in ("roc", "auc", "calibration", "distribution"):
        pd.testing.assert_frame_equal(getattr(first, name), getattr(other, name))


def test_missing_groups_scores_and_outcomes_are_kept_apart():
    data = frame(200)
    data.loc[:9, "kind"] = None
    data.loc[10:14, "points"] = None
    data["truth"] = data["truth"].astype("Int64")
    data.loc[15:19, "truth"] = pd.NA
    result = check_scores(data, **QUESTION)
    assert result.groups == ("a", "b", "missing")
    assert result.auc["n"].sum() == 190
    assert say(Message("doubt-no-score", {"rows": Phrase("10 rows")})) in result.warnings


def test_one_kind_of_outcome_has_no_area():
    data = pd.DataFrame({"kind": list("aabb"), "truth": [1, 1, 0, 1], "points": [0.5, 0.7, 0.1, 0.9]})
    result = check_scores(data, **QUESTION)
    assert math.isnan(result.auc.loc[0, "auc"])
    assert "a" not in set(result.roc["group"])
    assert say(Message("doubt-one-outcome", {"groups": Phrase("'a'")})) in result.warnings


def test_a_group_without_usable_rows_stays_in_the_table():
    data = frame(50)
    data.loc[0, ["kind", "points"]] = ["z", None]
    result = check_scores(data, **QUESTION)
    assert result.groups == ("a", "b", "z")
    assert result.auc.set_index("group").loc["z", "n"] == 0


def test_a_constant_score_ranks_like_chance():
    result = check_scores(frame(50).assign(points=3), **QUESTION)
    assert result.auc["auc"].tolist() == [0.5, 0.5]
    assert result.calibration["bin"].tolist() == ["3", "3"]


def test_bad_scores_are_refused():
    data = frame(20)
    with pytest.raises(InputError, match="column of numbers, 'kind' holds text"):
        check_scores(data, **(QUESTION | {"score": "kind"}))
    with pytest.raises(InputError, match="'n_bins'"):
        check_scores(data, **QUESTION, n_bins=1)
    with pytest.raises(GroupError, match="None of 20 rows has both an outcome and a score"):
        check_scores(data.assign(points=np.nan), **QUESTION)
