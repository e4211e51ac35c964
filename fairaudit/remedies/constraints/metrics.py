"""Group metrics as sums over rows: f(h, g) = sum of c_i [h_i = y_i] over the rows i of g, plus c_0.

With n rows in the group, n0 and n1 of label 0 and 1, and predictions h:

=================  ==================  ==================  ============================
metric             c_i where y_i = 0   c_i where y_i = 1   c_0
=================  ==================  ==================  ============================
mr                 1 / n               1 / n               0
sp                 -1 / n              1 / n               n0 / n
fpr                -1 / n0             0                   1
fnr                0                   -1 / n1             1
for                -1 / #{h = 0}       0                   1
fdr                0                   -1 / #{h = 1}       1
aec(C_fp, C_fn)    -C_fp / n           -C_fn / n           (C_fp n0 + C_fn n1) / n
=================  ==================  ==================  ============================

``mr`` is the accuracy; groups that are alike in it are alike in their misclassification rates.

References
----------
omnifair.txt, section 5.1 and appendix A; the table restores its minus signs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import InputError, quote

Coefficients = tuple[NDArray[np.float64], float]
"""c_i of each row of a group, and c_0."""


@dataclass(frozen=True)
class Metric:
    """A group metric that is linear in which rows are predicted right. Two are equal when their names are.

    Parameters
    ----------
    name : str
        As in a constraint: "fpr", "aec(1, 5)".
    words : str
        In plain English, to stand after "the same".
    coefficients : callable
        From the labels of a group, ndarray of int, shape (n,), and the predictions for them, of the same shape or None
        where `needs_predictions` is false, to c_i, ndarray of float, shape (n,), and c_0. NaN where it is undefined.
    needs_predictions : bool
        Whether the coefficients depend on the predictions.
    """

    name: str
    words: str = field(compare=False)
    coefficients: Callable[[NDArray[np.int64], NDArray[np.int64] | None], Coefficients] = field(
        compare=False, repr=False
    )
    needs_predictions: bool = field(default=False, compare=False)

    def value(self, y: NDArray[np.int64], h: NDArray[np.int64]) -> float:
        """Return the metric of one group.

        Parameters
        ----------
        y, h : ndarray of int, shape (n,)
            Labels and predictions, 0 or 1.

        Returns
        -------
        float
            f(h, g); NaN where it is undefined.
        """
        c, c_0 = self.coefficients(y, h)
        return float(c[h == y].sum() + c_0)


def _by_label(rule: Callable[[int, int], tuple[float, float, float]]) -> Callable[..., Coefficients]:
    """Make coefficients of a rule that takes n0 and n1 and gives c_i for label 0, c_i for label 1 and c_0."""

    def coefficients(y: NDArray[np.int64], h: NDArray[np.int64] | None) -> Coefficients:
        n1 = int(y.sum())
        c_of_0, c_of_1, c_0 = rule(len(y) - n1, n1)
        return np.where(y == 1, c_of_1, c_of_0), c_0

    return coefficients


def _among_predicted(value: int) -> Callable[..., Coefficients]:
    """Make the coefficients of 1 minus the share of right rows among those predicted to have a value."""

    def coefficients(y: NDArray[np.int64], h: NDArray[np.int64] | None) -> Coefficients:
        c = -_over(int((h == value).sum()))
        return np.where(y == value, c, 0.0), 1.0 if math.isfinite(c) else math.nan

    return coefficients


def _over(n: int) -> float:
    return 1 / n if n else math.nan


def _one(n: int) -> float:
    return 1.0 if n else math.nan


def _cost(c_fp: float, c_fn: float) -> Callable[[int, int], tuple[float, float, float]]:
    def rule(n0: int, n1: int) -> tuple[float, float, float]:
        share = _over(n0 + n1)
        return -c_fp * share, -c_fn * share, (c_fp * n0 + c_fn * n1) * share

    return rule


METRICS = {
    "mr": Metric("mr", "misclassification rate", _by_label(lambda n0, n1: (_over(n0 + n1), _over(n0 + n1), 0.0))),
    "sp": Metric(
        "sp",
        "share of positive predictions",
        _by_label(lambda n0, n1: (-_over(n0 + n1), _over(n0 + n1), n0 * _over(n0 + n1))),
    ),
    "fpr": Metric("fpr", "false positive rate", _by_label(lambda n0, n1: (-_over(n0), 0.0, _one(n0)))),
    "fnr": Metric("fnr", "false negative rate", _by_label(lambda n0, n1: (0.0, -_over(n1), _one(n1)))),
    "for": Metric("for", "false omission rate", _among_predicted(0), needs_predictions=True),
    "fdr": Metric("fdr", "false discovery rate", _among_predicted(1), needs_predictions=True),
}
"""The metrics that have a name of their own."""

PAIRS = {"equalized_odds": ("fpr", "fnr"), "predictive_parity": ("for", "fdr")}
"""Names that stand for two metrics, each of which must be alike."""

_AEC = re.compile(r"\s*aec\s*\(\s*(?P<fp>[^,()\s]+)\s*,\s*(?P<fn>[^,()\s]+)\s*\)\s*", re.IGNORECASE)


def aec(c_fp: float, c_fn: float) -> Metric:
    """Return the average error cost: what errors cost in a group, divided by its rows.

    Parameters
    ----------
    c_fp, c_fn : float
        What a false positive and a false negative cost: 0 or more, and not both 0.

    Returns
    -------
    Metric
        The metric.

    Raises
    ------
    InputError
        If a cost is negative or no number, or both are 0.

    Examples
    --------
    >>> y, h = np.array([0, 0, 1, 1]), np.array([1, 0, 0, 0])
    >>> aec(1, 5).value(y, h)
    2.75
    """
    costs = (c_fp, c_fn)
    if any(isinstance(c, bool) or not isinstance(c, int | float) or not 0 <= c < math.inf for c in costs) or not any(
        costs
    ):
        raise InputError(
            f"The costs in 'aec' must be numbers of at least 0, and not both 0, got {c_fp!r} and {c_fn!r}.",
            hint="Write aec(1, 5) where a false negative costs five times as much as a false positive.",
        )
    return Metric(
        f"aec({c_fp:g}, {c_fn:g})",
        f"average cost of errors (a false positive costs {c_fp:g}, a false negative {c_fn:g})",
        _by_label(_cost(c_fp, c_fn)),
    )


def find_metric(metric: str | Metric) -> Metric:
    """Return a metric by its name.

    Parameters
    ----------
    metric : str or Metric
        A key of `METRICS`, or such as "aec(1, 5)"; a metric is returned as it is.

    Returns
    -------
    Metric
        The metric.

    Raises
    ------
    InputError
        If there is no such metric.
    """
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str):
        raise InputError(f"'metric' must be a name or a Metric, got {type(metric).__name__}.")
    name = metric.strip().lower()
    if name in METRICS:
        return METRICS[name]
    if found := _AEC.fullmatch(metric):
        try:
            costs = float(found["fp"]), float(found["fn"])
        except ValueError:
            raise InputError(f"The costs in {quote(metric)} must be numbers.", hint="Write aec(1, 5).") from None
        return aec(*costs)
    if name in PAIRS:
        raise InputError(
            f"{quote(metric)} stands for two metrics, {' and '.join(PAIRS[name])}, and one is needed here.",
            hint=f"Call {name}(groups, max_difference), or give both metrics.",
        )
    known = [*METRICS, "aec(1, 1)"]
    raise InputError(f"There is no metric {quote(metric)}.", hint=f"There are: {', '.join(known)}.")
