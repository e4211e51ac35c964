"""What the tests of searches and inspections return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.inspections.signals import Family
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, Plain, columns
from fairaudit.measure.results import Comparison, GroupRatio, Interval, StratumRow
from fairaudit.measure.verdicts import Verdict

Form = Literal["rows", "counts"]
Hours = Literal["evening", "morning", "both"]
MOST_SPLIT, FEWEST_DRAWS = 1.1, 100
"""Draws agree where the scale reduction is below the one, and the effective number at least the other."""


@dataclass(frozen=True)
class HitRate:
    """How often something was found where a group was looked at.

    Parameters
    ----------
    values : tuple of (str, object)
        The columns and values that make the group; empty where a condition makes it.
    name : str
        The same for people.
    n_cases : int or None
        Cases of the group, looked at or not; None where the table holds only those looked at.
    n_acted : int
        Those that were looked at.
    acted_rate : float
        ``n_acted / n_cases``; NaN where unknown.
    hits : GroupRatio
        Of those looked at with a known outcome (``n``), those where something was found (``positives``), the hit rate
        (``ratio``) with Wilson's interval, and those without an outcome (``undecided``).
    is_reference : bool
        Whether the others are compared with it.
    """

    values: tuple[tuple[str, Any], ...] = setting()
    name: str = setting()
    n_cases: Hideable[int] | None = figure()
    n_acted: Hideable[int] = figure()
    acted_rate: float = figure()
    hits: GroupRatio = figure()
    is_reference: bool = figure()


@dataclass(frozen=True)
class HitRateGap:
    """One group against the reference on how often something was found.

    Parameters
    ----------
    values : tuple of (str, object)
        The columns and values that make the group; empty where a condition makes it.
    name : str
        The same for people.
    comparison : Comparison
        The group (as protected) against the reference; its verdict holds for all groups together, by Holm's method.
    adjusted_p_value : float
        Of no difference, by Holm's method.
    small : bool
        Whether the group has fewer than 30 cases looked at.
    strata : tuple of StratumRow
        The same inside each stratum in which both were looked at; empty without strata.
    left_out : tuple of str
        Strata in which one of both was not looked at.
    common_difference : float
        Mantel-Haenszel's common difference inside the strata; NaN without strata.
    common_difference_interval : Interval
        Sato's interval of it.
    common_equivalence_interval : Interval
        The same at 1 - 2a.
    common_p_value : float
        Of no difference in any stratum (Cochran, Mantel and Haenszel, without correction), by Holm's method.
    common_verdict : str or None
        The verdict on the common difference, by Holm's method for all groups; None without strata.
    reversal : bool
        Whether the pooled and the common difference have opposite signs.
    """

    values: tuple[tuple[str, Any], ...] = setting()
    name: str = setting()
    comparison: Comparison = figure()
    adjusted_p_value: float = figure()
    small: Hideable[bool] = figure()
    strata: tuple[StratumRow, ...] = figure()
    left_out: tuple[str, ...] = figure()
    common_difference: float = figure()
    common_difference_interval: Interval = figure()
    common_equivalence_interval: Interval = figure()
    common_p_value: float = figure()
    common_verdict: Hideable[Verdict] | None = figure()
    reversal: Hideable[bool] = figure()

    @property
    def difference(self) -> float:
        """Hit rate of the group minus that of the reference."""
        return self.comparison.difference


@dataclass(frozen=True)
class OutcomeTest(Plain):
    """The answer of :func:`fairaudit.outcome_test`.

    Parameters
    ----------
    acted, found : str
        What says that a case was looked at, and that something was found: a condition, or a column of counts.
    form : {"rows", "counts"}
        Whether a row of the table is one case or holds counts of cases.
    group : tuple of str
        The columns, or the condition, that make the groups.
    strata : tuple of str
        The columns that make the strata.
    where : str or None
        The filter.
    tolerance, confidence : float
        The settings.
    reference : str
        The group that the others are compared with.
    hit_rates : tuple of HitRate
        One a group, in ascending order of the values; for a condition, those who meet it come first.
    gaps : tuple of HitRateGap
        One for each group but the reference, in the same order.
    n_acted : int
        Cases that were looked at and whose group is known.
    n_unknown : int
        Cases that were looked at and whose group is not known: they are left out.
    n_undecided : int
        Cases that were looked at and of which it is not known whether something was found: they are left out.
    rates_disagree : bool
        Whether a group is looked at clearly more often than the reference without a clearly lower hit rate (or less
        often without a higher one): hit rates alone do not settle such a case, see `threshold_test`. False where
        it is not known how many were not looked at.
    warnings : tuple of str
        What makes the answer doubtful.
    as_unknown : tuple of (str, tuple of str)
        Columns of both conditions and the values in them that are read as not known, because they say so.
    not_known : tuple of NotKnown
        Values that make a group and say that it is not known.
    """

    acted: str = setting()
    found: str = setting()
    form: Form = setting()
    group: tuple[str, ...] = setting()
    strata: tuple[str, ...] = setting()
    where: str | None = setting()
    tolerance: float = setting()
    confidence: float = setting()
    reference: Hideable[str] = figure()
    hit_rates: tuple[HitRate, ...] = figure()
    gaps: tuple[HitRateGap, ...] = figure()
    n_acted: Hideable[int] = figure()
    n_unknown: Hideable[int] = figure()
    n_undecided: Hideable[int] = figure()
    rates_disagree: Hideable[bool] = figure()
    warnings: tuple[str, ...] = figure()
    as_unknown: tuple[tuple[str, tuple[str, ...]], ...] = setting(default=())
    not_known: tuple[NotKnown, ...] = figure(default=())


@dataclass(frozen=True)
class Placebo:
    """The same test where the groups were shuffled among the cases of each place, so that there is no difference.

    Parameters
    ----------
    n_shuffles : int
        How often the groups were shuffled.
    n_comparisons : int
        Differences that were tested: one a shuffle and group.
    n_different : int
        Those whose interval left out no difference.
    largest : float
        The largest difference that showed, as a positive number.
    """

    n_shuffles: int = setting()
    n_comparisons: int = setting()
    n_different: Hideable[int] = figure()
    largest: float = figure()


@dataclass(frozen=True)
class ThresholdChecks:
    """Whether the model can make the data that it was fitted to.

    Parameters
    ----------
    search_rate_error : float
        Root of the mean squared distance of observed and fitted search rates, weighted by stops, in shares of 1.
    hit_rate_error : float
        The same of hit rates, weighted by searches.
    search_rates_within : float
        Share of groups in places whose number of searches lies in its predictive interval.
    hit_rates_within : float
        The same of hits, where there were searches.
    group_rates_within : bool
        Whether each group's total of searches and of hits lies in its predictive interval.
    rates_within : bool
        Whether these totals do, and so many groups in places that fewer could not be by chance.
    worst_split : float
        The largest scale reduction (R-hat) of the chains over all thresholds; near 1 where they agree.
    effective_draws : float
        The smallest effective number of draws over all thresholds.
    passed : bool
        Whether all of this is as it should be; where it is not, a warning says what.
    placebo : Placebo or None
        The test on shuffled groups; None where it was not asked for.
    """

    search_rate_error: float = figure()
    hit_rate_error: float = figure()
    search_rates_within: float = figure()
    hit_rates_within: float = figure()
    group_rates_within: Hideable[bool] = figure()
    rates_within: Hideable[bool] = figure()
    worst_split: float = figure()
    effective_draws: float = figure()
    passed: Hideable[bool] = figure()
    placebo: Placebo | None = figure()

    @property
    def draws_agree(self) -> bool:
        """Whether the chains of draws agree with each other."""
        return self.worst_split < MOST_SPLIT and self.effective_draws >= FEWEST_DRAWS


@dataclass(frozen=True, eq=False)
class ThresholdTest(Plain):
    """The answer of :func:`fairaudit.threshold_test`.

    A threshold is how likely it must seem that something will be found before a case is looked at, as the model infers
    it. It says nothing of why.

    Parameters
    ----------
    group : tuple of str
        The columns, or the condition, that make the groups.
    location : tuple of str
        The columns that make the places.
    stopped : str or None
        What says that a case counts: a condition, or a column of counts; None where every row does.
    searched, found : str
        What says that it was looked at, and that something was found.
    form : {"rows", "counts"}
        Whether a row of the table is one case or holds counts of cases.
    where : str or None
        The filter.
    tolerance, confidence : float
        The settings.
    signal : {"beta", "discriminant"}
        The family of distributions of how likely a find seems.
    base_rate : float
        The share of all cases that was expected to be worth a find, before the data.
    random_state : int
        The seed of the draws.
    n_draws : int
        Draws from the posterior, of all chains together.
    reference : str
        The group that the others are compared with.
    thresholds : pandas.DataFrame
        One row a group and place.
    aggregate : pandas.DataFrame
        One row a group: its thresholds weighted by the stops of all groups in each place.
    gaps : pandas.DataFrame
        One row for each group but the reference.
    checks : ThresholdChecks
        Whether the model fits.
    n_locations : int
        Places that were used.
    left_out : tuple of str
        Places that were not, because they have one group only.
    n_left_out : int
        Cases in these places.
    n_unknown : int
        Cases whose group, place or search is not known.
    n_undecided : int
        Searches of which it is not known whether something was found: they count as searches and not for hit rates.
    warnings : tuple of str
        What makes the answer doubtful.
    as_unknown : tuple of (str, tuple of str)
        Columns of the conditions and the values in them that are read as not known, because they say so.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    group: tuple[str, ...] = setting()
    location: tuple[str, ...] = setting()
    stopped: str | None = setting()
    searched: str = setting()
    found: str = setting()
    form: Form = setting()
    where: str | None = setting()
    tolerance: float = setting()
    confidence: float = setting()
    signal: Family = setting()
    base_rate: float = figure()
    random_state: int = setting()
    n_draws: int = setting()
    reference: Hideable[str] = figure()
    thresholds: pd.DataFrame = figure(
        columns(
            group=(str, "The group."),
            location=(str, "The place."),
            threshold=(float, "The inferred threshold, in shares of 1 (posterior mean)."),
            low=(float, "Low end of its interval."),
            high=(float, "High end of its interval."),
            n_stops=(int, "Cases."),
            n_searches=(int, "Cases looked at."),
            n_hits=(int, "Cases where something was found."),
            search_rate=(float, "n_searches / n_stops."),
            hit_rate=(float, "n_hits / searches with a known outcome; empty without any."),
            fitted_search_rate=(float, "What the model expects of search_rate."),
            fitted_hit_rate=(float, "What the model expects of hit_rate."),
        )
    )
    aggregate: pd.DataFrame = figure(
        columns(
            group=(str, "The group."),
            threshold=(float, "Mean of its thresholds, weighted by stops."),
            low=(float, "Low end of its interval."),
            high=(float, "High end of its interval."),
            n_locations=(int, "Places where the group was stopped."),
            n_stops=(int, "Cases."),
            n_searches=(int, "Cases looked at."),
            n_hits=(int, "Cases where something was found."),
            search_rate=(float, "n_searches / n_stops."),
            hit_rate=(float, "n_hits / searches with a known outcome."),
        )
    )
    gaps: pd.DataFrame = figure(
        columns(
            group=(str, "The group that is compared with the reference."),
            difference=(
                float,
                "Its threshold minus the reference's, weighted by stops.",
            ),
            low=(float, "Low end of its interval."),
            high=(float, "High end of its interval."),
            equivalence_low=(float, "Low end of the interval at 1 - 2a."),
            equivalence_high=(float, "High end of it."),
            chance_lower=(float, "Posterior probability that the difference is below 0."),
            verdict=(
                str,
                "The verdict, for all together (Holm).",
            ),
            n_locations=(int, "Places where both were stopped."),
            n_lower=(int, "Those where the group's threshold is below that of the reference."),
            n_clearly_lower=(int, "Those where the interval of the difference lies below 0."),
            n_clearly_higher=(int, "Those where it lies above 0."),
        )
    )
    checks: ThresholdChecks = figure()
    n_locations: Hideable[int] = figure()
    left_out: tuple[str, ...] = figure()
    n_left_out: Hideable[int] = figure()
    n_unknown: Hideable[int] = figure()
    n_undecided: Hideable[int] = figure()
    warnings: tuple[str, ...] = figure()
    as_unknown: tuple[tuple[str, tuple[str, ...]], ...] = setting(in_json=False, default=())
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())


@dataclass(frozen=True)
class VeilGap:
    """Whether a group is a larger share of those stopped in light than of those stopped in darkness.

    Parameters
    ----------
    name : str
        The group.
    n_light, n_dark : int
        Stops of the group in light and in darkness, at hours that are both over the year.
    reference_light, reference_dark : int
        The same of the reference.
    share_light, share_dark : float
        The group among both, in light and in darkness.
    odds_ratio : float
        Odds that a stopped person is of the group in light, divided by those in darkness, at the same time of day and
        place. Above 1, the data fit that the group is stopped more where it can be seen.
    interval : Interval
        Of it, with robust errors.
    equivalence_interval : Interval
        The same at 1 - 2a, which decides whether the ratio is alike.
    p_value : float
        Two-sided, of a ratio of 1.
    adjusted_p_value : float
        The same by Holm's method for all groups.
    verdict : {"clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell"}
        Whether all ratios that fit the data are beyond the tolerance, or within it; by Holm's method.
    """

    name: str = setting()
    n_light: Hideable[int] = figure()
    n_dark: Hideable[int] = figure()
    reference_light: Hideable[int] = figure()
    reference_dark: Hideable[int] = figure()
    share_light: float = figure()
    share_dark: float = figure()
    odds_ratio: float = figure()
    interval: Interval = figure()
    equivalence_interval: Interval = figure()
    p_value: float = figure()
    adjusted_p_value: float = figure()
    verdict: Hideable[Verdict] = figure()


@dataclass(frozen=True, eq=False)
class VeilOfDarkness(Plain):
    """The answer of :func:`fairaudit.veil_of_darkness`.

    Parameters
    ----------
    group : tuple of str
        The columns, or the condition, that make the groups.
    date, time, light, time_zone : str or None
        The columns (or the condition) that say when, and whether it was light; the zone of the clock.
    place : str or None
        The column that makes the places.
    where : str or None
        The filter.
    hours : {"evening", "morning", "both"}
        Whether the hours around dusk, around dawn, or both are used.
    ratio_tolerance : float
        The largest odds ratio that still counts as alike, as is 1 divided by it.
    confidence : float
        Of the intervals.
    reference : str
        The group that the others are compared with.
    gaps : tuple of VeilGap
        One for each group but the reference.
    by_place : pandas.DataFrame
        The same in each place with enough stops; empty without places.
    by_time : pandas.DataFrame
        Shares of stops by half hour in light and in darkness, for a picture.
    n_rows : int
        Rows that meet the filter.
    n_unknown : int
        Those without a known group, date, time or place.
    n_window : int
        Those at hours that are both light and dark over the year; the test uses these.
    n_twilight : int
        Those left out because it was neither light nor dark.
    n_light, n_dark : int
        Those of the window in light and in darkness.
    warnings : tuple of str
        What makes the answer doubtful.
    not_known : tuple of NotKnown
        Stops that are counted although a value says that their group is not known.
    """

    group: tuple[str, ...] = setting()
    date: str | None = setting()
    time: str | None = setting()
    light: str | None = setting()
    time_zone: str | None = setting()
    place: str | None = setting()
    where: str | None = setting()
    hours: Hours = setting()
    ratio_tolerance: float = setting()
    confidence: float = setting()
    reference: Hideable[str] = figure()
    gaps: tuple[VeilGap, ...] = figure()
    by_place: pd.DataFrame = figure(
        columns(
            place=(str, "The place."),
            group=(str, "The group that is compared with the reference."),
            n_light=(int, "Stops of both in light."),
            n_dark=(int, "Stops of both in darkness."),
            odds_ratio=(float, "As for all places together, in this one."),
            low=(float, "Low end of its interval."),
            high=(float, "High end of its interval."),
        )
    )
    by_time: pd.DataFrame = figure(
        columns(
            hour=(float, "Start of the half hour, in hours."),
            group=(str, "The group."),
            n_light=(int, "Stops of the group in light."),
            n_dark=(int, "Stops of the group in darkness."),
            share_light=(float, "The group among all stops in light."),
            share_dark=(float, "The group among all stops in darkness."),
        )
    )
    n_rows: Hideable[int] = figure()
    n_unknown: Hideable[int] = figure()
    n_window: Hideable[int] = figure()
    n_twilight: Hideable[int] = figure()
    n_light: Hideable[int] = figure()
    n_dark: Hideable[int] = figure()
    warnings: tuple[str, ...] = figure()
    not_known: tuple[NotKnown, ...] = figure(default=())
