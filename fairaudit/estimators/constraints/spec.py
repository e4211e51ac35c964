"""What must hold: a metric, the groups that it is compared between, and how far they may be apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from fairaudit.conditions import Condition
from fairaudit.errors import InputError, quote
from fairaudit.estimators.constraints.metrics import (
    METRICS,
    PAIRS,
    Metric,
    find_metric,
    is_number,
    named_like,
    shown,
)


@dataclass(frozen=True)
class Columns:
    """Groups that are the values of one column, or the crossed values of several. Rows without a value are in none.

    Parameters
    ----------
    names : tuple of str
        The columns, each once.
    """

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.names or any(not isinstance(name, str) or not name for name in self.names):
            raise InputError("'groups' must name at least one column.", hint="Write the name of a column, such as sex.")
        if len(set(self.names)) < len(self.names):
            raise InputError(f"'groups' names a column twice: {', '.join(map(quote, self.names))}.")


@dataclass(frozen=True)
class Conditions:
    """Groups that are named conditions on a row. They may overlap, and need not cover all rows.

    Parameters
    ----------
    named : tuple of (str, str)
        What each group is called, and its condition. Names differ.
    """

    named: tuple[tuple[str, str], ...]

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


@dataclass(frozen=True)
class FairnessSpec:
    """A constraint: any two groups differ by at most so much in a metric.

    Parameters
    ----------
    metric : str or Metric
        "mr", "sp", "fpr", "fnr", "for", "fdr", "aec(c_fp, c_fn)", or a
        :class:`~fairaudit.estimators.constraints.Metric` of your own.
    groups : str, sequence of str, or mapping of str to str
        A column; several columns, which are crossed; or conditions, as a mapping from the name of a group to its
        condition or as a sequence of conditions. In a sequence, a text with a comparison is taken for a condition.
    max_difference : float
        How far any two groups may be apart: above 0 and at most 1. A larger one only makes sense for costs.

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
    >>> FairnessSpec.parse('sp by ["age < 25", "age >= 60"] <= 0.1').group_names
    ('age < 25', 'age >= 60')
    """

    metric: str | Metric
    groups: Any
    max_difference: float

    def __post_init__(self) -> None:
        measure = find_metric(self.metric)
        if _is_known(measure):
            object.__setattr__(self, "metric", measure.name)
        object.__setattr__(self, "groups", _read_groups(self.groups))
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
        """Return the columns that tell the groups of a row.

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
        from fairaudit.estimators.constraints.text import parse_one

        return parse_one(text)

    def __str__(self) -> str:
        from fairaudit.estimators.constraints.text import spec_text

        return spec_text(self)


def equalized_odds(groups: Any, max_difference: float) -> tuple[FairnessSpec, FairnessSpec]:
    """Return the two constraints of equalized odds: false positive and false negative rates are alike."""
    return tuple(FairnessSpec(name, groups, max_difference) for name in PAIRS["equalized_odds"])


def predictive_parity(groups: Any, max_difference: float) -> tuple[FairnessSpec, FairnessSpec]:
    """Return the two constraints of predictive parity: false omission and false discovery rates are alike."""
    return tuple(FairnessSpec(name, groups, max_difference) for name in PAIRS["predictive_parity"])


def read_specs(specs: Any) -> tuple[FairnessSpec, ...]:
    """Return constraints that are given as objects, as texts, or as a mixture in any nesting."""
    from fairaudit.estimators.constraints.text import parse_specs

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


_COMPARISON = re.compile(r"[<>=]|\b(?:is|in|like|between|not)\b[\s(]", re.IGNORECASE)


def _is_known(measure: Metric) -> bool:
    """Return whether a metric is one of this package, which its name stands for."""
    known = named_like(measure)
    if measure.name in PAIRS or (known is not None and known.coefficients != measure.coefficients):
        raise InputError(
            f"The name {quote(measure.name)} is taken by a metric that there is already.",
            hint="Give your metric a name of its own.",
        )
    return known is not None


def _read_groups(groups: Any) -> Columns | Conditions:
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
    told = [bool(_COMPARISON.search(item)) for item in items]
    if items and all(told):
        return Conditions(tuple((item, item) for item in items))
    if any(told):
        raise InputError(
            f"'groups' mixes columns and conditions: {', '.join(map(quote, items))}.",
            hint="Give columns only, or conditions only. In a mapping of names to conditions, all are conditions.",
        )
    return Columns(tuple(items))


def _text(item: Any) -> str:
    if not isinstance(item, str | Condition):
        raise InputError(f"'groups' must hold names of columns or conditions, as texts, got {type(item).__name__}.")
    return str(item)


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
