"""Worst groups of weighted samples: against repeated rows, brute force, and a population without a gap."""

from __future__ import annotations

import numpy as np
import pytest

from fairaudit import Table, check_controlled_fairness, find_subgroups
from fairaudit.subgroups.cells import read_cells
from fairaudit.subgroups.finding import read_asking, usable_columns
from tests.support.weighted import DESIGN, Population, repeated, weighted_people

ASKED = {"decision": "paid", "favorable": "yes", "columns": ["sex", "area"], "min_rows": 20}
AMOUNTS = {"decision": "pay", "measure": "mean", "columns": ["sex", "area"], "min_rows": 20}
WHOLE = {"search_fraction": 1}


@pytest.mark.parametrize("asked", [ASKED, AMOUNTS])
def test_whole_weights_give_the_subgroups_of_repeated_rows(asked):
    people = weighted_people(seed=1)
    found, by_rows = (
        find_subgroups(people, **asked, **WHOLE, weights="weight"),
        find_subgroups(repeated(people), **asked, **WHOLE),
    )
    assert found.proven and by_rows.proven and found.rate == pytest.approx(by_rows.rate)
    best = {each.ranking: each.best for each in by_rows.rankings}
    for each in found.rankings:
        if each.ranking != "evidence":
            assert each.best == pytest.approx(best[each.ranking]) == each.bound
    assert found.n_rows == len(people)
    rows = repeated(people)
    y = rows["pay"] if "measure" in asked else rows["paid"] == "yes"
    for each in found.subgroups:
        inside = Table.from_pandas(rows).condition(each.condition).mask(rows)
        assert each.trained.n == Table.from_pandas(people).count(each.condition)
        assert each.trained.gap == pytest.approx(y[inside].mean() - y[~inside].mean())
        assert each.trained.impact == pytest.approx(inside.mean() * (y[inside].mean() - y.mean()))


@pytest.mark.parametrize("asked", [ASKED, AMOUNTS])
def test_the_scale_of_weights_does_not_matter(asked):
    people = weighted_people(seed=2)
    one, other = (find_subgroups(people, **asked, weights=name) for name in ("weight", "heavy"))
    assert [each.condition for each in one.subgroups] == [each.condition for each in other.subgroups]
    for ours, theirs in zip(one.subgroups, other.subgroups, strict=True):
        assert ours.held_out.gap == pytest.approx(theirs.held_out.gap)
        assert (*ours.interval, ours.p_value) == pytest.approx((*theirs.interval, theirs.p_value), abs=1e-9)
    assert [each.best for each in one.rankings] == pytest.approx([each.best for each in other.rankings], rel=1e-6)


def test_weights_of_one_search_and_judge_the_same_rows():
    people = weighted_people(2_000, seed=3)
    plain, ones = find_subgroups(people, **ASKED), find_subgroups(people, **ASKED, weights="one")
    assert [each.condition for each in plain.subgroups] == [each.condition for each in ones.subgroups]
    for ours, theirs in zip(ones.subgroups, plain.subgroups, strict=True):
        assert ours.trained == theirs.trained and ours.held_out == theirs.held_out
        assert tuple(ours.interval) == pytest.approx(tuple(theirs.interval), abs=3e-3)


def test_a_subgroup_has_the_range_that_a_check_of_the_same_people_gives():
    people = weighted_people(seed=4)
    found = find_subgroups(people, **ASKED, weights="weight")
    for each in found.subgroups:
        checked = check_controlled_fairness(
            people, decision="paid", favorable="yes", protected=each.condition, weights="weight"
        )
        assert each.trained.n + each.held_out.n == checked.protected.n
        low, high = checked.difference_interval
        assert each.interval.high - each.interval.low == pytest.approx((high - low) * np.sqrt(2), rel=0.35)


@pytest.mark.parametrize("asked", [ASKED, AMOUNTS])
def test_what_is_proven_is_the_best_by_enumeration(asked):
    people = weighted_people(seed=5).assign(weight=lambda rows: rows["weight"] ** 2 + 0.3)
    found = find_subgroups(people, **asked, **WHOLE, weights="weight", values_joined=1)
    y = people["pay"] if "measure" in asked else (people["paid"] == "yes").astype(float)
    w, mean = people["weight"], np.average(y, weights=people["weight"])
    conditions = [people["sex"] == s for s in "FM"] + [people["area"] == a for a in "abc"]
    conditions += [(people["sex"] == s) & (people["area"] == a) for s in "FM" for a in "abc"]
    inside = [own for own in conditions if own.sum() >= 20]
    impact = max(abs((w * (y - mean))[own].sum()) / w.sum() for own in inside)
    gap = max(abs(np.average(y[own], weights=w[own]) - np.average(y[~own], weights=w[~own])) for own in inside)
    best = {each.ranking: each.best for each in found.rankings}
    assert found.proven and best["people"] == pytest.approx(impact) and best["gap"] == pytest.approx(gap)


def test_whole_clusters_go_to_one_part_and_strata_to_both():
    people = weighted_people(seed=6)
    table = Table.from_pandas(people, **DESIGN)
    asking = read_asking(table, **ASKED)
    columns, _ = usable_columns(asking)
    cells = read_cells(table, columns, asking.outcome, asking.measure, None)
    one, other = cells.split(0.5, np.random.default_rng(0))
    parts = [{*zip(part.sampled.stratum.tolist(), part.sampled.cluster.tolist(), strict=True)} for part in (one, other)]
    assert parts[0].isdisjoint(parts[1]) and one.n_rows + other.n_rows == len(people)
    for stratum in (0, 1):
        sizes = [sum(own == stratum for own, _ in part) for part in parts]
        assert abs(sizes[0] - sizes[1]) <= 1


def test_how_a_sample_was_drawn_makes_no_group_of_people():
    found = find_subgroups(weighted_people(seed=7), decision="paid", favorable="yes", **DESIGN, time_limit=2)
    assert {"weight", "region", "school"}.isdisjoint(found.columns)


@pytest.mark.thorough
def test_without_a_gap_a_group_stands_out_as_seldom_as_it_says_and_ranges_hold_the_truth():
    population = Population()
    rng = np.random.default_rng(1)
    population.people["street"] = rng.choice(list("abcdef"), len(population.people))
    population.people["age"] = rng.integers(20, 60, len(population.people)) // 10 * 10
    asked = {"decision": "paid", "favorable": "yes", "columns": ["street", "age"]}
    truth = population.people.assign(good=population.people["paid"] == "yes")
    runs, false, held = 200, 0, 0
    for seed in range(runs):
        sample = population.sample(seed, of_each=30)
        found = find_subgroups(sample, **asked, **DESIGN, random_state=seed)
        false += any(each.stands_out for each in found.subgroups)
        first = found.subgroups[0]
        inside = Table.from_pandas(truth).condition(first.condition).mask(truth)
        gap = truth["good"][inside].mean() - truth["good"][~inside].mean()
        held += first.interval.low <= gap <= first.interval.high
    # Of 200 runs, at most 21 find what has a chance of .05, and 179 or more what has one of .95, in 99.95 % of such
    # simulations (binomial).
    assert false <= 21, false
    assert held >= 179, held
