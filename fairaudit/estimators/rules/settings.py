"""What may be asked of a rule set, checked before any work begins."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, Final, get_args

from fairaudit.errors import InputError
from fairaudit.estimators.rules.problem import RATES, Objective

OBJECTIVES: Final = get_args(Objective)


def check_complexity(value: Any) -> None:
    """Check the complexity that is allowed."""
    if not is_whole(value) or value < 2:
        raise InputError(
            f"'max_complexity' must be an int of at least 2, got {value!r}.",
            hint="A rule with one condition has a complexity of 2.",
        )


def check_difference(value: Any) -> None:
    """Check how far rates may be apart."""
    if not is_number(value) or not 0 <= value <= 1:
        raise InputError(
            f"'max_difference' must be a number from 0 to 1, got {value!r}.",
            hint="Write 0.05 for five percentage points.",
        )


def check_seconds(value: Any, name: str) -> None:
    """Check a time limit."""
    if not is_number(value) or not 0 < value < math.inf:
        raise InputError(f"'{name}' must be a number of seconds above 0, got {value!r}.")


def check_kind(fairness: Any, objective: Any, max_rule_length: Any, binarizer: Any) -> None:
    """Check what must be alike, the loss, the length of rules and what makes literals."""
    if fairness is not None and (not isinstance(fairness, str) or fairness not in RATES):
        raise InputError(f"'fairness' must be one of {', '.join(RATES)} or None, got {fairness!r}.")
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        raise InputError(f"'objective' must be one of {', '.join(OBJECTIVES)}, got {objective!r}.")
    if max_rule_length is not None and (not is_whole(max_rule_length) or max_rule_length < 1):
        raise InputError(f"'max_rule_length' must be an int of at least 1 or None, got {max_rule_length!r}.")
    if binarizer is not None and not (hasattr(binarizer, "fit") and hasattr(binarizer, "transform")):
        raise InputError(
            f"'binarizer' must be a Binarizer or None, got {type(binarizer).__name__}.",
            hint="Write Binarizer(n_bins=5), for example.",
        )


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, and not True or False."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether a value is a real number, and not True or False."""
    return isinstance(value, Real) and not isinstance(value, bool)
