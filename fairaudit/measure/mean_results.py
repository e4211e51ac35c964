"""What the comparison of amounts returns."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.comparison_results import Interval
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.verdicts import Verdict


@dataclass(frozen=True)
class GroupMean:
    """The amounts of one group.

    Parameters
    ----------
    name : str
        The condition or value that makes the group, for people.
    n : int
        Rows of the group with a known amount.
    mean, deviation : float
        Mean and standard deviation; NaN where there are too few rows.
    interval : Interval
        Of the mean, by Student's t.
    quarter, median, three_quarters : float
        A quarter, half and three quarters of the rows are at or below.
    undecided : int
        Rows of the group without an amount; they are not in n.
    is_rounded : bool
        Whether quartiles are rounded, so that they are no single person's amount.
    """

    name: str = setting()
    n: Hideable[int] = figure()
    mean: float = figure()
    deviation: float = figure()
    interval: Interval = figure()
    quarter: float = figure()
    median: float = figure()
    three_quarters: float = figure()
    undecided: Hideable[int] = figure(default=0)
    is_rounded: bool = setting(in_json=False, default=False)


@dataclass(frozen=True)
class MeanComparison(Plain):
    """Two groups compared on their mean amount.

    Parameters
    ----------
    protected, reference : GroupMean
        The two groups.
    difference : float
        Protected minus reference, in the unit of the amount.
    difference_interval : Interval
        Welch's interval at `confidence` (1 - a).
    equivalence_interval : Interval
        The same at 1 - 2a, which the two one-sided tests of alikeness use.
    standardized_difference : float
        The difference divided by the pooled standard deviation of both groups; NaN where that is 0.
    ratio : float
        Mean of the protected group divided by that of the reference; NaN unless both are above 0.
    p_value : float
        Two-sided, Welch's t test.
    tolerance : float
        The largest difference that still counts as alike, in the unit of the amount.
    confidence : float
        Of the intervals.
    within_tolerance : bool
        The point answer: whether the difference is within the tolerance.
    verdict : {"clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell", "nothing_to_compare"}
        The answer with uncertainty, see :func:`fairaudit.measure.verdicts.verdict_by`.
    warnings : tuple of str
        What makes the answer doubtful, with counts.
    """

    protected: GroupMean = figure()
    reference: GroupMean = figure()
    difference: float = figure()
    difference_interval: Interval = figure()
    equivalence_interval: Interval = figure()
    standardized_difference: float = figure()
    ratio: float = figure()
    p_value: float = figure()
    tolerance: float = setting()
    confidence: float = setting()
    within_tolerance: Hideable[bool] = figure()
    verdict: Hideable[Verdict] = figure()
    warnings: tuple[str, ...] = figure()

    @property
    def has_one_decision(self) -> bool:
        """Whether all known amounts are the same, so that there is nothing to compare; False where that is hidden."""
        return self.difference == self.protected.deviation == self.reference.deviation == 0


@dataclass(frozen=True)
class ControlledMeans(MeanComparison):
    """The answer of :func:`fairaudit.measure.check_means`.

    ``n_population == protected.n + reference.n + unknown + undecided``; the first fields are those of
    :class:`MeanComparison`.

    Parameters
    ----------
    protected, reference, difference, difference_interval, equivalence_interval, standardized_difference : object
        Groups and gap.
    ratio, p_value, tolerance, confidence, within_tolerance, verdict, warnings : object
        Tests, settings, answers and warnings.
    decision : str
        The column of amounts.
    protected_condition : str
        Who is protected.
    where : str or None
        The filter.
    n_population : int
        Rows that meet the filter.
    n_filtered_out : int
        The other rows of the table.
    unknown : int
        Rows of the population in neither group, because the protected condition is unknown there.
    undecided : int
        Rows in a group but without an amount.
    didi : float
        How far the mean of each of the two groups is from that of both, added up.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    decision: str = setting()
    protected_condition: str = setting()
    where: str | None = setting()
    n_population: Hideable[int] = figure()
    n_filtered_out: Hideable[int] = figure()
    unknown: Hideable[int] = figure()
    undecided: Hideable[int] = figure()
    didi: float = figure()
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())
