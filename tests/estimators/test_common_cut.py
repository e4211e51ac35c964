"""Every cut of a score beside brute force: predictions at each threshold, counted row by row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.errors import InputError
from fairaudit.estimators.common_cut import METRICS, CommonCuts


def brute(metric, y, h):
    of, among = {
        "accuracy": (h == y, np.ones(len(y), bool)),
        "error_rate": (h != y, np.ones(len(y), bool)),
        "demographic_parity": (h == 1, np.ones(len(y), bool)),
        "selection_rate": (h == 1, np.ones(len(y), bool)),
        "tpr": (h == 1, y == 1),
        "fpr": (h == 1, y == 0),
        "fnr": (h == 0, y == 1),
        "for_": (y == 1, h == 0),
        "fdr": (y == 0, h == 1),
    }[metric]
    return of[among].mean() if among.any() else np.nan


rows = st.lists(
    st.tuples(st.sampled_from([-1.5, 0.0, 0.25, 0.5, 0.5 + 2**-53, 1.0, 3.0, 1e300, -1e300]), st.integers(0, 1),
              st.booleans(), st.booleans()),
    max_size=14,
)  # fmt: skip


@given(rows)
def test_all_rates_of_all_cuts_match_brute_force(rows):
    scores, y, first, second = (np.array([row[i] for row in rows]) for i in range(4))
    y, groups = y.astype(np.int64), [first.astype(bool), second.astype(bool)]
    cuts = CommonCuts.of(scores, y)
    assert cuts.n_cuts == len(np.unique(scores)) + 1
    counts = [cuts.counts(group) for group in groups]
    values = np.arange(len(y)) - 3.5
    for cut, threshold in enumerate(cuts.thresholds):
        h = (scores >= threshold).astype(np.int64)
        assert np.array_equal(cuts.first_cut <= cut, h)
        for metric in METRICS:
            for g, group in enumerate(groups):
                assert counts[g].rate(metric)[cut] == pytest.approx(brute(metric, y[group], h[group]), nan_ok=True)
            assert cuts.everybody.rate(metric)[cut] == pytest.approx(brute(metric, y, h), nan_ok=True)
        members = np.flatnonzero(groups[0])
        assert cuts.sums(values[members], members)[cut] == pytest.approx(values[members] @ h[members])


def test_a_group_may_be_given_by_its_rows_or_by_a_mask():
    scores, y = np.array([0.1, 0.9, 0.4, 0.4]), np.array([0, 1, 1, 0])
    cuts = CommonCuts.of(scores, y)
    mask = np.array([True, False, True, True])
    assert np.array_equal(cuts.counts(mask).rate("fpr"), cuts.counts(np.flatnonzero(mask)).rate("fpr"), equal_nan=True)


def test_thresholds_lie_midway_between_scores_and_end_in_nobody_and_everybody():
    cuts = CommonCuts.of(np.array([0.2, 0.8, 0.4, 0.4]), np.array([0, 1, 0, 1]))
    assert cuts.thresholds == pytest.approx([np.inf, 0.6, 0.3, -np.inf])
    assert cuts.first_cut.min() == 1 and cuts.first_cut.max() == cuts.n_cuts - 1


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_scores_that_are_no_numbers_are_refused(bad):
    with pytest.raises(InputError, match="finite"):
        CommonCuts.of(np.array([0.2, bad]), np.array([0, 1]))


def test_a_metric_that_is_not_known_is_refused():
    with pytest.raises(InputError, match="must be one of"):
        CommonCuts.of(np.array([0.2, 0.3]), np.array([0, 1])).everybody.rate("auc")
