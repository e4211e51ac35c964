from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sweeps import seeds

from fairaudit.estimators.constraints import METRICS, ConstrainedRows, FairnessSpec, read_specs
from fairaudit.estimators.constraints import feasibility as found

GAPS = ("demographic_parity", "fpr", "fnr", "for_", "fdr", "error_rate")


def tables(n, positives):
    """Return the rates of every confusion table of a group: one array a rate, NaN where undefined."""
    tp, fp = (part.ravel().astype(float) for part in np.meshgrid(range(positives + 1), range(n - positives + 1)))
    fn, tn = positives - tp, n - positives - fp
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "demographic_parity": (tp + fp) / n,
            "fpr": fp / (fp + tn),
            "fnr": fn / (fn + tp),
            "for_": fn / (fn + tn),
            "fdr": fp / (fp + tp),
            "error_rate": (fp + fn) / n,
        }


def pairs(seed):
    """Return base rates of two groups, the rates of every pair of tables, and how far they are apart."""
    random = np.random.default_rng(seed)
    n = random.integers(8, 22, 2)
    positives = [int(random.integers(1, size)) for size in n]
    if positives[0] / n[0] == positives[1] / n[1]:
        positives[0] += 1 if positives[0] < n[0] - 1 else -1
    if positives[0] / n[0] < positives[1] / n[1]:
        n, positives = n[::-1], positives[::-1]
    first, second = (tables(size, count) for size, count in zip(n, positives, strict=True))
    rates = {name: np.broadcast_arrays(first[name][:, None], second[name][None, :]) for name in GAPS}
    gaps = {name: np.abs(one - other) for name, (one, other) in rates.items()}
    return positives[0] / n[0], positives[1] / n[1], rates, gaps, random


def mean(rates, name):
    return (rates[name][0] + rates[name][1]) / 2


def apart(rates):
    return [1 - m - f for m, f in zip(rates["fnr"], rates["fpr"], strict=True)]


BOUNDS = {
    "separation": (("demographic_parity", "fpr", "fnr"), lambda r: sum(apart(r)) / 2),
    "separation_in_high": (("demographic_parity", "fpr"), lambda r: apart(r)[0]),
    "separation_in_low": (("demographic_parity", "fnr"), lambda r: apart(r)[1]),
    "false_positives_of_parity": (("fpr", "fnr", "fdr"), lambda r: np.minimum(mean(r, "fpr"), 1 - mean(r, "fnr"))),
    "false_negatives_of_parity": (("fpr", "fnr", "for_"), lambda r: np.minimum(mean(r, "fnr"), 1 - mean(r, "fpr"))),
    "false_positives_of_shares": (("demographic_parity", "fpr", "fdr"), lambda r: mean(r, "fpr")),
    "false_negatives_of_shares": (("demographic_parity", "fnr", "for_"), lambda r: mean(r, "fnr")),
    "imbalance": (("error_rate", "fpr", "fnr"), lambda r: np.abs(mean(r, "fpr") - mean(r, "fnr"))),
    "errors_of_shares": (("error_rate", "demographic_parity"), lambda r: -np.minimum(*r["error_rate"])),
}


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("seed", seeds(12))
def test_no_pair_of_confusion_tables_breaks_a_bound(name, seed):
    metrics, quantity = BOUNDS[name]
    high, low, rates, gaps, random = pairs(seed)
    values = quantity(rates)
    for limits in (random.uniform(0, 0.3, 3), random.uniform(0, 0.05, 3), random.uniform(0, 1, 3) ** 3, np.zeros(3)):
        limits = limits[: len(metrics)]
        with np.errstate(invalid="ignore"):
            met = np.all([gaps[m] <= e + 1e-12 for m, e in zip(metrics, limits, strict=True)], axis=0)
        met &= np.isfinite(values)
        if not met.any():
            continue
        bound = getattr(found, name)(high, low, *limits)
        bound = -bound if name == "errors_of_shares" else bound
        worst = values[met].max()
        assert worst <= bound + 1e-9, f"{name}: seed {seed}, base rates {high}, {low}, limits {limits}, got {worst}"


def test_the_bound_on_distinguishing_outcomes_is_reached():
    first, second = tables(60, 36), tables(60, 24)
    gaps = {name: np.abs(first[name][:, None] - second[name][None, :]) for name in ("demographic_parity", "fpr", "fnr")}
    limits = {"demographic_parity": 0.05, "fpr": 1 / 24, "fnr": 1 / 24}
    met = np.all([gaps[name] <= limit + 1e-12 for name, limit in limits.items()], axis=0)
    shown = (1 - first["fnr"] - first["fpr"])[:, None] / 2 + (1 - second["fnr"] - second["fpr"])[None, :] / 2
    bound = found.separation(0.6, 0.4, **limits)
    assert bound - 0.05 < shown[met].max() <= bound + 1e-12


def rows_of(specs, y, **columns):
    return ConstrainedRows.of(read_specs(specs), np.array(y), pd.DataFrame(columns))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", seeds(12))
def test_no_predictions_on_few_rows_make_fewer_errors_than_the_least(seed):
    random = np.random.default_rng(seed)
    y = random.permutation([0, 1] * 5)
    g, s = random.permutation(list("aaaaabbbbb")), random.permutation(list("cccddddddd"))
    metrics = random.choice([m for m in METRICS if m not in ("for_", "fdr")] + ["aec(1, 5)"], 2, replace=False)
    specs = [
        FairnessSpec(metrics[0], "g", float(random.uniform(0.02, 0.4))),
        FairnessSpec(metrics[1], random.choice(["g", "s"]), float(random.uniform(0.02, 0.4))),
        FairnessSpec("demographic_parity", {"a": "g = 'a'", "c": "s = 'c'"}, float(random.uniform(0.02, 0.4))),
    ]
    rows = rows_of(specs, y, g=g, s=s)
    if any(np.isnan(rows.gaps(y))):
        rows = rows_of(specs[2:], y, g=g, s=s)
    least = found.least_errors(rows)
    errors = []
    for h in product((0, 1), repeat=10):
        h = np.array(h)
        if (np.abs(rows.gaps(h)) <= rows.limits).all():
            errors.append(np.mean(h != y))
    assert least is not None or not errors
    if errors:
        assert least <= min(errors) + 1e-9, f"seed {seed}: {specs}"


@pytest.mark.parametrize("limit", [0.02, 0.1, 0.2, 0.3])
def test_equal_shares_cost_half_the_difference_of_base_rates_in_groups_of_one_size(limit):
    y = [1] * 30 + [0] * 20 + [1] * 20 + [0] * 30
    rows = rows_of(f"demographic_parity by g <= {limit}", y, g=["a"] * 50 + ["b"] * 50)
    assert found.least_errors(rows) == pytest.approx(max(0, 0.2 - limit) / 2)


def test_who_knows_every_outcome_meets_constraints_on_errors_without_a_price():
    y = np.random.default_rng(0).integers(0, 2, 200)
    g = np.random.default_rng(1).choice(list("abc"), 200)
    text = "fpr by g <= 0.001; fnr by g <= 0.001; error_rate by g <= 0.001; fdr by g <= 0.001; aec(1, 3) by g <= 0.001"
    assert found.least_errors(rows_of(text, y, g=g)) == 0


def test_coin_flips_are_all_that_equal_shares_errors_and_accuracy_leave_and_costs_leave_nothing():
    y = [1] * 40 + [0] * 10 + [1] * 10 + [0] * 40
    text = "demographic_parity by g <= 1e-6; fpr by g <= 1e-6; fnr by g <= 1e-6; error_rate by g <= 1e-6"
    g = ["a"] * 50 + ["b"] * 50
    assert found.least_errors(rows_of(text, y, g=g)) == pytest.approx(0.5, abs=1e-4)
    assert found.least_errors(rows_of(f"{text}; aec(1, 5) by g <= 0.1", y, g=g)) is None


def test_where_rows_are_of_too_many_kinds_or_nothing_is_linear_no_price_is_shown():
    y = np.array([0, 1] * 50)
    g = np.repeat(list("ab"), 50)
    assert found.least_errors(rows_of("fdr by g <= 0.001", y, g=g)) == 0
    names = {f"c{i}": np.random.default_rng(i).integers(0, 50, 6000) for i in range(2)}
    y = (names["c0"] > 20).astype(int)
    rows = rows_of("demographic_parity by c0 <= 0.1; demographic_parity by c1 <= 0.1", y, **names)
    assert found.least_errors(rows) == 0
