"""Charts of shares and gaps: the verdict, all groups, strata, the explorer and the tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, TypeVar

import altair as alt

from fairaudit.findings import Message, Phrase
from fairaudit.measure.limits import answer_digits
from fairaudit.measure.results import (
    Comparison,
    GroupComparison,
    StratifiedFairness,
    StratumRow,
)
from fairaudit.messages import say
from fairaudit.present import brief, theme
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import gap_texts, parts
from fairaudit.present.comparison_numbers import by_tolerance, gap_number
from fairaudit.present.numbers import finite, interval_ends, points_number
from fairaudit.present.words import READINGS, verdict_words

_SHORT_MEANING = 24
"""A longer meaning stands on a line of its own: beside its words it would be cut where the page is narrow."""
_LETTER, _LINE, _LINES, _NARROW = 6.4, 14, 2, 300
"""How wide a letter is and how high a line, in pixels; lines that a bar has room for; how wide a narrow picture is."""
Row = TypeVar("Row")
Shown = tuple[str, Comparison, str, str, str]
"""A name, a comparison, what the data support there, its gap, and the figure beside it."""


def comparison_chart(comparison: GroupComparison, *, digits: int = 1, more_is_better: bool = True) -> Any:
    """Draw each group's gap to its reference with interval, the worst off first, the tolerance band, and each share."""
    rows = parts.worst_first(comparison, more_is_better=more_is_better).rows
    read = zip(rows, verdict_words(rows), strict=True)
    known = [(row, word) for row, word in read if row.shares.difference is not None]
    largest = _largest(known, [parts.size(row.shares.protected) for row, _ in known])
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
            say(Message("axis-gaps", {"others": gap_texts.named_reference(comparison.reference)})),
            "(right: share, rows)",
        ],
        gap_texts.comparison_alt(comparison, digits=digits),
        digits=digits,
    )


def strata_chart(result: StratifiedFairness) -> Any:
    """Draw the gap inside each stratum with interval, and the pooled gap as a dashed line."""
    digits = answer_digits(result.pooled)
    return _gap_rows(
        _named_strata(result.strata, digits),
        ["Gap in points, protected minus others", "(right: gap, protected rows)"],
        gap_texts.strata_alt(result),
        digits=digits,
        pooled=result.pooled,
    )


def gap_chart(rows: Sequence[StratumRow], *, digits: int = 1) -> Any:
    """Draw how the gap changes across the values of a column."""
    return _gap_rows(
        _named_strata(rows, digits),
        ["Gap in points, protected minus others", "(right: gap, protected rows)"],
        gap_texts.gap_alt(rows, digits=digits),
        digits=digits,
    )


def tolerance_chart(result: Comparison, *, digits: int = 1) -> Any:
    """Draw which answer the same data give at each tolerance, and the tolerance in use."""
    zones = gap_texts.tolerance_zones(result)
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
    x = parts.share_scale([0, top], "Tolerance in points", unit="points")
    shade = alt.Scale(domain=list(colors), range=list(colors.values()))
    bars = (
        parts.Layer(parts.values(records))
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
        parts.Layer(parts.values(records))
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
    ruled = parts.Layer(parts.values(marks[:1])).mark_rule(strokeWidth=2, color=theme.TEXT)
    dashed = parts.Layer(parts.values(marks[1:])).mark_rule(strokeWidth=2, color=theme.TEXT, strokeDash=[4, 3])
    named = [
        parts.Layer(parts.values([mark]))
        .mark_text(baseline="middle", align="right" if mark["value"] > 0.6 * top else "left", dx=_nudge(mark, top))
        .encode(x=alt.X("value:Q"), y=alt.YValue(y), text=alt.Text("text:N"))
        for mark, y in zip(marks, (12, 80), strict=False)
    ]
    lines = [
        ruled.encode(x=alt.X("value:Q"), y=alt.YValue(6), y2=alt.Y2Value(29)),
        dashed.encode(x=alt.X("value:Q"), y=alt.YValue(63), y2=alt.Y2Value(86)),
    ]
    return parts.finish(alt.layer(bars, words, *lines, *named), 92, gap_texts.tolerance_alt(result, digits=digits))


def _fitting(words: str, share: float) -> str:
    """Return words in at most two lines where they fit into this share of a picture, also of a narrow one; or none."""
    lines = wrap(words, max(len(words) // 2 + 3, 1))
    return "\n".join(lines) if max(map(len, lines)) * _LETTER <= share * _NARROW and len(lines) <= _LINES else ""


def _named_strata(rows: Sequence[StratumRow], digits: int) -> list[Shown]:
    read = [named for named in gap_texts.read_strata(rows, digits=digits) if named[1].difference is not None]
    largest = _largest(read, [parts.size(c.protected, c.reference) for _, c, *_ in read])
    return [(*named, named[-1]) for named in largest]


def _largest(rows: Sequence[Row], sizes: Sequence[int]) -> list[Row]:
    """Return the rows that a chart has room for: the largest, in their own order."""
    kept = sorted(range(len(rows)), key=lambda i: -sizes[i])[: brief.MOST_GROUPS]
    return [rows[i] for i in sorted(kept)]


def _gap_rows(
    rows: Sequence[Shown],
    title: list[str],
    description: str,
    *,
    digits: int,
    pooled: Comparison | None = None,
) -> Any:
    labels = brief.row_labels([name for name, *_ in rows])
    records: list[dict[str, Any]] = []
    for label, (name, c, word, gap_shown, figure) in zip(labels, rows, strict=True):
        records.append(
            {
                "label": label,
                "name": brief.whole(name),
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
    ends = parts.domain(spread, low=-1.0)
    x = parts.share_scale(ends, title, unit="signed")
    shown = [
        ("name", "Group"), ("gap", "Gap, points"), ("interval", "Interval"), ("share", "Share"),
        ("rest", "Share of others"), ("n", "Rows"), ("reading", "Reading"),
    ]  # fmt: skip
    layers = [parts.band(-tolerance, tolerance, ends), parts.upright(0.0)]
    layers += [
        parts.line_label(0.0, say(Message("chart-no-gap-line", {"limit": Phrase(parts.reach(tolerance))})), ends)
    ]
    if pooled is not None and overall is not None:
        gap = gap_number(pooled, digits=answer_digits(pooled))
        layers += [parts.upright(overall, dash=(4, 3), color=theme.TEXT)]
        layers += [parts.line_label(overall, f"all together: {gap}", ends, level=1)]
    layers += [*parts.interval_rows(records, labels, x, shown, **parts.by_reading(records))]
    layers += [parts.right_labels(records, labels)]
    return parts.finish(alt.layer(*layers), parts.height_of(labels), description)


def _nudge(mark: dict[str, Any], top: float) -> int:
    return -6 if mark["value"] > 0.6 * top else 6
