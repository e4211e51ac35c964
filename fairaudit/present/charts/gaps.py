"""Charts of shares, amounts and gaps, with their words: the verdict, groups, strata, the explorer, the tolerance."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import altair as alt

from fairaudit.defaults import USUAL_TOLERANCE
from fairaudit.disclosure.fields import Field
from fairaudit.findings import Argument, Group, Message, Phrase, Word
from fairaudit.findings.names import UNNAMED, Names
from fairaudit.measure.grouping import value_text
from fairaudit.measure.limits import answer_digits
from fairaudit.measure.quantity import UNITS, QuantityKind, Unit
from fairaudit.measure.results import (
    Comparison,
    GroupBounds,
    GroupComparison,
    MeanComparison,
    Stratified,
    StratumRow,
    as_kind,
)
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock, cell_text
from fairaudit.present.charts import theme
from fairaudit.present.charts.bounds import BoundRow, bounds_chart, ends_text
from fairaudit.present.gap_texts import texts_of
from fairaudit.present.naming import in_natural_order
from fairaudit.present.numbers import (
    by_tolerance,
    figures_that_subtract,
    finite,
    gap_number,
    interval_ends,
    people_text,
    points_number,
    points_text,
    range_text,
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

AnyComparison = Comparison | MeanComparison
Named = tuple[str, AnyComparison, str, str]
"""A name, a comparison, what the data support there, and its gap as it is shown."""


@dataclass(frozen=True)
class GapLook(ABC):
    """How gaps of shares or of means are drawn, and said for those who cannot see it.

    Parameters
    ----------
    digits : int
        Decimals of figures and gaps.
    limit : str
        The tolerance.
    """

    digits: int
    limit: str

    unit: ClassVar[Unit]
    fields: ClassVar[tuple[tuple[str, str], ...]]
    """What the pointer shows of a row, each with what it is called; the second is the gap, the fourth the figure."""
    groups_said: ClassVar[str]
    strata_said: ClassVar[str]
    groups_axis: ClassVar[str]
    strata_axis: ClassVar[str]
    gap_is_beside: ClassVar[bool]
    """Whether the gap in a stratum stands beside it, and not what the protected group has."""

    @abstractmethod
    def domain(self, values: Iterable[float | None]) -> list[float]:
        """Return the ends of an axis that holds all values."""

    @abstractmethod
    def axis(self, ends: Sequence[float], title: list[str]) -> alt.X:
        """Return the axis of gaps."""

    @abstractmethod
    def no_gap(self, tolerance: float) -> Message:
        """Say what the line of no gap is, and the band around it."""

    @abstractmethod
    def is_drawn(self, c: AnyComparison) -> bool:
        """Say whether a comparison has a row of its own."""

    @abstractmethod
    def group_size(self, c: AnyComparison) -> int:
        """Return by what the groups are chosen that there is room for."""

    @abstractmethod
    def stratum_gap(self, c: AnyComparison) -> str:
        """Return the gap in a stratum, or in all rows."""

    @abstractmethod
    def overall(self, c: AnyComparison) -> str:
        """Return the gap in all rows in a sentence."""

    @abstractmethod
    def interval(self, c: AnyComparison) -> str:
        """Return the range of a gap."""

    def gap(self, c: AnyComparison) -> str:
        """Return a gap."""
        return cell_text(c.difference, self.unit.gap, digits=self.digits)

    def figure(self, value: float) -> str:
        """Return what a group has."""
        return cell_text(value, self.unit.figure, digits=self.digits)


class ShareLook(GapLook):
    """How gaps of shares are drawn."""

    unit = UNITS["share"]
    fields = (
        ("name", "Group"), ("gap", "Gap, points"), ("interval", "Interval"), ("share", "Share"),
        ("rest", "Share of others"), ("n", "Rows"), ("reading", "Reading"),
    )  # fmt: skip
    groups_said, strata_said = "alt-groups", "alt-values"
    groups_axis, strata_axis = "axis-gaps", "axis-within"
    gap_is_beside = True

    def domain(self, values: Iterable[float | None]) -> list[float]:
        """Return the ends of an axis that holds all values."""
        return theme.domain(values, low=-1.0)

    def axis(self, ends: Sequence[float], title: list[str]) -> alt.X:
        """Return the axis of gaps in points."""
        return theme.share_scale(ends, title, unit="signed")

    def no_gap(self, tolerance: float) -> Message:
        """Say what the line of no gap is, and the band around it."""
        return Message("chart-no-gap-line", {"limit": Phrase(theme.reach(tolerance))})

    def is_drawn(self, c: AnyComparison) -> bool:
        """Say whether a gap is not hidden."""
        return c.difference is not None

    def group_size(self, c: AnyComparison) -> int:
        """Return the size of the group."""
        return theme.size(c.protected)

    def stratum_gap(self, c: AnyComparison) -> str:
        """Return the gap with enough decimals to differ from the tolerance."""
        return gap_number(as_kind(Comparison, c), digits=self.digits)

    def overall(self, c: AnyComparison) -> str:
        """Return the gap in points."""
        return figures_that_subtract(as_kind(Comparison, c))[2]

    def interval(self, c: AnyComparison) -> str:
        """Return the range of a gap."""
        return cell_text(c.difference_interval, self.unit.gap_interval)


class MeanLook(GapLook):
    """How differences of means are drawn."""

    unit = UNITS["amount"]
    fields = (
        ("name", "Group"), ("difference", "Difference"), ("interval", "Interval"), ("mean", "Mean"),
        ("rest", "Mean of others"), ("n", "Rows"), ("reading", "Reading"),
    )  # fmt: skip
    groups_said, strata_said = "alt-group-means", "alt-mean-values"
    groups_axis, strata_axis = "axis-means", "axis-within-means"
    gap_is_beside = False

    def domain(self, values: Iterable[float | None]) -> list[float]:
        """Return the ends of an axis that holds all values."""
        return amount_domain(values)

    def axis(self, ends: Sequence[float], title: list[str]) -> alt.X:
        """Return the axis of differences."""
        return amount_axis(ends, title, self.digits, signed=True)

    def no_gap(self, tolerance: float) -> Message:
        """Say what the line of no difference is, and the band around it."""
        return Message("line-no-difference", {"limit": Phrase(self.limit)})

    def is_drawn(self, c: AnyComparison) -> bool:
        """Say whether a difference is defined and not hidden."""
        return finite(c.difference) is not None

    def group_size(self, c: AnyComparison) -> int:
        """Return the size of both groups."""
        return theme.size(c.protected, c.reference)

    def stratum_gap(self, c: AnyComparison) -> str:
        """Return the difference."""
        return self.gap(c)

    def overall(self, c: AnyComparison) -> str:
        """Return the difference."""
        return self.gap(c)

    def interval(self, c: AnyComparison) -> str:
        """Return the range of a difference."""
        return cell_text(c.difference_interval, self.unit.gap_interval, digits=self.digits)


LOOKS: Mapping[QuantityKind, type[GapLook]] = {"share": ShareLook, "amount": MeanLook}


def look_of(answer: AnyComparison | None) -> GapLook:
    """Return how all gaps beside an answer are drawn; without one those of shares, in points with one decimal."""
    if answer is None:
        return ShareLook(1, "")
    return LOOKS[answer.quantity](answer_digits(answer), texts_of(answer).limit)


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


def comparison_alt(comparison: GroupComparison, answer: AnyComparison | None = None) -> str:
    """Say in words what :func:`comparison_chart` shows."""
    if bounds := _bound_rows(comparison):
        return "; ".join(f"{row.name} {row.text}" for row in bounds)
    look, read = look_of(answer), zip(comparison.rows, verdict_words(comparison.rows), strict=True)
    named = [(row.name, row.comparison, word, look.gap(row.comparison)) for row, word in read]
    return _gaps_in_words(named, Message(look.groups_said, {"others": Group(comparison.reference)}))


def _bound_rows(comparison: GroupComparison) -> list[BoundRow]:
    """Return groups with the ends of their shares, the largest of many; none where counts are exact."""
    rows = []
    for row, word in zip(comparison.rows, verdict_words(comparison.rows), strict=True):
        group = row.comparison.protected
        if isinstance(group, GroupBounds):
            low, high = group.interval if all(map(math.isfinite, group.interval)) else (0.0, 1.0)
            text = f"{ends_text(low, high, 0)} \N{MIDDLE DOT} {word}"
            rows.append(BoundRow(row.name, low, high, text, people_text(group), is_own=False))
    largest = sorted(zip(comparison.rows, rows, strict=False), key=lambda pair: -pair[0].comparison.protected.n)
    kept = [row for _, row in largest[: naming.MOST_GROUPS]]
    return [row for row in rows if row in kept]


def stratum_bound_rows(rows: Sequence[StratumRow], names: Names) -> list[BoundRow]:
    """Return both groups of each stratum with the ends of their shares, the largest of many; none where exact."""
    found = []
    bounded = [row for row in rows if isinstance(row.comparison.protected, GroupBounds)]
    largest = sorted(bounded, key=lambda row: -row.comparison.protected.n - row.comparison.reference.n)[:MOST_BOUNDED]
    for row in in_natural_order(bounded):
        for side, name in ((row.comparison.protected, names.protected), (row.comparison.reference, names.others)):
            if isinstance(side, GroupBounds) and row in largest:
                low, high = side.interval if all(map(math.isfinite, side.interval)) else (0.0, 1.0)
                group = say(Message("group-alone", {"group": name}))
                called = say(Message("chart-bound-row", {"place": Phrase(stratum_label(row)), "group": Phrase(group)}))
                is_own = side is row.comparison.protected
                found.append(BoundRow(called, low, high, ends_text(low, high, 0), people_text(side), is_own=is_own))
    return found


MOST_BOUNDED = naming.MOST_GROUPS // 2
"""Strata whose groups are drawn with the ends of their shares: two rows each."""


def named_reference(reference: str | None) -> Group:
    """Return what each group is compared with, short enough for the title of an axis."""
    return Group(None if reference is None else naming.shorten(reference, 30))


def strata_alt(result: Stratified, names: Names = UNNAMED) -> str:
    """Say in words what :func:`strata_chart` shows."""
    if bounds := stratum_bound_rows(result.strata, names):
        return "; ".join(f"{row.name} {row.text}" for row in bounds)
    said = gap_alt(result.strata, result.pooled, columns=result.columns)
    if result.pooled.difference is None:
        return said
    overall = look_of(result.pooled).overall(result.pooled)
    return f"{said} {say(Message('alt-overall', {'gap': Phrase(overall)}))}"


def gap_alt(rows: Sequence[StratumRow], answer: AnyComparison | None = None, *, columns: Sequence[str] = ()) -> str:
    """Say in words what :func:`gap_chart` shows; `columns` make the rows where there may be none."""
    look = look_of(answer)
    names = columns or [name for row in rows[:1] for name, _ in row.values]
    lead = Message(look.strata_said, {"columns": Phrase(naming.short(", ".join(names)))})
    return _gaps_in_words(read_strata(rows, look), lead)


def stratum_label(row: StratumRow) -> str:
    """Return what a stratum is called in a picture: by its values."""
    unknown = say(Message("stratum-unknown"))
    return ", ".join(unknown if value is None else value_text(value) for _, value in row.values)


def _within_title(names: Names, look: GapLook) -> list[str]:
    groups = {"protected": names.protected, "others": names.others}
    right = {"figure": Word("gap" if look.gap_is_beside else "mean"), "protected": names.protected}
    return [say(Message(look.strata_axis, groups)), say(Message("axis-within-right", right))]


def read_strata(rows: Sequence[StratumRow], look: GapLook | None = None) -> list[Named]:
    """Return strata with readings and gaps as the table beside them prints both, those that are hidden among them."""
    look, ordered = look or look_of(None), in_natural_order(rows)
    read = zip(ordered, verdict_words(ordered), strict=True)
    return [(stratum_label(row), row.comparison, word, look.stratum_gap(row.comparison)) for row, word in read]


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
        sides = (c.protected.n, c.protected.value, c.reference.n, c.reference.value)
        records.append((name, *sides, c.difference, c.difference_interval, word))
    label = ", ".join(name for name, _ in rows[0].values) if rows else "stratum"
    confidence = rows[0].comparison.confidence if rows else 0.95
    tolerance = rows[0].comparison.tolerance if rows else None
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
DrawnRow = tuple[str, AnyComparison, str, str, str]
"""A name, a comparison, what the data support there, its gap, and the figure beside it."""


def comparison_chart(
    comparison: GroupComparison, answer: AnyComparison | None = None, *, more_is_better: bool = True
) -> ChartType:
    """Draw each group's gap to its reference with interval, the worst off first, the tolerance band, and each figure.

    It is drawn as the `answer` about both groups, of which it has the decimals and the tolerance.
    """
    if bounds := _bound_rows(comparison):
        return bounds_chart(bounds, description=comparison_alt(comparison, answer))
    look, rows = look_of(answer), theme.worst_first(comparison, more_is_better=more_is_better).rows
    named = [
        (row.name, row.comparison, word, look.gap(row.comparison), look.figure(row.comparison.protected.value))
        for row, word in zip(rows, verdict_words(rows), strict=True)
        if look.is_drawn(row.comparison)
    ]
    title = [
        say(Message(look.groups_axis, {"others": named_reference(comparison.reference)})),
        f"(right: {look.fields[3][0]}, rows)",
    ]
    drawn = _largest(named, [look.group_size(c) for _, c, *_ in named])
    return _gap_rows(drawn, title, comparison_alt(comparison, answer), look, answer)


def strata_chart(result: Stratified, names: Names = UNNAMED) -> ChartType:
    """Draw the gap inside each stratum with interval, and the pooled gap as a dashed line.

    Where counts are rounded or hidden, the ends of the shares of both groups are drawn.
    """
    if bounds := stratum_bound_rows(result.strata, names):
        return bounds_chart(bounds, description=strata_alt(result, names))
    look = look_of(result.pooled)
    drawn, title = _named_strata(result.strata, look), _within_title(names, look)
    return _gap_rows(drawn, title, strata_alt(result), look, result.pooled, pooled=finite(result.pooled.difference))


def gap_chart(rows: Sequence[StratumRow], names: Names = UNNAMED, answer: AnyComparison | None = None) -> ChartType:
    """Draw how the gap changes across the values of a column."""
    look = look_of(answer)
    return _gap_rows(_named_strata(rows, look), _within_title(names, look), gap_alt(rows, answer), look, answer)


def tolerance_chart(result: Comparison, *, digits: int = 1) -> ChartType:
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
            "range": range_text(*(cell_text(end, "number", digits=3) for end in (zone.start, zone.end))),
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


def _named_strata(rows: Sequence[StratumRow], look: GapLook) -> list[DrawnRow]:
    read = [named for named in read_strata(rows, look) if look.is_drawn(named[1])]
    largest = _largest(read, [theme.size(c.protected, c.reference) for _, c, *_ in read])
    return [
        (name, c, word, gap, gap if look.gap_is_beside else look.figure(c.protected.value))
        for name, c, word, gap in largest
    ]


def _largest(rows: Sequence[Row], sizes: Sequence[int]) -> list[Row]:
    """Return the rows that a chart has room for: the largest, in their own order."""
    kept = sorted(range(len(rows)), key=lambda i: -sizes[i])[: naming.MOST_GROUPS]
    return [rows[i] for i in sorted(kept)]


def _gap_rows(
    rows: Sequence[DrawnRow],
    title: list[str],
    description: str,
    look: GapLook,
    answer: AnyComparison | None,
    *,
    pooled: float | None = None,
) -> ChartType:
    labels = naming.row_labels([name for name, *_ in rows])
    (_, _), (gap_name, _), _, (figure_name, _), *_ = look.fields
    records: list[dict[str, Any]] = []
    for label, (name, c, word, gap, beside) in zip(labels, rows, strict=True):
        n = cell_text(c.protected.n, "count")
        records.append(
            {
                "label": label,
                "name": naming.whole(name),
                "value": finite(c.difference),
                "low": interval_ends(c.difference_interval)[0],
                "high": interval_ends(c.difference_interval)[1],
                gap_name: gap,
                "interval": look.interval(c),
                figure_name: look.figure(c.protected.value),
                "rest": look.figure(c.reference.value),
                "n": n,
                "text": f"{beside}  ({n})",
                "reading": word,
            }
        )
    tolerance = answer.tolerance if answer is not None else rows[0][1].tolerance if rows else USUAL_TOLERANCE
    spread = [v for r in records for v in (r["value"], r["low"], r["high"])] + [-tolerance, tolerance, pooled]
    ends = look.domain(spread)
    layers = [theme.band(-tolerance, tolerance, ends), theme.upright(0.0)]
    layers += [theme.line_label(0.0, say(look.no_gap(tolerance)), ends)]
    if answer is not None and pooled is not None:
        layers += [theme.upright(pooled, dash=(4, 3), color=theme.TEXT)]
        layers += [theme.line_label(pooled, f"all together: {look.stratum_gap(answer)}", ends, level=1)]
    x = look.axis(ends, title)
    layers += [*theme.interval_rows(records, labels, x, list(look.fields), **theme.by_reading(records))]
    layers += [theme.right_labels(records, labels)]
    return theme.finish(alt.layer(*layers), theme.height_of(labels), description)


def _nudge(mark: dict[str, Any], top: float) -> int:
    return -6 if mark["value"] > 0.6 * top else 6


# Axes of amounts.


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
