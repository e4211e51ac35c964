"""Real files: read as they are, with the base rates that are known."""

from __future__ import annotations

from functools import cache

import pytest
from shown import shows

from fairaudit.data import make_outcome, read_table


@pytest.fixture(scope="module")
def read_once():
    """Return a function that reads a file, each once."""
    return cache(read_table)


def share(table, column, favorable, where=None):
    """Return the share of good outcomes and the rows it is of."""
    counts = table.counts({"good": make_outcome(table, column, favorable).condition}, where=where).dropna()
    return round(float(counts.loc[counts["good"], "n"].sum() / counts["n"].sum()), 4), int(counts["n"].sum())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "column", "favorable", "where", "expected"),
    [
        ("adult.csv.gz", "income", ">50K", None, (0.2393, 48_842)),
        ("adult.csv.gz", "income", ">50K", "sex = 'Female'", (0.1093, 16_192)),
        ("adult.csv.gz", "income", ">50K", "race = 'White' AND education_num > 10", (0.4435, 13_827)),
        ("adult.csv.gz", "income", ">50K", "race <> 'White' AND education_num > 10", (0.3203, 1_945)),
        ("compas_two_years.csv.gz", "two_year_recid", 1, None, (0.4507, 7_214)),
        ("compas_two_years.csv.gz", "two_year_recid", "1", "race = 'African-American'", (0.5143, 3_696)),
        ("compas_fairml_5278.csv", "Two_yr_Recidivism", 1, None, (0.4704, 5_278)),
        ("german_credit.csv", "credit_risk", "good", None, (0.7, 1_000)),
        ("sqf_2014.csv.gz", "frisked", "Y", "race = 'W'", (0.5605, 5_467)),
        ("sqf_2014.csv.gz", "frisked", "Y", None, (0.6627, 45_787)),
    ],
)
def test_base_rates_are_as_known(shared_data, read_once, name, column, favorable, where, expected):
    rate, n = share(read_once(shared_data(name)), column, favorable, where)
    assert n == expected[1]
    assert rate == pytest.approx(expected[0], abs=1e-4)


def test_student_marks_with_semicolons(shared_data):
    table = read_table(shared_data("student-por.csv"))
    assert table.source.options.delimiter == ";"
    assert table.count("G3 >= 10 AND sex = 'F'") / table.count("sex = 'F'") == pytest.approx(0.8695, abs=1e-4)


def test_blanks_of_the_raw_adult_file_are_removed_with_a_note(shared_data):
    table = read_table(shared_data("adult_train.csv.gz"))
    assert table.n_rows == 32_561
    assert any(shows(note, "read-trimmed") for note in table.notes)
    assert table.count("sex = 'Male'") > 0


def test_bank_has_more_columns_than_text_editors_show(shared_data):
    table = read_table(shared_data("bank-additional-full.csv.gz"))
    assert (table.n_rows, len(table.columns)) == (41_188, 21)
    assert table.source.compressed
