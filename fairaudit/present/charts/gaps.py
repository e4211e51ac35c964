"""Charts of shares, amounts and gaps, with their words: the verdict, groups, strata, the explorer, the tolerance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TypeVar

import altair as alt

from fairaudit.audit.result import AmountFinding
from fairaudit.disclosure.fields import Field
from fairaudit.findings import Argument, Group, Message, Phrase, Word
from fairaudit.findings.names import UNNAMED, Names
from fairaudit.measure.grouping import value_text
from fairaudit.measure.limits import answer_digits
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import (
    Comparison,
    GroupComparison,
    GroupMeans,
    MeanComparison,
    StratifiedFairness,
    StratumRow,
)
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock, cell_text
from fairaudit.present.charts import theme
from fairaudit.present.naming import in_natural_order
from fairaudit.present.numbers import (
    amount_tolerance_text,
    by_tolerance,
    digits_of,
    figures_that_subtract,
    finite,
    gap_number,
    interval_ends,
    points_number,
    points_text,
)
from fairaudit.present.verdicts import (
    CANNOT_TELL,
    CLEAR_GAP,
    NO_GAP,
    PERHAPS_SMALL,
    READINGS,
    READINGS_MEANING,
    verdict_words,
)

if TYPE_CHECKING:
    from altair.typing import ChartType

Named = tuple[str, Comparison, str, str]
"""A name, a comparison, what the data support there, and its gap as it is shown."""


@dataclass(frozen=True)
class ToleranceZone:
    """A stretch of tolerances, as fractions, that all give the same reading."""

    start: float
    end: float
    words: str


def tolerance_zones(result: Comparison) -> tuple[ToleranceZone, ...]:
    """Return which reading the data give at each tolerance from 0 to somewhat above all ends of intervals.

    The gap is clear while the whole interval lies outside the tolerance, and the groups are alike once the
    interval for alikeness lies inside it; between the two only its size is unclear if the interval leaves out zero, and
    else the data cannot tell, as they never can where there is one decision only.
    """
    low, high = interval_ends(result.difference_interval)
    inner = [abs(v) for v in interval_ends(result.equivalence_interval) if v is not None]
    clear = 0.0 if low is None or high is None else max(0.0, low, -high)
    alike = max(inner) if inner else None
    widest = max(clear, alike or 0.0, result.tolerance, 0.05)
    top = min(1.0, max(0.1, -(-widest * 1.25 // 0.05) * 0.05))
    if result.has_one_decision:
        return (ToleranceZone(0.0, top, CANNOT_TELL),)
    ends = (min(clear, top), top if alike is None else min(max(alike, clear), top), top)
    zones, start = [], 0.0
    between = PERHAPS_SMALL if clear else CANNOT_TELL
    for end, words in zip(ends, (CLEAR_GAP, between, NO_GAP), strict=True):
        if end > start:
            zones.append(ToleranceZone(start, end, words))
            start = end
    return tuple(zones)


def comparison_alt(comparison: GroupComparison, *, digits: int = 1) -> str:
    """Say in words what :func:`comparison_chart` shows."""
    words = verdict_words(comparison.rows)
    read = zip(comparison.rows, words, strict=True)
    named = [(r.name, r.shares, word, cell_text(r.shares.difference, "points", digits=digits)) for r, word in read]
    return _gaps_in_words(named, Message("alt-groups", {"others": Group(comparison.reference)}))


def named_reference(reference: str | None) -> Group:
    """Return what each group is compared with, short enough for the title of an axis."""
    return Group(None if reference is None else naming.shorten(reference, 30))


def strata_alt(result: StratifiedFairness) -> str:
    """Say in words what :func:`strata_chart` shows."""
    lead = Message("alt-values", {"columns": Phrase(naming.short(", ".join(result.columns)))})
    said = _gaps_in_words(read_strata(result.strata, digits=answer_digits(result.pooled)), lead)
    if result.pooled.difference is None:
        return said
    return f"{said} {say(Message('alt-overall', {'gap': Phrase(figures_that_subtract(result.pooled)[2])}))}"


def gap_alt(rows: Sequence[StratumRow], *, digits: int = 1) -> str:
    """Say in words what :func:`gap_chart` shows."""
    columns = naming.short(", ".join(name for name, _ in rows[0].values)) if rows else ""
    return _gaps_in_words(read_strata(rows, digits=digits), Message("alt-values", {"columns": Phrase(columns)}))


def stratum_label(row: StratumRow) -> str:
    """Return what a stratum is called in a picture: by its values."""
    unknown = say(Message("stratum-unknown"))
    return ", ".join(unknown if value is None else value_text(value) for _, value in row.values)


def _within_title(names: Names, key: str = "axis-within") -> list[str]:
    groups = {"protected": names.protected, "others": names.others}
    right = {"figure": Word("gap" if key == "axis-within" else "mean"), "protected": names.protected}
    return [say(Message(key, groups)), say(Message("axis-within-right", right))]


def read_strata(rows: Sequence[StratumRow], *, digits: int = 1) -> list[Named]:
    """Return strata with readings and gaps as the table beside them prints both, those that are hidden among them."""
    ordered = in_natural_order(rows)
    read = zip(ordered, verdict_words(ordered), strict=True)
    return [(stratum_label(row), row.shares, word, gap_number(row.shares, digits=digits)) for row, word in read]


def strata_table(
    rows: Sequence[StratumRow],
    names: Names = UNNAMED,
    *,
    key: str = "strata",
    title: str = "By stratum",
    digits: int = 1,
) -> TableBlock:
    """Return the numbers of :func:`strata_chart` and :func:`gap_chart`."""
    records = []
    for name, c, word, _ in read_strata(rows):
        sides = (c.protected.n, c.protected.ratio, c.reference.n, c.reference.ratio)
        records.append((name, *sides, c.difference, c.difference_interval, word))
    label = ", ".join(name for name, _ in rows[0].values) if rows else "stratum"
    confidence = rows[0].comparison.confidence if rows else 0.95
    tolerance = rows[0].shares.tolerance if rows else None
    own, others = (say(Message("group-alone", {"group": group})) for group in (names.protected, names.others))
    order = {"protected": names.protected, "others": names.others, "unit": Word("points")}
    columns = (
        Field("stratum", label, "text", "The stratum."),
        Field("protected_n", own, "count", "Decided cases of the protected group."),
        Field("protected_share", f"{own}, share", "share", "With the favourable result.", digits),
        Field("rest_n", others, "count", "Decided cases of everyone else."),
        Field("rest_share", f"{others}, share", "share", "With the favourable result.", digits),
        Field(
            "gap",
            say(Message("column-gap", order)),
            "points",
            "Protected minus everyone else.",
            digits,
            beside=tolerance,
        ),
        Field("interval", f"{naming.percent(confidence)} range", "points_interval", "Newcombe interval."),
        Field("reading", "reading", "text", READINGS_MEANING),
    )
    return TableBlock(key, title, columns, tuple(records))


def tolerance_alt(result: Comparison, *, digits: int = 1) -> str:
    """Say in words what :func:`tolerance_chart` shows."""
    zones = [
        say(Message("alt-zone", {"verdict": Phrase(z.words), "low": Phrase(low), "high": Phrase(high)}))
        for z in tolerance_zones(result)
        for low, high in [(_points(z.start), _points(z.end))]
    ]
    gap = points_text(result.difference, signed=False, digits=digits, **by_tolerance(result))
    args: dict[str, Argument] = {
        "rows": Phrase("; ".join(zones)), "limit": Phrase(_points(result.tolerance)), "gap": Phrase(gap)
    }  # fmt: skip
    return say(Message("alt-tolerance", args))


def tolerance_table(
    result: Comparison, *, key: str = "tolerance", title: str = "Reading at each tolerance"
) -> TableBlock:
    """Return the numbers of :func:`tolerance_chart`."""
    columns = (
        Field("start", "from, points", "number", "Lowest tolerance.", digits=1),
        Field("end", "to, points", "number", "Highest tolerance.", digits=1),
        Field("reading", "reading", "text", READINGS_MEANING),
    )
    zones = tolerance_zones(result)
    return TableBlock(key, title, columns, tuple((100 * z.start, 100 * z.end, z.words) for z in zones))


def _gaps_in_words(rows: Sequence[Named], lead: Message) -> str:
    known = [row for row in rows if finite(row[1].difference) is not None]
    if not known:
        return say((lead, Message("alt-none")))
    ordered = sorted(known, key=lambda row: row[1].difference)
    shown = "; ".join(f"{naming.short(name)} {gap} ({word})" for name, _, word, gap in naming.some(ordered))
    return say((lead, Message("alt-rows", {"rows": Phrase(shown)})))


def _points(value: float | None) -> str:
    known = finite(value)
    return cell_text(value if known is None else abs(known), "points").lstrip("+")


# The charts of shares and gaps.

_SHORT_MEANING = 24
"""A longer meaning stands on a line of its own: beside its words it would be cut where the page is narrow."""
_LETTER, _LINE, _LINES, _NARROW = 6.4, 14, 2, 300
"""How wide a letter is and how high a line, in pixels; lines that a bar has room for; how wide a narrow picture is."""
Row = TypeVar("Row")
DrawnRow = tuple[str, Comparison, str, str, str]
"""A name, a comparison, what the data support there, its gap, and the figure beside it."""


def comparison_chart(comparison: GroupComparison, *, digits: int = 1, more_is_better: bool = True) -> Any:
    """Draw each group's gap to its reference with interval, the worst off first, the tolerance band, and each share."""
    rows = theme.worst_first(comparison, more_is_better=more_is_better).rows
    read = zip(rows, verdict_words(rows), strict=True)
    known = [(row, word) for row, word in read if row.shares.difference is not None]
    largest = _largest(known, [theme.size(row.shares.protected) for row, _ in known])
    return _gap_rows(
        [
            (
                row.name,
                row.shares,
                word,
                cell_text(row.shares.difference, "points", digits=digits),
                cell_text(row.shares.protected.ratio, "share", digits=digits),
            )
            for row, word in largest
        ],
        [
            say(Message("axis-gaps", {"others": named_reference(comparison.reference)})),
            "(right: share, rows)",
        ],
        comparison_alt(comparison, digits=digits),
        digits=digits,
    )


def strata_chart(result: StratifiedFairness, names: Names = UNNAMED) -> ChartType:
    """Draw the gap inside each stratum with interval, and the pooled gap as a dashed line."""
    digits = answer_digits(result.pooled)
    return _gap_rows(
        _named_strata(result.strata, digits),
        _within_title(names),
        strata_alt(result),
        digits=digits,
        pooled=result.pooled,
    )


def gap_chart(rows: Sequence[StratumRow], names: Names = UNNAMED, *, digits: int = 1) -> Any:
    """Draw how the gap changes across the values of a column."""
    return _gap_rows(
        _named_strata(rows, digits),
        _within_title(names),
        gap_alt(rows, digits=digits),
        digits=digits,
    )


def tolerance_chart(result: Comparison, *, digits: int = 1) -> Any:
    """Draw which answer the same data give at each tolerance, and the tolerance in use."""
    zones = tolerance_zones(result)
    top = zones[-1].end
    colors = dict(zip(READINGS, (theme.ALIKE, theme.GAP, theme.UNCLEAR, theme.UNCLEAR), strict=True))
    records = [
        {
            "value": zone.start,
            "end": zone.end,
            "middle": (zone.start + zone.end) / 2,
            "text": _fitting(zone.words, (zone.end - zone.start) / top),
            "words": zone.words,
            "range": f"{cell_text(zone.start, 'number', digits=3)} to {cell_text(zone.end, 'number', digits=3)}",
        }
        for zone in zones
    ]
    x = theme.share_scale([0, top], "Tolerance in points", unit="points")
    shade = alt.Scale(domain=list(colors), range=list(colors.values()))
    bars = (
        theme.Layer(theme.values(records))
        .mark_bar(size=34, stroke="white")
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=alt.YValue(46),
            color=alt.Color("words:N", scale=shade, legend=None),
            tooltip=[alt.Tooltip("words:N", title="Reading"), alt.Tooltip("range:N", title="At a tolerance of")],
        )
    )
    words = (
        theme.Layer(theme.values(records))
        .mark_text(baseline="middle", lineBreak="\n", lineHeight=_LINE)
        .encode(x=alt.X("middle:Q"), y=alt.YValue(46), text=alt.Text("text:N"))
    )
    marks: list[dict[str, Any]] = [
        {"value": result.tolerance, "text": f"in use: {cell_text(result.tolerance, 'points').lstrip('+')}"}
    ]
    gap = finite(result.difference)
    if gap is not None and abs(gap) <= top:
        size = points_number(gap, signed=False, digits=digits, **by_tolerance(result))
        marks.append({"value": abs(gap), "text": f"gap: {size}"})
    ruled = theme.Layer(theme.values(marks[:1])).mark_rule(strokeWidth=2, color=theme.TEXT)
    dashed = theme.Layer(theme.values(marks[1:])).mark_rule(strokeWidth=2, color=theme.TEXT, strokeDash=[4, 3])
    named = [
        theme.Layer(theme.values([mark]))
        .mark_text(baseline="middle", align="right" if mark["value"] > 0.6 * top else "left", dx=_nudge(mark, top))
        .encode(x=alt.X("value:Q"), y=alt.YValue(y), text=alt.Text("text:N"))
        for mark, y in zip(marks, (12, 80), strict=False)
    ]
    lines = [
        ruled.encode(x=alt.X("value:Q"), y=alt.YValue(6), y2=alt.Y2Value(29)),
        dashed.encode(x=alt.X("value:Q"), y=alt.YValue(63), y2=alt.Y2Value(86)),
    ]
    return theme.finish(alt.layer(bars, words, *lines, *named), 92, tolerance_alt(result, digits=digits))


def _fitting(words: str, share: float) -> str:
    """Return words in at most two lines where they fit into this share of a picture, also of a narrow one; or none."""
    lines = wrap(words, max(len(words) // 2 + 3, 1))
    return "\n".join(lines) if max(map(len, lines)) * _LETTER <= share * _NARROW and len(lines) <= _LINES else ""


def _named_strata(rows: Sequence[StratumRow], digits: int) -> list[DrawnRow]:
    read = [named for named in read_strata(rows, digits=digits) if named[1].difference is not None]
    largest = _largest(read, [theme.size(c.protected, c.reference) for _, c, *_ in read])
    return [(*named, named[-1]) for named in largest]


def _largest(rows: Sequence[Row], sizes: Sequence[int]) -> list[Row]:
    """Return the rows that a chart has room for: the largest, in their own order."""
    kept = sorted(range(len(rows)), key=lambda i: -sizes[i])[: naming.MOST_GROUPS]
    return [rows[i] for i in sorted(kept)]


def _gap_rows(
    rows: Sequence[DrawnRow],
    title: list[str],
    description: str,
    *,
    digits: int,
    pooled: Comparison | None = None,
) -> Any:
    labels = naming.row_labels([name for name, *_ in rows])
    records: list[dict[str, Any]] = []
    for label, (name, c, word, gap_shown, figure) in zip(labels, rows, strict=True):
        records.append(
            {
                "label": label,
                "name": naming.whole(name),
                "value": finite(c.difference),
                "low": interval_ends(c.difference_interval)[0],
                "high": interval_ends(c.difference_interval)[1],
                "gap": gap_shown,
                "interval": cell_text(c.difference_interval, "points_interval"),
                "share": cell_text(c.protected.ratio, "share", digits=digits),
                "rest": cell_text(c.reference.ratio, "share", digits=digits),
                "n": cell_text(c.protected.n, "count"),
                "text": f"{figure}  ({cell_text(c.protected.n, 'count')})",
                "reading": word,
            }
        )
    tolerance = rows[0][1].tolerance if rows else 0.05
    overall = None if pooled is None else finite(pooled.difference)
    spread = [v for r in records for v in (r["value"], r["low"], r["high"])] + [-tolerance, tolerance, overall]
    ends = theme.domain(spread, low=-1.0)
    x = theme.share_scale(ends, title, unit="signed")
    shown = [
        ("name", "Group"), ("gap", "Gap, points"), ("interval", "Interval"), ("share", "Share"),
        ("rest", "Share of others"), ("n", "Rows"), ("reading", "Reading"),
    ]  # fmt: skip
    layers = [theme.band(-tolerance, tolerance, ends), theme.upright(0.0)]
    layers += [
        theme.line_label(0.0, say(Message("chart-no-gap-line", {"limit": Phrase(theme.reach(tolerance))})), ends)
    ]
    if pooled is not None and overall is not None:
        gap = gap_number(pooled, digits=answer_digits(pooled))
        layers += [theme.upright(overall, dash=(4, 3), color=theme.TEXT)]
        layers += [theme.line_label(overall, f"all together: {gap}", ends, level=1)]
    layers += [*theme.interval_rows(records, labels, x, shown, **theme.by_reading(records))]
    layers += [theme.right_labels(records, labels)]
    return theme.finish(alt.layer(*layers), theme.height_of(labels), description)


def _nudge(mark: dict[str, Any], top: float) -> int:
    return -6 if mark["value"] > 0.6 * top else 6


# The charts of amounts.

NamedAmounts = Sequence[tuple[str, MeanComparison, str]]
"""Names, comparisons, and what the data support there."""


def group_means_chart(finding: AmountFinding, comparison: GroupMeans) -> Any:
    """Draw each group's difference to its reference, the worst off first, and the tolerance band around none."""
    title = [say(Message("axis-means", {"others": named_reference(comparison.reference)})), "(right: mean, rows)"]
    ordered = theme.worst_first(comparison, more_is_better=finding.decision.higher_is_favorable)
    return _difference_rows(finding, known_groups(ordered), title, group_means_alt(finding, comparison))


def group_means_alt(finding: AmountFinding, comparison: GroupMeans) -> str:
    """Say in words what :func:`group_means_chart` shows."""
    lead = Message("alt-group-means", {"others": Group(comparison.reference)})
    return _amounts_in_words(finding, known_groups(comparison), lead)


def mean_strata_chart(finding: AmountFinding, strata: StratifiedMeans) -> ChartType:
    """Draw the difference inside each stratum with interval, and that in all rows together as a dashed line."""
    title = _within_title(finding.names, "axis-within-means")
    named = known_strata(strata)
    pooled = finite(strata.pooled.difference)
    return _difference_rows(finding, named, title, mean_strata_alt(finding, strata), pooled=pooled)


def mean_strata_alt(finding: AmountFinding, strata: StratifiedMeans) -> str:
    """Say in words what :func:`mean_strata_chart` shows."""
    lead = Message("alt-mean-values", {"columns": Phrase(naming.short(", ".join(strata.columns)))})
    pooled = cell_text(strata.pooled.difference, "difference", digits=digits_of(finding))
    said = _amounts_in_words(finding, known_strata(strata), lead)
    return f"{said} {say(Message('alt-overall', {'gap': Phrase(pooled)}))}"


def known_groups(comparison: GroupMeans) -> NamedAmounts:
    """Return the groups that can be drawn."""
    words = verdict_words(comparison.rows)
    return _known_amounts((row.name, row.means, word) for row, word in zip(comparison.rows, words, strict=True))


def known_strata(strata: StratifiedMeans) -> NamedAmounts:
    """Return the strata that can be drawn."""
    rows = in_natural_order(strata.strata)
    return _known_amounts(
        (stratum_label(row), row.means, word) for row, word in zip(rows, verdict_words(rows), strict=True)
    )


def _known_amounts(named: Iterable[tuple[str, MeanComparison, str]]) -> NamedAmounts:
    """Return the comparisons that can be drawn: those that are defined and not hidden."""
    return [row for row in named if finite(row[1].difference) is not None]


def _difference_rows(
    finding: AmountFinding, named: NamedAmounts, title: list[str], description: str, *, pooled: float | None = None
) -> Any:
    digits, tolerance = digits_of(finding), finding.result.tolerance
    sizes = [-((c.protected.n or 0) + (c.reference.n or 0)) for _, c, _ in named]
    largest = sorted(sorted(range(len(named)), key=sizes.__getitem__)[: naming.MOST_GROUPS])
    rows = [named[i] for i in largest]
    labels = naming.row_labels([name for name, *_ in rows])
    records: list[dict[str, Any]] = []
    for label, (name, c, word) in zip(labels, rows, strict=True):
        mean, n = cell_text(c.protected.mean, "amount", digits=digits), cell_text(c.protected.n, "count")
        records.append(
            {
                "label": label,
                "name": naming.whole(name),
                "value": finite(c.difference),
                "low": interval_ends(c.difference_interval)[0],
                "high": interval_ends(c.difference_interval)[1],
                "difference": cell_text(c.difference, "difference", digits=digits),
                "interval": cell_text(c.difference_interval, "difference_interval", digits=digits),
                "mean": mean,
                "rest": cell_text(c.reference.mean, "amount", digits=digits),
                "n": n,
                "text": f"{mean}  ({n})",
                "reading": word,
            }
        )
    ends = amount_domain(
        [v for r in records for v in (r["value"], r["low"], r["high"])] + [-tolerance, tolerance, pooled]
    )
    x = amount_axis(ends, title, digits, signed=True)
    shown = [
        ("name", "Group"), ("difference", "Difference"), ("interval", "Interval"), ("mean", "Mean"),
        ("rest", "Mean of others"), ("n", "Rows"), ("reading", "Reading"),
    ]  # fmt: skip
    layers = [theme.band(-tolerance, tolerance, ends), theme.upright(0.0)]
    layers += [
        theme.line_label(
            0.0, say(Message("line-no-difference", {"limit": Phrase(amount_tolerance_text(finding))})), ends
        )
    ]
    if pooled is not None:
        layers += [theme.upright(pooled, dash=(4, 3), color=theme.TEXT)]
        text = cell_text(pooled, "difference", digits=digits)
        layers += [theme.line_label(pooled, f"all together: {text}", ends, level=1)]
    layers += [
        *theme.interval_rows(records, labels, x, shown, **theme.by_reading(records)),
        theme.right_labels(records, labels),
    ]
    return theme.finish(alt.layer(*layers), theme.height_of(labels), description)


def _amounts_in_words(finding: AmountFinding, named: NamedAmounts, lead: Message) -> str:
    if not named:
        return say((lead, Message("alt-none")))
    digits = digits_of(finding)
    ordered = sorted(named, key=lambda row: row[1].difference)
    shown = "; ".join(
        f"{naming.short(name)} {cell_text(c.difference, 'difference', digits=digits)} ({word})"
        for name, c, word in naming.some(ordered)
    )
    return say((lead, Message("alt-rows", {"rows": Phrase(shown)})))


def amount_domain(values: Iterable[float | None]) -> list[float]:
    """Return the ends of an axis that holds all values with a little room."""
    known_values = [v for v in map(finite, values) if v is not None]
    if not known_values:
        return [0.0, 1.0]
    low, high = min(known_values), max(known_values)
    room = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
    return [low - room, high + room]


def amount_axis(span: Sequence[float], title: str | list[str], digits: int, *, signed: bool = False) -> alt.X:
    """Return an x channel on field ``value`` with amounts, or signed differences, as labels."""
    sign = (
        "(datum.value > 0 ? '+' : datum.value < 0 ? '\u2212' : '')" if signed else "(datum.value < 0 ? '\u2212' : '')"
    )
    expression = f"{sign} + format(abs(datum.value), ',.{digits}~f')"
    return alt.X(
        "value:Q",
        scale=alt.Scale(domain=list(span), nice=False, zero=False),
        axis=alt.Axis(title=title, labelExpr=expression, tickCount=6, labelSeparation=6),
    )
