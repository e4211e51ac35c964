"""What must hold: a metric, the groups that it is compared between, and how far they may be apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fairaudit.conditions import Condition
from fairaudit.errors import InputError, SpecError, quote, sure
from fairaudit.estimators.constraints.groups import Columns, Conditions, read_groups
from fairaudit.estimators.constraints.metrics import (
    ERRORS_OF,
    FLOORS,
    METRICS,
    PAIRS,
    Metric,
    find_metric,
    is_number,
    named_like,
    shown,
)
from fairaudit.estimators.constraints.text import read_constraints

SMALLEST_FLOOR = 1e-9
"""A floor that asks for nothing."""


@dataclass(frozen=True)
class FairnessSpec:
    """A constraint: any two groups differ by at most so much in a metric, or each group has at least so much of it.

    Parameters
    ----------
    metric : str or Metric
        "mr", "sp", "fpr", "fnr", "for", "fdr", "aec(c_fp, c_fn)", or a
        :class:`~fairaudit.estimators.constraints.Metric` of your own. With a floor: "tpr", "tnr", "ppv", "npv",
        "accuracy" or "sp".
    groups : str, sequence of str, or mapping of str to str
        A column; several columns, which are crossed; or conditions, as a mapping from the name of a group to its
        condition or as a sequence of conditions. In a sequence, a text with a comparison is taken for a condition.
    max_difference : float
        How far any two groups may be apart: above 0 and at most 1. A larger one only makes sense for costs. With a
        floor, how far each group may be below 1, which follows from it.
    floor : float, optional
        What each group must have at least: above 0 and below 1.

    Raises
    ------
    InputError
        If an argument breaks a rule.

    See Also
    --------
    equalized_odds, predictive_parity : Pairs of constraints.

    Examples
    --------
    >>> str(FairnessSpec("fpr", "race", 0.03))
    'fpr by race <= 0.03'
    >>> str(FairnessSpec("tpr", "race", floor=0.8))
    'tpr by race >= 0.8'
    >>> FairnessSpec.parse('sp by ["age < 25", "age >= 60"] <= 0.1').group_names
    ('age < 25', 'age >= 60')
    """

    metric: str | Metric
    groups: Any
    max_difference: float | None = None
    floor: float | None = None

    def __post_init__(self) -> None:
        measure = find_metric(self.metric)
        if _is_known(measure):
            object.__setattr__(self, "metric", measure.name)
        object.__setattr__(self, "groups", read_groups(self.groups))
        if self.floor is not None:
            floor = _read_floor(self.floor, measure)
            object.__setattr__(self, "floor", floor)
            object.__setattr__(self, "max_difference", round(1 - floor, 12))
            return
        if measure.name in FLOORS and measure.name not in METRICS:
            errors = next(name for name, right in ERRORS_OF.items() if right == measure.name)
            raise InputError(
                f"{quote(measure.name)} takes a floor, as in {measure.name} by ... >= 0.8, and no largest difference.",
                hint=f"For a distance between groups write '{errors}': it is as far apart as '{measure.name}'.",
            )
        object.__setattr__(self, "max_difference", _read_difference(self.max_difference, measure))

    @property
    def measure(self) -> Metric:
        """The metric itself."""
        return find_metric(self.metric)

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The columns whose values make the groups; None where conditions do."""
        return self.groups.names if isinstance(self.groups, Columns) else None

    @property
    def conditions(self) -> tuple[tuple[str, str], ...] | None:
        """The names and conditions of the groups; None where columns make them."""
        return self.groups.named if isinstance(self.groups, Conditions) else None

    @property
    def group_names(self) -> tuple[str, ...] | None:
        """What the groups are called; None where that is only known with the rows."""
        return tuple(name for name, _ in self.groups.named) if isinstance(self.groups, Conditions) else None

    def needed_columns(self, columns: Any) -> tuple[str, ...]:
        """Return the columns that the groups of a row depend on.

        Parameters
        ----------
        columns : Table, mapping, pandas.DataFrame or iterable of str
            Those that there are, see :meth:`fairaudit.Condition.parse`.

        Returns
        -------
        tuple of str
            In the order of first use.

        Raises
        ------
        ConditionError
            If a condition cannot be read.
        """
        if isinstance(self.groups, Columns):
            return self.groups.names
        found = [Condition.parse(text, columns).columns for _, text in self.groups.named]
        return tuple(dict.fromkeys(name for names in found for name in names))

    @classmethod
    def parse(cls, text: str) -> FairnessSpec:
        """Read one constraint from text, such as ``fpr by race <= 0.03``.

        Parameters
        ----------
        text : str
            See :func:`~fairaudit.estimators.constraints.parse_specs`.

        Returns
        -------
        FairnessSpec
            The constraint; printing it gives a text that reads back as the same.

        Raises
        ------
        SpecError
            If it cannot be read, with the position; or if it stands for two constraints.
        """
        found = parse_specs(text)
        if len(found) > 1:
            raise SpecError(
                f"One constraint is expected here, and the text stands for {len(found)}: "
                f"{'; '.join(str(spec) for spec in found[:4])}",
                text=text,
                position=0,
                hint="Take one of them, or call parse_specs.",
            )
        return found[0]

    def __str__(self) -> str:
        return f"{self.measure.name} by {self.groups} {self.limit}"

    @property
    def limit(self) -> str:
        """The sign and the number at its end, as in a text."""
        return f"<= {self.max_difference!r}" if self.floor is None else f">= {self.floor!r}"

    def scaled(self, scale: float) -> FairnessSpec:
        """Return the constraint with another distance; for a floor, another distance to 1.

        Parameters
        ----------
        scale : float
            Times the distance that it allows.

        Returns
        -------
        FairnessSpec
            Shares may be at most 1 apart.
        """
        limit = sure(self.max_difference) * scale
        if self.floor is not None:
            # A floor of 0 asks for nothing, and is none.
            return FairnessSpec(self.metric, self.groups, floor=max(round(1 - limit, 12), SMALLEST_FLOOR))
        # Shares are never further apart than 1; a cost has a unit of its own.
        return FairnessSpec(self.metric, self.groups, min(limit, 1.0) if self.measure.name in METRICS else limit)


def parse_specs(text: str) -> tuple[FairnessSpec, ...]:
    """Read constraints from text.

    Examples
    --------
    >>> [str(spec) for spec in parse_specs("equalized_odds by sex <= 5%")]
    ['fpr by sex <= 0.05', 'fnr by sex <= 0.05']
    """
    return read_constraints(text, _made)


def _made(metric: str, groups: Any, limit: float, *, is_floor: bool) -> FairnessSpec:
    return FairnessSpec(metric, groups, floor=limit) if is_floor else FairnessSpec(metric, groups, limit)


def equalized_odds(groups: Any, max_difference: float) -> tuple[FairnessSpec, FairnessSpec]:
    """Return the two constraints of equalized odds: false positive and false negative rates are alike."""
    first, second = (FairnessSpec(name, groups, max_difference) for name in PAIRS["equalized_odds"])
    return first, second


def predictive_parity(groups: Any, max_difference: float) -> tuple[FairnessSpec, FairnessSpec]:
    """Return the two constraints of predictive parity: false omission and false discovery rates are alike."""
    first, second = (FairnessSpec(name, groups, max_difference) for name in PAIRS["predictive_parity"])
    return first, second


def read_specs(specs: Any) -> tuple[FairnessSpec, ...]:
    """Return constraints that are given as objects, as texts, or as a mixture in any nesting."""

    def read(one: Any) -> Iterable[FairnessSpec]:
        if isinstance(one, FairnessSpec):
            return (one,)
        if isinstance(one, str):
            return parse_specs(one)
        if isinstance(one, Sequence):
            return tuple(spec for part in one for spec in read(part))
        raise InputError(
            f"'specs' must hold constraints or their texts, got {type(one).__name__}.",
            hint="Write FairnessSpec('sp', 'sex', 0.03), or 'sp by sex <= 0.03'.",
        )

    found = tuple(dict.fromkeys(read(specs)))
    if not found:
        raise InputError("'specs' must hold at least one constraint, got none.", hint="Write 'sp by sex <= 0.03'.")
    return found


def _is_known(measure: Metric) -> bool:
    """Return whether a metric is one of this package, which its name stands for."""
    known = named_like(measure)
    if measure.name in PAIRS or (known is not None and known.coefficients != measure.coefficients):
        raise InputError(
            f"The name {quote(measure.name)} is taken by a metric that there is already.",
            hint="Give your metric a name of its own.",
        )
    return known is not None


def _read_floor(value: Any, measure: Metric) -> float:
    name = measure.name
    if name in ERRORS_OF:
        right = ERRORS_OF[name]
        raise InputError(
            f"{quote(name)} counts errors, so a floor under it would ask for more of them.",
            hint=f"For at most 10 % of it in each group write '{right} by ... >= 0.9': '{right}' is 1 minus '{name}'.",
        )
    if FLOORS.get(name) is not measure:
        raise InputError(f"{quote(name)} takes no floor.", hint=f"A floor may be set under: {', '.join(FLOORS)}.")
    if not is_number(value) or not 0 < value < 1:
        raise InputError(
            f"A floor must be a number above 0 and below 1, got {shown(value)}.",
            hint="Write 0.8 for at least 80 % in each group; no model has a rate of 100 % for sure.",
        )
    return float(value)


def _read_difference(value: Any, measure: Metric) -> float:
    if not is_number(value):
        raise InputError(f"'max_difference' must be a number above 0, got {shown(value)}.", hint="Write such as 0.03.")
    if value <= 0:
        raise InputError(
            f"'max_difference' must be above 0, got {shown(value)}.",
            hint="Groups are hardly ever exactly alike. Write a small number, such as 0.01 for one point.",
        )
    if value > 1 and measure.name in METRICS:
        raise InputError(
            f"'max_difference' must be at most 1 for '{measure.name}', which is a share, got {shown(value)}.",
            hint="Write 0.03 for three points.",
        )
    return float(value)
