"""How weights of rows are read, and that tables are prepared by them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from fairaudit.errors import InputError
from fairaudit.estimators.base import TablePreparation, weighted_median
from fairaudit.estimators.common_cut import as_counts
from fairaudit.estimators.weights import RowWeights

X = np.arange(4.0)[:, None]


@pytest.mark.parametrize(
    ("weights", "named"),
    [
        (["a", "b", "c", "d"], "another kind"),
        ([1, 2, 3], r"4 rows.*\(3,\)"),
        (np.ones((4, 2)), r"4 rows.*\(4, 2\)"),
        ([1, np.nan, np.inf, 1], "finite.* 2 "),
        ([1, -1, -2, 1], "0 or more.* 2 "),
        (np.zeros(4), "above zero.* 4 "),
    ],
)
def test_weights_that_break_a_rule_are_refused_with_what_is_wrong(weights, named):
    with pytest.raises(InputError, match=f"^'sample_weight' must .*{named}"):
        RowWeights.read(weights, X)


def test_rows_of_weight_zero_are_left_out_of_whatever_was_given_for_each_row():
    weights = RowWeights.read([2, 0, 0.5, 1], X)
    assert weights.values.tolist() == pytest.approx([12 / 7, 3 / 7, 6 / 7])
    assert weights.keep("X", X).ravel().tolist() == [0.0, 2.0, 3.0]
    assert weights.keep("y", list("abcd")) == list("acd")
    assert weights.keep("groups", pd.Series(list("abcd"), index=[9, 9, 8, 8])).tolist() == list("acd")
    assert weights.keep("groups", pl.DataFrame({"g": list("abcd")}))["g"].tolist() == list("acd")
    assert weights.keep("groups", None) is None
    assert weights.given(np.array([0, 1])).tolist() == [0, 2]
    with pytest.raises(InputError, match="'groups' must have 4 rows, as 'X' has, got 3"):
        weights.keep("groups", list("acd"))


def test_weights_of_one_are_no_weights():
    assert RowWeights.read(np.ones(4), X).values is None
    assert RowWeights.read(None, X).values is None
    assert RowWeights.read([1, 0, 1, 1], X).values is None


def test_whole_weights_count_rows_and_of_others_the_proportions_count():
    assert RowWeights.read([2, 4, 0, 2], X).values.tolist() == [2.0, 4.0, 2.0]
    one, other = (RowWeights.read(by * np.array([0.5, 1.0, 0.0, 2.5]), X).values for by in (1, 1000.3))
    assert one.sum() == pytest.approx(3) and one.tolist() == pytest.approx(other.tolist())
    assert RowWeights.read(np.full(4, 0.1), X).values is None


def test_whole_weights_are_counted_exactly():
    assert as_counts(np.array([2.0, 3.0])).tolist() == [2, 3]
    assert as_counts(np.array([2.0, 3.5])).dtype == np.float64


def table(seed, n=60):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "few": np.where(random.random(n) < 0.2, np.nan, random.integers(0, 9, n)),
            "many": random.normal(size=n),
            "none": np.full(n, np.nan),
            "area": random.choice(list("abcdefgh"), n),
            "kind": random.choice(["x", "y", None], n, p=[0.5, 0.45, 0.05]),
        }
    ), random.integers(0, 5, n)


@pytest.mark.parametrize("n_components", [None, 3])
@pytest.mark.parametrize("seed", range(5))
def test_a_table_with_whole_weights_is_prepared_as_its_rows_written_out(seed, n_components):
    frame, weights = table(seed)
    settings = {"min_level_count": 10, "n_components": n_components}
    weighted = TablePreparation(**settings).fit(frame, sample_weight=weights)
    written = TablePreparation(**settings).fit(frame.loc[frame.index.repeat(weights)])
    assert weighted.get_feature_names_out().tolist() == written.get_feature_names_out().tolist()
    np.testing.assert_allclose(weighted.transform(frame), written.transform(frame), atol=1e-9)
    assert np.isfinite(weighted.transform(frame)).all()


def test_a_constant_factor_of_weights_does_not_change_a_prepared_table():
    frame, weights = table(0)
    one, other = (TablePreparation(min_level_count=10).fit(frame, sample_weight=by * weights) for by in (0.37, 3.7))
    np.testing.assert_allclose(one.transform(frame), other.transform(frame), atol=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_the_weighted_median_is_that_of_the_rows_written_out(seed):
    random = np.random.default_rng(seed)
    values, weights = random.integers(0, 6, 9).astype(float), random.integers(1, 4, 9)
    assert weighted_median(values, weights.astype(float)) == np.median(values.repeat(weights))
