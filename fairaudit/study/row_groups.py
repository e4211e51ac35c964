"""Who is protected, who is in the population and who is in which group, among the rows of a study."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError, LimitError, quote
from fairaudit.findings import REST
from fairaudit.measure.controlled import column_list
from fairaudit.measure.grouping import MISSING, check_group_count, distinct_names, group_names, group_rows
from fairaudit.measure.not_known import NotKnown, groups_not_known
from fairaudit.messages import called
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.study.columns import feature_columns
from fairaudit.study.strata_rows import question_inside

MAX_ROWS = 1_000_000
"""Rows that models learn from in memory; more are refused."""


@dataclass(frozen=True, eq=False)
class Asked:
    """What the models of a plan ask of the rows, checked against the columns.

    Parameters
    ----------
    models : ModelsPlan
        The part of the plan.
    features : tuple of str
        What models learn from.
    protected : Condition
        Who is protected.
    where : Condition, optional
        Who is looked at.
    by : tuple of str
        The columns that make the groups.
    outcome : str
        The column of the decision.
    inside : CheckPlan, optional
        The first question about the same groups that has strata; None where there is none.
    """

    models: ModelsPlan
    features: tuple[str, ...]
    protected: Condition
    where: Condition | None
    by: tuple[str, ...]
    outcome: str
    inside: CheckPlan | None = None

    @classmethod
    def of(cls, table: Table, plan: AuditPlan) -> Asked:
        """Check a plan against a table."""
        models = plan.models
        if models is None:
            raise InputError(
                "The plan has no part 'models', so nothing says what models learn from.",
                hint="Add [models] with 'features' and 'protected'.",
            )
        features = feature_columns(table, plan, models)
        protected, where = table.condition(models.protected), table.condition(models.where)
        if protected is None:
            raise InputError(
                "'protected' of the models is empty.", hint="Write a condition that says who is in the protected group."
            )
        by = column_list(models.by, "by", table) if models.by else ()
        inside = question_inside(table, plan, protected, where)
        return cls(models, features, protected, where, by, table.column(plan.decision.column).name, inside)

    @property
    def name(self) -> str:
        """What the protected group is called."""
        return self.models.protected_name or self.protected.in_words()

    @property
    def of_outcome(self) -> Condition | None:
        """What the filter says of the outcome alone: a row that does not meet it has no outcome to learn from."""
        return None if self.where is None else self.where.about(self.outcome)

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are needed, some perhaps twice."""
        conditions = [condition for condition in (self.protected, self.where) if condition is not None]
        strata = () if self.inside is None else self.inside.strata
        return (*self.features, *self.by, *strata, *(name for condition in conditions for name in condition.columns))


@dataclass(frozen=True, eq=False)
class Standing:
    """Who each row is.

    Parameters
    ----------
    protected, known, population : ndarray of bool, shape (n,)
        Who is protected, of whom that is known, and who of these is looked at.
    groups : ndarray of str, shape (n,)
        The group of each row.
    group_names : tuple of str
        The groups that there are.
    group_known : ndarray of bool, shape (n,)
        False where a value that makes the group is missing.
    """

    protected: NDArray[np.bool_]
    known: NDArray[np.bool_]
    population: NDArray[np.bool_]
    groups: NDArray[np.object_]
    group_names: tuple[str, ...]
    group_known: NDArray[np.bool_]

    @classmethod
    def of(cls, rows: pd.DataFrame, asked: Asked) -> Standing:
        """Read who each row is."""
        truth = asked.protected.truth(rows)
        known = truth.notna().to_numpy()
        protected = truth.fillna(False).to_numpy(dtype=bool)
        inside = np.ones(len(rows), dtype=bool) if asked.where is None else asked.where.mask(rows)
        groups, names = groups_of_rows(rows, asked.by, protected, known, asked.name)
        return cls(
            protected=protected,
            known=known,
            population=known & inside,
            groups=groups,
            group_names=names,
            group_known=rows[list(asked.by)].notna().all(axis=1).to_numpy() if asked.by else known,
        )

    @property
    def n_filtered_out(self) -> int:
        """How many rows do not meet the filter, of those of whom it is known whether they are protected."""
        return int((self.known & ~self.population).sum())

    @property
    def codes(self) -> NDArray[np.int64]:
        """A number for each group and standing, from which strata are made."""
        group = pd.factorize(self.groups)[0].astype(np.int64)
        return group * 3 + np.where(self.known, np.where(self.protected, 1, 0), 2)


def unknown_groups(table: Table, asked: Asked, who: Standing, decision: Condition) -> tuple[NotKnown, ...]:
    """Find rows that are counted in a group although their value says that it is not known."""
    counted = who.population if asked.by else who.known
    sizes = (int((counted & who.protected).sum()), int((counted & ~who.protected).sum()))
    where = asked.where if asked.by else asked.of_outcome
    return groups_not_known(table, asked.protected, sizes=sizes, where=where, decision=decision)


def known_rows(
    table: Table, columns: Iterable[str], asked: Asked, is_known: Callable[[pd.DataFrame], NDArray[np.bool_]]
) -> tuple[pd.DataFrame, int]:
    """Return the rows with a decision that the filter keeps and the columns that are needed, and how many others."""
    if table.n_rows > MAX_ROWS:
        raise LimitError(
            f"Models are fitted to at most {MAX_ROWS:,} rows, and the table has {table.n_rows:,}.",
            hint="Bring a table with fewer rows: those that the question is about, or a random sample.",
        )
    rows = table.to_pandas(list(dict.fromkeys(columns)))
    known = is_known(rows)
    if asked.of_outcome is not None:
        known = known & asked.of_outcome.mask(rows)
    return rows.loc[known].reset_index(drop=True), int((~known).sum())


def groups_of_rows(
    rows: pd.DataFrame, by: tuple[str, ...], protected: NDArray[np.bool_], known: NDArray[np.bool_], name: str
) -> tuple[NDArray[np.object_], tuple[str, ...]]:
    """Return the group of each row and all groups."""
    if by:
        grouping = group_rows(rows[list(by)], len(rows))
        check_group_count(grouping.n_groups, by)
        names = distinct_names(group_names(pd.DataFrame(grouping.labels)))
        codes = grouping.codes
    else:
        label = f"{name} (protected)" if name in (REST, MISSING) else name
        codes = np.where(known, np.where(protected, 0, 1), 2)
        names = [label, REST, MISSING]
    present = np.unique(codes)
    return np.array(names, dtype=object)[codes], tuple(names[code] for code in present)


def check_held_out(protected: NDArray[np.bool_], population: NDArray[np.bool_], name: str) -> None:
    """Refuse a division that leaves nobody to compare among the held-out rows."""
    sizes = {f"the protected group {quote(name)}": protected & population, called(REST): ~protected & population}
    for group, rows in sizes.items():
        if not rows.any():
            raise GroupError(
                f"No row of {group} is among the {len(population):,} test cases that models are judged on.",
                uncounted=f"No row of {group} is among the test cases that models are judged on.",
                hint="Check how the values are spelled in the condition, choose a wider filter, or bring more rows.",
            )
