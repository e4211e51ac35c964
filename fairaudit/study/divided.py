"""The rows of an audit, divided and ready for models, whatever the kind of the decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.errors import ConditionError, GroupError, InputError, LimitError, quote
from fairaudit.estimators.base import Split, split_rows
from fairaudit.findings import REST
from fairaudit.measure.controlled import column_list
from fairaudit.measure.grouping import MISSING, check_group_count, distinct_names, group_names, group_rows
from fairaudit.measure.not_known import NotKnown, columns_not_known, groups_not_known
from fairaudit.measure.results import Stratified
from fairaudit.messages import called
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.names import names_of_models
from fairaudit.plan.questions import CheckPlan
from fairaudit.study.columns import feature_columns, protected_columns


@dataclass(frozen=True, eq=False)
class StrataRows:
    """The columns that make the strata of a question, of all rows of a study.

    Parameters
    ----------
    columns : DataFrame, shape (n, n_columns)
        Their values.
    cuts : mapping of str to sequence of float
        For those that are cut into bands, where.
    """

    columns: pd.DataFrame
    cuts: Mapping[str, Sequence[float]]

    @classmethod
    def of(cls, rows: pd.DataFrame, question: CheckPlan | None) -> Self | None:
        """Take the columns of a question; None where there is none."""
        return None if question is None else cls(rows[list(question.strata)], question.strata_cuts)


@dataclass(frozen=True, eq=False)
class PeopleColumns:
    """What is known of the people of a study, for a search of what is predicted for them.

    Parameters
    ----------
    columns : DataFrame, shape (n, n_columns)
        The features and the columns that groups are made of.
    protected : tuple of str
        Those of them that the protected condition and the groups are made of.
    """

    columns: pd.DataFrame
    protected: tuple[str, ...]

    @classmethod
    def of(cls, rows: pd.DataFrame, asked: ModelQuestion) -> Self | None:
        """Take the columns; None where the plan does not ask for the search."""
        if not asked.models.search_predictions:
            return None
        protected = tuple(
            dict.fromkeys(name for name in (*asked.protected.columns, *asked.by) if name != asked.outcome)
        )
        return cls(rows[list(dict.fromkeys((*asked.features, *protected)))], protected) if protected else None


def question_inside(table: Table, plan: AuditPlan, protected: Condition, where: Condition | None) -> CheckPlan | None:
    """Return the first question about these groups that has strata; None where there is none, or not in this table."""
    for check in plan.checks:
        if check.strata and plan.decision.column not in check.strata and set(check.strata) <= set(table.columns):
            with suppress(ConditionError):
                asked = (table.condition(check.protected), table.condition(check.where))
                if tuple(map(str, asked)) == tuple(map(str, (protected, where))):
                    return check
    return None


# Who is protected, who is in the population and who is in which group, among the rows of a study.

MAX_ROWS = 1_000_000
"""Rows that models learn from in memory; more are refused."""


@dataclass(frozen=True, eq=False)
class ModelQuestion:
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
    def of(cls, table: Table, plan: AuditPlan) -> ModelQuestion:
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
    protected, known, in_filter : ndarray of bool, shape (n,)
        Who is protected, of whom that is known, and who meets the filter.
    groups : ndarray of str, shape (n,)
        The group of each row.
    group_names : tuple of str
        The groups of those who meet the filter.
    group_known : ndarray of bool, shape (n,)
        False where a value that makes the group is missing.
    """

    protected: NDArray[np.bool_]
    known: NDArray[np.bool_]
    in_filter: NDArray[np.bool_]
    groups: NDArray[np.object_]
    group_names: tuple[str, ...]
    group_known: NDArray[np.bool_]

    @classmethod
    def of(cls, rows: pd.DataFrame, asked: ModelQuestion) -> Standing:
        """Read who each row is."""
        truth = asked.protected.truth(rows)
        known = truth.notna().to_numpy()
        protected = truth.fillna(False).to_numpy(dtype=bool)
        inside = np.ones(len(rows), dtype=bool) if asked.where is None else asked.where.mask(rows)
        groups, names = groups_of_rows(rows, asked.by, protected, known, asked.name)
        return cls(
            protected=protected,
            known=known,
            in_filter=inside,
            groups=groups,
            group_names=tuple(name for name in names if (groups[inside] == name).any()),
            group_known=rows[list(asked.by)].notna().all(axis=1).to_numpy() if asked.by else known,
        )

    @property
    def population(self) -> NDArray[np.bool_]:
        """Who is looked at: of whom it is known whether they are protected, those who meet the filter."""
        return self.known & self.in_filter

    @property
    def n_filtered_out(self) -> int:
        """How many rows do not meet the filter, of those of whom it is known whether they are protected."""
        return int((self.known & ~self.population).sum())

    @property
    def codes(self) -> NDArray[np.int64]:
        """A number for each group and standing, from which strata are made."""
        group = pd.factorize(self.groups)[0].astype(np.int64)
        codes = group * 3 + np.where(self.known, np.where(self.protected, 1, 0), 2)
        return 2 * codes + self.in_filter

    def divided(self, strata: NDArray[np.int64], seed: int, models: ModelsPlan) -> Split:
        """Divide the rows, alike in every stratum: models are chosen by and judged on those alone who are looked at.

        Shapes: `strata` (n,).
        """
        return divided_rows(strata, seed, self.known, self.in_filter, models)


def divided_rows(
    strata: NDArray[np.int64],
    seed: int,
    known: NDArray[np.bool_],
    in_filter: NDArray[np.bool_],
    models: ModelsPlan,
) -> Split:
    """Divide the rows as :meth:`Standing.divided`. Shapes: `strata`, `known`, `in_filter` (n,)."""
    split = split_rows(strata, random_state=seed).holding_out(known)
    return split.about(in_filter, all_teach=models.learn_from == "everyone")


def unknown_groups(
    table: Table, asked: ModelQuestion, who: Standing, decision: Condition, used: Iterable[str] = ()
) -> tuple[NotKnown, ...]:
    """Find rows that are counted in a group, or learned from, although their value says that it is not known.

    Beside the columns of the models' question, others that are `used` are looked at.
    """
    counted = who.population if asked.by else who.known
    sizes = (int((counted & who.protected).sum()), int((counted & ~who.protected).sum()))
    where = asked.where if asked.by else asked.of_outcome
    groups = [name for name in asked.by if name not in asked.protected.columns]
    strata = () if asked.inside is None else asked.inside.strata
    apart = {*asked.protected.columns, *groups, asked.outcome}
    others = [name for name in dict.fromkeys((*asked.features, *strata, *used)) if name not in apart]
    return (
        *groups_not_known(table, asked.protected, sizes=sizes, where=where, decision=decision),
        *columns_not_known(table, groups, where=where, decision=decision),
        *columns_not_known(table, others, where=asked.of_outcome, decision=decision, says="value"),
    )


def known_rows(
    table: Table, columns: Iterable[str], asked: ModelQuestion, is_known: Callable[[pd.DataFrame], NDArray[np.bool_]]
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


@dataclass(frozen=True, eq=False)
class DividedRows(ABC):
    """The rows of an audit, ready for models; held in memory and never exported.

    All arrays are about the rows with a decision, in the order of the data.

    Parameters
    ----------
    X : DataFrame, shape (n, n_features)
        The features.
    y : ndarray, shape (n,)
        1 where the outcome is good, or the amounts.
    protected, population : ndarray of bool, shape (n,)
        Who is protected; who is looked at for the gap. Both are false where protection is unknown.
    known : ndarray of bool, shape (n,)
        Of whom it is known whether they are protected; others are learned from, but not judged.
    in_filter : ndarray of bool, shape (n,)
        Who meets the filter. Limits hold among them, models are chosen by them and judged on them.
    groups : ndarray of str, shape (n,)
        The group of each row.
    group_names : tuple of str
        The groups of those who meet the filter; ``"missing"`` last where rows have none.
    group_known : ndarray of bool, shape (n,)
        False where a value that makes the group is missing. Such rows are not made alike with anyone.
    strata : ndarray of int, shape (n,)
        Rows with the same number are divided alike between the parts.
    split : Split
        Which rows are learned from, tuned on and held out.
    facts : StudyFacts or AmountStudyFacts
        What a report says about all this.
    seed : int
        For everything that draws at random.
    plan : AuditPlan
        What was asked.
    inside : StrataRows, optional
        The columns inside whose values the groups are compared, too; None where no question has strata.
    people : PeopleColumns, optional
        What predictions are searched by for worst groups; None where the plan does not ask for it.
    number : int
        Which division of the rows this is; 0 the first.
    """

    X: pd.DataFrame
    y: NDArray[Any]
    protected: NDArray[np.bool_]
    population: NDArray[np.bool_]
    groups: NDArray[np.object_]
    group_names: tuple[str, ...]
    group_known: NDArray[np.bool_]
    known: NDArray[np.bool_]
    in_filter: NDArray[np.bool_]
    strata: NDArray[np.int64]
    split: Split
    facts: Any
    seed: int
    plan: AuditPlan
    inside: StrataRows | None = field(default=None, kw_only=True)
    people: PeopleColumns | None = field(default=None, kw_only=True)
    number: int = field(default=0, kw_only=True)

    @property
    def judged_groups(self) -> tuple[str, ...]:
        """The groups of people who may be judged: of whom it is known whether they are protected."""
        judged = set(self.groups[self.population])
        return tuple(name for name in self.group_names if name in judged)

    @property
    def compared(self) -> NDArray[np.bool_]:
        """Whose group counts where groups are made alike: it is known, and they meet the filter."""
        return self.group_known & self.in_filter

    @property
    def models(self) -> ModelsPlan:
        """The part of the plan that all models share."""
        return self.facts.plan

    def divided_again(self, number: int) -> Self:
        """Return the same rows, divided and drawn from in another way; `number` says in which."""
        seed = int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0])
        split = divided_rows(self.strata, seed, self.known, self.in_filter, self.models)
        held = split.held_out
        check_held_out(
            self.protected[held], self.population[held], self.models.protected_name or self.facts.protected_words
        )
        return replace(self, split=split, seed=seed, number=number, **self._judging(held))

    @abstractmethod
    def _judging(self, held: NDArray[np.int64]) -> dict[str, Any]:
        """Return the fields that judge models on some rows."""

    @abstractmethod
    def compared_inside(self, rows: Table, **asked: Any) -> Stratified:
        """Compare the protected group with the rest inside strata; `asked` says which columns hold what."""


def rows_of(rows: pd.DataFrame, asked: ModelQuestion, who: Standing) -> dict[str, Any]:
    """Return the fields of :class:`DividedRows` that say who the rows are, and what models see of them."""
    return {
        "X": rows[list(asked.features)],
        "protected": who.protected,
        "population": who.population,
        "groups": who.groups,
        "group_names": who.group_names,
        "group_known": who.group_known,
        "known": who.known,
        "in_filter": who.in_filter,
        "inside": StrataRows.of(rows, asked.inside),
        "people": PeopleColumns.of(rows, asked),
    }


def facts_of(table: Table, plan: AuditPlan, asked: ModelQuestion, who: Standing, split: Split) -> dict[str, Any]:
    """Return what the facts say of rows and columns, whatever the kind of the decision."""
    parts = {"n_train": len(split.train), "n_tune": len(split.tune), "n_held_out": len(split.held_out)}
    return parts | {
        "plan": asked.models,
        "features": asked.features,
        "protected_features": tuple(name for name in asked.features if name in protected_columns(table, plan)),
        "groups": who.group_names,
        "group_columns": asked.by,
        "protected_words": asked.protected.in_words(),
        "where_words": None if asked.where is None else asked.where.in_words(),
        "names": names_of_models(plan, asked.models, asked.protected, asked.inside),
        "outcome_where_words": None if asked.of_outcome is None else asked.of_outcome.in_words(),
        "n_rows": len(who.groups),
        "n_unknown": int((~who.known).sum()),
        "n_filtered_out": who.n_filtered_out,
    }
