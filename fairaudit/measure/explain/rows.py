"""The rows that a gap is explained with: combinations of group, outcome and controls, each with its count."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.code_columns import refuse_open_codes
from fairaudit.data.roles import make_outcome
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.measure.comparison import rows as rows_text
from fairaudit.measure.controlled import column_list, lacking, protected_condition
from fairaudit.measure.grouping import value_names
from fairaudit.measure.means import LARGEST
from fairaudit.measure.weighted import (
    CLUSTER,
    SUMS,
    Drawn,
    Moves,
    asked_design,
    covariances,
    drawn_by,
    units_and_strata,
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Which = Flags | NDArray[np.intp]
"""Some combinations: a mask, or their places."""

FEW_NUMBERS = 10
"""Most distinct numbers of a column that is taken as classes."""

MOST_VALUES = 50
"""Most distinct values of a control of classes."""

CLASSES = 5
"""Classes of about equal size that numbers are binned into for strata."""

WEIGHT = "weight"
"""The column of counts that says what each row of a sample counts for."""

MOST_COMBINATIONS = 5_000_000


@dataclass(frozen=True, eq=False)
class Control:
    """One control, by combination.

    Parameters
    ----------
    name : str
        The column.
    codes : ndarray of int, shape (n_combinations,)
        Its class, an index into `levels`.
    levels : tuple of str
        The values or classes.
    numbers : ndarray, shape (n_combinations,), optional
        The numbers themselves, NaN where missing; None where the values are classes.
    """

    name: str
    codes: NDArray[np.int64]
    levels: tuple[object, ...]
    numbers: Floats | None = None

    def kept(self, which: Which) -> Control:
        """Return the control for some combinations."""
        return Control(self.name, self.codes[which], self.levels, None if self.numbers is None else self.numbers[which])


@dataclass(frozen=True, eq=False)
class Sample:
    """How combinations of a weighted sample were drawn.

    Parameters
    ----------
    counts : DataFrame
        One row a combination: how many rows, from which stratum and cluster, and sums of their weights.
    drawn : Drawn
        What was drawn in all.
    """

    counts: pd.DataFrame
    drawn: Drawn

    def kept(self, which: Which) -> Sample:
        """Return it for some combinations."""
        return Sample(self.counts[which] if which.dtype == bool else self.counts.iloc[which], self.drawn)

    @property
    def freedom(self) -> float:
        """Units that have rows here, less strata."""
        n_units, n_strata = units_and_strata(self.counts, np.ones(len(self.counts), dtype=bool), self.drawn)
        return float(max(n_units - n_strata, 1))

    def variance(self, moves: Floats) -> float:
        """Return the variance of a figure from what a weight of 1 moves it by."""
        steady = Moves(moves[:, None], np.zeros((len(moves), 1)))
        return float(covariances(self.counts, steady, self.drawn)[0, 0])


@dataclass(frozen=True, eq=False)
class Rows:
    """Combinations of group, outcome, controls and cluster that occur, each with its count.

    Parameters
    ----------
    people : ndarray, shape (n_combinations,)
        Rows of each.
    n : ndarray, shape (n_combinations,)
        What they count for: the same, or times their sampling weight, of which the mean over all rows is 1.
    y : ndarray, shape (n_combinations,)
        The outcome: 1 for the good one and 0, or the amount.
    protected : ndarray of bool, shape (n_combinations,)
        Whether they are in the protected group.
    controls : tuple of Control
        The controls.
    clusters : ndarray of int, shape (n_combinations,), optional
        Which rows depend on each other.
    sample : Sample, optional
        How they were drawn, where rows have sampling weights.
    n_left_out : int
        Rows that meet the filter, but whose group or outcome is not known.
    is_share : bool
        Whether the outcome is good or not, and no amount.
    """

    people: Floats
    n: Floats
    y: Floats
    protected: Flags
    controls: tuple[Control, ...]
    clusters: NDArray[np.int64] | None
    n_left_out: int
    is_share: bool
    sample: Sample | None = None

    def kept(self, which: Which) -> Rows:
        """Return some of the combinations."""
        return replace(
            self,
            people=self.people[which],
            n=self.n[which],
            y=self.y[which],
            protected=self.protected[which],
            controls=tuple(control.kept(which) for control in self.controls),
            clusters=None if self.clusters is None else self.clusters[which],
            sample=None if self.sample is None else self.sample.kept(which),
        )

    @property
    def weights(self) -> Floats:
        """What one row of each combination counts for."""
        return self.n / self.people

    @property
    def freedom(self) -> float:
        """Units of the sample, or clusters, less strata; endless where rows depend on nothing."""
        if self.sample is not None:
            return self.sample.freedom
        return math.inf if self.clusters is None else float(max(len(np.unique(self.clusters)) - 1, 1))

    def variance(self, moves: Floats, n_columns: int = 1) -> float:
        """Return the variance of a figure from what each row moves it by, robust and by how rows were drawn.

        That of a weighted sample is multiplied by ``(n - 1) / (n - n_columns)``, which makes it HC1 without strata.
        """
        if self.sample is None:
            return variance_of(moves, self.people, self.clusters, n_columns)
        total = float(self.people.sum())
        return self.sample.variance(moves) * (total - 1) / max(total - n_columns, 1.0)

    def size(self, protected: bool) -> float:
        """Return what the rows of a group count for."""
        return float(self.n[self.protected == protected].sum())

    def n_people(self, protected: bool) -> int:
        """Return how many rows a group has."""
        return int(self.people[self.protected == protected].sum())

    def n_good(self, protected: bool) -> int:
        """Return how many rows of a group have the good outcome."""
        mask = self.protected == protected
        return round(float((self.people * self.y)[mask].sum()))

    def mean(self, protected: bool) -> float:
        """Return the mean outcome of a group."""
        mask = self.protected == protected
        return float((self.n * self.y)[mask].sum() / self.n[mask].sum())


def read_rows(
    table: object,
    *,
    decision: str,
    favorable: object,
    protected: Condition | str,
    controls: str | Sequence[str],
    where: Condition | str | None,
    cluster: str | None,
    is_checked: bool = True,
) -> tuple[Rows, Table, Condition, str | None]:
    """Count a table by all that is needed, with one query, and check the controls.

    `favorable` is None for an amount. Returns the rows, the table, who is protected, and the good outcome. Controls
    that are not to be checked may have any number of values, and say all or nothing.
    """
    table = asked_design(as_weighted(table, decision=decision), cluster)
    names = column_list(controls, "controls", table) if is_checked or controls else ()
    condition = protected_condition(table, protected)
    if decision in names:
        raise InputError(f"The column {quote(decision)} is the decision itself.", hint="Take what was known before it.")
    is_share = favorable is not None
    if is_share:
        outcome: str | Condition = make_outcome(table, decision, favorable).condition
    else:
        outcome = decision
        if table.column(decision).kind != "number":
            raise InputError(
                f"The decision {quote(decision)} is to be an amount, but holds {table.column(decision).kind} values.",
                hint="Say which values are the favourable result (favorable).",
            )
    by: dict[str, str | Condition] = {"group": condition, "outcome": outcome}
    by |= {f"control {i}": name for i, name in enumerate(names)}
    design = table.design
    if design is not None:
        by |= {WEIGHT: design.weights} | drawn_by(design)
    elif cluster is not None:
        by[CLUSTER] = table.column(cluster).name
    counted = table.counts(by, where=table.condition(where))
    if len(counted) > MOST_COMBINATIONS:
        raise InputError(
            f"The columns make {len(counted):,} combinations; at most {MOST_COMBINATIONS:,} can be taken.",
            hint="Put numbers into classes, or take a sample.",
        )
    known = counted["group"].notna() & counted["outcome"].notna()
    left_out = int(counted.loc[~known, "n"].sum())
    counted = counted[known].reset_index(drop=True)
    inside = counted["group"].astype(bool).to_numpy()
    people = counted["n"].to_numpy(dtype=float)
    n = people
    if design is not None:
        weights = counted[WEIGHT].to_numpy(dtype=float)
        n = people * (weights / (np.average(weights, weights=people) if len(people) else 1.0))
    for mask, group in ((inside, condition), (~inside, None)):
        if (n_known := int(people[mask].sum())) < 2:
            has = f"{rows_text(n_known)} with a known decision; at least 2 are needed"
            raise lacking(group, has, "too few rows with a known decision")
    most = MOST_VALUES if is_checked else len(counted) + 1
    read = tuple(
        read_control(name, counted[f"control {i}"], n, table.column(name).kind == "number", most)
        for i, name in enumerate(names)
    )
    if is_checked:
        refuse_open_codes(table, (control.name for control in read if control.numbers is not None))
    sample, clusters = _sample(table, counted, n), None
    if sample is not None:
        clusters = sample.drawn.units_of(sample.counts)
    elif CLUSTER in counted:
        clusters = pd.factorize(counted[CLUSTER], use_na_sentinel=False)[0]
    rows = Rows(
        people=people,
        n=n,
        y=counted["outcome"].astype(float).to_numpy(),
        protected=inside,
        controls=read,
        clusters=clusters,
        n_left_out=left_out,
        is_share=is_share,
        sample=sample,
    )
    for mask, text in ((inside, "The protected group"), (~inside, "Everyone else")):
        # What the rows of one cluster move a mean by adds up to nothing.
        if rows.clusters is not None and len(np.unique(rows.clusters[mask])) < 2:
            raise GroupError(
                f"{text} has rows in one value of {quote(by[CLUSTER])} only, so chance cannot be judged.",
                uncounted=f"{text} has rows in one value of {quote(by[CLUSTER])} only.",
                hint="Choose a column with several values in both groups (cluster), or none.",
            )
    if not (np.abs(rows.y) <= LARGEST).all():
        raise InputError(
            f"The decision {quote(decision)} holds endless numbers, or such whose squares cannot be added up.",
            hint="Correct these amounts, or leave the rows out with a filter.",
        )
    for control in read if is_checked else ():
        _check(control, rows, decision)
    return rows, table, condition, str(outcome) if is_share else None


def _sample(table: Table, counted: pd.DataFrame, n: Floats) -> Sample | None:
    """Return how combinations were drawn; None where rows have no weights. `n` is what each of them counts for."""
    if (drawn := Drawn.of(table)) is None:
        return None
    people = counted["n"].to_numpy(dtype=float)
    nothing = dict.fromkeys(SUMS, 0.0)
    return Sample(counted[["n", *drawn.keys]].assign(**nothing | {"w": n, "w2": n**2 / people}), drawn)


def read_control(name: str, values: pd.Series, n: Floats, is_number: bool, most_values: int = MOST_VALUES) -> Control:
    """Return a column as a control."""
    if is_number:
        numbers = values.astype(float).to_numpy()
        if (np.abs(numbers) > LARGEST).any():
            raise InputError(
                f"The column {quote(name)} holds endless numbers, or such whose squares cannot be added up.",
                hint="Correct them, or leave the rows out with a filter.",
            )
        if _are_many(numbers):
            codes, levels = _classes(numbers, n)
            return Control(name, codes, levels, numbers)
    codes, level = pd.factorize(values, sort=True, use_na_sentinel=True)
    missing = codes < 0
    found = [*level, None] if missing.any() else list(level)
    if len(found) > most_values:
        raise InputError(
            f"The column {quote(name)} has {len(found):,} different values; at most {most_values} can be held equal.",
            hint="Put them into classes first, or choose another column.",
        )
    return Control(name, np.where(missing, len(level), codes), tuple(map(str, value_names(found))))


def _classes(numbers: Floats, n: Floats) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Put numbers into classes of about equal size, with one more for missing ones."""
    known = np.isfinite(numbers)
    order = np.argsort(numbers[known], kind="stable")
    ascending, below = numbers[known][order], np.cumsum(n[known][order])
    cuts = np.unique(ascending[np.searchsorted(below, below[-1] * np.arange(1, CLASSES) / CLASSES)])
    # Where most have the largest number, the others are the one class below it.
    cuts = cuts[cuts < ascending[-1]] if cuts[0] < ascending[-1] else ascending[ascending < ascending[-1]][-1:]
    codes = np.where(known, np.searchsorted(cuts, numbers), len(cuts) + 1)
    texts = [f"{cut:g}" for cut in cuts]
    levels = [
        f"up to {texts[0]}",
        *(f"{a} to {b}" for a, b in itertools.pairwise(texts)),
        f"above {texts[-1]}",
    ]
    return codes, (*levels, "missing")


def _check(control: Control, rows: Rows, decision: str) -> None:
    """Refuse a control that says nothing, or that is the group or the decision under another name."""
    name = quote(control.name)
    if control.numbers is not None:
        if not _ranges_meet(control.numbers, rows.protected):
            raise _says_who(name)
        return
    size = len(control.levels)
    if control.codes.min() == control.codes.max():
        raise InputError(f"The column {name} has one value only, so it explains nothing.", hint="Leave it out.")
    inside = np.bincount(control.codes, rows.n * rows.protected, size)
    outside = np.bincount(control.codes, rows.n * ~rows.protected, size)
    if not ((inside > 0) & (outside > 0)).any():
        raise _says_who(name)
    if not rows.is_share or rows.y.min() == rows.y.max():
        return
    good, all_rows = np.bincount(control.codes, rows.n * rows.y, size), inside + outside
    if ((good == 0) | (good == all_rows)).all():
        raise InputError(
            f"The column {name} says how each case was decided: it repeats the decision {quote(decision)}.",
            hint="Take what was known before the decision.",
        )


def _are_many(numbers: Floats) -> bool:
    """Say whether a column has more different numbers than are taken as classes."""
    known = numbers[np.isfinite(numbers)]
    # The first thousands settle it for nearly every column.
    return any(len(np.unique(part)) > FEW_NUMBERS for part in (known[:5_000], known))


def _says_who(name: str) -> InputError:
    return InputError(
        f"No value of the column {name} is found in both groups: it says who is protected.",
        hint="Leave it out; with the group itself held equal there is nothing left to compare.",
    )


def _ranges_meet(numbers: Floats, protected: Flags) -> bool:
    ends = [
        (np.nanmin(numbers[m]), np.nanmax(numbers[m])) for m in (protected, ~protected) if np.isfinite(numbers[m]).any()
    ]
    return len(ends) == 2 and bool(max(ends[0][0], ends[1][0]) <= min(ends[0][1], ends[1][1]))


# Least squares and logistic regression on counted rows, with what each row moves the coefficients by.

MOST_STEPS = 60
RIDGE = 1e-9
"""Times the rows: holds coefficients finite where the outcome is separated, and moves no figure that is shown."""


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A fitted model.

    Parameters
    ----------
    coefficients : ndarray, shape (n_columns,)
        The coefficients.
    bread : ndarray, shape (n_columns, n_columns)
        The inverse of the (observed) information.
    residuals : ndarray, shape (n_rows,)
        Outcome minus prediction.
    """

    coefficients: Floats
    bread: Floats
    residuals: Floats


def design(
    controls: tuple[Control, ...], n: Floats, *, flexible: bool = False
) -> tuple[Floats, list[NDArray[np.int64]]]:
    """Return the matrix of the controls with a column of ones first, and the columns of each control.

    The most frequent class is left out. Numbers are standardised, a missing one is the mean, with a column that says
    so; `flexible` also gives them their classes.
    """
    parts: list[Floats] = [np.ones((len(n), 1))]
    places, at = [], 1
    for control in controls:
        part = _columns(control, n, flexible)
        parts.append(part)
        places.append(np.arange(at, at + part.shape[1]))
        at += part.shape[1]
    return np.hstack(parts), places


def _columns(control: Control, n: Floats, flexible: bool) -> Floats:
    found = []
    if control.numbers is not None:
        missing = ~np.isfinite(control.numbers)
        weights = np.where(missing, 0.0, n)
        mean = np.average(np.where(missing, 0.0, control.numbers), weights=weights)
        away = np.where(missing, 0.0, control.numbers - mean)
        spread = np.sqrt(np.average(away**2, weights=weights))
        found.append((away / (spread or 1.0))[:, None])
        if missing.any():
            found.append(missing.astype(float)[:, None])
        if not flexible:
            return np.hstack(found)
    size = np.bincount(control.codes, n, len(control.levels))
    others = [code for code in range(len(control.levels)) if size[code] and code != int(np.argmax(size))]
    found.append((control.codes[:, None] == np.array(others, dtype=np.int64)).astype(float))
    return np.hstack(found)


def least_squares(x: Floats, y: Floats, n: Floats) -> FittedModel:
    """Fit a linear model by least squares; columns that say the same share their coefficient."""
    bread = np.asarray(np.linalg.pinv(x.T @ (x * n[:, None]), rcond=1e-12, hermitian=True), dtype=float)
    coefficients = bread @ (x.T @ (n * y))
    return FittedModel(coefficients, bread, y - x @ coefficients)


def logistic(x: Floats, y: Floats, n: Floats, ridge: float = RIDGE) -> FittedModel:
    """Fit a logistic model by Newton's method."""
    penalty = ridge * n.sum()
    coefficients = np.zeros(x.shape[1])
    share = min(max(np.average(y, weights=n), 1e-6), 1 - 1e-6)
    coefficients[0] = np.log(share / (1 - share))
    loss = _loss(x @ coefficients, y, n) + penalty / 2 * coefficients @ coefficients
    for _ in range(MOST_STEPS):
        chance = special.expit(x @ coefficients)
        slope = x.T @ (n * (y - chance)) - penalty * coefficients
        bend = x.T @ (x * (n * chance * (1 - chance))[:, None]) + penalty * np.eye(x.shape[1])
        step = np.linalg.solve(bend, slope)
        part = 1.0
        while True:
            moved = coefficients + part * step
            new = _loss(x @ moved, y, n) + penalty / 2 * moved @ moved
            if new <= loss or part < 1e-4:
                break
            part /= 2
        done = abs(loss - new) <= 1e-12 * (abs(loss) + 1e-12)
        coefficients, loss = moved, new
        if done:
            break
    chance = special.expit(x @ coefficients)
    bend = x.T @ (x * (n * chance * (1 - chance))[:, None]) + penalty * np.eye(x.shape[1])
    return FittedModel(coefficients, np.linalg.inv(bend), y - chance)


def _loss(score: Floats, y: Floats, n: Floats) -> float:
    # log(1 + exp(-s)) for y = 1, log(1 + exp(s)) for y = 0
    return float(n @ (np.logaddexp(0.0, score) - y * score))


def variance_of(moves: Floats, n: Floats, clusters: NDArray[np.int64] | None, n_columns: int = 1) -> float:
    """Return the variance of a figure from what each row moves it by, robust and allowing for clusters."""
    total = n.sum()
    if clusters is None:
        return float(n @ moves**2 * total / max(total - n_columns, 1.0))
    sums = np.bincount(clusters, n * moves)
    groups = len(np.unique(clusters))
    return float(sums @ sums * groups / max(groups - 1, 1) * (total - 1) / max(total - n_columns, 1.0))


def correlation_with(control: Control, protected: NDArray[np.bool_], n: Floats) -> float:
    """Return how strongly a control goes with the group: the root of what its classes explain of that."""
    size = np.bincount(control.codes, n)
    share = np.divide(np.bincount(control.codes, n * protected), size, out=np.zeros(len(size)), where=size > 0)
    whole = np.average(protected, weights=n)
    return float(np.sqrt((size @ (share - whole) ** 2) / (n.sum() * whole * (1 - whole))))
