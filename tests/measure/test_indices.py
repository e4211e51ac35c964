from __future__ import annotations

import time

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.errors import InputError
from fairaudit.measure import didi, dtdi, dtdi_details

ROWS = st.lists(
    st.tuples(
        st.integers(0, 2), st.sampled_from(["a", "b", "c"]), st.integers(-2, 2), st.integers(-2, 2), st.booleans()
    ),
    min_size=1,
    max_size=25,
)
TASKS = st.sampled_from(["classification", "regression"])


def scaled(column):
    column = np.asarray(column, dtype=float)
    spread = column.std()
    return (column - column.mean()) / spread if spread else column * 0


@settings(max_examples=40)
@given(ROWS, TASKS)
def test_didi_equals_its_definition(rows, task):
    y, groups = [r[0] for r in rows], [r[1] for r in rows]
    expected = oracles.didi(y, groups, task)
    assert didi(y, sensitive_features=groups, task=task) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=40)
@given(ROWS, TASKS, st.integers(1, 25))
def test_dtdi_equals_its_definition_with_mixed_features_and_ties(rows, task, k):
    k = min(k, len(rows))
    y, groups = [r[0] for r in rows], [r[1] for r in rows]
    X = pd.DataFrame({"u": [r[2] for r in rows], "v": [r[3] for r in rows], "w": ["x" if r[4] else "y" for r in rows]})
    points = np.column_stack([scaled(X["u"]), scaled(X["v"]), X["w"] == "x", X["w"] == "y"]).astype(float)
    expected, alone = oracles.dtdi(points, y, groups, k, task)
    result = dtdi_details(X, y, sensitive_features=groups, n_neighbors=k, task=task)
    assert result.value == pytest.approx(expected, abs=1e-9)
    assert dict(zip([cell[0] for cell in result.cells], result.n_without_neighbors, strict=True)) == alone
    assert result.normalized == pytest.approx(expected / (len(rows) * len(alone)), abs=1e-9)
    assert float(result) == result.value == dtdi(X, y, sensitive_features=groups, n_neighbors=k, task=task)


@settings(max_examples=40)
@given(ROWS, TASKS, st.randoms(use_true_random=False))
def test_row_order_and_group_names_do_not_matter(rows, task, random):
    def both(data, names):
        y, groups, X = [r[0] for r in data], [names[r[1]] for r in data], [[r[2], r[3]] for r in data]
        k = min(3, len(data))
        return (
            didi(y, sensitive_features=groups, task=task),
            dtdi(X, y, sensitive_features=groups, n_neighbors=k, task=task),
        )

    first = both(rows, {"a": "a", "b": "b", "c": "c"})
    second = both(random.sample(rows, len(rows)), {"a": 3, "b": 1, "c": 2})
    assert first == pytest.approx(second, abs=1e-9)


def test_equal_treatment_in_all_cells_gives_zero():
    y, groups = [1, 0, 1, 0], ["a", "a", "b", "b"]
    assert didi(y, sensitive_features=groups) == 0
    assert dtdi([[1], [9], [1], [9]], y, sensitive_features=groups, n_neighbors=2) == 0


def test_one_group_has_no_gap():
    assert didi([1, 0, 1], sensitive_features=None) == 0
    assert dtdi([[1], [2], [3]], [1, 0, 1], sensitive_features=None, n_neighbors=2) == 0


def test_dtdi_is_a_plain_float():
    value = dtdi([[0], [1]], [0, 1], sensitive_features=["a", "b"], n_neighbors=2)
    assert type(value) is float
    assert value == pytest.approx(4.0)


def test_missing_values_in_features_and_groups_are_kept():
    X = pd.DataFrame({"u": [1.0, None, 3.0, 4.0], "v": ["a", None, "a", "b"], "w": [True, False, True, None]})
    result = dtdi_details(X, [1, 0, 1, 0], sensitive_features=["f", None, "f", "m"], n_neighbors=2)
    assert result.cells == (("f",), ("m",), ("missing",))
    assert didi(["p", "q", "p"], sensitive_features=[None, "f", "m"]) > 0


def test_categories_nullable_numbers_and_constants_are_read():
    X = pd.DataFrame(
        {
            "category": pd.Categorical(["a", "b", "a"]),
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "same": [5.0, 5.0, 5.0],
        }
    )
    assert dtdi(X, [1, 0, 1], sensitive_features=["f", "m", "m"], n_neighbors=2) >= 0


def test_five_thousand_rows_take_under_two_seconds():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(5000, 12))).rename(columns=str)
    X = X.assign(job=rng.integers(0, 12, 5000).astype(str), area=rng.integers(0, 8, 5000).astype(str), paid=X["0"] > 0)
    y, groups = rng.integers(0, 2, 5000), rng.integers(0, 4, 5000)
    best = min(_seconds(lambda: dtdi(X, y, sensitive_features=groups)) for _ in range(3))
    assert best < 2


def test_five_thousand_rows_of_few_patterns_are_merged():
    rng = np.random.default_rng(2)
    X, y, groups = rng.integers(0, 2, size=(5000, 7)), rng.integers(0, 2, 5000), rng.integers(0, 2, 5000)
    assert dtdi_details(X, y, sensitive_features=groups).n_without_neighbors == (0, 0)
    assert _seconds(lambda: dtdi(X, y, sensitive_features=groups)) < 2


@pytest.mark.parametrize("k", [0, 4, True, 2.0, None])
def test_neighbors_out_of_range_are_refused(k):
    with pytest.raises(InputError, match="'n_neighbors' must be an int from 1"):
        dtdi([[0], [1], [2]], [1, 0, 1], sensitive_features=None, n_neighbors=k)


def test_bad_input_is_refused_with_counts():
    with pytest.raises(InputError, match="1 missing in 2 rows"):
        didi([1, None], sensitive_features=None)
    with pytest.raises(InputError, match="at least one row"):
        didi([], sensitive_features=None)
    with pytest.raises(InputError, match="'classification', 'regression'"):
        didi([1], sensitive_features=None, task="ranking")
    with pytest.raises(InputError, match="finite numbers"):
        didi(["a"], sensitive_features=None, task="regression")
    with pytest.raises(InputError, match="must have 1 rows like 'y', got 2"):
        dtdi([[0], [1]], [1], sensitive_features=None, n_neighbors=1)
    with pytest.raises(InputError, match="two dimensions, got 1"):
        dtdi([0], [1], sensitive_features=None, n_neighbors=1)
    with pytest.raises(InputError, match="infinite"):
        dtdi([[np.inf]], [1], sensitive_features=None, n_neighbors=1)


def test_columns_and_labels_with_too_many_values_are_refused():
    names = [f"person {i}" for i in range(1001)]
    with pytest.raises(InputError, match="at most 1,000 different values, column 'name' has 1,001"):
        dtdi(pd.DataFrame({"name": names}), [0] * 1001, sensitive_features=None)
    with pytest.raises(InputError, match="task='regression'"):
        didi(names, sensitive_features=None)


def _seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
