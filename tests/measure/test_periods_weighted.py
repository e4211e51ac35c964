"""Changes of a gap between periods of weighted samples: against repeated rows and a known population."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit import Table, compare_periods
from fairaudit.measure.periods import compare_spans, compare_two, spans_of
from tests.support.weighted import DESIGN, Population, repeated, weighted_people

ASKED = {"decision": "paid", "favorable": "yes", "protected": "sex = 'F'", "strata": ["area"]}
AMOUNTS = {"decision": "pay", "favorable": None, "protected": "sex = 'F'", "strata": ["area"]}


def of_two(people: pd.DataFrame, asked: dict, **design: str):
    """Compare the years before 2022 with those after."""
    return compare_two(spans_of(Table.from_pandas(people, **design), "year", [2022]), **asked, cut_by="year")


def points(found: object) -> list[float]:
    """Return the point values of a comparison."""
    return [found.before.difference, found.after.difference, found.change, found.mix, found.rates]


def ends(found: object) -> list[float]:
    """Return the ends of its intervals."""
    return [end for name in ("change", "mix", "rates") for end in getattr(found, f"{name}_interval")]


@pytest.mark.parametrize("asked", [ASKED, AMOUNTS])
def test_whole_weights_give_what_repeated_rows_give_and_their_scale_does_not_matter(asked):
    people = weighted_people(seed=1)
    found = of_two(people, asked, weights="weight")
    assert points(found) == pytest.approx(points(of_two(repeated(people), asked)), abs=1e-9)
    scaled = of_two(people, asked, weights="heavy")
    assert [*points(found), *ends(found), found.p_value] == pytest.approx(
        [*points(scaled), *ends(scaled), scaled.p_value]
    )
    assert found.mix + found.rates == pytest.approx(found.change)


@pytest.mark.parametrize("asked", [ASKED, AMOUNTS])
def test_weights_of_one_change_nothing(asked):
    people = weighted_people(3_000, seed=2)
    plain, ones = of_two(people, asked), of_two(people, asked, weights="one")
    assert points(plain) == pytest.approx(points(ones), abs=1e-9 if asked is AMOUNTS else 1e-15)
    assert ends(plain) == pytest.approx(ends(ones), abs=5e-3)


def test_two_tables_with_weights_are_two_samples():
    people = weighted_people(seed=3)
    early = people["year"] < 2022
    tables = (people[early], people[~early])
    found = compare_periods(*tables, **ASKED, **DESIGN)
    of_one = of_two(people, ASKED, **DESIGN)
    assert points(found) == pytest.approx(points(of_one)) and found.cluster == of_one.cluster == "school"
    assert ends(found) != pytest.approx(ends(of_one), abs=1e-6)


@pytest.mark.parametrize("asked", [ASKED, AMOUNTS])
def test_one_test_over_many_periods_allows_for_weights(asked):
    people = weighted_people(3_000, seed=4)
    asked = {key: value for key, value in asked.items() if key != "strata"}

    def line(**design: str):
        return compare_spans(spans_of(Table.from_pandas(people, **design), "year", [2021, 2022, 2023]), **asked)

    plain, ones, heavy, light = line(), line(weights="one"), line(weights="heavy"), line(weights="weight")
    assert ones.statistic == pytest.approx(plain.statistic, rel=0.02) and ones.p_value == pytest.approx(
        plain.p_value, abs=0.01
    )
    assert heavy.p_value == pytest.approx(light.p_value) != pytest.approx(plain.p_value)
    assert line(**DESIGN).p_value != pytest.approx(light.p_value)


@pytest.mark.thorough
def test_ranges_hold_the_truth_as_often_as_they_say():
    population = Population()
    asked = {"decision": "paid", "favorable": "yes", "protected": "sex = 'F'", "strata": ["area"]}

    def found_in(people: pd.DataFrame, **design: str):
        people = people.assign(year=np.where(people["later"], 2022, 2021))
        return of_two(people, asked, **design)

    truth = found_in(population.people)
    runs, held = 300, np.zeros(3)
    for seed in range(runs):
        found = found_in(population.sample(seed, of_each=20), **DESIGN)
        for place, name in enumerate(("change", "mix", "rates")):
            low, high = getattr(found, f"{name}_interval")
            held[place] += low <= getattr(truth, name) <= high
    # Of 300 intervals that hold with a chance of .95, between 271 and 296 do, in 99.9 % of such runs (binomial). A mix
    # that hardly moves has a range that holds it nearly always.
    assert (held >= 271).all() and (held <= (296, 300, 296)).all(), held
