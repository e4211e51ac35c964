"""The rows that models of an amount learn from and are judged on, read once from the data."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.data.table import Table, as_table
from fairaudit.errors import GroupError, InputError, LimitError, quote
from fairaudit.measure.mean_results import ControlledMeans
from fairaudit.measure.means import check_means
from fairaudit.measure.tally import column_list
from fairaudit.plan import AuditPlan
from fairaudit.plan_remedies import ModelsPlan
from fairaudit.plan_roles import amount_of, uncounted
from fairaudit.remedies.splitting import Split, split_rows
from fairaudit.study.amount_findings import AmountStudyFacts
from fairaudit.study.columns import feature_columns, protected_columns
from fairaudit.study.row_groups import check_held_out, groups_of_rows
from fairaudit.study.rows import MAX_ROWS, MIN_ROWS

N_BANDS = 5
"""Bands of the amount, each of which is divided alike between the parts of the rows."""


TOLERATED = 0.1
"""Means that differ by less than this share of the standard deviation of the training amounts count as alike."""


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

        Parameters
        ----------
        values : ndarray of float, shape (n_held_out,)
            Amounts, predictions or errors, in the order of ``split.held_out``.

        Returns
        -------
        ControlledMeans
            Of the rows that are looked at.
        """
        inside = self.population
        frame = pd.DataFrame({"value": values[inside], "protected": self.protected[inside].astype(np.int64)})
        found = check_means(
            frame, decision="value", protected="protected = 1", tolerance=self.tolerance, confidence=self.confidence
        )
        return replace(
            found,
            protected=replace(found.protected, name=self.name),
            decision=self.decision,
            protected_condition=self.protected_condition,
            where=self.where,
        )


@dataclass(frozen=True, eq=False)
class AmountStudy:
    """The rows of an audit of amounts, ready for models; held in memory and never exported.

    All arrays are about the rows with an amount, in the order of the data.

    Parameters
    ----------
    X : DataFrame, shape (n, n_features)
        The features.
    y : ndarray of float, shape (n,)
        The amounts.
    protected, population : ndarray of bool, shape (n,)
        Who is protected; who is looked at for the difference. Both are false where protection is unknown.
    groups : ndarray of str, shape (n,)
        The group of each row.
    group_names : tuple of str
        The groups; ``"missing"`` last where rows have none.
    group_known : ndarray of bool, shape (n,)
        False where a value that makes the group is missing.
    split : Split
        Which rows are learned from, tuned on and held out.
    facts : AmountStudyFacts
        What a report says about all this.
    judge : MeanJudge
        Compares means of the held-out rows.
    seed : int
        For everything that draws at random.
    plan : AuditPlan
        What was asked.
    """

    X: pd.DataFrame
    y: NDArray[np.float64]
    protected: NDArray[np.bool_]
    population: NDArray[np.bool_]
    groups: NDArray[np.object_]
    group_names: tuple[str, ...]
    group_known: NDArray[np.bool_]
    split: Split
    facts: AmountStudyFacts
    judge: MeanJudge
    seed: int
    plan: AuditPlan

    @property
    def models(self) -> ModelsPlan:
        """The part of the plan that all models share."""
        return self.facts.plan

    @classmethod
    def of(cls, table: Table | pd.DataFrame, plan: AuditPlan) -> AmountStudy:
        """Read the rows that a plan's models need, and divide them.

        Parameters
        ----------
        table : Table or DataFrame
            The data.
        plan : AuditPlan
            With a part ``models``, and a decision that is an amount.

        Returns
        -------
        AmountStudy
            The rows; the same for the same plan and data.

        Raises
        ------
        InputError
            If the plan has no part ``models``, or a column or condition does not fit the data.
        LimitError
            If there are more than 1,000,000 rows.
        GroupError
            If there are too few rows, one amount only, or nobody to compare among the held-out rows. Where the plan
            hides small counts, the message has none.
        """
        with uncounted(plan):
            return _study(as_table(table), plan)


def _study(table: Table, plan: AuditPlan) -> AmountStudy:
    models = plan.models
    if models is None:
        raise InputError(
            "The plan has no part 'models', so nothing says what models learn from.",
            hint="Add [models] with 'features' and 'protected'.",
        )
    amount = amount_of(table, plan.decision)
    features = feature_columns(table, plan, models)
    protected, where = table.condition(models.protected), table.condition(models.where)
    if protected is None:
        raise InputError(
            "'protected' of the models is empty.", hint="Write a condition that says who is in the protected group."
        )
    by = column_list(models.by, "by", table) if models.by else ()
    conditions = [condition for condition in (protected, where) if condition is not None]
    needed = [*features, *by, *(column for condition in conditions for column in condition.columns)]
    rows, n_undecided = _rows(table, amount.column, needed)
    y = rows[amount.column].to_numpy(dtype=np.float64)
    _check_amounts(y, amount.column)
    truth = protected.truth(rows)
    known = truth.notna().to_numpy()
    is_protected = truth.fillna(False).to_numpy(dtype=bool)
    population = known if where is None else known & where.mask(rows)
    name = models.protected_name or protected.in_words()
    groups, names = groups_of_rows(rows, by, is_protected, known, name)
    seed = plan.seed % 2**32
    split = split_rows(_strata(groups, is_protected, known, y), random_state=seed)
    held = split.held_out
    check_held_out(is_protected[held], population[held], name)
    deviation = float(np.std(y[split.train], ddof=1))
    judge = MeanJudge(
        protected=is_protected[held],
        population=population[held],
        name=name,
        decision=amount.column,
        protected_condition=str(protected),
        where=None if where is None else str(where),
        tolerance=TOLERATED * deviation,
        confidence=models.confidence,
    )
    facts = AmountStudyFacts(
        plan=models,
        meaning=amount.meaning,
        higher_is_favorable=amount.higher_is_favorable,
        features=features,
        protected_features=tuple(f for f in features if f in protected_columns(table, plan)),
        groups=names,
        group_columns=by,
        protected_words=protected.in_words(),
        where_words=None if where is None else where.in_words(),
        n_rows=len(y),
        n_undecided=n_undecided,
        n_train=len(split.train),
        n_tune=len(split.tune),
        n_held_out=len(held),
        decisions=judge.means(y[held]),
        deviation=deviation,
    )
    return AmountStudy(
        X=rows[list(features)],
        y=y,
        protected=is_protected,
        population=population,
        groups=groups,
        group_names=names,
        group_known=rows[list(by)].notna().all(axis=1).to_numpy() if by else known,
        split=split,
        facts=facts,
        judge=judge,
        seed=seed,
        plan=plan,
    )


def _rows(table: Table, decision: str, columns: list[str]) -> tuple[pd.DataFrame, int]:
    """Return the rows with an amount and the columns that are needed, and how many rows have none."""
    if table.n_rows > MAX_ROWS:
        raise LimitError(
            f"Models are fitted to at most {MAX_ROWS:,} rows, and the table has {table.n_rows:,}.",
            hint="Bring a table with fewer rows: those that the question is about, or a random sample.",
        )
    rows = table.to_pandas(list(dict.fromkeys((decision, *columns))))
    told = rows[decision].notna().to_numpy()
    return rows.loc[told].reset_index(drop=True), int((~told).sum())


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


def _strata(
    groups: NDArray[np.object_], protected: NDArray[np.bool_], known: NDArray[np.bool_], y: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return a label for each row: its group, its standing, and the fifth of the amounts that its own lies in."""
    codes = pd.factorize(groups)[0].astype(np.int64)
    ends = np.quantile(y, np.linspace(0, 1, N_BANDS + 1)[1:-1])
    band = np.searchsorted(ends, y)
    return (codes * 3 + np.where(known, np.where(protected, 1, 0), 2)) * N_BANDS + band
