"""The rows of an audit, divided and ready for models, whatever the kind of the decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.data.table import Table
from fairaudit.estimators.splitting import Split, split_rows
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import StratifiedFairness
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.names import names_of_models
from fairaudit.study.columns import protected_columns
from fairaudit.study.row_groups import Asked, Standing, check_held_out
from fairaudit.study.strata_rows import StrataRows


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
    groups : ndarray of str, shape (n,)
        The group of each row.
    group_names : tuple of str
        The groups; ``"missing"`` last where rows have none.
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
    strata: NDArray[np.int64]
    split: Split
    facts: Any
    seed: int
    plan: AuditPlan
    inside: StrataRows | None = field(default=None, kw_only=True)
    number: int = field(default=0, kw_only=True)

    @property
    def judged_groups(self) -> tuple[str, ...]:
        """The groups of people who may be judged: of whom it is known whether they are protected."""
        judged = set(self.groups[self.known])
        return tuple(name for name in self.group_names if name in judged)

    @property
    def models(self) -> ModelsPlan:
        """The part of the plan that all models share."""
        return self.facts.plan

    def divided_again(self, number: int) -> Self:
        """Return the same rows, divided and drawn from in another way; `number` says in which."""
        seed = int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0])
        split = split_rows(self.strata, random_state=seed).holding_out(self.known)
        held = split.held_out
        check_held_out(
            self.protected[held], self.population[held], self.models.protected_name or self.facts.protected_words
        )
        return replace(self, split=split, seed=seed, number=number, **self._judging(held))

    @abstractmethod
    def _judging(self, held: NDArray[np.int64]) -> dict[str, Any]:
        """Return the fields that judge models on some rows."""

    @abstractmethod
    def compared_inside(self, rows: pd.DataFrame, **asked: Any) -> StratifiedFairness | StratifiedMeans:
        """Compare the protected group with the rest inside strata; `asked` says which columns hold what."""


def rows_of(rows: pd.DataFrame, asked: Asked, who: Standing) -> dict[str, Any]:
    """Return the fields of :class:`DividedRows` that say who the rows are, and what models see of them."""
    return {
        "X": rows[list(asked.features)],
        "protected": who.protected,
        "population": who.population,
        "groups": who.groups,
        "group_names": who.group_names,
        "group_known": who.group_known,
        "known": who.known,
        "inside": StrataRows.of(rows, asked.inside),
    }


def facts_of(table: Table, plan: AuditPlan, asked: Asked, who: Standing, split: Split) -> dict[str, Any]:
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
