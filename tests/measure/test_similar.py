"""Amounts of similar people: against the index, by enumeration, and against chance."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from fairaudit.errors import GroupError, InputError
from fairaudit.measure import check_similar, dtdi_details, similar
from fairaudit.measure.indices import neighborhoods_of


def people(seed: int, n: int = 200, effect: float = 0.0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    grade, years = random.integers(0, 4, n), random.gamma(2, 4, n)
    sex = np.where(random.random(n) < 0.6 - 0.1 * grade, "F", "M")
    pay = 100 + 10 * grade + years + effect * (sex == "F") + random.normal(0, 4, n)
    return pd.DataFrame({"sex": sex, "grade": grade, "years": years, "area": random.choice(list("ab"), n), "pay": pay})


ASKED = {"decision": "pay", "protected": "sex = 'F'"}


@pytest.mark.parametrize("columns", [["grade", "years"], ["grade"], ["area", "years"]])
def test_index_is_dtdi(columns):
    data = people(1)
    result = check_similar(data, **ASKED, columns=columns)
    expected = dtdi_details(
        data[columns], data["pay"], sensitive_features=data["sex"], n_neighbors=10, task="regression"
    )
    assert result.dtdi == pytest.approx(expected.value)
    assert result.average == pytest.approx(expected.normalized)
    assert result.n_alone == expected.n_without_neighbors


def test_difference_is_the_mean_over_neighborhoods_that_hold_both_groups():
    data = people(2, n=60)
    result = check_similar(data, **ASKED, columns="years", n_neighbors=4)
    scaled = data["years"].to_numpy()
    gaps = []
    for value in scaled:
        distance = np.abs(scaled - value)
        near = data[distance <= np.sort(distance)[3] + 1e-9]
        women, men = (near.loc[near["sex"] == sex, "pay"] for sex in "FM")
        if len(women) and len(men):
            gaps.append(women.mean() - men.mean())
    assert result.difference == pytest.approx(np.mean(gaps))


@pytest.mark.thorough
def test_what_chance_brings_about_is_seldom_taken_for_more_than_chance_and_what_a_group_costs_is():
    columns = ["grade", "years"]
    plain = [check_similar(people(seed, n=120), **ASKED, columns=columns, random_state=seed) for seed in range(20)]
    # One of 20 is expected by chance; six or more would happen less than once in a thousand times.
    assert sum(each.is_beyond_chance for each in plain) < 6
    assert sum(each.average > each.by_chance_high for each in plain) < 6
    cost = [check_similar(people(seed, effect=-6), **ASKED, columns=columns) for seed in range(3)]
    assert all(each.is_beyond_chance and each.difference < 0 for each in cost)


def test_more_rows_than_allowed_are_drawn_the_same_each_time():
    data = people(3)
    first, again, other = (
        check_similar(data, **ASKED, columns="years", max_rows=80, random_state=seed) for seed in (5, 5, 6)
    )
    assert (first.n_rows, first.n_usable) == (80, 200)
    assert first == again
    assert first.average != other.average


def test_rows_without_group_or_amount_are_left_out():
    data = people(4)
    data.loc[0, "sex"] = None
    data.loc[1, "pay"] = math.nan
    data.loc[2, "years"] = math.nan
    assert check_similar(data, **ASKED, columns=["years", "grade"]).n_usable == 198


def test_the_filter_counts():
    data = people(5)
    narrow = check_similar(data, **ASKED, columns="years", where="grade >= 2")
    assert narrow == check_similar(data[data["grade"] >= 2], **ASKED, columns="years")


def test_nobody_near_of_the_other_group_leaves_the_difference_undefined():
    data = pd.DataFrame({"sex": ["F"] * 10 + ["M"] * 10, "grade": [1] * 10 + [9] * 10, "pay": range(20)})
    result = check_similar(data, **ASKED, columns="grade")
    assert math.isnan(result.difference) and not result.is_beyond_chance
    assert result.n_alone == (10, 10)


def test_the_decision_does_not_say_who_is_similar():
    with pytest.raises(InputError, match="must not name the decision"):
        check_similar(people(1), **ASKED, columns=["grade", "pay"])


def test_too_many_texts_are_refused_under_the_name_of_the_setting():
    data = people(1, n=1_200).assign(name=[f"n{i}" for i in range(1_200)])
    with pytest.raises(InputError, match=r"'similar_by'.*'name' has 1,200"):
        check_similar(data, **ASKED, columns="name")


@pytest.mark.parametrize("sex", [["F"] * 20, ["F"] * 4 + ["M"] * 4])
def test_too_few_rows_are_refused(sex):
    data = pd.DataFrame({"sex": sex, "grade": 1, "pay": range(len(sex))})
    with pytest.raises(GroupError, match="both groups are needed"):
        check_similar(data, **ASKED, columns="grade")


def test_an_empty_condition_is_refused():
    with pytest.raises(InputError, match="'protected' must be a condition, got an empty one"):
        check_similar(people(1), decision="pay", protected="", columns="grade")


@pytest.mark.thorough
@pytest.mark.parametrize("spread", [(4.0, 1.0), (1.0, 4.0)])
def test_a_wider_spread_in_one_group_is_seldom_taken_for_more_than_chance(spread):
    found = []
    for seed in range(60):
        random = np.random.default_rng(seed)
        grade = random.integers(0, 4, 160)
        women = random.random(160) < 0.1 + 0.1 * grade
        pay = 10 * grade + random.normal(size=160) * np.where(women, *spread)
        data = pd.DataFrame({"sex": np.where(women, "F", "M"), "grade": grade, "pay": pay})
        result = check_similar(data, **ASKED, columns="grade", random_state=seed)
        found.append((result.is_beyond_chance, result.average > result.by_chance_high))
    # Three of 60 are expected; nine or more would come about less than once in three hundred times.
    assert (np.sum(found, axis=0) < 9).all()


def test_the_difference_is_the_sum_of_amounts_times_weights_and_its_error_that_of_two_means():
    data = people(6, n=80).assign(grade=1)
    result = check_similar(data, **ASKED, columns="grade")
    women, men = (data.loc[data["sex"] == sex, "pay"] for sex in "FM")
    assert result.difference == pytest.approx(women.mean() - men.mean())
    near = similar._Near(neighborhoods_of(data[["grade"]], 80, 10), (data["sex"] == "F").to_numpy())
    pay, weights = data["pay"].to_numpy(), near._weights()
    assert weights @ pay == pytest.approx(result.difference)
    expected = math.sqrt(women.var() / len(women) + men.var() / len(men))
    assert near._error(pay, weights) == pytest.approx(expected)


@pytest.mark.parametrize("columns", [["grade", "years"], ["grade"], ["years"]])
def test_weights_give_the_difference_whatever_makes_people_similar_and_blocks_hold_neighbors(columns):
    data = people(7)
    result = check_similar(data, **ASKED, columns=columns)
    neighbors = neighborhoods_of(data[columns], len(data), 10)
    near = similar._Near(neighbors, (data["sex"] == "F").to_numpy())
    assert near._weights() @ data["pay"].to_numpy() == pytest.approx(result.difference)
    blocks, linked = near._blocks(), neighbors.near.toarray() > 0
    assert all(linked[block, row] for row, block in enumerate(blocks))


@pytest.mark.parametrize("options", [{}, {"max_rows": 120}])
def test_the_order_of_rows_changes_nothing(options):
    data = people(8)
    data.loc[3, "years"], data.loc[5, "sex"], data.loc[7, "area"] = math.nan, None, None
    results = [
        check_similar(each, **ASKED, columns=["area", "years", "grade"], **options)
        for each in (data, data.sample(frac=1, random_state=0))
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize("spreads", [(1.0, 1.0), (3.0, 1.0)])
def test_amounts_are_dealt_out_with_the_spread_of_who_gets_them_around_the_same_mean(spreads):
    random = np.random.default_rng(0)
    groups, blocks = np.repeat([0, 1, 0, 1], [30, 10, 5, 15]), np.repeat([0, 1], [40, 20])
    spread = np.array(spreads)[groups]
    y = 100 * blocks + spread * random.normal(size=60)
    dealing = similar._Dealing(y, blocks, spread)
    dealt = np.array([dealing.anew(random) for _ in range(4_000)])
    centers = [np.average(y[blocks == block], weights=spread[blocks == block] ** -2.0) for block in (0, 1)]
    for block, center in enumerate(centers):
        inside = blocks == block
        assert np.average(dealt[:, inside], axis=1, weights=spread[inside] ** -2.0) == pytest.approx(center)
        unit = ((y - center)[inside] / spread[inside]) ** 2
        variance = unit.sum() / (inside.sum() - 1)
        first, second = (dealt[:, inside & (groups == group)].mean(axis=1) for group in (0, 1))
        sizes = [(inside & (groups == group)).sum() for group in (0, 1)]
        expected = variance * (spreads[0] ** 2 / sizes[0] + spreads[1] ** 2 / sizes[1])
        assert (first - second).var() == pytest.approx(expected, rel=0.1)
    if spreads[0] == spreads[1]:
        assert np.sort(dealt[0]) == pytest.approx(np.sort(y))
