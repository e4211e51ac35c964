"""Columns that number rows or people, and nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from places import SHARED_DATA

from fairaudit import read_table
from fairaudit.data.quality import quality_report
from fairaudit.data.roles import keys_of
from fairaudit.data.table import Table
from fairaudit.estimators.leakage import NAMES_ROWS, columns_without_use

CREDIT = SHARED_DATA / "credit_default.csv.gz"


def keys(**columns):
    table = Table.from_pandas(pd.DataFrame(columns))
    return keys_of(table, list(columns), list(columns))


def test_a_number_that_nearly_each_row_has_for_itself_is_a_key():
    rng = np.random.default_rng(0)
    found = keys(case_no=np.arange(500), age=rng.integers(18, 70, 500), income=rng.normal(2_000, 300, 500))
    assert list(found) == ["case_no"] and not found["case_no"].is_repeated


def test_the_same_person_in_several_years_is_a_key_with_the_year():
    rng = np.random.default_rng(0)
    person, year = np.tile(np.arange(300), 2), np.repeat([2023, 2024], 300)
    keep = rng.random(600) < 0.9
    age = rng.integers(18, 70, 600)
    found = keys(who=person[keep], age=age[keep], year=year[keep])
    assert list(found) == ["who"] and found["who"].is_repeated and found["who"].period == "year"


def test_a_name_that_says_so_makes_a_key_where_few_rows_share_a_value():
    rng = np.random.default_rng(0)
    found = keys(person_id=rng.integers(0, 400, 900), officer_id=rng.integers(0, 60, 900), x=rng.integers(0, 400, 900))
    assert list(found) == ["person_id"] and found["person_id"].period is None


def test_a_number_of_people_with_few_repeats_is_a_key_and_an_amount_is_none():
    n = 21_562
    numbers = np.random.default_rng(0).permutation(np.arange(10_000, 10_000 + 7 * 20_316, 7))
    column = np.concatenate([numbers, numbers[: n - len(numbers)]])
    found = keys(id_student=column, income=column)
    assert list(found) == ["id_student"] and found["id_student"].n == 20_316
    assert list(keys(id_student=column + 0.5)) == []
    issues = quality_report(Table.from_pandas(pd.DataFrame({"id_student": column, "income": column}))).issues
    assert [issue.column for issue in issues if issue.code == "near_unique"] == ["id_student"]


@pytest.mark.parametrize("seed", range(20))
def test_whole_numbers_that_run_on_are_keys_and_those_that_are_drawn_are_not(seed):
    rng = np.random.default_rng(seed)
    running = rng.permutation(rng.choice(900, 400, replace=False))
    found = keys(running=running, drawn=rng.integers(0, 900, 400), wide=rng.integers(0, 10**6, 400))
    assert list(found) == ["running"]


@pytest.mark.skipif(not CREDIT.exists(), reason="the real data are not beside the project")
def test_of_real_data_on_credit_the_number_alone_is_an_identifier():
    table = read_table(CREDIT)
    assert [name for name, why in columns_without_use(table).items() if why == NAMES_ROWS] == ["ID"]
    assert [issue.column for issue in quality_report(table).issues if issue.code == "near_unique"] == ["ID"]
