"""The rows that all models of an audit learn from and are judged on, and what groups need of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases
from fairaudit.data.given import as_table
from fairaudit.data.roles import Outcome
from fairaudit.data.table import Table
from fairaudit.defaults import ENOUGH
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.estimators.leakage import label_leaks
from fairaudit.measure.errors_by_group import positive_meaning
from fairaudit.measure.not_known import decisions_not_known, refuse_open
from fairaudit.measure.results import StratifiedFairness
from fairaudit.measure.strata import check_strata
from fairaudit.messages import called
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.roles import judged_outcome, outcome_of, uncounted
from fairaudit.study.columns import remedy_columns
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
from fairaudit.study.findings import StudyFacts
from fairaudit.study.judging.changes import Pair, furthest_apart
from fairaudit.study.judging.held_out import HeldOut, JudgeWords, counts_by_group
from fairaudit.study.sampled import study_rows

MIN_ROWS = 20
"""Fewer rows with a decision cannot be divided into parts that mean anything."""


@dataclass(frozen=True, eq=False)
class Study(DividedRows):
    """The rows of an audit whose decision has a good outcome.

    Parameters
    ----------
    group_in_features : bool
        Whether the columns of the protected condition and of the filter are all among the features, so that a model
        can use who is protected and in the population.
    held_out : HeldOut
        The judge of held-out rows.
    score : ndarray of float, shape (n,), optional
        The plan's score, turned so that higher speaks for the good outcome; NaN where there is none.
    sensitive : DataFrame, shape (n, n_sensitive)
        The columns that define the groups of constraints, as the data have them. No model learns from them here.
    negative_meaning : str
        Which outcome is not called positive, in words.
    """

    group_in_features: bool
    held_out: HeldOut
    score: NDArray[np.float64] | None
    sensitive: pd.DataFrame
    negative_meaning: str

    @classmethod
    def of(cls, table: Table | pd.DataFrame, plan: AuditPlan) -> Study:
        """Read the rows that a plan's models need, and divide them."""
        with uncounted(plan):
            return _study(as_cases(table, decision=plan.decision.column), plan)

    @property
    def positive_is_good(self) -> bool:
        """Whether the outcome that ``models.positive`` names is the good one."""
        return self.models.positive == "favorable"

    def to_positive(self, favorable: ArrayLike) -> NDArray[np.int64]:
        """Return labels or predictions of the good outcome as those of the one that ``models.positive`` names."""
        labels = np.asarray(favorable, dtype=np.int64)
        return labels if self.positive_is_good else 1 - labels

    def to_favorable(self, positive: ArrayLike) -> NDArray[np.int64]:
        """Undo :meth:`to_positive`, which is the same turn."""
        return self.to_positive(positive)

    def furthest_apart(self, prediction: NDArray[np.int64]) -> dict[str, Pair]:
        """Return for each gap between groups the two that a model leaves furthest apart on the rows it may learn from.

        Shapes: `prediction` (n_learning,).

        Notes
        -----
        A rate must be a share of so many rows there that 30 can be expected among the held-out rows.
        """
        inside = self.in_filter[self.split.learning]
        rows = self.split.learning[inside]
        codes = pd.Categorical(self.groups[rows], categories=self.group_names).codes.astype(np.int64)
        y, h = map(self.to_positive, (self.y[rows], prediction[inside]))
        counts = counts_by_group(codes, self.group_names, y, h)
        return furthest_apart(counts, ENOUGH * len(rows) / len(self.split.held_out))

    def _judging(self, held: NDArray[np.int64]) -> dict[str, HeldOut]:
        rows = {name: getattr(self, name)[held] for name in ("protected", "population", "groups")}
        return {"held_out": HeldOut(self.y[held], **rows, group_names=self.group_names, **self.held_out.settings)}

    def compared_inside(self, rows: Table, **asked: Any) -> StratifiedFairness:
        """Compare shares of the good outcome inside strata; `asked` says which columns hold what."""
        # As a condition, which may hold for nobody: some models say no to all.
        good = Condition.parse(f"{asked['decision']} = 1", rows.columns)
        return check_strata(rows, favorable=good, tolerance=self.models.tolerance, **asked)

    def reading(self, table: Table | pd.DataFrame, columns: Sequence[str]) -> Study:
        """Return this study with more of the columns that define the groups of constraints."""
        lacking = [name for name in dict.fromkeys(columns) if name not in self.sensitive.columns]
        if not lacking:
            return self
        table = as_table(table)
        outcome = outcome_of(table, self.plan.decision)
        asked = ModelQuestion.of(table, self.plan)
        drawn = study_rows(table, self.plan, asked, (asked.protected, outcome.condition))
        rows, n_undecided = _decided_rows(drawn[0], outcome, asked, lacking)
        if (len(rows), n_undecided + drawn[2]) != (len(self.y), self.facts.n_undecided):
            raise InputError(
                "The table has other rows than the one that the study was read from.",
                hint="Give the same table, or make the study anew.",
            )
        return replace(self, sensitive=pd.concat([self.sensitive, rows[lacking]], axis=1))


def _study(table: Table, plan: AuditPlan) -> Study:
    asked = ModelQuestion.of(table, plan)
    models, outcome = asked.models, judged_outcome(table, plan)
    table, sample, n_not_drawn = study_rows(table, plan, asked, (asked.protected, outcome.condition))
    sensitive = remedy_columns(table, plan.remedies)
    beside = (*sensitive, *(() if plan.score is None else (plan.score.column,)))
    needed = [*asked.columns, *beside]
    rows, n_undecided = _decided_rows(table, outcome, asked, needed)
    y = outcome.condition.mask(rows).astype(np.int64)
    _check_outcomes(y, outcome)
    who = Standing.of(rows, asked)
    seed = plan.seed % 2**32
    strata = 2 * who.codes + y
    split = who.divided(strata, seed, models)
    held = split.held_out
    check_held_out(who.protected[held], who.population[held], asked.name)
    held_out = HeldOut(
        y[held],
        protected=who.protected[held],
        population=who.population[held],
        groups=who.groups[held],
        group_names=who.group_names,
        names=JudgeWords(
            decision=outcome.column,
            favorable=str(outcome.condition),
            protected=asked.name,
            protected_condition=str(asked.protected),
            where=None if asked.where is None else str(asked.where),
            positive_meaning=positive_meaning(outcome, models.positive),
        ),
        tolerance=models.tolerance,
        confidence=models.confidence,
        positive=models.positive,
    )
    X, learning = rows[list(asked.features)], split.learning
    undecided = decisions_not_known(table, outcome, where=asked.of_outcome)
    facts = StudyFacts(
        positive_meaning=positive_meaning(outcome, models.positive),
        n_undecided=n_undecided + n_not_drawn,
        decisions=held_out.decisions(),
        warnings=tuple(label_leaks(X.iloc[learning], y[learning])),
        sample=sample,
        not_known=refuse_open((*unknown_groups(table, asked, who, outcome.condition, beside), *undecided)),
        decision_is_outcome=plan.decision_is_outcome,
        judged=held_out.people,
        **facts_of(table, plan, asked, who, split),
    )
    return Study(
        **rows_of(rows, asked, who),
        y=y,
        strata=strata,
        group_in_features={*asked.protected.columns, *(() if asked.where is None else asked.where.columns)}
        <= set(asked.features),
        split=split,
        held_out=held_out,
        facts=facts,
        score=_score(rows, plan),
        seed=seed,
        plan=plan,
        sensitive=rows[list(sensitive)],
        negative_meaning=positive_meaning(outcome, "unfavorable" if models.positive == "favorable" else "favorable"),
    )


def _decided_rows(
    table: Table, outcome: Outcome, asked: ModelQuestion, columns: Iterable[str]
) -> tuple[pd.DataFrame, int]:
    """Return the rows with a decision and the columns that are needed, and how many rows have none."""

    def is_decided(rows: pd.DataFrame) -> NDArray[np.bool_]:
        return outcome.condition.truth(rows).notna().to_numpy()

    return known_rows(table, (outcome.column, *columns), asked, is_decided)


def _check_outcomes(y: NDArray[np.int64], outcome: Outcome) -> None:
    good = int(y.sum())
    if len(y) < MIN_ROWS:
        raise GroupError(
            f"Models need at least {MIN_ROWS} rows with a decision, and there are {len(y):,}.",
            uncounted=f"Models need at least {MIN_ROWS} rows with a decision, and there are fewer.",
            hint="Bring more rows.",
        )
    if good in (0, len(y)):
        which = "good" if good else "not good"
        raise GroupError(
            f"Column {quote(outcome.column)} has one outcome only: all {len(y):,} decisions are {which}.",
            uncounted=f"Column {quote(outcome.column)} has one outcome only: all decisions are {which}.",
            hint="A model needs rows of both outcomes. Check what counts as the favourable result.",
        )


def _score(rows: pd.DataFrame, plan: AuditPlan) -> NDArray[np.float64] | None:
    if plan.score is None:
        return None
    values = rows[plan.score.column]
    if not pd.api.types.is_numeric_dtype(values):
        raise InputError(
            f"The score column {quote(plan.score.column)} must hold numbers.", hint="Choose another column."
        )
    score = values.to_numpy(dtype=float, na_value=np.nan)
    return score if plan.score.higher_is_favorable else -score


# The groups of a study, and whether each has the rows that its rates are shares of.


def check_groups(
    study: Study, rows: NDArray[np.int64], what: str, outcomes: frozenset[str] = frozenset({"good", "bad"})
) -> None:
    """Refuse rows in which a group is missing, or lacks an outcome that its rates are shares of."""
    names, rows = known_groups(study), rows[study.compared[rows]]
    if len(names) < 2:
        raise GroupError(
            f"There is one group only, {', '.join(map(quote, names)) or 'of nobody'}, so there is nothing to compare.",
            uncounted="There is one group only, so there is nothing to compare.",
            hint="Choose other columns that make the groups.",
        )
    lacking = []
    for name in names:
        y = study.y[rows[study.groups[rows] == name]]
        counts = {"good": int(y.sum()), "bad": int(len(y) - y.sum())}
        if not len(y) or any(not counts[outcome] for outcome in outcomes):
            lacking.append((name, counts))
    if lacking:
        name, counts = lacking[0]
        named = quote(called(name))
        more = "" if len(lacking) == 1 else f" {len(lacking) - 1} more of {len(names)} groups lack one, too."
        needed, lacks = _NEEDED[outcomes]
        raise GroupError(
            f"The group {named} has {counts['good']:,} rows with the favourable result and {counts['bad']:,} "
            f"without it among the rows that {what}; {needed}.{more}",
            uncounted=f"The group {named} {lacks} among the rows that {what}.{more}",
            hint="Choose groups that are larger, or bring more rows.",
        )


_NEEDED = {
    frozenset({"good", "bad"}): ("both are needed", "lacks one of the two outcomes"),
    frozenset({"good"}): ("the former are needed", "has no row with the favourable result"),
    frozenset({"bad"}): ("the latter are needed", "has no row without the favourable result"),
    frozenset(): ("rows are needed", "has no row"),
}
"""What a message says is needed, and what a group lacks."""


def known_groups(study: DividedRows) -> tuple[str, ...]:
    """Return the groups of those who meet the filter, without that of the rows whose group is missing."""
    known = study.groups[study.compared]
    return tuple(name for name in study.group_names if (known == name).any())


def learned_rows(study: DividedRows) -> NDArray[np.int64]:
    """Return the training rows but those of the filter whose group is unknown: what groups are made alike in."""
    return study.split.train[(study.group_known | ~study.in_filter)[study.split.train]]


def tuning_rows(study: DividedRows) -> NDArray[np.int64]:
    """Return the tuning rows whose group counts: what models are compared on before they are judged."""
    return study.split.tune[study.compared[study.split.tune]]


def part_rows(study: DividedRows) -> dict[str, NDArray[np.int64]]:
    """Return the training, tuning and held-out rows whose group counts: "trained", "tuned" and "held_out"."""
    held = study.split.held_out
    return {
        "trained": study.split.train[study.compared[study.split.train]],
        "tuned": tuning_rows(study),
        "held_out": held[study.compared[held]],
    }
