"""Parameters of estimators: how they are declared, checked before any work, and documented.

Each public estimator declares its parameters as scikit-learn's own do, in `_parameter_constraints`; what is said of a
value that breaks them is derived from the declaration.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Final, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions, make_constraint

from fairaudit.errors import InputError
from fairaudit.measure.vocabulary import hint_on, read_word

Features = ArrayLike | pd.DataFrame
"""A table of features, (n, n_features)."""
Labels = ArrayLike | pd.Series
"""One value for each row, (n,)."""
Groups = ArrayLike | pd.Series | pd.DataFrame | None
"""The group of each row, in one column or several; None means one group."""
Seed = int | np.random.RandomState | None

Constraints = Mapping[str, Sequence[object]]
"""By the name of a parameter, what it may be: any one of these."""

COUNT: Final = Interval(Integral, 1, None, closed="left")
POSITIVE: Final = Interval(Real, 0, math.inf, closed="neither")
NOT_NEGATIVE: Final = Interval(Real, 0, math.inf, closed="left")
SHARE: Final = Interval(Real, 0, 1, closed="both")
PART: Final = Interval(Real, 0, 1, closed="neither")
"""A share of the rows that is not all and not none."""

CERTIFYING: Final[dict[str, list[object]]] = {
    "certify_fraction": [Interval(Real, 0, 1, closed="left")],
    "confidence": [PART],
}
"""The parameters of estimators whose limits can be certified to hold on new people."""

DIFFERENCE_HINT: Final = "Write 0.05 for five percentage points."


def one_of(options: Iterable[str]) -> StrOptions:
    """Return the constraint to some texts, which errors list in this order."""
    return StrOptions(dict.fromkeys(options).keys())


def measures(options: Iterable[str]) -> Measures:
    """Return the same of words for what must be alike, also those of before and of other classes."""
    return Measures(dict.fromkeys(options).keys())


class Measures(StrOptions):
    """The constraint to some words for what must be alike, which are read as :func:`read_word` does."""

    def is_satisfied_by(self, val: object) -> bool:
        """Say whether a value is one of the words, or was one."""
        return super().is_satisfied_by(read_word(val, self.options) if isinstance(val, str) else val)


def check_parameters(estimator: BaseEstimator, hints: Mapping[str, str] | None = None) -> None:
    """Check all parameters of an estimator by what it declares."""
    values = {name: getattr(estimator, name) for name in estimator._parameter_constraints}
    check_values(estimator._parameter_constraints, values, hints)


def check_values(
    constraints: Constraints, values: Mapping[str, object], hints: Mapping[str, str] | None = None
) -> None:
    """Check values by name; an error names the parameter, what it must be, and what it is."""
    for name, value in values.items():
        if not any(_satisfies(value, constraint) for constraint in constraints[name]):
            kinds = {type(each) for each in constraints[name]}
            # An object can be long, and so can a text that is none of some words.
            is_named = StrOptions in kinds and isinstance(value, str)
            given = type(value).__name__ if HasMethods in kinds and not is_named else value
            shown = given if given is not value else f"{value!r}"
            rule = _listed([_in_words(constraint) for constraint in constraints[name]])
            words = [each.options for each in constraints[name] if isinstance(each, Measures)]
            hint = hint_on(value, words[0]) if words else (hints or {}).get(name)
            raise InputError(f"{name!r} must be {rule}, got {shown}.", hint=hint)


def _satisfies(value: object, constraint: object) -> bool:
    # Python takes True for the number 1.
    if isinstance(constraint, Interval) and isinstance(value, bool | np.bool_):
        return False
    return bool(make_constraint(constraint).is_satisfied_by(value))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _in_words(constraint: object) -> str:
    match constraint:
        case None:
            return "None"
        case "boolean":
            return "True or False"
        case "random_state":
            return "an int, a RandomState"
        case Interval():
            return f"{'an int' if constraint.type is Integral else 'a number'} {_range(constraint)}"
        case StrOptions():
            options = list(constraint.options)
            return f"one of {', '.join(options)}" if len(options) > 1 else repr(options[0])
        case HasMethods():
            return f"an object with {' and '.join(map(repr, constraint.methods))}"
    return str(make_constraint(constraint))


def _range(interval: Interval) -> str:
    """Return "from 1 to 8", "above 0 and below 1" or "of at least 1"."""
    low, high = interval.left, interval.right if interval.right != math.inf else None
    if low is not None and high is not None and interval.closed == "both":
        return f"from {low:,} to {high:,}"
    parts = []
    if low is not None:
        parts.append(f"of at least {low:,}" if interval.closed in ("left", "both") else f"above {low:,}")
    if high is not None:
        parts.append(f"of at most {high:,}" if interval.closed in ("right", "both") else f"below {high:,}")
    return " and ".join(parts)


DESCRIBED: Final = {
    "X": ("DataFrame or array_like, shape (n, n_features)", "The features."),
    "y": ("array_like, shape (n,)", "Labels of two classes."),
    "sensitive_features": (
        "Series, DataFrame, array or list, optional",
        "The group of each row; crossings of several columns are groups of their own. None: one group.",
    ),
    "sample_weight": (
        "array_like of float, shape (n,), optional",
        "How much each row counts: 2 is as if the row were there twice, 0 as if it were not. Of numbers that are not "
        "all whole only the proportions count. None: each row counts once.",
    ),
    "population": (
        "array_like of bool, shape (n,), optional",
        "The rows that limits between groups are about, all by default. The others are learned from, and nothing is "
        "chosen by them.",
    ),
}
"""The type and the meaning of each argument that several estimators take."""

SELF: Final = ("{estimator}", "Itself.")
CLASSES: Final = ("ndarray, shape (n,)", "Values of `classes_`.")
PROBABILITIES: Final = ("ndarray of float, shape (n, 2)", "The probability of each class, in the order of `classes_`.")

Function = TypeVar("Function", bound=Callable[..., object])


def documented(
    *,
    returns: tuple[str, str] | None = None,
    yields: str | None = None,
    raises: Mapping[type[Exception], str] | None = None,
    **arguments: str | tuple[str, str],
) -> Callable[[Function], Function]:
    """Complete the docstring of a method: sections on its arguments, its result and its errors.

    A text in `arguments` replaces the meaning that `DESCRIBED` gives, a pair the type as well.
    """

    def complete(method: Function) -> Function:
        lines = [inspect.getdoc(method) or "", "", "Parameters", "----------"]
        for name in list(inspect.signature(method).parameters)[1:]:
            own = arguments.get(name, "")
            kind, meaning = own if isinstance(own, tuple) else (DESCRIBED[name][0], own or DESCRIBED[name][1])
            lines += [f"{name} : {kind}", f"    {meaning}"]
        if returns is not None:
            kind = returns[0].format(estimator=method.__qualname__.partition(".")[0])
            lines += ["", "Returns", "-------", kind, f"    {returns[1]}"]
        if yields is not None:
            lines += ["", "Yields", "------", "Started, Progress, Incumbent or Finished", f"    {yields}"]
        if raises:
            lines += ["", "Raises", "------"]
            lines += [line for error, when in raises.items() for line in (error.__name__, f"    {when}")]
        method.__doc__ = "\n".join(lines) + "\n"
        return method

    return complete
