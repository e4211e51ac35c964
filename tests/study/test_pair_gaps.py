"""Intervals of gaps hold the true gap as often as they say, also where groups have rows in common."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.estimators.constraints import ConstrainedRows, FairnessSpec, Metric
from fairaudit.measure.intervals import newcombe
from fairaudit.study.pair_gaps import gap_table, reading, share_rows

METRICS = ("demographic_parity", "error_rate", "fpr", "fnr", "for_", "fdr", "aec(1, 5)")
OVERLAPPING = {"old": "old = 1", "low": "low = 1", "either": "old = 1 OR low = 1"}
N_DRAWS, N_ROWS = 300, 300


def drawn(random, n: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Rows with two overlapping groups that differ in outcomes and in errors."""
    old, low = random.random(n) < 0.5, random.random(n) < 0.4
    y = (random.random(n) < 0.35 + 0.2 * old - 0.1 * low).astype(np.int64)
    wrong = random.random(n) < 0.15 + 0.15 * low
    return pd.DataFrame({"old": old.astype(int), "low": low.astype(int)}), y, np.where(wrong, 1 - y, y)


@pytest.mark.parametrize("groups", [OVERLAPPING, "low"], ids=["common rows", "no common rows"])
def test_intervals_hold_the_true_gap_as_often_as_they_say(groups):
    """Seed 0, 300 draws of 300 rows at 90 %: a standard error of the coverage is 1.7 points."""
    random = np.random.default_rng(0)
    frame, y, h = drawn(random, 50_000)
    everyone = ConstrainedRows.of([FairnessSpec(metric, groups, 0.001) for metric in METRICS], y, frame)
    truth = gap_table(everyone, h, 0.9)["gap"].to_numpy()
    held = np.zeros((N_DRAWS, len(truth)), dtype=bool)
    for i in range(N_DRAWS):
        rows = np.unique(random.integers(len(y), size=N_ROWS))
        table = gap_table(everyone.take(rows), h[rows], 0.9)
        held[i] = (table["low"] <= truth) & (truth <= table["high"])
    coverage = held.mean(axis=0)
    assert ((coverage > 0.85) & (coverage < 0.95)).all(), coverage.round(3)


def test_groups_without_common_rows_have_newcombes_interval():
    frame, y, h = drawn(np.random.default_rng(1), 200)
    specs = [FairnessSpec(name, "low", 0.1) for name in METRICS[:-1]]
    specs += [FairnessSpec("fpr", {"no": "low = 0", "yes": "low = 1"}, 0.1)]
    table = gap_table(ConstrainedRows.of(specs, y, frame), h, 0.95)
    for spec, row in zip(specs, table.itertuples(), strict=True):
        counts = []
        for value in (0, 1):
            rows = frame["low"].to_numpy() == value
            n = share_rows(spec.measure.name, y[rows], h[rows]).sum()
            counts += [round(spec.measure.value(y[rows], h[rows]) * n), n]
        assert (row.low, row.high) == pytest.approx(newcombe(*counts, 0.95))
        assert row.gap == pytest.approx(counts[0] / counts[1] - counts[2] / counts[3])
        assert (row.n_first, row.n_second) == (counts[1], counts[3])


@pytest.mark.parametrize("metric", METRICS)
def test_common_rows_make_a_gap_surer(metric):
    """All against a large part of all: nearly the same rows, so their gap is nearly known."""
    frame, y, h = drawn(np.random.default_rng(2), 400)
    frame["part"] = np.arange(400) % 10
    widths = []
    for groups in ({"all": "part >= 0", "most": "part > 0"}, {"half": "part < 5", "other": "part >= 5"}):
        table = gap_table(ConstrainedRows.of([FairnessSpec(metric, groups, 0.1)], y, frame), h, 0.95)
        widths.append((table["high"] - table["low"]).item())
    assert widths[0] < widths[1] / 3


@pytest.mark.parametrize("metric", METRICS)
def test_groups_without_an_error_are_not_held_to_be_certain(metric):
    frame = pd.DataFrame({"g": ["a"] * 20 + ["b"] * 20})
    y = np.tile([0, 1], 20)
    [row] = gap_table(ConstrainedRows.of([FairnessSpec(metric, "g", 0.1)], y, frame), y, 0.95).itertuples()
    assert row.gap == 0
    assert row.low < -0.1 < 0.1 < row.high
    assert row.reading == "within, not clear"


def test_a_metric_of_ones_own_gets_the_interval_of_the_same_metric_by_name():
    own = Metric("own", "cost of errors", lambda y, h: (-1.0 * np.ones(len(y)) / len(y), 1.0))
    frame, y, h = drawn(np.random.default_rng(3), 300)
    specs = [FairnessSpec(metric, OVERLAPPING, 0.1) for metric in (own, "aec(1, 1)")]
    tables = [gap_table(ConstrainedRows.of([spec], y, frame), h, 0.95) for spec in specs]
    columns = ["gap", "low", "high"]
    assert np.allclose(tables[0][columns], tables[1][columns])


@pytest.mark.parametrize("metric", METRICS)
def test_a_gap_to_a_group_without_rows_is_not_defined(metric):
    frame, y, h = drawn(np.random.default_rng(4), 100)
    rows = ConstrainedRows.of([FairnessSpec(metric, OVERLAPPING, 0.5)], y, frame)
    table = gap_table(rows.take(np.flatnonzero(frame["old"] == 0)), h[frame["old"] == 0], 0.95)
    undefined = table[table["n_first"] == 0]
    assert len(undefined) == 2
    assert undefined[["gap", "low", "high"]].isna().all(axis=None)
    assert set(undefined["reading"]) == {"not defined"}
    assert table["reading"].iloc[-1] != "not defined"


@pytest.mark.parametrize(
    ("gap", "low", "high", "shown"),
    [
        (0.01, -0.05, 0.05, "within"),
        (0.05, -0.01, 0.09, "within, not clear"),
        (-0.06, -0.2, -0.05, "outside, not clear"),
        (-0.2, -0.3, -0.051, "outside"),
        (0.2, 0.051, 0.3, "outside"),
        (float("nan"), float("nan"), float("nan"), "not defined"),
    ],
)
def test_a_gap_is_read_by_its_interval(gap, low, high, shown):
    assert reading(gap, (low, high), (low, high), 0.05) == shown


def test_of_two_intervals_the_one_that_decides_is_given_back():
    limits, positives, n = (0.07, 0.2, 0.001), (530, 500), 1000
    frame = pd.DataFrame({"sex": np.repeat(["f", "m"], n)})
    h = np.concatenate([np.arange(n) < each for each in positives]).astype(np.int64)
    rows = ConstrainedRows.of([FairnessSpec("demographic_parity", "sex", limit) for limit in limits], h, frame)
    inner, outer = (newcombe(positives[0], n, positives[1], n, level) for level in (0.9, 0.95))
    assert inner[1] < limits[0] < outer[1]
    table = gap_table(rows, h, 0.95)
    assert table["reading"].tolist() == ["within", "within", "outside, not clear"]
    assert table[["low", "high"]].to_numpy() == pytest.approx(np.array([inner, inner, outer]))


def test_a_gap_of_exactly_what_is_allowed_is_within_as_on_the_tuning_rows():
    assert 0.4 - 0.3 > 0.1
    assert reading(0.4 - 0.3, (-0.2, 0.4), (-0.2, 0.4), 0.1) == "within, not clear"
