"""Columns that number rows or people, and nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fairaudit.data.roles import keys_of
from fairaudit.data.table import Table


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
