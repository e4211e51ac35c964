"""The search finds the best of all subgroups, and proves it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from places import SHARED_DATA
from subgroups_by_hand import best_scores, made_table

from fairaudit import find_subgroups
from fairaudit.data.given import as_table
from fairaudit.estimators.leakage import NAMES_ROWS
from fairaudit.events import STOP, Finished
from fairaudit.subgroups.cells import read_cells
from fairaudit.subgroups.finding import iter_subgroups, read_asking, usable_columns
from fairaudit.subgroups.search import RANKINGS, SIGNS, Population, count

COMPAS = SHARED_DATA / "compas_two_years.csv.gz"
WHOLE = {"decision": "y", "favorable": 1, "search_fraction": 1}


@pytest.mark.skipif(not COMPAS.exists(), reason="the real data are not beside the project")
def test_the_worst_subgroups_of_compas_are_those_of_an_independent_count():
    data = pd.read_csv(COMPAS)
    data["falsely_high"] = ((data["is_recid"] == 0) & (data["score_text"] == "High")).astype(int)
    found = find_subgroups(
        data,
        decision="falsely_high",
        favorable=1,
        columns=["race", "sex", "age_cat", "c_charge_degree"],
        max_conditions=4,
        min_rows=1,
        search_fraction=1,
        values_joined=1,
    )
    assert (found.n_rows, found.n_considered, found.proven) == (7214, 240, True)
    most, largest = found.leading("people")[0], found.leading("gap")[0]
    assert (most.condition, most.n, round(most.impact, 4)) == ("race = 'African-American'", 3696, 0.0095)
    assert largest.condition == (
        "race = 'African-American' AND sex = 'Female' AND age_cat = 'Less than 25' AND c_charge_degree = 'F'"
    )
    assert (largest.n, round(largest.gap, 3), round(largest.rate, 3)) == (109, 0.079, 0.128)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(24))
def test_the_best_of_each_ranking_is_that_of_all_subgroups(seed):
    amounts = seed % 4 == 3
    frame = made_table(seed, amounts=amounts)
    protected = ("c1",) if seed % 3 == 0 else None
    asked = {**WHOLE, "min_rows": 5, "max_conditions": 1 + seed % 4, "protected": protected}
    if amounts:
        asked |= {"favorable": None, "measure": "mean"}
    found = find_subgroups(frame, **asked)
    best, considered = best_scores(frame, min_rows=5, max_conditions=asked["max_conditions"], protected=protected or ())
    assert found.proven, seed
    assert {each.ranking: each.best for each in found.rankings} == pytest.approx(best, rel=1e-9), seed
    assert found.n_considered <= considered, seed


@pytest.mark.parametrize("seed", range(6))
def test_few_numbers_are_asked_for_one_by_one_and_above_and_below_each(seed):
    frame = made_table(seed)
    frame["kids"] = np.random.default_rng(seed).integers(0, 2 + seed % 4, len(frame))
    frame = frame[["c1", "kids", "y"]]
    found = find_subgroups(frame, **WHOLE, min_rows=5, max_conditions=2)
    best, considered = best_scores(frame, min_rows=5, max_conditions=2)
    assert {each.ranking: each.best for each in found.rankings} == pytest.approx(best, rel=1e-9), seed
    assert found.n_considered == considered, seed


@pytest.mark.parametrize("seed", range(6))
def test_no_part_of_a_subgroup_exceeds_its_bound(seed):
    frame = made_table(seed, amounts=seed % 2 == 0)
    shares = seed % 2 == 1
    asked = {"decision": "y", "favorable": 1} if shares else {"decision": "y", "measure": "mean"}
    asking = read_asking(as_table(frame), **asked, min_rows=8, search_fraction=1)
    columns, _ = usable_columns(asking)
    cells = read_cells(asking.table, columns, asking.outcome, asking.measure, None)
    y = frame["y"]
    population = Population(len(y), float(y.sum()), float(y.std(ddof=0)), shares, 8)
    for whole in range(len(columns)):
        n, s, above, _ = count(cells, columns, (whole,), population)
        for other in set(range(len(columns))) - {whole}:
            part_n, part_s, *_ = count(cells, columns, (whole, other), population)
            for ranking in RANKINGS:
                for sign in SIGNS["both"]:
                    of = s if above is None else above[sign < 0]
                    bound = population.bound(ranking, n, s, of, sign)
                    large = (part_n >= population.least(ranking)) & (part_n < population.n)
                    rows = np.clip(part_n, 1, population.n - 1)
                    scores = sign * population.excess(part_n, part_s) * population.factor(ranking, rows)
                    reached = np.where(large, scores, -np.inf).max(axis=1)
                    assert (reached <= bound + 1e-12).all(), (seed, whole, other, ranking, sign)


def test_a_search_whose_work_is_used_up_says_how_far_it_may_be():
    frame = made_table(5)
    short = find_subgroups(frame, **WHOLE, min_rows=5, time_limit=1e-9)
    whole = find_subgroups(frame, **WHOLE, min_rows=5)
    assert not short.proven and whole.proven
    for ranking in RANKINGS:
        assert short.ranked(ranking).best <= whole.ranked(ranking).best <= short.ranked(ranking).bound


def test_a_search_that_is_stopped_ends_with_what_it_has():
    events = iter_subgroups(made_table(5), decision="y", favorable=1, min_rows=5)
    next(events)
    last = None
    command = STOP
    for _ in range(1000):
        try:
            last = events.send(command)
        except StopIteration:
            break
        command = None
    assert isinstance(last, Finished) and not last.result.proven and last.result.subgroups


def test_neither_the_order_of_rows_nor_of_columns_matters():
    frame = made_table(11, rows=800)
    again = frame.sample(frac=1, random_state=3)
    one, two = (find_subgroups(each, decision="y", favorable=1, random_state=4) for each in (frame, again))
    assert one.to_dict() == two.to_dict()


def test_the_seed_alone_divides_the_rows():
    frame = made_table(11, rows=800)
    same = [find_subgroups(frame, decision="y", favorable=1, random_state=1).to_dict() for _ in range(2)]
    other = find_subgroups(frame, decision="y", favorable=1, random_state=2).to_dict()
    assert same[0] == same[1] != other


def test_directions_are_mirror_images():
    frame = made_table(7, rows=600)
    other = frame.assign(y=1 - frame["y"])
    lower = find_subgroups(frame, **WHOLE, direction="lower")
    higher = find_subgroups(other, **WHOLE, direction="higher")
    assert [each.condition for each in lower.subgroups] == [each.condition for each in higher.subgroups]
    assert all(each.gap < 0 for each in lower.subgroups) and all(each.gap > 0 for each in higher.subgroups)


def test_codes_are_asked_for_by_their_values_and_not_as_an_order():
    rng = np.random.default_rng(3)
    code = rng.choice([10, 20, 35, 40, 55, 60, 71, 80, 95, 99, 102, 300], 4000)
    frame = pd.DataFrame({"charge_code": code, "charge_level": code})
    frame["good"] = (rng.random(4000) < np.where(code == 55, 0.2, 0.6)).astype(int)
    found = {
        name: find_subgroups(frame, decision="good", favorable=1, columns=[name]).subgroups[0].condition
        for name in ("charge_code", "charge_level")
    }
    assert found["charge_code"] == "charge_code = 55"
    assert any(sign in found["charge_level"] for sign in ("<", ">"))


def test_what_names_the_rows_is_searched_only_where_a_person_names_it():
    rng = np.random.default_rng(0)
    n = 600
    frame = pd.DataFrame(
        {
            "file_number": np.concatenate([1_000 + 7 * np.arange(n - 40), 1_000 + 7 * np.arange(40)]),
            "sex": rng.choice(["F", "M"], n),
            "y": rng.integers(0, 2, n),
        }
    )
    asked = {"decision": "y", "favorable": 1}
    found = read_asking(as_table(frame), **asked)
    columns, left_out = usable_columns(found)
    assert [each.name for each in columns] == ["sex"]
    assert [(each.column, each.reason) for each in left_out] == [("file_number", NAMES_ROWS)]
    for named in ({"columns": ["file_number", "sex"]}, {"protected": ["file_number"]}):
        _, left_out = usable_columns(read_asking(as_table(frame), **asked, **named))
        assert NAMES_ROWS not in [each.reason for each in left_out]
