"""Two groups compared: on shares where a decision has a favourable result, on means where it is an amount."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairaudit.conditions import Condition
from fairaudit.data.counting_sql import averaging_sql, counting_sql
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_TOLERANCE
from fairaudit.errors import GroupError
from fairaudit.measure import comparison, means
from fairaudit.measure.controlled import check_controlled_fairness
from fairaudit.measure.groups import check_groups
from fairaudit.measure.mean_strata import StratifiedMeans, check_mean_strata
from fairaudit.measure.results import (
    Comparison,
    ControlledFairness,
    ControlledMeans,
    GroupComparison,
    MeanComparison,
    StratifiedFairness,
)
from fairaudit.measure.strata import check_strata
from fairaudit.measure.verdicts_of_many import by_bonferroni

Cuts = Mapping[str, Sequence[float]]


@dataclass(frozen=True, kw_only=True)
class GapQuestion(ABC):
    """Among which rows the decisions on two groups are compared, and how a gap is judged."""

    decision: str
    where: Condition | None
    confidence: float

    @property
    @abstractmethod
    def decided(self) -> tuple[Condition, ...]:
        """What the decision is held against: its favourable result; nothing of an amount."""

    @abstractmethod
    def two_groups(self, table: Table, protected: Condition) -> ControlledFairness | ControlledMeans:
        """Compare a protected group with the rest."""

    @abstractmethod
    def all_groups(
        self, table: Table, columns: Sequence[str], *, reference: str | None, min_count: int
    ) -> GroupComparison:
        """Compare each value of a column, or each crossing of several, with the rest or with one of them."""

    @abstractmethod
    def within_strata(
        self, table: Table, protected: Condition, strata: Sequence[str], strata_cuts: Cuts
    ) -> StratifiedFairness | StratifiedMeans:
        """Compare a protected group with the rest inside strata, and over all of them together."""

    @abstractmethod
    def sql(self, table: Table, protected: Condition) -> str:
        """Return one SELECT with the figures of both groups."""


@dataclass(frozen=True, kw_only=True)
class ShareQuestion(GapQuestion):
    """How often each group has the favourable result."""

    favorable: Condition
    tolerance: float
    cluster: str | None

    @property
    def decided(self) -> tuple[Condition, ...]:
        """The favourable result."""
        return (self.favorable,)

    def two_groups(self, table: Table, protected: Condition) -> ControlledFairness:
        """Compare a protected group with the rest."""
        return check_controlled_fairness(
            table,
            decision=self.decision,
            favorable=self.favorable,
            protected=protected,
            where=self.where,
            tolerance=self.tolerance,
            confidence=self.confidence,
            cluster=self.cluster,
        )

    def all_groups(
        self, table: Table, columns: Sequence[str], *, reference: str | None, min_count: int
    ) -> GroupComparison:
        """Compare each value of a column, or each crossing of several, with the rest or with one of them."""
        return check_groups(
            table,
            decision=self.decision,
            favorable=self.favorable,
            by=columns,
            where=self.where,
            reference=reference,
            tolerance=self.tolerance,
            confidence=self.confidence,
            min_count=min_count,
            cluster=self.cluster,
        )

    def within_strata(
        self, table: Table, protected: Condition, strata: Sequence[str], strata_cuts: Cuts
    ) -> StratifiedFairness:
        """Compare a protected group with the rest inside strata, and over all of them together."""
        return check_strata(
            table,
            decision=self.decision,
            favorable=self.favorable,
            protected=protected,
            strata=strata,
            where=self.where,
            tolerance=self.tolerance,
            confidence=self.confidence,
            cluster=self.cluster,
            strata_cuts=strata_cuts,
        )

    def sql(self, table: Table, protected: Condition) -> str:
        """Return one SELECT with the counts of both groups."""
        return counting_sql(table, self.favorable, protected, self.where)


@dataclass(frozen=True, kw_only=True)
class MeanQuestion(GapQuestion):
    """How much each group has on average; without a tolerance one is proposed."""

    tolerance: float | None

    @property
    def decided(self) -> tuple[Condition, ...]:
        """Nothing: no amount is favourable by itself."""
        return ()

    def two_groups(self, table: Table, protected: Condition) -> ControlledMeans:
        """Compare a protected group with the rest."""
        return means.check_means(
            table,
            decision=self.decision,
            protected=protected,
            where=self.where,
            tolerance=self.tolerance,
            confidence=self.confidence,
        )

    def all_groups(
        self, table: Table, columns: Sequence[str], *, reference: str | None, min_count: int
    ) -> GroupComparison:
        """Compare each value of a column, or each crossing of several, with the rest or with one of them."""
        return means.check_group_means(
            table,
            decision=self.decision,
            by=columns,
            where=self.where,
            reference=reference,
            tolerance=self.tolerance,
            confidence=self.confidence,
            min_count=min_count,
        )

    def within_strata(
        self, table: Table, protected: Condition, strata: Sequence[str], strata_cuts: Cuts
    ) -> StratifiedMeans:
        """Compare a protected group with the rest inside strata, of which one must hold both."""
        found = check_mean_strata(
            table,
            decision=self.decision,
            protected=protected,
            strata=strata,
            where=self.where,
            tolerance=self.tolerance,
            confidence=self.confidence,
            strata_cuts=strata_cuts,
        )
        if not found.strata:
            raise GroupError("No stratum holds both groups.")
        return found

    def sql(self, table: Table, protected: Condition) -> str:
        """Return one SELECT with the counts and means of both groups."""
        return averaging_sql(table, self.decision, protected, self.where)


def gap_question(
    *,
    decision: str,
    favorable: Condition | None,
    where: Condition | None,
    tolerance: float | None,
    confidence: float,
    cluster: str | None = None,
) -> GapQuestion:
    """Return what is asked of a decision; without `favorable` it is an amount, which has no clusters."""
    if favorable is None:
        return MeanQuestion(decision=decision, where=where, tolerance=tolerance, confidence=confidence)
    return ShareQuestion(
        decision=decision,
        favorable=favorable,
        where=where,
        tolerance=USUAL_TOLERANCE if tolerance is None else tolerance,
        confidence=confidence,
        cluster=cluster,
    )


def read_alone(comparisons: Sequence[Comparison | MeanComparison]) -> tuple[Comparison | MeanComparison, ...]:
    """Return comparisons of one kind with verdicts that do not depend on each other, by Bonferroni's method."""
    shares = [each for each in comparisons if isinstance(each, Comparison)]
    if shares:
        return by_bonferroni(shares, comparison.sides_at)
    return by_bonferroni([each for each in comparisons if isinstance(each, MeanComparison)], means.sides_at)
