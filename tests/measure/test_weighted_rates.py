"""Errors and scores by group of weighted samples: against repeated rows, other software, and known populations."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from fairaudit.audit.running import run
from fairaudit.errors import GroupError
from fairaudit.measure import check_errors, check_scores
from fairaudit.measure.errors_by_group import compare_rates
from fairaudit.measure.rates import PARTS, group_metrics
from tests.support.weighted import DESIGN, Population, repeated, weighted_people

RATES = {"outcome": "paid", "favorable": "yes", "prediction": "score > 0.5", "by": ["sex", "area"]}
SCORES = {"outcome": "paid", "favorable": "yes", "score": "score", "by": "sex"}
OF_ROWS = ("n", "n_high", "n_low", "n_few", "low", "high", "positives", "n_positive")
"""What is counted in rows, whatever they weigh, and how sure it is."""


def same_points(one: pd.DataFrame, other: pd.DataFrame, **how: object) -> None:
    """Look whether two frames hold the same figures."""
    left = [name for name in OF_ROWS if name in one]
    pd.testing.assert_frame_equal(one.drop(columns=left), other.drop(columns=left), **how)


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
def test_whole_weights_give_the_rates_of_repeated_rows_and_their_scale_does_not_matter(positive):
    people = weighted_people()
    found = check_errors(people, **RATES, positive=positive, weights="weight")
    by_rows = check_errors(repeated(people), **RATES, positive=positive)
    scaled = check_errors(people, **RATES, positive=positive, weights="heavy")
    for name in ("metrics", "gaps", "intervals"):
        same_points(getattr(found, name), getattr(by_rows, name), rtol=1e-12)
        pd.testing.assert_frame_equal(getattr(found, name), getattr(scaled, name), rtol=1e-9)
    assert found.metrics["n"].sum() == len(people) < by_rows.metrics["n"].sum()


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
def test_weights_of_one_give_the_rates_and_areas_without_weights(positive):
    people = weighted_people(seed=1)
    plain, ones = (check_errors(people, **RATES, positive=positive, weights=w) for w in (None, "one"))
    for name in ("counts", "metrics"):
        pd.testing.assert_frame_equal(getattr(plain, name), getattr(ones, name), check_exact=True)
    same_points(plain.gaps, ones.gaps, check_exact=True)
    large = plain.intervals["n"] > 100
    assert large.any() and np.allclose(plain.intervals["low"][large], ones.intervals["low"][large], atol=2e-3)
    plain, ones = (check_scores(people, **SCORES, positive=positive, weights=w) for w in (None, "one"))
    for name in ("roc", "auc", "calibration", "distribution"):
        same_points(getattr(plain, name), getattr(ones, name), check_exact=True)
    assert np.allclose(plain.auc["low"], ones.auc["low"], atol=1e-3)


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
def test_whole_weights_give_the_scores_of_repeated_rows(positive, higher):
    people, asked = weighted_people(seed=2), SCORES | {"positive": positive, "higher_is_favorable": higher}
    found, by_rows = check_scores(people, **asked, weights="weight"), check_scores(repeated(people), **asked)
    for name in ("roc", "auc", "calibration", "distribution"):
        same_points(getattr(found, name), getattr(by_rows, name), rtol=1e-12)
    assert found.auc["n"].sum() == len(people)


def test_an_error_of_a_rate_is_that_of_other_software():
    people = weighted_people(seed=3).assign(area="a")
    found = check_errors(people, **RATES | {"by": "sex"}, weights="weight")
    for place, group in enumerate(found.groups):
        own = people[(people["sex"] == group) & (people["paid"] == "no")]
        wrong, weight = (own["score"] > 0.5).to_numpy(dtype=float), own["weight"].to_numpy(dtype=float)
        share = np.average(wrong, weights=weight)
        shares = found.sampled["fpr"]
        assert shares.value[place] == pytest.approx(share)
        # Without clusters: the sandwich of a weighted mean, with the factor of all rows.
        robust = (weight**2) @ (wrong - share) ** 2 / weight.sum() ** 2
        assert shares.spread[place, place] == pytest.approx(robust * len(people) / (len(people) - 1), rel=1e-9)
        assert shares.n[place] <= len(own) and DescrStatsW(wrong, weight).mean == pytest.approx(share)


def test_rates_are_those_of_group_metrics_with_sample_weight():
    people = weighted_people(seed=4)
    found = check_errors(people, **RATES | {"by": "sex"}, weights="weight")
    expected = group_metrics(
        people["paid"] == "yes", people["score"] > 0.5, sensitive_features=people["sex"], sample_weight=people["weight"]
    )
    names = list(PARTS)
    np.testing.assert_allclose(found.metrics[names].to_numpy(), expected[names].to_numpy(), rtol=1e-12)


def test_pairs_of_a_sample_are_read_with_what_it_is_worth():
    people = weighted_people(4_000, seed=5)
    asked = RATES | {"by": "sex"}
    plain = compare_rates([600, 300], [1_000, 1_000], tolerance=0.05, confidence=0.95)
    assert plain.verdict == "clear_gap"
    heavy = people.assign(weight=np.where(np.arange(4_000) < 40, 1_000.0, 1.0))
    found = check_errors(heavy, **asked, weights="weight").sampled["fpr"]
    assert (found.n < 60).all()
    read = compare_rates([0, 0], [1, 1], tolerance=0.05, confidence=0.95, sampled=found)
    assert read.verdict == "too_few_to_tell" and read.widest.difference == pytest.approx(abs(np.diff(found.value)[0]))


def p_value_of(rows: list[tuple[str, int, int]]) -> float:
    """The p-value of false alarms of groups F and M, given the rows of each with a flag or not."""
    data = pd.DataFrame([row[:2] for row in rows for _ in range(row[2])], columns=["sex", "flag"])
    data = pd.concat([data.assign(paid="no"), pd.DataFrame({"sex": ["F", "M"], "flag": 1, "paid": "yes"})])
    data = data.assign(weight=1.0)
    asked = RATES | {"by": "sex", "prediction": "flag = 1", "weights": "weight"}
    shares = check_errors(data, **asked).sampled["fpr"]
    return float(shares.p_values(np.array([0]), np.array([1]))[0])


def test_none_against_all_differ_and_few_rows_without_any_do_not():
    assert p_value_of([("F", 0, 40), ("M", 1, 40)]) < 1e-6
    assert p_value_of([("F", 0, 40), ("M", 0, 40)]) == 1
    few = p_value_of([("F", 0, 3), ("M", 1, 12), ("M", 0, 12)])
    assert few > 0.05
    varied = p_value_of([("F", 1, 30), ("F", 0, 10), ("M", 1, 20), ("M", 0, 20)])
    # Both show a spread: t of the shares themselves, with the factor of all 82 rows.
    error = np.sqrt((0.75 * 0.25 + 0.5 * 0.5) / 40 * 82 / 81)
    assert varied == pytest.approx(2 * stats.t.sf(0.25 / error, 39), rel=1e-9)


def test_a_plan_with_weights_answers_about_errors_of_the_people_that_rows_speak_for(tmp_path):
    people = weighted_people()
    people["flagged"] = np.where(people["score"] > 0.5, "no", "yes")
    people.to_csv(tmp_path / "people.csv", index=False)
    text = """
schema_version = 1
[data]
source = "people.csv"
weights = "weight"
[decision]
column = "paid"
favorable = ["yes"]
is_outcome = true
[prediction]
column = "flagged"
favorable = ["no"]
[[errors]]
by = ["sex"]
"""
    (tmp_path / "plan.toml").write_text(text)
    [found] = run(tmp_path / "plan.toml").errors
    expected = check_errors(people, **RATES | {"by": "sex"}, weights="weight", positive=found.errors.positive)
    pd.testing.assert_frame_equal(found.errors.metrics, expected.metrics)


def test_a_group_without_a_prediction_is_refused_as_without_weights():
    people = weighted_people().assign(score=np.nan)
    with pytest.raises(GroupError, match="both an outcome and a prediction"):
        check_errors(people, **RATES, weights="weight")


@pytest.mark.thorough
def test_ranges_of_gaps_and_areas_hold_the_truth_as_often_as_they_say():
    population = Population()
    asked = {"outcome": "paid", "favorable": "yes", "by": "sex"}
    truth = check_errors(population.people, **asked, prediction="flagged = 0").metrics
    areas = check_scores(population.people, **asked, score="flagged", higher_is_favorable=False).auc["auc"]
    runs, held = 400, np.zeros(3)
    for seed in range(runs):
        sample = population.sample(seed)
        shares = check_errors(sample, **asked, prediction="flagged = 0", **DESIGN).sampled
        for place, metric in enumerate(("fpr", "fnr")):
            (low,), (high,) = shares[metric].gaps(np.array([0]), np.array([1]), 0.95)
            held[place] += low <= truth[metric].iloc[0] - truth[metric].iloc[1] <= high
        found = check_scores(sample, **asked, score="flagged", higher_is_favorable=False, **DESIGN).auc
        held[2] += found["low"].iloc[0] <= areas.iloc[0] <= found["high"].iloc[0]
    # Of 400 intervals that hold with a chance of .95, between 364 and 393 do, in 99.9 % of such runs (binomial).
    assert ((held >= 364) & (held <= 393)).all(), held
