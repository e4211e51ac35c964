"""Searches and inspections, as tables: hit rates, thresholds, light and darkness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from fairaudit.audit.result import InspectionFinding
from fairaudit.disclosure.fields import Columns, Field, Kind
from fairaudit.errors import require
from fairaudit.findings import Message, Phrase
from fairaudit.measure.grouping import value_text
from fairaudit.measure.inspections.results import (
    HitRate,
    HitRateGap,
    OutcomeTest,
    ThresholdTest,
    VeilGap,
    VeilOfDarkness,
)
from fairaudit.measure.verdicts import ShownVerdict, verdict_of
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import (
    adapted,
    columns_of,
    declared_by,
    figures_table,
    frame_rows,
    frame_table,
    heads,
    record_table,
)
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
    declared = adapted(declared_by(HitRate), ("hits.interval",), label=f"{level} range")
    return record_table(
        f"inspection_{number}_hit_rates",
        "How often something was found",
        finding.outcome.hit_rates,
        declared,
        cells={
            "n_cases": lambda rate: "" if rate.n_cases is None else rate.n_cases,
            "acted_rate": lambda rate: "" if rate.n_cases is None else shown(rate.acted_rate),
            "is_reference": lambda rate: "yes" if rate.is_reference else "",
        },
    )


GROUP_GAP = ("comparison.difference", "comparison.difference_interval")
WITHIN = ("common_difference", "common_difference_interval", "common_p_value", "reversal")


def hit_gaps_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group but the reference: the difference of hit rates, pooled and inside strata."""
    test = finding.outcome
    names = ("name", *GROUP_GAP, "adjusted_p_value", "comparison.verdict", *WITHIN, "small")
    cells: dict[str, Callable[[HitRateGap], object]] = {
        "comparison.verdict": lambda gap: _verdict(verdict_of(gap.comparison)),
        "small": lambda gap: bool(gap.small),
        "reversal": lambda gap: bool(gap.reversal),
    }
    if not test.strata:
        cells |= dict.fromkeys(WITHIN, lambda _: "") | {"common_difference_interval": lambda _: ("", "")}
    against = {} if test.reference is None else {"reference": called(finding, test.reference)}
    note = say(Message("searches-against", against)) if against else None
    key, title = f"inspection_{number}_gaps", "Differences of hit rates"
    return record_table(key, title, test.gaps, _gap_columns(test), names, cells=cells, note=note)


def hit_strata_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group and stratum: both hit rates and their difference."""
    test = finding.outcome
    columns = (
        *heads(declared_by(HitRateGap), ("name",)),
        *(
            Field(f"stratum_{i}", name, "text", f"Value of the column {name}.")
            for i, name in enumerate(test.strata, start=1)
        ),
        Field("looked_at", "looked at", "count", "Of the group, with a known outcome."),
        Field("hit_rate", "hit rate", "share", "That of the group."),
        Field("reference_looked_at", "reference", "count", "Of the reference, with a known outcome."),
        Field("reference_hit_rate", "its hit rate", "share", "That of the reference."),
        *heads(_gap_columns(test), GROUP_GAP),
    )
    rows = tuple(
        (
            gap.name,
            *(value_text(value) for _, value in row.values),
            *(shown(each) for side in (row.shares.protected, row.shares.reference) for each in (side.n, side.ratio)),
            shown(row.difference),
            tuple(row.shares.difference_interval),
        )
        for gap in test.gaps
        for row in gap.strata
    )
    title = say(Message("searches-strata-title", {"columns": Phrase(", ".join(test.strata))}))
    return TableBlock(f"inspection_{number}_strata", title, columns, rows)


OVER_ALL = ("group", "threshold", "low", "n_stops", "search_rate", "hit_rate")
BY_PLACE = (
    "group", "location", "threshold", "low", "n_stops", "n_searches", "n_hits", "search_rate", "fitted_search_rate",
    "hit_rate", "fitted_hit_rate",
)  # fmt: skip


def threshold_groups_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group: its threshold over all places, and its difference from the reference."""
    found = require(finding.thresholds)
    level = confidence_text(found.confidence)
    groups = adapted(columns_of(ThresholdTest, "aggregate"), ("low",), label=f"threshold, {level} range")
    against = adapted(columns_of(ThresholdTest, "gaps"), ("low",), label=f"difference, {level} range")
    columns = (*heads(groups, OVER_ALL), *heads(against), *heads(groups, ("n_locations",)))
    gaps = {row.group: row for row in found.gaps.itertuples()}
    rows = []
    for row, cells in zip(found.aggregate.itertuples(), frame_rows(found.aggregate, groups, OVER_ALL), strict=True):
        gap = gaps.get(row.group)
        beside: tuple[object, ...] = ("", ("", ""), "reference")
        if gap is not None:
            beside = (gap.difference, (gap.low, gap.high), _verdict(gap.verdict))
        rows.append((*cells, *beside, row.n_locations))
    return TableBlock(f"inspection_{number}_threshold_groups", "Thresholds over all places", columns, tuple(rows))


def thresholds_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group and place: the threshold, the counts, and what the model expects."""
    found = require(finding.thresholds)
    level = f"{confidence_text(found.confidence)} range"
    declared = adapted(columns_of(ThresholdTest, "thresholds"), ("low",), label=level)
    key, title = f"inspection_{number}_thresholds", "Thresholds by group and place"
    return frame_table(key, title, found.thresholds, declared, BY_PLACE)


CHECKS = (
    "search_rate_error", "hit_rate_error", "search_rates_within", "hit_rates_within", "worst_split", "effective_draws",
)  # fmt: skip
CHECKED: Final[dict[Kind, Field]] = {
    "number": Field("value", "value", "number", "The figure.", digits=3),
    "share": Field("share", "share", "share", "The figure, where it is a share."),
}


def threshold_checks_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return how well the model fits, one row a figure."""
    checks = require(finding.thresholds).checks
    key, title = f"inspection_{number}_threshold_checks", "Whether the model fits"
    table = figures_table(key, title, checks, CHECKS, CHECKED)
    if checks.placebo is None:
        return table
    placebo = figures_table(key, title, checks.placebo, ("n_comparisons", "n_different", "largest"), CHECKED)
    return replace(table, rows=(*table.rows, *placebo.rows))


def veil_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a group: stops in light and in darkness, and the odds ratio."""
    veil = require(finding.veil)
    declared = adapted(declared_by(VeilGap), ("interval",), label=f"{confidence_text(veil.confidence)} range")
    cells = {"verdict": lambda gap: _verdict(gap.verdict)}
    key, title = f"inspection_{number}_veil", "Stops in light and in darkness"
    return record_table(key, title, veil.gaps, declared, cells=cells)


def veil_hours_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a half hour and group: its share among stops in light and in darkness."""
    declared, shares = columns_of(VeilOfDarkness, "by_time"), require(finding.veil).by_time
    return frame_table(f"inspection_{number}_veil_hours", "Stops by the half hour", shares, declared)


def veil_places_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a place and group: the odds ratio there."""
    declared, places = columns_of(VeilOfDarkness, "by_place"), require(finding.veil).by_place
    return frame_table(f"inspection_{number}_veil_places", "Light and darkness by place", places, declared)


def _gap_columns(test: OutcomeTest) -> Columns:
    level = f"{confidence_text(test.confidence)} interval"
    return adapted(declared_by(HitRateGap), ("comparison.difference_interval",), label=level)


def _verdict(found: ShownVerdict | None) -> str:
    """Return what may be read by a verdict."""
    return say(Message(f"reading-{(found or 'not_shown').replace('_', '-')}"))
