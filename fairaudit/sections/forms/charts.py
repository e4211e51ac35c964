"""The picture of a legal form: gaps in pay by category, or ratios by group, on the limit of the rule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
from altair.typing import ChartType

from fairaudit.findings import Argument, Group, Message, Phrase, Share, Word
from fairaudit.measure.pay import PayRow
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.charts import theme
from fairaudit.present.numbers import beside_text, number_text
from fairaudit.presets.findings import PayFinding, PresetFinding
from fairaudit.sections.forms.reading import (
    category_names,
    is_compared,
    is_marked,
    is_open,
    leading_rates,
    marking_limit,
    why_closed,
)
from fairaudit.sections.forms.saying import LARGE_AMOUNT, gap_share

_ROW, _NARROW_ROW, _LEAST_HEIGHT = 29, 40, 120
_MOST, _MOST_CROSSED = 14, 6
_BAR, _MARKED = "#8b9bae", theme.PROTECTED


@dataclass(frozen=True)
class RateBar:
    """A row of the picture.

    Parameters
    ----------
    name : str
        What the row is.
    value : float
        How long its bar is.
    text : str
        The number beside it.
    is_marked : bool
        Whether the rule looks closer there.
    note : str
        What is said there besides.
    """

    name: str
    value: float
    text: str
    is_marked: bool = False
    note: str = ""


def has_chart(finding: PresetFinding) -> bool:
    """Say whether there is anything to draw."""
    return bool(_bars(finding))


def form_chart(finding: PresetFinding, *, narrow: bool = False) -> ChartType:
    """Draw a bar a row, with its number, and the limit from which on the rule looks closer.

    On a `narrow` screen, what a row is stands above it.
    """
    bars = _bars(finding)
    limit, is_share = _limit(finding)
    labels = naming.row_labels([bar.name for bar in bars])
    records: list[theme.Datum] = [
        {"label": label, "value": bar.value, "text": bar.text, "note": bar.note, "marked": bar.is_marked}
        for label, bar in zip(labels, bars, strict=True)
    ]
    low = min(0.0, *(bar.value for bar in bars))
    high = max([0.0, *(bar.value for bar in bars), *([] if limit is None else [limit])])
    room = (0.6 if any(bar.note for bar in bars) else 0.16) * (high - low) or 0.1
    x = _axis([low - (room if low < 0 else 0), high + room], is_share)
    height = _NARROW_ROW if narrow else _ROW
    y = alt.Y(
        "label:N",
        scale=alt.Scale(domain=labels, paddingInner=0.62 if narrow else 0.28),
        axis=alt.Axis(title=None, labels=not narrow),
    )
    color = alt.condition("datum.marked", alt.ColorValue(_MARKED), alt.ColorValue(_BAR))
    bold = alt.condition("datum.marked", alt.ColorValue(_MARKED), alt.ColorValue(theme.TEXT))
    base = theme.Layer(theme.values(records))
    hover = theme.tooltip([("label", " "), ("text", "Figure"), ("note", " ")])
    layers: list[alt.Chart] = [base.mark_bar().encode(x=x, y=y, color=color, tooltip=hover)]
    near = [r for r in records if limit is not None and 0 < r["value"] <= limit < r["value"] + 0.12 * (high - low)]
    layers.append(_texts([r for r in records if r["value"] >= 0 and r not in near], x, y, bold, "left"))
    layers.append(_texts([r for r in records if r["value"] < 0], x, y, bold, "right"))
    # Beside its bar the number would stand on the line of the limit.
    layers.append(_texts(near, x, y, alt.value("white"), "right"))
    if limit is not None:
        words = _limit_words(finding, limit)
        layers.append(theme.upright(limit, dash=(4, 3), color=theme.TEXT))
        head = theme.Layer(theme.values([{"value": limit, "text": words}]))
        layers.append(
            head.mark_text(align="center", baseline="bottom", fontSize=12, fontWeight=600).encode(
                x=alt.X("value:Q"), y=alt.YValue(-22 if narrow else -5), text=alt.Text("text:N")
            )
        )
    if narrow:
        above = base.mark_text(align="left", dy=-16, baseline="middle", fontSize=12)
        layers.append(above.encode(x=alt.XValue(0), y=y, text=alt.Text("label:N")))
    return theme.finish(
        alt.layer(*layers), max(_LEAST_HEIGHT if not narrow else 0, height * len(bars)), form_chart_text(finding)
    )


def form_chart_title(finding: PresetFinding) -> str:
    """Return what the picture shows."""
    words = finding.preset.words
    args: dict[str, Argument] = {
        "protected": Group(words.compared),
        "others": Group(words.compared_with),
        "ratio": Phrase(words.ratio),
    }
    pay = _by_category(finding)
    if pay is not None:
        if pay.check.groups:
            return say(Message("form-chart-groups", args | {"category": Phrase(words.category)}))
        return say(Message("form-chart-pay", args | {"column": Phrase(pay.table.columns[-1])}))
    if finding.preset.answers_worker:
        return say(Message("form-chart-answer", args | {"column": Phrase(_answer_column(finding))}))
    return say(Message("form-chart-quarters" if finding.pay else "form-chart-ratios", args))


def form_chart_text(finding: PresetFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    is_gap = _by_category(finding) is not None
    rows = [
        _gap_in_words(finding, bar)
        if is_gap
        else say(Message("form-chart-row", {"name": Phrase(bar.name), "size": Phrase(bar.text)}))
        for bar in _bars(finding)
    ]
    return " ".join([f"{form_chart_title(finding)}.", *rows])


def _gap_in_words(finding: PresetFinding, bar: RateBar) -> str:
    """Return what a bar of a gap in pay shows: below zero, the protected group has more."""
    size = _signed(finding, abs(bar.value))
    less = Word("less" if bar.value >= 0 else "more")
    pay = _by_category(finding)
    args: dict[str, Argument] = {"protected": Group(finding.preset.words.compared), "size": size, "direction": less}
    if pay is not None and pay.check.groups:
        return say(Message("form-chart-row-group", {"name": Phrase(bar.name), **args}))
    return say(Message("form-chart-row-pay", {"name": Phrase(bar.name), **args}))


def _bars(finding: PresetFinding) -> list[RateBar]:
    pay = _by_category(finding)
    if pay is not None:
        return _category_bars(finding, pay)
    if finding.preset.answers_worker:
        return _answer_bars(finding)
    if finding.pay:
        return _quarter_bars(finding)
    found: list[RateBar] = []
    for rates in leading_rates(finding):
        for row in rates.table.rows:
            if row.impact_ratio is None or math.isnan(row.impact_ratio) or row.left_out:
                continue
            text = beside_text(row.impact_ratio, [rates.table.threshold])
            found.append(RateBar(row.name, float(row.impact_ratio), text, is_compared(row) and bool(row.below)))
    is_crossed = any(len(rates.roles) > 1 for rates in leading_rates(finding))
    # All that are counted as below are drawn, as far as there is room.
    most = min(_MOST, max(_MOST_CROSSED, sum(bar.is_marked for bar in found))) if is_crossed else _MOST
    lowest = sorted(found, key=lambda bar: bar.value)[:most]
    return [bar for bar in found if bar in lowest]


def _by_category(finding: PresetFinding) -> PayFinding | None:
    """Return the gap in pay by category that the rule marks, else the first by category."""
    tables = [pay for pay in finding.pay if pay.check.measure == "pay_gap" and pay.has_rows]
    marking = [pay for pay in tables if pay.check.mark_from is not None]
    return next((pay for pay in (*marking, *tables) if any(_is_stated(row.gap) for row in pay.table.rows)), None)


def _is_stated(gap: float | None) -> bool:
    return gap is not None and math.isfinite(gap)


def _category_bars(finding: PresetFinding, pay: PayFinding) -> list[RateBar]:
    bars = []
    for name, row in zip(category_names(pay), pay.table.rows, strict=True):
        if not _is_stated(row.gap):
            continue
        marked, note = is_marked(pay, row), ""
        if marked:
            why = "open" if is_open(finding, pay, row) else why_closed(finding, [(pay, row)])
            note = say(Message("form-chart-reason", {"why": Word(why)}))
        text = say(Message("check-chart-figure", {"figure": _signed(finding, row.gap)}))
        bars.append(RateBar(name, float(row.gap), text, marked, note))
    if len(bars) <= _MOST:
        return bars
    largest = sorted(bars, key=lambda bar: -abs(bar.value))[:_MOST]
    return [bar for bar in bars if bar in largest]


def _signed(finding: PresetFinding, gap: float) -> Share:
    size = gap_share(finding, gap)
    return Share(gap, max(1, size.digits))


def _quarter_bars(finding: PresetFinding) -> list[RateBar]:
    pay = next((pay for pay in finding.pay if pay.table.statistic == "quarter"), None)
    rows: Sequence[PayRow] = () if pay is None else pay.table.rows
    return [
        RateBar(
            row.name,
            float(row.protected.value),
            say(Message("check-chart-figure", {"figure": Share(row.protected.value)})),
        )
        for row in rows
        if _is_stated(row.protected.value)
    ]


def _answer_column(finding: PresetFinding) -> str:
    return next((pay.table.column for pay in finding.pay if pay.check.measure == "answer"), "")


def _answer_bars(finding: PresetFinding) -> list[RateBar]:
    """Return what the worker who asked is paid, and the averages of the category; of the first column of pay."""
    pay = next((pay for pay in finding.pay if pay.check.measure == "answer" and pay.table.rows), None)
    if pay is None or finding.worker is None:
        return []
    row, words = pay.table.rows[0], finding.preset.words
    own = dict(finding.worker.pay).get(pay.table.column)
    bars = [(say(Message("form-worker")), own, True)]
    bars += [
        (name, side.value, False)
        for name, side in ((words.compared, row.protected), (words.compared_with, row.reference))
    ]
    known = [(name, float(value), marked) for name, value, marked in bars if value is not None and math.isfinite(value)]
    digits = 0 if any(value >= LARGE_AMOUNT for _, value, _ in known) else 2
    return [RateBar(name, value, number_text(value, digits=digits), marked) for name, value, marked in known]


def _limit(finding: PresetFinding) -> tuple[float | None, bool]:
    """Return the limit that is drawn, and whether values are shares."""
    if finding.preset.answers_worker:
        return None, False
    if finding.pay:
        return (marking_limit(finding) if _by_category(finding) is not None else None), True
    return (leading_rates(finding)[0].table.threshold if finding.rates else None), False


def _limit_words(finding: PresetFinding, limit: float) -> str:
    if finding.pay:
        return say(Message("form-chart-limit-pay", {"limit": Share(limit)}))
    return say(Message("form-chart-limit-ratio", {"limit": Phrase(number_text(limit, digits=2))}))


def _axis(ends: Sequence[float], is_share: bool) -> alt.X:
    label = "format(datum.value * 100, '.2~f') + '%'" if is_share else "format(datum.value, '.2~f')"
    axis = alt.Axis(
        title=None, labelExpr=label, tickCount=5, grid=True, gridColor="#e8ebee", tickColor="transparent", domain=False
    )
    return alt.X("value:Q", scale=alt.Scale(domain=list(ends), nice=False), axis=axis)


def _texts(records: list[dict[str, object]], x: alt.X, y: alt.Y, color: object, align: theme.Align) -> alt.Chart:
    texts = [{**r, "text": f"{r['text']}  {r['note']}".strip()} for r in records]
    chart = theme.Layer(theme.values(texts))
    return chart.mark_text(
        align=align, dx=8 if align == "left" else -8, baseline="middle", fontSize=13, fontWeight=600
    ).encode(x=x, y=y, text=alt.Text("text:N"), color=color)
