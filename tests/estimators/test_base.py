"""Tables are prepared, rows divided, and the progress of stages is that of the whole."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit.errors import InputError
from fairaudit.estimators.base import TOTAL, TablePreparation, divide, iter_stage, split_rows
from fairaudit.estimators.rules.problem import Problem, RuleRows
from fairaudit.events import Progress


@parametrize_with_checks([TablePreparation()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def prepared(table, new=None, **parameters):
    """Fit to a table and return the numbers of another one by the name of their column."""
    model = TablePreparation(**{"min_level_count": 1, **parameters}).fit(table)
    values = model.transform(table if new is None else new)
    assert values.dtype == np.float64 and np.isfinite(values).all()
    return pd.DataFrame(values, columns=model.get_feature_names_out())


def test_numbers_get_mean_zero_and_spread_one():
    found = prepared(pd.DataFrame({"age": [20, 40, 60], "same": [7, 7, 7]}))
    assert found["numbers__age"].to_numpy() == pytest.approx([-np.sqrt(1.5), 0, np.sqrt(1.5)])
    assert (found["numbers__same"] == 0).all()


def test_a_missing_number_becomes_the_median_and_is_marked():
    found = prepared(pd.DataFrame({"age": [1.0, 2.0, None, 9.0]}))
    assert found.shape == (4, 2)
    assert found.iloc[2, 0] == found.iloc[1, 0]
    assert found.iloc[:, 1].rank().tolist() == [2, 2, 4, 2]


def test_a_column_without_any_value_is_taken():
    assert prepared(pd.DataFrame({"none": [np.nan, np.nan], "x": [1.0, 2.0]})).shape[0] == 2
    assert prepared(pd.DataFrame({"none": [None, None], "x": [1.0, 2.0]})).shape[0] == 2


def test_rare_values_are_folded_and_unseen_ones_join_them():
    table = pd.DataFrame({"area": ["a"] * 5 + ["b"] * 5 + ["c", "d"]})
    found = prepared(table, pd.DataFrame({"area": ["a", "c", "never seen"]}), min_level_count=3)
    assert found.shape[1] == 3
    assert found.iloc[1].tolist() == found.iloc[2].tolist() != found.iloc[0].tolist()
    assert found.iloc[1].sum() == 1


def test_an_unseen_value_is_all_zeros_where_nothing_is_rare():
    found = prepared(pd.DataFrame({"area": ["a", "b"]}), pd.DataFrame({"area": ["new", None]}))
    assert (found == 0).all(axis=None)


@pytest.mark.parametrize(
    "values",
    [[True, False, None, True], ["x", "y", None, "x"], pd.Categorical(["x", "y", None, "x"]),
     pd.array([True, False, None, True], dtype="boolean"), pd.array(["x", "y", None, "x"], dtype="string"),
     pd.to_datetime(["2020-01-01", "2020-01-02", None, "2020-01-01"]), [1, "y", None, 1]],
)  # fmt: skip
def test_values_that_are_no_amounts_get_a_column_each_and_so_does_a_missing_one(values):
    found = prepared(pd.DataFrame({"kind": values}))
    assert found.shape == (4, 3)
    assert (found.sum(axis=1) == 1).all()
    assert found.iloc[0].tolist() == found.iloc[3].tolist()


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "float32", "int8"])
def test_numbers_of_every_kind_are_amounts(dtype):
    values = [1, 2, None, 4] if dtype[0] in "IF" else [1, 2, 3, 4]
    assert prepared(pd.DataFrame({"x": pd.array(values, dtype=dtype)})).columns[0] == "numbers__x"


def test_the_index_and_names_that_are_no_text_do_not_matter():
    table = pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": ["x", "y", "x"]})
    other = table.set_axis(["q", "q", "r"], axis=0)
    assert (prepared(table) == prepared(other)).all(axis=None)
    assert prepared(np.array([[1.0, 2.0], [3.0, 4.0]])).shape == (2, 2)
    assert prepared(table.set_axis([0, 1], axis=1)).shape == (3, 3)


def test_components_are_as_many_as_asked_or_as_there_can_be():
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 6)))
    assert prepared(table, n_components=4).shape == (30, 4)
    assert prepared(table, n_components=40).shape == (30, 6)
    assert prepared(table.iloc[:3], n_components=40).shape == (3, 3)


def test_bad_tables_are_named():
    with pytest.raises(InputError, match="infinite number in the column 'x'"):
        TablePreparation().fit(pd.DataFrame({"x": [1.0, np.inf]}))
    with pytest.raises(InputError, match="two columns called 'x'"):
        TablePreparation().fit(pd.DataFrame([[1, 2]], columns=["x", "x"]))
    with pytest.raises(InputError, match="at least one row and one column"):
        TablePreparation().fit(pd.DataFrame({"x": []}))


def test_numbers_too_large_to_square_stay_finite():
    found = prepared(pd.DataFrame({"x": [1e300, -1e308, 0.0, 1.7e308]}))
    assert found["numbers__x"].rank().tolist() == [3.5, 1, 2, 3.5]


def test_a_frame_and_an_array_of_the_same_numbers_give_the_same():
    table = pd.DataFrame({"a": [1.0, 2.0, None, 4.0], "b": [3.0, 3.0, 1.0, 0.0]})
    assert np.array_equal(prepared(table), prepared(table.to_numpy()))


def test_columns_in_another_order_or_missing_are_refused():
    table = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "c": [2.0, 1.0]})
    model = TablePreparation().fit(table)
    for other in (table[["c", "b", "a"]], table[["a", "b"]], table.assign(d=1)):
        with pytest.raises(ValueError, match="feature names should match"):
            model.transform(other)


def test_a_value_that_is_missing_only_later_becomes_the_median():
    table = pd.DataFrame({"a": [1.0, 2.0, 9.0], "b": ["x", "y", "x"]})
    found = prepared(table, pd.DataFrame({"a": [None, 2.0], "b": [None, "x"]}))
    assert found.loc[0, "numbers__a"] == found.loc[1, "numbers__a"]
    assert found.loc[0, ["categories__b_x", "categories__b_y"]].tolist() == [0, 0]


def test_what_is_prepared_depends_on_the_fitted_rows_only():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=60), "b": rng.choice(list("xyz"), 60)})
    model = TablePreparation(min_level_count=5, n_components=3).fit(table[:40])
    alone = np.vstack([model.transform(table.iloc[[i]]) for i in range(40, 60)])
    assert np.allclose(model.transform(table[40:]), alone)


STRATA = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=80)
SHARES = st.lists(st.integers(1, 9), min_size=1, max_size=5).map(lambda w: tuple(x / sum(w) for x in w))
SEED = st.integers(0, 2**32 - 1)


@given(STRATA, SHARES, SEED)
def test_each_row_is_in_one_part(strata, shares, seed):
    parts = divide(strata, shares, random_state=seed)
    assert len(parts) == len(shares)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(strata)))
    assert all((np.diff(part) > 0).all() for part in parts)


@given(STRATA, SHARES, SEED)
def test_each_stratum_has_its_shares_to_the_row(strata, shares, seed):
    strata = np.array(strata)
    for part, share in zip(divide(strata, shares, random_state=seed), shares, strict=True):
        for stratum in np.unique(strata):
            exact = share * (strata == stratum).sum()
            assert abs((strata[part] == stratum).sum() - exact) < 1 + 1e-6, stratum


@given(STRATA, SEED)
def test_the_same_seed_gives_the_same_parts(strata, seed):
    first, second = split_rows(strata, random_state=seed), split_rows(strata, random_state=seed)
    for part in ("train", "tune", "held_out", "learning"):
        assert np.array_equal(getattr(first, part), getattr(second, part))
    assert np.array_equal(first.learning, np.setdiff1d(np.arange(len(strata)), first.held_out))


@given(STRATA, SEED)
def test_parts_depend_on_which_rows_go_together_not_on_other_words_for_it(strata, seed):
    codes = [" abcd".index(s) for s in strata]
    first, second = split_rows(strata, random_state=seed), split_rows(codes, random_state=seed)
    assert np.array_equal(first.train, second.train) and np.array_equal(first.held_out, second.held_out)


def test_whole_shares_are_met_exactly():
    strata = np.repeat(["few", "many"], [10, 500])
    split = split_rows(strata, random_state=1)
    for stratum, n in (("few", 10), ("many", 500)):
        sizes = [(strata[part] == stratum).sum() for part in (split.train, split.tune, split.held_out)]
        assert sizes == [0.6 * n, 0.2 * n, 0.2 * n]


def test_another_seed_gives_other_rows():
    strata = np.zeros(200, dtype=int)
    assert not np.array_equal(split_rows(strata, random_state=0).held_out, split_rows(strata, random_state=1).held_out)


def test_every_row_is_held_out_as_often_as_any_other():
    strata = ["a"] * 7 + ["b"] * 3 + ["c"]
    times = np.zeros(len(strata))
    for seed in range(3000):
        times[split_rows(strata, random_state=seed).held_out] += 1
    assert times / 3000 == pytest.approx(np.full(len(strata), 0.2), abs=0.035)


@pytest.mark.parametrize("shares", [(0.5, 0.4), (1.2, -0.2), (1.0, 0.0)])
def test_shares_must_add_up(shares):
    with pytest.raises(InputError, match="add up to 1"):
        divide(["a"], shares)


def test_progress_of_a_stage_never_falls_and_stays_within_its_part():
    def stage():
        for done in (0, 5, 3, 12):
            yield Progress("a", done, 10)
        return "end"

    endings = []

    def whole():
        endings.append((yield from iter_stage(stage(), start=20, end=60)))

    steps = list(whole())
    assert [step.done for step in steps] == [20, 40, 40, 60] and {step.total for step in steps} == {TOTAL}
    assert endings == [("end", False)]


def test_bounds_are_whole_rows():
    nothing, one = np.zeros((2, 0), dtype=bool), np.zeros(2, dtype=np.int64)
    whole, weighted = (
        Problem(RuleRows.merge(nothing, one > 0, one, ["all"], row_weights=weights), 5)
        for weights in (None, np.array([0.7, 1.3]))
    )
    assert [whole.rounded_up(bound) for bound in (-1.0, 0.0, 3.0000001, 3.1, 4.0)] == [0, 0, 3, 4, 4]
    assert weighted.rounded_up(3.1) == pytest.approx(3.1, rel=1e-5) and weighted.rounded_up(3.1) < 3.1
