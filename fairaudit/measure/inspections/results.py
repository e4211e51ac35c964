"""What the tests of searches and inspections return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import AS_ABOVE, Field, column, columns, figure, never, setting
from fairaudit.findings.result import Result
from fairaudit.measure.inspections.signals import Family
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.results import Comparison, GroupRatio, Interval, StratumRow
from fairaudit.measure.verdicts import Verdict

Form = Literal["rows", "counts"]
Hours = Literal["evening", "morning", "both"]
MOST_SPLIT, FEWEST_DRAWS = 1.1, 100
"""Draws agree where the scale reduction is below the one, and the effective number at least the other."""


@dataclass(frozen=True)
class HitRate:
    """How often something was found where a group was looked at."""

    values: tuple[tuple[str, object], ...] = setting(
        "The columns and values that make the group; empty where a condition makes it."
    )
    name: str = setting("The same for people.", name="group", label="group", kind="group", brief="The group.")
    n_cases: Hideable[int] | None = figure(
        "Cases of the group, looked at or not; None where the table holds only those looked at.",
        name="cases",
        label="cases",
        kind="count",
        brief="Cases of the group, where known.",
    )
    n_acted: Hideable[int] = figure("Those that were looked at.", name="looked_at", label="looked at", kind="count")
    acted_rate: float = figure(
        "`n_acted / n_cases`; NaN where unknown.",
        name="looked_at_share",
        label="share",
        kind="share",
        brief="Looked at, of all cases.",
    )
    hits: GroupRatio = figure(
        "Of those looked at with a known outcome (`n`), those where something was found (`positives`), the hit "
        "rate (`ratio`) with Wilson's interval, and those without an outcome (`undecided`).",
        parts=columns(
            n=Field("known", "outcome known", "count", "Looked at, with a known outcome."),
            positives=Field("found", "found", "count", "With something found."),
            ratio=Field("hit_rate", "hit rate", "share", "Found, of known outcomes."),
            interval=Field("hit_rate_interval", "range", "share_interval", "Wilson's."),
        ),
    )
    is_reference: bool = figure(
        "Whether the others are compared with it.",
        name="reference",
        label="reference",
        brief="yes: the others are compared with it.",
    )


@dataclass(frozen=True)
class HitRateGap:
    """One group against the reference on how often something was found."""

    values: tuple[tuple[str, object], ...] = setting(
        "The columns and values that make the group; empty where a condition makes it."
    )
    name: str = setting("The same for people.", name="group", label="group", kind="group", brief="The group.")
    comparison: Comparison = figure(
        "The group (as protected) against the reference; its verdict holds for all groups together, by Holm's method.",
        parts=columns(
            difference=Field("gap", "difference, points", "points", "Hit rate minus that of the reference."),
            difference_interval=Field("gap_interval", "interval", "points_interval", "Newcombe's."),
            verdict=Field("reading", "reading", "text", "The verdict, for all groups."),
        ),
    )
    adjusted_p_value: float = figure(
        "Of no difference, by Holm's method.", label="p, adjusted", kind="p", brief="By Holm's method."
    )
    small: Hideable[bool] = figure(
        "Whether the group has fewer than 30 cases looked at.",
        label="few",
        brief=f"yes: fewer than {ENOUGH} looked at.",
    )
    strata: tuple[StratumRow, ...] = figure(
        "The same inside each stratum in which both were looked at; empty without strata."
    )
    left_out: tuple[str, ...] = figure("Strata in which one of both was not looked at.")
    common_difference: float = figure(
        "Mantel-Haenszel's common difference inside the strata; NaN without strata.",
        name="common_gap",
        label="within strata",
        kind="points",
        brief="Mantel and Haenszel's.",
    )
    common_difference_interval: Interval = figure(
        "Sato's interval of it.", name="common_gap_interval", label="its range", kind="points_interval", brief="Sato's."
    )
    common_equivalence_interval: Interval = figure("The same at 1 - 2a.")
    common_p_value: float = figure(
        "Of no difference in any stratum (Cochran, Mantel and Haenszel, without correction), by Holm's method.",
        label="p, within",
        kind="p",
        brief="Adjusted by Holm's method.",
    )
    common_verdict: Hideable[Verdict] | None = figure(
        "The verdict on the common difference, by Holm's method for all groups; None without strata."
    )
    reversal: Hideable[bool] = figure(
        "Whether the pooled and the common difference have opposite signs.",
        label="turns around",
        brief="yes: the other sign within strata.",
    )

    @property
    def difference(self) -> float:
        """Hit rate of the group minus that of the reference."""
        return self.comparison.difference


@dataclass(frozen=True)
class OutcomeTest(Plain, Result):
    """The answer of :func:`fairaudit.outcome_test`."""

    acted: str = setting(
        "What says that a case was looked at, and that something was found: a condition, or a column of counts."
    )
    found: str = setting(AS_ABOVE)
    form: Form = setting("Whether a row of the table is one case or holds counts of cases.")
    group: tuple[str, ...] = setting("The columns, or the condition, that make the groups.")
    strata: tuple[str, ...] = setting("The columns that make the strata.")
    where: str | None = setting("The filter.")
    tolerance: float = setting("The settings.")
    confidence: float = setting(AS_ABOVE)
    reference: Hideable[str] = figure("The group that the others are compared with.")
    hit_rates: tuple[HitRate, ...] = figure(
        "One a group, in ascending order of the values; for a condition, those who meet it come first."
    )
    gaps: tuple[HitRateGap, ...] = figure("One for each group but the reference, in the same order.")
    n_acted: Hideable[int] = figure("Cases that were looked at and whose group is known.")
    n_unknown: Hideable[int] = figure("Cases that were looked at and whose group is not known: they are left out.")
    n_undecided: Hideable[int] = figure(
        "Cases that were looked at and of which it is not known whether something was found: they are left out."
    )
    rates_disagree: Hideable[bool] = figure(
        "Whether a group is looked at clearly more often than the reference without a clearly lower hit rate (or "
        "less often without a higher one): hit rates alone do not settle such a case, see `threshold_test`. False "
        "where it is not known how many were not looked at."
    )
    warnings: tuple[str, ...] = figure("What makes the answer doubtful.")
    as_unknown: tuple[tuple[str, tuple[str, ...]], ...] = setting(
        "Columns of both conditions and the values in them that are read as not known, because they say so.", default=()
    )


@dataclass(frozen=True)
class Placebo:
    """The same test where the groups were shuffled among the cases of each place, so that there is no difference."""

    n_shuffles: int = setting("How often the groups were shuffled.")
    n_comparisons: int = setting(
        "Differences that were tested: one a shuffle and group.", label="placebo: differences tested", kind="number"
    )
    n_different: Hideable[int] = figure(
        "Those whose interval left out no difference.", label="placebo: differences that look clear", kind="number"
    )
    largest: float = figure(
        "The largest difference that showed, as a positive number.", label="placebo: largest difference", kind="share"
    )


@dataclass(frozen=True)
class ThresholdChecks:
    """Whether the model can make the data that it was fitted to."""

    search_rate_error: float = figure(
        "Root of the mean squared distance of observed and fitted search rates, weighted by stops, in shares of 1.",
        label="error of search rates",
        kind="share",
    )
    hit_rate_error: float = figure(
        "The same of hit rates, weighted by searches.", label="error of hit rates", kind="share"
    )
    search_rates_within: float = figure(
        "Share of groups in places whose number of searches lies in its predictive interval.",
        label="as many looks as expected",
        kind="share",
    )
    hit_rates_within: float = figure(
        "The same of hits, where there were searches.", label="as many finds as expected", kind="share"
    )
    group_rates_within: Hideable[bool] = figure(
        "Whether each group's total of searches and of hits lies in its predictive interval."
    )
    rates_within: Hideable[bool] = figure(
        "Whether these totals do, and so many groups in places that fewer could not be by chance."
    )
    worst_split: float = figure(
        "The largest scale reduction (R-hat) of the chains over all thresholds; near 1 where they agree.",
        label="scale reduction of chains (near 1 is good)",
        kind="number",
    )
    effective_draws: float = figure(
        "The smallest effective number of draws over all thresholds.", label="effective draws", kind="number"
    )
    passed: Hideable[bool] = figure("Whether all of this is as it should be; where it is not, a warning says what.")
    placebo: Placebo | None = figure("The test on shuffled groups; None where it was not asked for.")

    @property
    def draws_agree(self) -> bool:
        """Whether the chains of draws agree with each other."""
        return self.worst_split < MOST_SPLIT and self.effective_draws >= FEWEST_DRAWS


@dataclass(frozen=True, eq=False)
class ThresholdTest(Plain, Result):
    """The answer of :func:`fairaudit.threshold_test`.

    A threshold is how likely it must seem that something will be found before a case is looked at, as the model infers
    it. It says nothing of why.
    """

    group: tuple[str, ...] = setting("The columns, or the condition, that make the groups.")
    location: tuple[str, ...] = setting("The columns that make the places.")
    stopped: str | None = setting(
        "What says that a case counts: a condition, or a column of counts; None where every row does."
    )
    searched: str = setting("What says that it was looked at, and that something was found.")
    found: str = setting(AS_ABOVE)
    form: Form = setting("Whether a row of the table is one case or holds counts of cases.")
    where: str | None = setting("The filter.")
    tolerance: float = setting("The settings.")
    confidence: float = setting(AS_ABOVE)
    signal: Family = setting("The family of distributions of how likely a find seems.")
    base_rate: float = figure("The share of all cases that was expected to be worth a find, before the data.")
    random_state: int = setting("The seed of the draws.")
    n_draws: int = setting("Draws from the posterior, of all chains together.")
    reference: Hideable[str] = figure("The group that the others are compared with.")
    thresholds: pd.DataFrame = figure(
        "One row a group and place.",
        columns(
            group=column(str, "The group.", "group", "group"),
            location=column(str, "The place.", "place", name="place"),
            threshold=column(
                float,
                "The inferred threshold, in shares of 1 (posterior mean).",
                "threshold",
                "share",
                "How likely a find must seem.",
            ),
            low=column(
                float, "Low end of its interval.", "range", "share_interval", "Of it.", name="threshold_interval"
            ),
            high=column(float, "High end of its interval."),
            n_stops=column(int, "Cases.", "stops", "count", name="stops"),
            n_searches=column(int, "Cases looked at.", "looked at", "count", name="looked_at"),
            n_hits=column(
                int, "Cases where something was found.", "found", "count", "Cases with something found.", name="found"
            ),
            search_rate=column(
                float, "n_searches / n_stops.", "share looked at", "share", "Observed.", name="looked_at_share"
            ),
            hit_rate=column(
                float, "n_hits / searches with a known outcome; empty without any.", "hit rate", "share", "Observed."
            ),
            fitted_search_rate=column(
                float,
                "What the model expects of search_rate.",
                "looked at, by the model",
                "share",
                "What the model expects.",
                name="fitted_share",
            ),
            fitted_hit_rate=column(
                float,
                "What the model expects of hit_rate.",
                "hit rate, by the model",
                "share",
                "What the model expects.",
            ),
        ),
    )
    aggregate: pd.DataFrame = figure(
        "One row a group: its thresholds weighted by the stops of all groups in each place.",
        columns(
            group=column(str, "The group.", "group", "group"),
            threshold=column(
                float,
                "Mean of its thresholds, weighted by stops.",
                "threshold",
                "share",
                "Over all places, weighted by stops.",
            ),
            low=column(
                float, "Low end of its interval.", "range", "share_interval", "Its range.", name="threshold_interval"
            ),
            high=column(float, "High end of its interval."),
            n_locations=column(int, "Places where the group was stopped.", "places", "count", name="places"),
            n_stops=column(int, "Cases.", "stops", "count", name="stops"),
            n_searches=column(int, "Cases looked at."),
            n_hits=column(int, "Cases where something was found."),
            search_rate=column(
                float, "n_searches / n_stops.", "looked at", "share", "Of these, looked at.", name="looked_at_share"
            ),
            hit_rate=column(
                float, "n_hits / searches with a known outcome.", "hit rate", "share", "Found, of looked at."
            ),
        ),
    )
    gaps: pd.DataFrame = figure(
        "One row for each group but the reference.",
        columns(
            group=column(str, "The group that is compared with the reference."),
            difference=column(
                float,
                "Its threshold minus the reference's, weighted by stops.",
                "difference, points",
                "points",
                "Threshold minus the reference's.",
                name="gap",
            ),
            low=column(
                float, "Low end of its interval.", "difference", "points_interval", "Its range.", name="gap_interval"
            ),
            high=column(float, "High end of its interval."),
            equivalence_low=column(float, "Low end of the interval at 1 - 2a."),
            equivalence_high=column(float, "High end of it."),
            chance_lower=column(float, "Posterior probability that the difference is below 0."),
            verdict=column(
                str, "The verdict, for all together (Holm).", "reading", "text", "The verdict, for all groups."
            ),
            n_locations=column(int, "Places where both were stopped."),
            n_lower=column(int, "Those where the group's threshold is below that of the reference."),
            n_clearly_lower=column(int, "Those where the interval of the difference lies below 0."),
            n_clearly_higher=column(int, "Those where it lies above 0."),
        ),
    )
    checks: ThresholdChecks = figure("Whether the model fits.")
    n_locations: Hideable[int] = figure("Places that were used.")
    left_out: tuple[str, ...] = figure("Places that were not, because they have one group only.")
    n_left_out: Hideable[int] = figure("Cases in these places.")
    n_unknown: Hideable[int] = figure("Cases whose group, place or search is not known.")
    n_undecided: Hideable[int] = figure(
        "Searches of which it is not known whether something was found: they count as searches and not for hit rates."
    )
    warnings: tuple[str, ...] = figure("What makes the answer doubtful.")
    as_unknown: tuple[tuple[str, tuple[str, ...]], ...] = setting(
        "Columns of the conditions and the values in them that are read as not known, because they say so.",
        in_json=False,
        default=(),
    )
    finds: OutcomeTest | None = never(
        "How often something was found, where the test was asked alone.", in_json=False, default=None, compare=False
    )


@dataclass(frozen=True)
class VeilGap:
    """Whether a group is a larger share of those stopped in light than of those stopped in darkness."""

    name: str = setting("The group.", name="group", label="group", kind="group")
    n_light: Hideable[int] = figure(
        "Stops of the group in light and in darkness, at hours that are both over the year.",
        name="light",
        label="in light",
        kind="count",
        brief="Its stops in light.",
    )
    n_dark: Hideable[int] = figure(
        AS_ABOVE, name="dark", label="in darkness", kind="count", brief="Its stops in darkness."
    )
    reference_light: Hideable[int] = figure("The same of the reference.")
    reference_dark: Hideable[int] = figure(AS_ABOVE)
    share_light: float = figure(
        "The group among both, in light and in darkness.",
        label="share in light",
        kind="share",
        brief="The group, of it and the reference.",
    )
    share_dark: float = figure(
        AS_ABOVE, label="share in darkness", kind="share", brief="The group, of it and the reference."
    )
    odds_ratio: float = figure(
        "Odds that a stopped person is of the group in light, divided by those in darkness, at the same time of "
        "day and place. Above 1, the data fit that the group is stopped more where it can be seen.",
        label="odds ratio",
        kind="number",
        brief="Light against darkness.",
    )
    interval: Interval = figure(
        "Of it, with robust errors.", name="odds_ratio_interval", label="range", kind="number_interval", brief="Of it."
    )
    equivalence_interval: Interval = figure("The same at 1 - 2a, which decides whether the ratio is alike.")
    p_value: float = figure("Two-sided, of a ratio of 1.")
    adjusted_p_value: float = figure(
        "The same by Holm's method for all groups.", label="p, adjusted", kind="p", brief="By Holm's method."
    )
    verdict: Hideable[Verdict] = figure(
        "Whether all ratios that fit the data are beyond the tolerance, or within it; by Holm's method.",
        label="reading",
        brief="The verdict, for all groups.",
    )


@dataclass(frozen=True, eq=False)
class VeilOfDarkness(Plain, Result):
    """The answer of :func:`fairaudit.veil_of_darkness`."""

    group: tuple[str, ...] = setting("The columns, or the condition, that make the groups.")
    date: str | None = setting(
        "The columns (or the condition) that say when, and whether it was light; the zone of the clock."
    )
    time: str | None = setting(AS_ABOVE)
    light: str | None = setting(AS_ABOVE)
    time_zone: str | None = setting(AS_ABOVE)
    place: str | None = setting("The column that makes the places.")
    where: str | None = setting("The filter.")
    hours: Hours = setting("Whether the hours around dusk, around dawn, or both are used.")
    ratio_tolerance: float = setting("The largest odds ratio that still counts as alike, as is 1 divided by it.")
    confidence: float = setting("Of the intervals.")
    reference: Hideable[str] = figure("The group that the others are compared with.")
    gaps: tuple[VeilGap, ...] = figure("One for each group but the reference.")
    by_place: pd.DataFrame = figure(
        "The same in each place with enough stops; empty without places.",
        columns(
            place=column(str, "The place.", "place"),
            group=column(str, "The group that is compared with the reference.", "group", "group", "The group."),
            n_light=column(int, "Stops of both in light.", "in light", "count", "Stops in light.", name="light"),
            n_dark=column(int, "Stops of both in darkness.", "in darkness", "count", "Stops in darkness.", name="dark"),
            odds_ratio=column(
                float, "As for all places together, in this one.", "odds ratio", "number", "Light against darkness."
            ),
            low=column(
                float, "Low end of its interval.", "interval", "number_interval", "Of it.", name="odds_ratio_interval"
            ),
            high=column(float, "High end of its interval."),
        ),
    )
    by_time: pd.DataFrame = figure(
        "Shares of stops by half hour in light and in darkness, for a picture.",
        columns(
            hour=column(
                float, "Start of the half hour, in hours.", "from", "number", "Hours since midnight.", digits=1
            ),
            group=column(str, "The group.", "group", "group"),
            n_light=column(
                int, "Stops of the group in light.", "in light", "count", "Its stops in light.", name="light"
            ),
            n_dark=column(
                int, "Stops of the group in darkness.", "in darkness", "count", "Its stops in darkness.", name="dark"
            ),
            share_light=column(
                float, "The group among all stops in light.", "share in light", "share", "Of all stops in light."
            ),
            share_dark=column(
                float,
                "The group among all stops in darkness.",
                "share in darkness",
                "share",
                "Of all stops in darkness.",
            ),
        ),
    )
    n_rows: Hideable[int] = figure("Rows that meet the filter.")
    n_unknown: Hideable[int] = figure("Those without a known group, date, time or place.")
    n_window: Hideable[int] = figure("Those at hours that are both light and dark over the year; the test uses these.")
    n_twilight: Hideable[int] = figure("Those left out because it was neither light nor dark.")
    n_light: Hideable[int] = figure("Those of the window in light and in darkness.")
    n_dark: Hideable[int] = figure(AS_ABOVE)
    warnings: tuple[str, ...] = figure("What makes the answer doubtful.")
