"""The threshold test: closed forms against SciPy, gradients against differences, the published fit, odd tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from event_runs import returned
from scipy import integrate, special, stats

from fairaudit import threshold_test
from fairaudit.errors import GroupError, InputError
from fairaudit.events import Finished, Progress, Started
from fairaudit.findings import Count, Message
from fairaudit.measure.inspections import sampling
from fairaudit.measure.inspections.model import PlaceCounts, ThresholdModel
from fairaudit.measure.inspections.signals import SIGNALS, beta_shares, discriminant_shares
from fairaudit.measure.inspections.threshold import iter_threshold_test, shuffled
from fairaudit.messages import say

POLICE = Path("../shared/data/police_searches_by_county.csv.gz")
COUNTS = {"stopped": "stops", "searched": "searches", "found": "hits"}
ASKED = {"group": "race", "location": "place", "signal": "discriminant", **COUNTS}


def made(thresholds, *, n_places=6, n=4_000, seed=0) -> pd.DataFrame:
    """Draw counts of groups that are alike in all but their thresholds."""
    rng = np.random.default_rng(seed)
    rows = []
    for place in range(n_places):
        base, spread = special.logit(0.03) + rng.normal(0, 0.2), 0.4 + rng.normal(0, 0.1)
        for race, threshold in thresholds.items():
            own = special.logit(threshold) + rng.normal(0, 0.1)
            shares = discriminant_shares(*map(np.array, (base, spread, own)))
            chances = [float(shares.found), float(shares.missed)]
            hits, misses, _ = rng.multinomial(n, [*chances, 1 - sum(chances)])
            rows.append((f"p{place}", race, n, hits + misses, hits))
    return pd.DataFrame(rows, columns=["place", "race", "stops", "searches", "hits"])


THREE = {"black": 0.07, "hispanic": 0.15, "white": 0.15}


@pytest.fixture(scope="module")
def three():
    """Three groups, of which one has a lower threshold."""
    return threshold_test(made(THREE), reference="white", n_placebo=1, **ASKED)


def test_beta_shares_are_those_of_scipy():
    rng = np.random.default_rng(0)
    base, spread, threshold = rng.normal(-3.4, 0.4, 300), rng.normal(2, 0.6, 300), rng.normal(-1.8, 0.8, 300)
    found = beta_shares(base, spread, threshold)
    phi, size = special.expit(base), np.exp(spread)
    a, b, t = size * phi, size * (1 - phi), special.expit(threshold)
    np.testing.assert_allclose(found.found + found.missed, special.betaincc(a, b, t), rtol=1e-5)
    np.testing.assert_allclose(found.found, phi * special.betaincc(a + 1, b, t), rtol=1e-4)


def test_discriminant_shares_are_what_searching_above_the_threshold_finds():
    base, spread, threshold = special.logit(0.04), 0.5, special.logit(0.2)
    phi, delta = 0.04, np.exp(0.5)

    def chance(x):
        guilty, others = phi * stats.norm.pdf(x, delta), (1 - phi) * stats.norm.pdf(x)
        return guilty / (guilty + others)

    def density(x):
        return phi * stats.norm.pdf(x, delta) + (1 - phi) * stats.norm.pdf(x)

    at = (special.logit(0.2) - special.logit(phi)) / delta + delta / 2
    assert chance(at) == pytest.approx(0.2)
    shares = discriminant_shares(*map(np.array, (base, spread, threshold)))
    assert float(shares.found) == pytest.approx(integrate.quad(lambda x: chance(x) * density(x), at, 12)[0])
    assert float(shares.missed) == pytest.approx(integrate.quad(lambda x: (1 - chance(x)) * density(x), at, 12)[0])


@pytest.mark.parametrize("family", SIGNALS)
def test_the_gradient_is_that_of_the_density(family):
    rng = np.random.default_rng(1)
    group, place = np.tile(np.arange(2), 3), np.repeat(np.arange(3), 2)
    n, searched = np.full(6, 2_000.0), np.array([100.0, 40, 90, 10, 0, 120])
    known = np.maximum(searched - 3, 0)
    counts = PlaceCounts(group, place, n, searched, known, np.floor(known * 0.3), n_groups=2, n_places=3)
    model = ThresholdModel(counts, SIGNALS[family], 0.03)
    point = model.start() + 0.1 * rng.standard_normal(model.n_parameters)
    steps = np.eye(len(point)) * 1e-5
    by_difference = (model.log_density(point + steps)[0] - model.log_density(point - steps)[0]) / 2e-5
    np.testing.assert_allclose(model.log_density(point[None])[1][0], by_difference, rtol=1e-5, atol=1e-4)


def test_draws_have_the_mean_and_covariance_of_a_known_density():
    covariance = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 0.04]])

    class Normal:
        n_parameters, n_threads = 3, 2

        def log_density(self, points):
            slope = -(points - 1) @ np.linalg.inv(covariance)
            return 0.5 * ((points - 1) * slope).sum(axis=1), slope

    drawing = sampling.iter_draws(Normal(), np.zeros(3), n_steps=400, rng=np.random.default_rng(0))
    points = returned(drawing).points
    assert sampling.split_reduction(points).max() < 1.02
    assert sampling.effective_number(points).min() > 800
    np.testing.assert_allclose(points.mean(axis=(0, 1)), 1, atol=0.1)
    np.testing.assert_allclose(np.cov(points.reshape(-1, 3).T), covariance, atol=0.1)


@pytest.mark.thorough
def test_a_lower_threshold_is_found_and_equal_ones_are_not_called_different(three):
    verdict = dict(zip(three.gaps["group"], three.gaps["verdict"], strict=True))
    assert verdict["black"] in ("clear_gap", "gap_size_unclear")
    assert verdict["hispanic"] in ("no_gap_above_tolerance", "too_few_to_tell")
    assert three.checks.passed and three.checks.placebo.n_comparisons == 2
    assert three.n_locations == 6 and len(three.thresholds) == 18


def test_the_aggregate_weighs_places_by_the_stops_of_all_groups(three):
    data = made(THREE)
    whole = data.groupby("place")["stops"].sum()
    own = three.thresholds[three.thresholds["group"] == "black"]
    by_hand = np.average(own["threshold"], weights=whole[own["location"]])
    assert three.aggregate.set_index("group").loc["black", "threshold"] == pytest.approx(by_hand)


@pytest.mark.thorough
def test_rows_and_counts_give_the_same_and_so_does_the_same_seed():
    counts = made({"a": 0.08, "b": 0.15}, n_places=2, n=600)
    parts = []
    for cell in counts.itertuples():
        looked = ["yes"] * cell.searches + ["no"] * (cell.stops - cell.searches)
        found = ["yes"] * cell.hits + ["no"] * (cell.stops - cell.hits)
        parts.append(pd.DataFrame({"place": cell.place, "race": cell.race, "s": looked, "f": found}))
    rows = pd.concat(parts)
    first = threshold_test(counts, **ASKED)
    again = threshold_test(rows, **(ASKED | {"stopped": None, "searched": "s = 'yes'", "found": "f = 'yes'"}))
    pd.testing.assert_frame_equal(first.thresholds, again.thresholds)
    assert say(Message("doubt-model-few", {"groups": Count(2), "places": Count(2)})) in first.warnings
    said = " ".join(first.warnings)
    assert not [word for word in ("traffic", "search", "stopped", "chains", "saved audit") if word in said]


@pytest.mark.thorough
def test_figures_that_another_machine_may_not_repeat_are_called_that(monkeypatch):
    monkeypatch.setattr(sampling, "MOST_REFINED", 1)
    monkeypatch.setattr(sampling, "SETTLED", 0.0)
    said = threshold_test(made({"a": 0.08, "b": 0.15}, n_places=3, n=500), **ASKED).warnings
    assert say(Message("doubt-model-start")) in said


@pytest.fixture
def elsewhere(monkeypatch):
    """Let the last digits of the likelihood be those of another processor."""
    rng, likelihood = np.random.default_rng(0), ThresholdModel._likelihood

    def off_by_a_digit(values):
        return values * (1 + rng.choice([-(2.0**-52), 0.0, 2.0**-52], values.shape))

    def off(model, *coordinates):
        density, moves = likelihood(model, *coordinates)
        return off_by_a_digit(density), tuple(map(off_by_a_digit, moves))

    return lambda: monkeypatch.setattr(ThresholdModel, "_likelihood", off)


@pytest.mark.thorough
def test_the_last_digits_do_not_change_where_chains_begin_among_many_uneven_places(elsewhere):
    rng, n_places = np.random.default_rng(1), 50
    place, group = (v.ravel() for v in np.meshgrid(np.arange(n_places), np.arange(3), indexing="ij"))
    n = np.round(np.exp(rng.normal(9, 2, len(group)))) + 20
    base, spread = special.logit(0.03) + rng.normal(0, 0.25, n_places), 2 + rng.normal(0, 0.4, n_places)
    threshold = special.logit(np.array([0.08, 0.12, 0.15]))[group] + rng.normal(0, 0.3, len(group))
    shares = beta_shares(base[place], spread[place], threshold)
    chances = zip(n.astype(int), shares.found, shares.missed, strict=True)
    found, missed, _ = np.array([rng.multinomial(m, [f, o, 1 - f - o]) for m, f, o in chances], dtype=float).T
    counts = PlaceCounts(group, place, n, found + missed, found + missed, found, 3, n_places)
    here = ThresholdModel(counts, SIGNALS["beta"], 0.03).mode()
    elsewhere()
    np.testing.assert_array_equal(ThresholdModel(counts, SIGNALS["beta"], 0.03).mode(), here)


@pytest.mark.thorough
def test_the_last_digits_of_a_processor_do_not_change_the_draws(three, elsewhere):
    elsewhere()
    again = threshold_test(made(THREE), reference="white", **ASKED)
    pd.testing.assert_frame_equal(again.aggregate, three.aggregate, check_exact=False, rtol=1e-9)


@pytest.mark.thorough
def test_places_without_a_search_or_with_one_group_do_not_stop_it():
    data = made({"a": 0.08, "b": 0.15}, n_places=3, n=500)
    data.loc[0, ["searches", "hits"]] = 0
    alone = pd.DataFrame([("alone", "a", 50, 5, 1)], columns=data.columns)
    test = threshold_test(pd.concat([data, alone], ignore_index=True), **ASKED)
    assert test.left_out == ("alone",) and test.n_left_out == 50
    assert np.isfinite(test.thresholds[["threshold", "low", "high"]].to_numpy()).all()
    assert np.isnan(test.thresholds["hit_rate"][0])


def test_shuffling_keeps_how_many_each_group_has_and_what_happened_in_each_place():
    data = made(THREE).rename(columns={"race": "group", "stops": "n_cases", "searches": "n_acted", "hits": "n_found"})
    data = data.assign(n_known=data["n_acted"])
    mixed = shuffled(data, np.random.default_rng(0))
    assert (mixed["n_cases"] == data["n_cases"]).all()
    for column in ("n_acted", "n_known", "n_found"):
        assert (mixed.groupby("place")[column].sum() == data.groupby("place")[column].sum()).all()
        assert (mixed[column] != data[column]).any()
    assert (mixed["n_found"] <= mixed["n_known"]).all()


def test_counts_that_the_model_can_hardly_make_are_refused(monkeypatch):
    # As where all but one of thousands are searched: the density is out of reach of double precision.
    monkeypatch.setattr(
        sampling, "curvature", lambda density, point, step=0.0: np.full((len(point), len(point)), np.nan)
    )
    with pytest.raises(GroupError, match="The model can hardly make such counts"):
        threshold_test(GOOD, **ASKED)


def test_hits_alone_do_not_fix_a_threshold():
    # The same hit rate, with thresholds of 5 and of 20 %: only the base rate and the search rate differ.
    low = discriminant_shares(*map(np.array, (special.logit(0.03), 0.4, special.logit(0.05))))
    rate = float(low.found / (low.found + low.missed))
    spread = np.linspace(-2, 1.5, 4_000)
    other = discriminant_shares(np.full(4_000, special.logit(0.03)), spread, np.full(4_000, special.logit(0.11)))
    rates = other.found / (other.found + other.missed)
    assert np.abs(rates - rate).min() < 1e-3
    with pytest.raises(GroupError, match="who could have been searched"):
        threshold_test(made(THREE), **(ASKED | {"stopped": None}))


@pytest.mark.thorough
def test_work_is_shown_while_it_goes_on():
    events = list(iter_threshold_test(made({"a": 0.08, "b": 0.15}, n_places=2, n=300), **ASKED))
    assert isinstance(events[0], Started) and isinstance(events[-1], Finished)
    done = [event.done for event in events if isinstance(event, Progress)]
    assert done == sorted(done) and done[-1] < events[0].total


@pytest.mark.thorough
def test_connecticut_is_as_published():
    if not POLICE.exists():
        pytest.skip(f"{POLICE} is not there")
    data = pd.read_csv(POLICE)
    data = data[data["state"] == "CT"]
    names = {"stopped": "num_stops", "searched": "num_searches", "found": "num_hits"}
    test = threshold_test(data, group="driver_race", location="location_variable", **names)
    both = test.thresholds.merge(
        data, left_on=["group", "location"], right_on=["driver_race", "location_variable"], validate="one_to_one"
    )
    weights = both.groupby("location")["n_stops"].transform("sum")
    for own in test.aggregate.itertuples():
        of = both["group"] == own.group
        assert own.threshold == pytest.approx(np.average(both["inferred_threshold"][of], weights=weights[of]), abs=0.02)
    assert stats.spearmanr(both["threshold"], both["inferred_threshold"]).statistic > 0.95


GOOD = made({"a": 0.08, "b": 0.15}, n_places=2, n=300)
BAD = {
    "more found than searched": (GOOD.assign(hits=GOOD["searches"] + 1), {}, GroupError, "is larger than 'searches'"),
    "more searched than stopped": (GOOD.assign(stops=1), {}, GroupError, "'searches' is larger than 'stops'"),
    "one group": (GOOD[GOOD["race"] == "a"], {}, GroupError, "only the group 'a'"),
    "places with one group": (GOOD.assign(place=list("wxyz")), {}, GroupError, "no place with two groups"),
    "one place": (GOOD[GOOD["place"] == "p0"], {}, GroupError, "one place with two groups"),
    "nobody searched": (GOOD.assign(searches=0, hits=0), {}, GroupError, "nobody was looked at"),
    "no outcome where groups meet": (
        pd.concat([GOOD.assign(hits=np.nan), GOOD.iloc[:1].assign(place="alone", searches=30, hits=3)]),
        {},
        GroupError,
        "No search in the places with two groups has a known outcome",
    ),
    "another family": (GOOD, {"signal": "normal"}, InputError, "'signal' must be one of"),
    "a base rate in percent": (GOOD, {"base_rate": 3}, InputError, "3 % of all cases"),
    "a base rate that is no number": (GOOD, {"base_rate": "x"}, InputError, "'base_rate' must be a number"),
    "a group that is no name": (GOOD, {"group": 5}, InputError, "'group' must name columns"),
    "a seed": (GOOD, {"random_state": -1}, InputError, "at least 0"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_does_not_fit_is_one_clear_sentence(case):
    table, change, kind, text = BAD[case]
    with pytest.raises(kind, match=text):
        threshold_test(table, **(ASKED | change))
