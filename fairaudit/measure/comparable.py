"""Columns that may make cases comparable: how much decisions and groups vary across their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.errors import FairauditError

# Whether the rows there are show that a column was filled in after the decision.

BY_CHANCE = 0.001
"""What rows show by chance more often than this says nothing on what came first."""


def follows_decision(table: Table, column: str, *, good: Condition, where: Condition | str | None = None) -> bool:
    """Say whether a column follows from the decision in these rows; what is missing is a value like others.

    It does where it repeats the decision, no value being found with both answers, as the grounds of a refusal; or where
    it has one value wherever the answer is the same, and others elsewhere, as an amount that only those have to whom it
    was granted. Neither says so where chance alone would often do it.
    """
    counted = table.counts({"good": good, "value": column}, where=where)
    counted = counted[counted["good"].notna()]
    codes = pd.factorize(counted["value"], use_na_sentinel=False)[0]
    is_good, n = counted["good"].to_numpy(dtype=bool), counted["n"].to_numpy(dtype=float)
    size = codes.max(initial=-1) + 1
    yes, no = (np.bincount(codes, n * mask, size).astype(float) for mask in (is_good, ~is_good))
    if not (yes.any() and no.any()):
        return False
    return _repeats(yes, no) or _has_one_value(yes, no) or _has_one_value(no, yes)


def _repeats(yes: NDArray[np.float64], no: NDArray[np.float64]) -> bool:
    if (np.minimum(yes, no) > 0).any():
        return False
    share = yes.sum() / (yes + no).sum()
    return bool(np.log(share ** (yes + no) + (1 - share) ** (yes + no)).sum() < np.log(BY_CHANCE))


def _has_one_value(own: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Say whether all rows of one answer have one value, which as many rows of the other would not all have."""
    [present, *others] = np.flatnonzero(own)
    # Laplace's rule of succession: that few rows lack a value does not say that all would.
    return not others and bool(((other[present] + 1) / (other.sum() + 2)) ** own[present] < BY_CHANCE)


DIFFERS = 0.01
"""Groups differ in a column that explains at least this share of who is in which."""


FOLLOWS = 0.8
"""A column that explains more of the decisions than this may follow from them."""


@dataclass(frozen=True)
class Comparable:
    """A column inside whose values the groups can be compared.

    Parameters
    ----------
    column : str
        The column.
    low, high : float
        The lowest and the highest share, or mean, that its values with enough rows have.
    explained : float
        The share of the variance of decisions between its values, from 0 to 1.
    spread : float
        The share of the variance of who is in which group between its values, from 0 to 1.
    """

    column: str
    low: float
    high: float
    explained: float
    spread: float

    @property
    def groups_differ(self) -> bool:
        """Whether its values are spread otherwise in the one group than in the other."""
        return self.spread >= DIFFERS


@dataclass(frozen=True)
class ComparableColumns:
    """Columns inside which the groups can be compared, and those that seem to follow from the decision."""

    found: tuple[Comparable, ...]
    follow: tuple[str, ...]


def comparable_columns(
    table: Table,
    columns: Iterable[str],
    *,
    decision: str,
    favorable: Condition | None,
    protected: Condition,
    where: Condition | None = None,
    cuts: Mapping[str, Sequence[float]] | None = None,
    min_rows: int = 30,
) -> ComparableColumns:
    """Return the columns, those that decisions and groups vary with most first.

    A column is left out of which no two values have enough rows or none holds both groups. What is made of an amount
    follows from it: numbers in bands that explain nearly all of it, and values of which no two have amounts in common.
    A grade explains as much of pay, but people of two grades may be paid alike.

    Parameters
    ----------
    favorable : Condition, optional
        The good outcome; None where the decision is an amount.
    cuts : mapping, optional
        For columns of numbers, the cuts between bands.
    """
    found, follow = [], []
    for column in columns:
        try:
            cells = _cells(table, column, decision, favorable, protected, where)
        except FairauditError:
            continue
        bands = None if cuts is None else cuts.get(column)
        if bands is not None:
            known = cells["value"].notna()
            cells.loc[known, "value"] = np.digitize(cells.loc[known, "value"].astype(float), bands)
        one = _comparable(column, cells, min_rows)
        if one is None:
            continue
        may_follow = one.explained >= FOLLOWS
        is_made = favorable is not None or bands is not None
        if may_follow and (is_made or not _have_amounts_in_common(table, column, decision, where)):
            follow.append(column)
        else:
            found.append(one)
    return ComparableColumns(tuple(sorted(found, key=lambda one: -(one.explained + one.spread))), tuple(follow))


def _have_amounts_in_common(table: Table, column: str, decision: str, where: Condition | None) -> bool:
    """Return whether the amounts of two values overlap."""
    rows = table.counts({"value": column, "amount": decision}, where=where).dropna()
    ends = rows.groupby("value")["amount"].agg(["min", "max"]).sort_values("min")
    return bool((ends["min"].iloc[1:].to_numpy() <= ends["max"].cummax().iloc[:-1].to_numpy()).any())


def _cells(
    table: Table, column: str, decision: str, favorable: Condition | None, protected: Condition, where: Condition | None
) -> pd.DataFrame:
    """Return rows, the sum of decisions and that of their squares by value of a column and group."""
    by: dict[str, str | Condition] = {"value": column, "protected": protected}
    if favorable is None:
        frame = table.moments(decision, by, where=where)
        frame = frame[(frame["n"] > 0) & frame["protected"].notna()]
        n, mean = frame["n"].astype(float), frame["mean"].astype(float)
        squares = frame["variance"].fillna(0.0).astype(float) * (n - 1) + n * mean**2
        sums = n * mean
    else:
        frame = table.counts({**by, "good": favorable}, where=where)
        frame = frame[frame["good"].notna() & frame["protected"].notna()]
        n = frame["n"].astype(float)
        sums = squares = n * frame["good"].astype(float)
    sides = frame["protected"].astype(bool)
    return pd.DataFrame({"value": frame["value"], "protected": sides, "n": n, "sum": sums, "squares": squares})


def _comparable(column: str, cells: pd.DataFrame, min_rows: int) -> Comparable | None:
    values = cells.groupby("value", dropna=False)[["n", "sum", "squares"]].sum()
    own = cells[cells["protected"]].groupby("value", dropna=False)["n"].sum().reindex(values.index, fill_value=0.0)
    n, means = values["n"].to_numpy(), (values["sum"] / values["n"]).to_numpy()
    enough, holds_both = n >= min_rows, (own > 0) & (own < values["n"])
    if enough.sum() < 2 or not holds_both.any():
        return None
    total = float(n.sum())
    mean = float(values["sum"].sum()) / total
    whole = float(values["squares"].sum()) / total - mean**2
    between = float(np.sum(n * (means - mean) ** 2)) / total
    if whole <= 1e-12 * max(1.0, mean**2):
        return None
    overall, shares = float(own.sum()) / total, own.to_numpy() / n
    spread = float(np.sum(n * (shares - overall) ** 2)) / total / (overall * (1 - overall))
    low, high = float(means[enough].min()), float(means[enough].max())
    return Comparable(column, low, high, between / whole, spread)
