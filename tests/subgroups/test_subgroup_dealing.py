"""Amounts dealt out at random: the approximation against drawn deals, and how often skewed amounts stand out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from fairaudit import find_subgroups
from fairaudit.subgroups.dealing import dealt_p_value

ONE = np.ones(1_000, dtype=np.int64)


def skewed(seed: int, n: int = 1_000) -> np.ndarray:
    return np.random.default_rng(seed).lognormal(0, 1.2, n)


@pytest.mark.parametrize("rows", [10, 25, 100, 500, 990])
@pytest.mark.parametrize("sign", [-1, 1])
def test_the_chance_is_that_of_deals(rows, sign):
    value, rng = skewed(rows), np.random.default_rng(1)
    deals = np.array([rng.permutation(1_000)[:rows] for _ in range(4_000)])
    sums = sign * value[deals].sum(axis=1)
    for deal in deals[np.argsort(-sums)[[40, 80, 200]]]:
        inside = np.isin(np.arange(1_000), deal)
        drawn = (sums >= sign * value[inside].sum() - 1e-9).mean()
        # A few of the largest amounts make the upper tail lumpy; drawn shares err, too.
        assert dealt_p_value(value, ONE, inside, sign) == pytest.approx(drawn, rel=0.35)


def test_the_chance_of_shares_lies_beside_fisher_s():
    rng = np.random.default_rng(0)
    for _ in range(20):
        value = (rng.random(1_000) < 0.2).astype(float)
        inside = np.arange(1_000) < 60
        value[inside] = rng.random(60) < 0.35
        k, all_k = int(value[inside].sum()), int(value.sum())
        if k < 16:
            continue
        low, high = (stats.hypergeom.sf(k - lower, 1_000, all_k, 60) for lower in (0, 1))
        assert low < dealt_p_value(value, ONE, inside, 1) < high


def test_rows_counted_together_and_both_directions_agree():
    value, inside = np.round(skewed(3), 1), np.arange(1_000) < 70
    frame = pd.DataFrame({"value": value, "inside": inside}).value_counts(sort=False).reset_index(name="n")
    together = dealt_p_value(*(frame[name].to_numpy() for name in ("value", "n", "inside")), 1)
    assert together == pytest.approx(dealt_p_value(value, ONE, inside, 1))
    assert together + dealt_p_value(value, ONE, inside, -1) == pytest.approx(1)


def test_skewed_amounts_that_go_with_nothing_do_not_stand_out_more_often_than_is_said():
    rows, alarms = 800, 0
    for seed in range(60):
        rng = np.random.default_rng([7, seed])
        columns = {f"column {i}": rng.choice(list("abcdefg"), rows) for i in range(3)}
        frame = pd.DataFrame(columns).assign(amount=rng.lognormal(8, 1.2, rows))
        asked = {"measure": "mean", "min_rows": 20, "direction": "lower", "random_state": seed}
        alarms += find_subgroups(frame, decision="amount", **asked).n_standing_out > 0
    # At most 3 are meant; more than 8 of 60 come up in 0.2 % of cases.
    assert alarms <= 8
