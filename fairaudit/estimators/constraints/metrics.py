"""Group metrics as sums over rows: f(h, g) = sum of c_i [h_i = y_i] over the rows i of g, plus c_0.

With n rows in the group, n0 and n1 of label 0 and 1, and predictions h:

================== ==================  ==================  ============================
metric             c_i where y_i = 0   c_i where y_i = 1   c_0
================== ==================  ==================  ============================
error_rate         -1 / n              -1 / n              1
demographic_parity -1 / n              1 / n               n0 / n
fpr                -1 / n0             0                   1
fnr                0                   -1 / n1             1
for_               -1 / #{h = 0}       0                   1
fdr                0                   -1 / #{h = 1}       1
aec(C_fp, C_fn)    -C_fp / n           -C_fn / n           (C_fp n0 + C_fn n1) / n
errors(a, b)       -a / n0             -b / n1             a + b
================== ==================  ==================  ============================

References
----------
Zhang, Chu, Asudeh and Navathe (2021), "OmniFair", section 5.1 and appendix A. They express ``error_rate`` by the
accuracy (eq. 25), whose differences between groups have the same size and the other sign. ``errors`` is a metric of a
user's own as they describe it: any that depends on labels and right rows in this way is one of it, of ``aec`` or of
their sum.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.errors import InputError, quote
from fairaudit.measure.comparison import is_number
from fairaudit.measure.vocabulary import RATES, hint_on, read_word

# Groups that a constraint compares: the values of columns, or named conditions.

_COMPARISON = re.compile(r"[<>=]|\b(?:is|in|like|between|not)\b[\s(]", re.IGNORECASE)
"""What a text has that is a condition and not the name of a column."""

_PLAIN = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Columns:
    """Groups that are the values of one column, or the crossed values of several. Rows without a value are in none."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return ", ".join(name if _PLAIN.fullmatch(name) else _quoted(name) for name in self.names)

    def __post_init__(self) -> None:
        if not self.names or any(not isinstance(name, str) or not name for name in self.names):
            raise InputError("'groups' must name at least one column.", hint="Write the name of a column, such as sex.")
        if len(set(self.names)) < len(self.names):
            raise InputError(f"'groups' names a column twice: {', '.join(map(quote, self.names))}.")


@dataclass(frozen=True)
class Conditions:
    """Groups that are named conditions on a row. They may overlap, and need not cover all rows."""

    # What each group is called, and its condition. Names differ.
    named: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        parts = [_quoted(text) + ("" if name == text else f" as {_quoted(name)}") for name, text in self.named]
        return f"[{', '.join(parts)}]"

    def __post_init__(self) -> None:
        if not all(isinstance(part, str) and part.strip() for pair in self.named for part in pair):
            raise InputError("'groups' has an empty condition or name.", hint="Write one such as age < 25, or drop it.")
        names = [name for name, _ in self.named]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"'groups' has two groups named {quote(twice)}.", hint="Give each a name of its own.")
        if len(names) < 2:
            raise InputError(
                f"'groups' must hold at least two conditions, got {len(names)}.",
                hint="Add the group to compare with, such as NOT (age < 25).",
            )


GroupsOf = Columns | Conditions | str | Sequence[str] | Mapping[str, str]
"""A column, several, or conditions."""


def read_groups(groups: GroupsOf) -> Columns | Conditions:
    """Read groups that are given as a column, columns or conditions."""
    if isinstance(groups, Columns | Conditions):
        return groups
    if isinstance(groups, str):
        return Columns((str(groups),))
    if isinstance(groups, Mapping):
        return Conditions(tuple((_text(name), _text(condition)) for name, condition in groups.items()))
    # A set has no order, and the order of groups is the sign of a gap.
    if isinstance(groups, AbstractSet | bytes) or not isinstance(groups, Iterable):
        raise InputError(
            f"'groups' must be a column, columns or conditions, got {type(groups).__name__}.",
            hint="Write 'sex', or ['race', 'sex'], or {'young': 'age < 25', 'old': 'age >= 60'}.",
        )
    items = [_text(item) for item in groups]
    are_conditions = [bool(_COMPARISON.search(item)) for item in items]
    if items and all(are_conditions):
        return Conditions(tuple((item, item) for item in items))
    if any(are_conditions):
        raise InputError(
            f"'groups' mixes columns and conditions: {', '.join(map(quote, items))}.",
            hint="Give columns only, or conditions only. In a mapping of names to conditions, all are conditions.",
        )
    return Columns(tuple(items))


def _text(item: object) -> str:
    if not isinstance(item, str | Condition):
        raise InputError(f"'groups' must hold names of columns or conditions, as texts, got {type(item).__name__}.")
    return str(item)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


Coefficients = tuple[NDArray[np.float64], float]
"""c_i of each row of a group, and c_0."""

RowCounts = NDArray[np.float64] | None
"""How much each row counts; None where each counts once."""


@dataclass(frozen=True)
class Metric:
    """A group metric that is linear in which rows are predicted right. Two are equal when their names are."""

    # As in a constraint: "fpr", "aec(1, 5)".
    name: str
    # In plain English, to stand after "the same".
    words: str = field(compare=False)
    # From the labels of a group, ndarray of int, shape (n,), and the predictions for them, of the same shape or None
    # where `needs_predictions` is false, to c_i, ndarray of float, shape (n,), and c_0. NaN where it is undefined.
    # Where `takes_weights`, a third argument says how much each row counts: weights of shape (n,), or None.
    coefficients: Callable[..., Coefficients] = field(compare=False, repr=False)
    # Whether the coefficients depend on the predictions.
    needs_predictions: bool = field(default=False, compare=False)
    # Whether c_0 is the same for all groups, so that it cancels in their gaps.
    same_level: bool = field(default=False, compare=False)
    # Whether its function takes weights of rows.
    takes_weights: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip() or not callable(self.coefficients):
            raise InputError("A Metric must have a name and a function that gives its coefficients.")

    def value(self, y: NDArray[np.int64], h: NDArray[np.int64], weights: RowCounts = None) -> float:
        """Return the metric of one group. Shapes: `y` (n,), `h` (n,), `weights` (n,)."""
        c, c_0 = self.terms(y, h, weights)
        return float(c[h == y].sum() + c_0)

    def relative_value(self, y: NDArray[np.int64], h: NDArray[np.int64], weights: RowCounts = None) -> float:
        """Return the metric of one group without what cancels in a gap, as it would only add rounding.

        Shapes: `y` (n,), `h` (n,), `weights` (n,).
        """
        c, c_0 = self.terms(y, h, weights)
        return float(c[h == y].sum() + (0.0 * c_0 if self.same_level else c_0))

    def terms(self, y: NDArray[np.int64], h: NDArray[np.int64] | None, weights: RowCounts = None) -> Coefficients:
        """Return the coefficients, which may come from a function that somebody else wrote.

        Shapes: `y` (n,), `h` (n,), `weights` (n,); returns `c` (n,).
        """
        if weights is not None and not self.takes_weights:
            raise InputError(
                f"'sample_weight' cannot be used with the metric {quote(self.name)}, whose function takes labels and "
                "predictions and no weights.",
                hint="Leave 'sample_weight' out, or take a metric of this package.",
            )
        try:
            c, c_0 = self.coefficients(y, h, weights) if self.takes_weights else self.coefficients(y, h)
            c, c_0 = np.asarray(c, dtype=np.float64), float(c_0)
        except InputError:
            raise
        except Exception as error:
            raise InputError(
                f"The coefficients of the metric {quote(self.name)} could not be worked out: {type(error).__name__}.",
                hint="Its function takes labels and predictions, and returns one number for each row and a constant.",
            ) from error
        if c.shape != y.shape:
            raise InputError(
                f"The metric {quote(self.name)} must give one coefficient for each of the {len(y):,} rows of a group, "
                f"got the shape {c.shape}."
            )
        return c, c_0

    def margins(self, y: NDArray[np.int64], h: NDArray[np.int64], weights: RowCounts = None) -> NDArray[np.float64]:
        """Return by how much the metric of a group changes when one row more is predicted right, all else being equal.

        These are the coefficients where they do not depend on the predictions. Where they do, coefficients leave out
        that the prediction of a row changes them: with those of ``fdr`` more true positives lower it, however many
        positive predictions they come with.

        Shapes: `y` (n,), `h` (n,), `weights` (n,); returns (n,).
        """
        if weights is not None:
            return self._weighted_margins(y, h, weights)
        margins = np.zeros(len(y))
        for label in (0, 1):
            rows = np.flatnonzero(y == label)
            if len(rows):
                right, wrong = h.copy(), h.copy()
                right[rows[0]], wrong[rows[0]] = label, 1 - label
                margins[rows] = self.value(y, right) - self.value(y, wrong)
        return margins

    def _weighted_margins(
        self, y: NDArray[np.int64], h: NDArray[np.int64], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the same of rows with weights: of a row that counts once, times what each row counts."""
        margins = np.zeros(len(y))
        labels, predictions = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
        sums = np.bincount(2 * y + h, weights=weights, minlength=4).astype(np.float64)
        for label in (0, 1):
            rows = np.flatnonzero(y == label)
            if len(rows):
                part = min(1.0, float(weights[rows[0]]))
                right, wrong = sums.copy(), sums.copy()
                for moved, where in ((right, label), (wrong, 1 - label)):
                    moved[2 * label + h[rows[0]]] -= part
                    moved[2 * label + where] += part
                values = [self.value(labels, predictions, moved) for moved in (right, wrong)]
                margins[rows] = weights[rows] * (values[0] - values[1]) / part
        return margins


def shown(value: object) -> str:
    """Return a wrong argument as a message shows it: a number or text itself, of anything else its type."""
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, bool):
        return repr(value)
    return f"{value:g}" if is_number(value) or isinstance(value, float | np.floating) else type(value).__name__


def _by_label(rule: Callable[[float, float], tuple[float, float, float]]) -> Callable[..., Coefficients]:
    """Make coefficients of a rule that takes n0 and n1 and gives c_i for label 0, c_i for label 1 and c_0."""

    def coefficients(y: NDArray[np.int64], h: NDArray[np.int64] | None, weights: RowCounts = None) -> Coefficients:
        c_of_0, c_of_1, c_0 = rule(*_sizes(y, weights))
        return _counted(np.where(y == 1, c_of_1, c_of_0), weights), c_0

    return coefficients


def _sizes(y: NDArray[np.int64], weights: RowCounts) -> tuple[float, float]:
    """Return n0 and n1."""
    if weights is None:
        n1 = int(y.sum())
        return len(y) - n1, n1
    return float(weights[y == 0].sum()), float(weights[y == 1].sum())


def _counted(c: NDArray[np.float64], weights: RowCounts) -> NDArray[np.float64]:
    return c if weights is None else c * weights


def _among_predicted(value: int) -> Callable[..., Coefficients]:
    """Make the coefficients of 1 minus the share of right rows among those predicted to have a value."""

    def coefficients(y: NDArray[np.int64], h: NDArray[np.int64] | None, weights: RowCounts = None) -> Coefficients:
        if h is None:
            raise InputError(
                "The coefficients of 'for_' and 'fdr' depend on predictions, and none were given.",
                hint="Pass the predictions of the model before.",
            )
        c = -_over(_sizes(h, weights)[value])
        return _counted(np.where(y == value, c, 0.0), weights), 1.0 if math.isfinite(c) else math.nan

    return coefficients


def _right_among_predicted(value: int) -> Callable[..., Coefficients]:
    """Make the coefficients of the share of right rows among those predicted to have a value."""
    wrong = _among_predicted(value)

    def coefficients(y: NDArray[np.int64], h: NDArray[np.int64] | None, weights: RowCounts = None) -> Coefficients:
        c, c_0 = wrong(y, h, weights)
        return -c, 1.0 - c_0

    return coefficients


def _over(n: float) -> float:
    return 1 / n if n else math.nan


def _one(n: float) -> float:
    return 1.0 if n else math.nan


@dataclass(frozen=True)
class ErrorCost:
    """The coefficients of the average error cost. Two are equal when their costs are."""

    # c_fp, c_fn: What a false positive and a false negative cost.
    c_fp: float
    c_fn: float

    def __call__(self, y: NDArray[np.int64], h: NDArray[np.int64] | None, weights: RowCounts = None) -> Coefficients:
        """Return c_i and c_0 of one group; see :class:`Metric`."""
        n0, n1 = _sizes(y, weights)
        share = _over(n0 + n1)
        c_0 = (self.c_fp * n0 + self.c_fn * n1) * share
        return _counted(np.where(y == 1, -self.c_fn * share, -self.c_fp * share), weights), c_0


@dataclass(frozen=True)
class ErrorRates:
    """The coefficients of a weighted sum of both error rates. Two are equal when their weights are."""

    # of_fpr, of_fnr: What the false positive and the false negative rate are multiplied with.
    of_fpr: float
    of_fnr: float

    def __call__(self, y: NDArray[np.int64], h: NDArray[np.int64] | None, weights: RowCounts = None) -> Coefficients:
        """Return c_i and c_0 of one group; see :class:`Metric`."""
        parts = zip((self.of_fpr, self.of_fnr), _sizes(y, weights), strict=True)
        c_of_0, c_of_1 = (-weight * _over(n) if weight else 0.0 for weight, n in parts)
        c_0 = self.of_fpr + self.of_fnr + 0.0 * (c_of_0 + c_of_1)
        return _counted(np.where(y == 1, c_of_1, c_of_0), weights), c_0


_own = partial(Metric, takes_weights=True)
"""Make a metric of this package, whose coefficients count rows by their weights."""

_SHARE = (
    "share of positive predictions",
    _by_label(lambda n0, n1: (-_over(n0 + n1), _over(n0 + n1), n0 * _over(n0 + n1))),
)

METRICS = {
    "error_rate": _own(
        "error_rate",
        "share of wrong predictions",
        _by_label(lambda n0, n1: (-_over(n0 + n1), -_over(n0 + n1), _one(n0 + n1))),
        same_level=True,
    ),
    "demographic_parity": _own("demographic_parity", *_SHARE),
    "fpr": _own("fpr", "false positive rate", _by_label(lambda n0, n1: (-_over(n0), 0.0, _one(n0)))),
    "fnr": _own("fnr", "false negative rate", _by_label(lambda n0, n1: (0.0, -_over(n1), _one(n1)))),
    "for_": _own("for_", "false omission rate", _among_predicted(0), needs_predictions=True),
    "fdr": _own("fdr", "false discovery rate", _among_predicted(1), needs_predictions=True),
}
"""The metrics that have a name of their own; `demographic_parity` compares selection rates."""

FLOORS = {
    "selection_rate": _own("selection_rate", *_SHARE),
    "tpr": _own("tpr", "true positive rate", _by_label(lambda n0, n1: (0.0, _over(n1), 0.0 * _one(n1)))),
    "tnr": _own("tnr", "true negative rate", _by_label(lambda n0, n1: (_over(n0), 0.0, 0.0 * _one(n0)))),
    "accuracy": _own(
        "accuracy",
        "share of right predictions",
        _by_label(lambda n0, n1: (_over(n0 + n1), _over(n0 + n1), 0.0 * _one(n0 + n1))),
    ),
    "ppv": _own("ppv", "positive predictive value", _right_among_predicted(1), needs_predictions=True),
    "npv": _own("npv", "negative predictive value", _right_among_predicted(0), needs_predictions=True),
}
"""The metrics that a floor may be set under in each group: more of them is better, and 1 is the best there is."""

ERRORS_OF = {"fpr": "tnr", "fnr": "tpr", "error_rate": "accuracy", "fdr": "ppv", "for_": "npv"}
"""For each rate of errors the rate of what is right beside it: at most 0.1 of the one is at least 0.9 of the other."""

PAIRS = {name: RATES[name] for name in ("equalized_odds", "predictive_parity")}
"""Names that stand for two metrics, each of which must be alike."""

_OF_ERRORS = re.compile(
    r"\s*(?P<kind>aec|errors)\s*\(\s*(?P<fp>[^,()\s]+)\s*,\s*(?P<fn>[^,()\s]+)\s*\)\s*", re.IGNORECASE
)


def aec(c_fp: float, c_fn: float) -> Metric:
    """Return the average error cost: what errors cost in a group, divided by its rows.

    Examples
    --------
    >>> y, h = np.array([0, 0, 1, 1]), np.array([1, 0, 0, 0])
    >>> aec(1, 5).value(y, h)
    2.75
    """
    fp, fn = _as_written("costs", "aec", c_fp, c_fn)
    return _own(
        f"aec({fp}, {fn})",
        f"average cost of errors (a false positive costs {fp}, a false negative {fn})",
        ErrorCost(float(c_fp), float(c_fn)),
    )


def error_rates(of_fpr: float, of_fnr: float) -> Metric:
    """Return a weighted sum of the two error rates of a group.

    Examples
    --------
    >>> y, h = np.array([0, 0, 1, 1]), np.array([1, 0, 0, 0])
    >>> error_rates(1, 0.5).value(y, h)
    1.0
    """
    fp, fn = _as_written("weights", "errors", of_fpr, of_fnr)
    return _own(
        f"errors({fp}, {fn})",
        f"weighted sum of error rates ({fp} times the false positive, {fn} times the false negative rate)",
        ErrorRates(float(of_fpr), float(of_fnr)),
        same_level=True,
    )


OF_ERRORS: Final = {"aec": ("costs", aec), "errors": ("weights", error_rates)}
"""Metrics that are written with two numbers, for false positives and for false negatives, and what these are called."""


def _as_written(what: str, kind: str, of_fp: float, of_fn: float) -> tuple[str, str]:
    """Return two numbers as names have them: to the last digit, as constraints keep the name only."""
    given = (of_fp, of_fn)
    if not all(is_number(each) and each >= 0 for each in given) or not any(given):
        hint = "Write errors(1, 0.5) where the false positive rate counts twice as much."
        if kind == "aec":
            hint = "Write aec(1, 5) where a false negative costs five times as much as a false positive."
        got = " and ".join(map(shown, given))
        raise InputError(f"The {what} in '{kind}' must be numbers of at least 0, and not both 0, got {got}.", hint=hint)
    fp, fn = (repr(float(each)).removesuffix(".0") for each in given)
    return fp, fn


def find_metric(metric: str | Metric, *, is_floor: bool | None = None) -> Metric:
    """Return a metric by its name; one of before is read, too, and a share by what it is called with a floor or not."""
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str):
        raise InputError(f"'metric' must be a name or a Metric, got {type(metric).__name__}.")
    name, known = metric.strip().lower(), [*METRICS, *FLOORS]
    if is_floor is not None:
        known.remove("demographic_parity" if is_floor else "selection_rate")
    name = "fnr" if name == "equal_opportunity" else read_word(name, known)
    if name in METRICS:
        return METRICS[name]
    if name in FLOORS:
        return FLOORS[name]
    if found := _OF_ERRORS.fullmatch(metric):
        kind = found["kind"].lower()
        what, make = OF_ERRORS[kind]
        try:
            numbers = float(found["fp"]), float(found["fn"])
        except ValueError:
            raise InputError(f"The {what} in {quote(metric)} must be numbers.", hint=f"Write {kind}(1, 5).") from None
        return make(*numbers)
    if name in PAIRS:
        raise InputError(
            f"{quote(metric)} stands for two metrics, {' and '.join(PAIRS[name])}, and one is needed here.",
            hint=f"Call {name}(groups, max_difference), or give both metrics.",
        )
    known = [*METRICS, "aec(1, 1)", "errors(1, 1)"]
    raise InputError(f"There is no metric {quote(metric)}.", hint=metrics_hint(metric, known))


def metrics_hint(name: str, known: Iterable[str]) -> str:
    """Return what a metric that is not known may be called here, and all that are."""
    listed = f"There are: {', '.join(known)}."
    called = hint_on(name, [*METRICS, *PAIRS])
    return listed if called is None else f"{called} {listed}"


def named_like(metric: Metric) -> Metric | None:
    """Return the metric of this package that has the name of another one; None where the name is free."""
    name = metric.name.strip().lower()
    return find_metric(name) if name in METRICS or name in FLOORS or _OF_ERRORS.fullmatch(name) else None
