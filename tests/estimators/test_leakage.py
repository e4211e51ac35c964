from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

from fairaudit.data.table import Table
from fairaudit.errors import InputError
from fairaudit.estimators.leakage import (
    NAMES_ROWS,
    ONE_VALUE,
    WEIGHS,
    columns_filled_in_after,
    columns_that_reveal,
    columns_without_use,
    label_leaks,
)

N = 1000
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
OTHER = RNG.normal(size=N)


def reveals(values, y=Y, **settings):
    return columns_that_reveal(pd.DataFrame({"c": values}), y, **settings) == ("c",)


DAYS = pd.Series(pd.to_datetime("2020-01-01") + pd.to_timedelta(np.arange(N), unit="D"))

REVEALING = {
    "the label": Y,
    "the label turned": -Y,
    "separate ranges": Y * 5 + np.abs(OTHER) / 10,
    "a number or none": np.where(Y, 3.5, np.nan),
    "any number or none": np.where(Y, OTHER, np.nan),
    "yes and no": np.where(Y, "yes", "no"),
    "a text or none": np.where(Y, "granted", None),
    "categories": pd.Categorical(np.where(Y, "yes", "no")),
    "true and false": Y == 1,
    "codes in no order": np.where(Y, RNG.choice([1, 3], N), RNG.choice([0, 2], N)),
    "letters in no order": np.where(Y, RNG.choice(["a", "c"], N), RNG.choice(["b", "d"], N)),
    "two days": DAYS.iloc[Y].to_numpy(),
    "any day or none": DAYS.where(Y == 1),
    "nullable": pd.array(np.where(Y, 7, None), dtype="Int64"),
}
SILENT = {
    "noise": OTHER,
    "a hint": Y + OTHER,
    "wrong in some rows": np.where(RNG.random(N) < 0.02, 1 - Y, Y),
    "names": [f"person {i}" for i in range(N)],
    "row numbers": np.arange(N),
    "row numbers as text": np.arange(N).astype(str),
    "missing at random": np.where(RNG.random(N) < 0.5, np.nan, OTHER),
    "constant": np.full(N, "same"),
    "empty": np.full(N, np.nan),
    "days": DAYS,
    "areas": RNG.choice([f"area {i}" for i in range(300)], N),
}


@pytest.mark.parametrize("words", REVEALING)
def test_a_column_that_is_the_label_in_other_words_is_found(words):
    assert reveals(REVEALING[words])


@pytest.mark.parametrize("words", SILENT)
def test_a_column_that_is_not_does_not_count(words):
    assert not reveals(SILENT[words])


def test_a_name_that_stands_in_two_rows_says_nothing_about_new_rows():
    person = np.repeat(np.arange(N // 2), 2)
    label = np.repeat(RNG.integers(0, 2, N // 2), 2)
    assert not reveals([f"person {p}" for p in person], label)


def test_columns_come_in_order_and_only_those():
    X = pd.DataFrame({"b": Y, "x": OTHER, "a": np.where(Y, "yes", "no")})
    assert columns_that_reveal(X, Y) == ("b", "a")
    assert columns_that_reveal(X.sample(frac=1, random_state=0), pd.Series(Y).sample(frac=1, random_state=0)) == (
        "b",
        "a",
    )
    sentences = label_leaks(X, Y)
    assert [sentence.split("'")[1] for sentence in sentences] == ["b", "a"]


def test_the_limit_moves_the_border():
    nearly = np.where(np.arange(N) % 50 == 0, 1 - Y, Y)
    assert not reveals(nearly) and reveals(nearly, limit=0.97)


def test_nothing_is_looked_for_among_few_rows():
    few = np.arange(N) < 9
    assert columns_that_reveal(pd.DataFrame({"c": few}), few) == ()
    assert reveals(np.arange(N) < 10, np.arange(N) < 10)
    assert columns_that_reveal(pd.DataFrame({"c": [1, 2]}), [1, 1]) == ()


PART = RNG.random(N) < 0.5


@pytest.mark.parametrize(
    ("values", "is_found"),
    [
        (np.where(PART & (Y == 0), 500.0, np.nan), True),
        (np.where(PART | (Y == 1), "a", None), True),
        (np.where(PART, OTHER, np.nan), False),
        (np.where(PART & ((Y == 0) | (OTHER > 1)), 500.0, np.nan), False),
        (np.where(np.arange(N) < 12, OTHER, np.nan), False),
        (OTHER, False),
        (np.full(N, np.nan), False),
    ],
    ids=["only of the bad", "always of the good", "at random", "mostly of the bad", "few", "whole", "empty"],
)
def test_what_is_filled_in_with_one_outcome_alone_is_found(values, is_found):
    found = columns_filled_in_after(pd.DataFrame({"new": values, "other": OTHER}), Y)
    assert found == (("new",) if is_found else ())


def test_labels_must_fit():
    with pytest.raises(InputError, match="'y' must have 3 rows"):
        columns_that_reveal(pd.DataFrame({"c": [1, 2, 3]}), [0, 1])


def test_columns_without_use_are_constant_or_name_the_rows():
    rows = np.arange(N)
    X = pd.DataFrame(
        {
            "constant": 1,
            "empty": pd.Series(np.nan, index=rows),
            "no text": pd.Series(None, index=rows, dtype="string"),
            "name": [f"person {i}" for i in rows],
            "nearly a name": [f"person {max(i, 20)}" for i in rows],
            "row number": rows + 17,
            "moment": pd.to_datetime("2020-01-01") + pd.to_timedelta(rows, unit="h"),
        }
    )
    X["salary"] = 20_000 + 7 * rows
    X["amount"] = OTHER
    X["age"] = rows % 70
    X["area"] = [f"area {i % 300}" for i in rows]
    X["given or not"] = pd.Series(np.where(rows % 3, 1.0, np.nan))
    X["flag"] = rows % 2 == 0
    expected = dict.fromkeys(X.columns[:3], ONE_VALUE) | dict.fromkeys(X.columns[3:7], NAMES_ROWS)
    assert columns_without_use(X) == expected
    assert columns_without_use(Table.from_pandas(X)) == expected
    assert columns_without_use(X.sample(frac=1, random_state=0)) == expected


@pytest.mark.parametrize(
    ("name", "without_use"),
    [
        ("case_id", True), ("File number", True), ("personId", True), ("NR", True), ("id", True), ("CaseID", True),
        ("userid", True), ("studentnumber", True), ("SSN", True), ("income", False), ("paid", False),
        ("keynote", False), ("capacity", False), ("loan", False),
    ],
)  # fmt: skip
def test_whole_numbers_that_nearly_all_differ_name_the_rows_where_they_are_called_so(name, without_use):
    numbers = 1_000 + 13 * (np.arange(N) * 94 // 100)
    assert len(set(numbers)) >= 0.9 * N
    assert (name in columns_without_use(pd.DataFrame({name: numbers}))) == without_use
    assert not columns_without_use(pd.DataFrame({name: numbers + 0.5}))
    assert not columns_without_use(pd.DataFrame({name: numbers % 200}))


@pytest.mark.parametrize(("empty", "without_use"), [(0.3, True), (0.49, True), (0.6, False)])
def test_what_names_the_rows_that_have_it_is_of_no_use_where_most_rows_have_it(empty, without_use):
    rows = np.arange(N)
    missing = rows < empty * N
    X = pd.DataFrame(
        {
            "phone": pd.Series([f"0{i}" for i in rows]).mask(missing),
            "member number": pd.Series(1_000.0 + 13 * rows).mask(missing),
            "area": pd.Series([f"area {i % 300}" for i in rows]).mask(missing),
        }
    )
    assert columns_without_use(X) == (dict.fromkeys(["phone", "member number"], NAMES_ROWS) if without_use else {})


@pytest.mark.parametrize(
    ("name", "each", "without_use"),
    [("staff_id", 2, True), ("staff_id", 3, True), ("staff_id", 6, False), ("years", 2, False), ("postcode", 2, False)],
)
def test_a_number_of_people_who_are_in_a_few_rows_each_is_of_no_use(name, each, without_use):
    numbers = np.arange(N) // each
    for values in (numbers, [f"A{number}" for number in numbers]):
        assert (name in columns_without_use(pd.DataFrame({name: values}))) is without_use


def test_a_table_without_rows_has_nothing_to_say():
    assert columns_without_use(pd.DataFrame({"a": pd.Series(dtype=float)})) == {}


@pytest.mark.campaign
def test_many_rows_and_columns_are_looked_at_quickly():
    rng = np.random.default_rng(0)
    n = 100_000
    numbers = {f"number {i}": rng.normal(size=n) for i in range(25)}
    texts = {f"text {i}": rng.choice(["a", "b", "c"], n) for i in range(25)}
    X, y = pd.DataFrame(numbers | texts), rng.integers(0, 2, n)
    start = time.process_time()
    assert columns_that_reveal(X, y) == ()
    assert time.process_time() - start < 5  # about 0.7 where nothing else runs


def test_a_number_of_people_with_few_repeats_names_the_rows_wherever_id_stands_in_its_name():
    n = 21_562
    numbers = np.random.default_rng(0).permutation(np.arange(10_000, 10_000 + 7 * 20_316, 7))
    column = np.concatenate([numbers, numbers[: n - len(numbers)]])
    frame = pd.DataFrame({"id_student": column, "student_id": column, "income": column})
    assert columns_without_use(frame) == dict.fromkeys(("id_student", "student_id"), NAMES_ROWS)


def test_weights_and_numbers_of_people_are_left_out_by_their_names():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "dweight": rng.random(400) + 0.5,
            "pspwght": rng.random(400) + 0.5,
            "pidp": rng.choice(10**9, 400, replace=False),
            "overweight": rng.random(400),
            "pid_controller": rng.integers(0, 10**9, 400),
            "birth_weight": rng.random(400) * 3,
        }
    )
    assert columns_without_use(frame) == {"dweight": WEIGHS, "pspwght": WEIGHS, "pidp": NAMES_ROWS}
