"""Accuracy alone leaves true and false positives open: all that fit are enumerated."""

from __future__ import annotations

import numpy as np
import pytest
import remedies_by_hand as by_hand

from fairaudit.disclosure.accuracy_alone import with_accuracy
from fairaudit.measure.results import Interval
from fairaudit.study.judging.results import Measured

MINIMUM, SPREAD = 6, 3


def model(*cells):
    """Return a model with these confusion tables (tp, fp, tn, fn) of both groups."""
    return by_hand.evaluation("model", cells, where=None)


def hidden(found):
    """Return a model of which no figure is seen."""
    measures = tuple(Measured(each.measure, None, Interval(None, None)) for each in found.measures)
    return by_hand.replace(found, measures=measures)


def shows(found, measure: str) -> bool:
    return found.measure(measure).value is not None


@pytest.mark.parametrize("seed", range(60))
def test_accuracy_beside_other_cuts_leaves_true_and_false_positives_open(seed):
    rng = np.random.default_rng(seed)
    good, bad = 40, 50
    # Cuts of one score: each says yes to all that the one before does.
    steps = rng.integers(0, rng.choice([3, 8, 15]), (3, 2))
    low, own, high = np.cumsum(steps, axis=0) + np.array([3, 4])
    totals = [(min(tp, good), min(fp, bad)) for tp, fp in (low, own, high)]
    models = [model((tp, fp, bad - fp, good - tp), (0, 0, 0, 0)) for tp, fp in totals]
    found = with_accuracy(models[1], hidden(models[1]), models, MINIMUM)
    tp, fp = totals[1]
    others = [each for each in (totals[0], totals[2]) if each != (tp, fp)]
    fits = [
        (one, one - tp + fp)
        for one in range(good + 1)
        if 0 <= one - tp + fp <= bad and all(_nested(other, (tp, fp), (one, one - tp + fp)) for other in others)
    ]
    assert not shows(found, "accuracy") or np.ptp(fits, axis=0).min() >= SPREAD
    assert not shows(found, "accuracy") or not shows(found, "balanced_accuracy")


def _nested(other, true, fitting) -> bool:
    """Say whether a cut stays on the side of another one that it truly is on."""
    sign = 1 if other[0] >= true[0] and other[1] >= true[1] else -1
    return all(sign * (theirs - own) >= 0 for theirs, own in zip(other, fitting, strict=True))
