"""What may be asked of a tree, checked before any work begins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from fairaudit.errors import InputError
from fairaudit.estimators.rules.settings import check_seconds, is_number, is_whole
from fairaudit.estimators.trees.problem import Task

DEEPEST: Final = 8
DISCRIMINATIONS: Final = ("didi", "dtdi", "both")
CONSTRAINTS: Final = ("demographic_parity", "four_fifths", "equal_opportunity", "equalized_odds")
METHODS: Final = ("auto", "frontier", "scip")
BRANCHINGS: Final = ("single", "linear")
LEAVES: Final = ("constant", "linear")
USUAL_DIFFERENCE: Final = 0.05
"""How far rates may be apart where a constraint is asked for and nothing else is said."""


@dataclass(frozen=True)
class TreeSettings:
    """What is asked of an optimal tree; see the estimators.

    Parameters
    ----------
    task : {"classification", "regression"}
        What is predicted.
    max_depth : int
        From 1 to 8.
    discrimination : {"didi", "dtdi", "both"} or None
        The indices that are priced or bounded.
    fairness_weight : float
        Their price.
    max_discrimination : float, optional
        Their bound.
    constraint : str, optional
        One of `CONSTRAINTS`.
    max_difference : float, optional
        How far rates may be apart.
    branching : {"single", "linear"}
        Whether splits may weigh several columns.
    leaves : {"constant", "linear"}
        Whether leaves may, in regression.
    max_uses_per_feature, max_features : int, optional
        In how many nodes a column may be asked for, and how many columns.
    max_splits : int, optional
        Splits that trees are made of.
    min_leaf_size, n_neighbors : int
        Rows of a leaf, and near rows for DTDI.
    method : {"auto", "frontier", "scip"}
        Which search runs.
    time_limit : float
        Seconds.
    """

    task: Task
    max_depth: int
    discrimination: str | None
    fairness_weight: float
    max_discrimination: float | None
    constraint: str | None
    max_difference: float | None
    branching: str
    leaves: str
    max_uses_per_feature: int | None
    max_features: int | None
    max_splits: int | None
    min_leaf_size: int
    n_neighbors: int
    method: str
    time_limit: float

    def __post_init__(self):
        check_depth(self.max_depth)
        check_choice(self.discrimination, "discrimination", DISCRIMINATIONS, optional=True)
        check_choice(self.constraint, "constraint", CONSTRAINTS, optional=True)
        check_choice(self.branching, "branching", BRANCHINGS)
        check_choice(self.leaves, "leaves", LEAVES)
        check_choice(self.method, "method", METHODS)
        check_amount(self.fairness_weight, "fairness_weight")
        check_amount(self.max_discrimination, "max_discrimination", optional=True)
        for name in ("max_uses_per_feature", "max_features", "max_splits"):
            check_count(getattr(self, name), name, optional=True)
        check_count(self.min_leaf_size, "min_leaf_size")
        check_count(self.n_neighbors, "n_neighbors")
        check_seconds(self.time_limit, "time_limit")
        self._check_discrimination()
        if self.task == "classification":
            check_difference(self.constraint, self.max_difference)
        else:
            self._check_regression()
        if self.method == "frontier" and (reasons := self.beyond_frontier):
            raise InputError(f"'method' 'frontier' cannot be used with {reasons[0]}.", hint="Use 'auto' or 'scip'.")

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the indices that count."""
        if self.discrimination is None:
            return ()
        return ("didi", "dtdi") if self.discrimination == "both" else (self.discrimination,)

    @property
    def is_linear(self) -> bool:
        """Whether splits or leaves weigh several columns."""
        return self.branching == "linear" or self.leaves == "linear"

    @property
    def difference(self) -> float | None:
        """How far rates may be apart; None where nothing is asked for."""
        if self.constraint in (None, "four_fifths"):
            return None
        return USUAL_DIFFERENCE if self.max_difference is None else float(self.max_difference)

    @property
    def beyond_frontier(self) -> tuple[str, ...]:
        """Why the frontier method cannot be used, each as words; empty where it can."""
        asked = {
            "discrimination='dtdi' or 'both'": "dtdi" in self.measures and self.task == "classification",
            "branching='linear'": self.branching == "linear",
            "leaves='linear'": self.leaves == "linear",
            "'max_uses_per_feature'": self.max_uses_per_feature is not None,
            "'max_features'": self.max_features is not None,
        }
        return tuple(words for words, is_asked in asked.items() if is_asked)

    def _check_discrimination(self) -> None:
        if self.discrimination is not None:
            return
        for name, given in (
            ("fairness_weight", self.fairness_weight > 0),
            ("max_discrimination", self.max_discrimination is not None),
        ):
            if given:
                raise InputError(
                    f"{name!r} needs an index of discrimination, and 'discrimination' is None.",
                    hint="Write discrimination='didi', for example.",
                )

    def _check_regression(self) -> None:
        if self.constraint not in (None, "demographic_parity"):
            raise InputError(
                f"'constraint' must be demographic_parity or None where a number is predicted, got {self.constraint!r}."
            )
        check_amount(self.max_difference, "max_difference", optional=True)
        if (self.constraint is None) != (self.max_difference is None):
            raise InputError(
                "'constraint' and 'max_difference' go together where a number is predicted.",
                hint="Say how far the mean predictions of two groups may be apart, in units of what is predicted.",
            )


def check_difference(constraint: str | None, max_difference: Any) -> None:
    """Check how far rates may be apart."""
    if max_difference is None:
        return
    if not is_number(max_difference) or not 0 <= max_difference <= 1:
        raise InputError(
            f"'max_difference' must be a number from 0 to 1 or None, got {max_difference!r}.",
            hint="Write 0.05 for five percentage points.",
        )
    if constraint is None:
        raise InputError("'max_difference' needs a 'constraint', and that is None.")
    if constraint == "four_fifths":
        raise InputError("'max_difference' must be None for 'four_fifths', whose share of 80 % is fixed.")


def check_depth(value: Any) -> None:
    """Check the depth of a tree."""
    if not is_whole(value) or not 1 <= value <= DEEPEST:
        raise InputError(f"'max_depth' must be an int from 1 to {DEEPEST}, got {value!r}.")


def check_choice(value: Any, name: str, choices: Sequence[str], *, optional: bool = False) -> None:
    """Check that a setting is one of a few texts."""
    if (optional and value is None) or (isinstance(value, str) and value in choices):
        return
    raise InputError(f"{name!r} must be one of {', '.join(choices)}{' or None' if optional else ''}, got {value!r}.")


def check_amount(value: Any, name: str, *, optional: bool = False) -> None:
    """Check a price or a bound."""
    if (optional and value is None) or (is_number(value) and 0 <= value < math.inf):
        return
    raise InputError(f"{name!r} must be a number of at least 0{' or None' if optional else ''}, got {value!r}.")


def check_count(value: Any, name: str, *, optional: bool = False, least: int = 1) -> None:
    """Check a number of rows, columns or uses."""
    if (optional and value is None) or (is_whole(value) and value >= least):
        return
    raise InputError(f"{name!r} must be an int of at least {least}{' or None' if optional else ''}, got {value!r}.")


def check_look_ahead(value: Any, farthest: int) -> None:
    """Check how many levels are looked ahead."""
    if value == "adaptive" or (is_whole(value) and 1 <= value <= farthest):
        return
    raise InputError(f"'look_ahead' must be 'adaptive' or an int from 1 to {farthest}, got {value!r}.")


def check_weight(value: Any) -> None:
    """Check the price of unequal rates."""
    if isinstance(value, str):
        if value != "cv":
            raise InputError(f"'fairness_weight' must be 'cv' or a number of at least 0, got {value!r}.")
        return
    check_amount(value, "fairness_weight")
