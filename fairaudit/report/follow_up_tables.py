"""What explains a gap, whether it changed, and searches and inspections, as tables."""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import ChangeFinding, ExplanationFinding, InspectionFinding
from fairaudit.defaults import ENOUGH
from fairaudit.errors import sure
from fairaudit.findings import Message, Phrase, Word
from fairaudit.measure.grouping import value_text
from fairaudit.measure.results import Comparison, ControlledFairness, ControlledMeans
from fairaudit.measure.verdicts import ShownVerdict, verdict_of
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import INTERVAL_OF, ColumnSpec, Kind, TableBlock
from fairaudit.present.numbers import confidence_text, shown
from fairaudit.sections.change.reading import answers_of
from fairaudit.sections.change.saying import group_column
from fairaudit.sections.searches.reading import called

NONE = ("", "")


def explanation_tables(finding: ExplanationFinding, number: int) -> list[TableBlock]:
    """Return the parts of a gap, the controls with their reasons, what could overturn it, and its curve."""
    return [
        parts_table(finding, number),
        controls_table(finding, number),
        sensitivity_table(finding, number),
        curve_table(finding, number),
    ]


def parts_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return the gap and its parts, one row each, as of shares in points or of amounts in their unit."""
    found = finding.result
    kind: Kind = "points" if finding.decision.kind.has_good_outcome else "difference"
    level = confidence_text(found.confidence)
    columns = (
        ColumnSpec("part", "part", "text", "The gap, or a part of it."),
        ColumnSpec("value", naming.gap_head(finding.names, kind), kind, "The figure.", turns=True),
        ColumnSpec("interval", f"{level} range (Wald)", INTERVAL_OF[kind], "Its range, by Wald's method.", turns=True),
    )
    rows: list[tuple[Any, ...]] = [("gap", shown(found.gap.value), tuple(found.gap.interval))]
    rows.append(("explained", shown(found.explained.value), tuple(found.explained.interval)))
    for row in found.by_control.itertuples():
        part = say(Message("explain-row-part", {"column": Phrase(row.control)}))
        rows.append((part, row.part, (row.part_low, row.part_high)))
    rows.append(("what is left", shown(found.unexplained.value), tuple(found.unexplained.interval)))
    if found.n_alone_protected or found.n_alone_reference:
        alone = found.no_counterpart
        rows.append(("no counterpart", shown(alone.value), tuple(alone.interval)))
    held = found.adjusted_gap
    rows.append(("what is left, by a model", shown(held.value), tuple(held.interval)))
    if held.doubly_robust is not None:
        check = held.doubly_robust
        rows.append(("the same, checked on other rows", shown(check.value), tuple(check.interval)))
    return TableBlock(
        f"explanation_{number}_parts",
        "The gap and its parts",
        columns,
        tuple(rows),
        is_turned=finding.names.of_unfavorable,
    )


def controls_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return the controls with the reasons for them."""
    columns = (
        ColumnSpec("control", "column", "text", "The column."),
        ColumnSpec("reason", "why it may count", "text", "As the person says."),
        ColumnSpec("differs", "goes with the group", "number", "A correlation from 0 to 1 with the group."),
        ColumnSpec(
            "marked", "differs strongly", "text", "yes: ask whether the decision or the group brought it about."
        ),
    )
    known = {row.control: row for row in finding.result.by_control.itertuples()}
    rows = []
    for control in finding.plan.controls:
        row = known.get(control.column)
        figures = (shown(None), shown(None)) if row is None else (row.differs, bool(row.marked))
        rows.append((control.column, " ".join(control.reason.split()), *figures))
    return TableBlock(f"explanation_{number}_controls", "The columns and the reasons for them", columns, tuple(rows))


def sensitivity_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return what could overturn the adjusted gap, one row a figure."""
    found = finding.result.sensitivity
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("gap", "for the gap to be 0", "number", "What it takes.", digits=3),
        ColumnSpec("interval", "for its range to include 0", "number", "What it takes.", digits=3),
    )
    rows = [
        ("E-value", shown(found.e_value), shown(found.e_value_interval)),
        ("robustness value", shown(found.robustness_value), shown(found.robustness_value_interval)),
        ("times the strongest column", shown(found.times), shown(found.times_interval)),
        ("strength of a yes/no column", "", shown(found.touches_zero)),
    ]
    return TableBlock(f"explanation_{number}_overturning", "What could overturn it", columns, tuple(rows))


def curve_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return the range of the gap under a missing column, by its strength."""
    kind: Kind = "points" if finding.decision.kind.has_good_outcome else "difference"
    columns = (
        ColumnSpec("strength", "strength", "number", "Odds ratios; of amounts, shares explained."),
        ColumnSpec("range", "range of the gap", INTERVAL_OF[kind], "Lowest and highest gap.", turns=True),
        ColumnSpec("interval", "with its range", INTERVAL_OF[kind], "The same, with its range.", turns=True),
    )
    rows = tuple(
        (row.strength, (row.low, row.high), (row.interval_low, row.interval_high))
        for row in finding.result.sensitivity.curve.itertuples()
    )
    return TableBlock(
        f"explanation_{number}_curve",
        "The gap if a column is missing",
        columns,
        rows,
        is_turned=finding.names.of_unfavorable,
    )


def change_tables(finding: ChangeFinding, number: int) -> list[TableBlock]:
    """Return the answers by period, the change and its parts, and in what the periods are recorded otherwise."""
    tables = [periods_table(finding, number)]
    if finding.result is not None:
        tables.append(change_table(finding, number))
    return [*tables, profile_table(finding, number)]


def periods_table(finding: ChangeFinding, number: int) -> TableBlock:
    """Return one row a period with both groups and the gap."""
    level = confidence_text(finding.plan.confidence)
    shares = finding.decision.kind.has_good_outcome
    side, its = ("share", "Its share.") if shares else ("mean", "Its mean amount.")
    kind: Kind = "share" if shares else "amount"
    gap: Kind = "points" if shares else "difference"
    names, of = finding.names, (f"protected_{side}", f"reference_{side}")
    columns = (
        ColumnSpec("period", "period", "text", "The period."),
        ColumnSpec("protected_n", group_column(names.protected), "count", "Its cases."),
        ColumnSpec(f"protected_{side}", group_column(names.protected, side), kind, its, turns=True),
        ColumnSpec("reference_n", group_column(names.others), "count", "Its cases."),
        ColumnSpec(f"reference_{side}", group_column(names.others, side), kind, its, turns=True),
        ColumnSpec("gap", naming.gap_head(names, gap), gap, "Protected group minus everyone else.", of=of, turns=True),
        ColumnSpec("gap_interval", f"{level} range", INTERVAL_OF[gap], "Its range.", turns=True),
        ColumnSpec("adjusted_p_value", "p, adjusted", "p", "By Holm's method."),
    )
    rows = []
    if finding.line is not None:
        adjusted = list(finding.line.periods["adjusted_p_value"])
        for name, answer, p_value in zip(finding.line.names, finding.line.answers, adjusted, strict=False):
            rows.append((name, *_answer(answer), p_value))
    else:
        rows = [(n, *_answer(a), "") for n, a in zip(finding.compared.names, answers_of(finding), strict=True)]
    return TableBlock(
        f"change_{number}_periods", "The gap by period", columns, tuple(rows), is_turned=names.of_unfavorable
    )


def change_table(finding: ChangeFinding, number: int) -> TableBlock:
    """Return the change and its parts."""
    found = sure(finding.result)
    shares = finding.decision.kind.has_good_outcome
    kind: Kind = "points" if shares else "difference"
    head = say(Message("column-change", {"unit": Word("points" if shares else "amount")}))
    level = confidence_text(found.confidence)
    columns = (
        ColumnSpec("part", "part", "text", "The change, or a part of it."),
        ColumnSpec("value", head, kind, "After minus before.", beside=found.tolerance if shares else None, turns=True),
        ColumnSpec("interval", f"{level} range", INTERVAL_OF[kind], "Its range.", turns=True),
        ColumnSpec("p_value", "p-value", "p", "Of no change."),
    )
    rows = [("change", shown(found.change), tuple(found.change_interval), shown(found.p_value))]
    if found.strata:
        rows.append(("mix", shown(found.mix), tuple(found.mix_interval), ""))
        rows.append(("rates", shown(found.rates), tuple(found.rates_interval), ""))
    return TableBlock(
        f"change_{number}_change",
        "The change and its parts",
        columns,
        tuple(rows),
        is_turned=finding.names.of_unfavorable,
    )


def profile_table(finding: ChangeFinding, number: int) -> TableBlock:
    """Return in what the periods are recorded otherwise."""
    found = finding.compared
    columns = (
        ColumnSpec("column", "column", "text", "The column."),
        ColumnSpec("change", "what changed", "text", "The kind of change."),
        ColumnSpec("matters", "the question depends on it", "text", "Whether the question uses it."),
        ColumnSpec("sentence", "in words", "text", "What changed."),
    )
    rows = tuple((d.column, d.change.replace("_", " "), d.matters, d.sentence) for d in found.profile)
    return TableBlock(f"change_{number}_recording", "How the periods were recorded", columns, rows)


def _answer(answer: ControlledFairness | ControlledMeans) -> tuple[Any, ...]:
    gap = (shown(answer.difference), tuple(answer.difference_interval))
    groups = answer.protected, answer.reference
    sides = [(shown(each.n), shown(each.mean if hasattr(each, "mean") else each.ratio)) for each in groups]
    return *sides[0], *sides[1], *gap


# Searches and inspections.

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
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("cases", "cases", "count", "Cases of the group, where known."),
        ColumnSpec("looked_at", "looked at", "count", "Those that were looked at."),
        ColumnSpec("looked_at_share", "share", "share", "Looked at, of all cases."),
        ColumnSpec("known", "outcome known", "count", "Looked at, with a known outcome."),
        ColumnSpec("found", "found", "count", "With something found."),
        ColumnSpec("hit_rate", "hit rate", "share", "Found, of known outcomes."),
        ColumnSpec("hit_rate_interval", f"{level} range", "share_interval", "Wilson's."),
        ColumnSpec("reference", "reference", "text", "yes: the others are compared with it."),
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
        ColumnSpec("group", "group", "group", "The group."),
        *_gap_columns(confidence_text(test.confidence)),
        ColumnSpec("adjusted_p_value", "p, adjusted", "p", "By Holm's method."),
        ColumnSpec("reading", "reading", "text", "The verdict, for all groups."),
        ColumnSpec("common_gap", "within strata", "points", "Mantel and Haenszel's."),
        ColumnSpec("common_gap_interval", "its range", "points_interval", "Sato's."),
        ColumnSpec("common_p_value", "p, within", "p", "Adjusted by Holm's method."),
        ColumnSpec("reversal", "turns around", "text", "yes: the other sign within strata."),
        ColumnSpec("small", "few", "text", f"yes: fewer than {ENOUGH} looked at."),
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
        ColumnSpec("group", "group", "group", "The group."),
        *(
            ColumnSpec(f"stratum_{i}", name, "text", f"Value of the column {name}.")
            for i, name in enumerate(test.strata, start=1)
        ),
        ColumnSpec("looked_at", "looked at", "count", "Of the group, with a known outcome."),
        ColumnSpec("hit_rate", "hit rate", "share", "That of the group."),
        ColumnSpec("reference_looked_at", "reference", "count", "Of the reference, with a known outcome."),
        ColumnSpec("reference_hit_rate", "its hit rate", "share", "That of the reference."),
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
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("threshold", "threshold", "share", "Over all places, weighted by stops."),
        ColumnSpec("threshold_interval", f"threshold, {level} range", "share_interval", "Its range."),
        ColumnSpec("stops", "stops", "count", "Cases."),
        ColumnSpec("looked_at_share", "looked at", "share", "Of these, looked at."),
        ColumnSpec("hit_rate", "hit rate", "share", "Found, of looked at."),
        ColumnSpec("gap", "difference, points", "points", "Threshold minus the reference's."),
        ColumnSpec("gap_interval", f"difference, {level} range", "points_interval", "Its range."),
        ColumnSpec("verdict", "reading", "text", "The verdict, for all groups."),
        ColumnSpec("places", "places", "count", "Places where the group was stopped."),
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
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("place", "place", "text", "The place."),
        ColumnSpec("threshold", "threshold", "share", "How likely a find must seem."),
        ColumnSpec("threshold_interval", f"{confidence_text(found.confidence)} range", "share_interval", "Of it."),
        ColumnSpec("stops", "stops", "count", "Cases."),
        ColumnSpec("looked_at", "looked at", "count", "Cases looked at."),
        ColumnSpec("found", "found", "count", "Cases with something found."),
        ColumnSpec("looked_at_share", "share looked at", "share", "Observed."),
        ColumnSpec("fitted_share", "looked at, by the model", "share", "What the model expects."),
        ColumnSpec("hit_rate", "hit rate", "share", "Observed."),
        ColumnSpec("fitted_hit_rate", "hit rate, by the model", "share", "What the model expects."),
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
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("value", "value", "number", "The figure.", digits=3),
        ColumnSpec("share", "share", "share", "The figure, where it is a share."),
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
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("light", "in light", "count", "Its stops in light."),
        ColumnSpec("dark", "in darkness", "count", "Its stops in darkness."),
        ColumnSpec("share_light", "share in light", "share", "The group, of it and the reference."),
        ColumnSpec("share_dark", "share in darkness", "share", "The group, of it and the reference."),
        ColumnSpec("odds_ratio", "odds ratio", "number", "Light against darkness."),
        ColumnSpec("odds_ratio_interval", f"{confidence_text(veil.confidence)} range", "number_interval", "Of it."),
        ColumnSpec("adjusted_p_value", "p, adjusted", "p", "By Holm's method."),
        ColumnSpec("verdict", "reading", "text", "The verdict, for all groups."),
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
        ColumnSpec("hour", "from", "number", "Hours since midnight.", digits=1),
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("light", "in light", "count", "Its stops in light."),
        ColumnSpec("dark", "in darkness", "count", "Its stops in darkness."),
        ColumnSpec("share_light", "share in light", "share", "Of all stops in light."),
        ColumnSpec("share_dark", "share in darkness", "share", "Of all stops in darkness."),
    )
    rows = tuple(
        (row.hour, row.group, row.n_light, row.n_dark, row.share_light, row.share_dark)
        for row in sure(finding.veil).by_time.itertuples()
    )
    return TableBlock(f"inspection_{number}_veil_hours", "Stops by the half hour", columns, rows)


def veil_places_table(finding: InspectionFinding, number: int) -> TableBlock:
    """Return one row a place and group: the odds ratio there."""
    columns = (
        ColumnSpec("place", "place", "text", "The place."),
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("light", "in light", "count", "Stops in light."),
        ColumnSpec("dark", "in darkness", "count", "Stops in darkness."),
        ColumnSpec("odds_ratio", "odds ratio", "number", "Light against darkness."),
        ColumnSpec("odds_ratio_interval", "interval", "number_interval", "Of it."),
    )
    rows = tuple(
        (row.place, row.group, row.n_light, row.n_dark, row.odds_ratio, (row.low, row.high))
        for row in sure(finding.veil).by_place.itertuples()
    )
    return TableBlock(f"inspection_{number}_veil_places", "Light and darkness by place", columns, rows)


def _gap_columns(level: str) -> tuple[ColumnSpec, ...]:
    return (
        ColumnSpec("gap", "difference, points", "points", "Hit rate minus that of the reference."),
        ColumnSpec("gap_interval", f"{level} interval", "points_interval", "Newcombe's."),
    )


def _verdict(found: ShownVerdict | None) -> str:
    """Return what may be read by a verdict."""
    return say(Message(f"reading-{(found or 'not_shown').replace('_', '-')}"))


def _gap_cells(found: Comparison) -> tuple[Any, ...]:
    return shown(found.difference), tuple(found.difference_interval)
