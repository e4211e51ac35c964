"""DTDI as linear forms is DTDI, with ties, equal rows and groups without neighbours."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.errors import InputError
from fairaudit.estimators.trees.measures import dtdi_measure
from fairaudit.estimators.trees.problem import TreeRows
from fairaudit.measure import dtdi_details
from fairaudit.measure.grouping import group_rows


def table(seed: int, n: int = 60, n_groups: int = 2):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "number": np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 4, n)),
            "amount": rng.integers(0, 3, n) * 0.5,
            "level": rng.choice(["x", "y", "z"], n),
        }
    )
    groups = group_rows(rng.choice(list("abcd")[:n_groups], n, p=[0.9, *[0.1 / (n_groups - 1)] * (n_groups - 1)]), n)
    holds = np.column_stack([X.number.to_numpy() <= 1, X.amount.to_numpy() <= 0.5, X.level.to_numpy() == "x"])
    targets = rng.integers(0, 2, n).astype(float)
    rows = TreeRows.merge(holds, groups.codes, targets, [str(label) for label in groups.labels])
    return X, groups, rows, rng


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("seed", range(6))
def test_measure_is_the_index_of_the_predictions(task, seed):
    X, groups, rows, rng = table(seed, n_groups=2 + seed % 3)
    k = (1, 3, 10)[seed % 3]
    measure = dtdi_measure(rows, X, groups.codes, groups.n_groups, k, task)
    names = np.array(rows.group_names)[groups.codes]
    for _ in range(5):
        h = rng.integers(0, 2, rows.n_cells).astype(float) if task == "classification" else rng.random(rows.n_cells)
        expected = dtdi_details(X, h[rows.cells], sensitive_features=names, n_neighbors=k, task=task)
        assert measure.value(h) == pytest.approx(expected.normalized, abs=1e-12), (seed, task, k)
    assert measure.n_without_neighbors == expected.n_without_neighbors


def test_rows_alone_in_their_group_are_counted_and_contribute_nothing():
    X, groups = np.array([[0.0], [0.0], [9.0]]), np.array([0, 1, 0])
    rows = TreeRows.merge(np.eye(3, dtype=bool), groups, np.zeros(3), ["a", "b"])
    measure = dtdi_measure(rows, X, groups, 2, 1, "regression")
    assert measure.n_without_neighbors == (0, 1)
    h = np.zeros(3)
    h[rows.cells[2]] = 7.0
    assert measure.value(h) == 0.0


def test_two_groups_need_one_form_for_rows_of_equal_features():
    X, groups, rows, _ = table(3)
    measure = dtdi_measure(rows, X, groups.codes, 2, 5, "classification")
    assert 0 < measure.forms.shape[0] <= len(X.drop_duplicates())


def test_neighbours_must_be_among_the_rows():
    X, groups, rows, _ = table(1)
    with pytest.raises(InputError, match="'n_neighbors' must be an int from 1"):
        dtdi_measure(rows, X, groups.codes, 2, 61, "regression")
    with pytest.raises(InputError, match="'grouping_codes' must have 60 rows"):
        dtdi_measure(rows, X, groups.codes[:-1], 2, 5, "regression")
