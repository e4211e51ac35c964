"""How models compare on the same rows: beside DeLong by all pairs, the delta method, and checks within strata."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import precision_score, roc_auc_score

from fairaudit import check_strata
from fairaudit.measure.mean_strata import check_mean_strata
from fairaudit.sections.alternatives.comparing import (
    Sides,
    quality_change,
    quality_interval,
    quality_of,
    size_change,
    worse_p_value,
)
from fairaudit.study.judging.results import Judged


def two_models(n, seed=0):
    """Return labels and two models whose scores go together."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(np.int64)
    able = y + rng.normal(size=n)
    scores = [np.round(able + 0.7 * rng.normal(size=n), 1) for _ in range(2)]
    return y, *(Judged((score >= cut).astype(np.int64), score) for score, cut in zip(scores, (0.5, 0.7), strict=True))


def delong_by_all_pairs(y, first, second):
    """Return the difference of two areas and DeLong's variance from the placements of all pairs."""
    areas, of_good, of_bad = [], [], []
    for score in (first, second):
        above = score[y == 1][:, None] - score[y == 0][None, :]
        wins = (above > 0) + 0.5 * (above == 0)
        areas.append(wins.mean())
        of_good.append(wins.mean(axis=1))
        of_bad.append(wins.mean(axis=0))
    moved = [np.var(np.subtract(*pair[::-1]), ddof=1) / len(pair[0]) for pair in (of_good, of_bad)]
    return areas[1] - areas[0], sum(moved)


@pytest.mark.parametrize("seed", range(5))
def test_the_change_of_the_area_is_that_of_delong_by_all_pairs(seed):
    y, before, after = two_models(70, seed)
    assert quality_change("auc", y, before, after) == pytest.approx(delong_by_all_pairs(y, before.score, after.score))
    assert quality_of("auc", y, after) == pytest.approx(roc_auc_score(y, after.score))


def test_the_change_among_those_approved_is_that_of_the_delta_method():
    y, before, after = two_models(20_000)
    change, variance = quality_change("approvals", y, before, after)
    shares = [precision_score(y, each.prediction) for each in (before, after)]
    assert change == pytest.approx(shares[1] - shares[0])
    moved = [
        each.prediction * (y - share) / each.prediction.sum()
        for each, share in zip((before, after), shares, strict=True)
    ]
    assert variance == pytest.approx(np.sum((moved[1] - moved[0]) ** 2), rel=0.01)


def test_intervals_of_the_change_among_those_approved_hold():
    truth = np.mean([quality_change("approvals", *two_models(100_000, seed))[0] for seed in range(1_000, 1_005)])
    found = [quality_interval(quality_change("approvals", *two_models(400, seed)), 0.9) for seed in range(400)]
    held = np.mean([low <= truth <= high for low, high in found])
    # Three standard errors of 400.
    assert 0.9 - 0.045 <= held <= 0.97


@pytest.mark.parametrize("measure", ["accuracy", "auc", "approvals"])
def test_a_model_that_is_worse_by_just_what_is_allowed_is_called_no_worse_in_five_of_a_hundred(measure):
    many = [two_models(100_000, seed) for seed in range(1_000, 1_005)]
    loss = -np.mean([quality_change(measure, *each)[0] for each in many])
    found = [worse_p_value(quality_change(measure, *two_models(400, seed)), loss) for seed in range(400)]
    assert np.mean(np.array(found) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_nobody_approved_is_not_comparable():
    y, before, _ = two_models(50)
    nobody = Judged(np.zeros(50, dtype=np.int64))
    assert np.isnan(quality_of("approvals", y, nobody))
    assert worse_p_value(quality_change("approvals", y, before, nobody), 0.5) == 1.0
    assert worse_p_value(quality_change("auc", y, before, nobody), 0.5) == 1.0


def people(n=600, seed=0):
    """Return rows with strata of very different sizes, and two models."""
    rng = np.random.default_rng(seed)
    protected = rng.random(n) < 0.3
    strata = rng.choice(5, n, p=[0.5, 0.3, 0.15, 0.04, 0.01])
    models = [(rng.random(n) < 0.3 + 0.1 * strata - gap * protected).astype(np.int64) for gap in (0.2, 0.1)]
    return protected, strata, models


def test_the_gap_within_strata_is_that_of_a_check():
    protected, strata, [h, _] = people()
    frame = pd.DataFrame({"h": h, "a": protected.astype(int), "s": strata})
    checked = check_strata(frame, decision="h", favorable=1, protected="a = 1", strata="s")
    sides = Sides(protected, ~protected, strata)
    assert sides.gap(h) == pytest.approx(checked.common_difference)
    assert sides.interval(h, 0.95) == pytest.approx(checked.common_difference_interval)


def test_what_moves_the_gap_within_strata_varies_as_a_difference_of_means_within_strata():
    protected, strata, [before, after] = people(4_000)
    moved = (after - before).astype(float)
    frame = pd.DataFrame({"h": moved + 5, "a": protected.astype(int), "s": strata})
    checked = check_mean_strata(frame, decision="h", protected="a = 1", strata="s", tolerance=1.0)
    half = (checked.common_difference_interval.high - checked.common_difference_interval.low) / 2
    found = Sides(protected, ~protected, strata).variance(moved, of_shares=False)
    assert 1.96 * np.sqrt(found) == pytest.approx(half, rel=0.01)


def test_one_stratum_is_all_people_together():
    protected, _, [before, after] = people()
    together = Sides(protected, ~protected), Sides(protected, ~protected, np.zeros(len(before), dtype=np.int64))
    assert together[0].gap(before) == pytest.approx(together[1].gap(before))
    found = [size_change(before, after, sides, 0.95, sign=-1) for sides in together]
    assert found[0][0] == pytest.approx(found[1][0])
    assert found[0][1] == pytest.approx(found[1][1], abs=0.002)


def test_strata_with_one_group_say_nothing():
    protected, strata, [h, other] = people()
    alone = np.where(protected & (strata == 2), 9, strata)
    sides, without = Sides(protected, ~protected, alone), np.where(alone == 9, 1 - h, h)
    assert sides.gap(h) == pytest.approx(sides.gap(without))
    assert np.isnan(Sides(protected, ~protected, protected.astype(np.int64)).gap(other))
