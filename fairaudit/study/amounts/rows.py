"""The rows that models of an amount learn from and are judged on, and what makes that doubtful."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases
from fairaudit.data.table import Table, table_of_read_rows
from fairaudit.errors import GroupError, quote
from fairaudit.findings import Message
from fairaudit.measure.mean_strata import StratifiedMeans, check_mean_strata
from fairaudit.measure.means import check_means, proposed_tolerance
from fairaudit.measure.not_known import refuse_open
from fairaudit.measure.results import ControlledMeans
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import limit_set
from fairaudit.plan.roles import decision_of, refuse_open_cases, uncounted
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.cautions import group_warnings
from fairaudit.study.divided import (
    DividedRows,
    ModelQuestion,
    Standing,
    check_held_out,
    facts_of,
    known_rows,
    rows_of,
    unknown_groups,
)
from fairaudit.study.rows import MIN_ROWS
from fairaudit.study.sampled import study_rows

N_BANDS = 5
"""Bands of the amount, each of which is divided alike between the parts of the rows."""


@dataclass(frozen=True, eq=False)
class MeanJudge:
    """Compares means of the protected group and the rest, among the held-out rows that are looked at.

    Parameters
    ----------
    protected, population : ndarray of bool, shape (n_held_out,)
        Who is protected, and who is looked at, of whom that is known.
    name : str
        What the protected group is called.
    decision, protected_condition, where : str
        The words of the question; `where` may be None.
    tolerance, confidence : float
        Of the comparison.
    """

    protected: NDArray[np.bool_]
    population: NDArray[np.bool_]
    name: str
    decision: str
    protected_condition: str
    where: str | None
    tolerance: float
    confidence: float

    def means(self, values: NDArray[np.float64]) -> ControlledMeans:
        """Compare means.

        Shapes: `values` (n_held_out,).
        """
        protected, looked_at = (rows.astype(np.int64) for rows in (self.protected, self.population))
        found = check_means(
            table_of_read_rows(pd.DataFrame({"value": values, "protected": protected, "looked_at": looked_at})),
            decision="value",
            protected="protected = 1",
            where="looked_at = 1",
            tolerance=self.tolerance,
            confidence=self.confidence,
        )
        return replace(
            found,
            protected=replace(found.protected, name=self.name),
            decision=self.decision,
            protected_condition=self.protected_condition,
            where=self.where,
        )


@dataclass(frozen=True, eq=False)
class AmountStudy(DividedRows):
    """The rows of an audit of amounts.

    Parameters
    ----------
    judge : MeanJudge
        Compares means of the held-out rows.
    """

    judge: MeanJudge

    @classmethod
    def of(cls, table: Table | pd.DataFrame, plan: AuditPlan) -> AmountStudy:
        """Read the rows that a plan's models need, and divide them."""
        with uncounted(plan):
            return _study(as_cases(table, decision=plan.decision.column), plan)

    def _judging(self, held: NDArray[np.int64]) -> dict[str, MeanJudge]:
        rows = {name: getattr(self, name)[held] for name in ("protected", "population")}
        return {"judge": replace(self.judge, **rows)}

    def compared_inside(self, rows: Table, **asked: Any) -> StratifiedMeans:
        """Compare means inside strata; `asked` says which columns hold what."""
        return check_mean_strata(rows, tolerance=self.judge.tolerance, **asked)


def _study(table: Table, plan: AuditPlan) -> AmountStudy:
    asked, amount = ModelQuestion.of(table, plan), decision_of(table, plan.decision)
    refuse_open_cases(table, plan, asked.where)
    table, sample, n_not_drawn = study_rows(table, plan, asked, (asked.protected,))
    columns = (amount.column, *asked.columns)
    rows, n_undecided = known_rows(table, columns, asked, lambda rows: rows[amount.column].notna().to_numpy())
    y = rows[amount.column].to_numpy(dtype=np.float64)
    _check_amounts(y, amount.column)
    who = Standing.of(rows, asked)
    refuse_open(unknown_groups(table, asked, who, Condition.equals(amount.column, 0, table.columns)))
    seed = plan.seed % 2**32
    strata = who.codes * N_BANDS + _bands(y)
    split = who.divided(strata, seed, asked.models)
    held = split.held_out
    check_held_out(who.protected[held], who.population[held], asked.name)
    deviation = float(np.std(y[split.train], ddof=1))
    limit = limit_set(plan.checks, asked.models)
    judge = MeanJudge(
        protected=who.protected[held],
        population=who.population[held],
        name=asked.name,
        decision=amount.column,
        protected_condition=str(asked.protected),
        where=None if asked.where is None else str(asked.where),
        tolerance=proposed_tolerance(deviation) if limit is None else limit,
        confidence=asked.models.confidence,
    )
    facts = AmountStudyFacts(
        meaning=amount.meaning,
        higher_is_favorable=plan.decision.higher_is_favorable,
        n_undecided=n_undecided + n_not_drawn,
        decisions=judge.means(y[held]),
        deviation=deviation,
        is_limit_set=limit is not None,
        sample=sample,
        **facts_of(table, plan, asked, who, split),
    )
    return AmountStudy(
        **rows_of(rows, asked, who),
        y=y,
        strata=strata,
        split=split,
        facts=facts,
        judge=judge,
        seed=seed,
        plan=plan,
    )


def _check_amounts(y: NDArray[np.float64], column: str) -> None:
    if len(y) < MIN_ROWS:
        raise GroupError(
            f"Models need at least {MIN_ROWS} rows with an amount, and there are {len(y):,}.",
            uncounted=f"Models need at least {MIN_ROWS} rows with an amount, and there are fewer.",
            hint="Bring more rows.",
        )
    if y.min() == y.max():
        raise GroupError(
            f"Column {quote(column)} has one amount only, in all {len(y):,} rows.",
            uncounted=f"Column {quote(column)} has one amount only.",
            hint="A model needs amounts that differ.",
        )


def _bands(y: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return for each row the fifth of the amounts that its own lies in."""
    return np.searchsorted(np.quantile(y, np.linspace(0, 1, N_BANDS + 1)[1:-1]), y)


def amount_warnings(study: AmountStudy, prediction: NDArray[np.float64]) -> tuple[str, ...]:
    """Say what makes the judgement of a model doubtful.

    Shapes: `prediction` (n_held_out,).
    """
    found = list(group_warnings(study))
    if np.ptp(prediction) == 0:
        found.append(say(Message("doubt-same-amount")))
    return tuple(found)
