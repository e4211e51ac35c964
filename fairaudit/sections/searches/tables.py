"""Searches and inspections, as tables: hit rates, thresholds, light and darkness."""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import InspectionFinding
from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Field
from fairaudit.errors import sure
from fairaudit.findings import Message, Phrase
from fairaudit.measure.grouping import value_text
from fairaudit.measure.results import Comparison
from fairaudit.measure.verdicts import ShownVerdict, verdict_of
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock
from fairaudit.present.numbers import confidence_text, shown
from fairaudit.sections.searches.reading import called

HIT_RATES = ("group", "cases", "looked_at_share", "looked_at", "found", "hit_rate", "hit_rate_interval")

GAPS = ("group", "gap", "gap_interval", "adjusted_p_value", "reading", "common_gap", "common_gap_interval")

THRESHOLDS = (
    "group",
    "threshold",
    "threshold_interval",
    "looked_at_share",
    "hit_rate",
    "gap",
    "gap_interval",
    "verdict",
)

VEIL = ("group", "light", "dark", "share_light", "share_dark", "odds_ratio", "odds_ratio_interval", "verdict")


def inspection_tables(finding: InspectionFinding, number: int) -> list[TableBlock]:
    """Return all tables of one question."""
    tables = [hit_rates_table(finding, number), hit_gaps_table(finding, number)]
    if finding.outcome.strata:
        tables.append(hit_strata_table(finding, number))
    if finding.thresholds is not None:
        tables += [
            threshold_groups_table(finding, number),
            thresholds_table(finding, number),
            threshold_checks_table(finding, number),
        ]
    if finding.veil is not None:
        tables += [veil_table(finding, number), veil_hours_table(finding, number)]
        if finding.veil.place is not None:
            tables.append(veil_places_table(finding, number))
    return tables


def hit_rates_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group: cases, those looked at, and how often something was found."""
    level = confidence_text(finding.outcome.confidence)
    columns = (
        Field("group", "group", "group", "The group."),
        Field("cases", "cases", "count", "Cases of the group, where known."),
        Field("looked_at", "looked at", "count", "Those that were looked at."),
        Field("looked_at_share", "share", "share", "Looked at, of all cases."),
        Field("known", "outcome known", "count", "Looked at, with a known outcome."),
        Field("found", "found", "count", "With something found."),
        Field("hit_rate", "hit rate", "share", "Found, of known outcomes."),
        Field("hit_rate_interval", f"{level} range", "share_interval", "Wilson's."),
        Field("reference", "reference", "text", "yes: the others are compared with it."),
    )
    rows = tuple(
        (
            rate.name,
            "" if rate.n_cases is None else rate.n_cases,
            shown(rate.n_acted),
            "" if rate.n_cases is None else shown(rate.acted_rate),
            shown(rate.hits.n),
            shown(rate.hits.positives),
            shown(rate.hits.ratio),
            tuple(rate.hits.interval),
            "yes" if rate.is_reference else "",
        )
        for rate in finding.outcome.hit_rates
    )
    return TableBlock(f"inspection_{number}_hit_rates", "How often something was found", columns, rows)


def hit_gaps_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group but the reference: the difference of hit rates, pooled and inside strata."""
    test = finding.outcome
    columns = (
        Field("group", "group", "group", "The group."),
        *_gap_columns(confidence_text(test.confidence)),
        Field("adjusted_p_value", "p, adjusted", "p", "By Holm's method."),
        Field("reading", "reading", "text", "The verdict, for all groups."),
        Field("common_gap", "within strata", "points", "Mantel and Haenszel's."),
        Field("common_gap_interval", "its range", "points_interval", "Sato's."),
        Field("common_p_value", "p, within", "p", "Adjusted by Holm's method."),
        Field("reversal", "turns around", "text", "yes: the other sign within strata."),
        Field("small", "few", "text", f"yes: fewer than {ENOUGH} looked at."),
    )
    rows = []
    for gap in test.gaps:
        inside: tuple[Any, ...] = ("", ("", ""), "", "")
        if test.strata:
            common = (shown(gap.common_difference), tuple(gap.common_difference_interval))
            inside = (*common, shown(gap.common_p_value), bool(gap.reversal))
        cells = (*_gap_cells(gap.comparison), shown(gap.adjusted_p_value), _verdict(verdict_of(gap.comparison)))
        rows.append((gap.name, *cells, *inside, bool(gap.small)))
    title = "Differences of hit rates"
    against = {} if test.reference is None else {"reference": called(finding, test.reference)}
    note = say(Message("searches-against", against)) if against else None
    return TableBlock(f"inspection_{number}_gaps", title, columns, tuple(rows), note)


def hit_strata_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group and stratum: both hit rates and their difference."""
    test = finding.outcome
    columns = (
        Field("group", "group", "group", "The group."),
        *(
            Field(f"stratum_{i}", name, "text", f"Value of the column {name}.")
            for i, name in enumerate(test.strata, start=1)
        ),
        Field("looked_at", "looked at", "count", "Of the group, with a known outcome."),
        Field("hit_rate", "hit rate", "share", "That of the group."),
        Field("reference_looked_at", "reference", "count", "Of the reference, with a known outcome."),
        Field("reference_hit_rate", "its hit rate", "share", "That of the reference."),
        *_gap_columns(confidence_text(test.confidence)),
    )
    rows = tuple(
        (
            gap.name,
            *(value_text(value) for _, value in row.values),
            shown(row.shares.protected.n),
            shown(row.shares.protected.ratio),
            shown(row.shares.reference.n),
            shown(row.shares.reference.ratio),
            *_gap_cells(row.shares),
        )
        for gap in test.gaps
        for row in gap.strata
    )
    return TableBlock(
        f"inspection_{number}_strata",
        say(Message("searches-strata-title", {"columns": Phrase(", ".join(test.strata))})),
        columns,
        rows,
    )


def threshold_groups_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group: its threshold over all places, and its difference from the reference."""
    found = sure(finding.thresholds)
    level = confidence_text(found.confidence)
    columns = (
        Field("group", "group", "group", "The group."),
        Field("threshold", "threshold", "share", "Over all places, weighted by stops."),
        Field("threshold_interval", f"threshold, {level} range", "share_interval", "Its range."),
        Field("stops", "stops", "count", "Cases."),
        Field("looked_at_share", "looked at", "share", "Of these, looked at."),
        Field("hit_rate", "hit rate", "share", "Found, of looked at."),
        Field("gap", "difference, points", "points", "Threshold minus the reference's."),
        Field("gap_interval", f"difference, {level} range", "points_interval", "Its range."),
        Field("verdict", "reading", "text", "The verdict, for all groups."),
        Field("places", "places", "count", "Places where the group was stopped."),
    )
    gaps = {row.group: row for row in found.gaps.itertuples()}
    rows = []
    for row in found.aggregate.itertuples():
        gap = gaps.get(row.group)
        cells: tuple[Any, ...] = ("", ("", ""), "reference")
        if gap is not None:
            cells = (
                gap.difference,
                (gap.low, gap.high),
                _verdict(gap.verdict),
            )
        rates = (row.n_stops, row.search_rate, row.hit_rate)
        rows.append((row.group, row.threshold, (row.low, row.high), *rates, *cells, row.n_locations))
    return TableBlock(f"inspection_{number}_threshold_groups", "Thresholds over all places", columns, tuple(rows))


def thresholds_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group and place: the threshold, the counts, and what the model expects."""
    found = sure(finding.thresholds)
    columns = (
        Field("group", "group", "group", "The group."),
        Field("place", "place", "text", "The place."),
        Field("threshold", "threshold", "share", "How likely a find must seem."),
        Field("threshold_interval", f"{confidence_text(found.confidence)} range", "share_interval", "Of it."),
        Field("stops", "stops", "count", "Cases."),
        Field("looked_at", "looked at", "count", "Cases looked at."),
        Field("found", "found", "count", "Cases with something found."),
        Field("looked_at_share", "share looked at", "share", "Observed."),
        Field("fitted_share", "looked at, by the model", "share", "What the model expects."),
        Field("hit_rate", "hit rate", "share", "Observed."),
        Field("fitted_hit_rate", "hit rate, by the model", "share", "What the model expects."),
    )
    rows = tuple(
        (
            row.group,
            row.location,
            row.threshold,
            (row.low, row.high),
            row.n_stops,
            row.n_searches,
            row.n_hits,
            row.search_rate,
            row.fitted_search_rate,
            row.hit_rate,
            row.fitted_hit_rate,
        )
        for row in found.thresholds.itertuples()
    )
    return TableBlock(f"inspection_{number}_thresholds", "Thresholds by group and place", columns, rows)


def threshold_checks_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return how well the model fits, one row a figure."""
    checks = sure(finding.thresholds).checks
    columns = (
        Field("figure", "figure", "text", "Which figure."),
        Field("value", "value", "number", "The figure.", digits=3),
        Field("share", "share", "share", "The figure, where it is a share."),
    )
    rows: list[tuple[Any, ...]] = [
        ("error of search rates", "", shown(checks.search_rate_error)),
        ("error of hit rates", "", shown(checks.hit_rate_error)),
        ("as many looks as expected", "", shown(checks.search_rates_within)),
        ("as many finds as expected", "", shown(checks.hit_rates_within)),
        ("scale reduction of chains (near 1 is good)", shown(checks.worst_split), ""),
        ("effective draws", shown(checks.effective_draws), ""),
    ]
    if checks.placebo is not None:
        placebo = checks.placebo
        rows += [
            ("placebo: differences tested", shown(placebo.n_comparisons), ""),
            ("placebo: differences that look clear", shown(placebo.n_different), ""),
            ("placebo: largest difference", "", shown(placebo.largest)),
        ]
    return TableBlock(f"inspection_{number}_threshold_checks", "Whether the model fits", columns, tuple(rows))


def veil_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group: stops in light and in darkness, and the odds ratio."""
    veil = sure(finding.veil)
    columns = (
        Field("group", "group", "group", "The group."),
        Field("light", "in light", "count", "Its stops in light."),
        Field("dark", "in darkness", "count", "Its stops in darkness."),
        Field("share_light", "share in light", "share", "The group, of it and the reference."),
        Field("share_dark", "share in darkness", "share", "The group, of it and the reference."),
        Field("odds_ratio", "odds ratio", "number", "Light against darkness."),
        Field("odds_ratio_interval", f"{confidence_text(veil.confidence)} range", "number_interval", "Of it."),
        Field("adjusted_p_value", "p, adjusted", "p", "By Holm's method."),
        Field("verdict", "reading", "text", "The verdict, for all groups."),
    )
    rows = tuple(
        (
            gap.name,
            shown(gap.n_light),
            shown(gap.n_dark),
            shown(gap.share_light),
            shown(gap.share_dark),
            shown(gap.odds_ratio),
            tuple(gap.interval),
            shown(gap.adjusted_p_value),
            _verdict(gap.verdict),
        )
        for gap in veil.gaps
    )
    return TableBlock(f"inspection_{number}_veil", "Stops in light and in darkness", columns, rows)


def veil_hours_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a half hour and group: its share among stops in light and in darkness."""
    columns = (
        Field("hour", "from", "number", "Hours since midnight.", digits=1),
        Field("group", "group", "group", "The group."),
        Field("light", "in light", "count", "Its stops in light."),
        Field("dark", "in darkness", "count", "Its stops in darkness."),
        Field("share_light", "share in light", "share", "Of all stops in light."),
        Field("share_dark", "share in darkness", "share", "Of all stops in darkness."),
    )
    rows = tuple(
        (row.hour, row.group, row.n_light, row.n_dark, row.share_light, row.share_dark)
        for row in sure(finding.veil).by_time.itertuples()
    )
    return TableBlock(f"inspection_{number}_veil_hours", "Stops by the half hour", columns, rows)


def veil_places_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a place and group: the odds ratio there."""
    columns = (
        Field("place", "place", "text", "The place."),
        Field("group", "group", "group", "The group."),
        Field("light", "in light", "count", "Stops in light."),
        Field("dark", "in darkness", "count", "Stops in darkness."),
        Field("odds_ratio", "odds ratio", "number", "Light against darkness."),
        Field("odds_ratio_interval", "interval", "number_interval", "Of it."),
    )
    rows = tuple(
        (row.place, row.group, row.n_light, row.n_dark, row.odds_ratio, (row.low, row.high))
        for row in sure(finding.veil).by_place.itertuples()
    )
    return TableBlock(f"inspection_{number}_veil_places", "Light and darkness by place", columns, rows)


def _gap_columns(level: str) -> tuple[Field, ...]:
    return (
        Field("gap", "difference, points", "points", "Hit rate minus that of the reference."),
        Field("gap_interval", f"{level} interval", "points_interval", "Newcombe's."),
    )


def _verdict(found: ShownVerdict | None) -> str:
    """Return what may be read by a verdict."""
    return say(Message(f"reading-{(found or 'not_shown').replace('_', '-')}"))


def _gap_cells(found: Comparison) -> tuple[Any, ...]:
    return shown(found.difference), tuple(found.difference_interval)
