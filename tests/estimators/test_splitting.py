from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.errors import InputError
from fairaudit.estimators.base import divide, split_rows

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
