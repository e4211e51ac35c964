"""What figure 14 of the paper says of its own setting, on its own data."""

from __future__ import annotations

import statistics
import warnings

import pytest
from sklearn.exceptions import ConvergenceWarning

from benchmarks.luskin_data import compas
from benchmarks.luskin_equalized import measure


@pytest.mark.thorough
def test_accuracy_saturates_at_a_fifth_with_a_narrow_smoothing_and_gaps_shrink_with_the_usual_one_only():
    data = compas()
    if data is None:
        pytest.skip("the rows of COMPAS are not beside the project")
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for smoothing in (0.005, 0.02):
            runs = [measure(data, seed, 20, (0.2,), smoothing)[-1] for seed in range(3)]
            names = ("accuracy_lost", "tpr_gap")
            found[smoothing] = [statistics.median(run[name] for run in runs) for name in names]
    (lost, gap), (lost_usual, gap_usual) = found[0.005], found[0.02]
    assert lost < 0.015 < 0.05 < lost_usual
    assert gap_usual < 0.1 < gap
