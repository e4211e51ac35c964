"""What the comparison of two groups returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.verdicts import Verdict


class Interval(NamedTuple):
    """A confidence interval, both ends included; NaN where undefined.

    Parameters
    ----------
    low, high : float
        Its ends.
    """

    low: float
    high: float


@dataclass(frozen=True)
class GroupRatio:
    """How often one group reaches the good outcome.

    Parameters
    ----------
    name : str
        The condition or value that makes the group, for people.
    n : int
        Rows of the group with a known decision.
    positives : int
        Those with the good outcome.
    ratio : float
        ``positives / n``; NaN if n is 0.
    interval : Interval
        Wilson interval of the ratio.
    undecided : int
        Rows of the group without a decision; they are not in n.
    """

    name: str = setting()
    n: Hideable[int] = figure()
    positives: Hideable[int] = figure()
    ratio: float = figure()
    interval: Interval = figure()
    undecided: Hideable[int] = figure(default=0)


@dataclass(frozen=True)
class Comparison(Plain):
    """Two groups compared on their share of good outcomes.

    Parameters
    ----------
    protected, reference : GroupRatio
        The two groups.
    difference : float
        Protected minus reference.
    difference_interval : Interval
        Newcombe's hybrid score interval at `confidence` (1 - a).
    equivalence_interval : Interval
        The same at 1 - 2a, which the two one-sided tests of alikeness use.
    impact_ratio : float
        Protected divided by reference; NaN where the reference share is 0.
    impact_ratio_interval : Interval
        By the log method, see :func:`fairaudit.measure.intervals.ratio_interval`.
    four_fifths : bool or None
        Whether neither share is below 4/5 of the other; None where undefined.
    z : float
        Pooled z statistic.
    p_value : float
        Two-sided, from the z test or, where an expected cell is below 5, Fisher's exact test.
    test : {"z", "fisher", "t"}
        Which of them; t where clusters are allowed for, whose statistic is then `z`.
    tolerance : float
        The largest gap that still counts as alike.
    confidence : float
        Of the intervals.
    within_tolerance : bool
        The point answer: whether the gap is within the tolerance.
    verdict : {"clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell", "nothing_to_compare"}
        The answer with uncertainty, see :func:`fairaudit.measure.verdicts.verdict_by`.
    warnings : tuple of str
        What makes the answer doubtful, with counts.
    """

    protected: GroupRatio = figure()
    reference: GroupRatio = figure()
    difference: float = figure()
    difference_interval: Interval = figure()
    equivalence_interval: Interval = figure()
    impact_ratio: float = figure()
    impact_ratio_interval: Interval = figure()
    four_fifths: bool | None = figure()
    z: float = figure()
    p_value: float = figure()
    test: Hideable[Literal["z", "fisher", "t"]] = figure()
    tolerance: float = setting()
    confidence: float = setting()
    within_tolerance: Hideable[bool] = figure()
    verdict: Hideable[Verdict] = figure()
    warnings: tuple[str, ...] = figure()

    @property
    def has_one_decision(self) -> bool:
        """Whether all known decisions are the same, so that there is nothing to compare; False where that is hidden."""
        return self.protected.ratio == self.reference.ratio and self.protected.ratio in (0, 1)


def as_shares(comparison: object) -> Comparison:
    """Return a comparison that is one of shares where what holds it might hold one of means."""
    if not isinstance(comparison, Comparison):
        raise TypeError(f"Shares are not compared in a {type(comparison).__name__}.")
    return comparison


@dataclass(frozen=True)
class ControlledFairness(Comparison):
    """The answer of :func:`fairaudit.check_controlled_fairness`.

    ``n_population == protected.n + reference.n + unknown + undecided``; the first sixteen fields are those of
    :class:`Comparison`.

    Parameters
    ----------
    protected, reference : GroupRatio
        The two groups.
    difference, difference_interval, equivalence_interval, impact_ratio, impact_ratio_interval : object
        The gap and the ratio with their intervals.
    four_fifths, z, p_value, test, tolerance, confidence, within_tolerance, verdict, warnings : object
        Tests, settings, answers and warnings.
    decision : str
        The decision column.
    favorable : str
        The condition of the good outcome.
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
        Rows in a group but without a decision.
    cluster : str or None
        The column that intervals, test and verdict allow for: its values hold rows that depend on each other.
    n_clusters : int or None
        How many of its values hold rows with a known decision.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    decision: str = setting()
    favorable: str = setting()
    protected_condition: str = setting()
    where: str | None = setting()
    n_population: Hideable[int] = figure()
    n_filtered_out: Hideable[int] = figure()
    unknown: Hideable[int] = figure()
    undecided: Hideable[int] = figure()
    cluster: str | None = setting(default=None)
    n_clusters: Hideable[int] | None = figure(default=None)
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())
