from __future__ import annotations

import numpy as np
import pytest

from fairaudit.estimators.relabeling import LARGEST_LOG_RATIO, GapReweighing


class Decides:
    """A model that decides as it is asked to."""

    def __init__(self, decisions):
        self.decisions = np.asarray(decisions, dtype=float)

    def predict_proba(self, X):
        assert len(X) == len(self.decisions)
        return np.c_[1 - self.decisions, self.decisions]


def reweighing(step=2.0, labels=(1, 0, 0, 1, 0), moved=(1, 1, 1, 0, 0)):
    watched = np.array([True, True, False, False])
    return GapReweighing(
        np.zeros((4, 1)), watched, labels=np.array(labels), moved=np.array(moved, dtype=bool), step=step
    )


def test_a_group_that_is_left_behind_gets_heavier_ones():
    reweigh = reweighing(step=2.0)
    weights = reweigh(Decides([1, 0, 1, 1]))  # 1/2 against 1: a gap of -1/2
    assert reweigh.log_ratio == pytest.approx(1.0)
    assert weights[0] / weights[1] == pytest.approx(np.e)
    assert weights[:3].sum() == pytest.approx(3)
    assert (weights[3:] == 1).all()
    assert reweigh.gap == -0.5 and reweigh.ratio == 1


def test_a_group_that_is_ahead_gets_heavier_zeros():
    weights = reweighing()(Decides([1, 1, 0, 1]))
    assert weights[0] < 1 < weights[1] == weights[2]


def test_the_ratio_adds_up_over_the_rounds_and_stands_still_without_a_gap():
    reweigh = reweighing(step=0.5)
    first = reweigh(Decides([0, 0, 1, 1]))
    second = reweigh(Decides([0, 0, 1, 1]))
    assert reweigh.log_ratio == pytest.approx(1.0)
    assert second[0] > first[0]
    assert reweigh.ratio == pytest.approx(first[0] / first[1])
    assert (reweigh(Decides([1, 0, 0, 1])) == second).all()


def test_the_watched_rows_are_prepared_as_those_of_the_model():
    reweigh = reweighing()
    reweigh.prepare(lambda table: table + 7)
    assert (reweigh.table == 7).all()


def test_the_ratio_has_a_limit():
    reweigh = reweighing(step=100.0)
    weights = reweigh(Decides([0, 0, 1, 1]))
    assert reweigh.log_ratio == LARGEST_LOG_RATIO
    assert weights[0] / weights[1] == pytest.approx(np.exp(LARGEST_LOG_RATIO))


@pytest.mark.parametrize("labels", [(0, 0, 0, 1, 0), (1, 1, 1, 1, 0)])
def test_one_label_in_the_group_cannot_be_weighed(labels):
    reweigh = reweighing(labels=labels)
    assert reweigh(Decides([1, 0, 1, 1])) is None
    assert reweigh.gap == -0.5 and reweigh.ratio == 1
