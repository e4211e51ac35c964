"""What is asked for, checked against the table: settings, outcome, and the columns that can be used."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.counting_sql import identifier
from fairaudit.data.roles import Outcome, make_outcome
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_POSITIVE, Positive
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.estimators.leakage import columns_that_reveal, columns_without_use
from fairaudit.measure.comparison import check_settings, check_whole, is_number, rows
from fairaudit.measure.errors_by_group import check_positive
from fairaudit.measure.means import finite_moments
from fairaudit.measure.not_known import NotKnown, answer_not_known
from fairaudit.subgroups.cells import Cells
from fairaudit.subgroups.kinds import Direction, Measure
from fairaudit.subgroups.levels import MOST_VALUES, Levels, cut_into_levels
from fairaudit.subgroups.measures import check_measure
from fairaudit.subgroups.results import LeftOut
from fairaudit.subgroups.scores import Population

MOST_CONDITIONS: Final = 4
"""A subgroup of more conditions is hard to picture, and tables of their levels are large."""

LEAST_FRACTION: Final = 0.1
"""The least share of the rows that searches, or judges."""

REVEALING_ROWS: Final = 20_000
"""Rows that near-copies of the decision are looked for in."""


@dataclass(frozen=True)
class Asking:
    """A search that can begin. The fields are the arguments of :func:`fairaudit.find_subgroups`.

    Parameters
    ----------
    outcome : dict of str to str or Condition
        What the table is counted by besides the columns: ``good`` or ``amount``, and ``predicted``.
    not_known : tuple of NotKnown
        Values of the decision, the prediction and the protected columns that say that something is not known.
    named : tuple of str
        The columns that subgroups may name.
    """

    table: Table
    outcome: dict[str, str | Condition]
    named: tuple[str, ...]
    protected: tuple[str, ...]
    measure: Measure
    max_conditions: int
    min_rows: int
    direction: Direction
    search_fraction: float
    confidence: float
    time_limit: float
    random_state: int
    where: Condition | None
    values_joined: int
    decision: str
    positive: Positive
    not_known: tuple[NotKnown, ...]


def read_asking(
    table: Table,
    *,
    decision: str,
    favorable: Any = None,
    columns: Sequence[str] | None = None,
    protected: Sequence[str] | None = None,
    prediction: Condition | str | None = None,
    measure: Measure = "selection",
    max_conditions: int = 3,
    min_rows: int = 50,
    direction: Direction = "both",
    search_fraction: float = 0.5,
    confidence: float = USUAL_CONFIDENCE,
    time_limit: float = 60,
    random_state: int = 0,
    where: Condition | str | None = None,
    values_joined: int = 2,
    positive: Positive = USUAL_POSITIVE,
) -> Asking:
    """Check what is asked against a table."""
    predicted = table.condition(prediction)
    has_good_outcome = favorable is not None
    check_measure(measure, has_prediction=predicted is not None, has_good_outcome=has_good_outcome)
    check_settings(0, confidence)
    check_positive(positive)
    check_whole("max_conditions", max_conditions, 1, MOST_CONDITIONS)
    check_whole("min_rows", min_rows, 1)
    check_whole("random_state", random_state, 0)
    check_whole("values_joined", values_joined, 1)
    if direction not in get_args(Direction):
        raise InputError(f"'direction' must be one of {', '.join(map(repr, get_args(Direction)))}, got {direction!r}.")
    most = 1 - LEAST_FRACTION
    if not is_number(search_fraction) or not (LEAST_FRACTION <= search_fraction <= most or search_fraction == 1):
        raise InputError(
            f"'search_fraction' must be a number from {LEAST_FRACTION} to {most}, or 1, got {search_fraction!r}.",
            hint="With 0.5, one half of the rows searches and the other half judges.",
        )
    if not is_number(time_limit) or not time_limit > 0:
        raise InputError(f"'time_limit' must be a number above 0, got {time_limit!r}.")
    outcome: dict[str, str | Condition] = {}
    judged: Outcome | str = decision
    if measure == "mean":
        if (kind := table.column(decision).kind) != "number":
            raise InputError(
                f"Column {quote(decision)} must hold numbers, got {kind} values.", hint="Choose a column of amounts."
            )
        outcome["amount"] = decision
    else:
        judged = make_outcome(table, decision, favorable)
        outcome["good"] = judged.condition
    if predicted is not None and measure != "selection" and measure != "mean":
        outcome["predicted"] = predicted
        if positive != USUAL_POSITIVE:
            # As on the page Errors: what is counted as good is then the other outcome.
            outcome = {key: ~part for key, part in outcome.items() if isinstance(part, Condition)}
    outcomes = {decision, *(() if predicted is None else predicted.columns)}
    wanted = _names("protected", protected)
    chosen = [name for name in table.columns if name not in outcomes] if columns is None else _names("columns", columns)
    for name in (*chosen, *wanted):
        table.column(name)
        if name in outcomes:
            raise InputError(
                f"Column {quote(name)} is the {'decision' if name == decision else 'prediction'}, so that no subgroup "
                "may name it.",
                hint="Leave it out of the columns.",
            )
    within = table.condition(where)
    return Asking(
        table=table,
        outcome=outcome,
        named=tuple(dict.fromkeys((*chosen, *wanted))),
        protected=tuple(wanted),
        measure=measure,
        max_conditions=max_conditions,
        min_rows=min_rows,
        direction=direction,
        search_fraction=search_fraction,
        confidence=confidence,
        time_limit=time_limit,
        random_state=random_state,
        where=within,
        values_joined=values_joined,
        decision=decision,
        positive=positive,
        not_known=answer_not_known(
            table, judged, where=within, columns=wanted, prediction=predicted if "predicted" in outcome else None
        ),
    )


def usable_columns(asking: Asking) -> tuple[tuple[Levels, ...], tuple[LeftOut, ...]]:
    """Cut the columns into levels; say which cannot be used, and why."""
    without_use, outcomes = columns_without_use(asking.table), _yes_or_no(asking)
    columns, left_out = [], []
    for name in asking.named:
        found: Levels | str | None = without_use.get(name)
        if found is None:
            values = asking.table.values(name, where=asking.where, limit=MOST_VALUES + 1)
            found = _reveals(asking, name, outcomes, many=len(values) > MOST_VALUES) or cut_into_levels(
                asking.table,
                name,
                values,
                where=asking.where,
                min_rows=asking.min_rows,
                joined=asking.values_joined,
            )
        if isinstance(found, str):
            left_out.append(LeftOut(name, found))
        else:
            columns.append(found)
    names = {levels.name for levels in columns}
    if not columns or (asking.protected and names.isdisjoint(asking.protected)):
        reasons = "; ".join(f"{quote(each.column)}: {each.reason}" for each in left_out) or "none was named"
        raise InputError(
            f"No {'protected ' if columns else ''}column is left to search ({reasons}).",
            hint="Choose columns with few values, or numbers.",
        )
    return tuple(columns), tuple(left_out)


def check_cells(cells: Cells, asking: Asking) -> None:
    """Refuse rows in which nothing can be compared."""
    if not cells.n_rows:
        raise _no_row(asking)
    if len(np.unique(cells.value)) < 2:
        raise GroupError(
            f"All {rows(cells.n_rows)} have the same outcome for the measure {asking.measure!r}: no subgroup differs.",
            uncounted="All rows have the same outcome, so no subgroup differs.",
            hint="Choose another favourable result, measure or filter.",
        )


def population_of(cells: Cells, asking: Asking) -> Population:
    """Return what subgroups of the rows that are searched are compared with."""
    n, total = cells.n_rows, math.fsum((cells.n * cells.value).tolist())
    squares = math.fsum((cells.n * (cells.value - total / n) ** 2).tolist())
    if not squares:
        raise GroupError(
            f"The {rows(n)} that are searched have the same outcome.",
            uncounted="The rows that are searched have the same outcome.",
            hint="Choose a larger 'search_fraction' or another measure.",
        )
    least = max(1, math.ceil(asking.min_rows * asking.search_fraction))
    return Population(n, total, math.sqrt(squares / n), asking.measure != "mean", least)


def _no_row(asking: Asking) -> GroupError:
    return GroupError(
        f"None of {rows(asking.table.n_rows)} can be used for the measure {asking.measure!r}.",
        uncounted="No row can be used for the measure.",
        hint="Choose a wider filter, another measure or another decision.",
    )


def _yes_or_no(asking: Asking) -> dict[str, Condition]:
    """Return decision and prediction as conditions; an amount is above its median or not."""
    conditions = {key: part for key, part in asking.outcome.items() if isinstance(part, Condition)}
    if conditions:
        return conditions
    [row] = finite_moments(asking.table, asking.decision, {}, asking.where).to_dict("records")
    if not row["n"]:
        raise _no_row(asking)
    text = f"{identifier(asking.decision)} > {float(row['median'])!r}"
    return {"good": Condition.parse(text, asking.table.columns)}


def _reveals(asking: Asking, name: str, outcomes: dict[str, Condition], *, many: bool) -> str | None:
    """Say whether a column alone gives the decision or its prediction away; of `many` values, the first rows do."""
    for key, condition in outcomes.items():
        if many:
            head = asking.table.head(REVEALING_ROWS, asking.where)
            sample = pd.DataFrame({"column": head[name], "outcome": condition.truth(head)}).dropna(subset="outcome")
        else:
            counted = asking.table.counts({"column": name, "outcome": condition}, where=asking.where)
            counted = counted[counted["outcome"].notna()]
            # In proportion: what a column gives away in all rows, it gives away in these.
            n = counted["n"].to_numpy(dtype=float)
            n = np.ceil(n * min(1.0, REVEALING_ROWS / max(n.sum(), 1.0))).astype(np.int64)
            sample = counted.loc[counted.index.repeat(n), ["column", "outcome"]].reset_index(drop=True)
        if columns_that_reveal(sample[["column"]], sample["outcome"].astype(int)):
            return f"it alone nearly gives the {'prediction' if key == 'predicted' else 'decision'} away"
    return None


def _names(argument: str, names: Sequence[str] | None) -> list[str]:
    given = [] if names is None else [names] if isinstance(names, str) else list(names)
    if names is not None and not given:
        raise InputError(f"{argument!r} must name at least one column, got none.")
    return given
