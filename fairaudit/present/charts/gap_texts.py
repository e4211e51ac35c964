"""What the charts of shares and gaps say, in words; for two of them also as a table that no report holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairaudit.findings import Argument, Group, Message, Phrase
from fairaudit.measure.limits import answer_digits
from fairaudit.measure.results import Comparison, GroupComparison, StratifiedFairness, StratumRow
from fairaudit.messages import say
from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Table, cell_text
from fairaudit.present.comparison_numbers import by_tolerance, figures_that_subtract, gap_number
from fairaudit.present.natural_order import in_natural_order
from fairaudit.present.numbers import finite, interval_ends, points_text
from fairaudit.present.words import (
    ALIKE,
    CANNOT_TELL,
    CLEAR_GAP,
    PERHAPS_SMALL,
    READINGS_MEANING,
    verdict_words,
)

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
    for end, words in zip(ends, (CLEAR_GAP, between, ALIKE), strict=True):
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
    return Group(None if reference is None else brief.shorten(reference, 30))


def strata_alt(result: StratifiedFairness) -> str:
    """Say in words what :func:`strata_chart` shows."""
    lead = Message("alt-values", {"columns": Phrase(brief.short(", ".join(result.columns)))})
    said = _gaps_in_words(read_strata(result.strata, digits=answer_digits(result.pooled)), lead)
    if result.pooled.difference is None:
        return said
    return f"{said} {say(Message('alt-overall', {'gap': Phrase(figures_that_subtract(result.pooled)[2])}))}"


def gap_alt(rows: Sequence[StratumRow], *, digits: int = 1) -> str:
    """Say in words what :func:`gap_chart` shows."""
    columns = brief.short(", ".join(name for name, _ in rows[0].values)) if rows else ""
    return _gaps_in_words(read_strata(rows, digits=digits), Message("alt-values", {"columns": Phrase(columns)}))


def read_strata(rows: Sequence[StratumRow], *, digits: int = 1) -> list[Named]:
    """Return strata with readings and gaps as the table beside them prints both, those that are hidden among them."""
    ordered = in_natural_order(rows)
    read = zip(ordered, verdict_words(ordered), strict=True)
    return [(row.name, row.shares, word, gap_number(row.shares, digits=digits)) for row, word in read]


def strata_table(
    rows: Sequence[StratumRow], *, key: str = "strata", title: str = "By stratum", digits: int = 1
) -> Table:
    """Return the numbers of :func:`strata_chart` and :func:`gap_chart`."""
    records = []
    for name, c, word, _ in read_strata(rows):
        sides = (c.protected.n, c.protected.ratio, c.reference.n, c.reference.ratio)
        records.append((name, *sides, c.difference, c.difference_interval, word))
    label = ", ".join(name for name, _ in rows[0].values) if rows else "stratum"
    confidence = rows[0].comparison.confidence if rows else 0.95
    tolerance = rows[0].shares.tolerance if rows else None
    columns = (
        ColumnSpec("stratum", label, "text", "The stratum."),
        ColumnSpec("protected_n", "protected", "count", "Decided cases of the protected group."),
        ColumnSpec("protected_share", "protected share", "share", "With the favourable result.", digits),
        ColumnSpec("rest_n", "others", "count", "Decided cases of everyone else."),
        ColumnSpec("rest_share", "share of others", "share", "With the favourable result.", digits),
        ColumnSpec("gap", "gap, points", "points", "Protected minus everyone else.", digits, beside=tolerance),
        ColumnSpec("interval", f"{brief.percent(confidence)} range", "points_interval", "Newcombe interval."),
        ColumnSpec("reading", "reading", "text", READINGS_MEANING),
    )
    return Table(key, title, columns, tuple(records))


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


def tolerance_table(result: Comparison, *, key: str = "tolerance", title: str = "Reading at each tolerance") -> Table:
    """Return the numbers of :func:`tolerance_chart`."""
    columns = (
        ColumnSpec("start", "from, points", "number", "Lowest tolerance.", digits=1),
        ColumnSpec("end", "to, points", "number", "Highest tolerance.", digits=1),
        ColumnSpec("reading", "reading", "text", READINGS_MEANING),
    )
    zones = tolerance_zones(result)
    return Table(key, title, columns, tuple((100 * z.start, 100 * z.end, z.words) for z in zones))


def _gaps_in_words(rows: Sequence[Named], lead: Message) -> str:
    known = [row for row in rows if finite(row[1].difference) is not None]
    if not known:
        return say((lead, Message("alt-none")))
    ordered = sorted(known, key=lambda row: row[1].difference)
    shown = "; ".join(f"{brief.short(name)} {gap} ({word})" for name, _, word, gap in brief.some(ordered))
    return say((lead, Message("alt-rows", {"rows": Phrase(shown)})))


def _points(value: float | None) -> str:
    known = finite(value)
    return cell_text(value if known is None else abs(known), "points").lstrip("+")
