"""Charts of decision trees, and their part of a report: how the search closed in, other settings, similar people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import altair as alt
import numpy as np
import pandas as pd

from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Points, Share
from fairaudit.measure.limits import FOUR_FIFTHS, amount_digits
from fairaudit.messages import say
from fairaudit.present.blocks import Block, Code, Kind, Paragraph, TableBlock, cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import finite
from fairaudit.remedies.charts import remedy_chart
from fairaudit.remedies.trees.drawing import drawn_tree
from fairaudit.remedies.trees.labels import OUTCOMES, AmountNodes
from fairaudit.remedies.trees.words import Details, similar, tree_text
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts

_KINDS = {
    "asked": "tree-setting-asked",
    "free": "tree-setting-free",
    "limit": "tree-kind-limit",
    "weight": "tree-kind-weight",
    "depth": "tree-kind-depth",
}
_HEIGHT, _LOW = 240, 200
_ROOM = 1.08
_PERCENT = f"{theme.POINTS_LABEL} + ' %'"


@dataclass(frozen=True)
class Unit:
    """What figures of trees of other settings are in.

    Parameters
    ----------
    digits : int, optional
        Decimals of amounts; None where they are shares.
    by_ratio : bool
        Whether a gap is the smallest ratio.
    """

    digits: int | None = None
    by_ratio: bool = False

    def quality(self, value: float) -> Message:
        """Return how well a tree does."""
        if self.digits is None:
            return Message("tree-quality-share", {"quality": Share(float(value), 1)})
        return Message("tree-quality-amount", {"quality": Amount(float(value), self.digits)})

    def distance(self, value: float, by: str) -> Message:
        """Return how far apart the groups are."""
        key, figure = "tree-distance-amount", Amount(float(value), self.digits or 0)
        if by == "index":
            key, figure = "tree-distance-index", Amount(float(value), 4 if self.digits is None else self.digits + 1)
        elif self.digits is None and self.by_ratio:
            return Message("tree-distance-ratio", {"distance": Share(float(value), 1)})
        elif self.digits is None:
            return Message("tree-distance-points", {"distance": Points(abs(float(value)), 1)})
        return Message(key, {"distance": figure})


IN_SHARES: Final = Unit()
"""Of decisions with a favourable result."""


def bounds_alt(bounds: pd.DataFrame, *, digits: int = 4) -> str:
    """Return how a search closed in, in words."""
    last = bounds.iloc[-1]
    ends = {name: Amount(float(last[name]), digits) for name in ("objective", "bound")}
    return say((Message("tree-bounds-title"), Message("tree-bounds-alt", ends)))


@dataclass(frozen=True)
class DepthLines:
    """What depth gives: two lines over the depth that is allowed.

    Parameters
    ----------
    title : Message
        What is drawn.
    depths : tuple of int
        The depths.
    lines : tuple of (str, tuple of float)
        The name and the values of each line; NaN where there is none.
    kind : str
        Of the values: "share", "number" or "amount".
    digits : int
        Decimals of numbers and amounts.
    """

    title: Message
    depths: tuple[int, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    kind: Kind
    digits: int

    def text(self, value: float) -> str:
        """Return a value in words."""
        return cell_text(value, self.kind, digits=self.digits)


def depth_lines(settings: pd.DataFrame, *, digits: int | None = None) -> DepthLines:
    """Return what depth gives: errors on training and tuning rows or, with a price, the objective and its bound."""
    shown = drawn_depths(settings)
    depths = tuple(int(depth) for depth in shown["max_depth"])

    def line(key: str, values: pd.Series) -> tuple[str, tuple[float, ...]]:
        return _word(key), tuple(float(value) for value in values.astype(float))

    objective = shown["objective"].astype(float)
    if (shown["weight"].astype(float) > 0).any() and np.isfinite(objective).all():
        reached = (line("tree-line-best", objective), line("tree-line-bound", shown["bound"]))
        return DepthLines(Message("tree-depths-priced"), depths, reached, "number", 4 if digits is None else digits)
    if digits is None:
        wrong = (
            line("tree-line-training", 1 - shown["trained_accuracy"]),
            line("tree-line-tuning", 1 - shown["accuracy"]),
        )
        return DepthLines(Message("tree-depths-errors"), depths, wrong, "share", 1)
    off = (line("tree-line-training", shown["trained_mae"]), line("tree-line-tuning", shown["mae"]))
    return DepthLines(Message("tree-depths-off"), depths, off, "amount", digits)


def settings_alt(
    settings: pd.DataFrame, *, by: str = "gap", allowed: float | None = None, unit: Unit = IN_SHARES
) -> str:
    """Return how well trees of other settings do against differences, in words."""
    rows = drawn_settings(settings, by)
    quality = quality_of(settings)
    said = [
        option(row.words, unit.quality(getattr(row, quality)), unit.distance(getattr(row, by), by), chosen=row.chosen)
        for row in rows.itertuples()
    ]
    return " ".join([f"{_word('tree-settings-title')}.", *(f"{text}." for text in said)])


def option(words: str, quality: Message, distance: Message, *, chosen: bool = False) -> str:
    """Return a setting and what it gives on the tuning rows."""
    args: dict[str, Argument] = {"setting": Phrase(words), "quality": quality, "distance": distance}
    return say(Message("tree-option-this" if chosen else "tree-option", args))


def depths_alt(settings: pd.DataFrame, *, digits: int | None = None) -> str:
    """Return what depth gives, in words."""
    found = depth_lines(settings, digits=digits)
    (first, own), (second, rest) = found.lines
    names: dict[str, Argument] = {"own_name": Phrase(first), "rest_name": Phrase(second)}
    said = [f"{say(found.title)}."]
    for depth, *values in zip(found.depths, own, rest, strict=True):
        figures = dict(zip(("own", "rest"), (Phrase(found.text(value)) for value in values), strict=True))
        said.append(say(Message("tree-depths-alt", {"n": Count(depth), **names, **figures})))
    return " ".join(said)


def similar_alt(details: Details, *, digits: int | None = None) -> str:
    """Return how differently similar people are treated, before and after, in words."""
    said = similar(details)
    return _word("tree-similar-none") if said is None else say(said)


def quality_of(settings: pd.DataFrame) -> str:
    """Return the column that says how well trees of other settings do on the tuning rows."""
    return "accuracy" if "accuracy" in settings else "mae"


def drawn_settings(settings: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return the trees whose quality and distance between groups are known."""
    known = settings[[quality_of(settings), by]].astype(float)
    return settings[np.isfinite(known).all(axis=1).to_numpy()]


def drawn_depths(settings: pd.DataFrame) -> pd.DataFrame:
    """Return the trees that differ from the asked one in nothing but depth, by depth."""
    return settings[settings["setting"].isin(["depth", "asked"])].sort_values("max_depth", kind="stable")


def tree_bounds_chart(bounds: pd.DataFrame, *, digits: int = 4) -> Any:
    """Draw how the best tree and the proven bound came together as the search went on."""
    names = [_word("tree-line-best"), _word("tree-line-bound")]
    records: list[dict[str, Any]] = [
        {"x": float(row.share), "value": value, "series": series,
         "text": cell_text(value, "number", digits=digits)}
        for row in bounds.itertuples()
        for series, value in zip(names, (finite(row.objective), finite(row.bound)), strict=True)
        if value is not None
    ]  # fmt: skip
    numbers = [r["value"] for r in records] or [0.0, 1.0]
    x = alt.X(
        "x:Q",
        axis=alt.Axis(title=_word("tree-axis-work"), tickCount=6, format="~%"),
        scale=alt.Scale(zero=False, nice=False, padding=8),
    )
    y = alt.Y(
        "value:Q",
        axis=alt.Axis(title=_word("tree-axis-objective"), tickCount=5, format=".3~f", domain=True),
        scale=alt.Scale(domain=_around(numbers), nice=False, zero=False),
    )
    hover = theme.tooltip([("series", "Figure"), ("x", "Work"), ("text", "Value")])
    # What is known holds until the next change: steps, not slopes.
    layers = _lines(records, names, x, y, hover, interpolate="step-after")
    return theme.finish(alt.layer(*layers), _LOW, bounds_alt(bounds, digits=digits))


def tree_settings_chart(
    settings: pd.DataFrame, *, by: str = "gap", allowed: float | None = None, unit: Unit = IN_SHARES
) -> Any:
    """Draw how well trees of other settings do against the largest difference, the smallest ratio or the index."""
    shown = drawn_settings(settings, by)
    quality = quality_of(settings)
    records = [
        {
            "value": float(getattr(row, by)),
            "y": float(getattr(row, quality)),
            "series": _word(_KINDS[row.setting]),
            "words": row.words,
            "quality": say(unit.quality(getattr(row, quality))),
            "chosen": bool(row.chosen),
        }
        for row in shown.itertuples()
    ]
    x = _distances([r["value"] for r in records] + ([allowed] if allowed is not None else []), by, unit)
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=_around([r["y"] for r in records]), nice=False, zero=False),
        axis=alt.Axis(
            title=_word("tree-axis-right" if unit.digits is None else "tree-axis-off"),
            tickCount=5,
            labelExpr=_PERCENT if unit.digits is None else alt.Undefined,
            format=alt.Undefined if unit.digits is None else f",.{unit.digits}~f",
        ),
    )
    names = [name for name in map(_word, _KINDS.values()) if any(r["series"] == name for r in records)]
    color = alt.Color("series:N", title=None, legend=alt.Legend(columns=3), scale=theme.cycle(names, theme.SERIES))
    shape = alt.Shape("series:N", title=None, legend=alt.Legend(columns=3), scale=theme.cycle(names, theme.SHAPES))
    hover = theme.tooltip([("words", "Setting"), ("quality", "How well")])
    layers: list[Any] = []
    if allowed is not None:
        layers.append(theme.upright(allowed, color=theme.TEXT))
        written = theme.Layer(theme.values([{"value": allowed, "text": "limit"}])).mark_text(
            baseline="bottom", dy=-4, color=theme.QUIET
        )
        layers.append(written.encode(x=x, y=alt.YValue(0), text=alt.Text("text:N")))
    points = theme.Layer(theme.values(records)).mark_point(filled=True, size=70, opacity=1)
    layers.append(points.encode(x=x, y=y, color=color, shape=shape, tooltip=hover))
    chosen = [r for r in records if r["chosen"]]
    if chosen:
        ring = theme.Layer(theme.values(chosen)).mark_point(filled=False, size=330, strokeWidth=2, color=theme.TEXT)
        layers.append(ring.encode(x=x, y=y))
        name = theme.Layer(theme.values(chosen)).mark_text(align="left", dx=13, dy=-9, fontWeight="bold", text="chosen")
        layers.append(name.encode(x=x, y=y))
    description = settings_alt(settings, by=by, allowed=allowed, unit=unit)
    return theme.finish(alt.layer(*layers), _HEIGHT, description)


def _distances(numbers: list[float], by: str, unit: Unit) -> alt.X:
    """Return the axis of differences, ratios or indices."""
    if by == "gap" and unit.digits is None and unit.by_ratio:
        return theme.share_scale(theme.domain(numbers, high=1.0), _word("tree-axis-ratio"))
    if by == "gap" and unit.digits is None:
        span = [0, round(_ROOM * max([*numbers, 0.01]), 4)]
        return theme.share_scale(span, _word("tree-axis-points"), unit="points")
    title = _word("tree-axis-index" if by == "index" else "tree-axis-amount")
    axis = alt.Axis(title=title, format=",.3~f", tickCount=6)
    return alt.X("value:Q", axis=axis, scale=alt.Scale(domain=[0, _ROOM * max([*numbers, 1e-9])], nice=False))


def tree_depths_chart(settings: pd.DataFrame, *, digits: int | None = None) -> Any:
    """Draw what depth gives: errors or, where an index has a price, what was made small and what is proven about it."""
    found = depth_lines(settings, digits=digits)
    names = [name for name, _ in found.lines]
    records: list[dict[str, Any]] = [
        {"x": depth, "value": value, "series": name, "text": found.text(value)}
        for name, values in found.lines
        for depth, value in zip(found.depths, values, strict=True)
        if finite(value) is not None
    ]
    x = alt.X(
        "x:O",
        axis=alt.Axis(title=_word("tree-axis-depth"), labelAngle=0),
        scale=alt.Scale(domain=sorted({r["x"] for r in records})),
    )
    is_share = found.kind == "share"
    y = alt.Y(
        "value:Q",
        axis=alt.Axis(
            title=None,
            tickCount=5,
            domain=True,
            labelExpr=_PERCENT if is_share else alt.Undefined,
            format=alt.Undefined if is_share else ",.3~f",
        ),
        scale=alt.Scale(domain=_around([r["value"] for r in records]), nice=False, zero=False),
    )
    hover = theme.tooltip([("series", "Figure"), ("x", "Depth"), ("text", "Value")])
    layers = _lines(records, names, x, y, hover)
    return theme.finish(alt.layer(*layers), _LOW, depths_alt(settings, digits=digits))


def similar_people_chart(details: Details, *, digits: int | None = None) -> Any:
    """Draw how differently people are treated from those like them, before and after."""
    people, names = details.similar, [_word("remedy-row-without"), _word("tree-row-with")]
    called = dict(zip(("before", "after"), names, strict=True))
    unit = "Difference, points" if digits is None else "Difference"
    bins = people[["low", "high"]].drop_duplicates().sort_values(["low", "high"], ascending=False)
    labels = [_bin(row.low, row.high, digits) for row in bins.itertuples()]
    records: list[dict[str, Any]] = [
        {"label": _bin(row.low, row.high, digits), "series": called[row.model], "value": float(row.share),
         "n": cell_text(row.n, "count"), "text": cell_text(row.share, "share")}
        for row in people.itertuples()
    ]  # fmt: skip
    top = max([r["value"] for r in records] + [0.05])
    x = theme.share_scale([0, min(1.0, round(_ROOM * top, 3))], _word("tree-axis-similar"))
    y = alt.Y("label:N", scale=alt.Scale(domain=labels), axis=alt.Axis(title=unit))
    offset = alt.YOffset("series:N", scale=alt.Scale(domain=names))
    color = alt.Color(
        "series:N",
        title=None,
        legend=alt.Legend(columns=2),
        scale=alt.Scale(domain=names, range=[theme.GAP, theme.REFERENCE]),
    )
    hover = theme.tooltip([("label", unit), ("series", "Model"), ("text", "Share"), ("n", "Rows")])
    bars = theme.Layer(theme.values(records)).mark_bar(stroke=theme.TEXT, strokeWidth=0.6)
    drawn = bars.encode(x=x, y=y, yOffset=offset, color=color, tooltip=hover)
    return theme.finish(drawn, max(1, len(labels)) * theme.ROW_HEIGHT, similar_alt(details, digits=digits))


def _lines(
    records: list[dict[str, Any]], names: list[str], x: alt.X, y: alt.Y, hover: list[alt.Tooltip], **line: Any
) -> list[Any]:
    """Return a line with points for each series, which differ in colour, dashes and shapes."""
    legend = alt.Legend(columns=2, symbolSize=120)
    color = alt.Color("series:N", title=None, legend=legend, scale=theme.cycle(names, theme.SERIES))
    shape = alt.Shape("series:N", title=None, legend=legend, scale=theme.cycle(names, ["circle", "square"]))
    layers = []
    for series, dash in zip(names, theme.DASHES, strict=False):
        base = theme.Layer(theme.values([r for r in records if r["series"] == series]))
        layers.append(base.mark_line(strokeWidth=1.6, strokeDash=list(dash), **line).encode(x=x, y=y, color=color))
        points = base.mark_point(filled=True, size=40, opacity=1)
        layers.append(points.encode(x=x, y=y, color=color, shape=shape, tooltip=hover))
    return layers


def _bin(low: float, high: float, digits: int | None) -> str:
    if low == high == 0:
        return _word("tree-bin-none")
    if digits is not None and low == -high:
        return say(Message("tree-bin-within", {"high": Amount(float(high), digits)}))
    kind: Kind = "points" if digits is None else "difference"
    ends = {name: Phrase(cell_text(end, kind, digits=digits or 0)) for name, end in (("low", low), ("high", high))}
    return say(Message("tree-bin", ends))


def _word(key: str) -> str:
    return say(Message(key))


def _around(numbers: list[float]) -> list[float]:
    """Return the ends of an axis around all numbers, with a little room."""
    if not numbers:
        return [0.0, 1.0]
    room = 0.06 * (max(numbers) - min(numbers)) + 0.002
    return [round(max(0.0, min(numbers) - room), 5), round(max(numbers) + room, 5)]


def result_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]) -> list[Block]:
    """Return the tree, drawn as on its page."""
    return [drawn_tree(finding.details, facts, number)] if len(finding.details.nodes) else []


def amount_result_blocks(
    finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int, tables: dict[str, TableBlock]
) -> list[Block]:
    """Return the tree of amounts, drawn as on its page."""
    if not len(finding.details.nodes):
        return []
    return [drawn_tree(finding.details, facts, number, AmountNodes(amount_digits(facts.deviation)))]


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]) -> list[Block]:
    """Return the tree in words, how groups and similar people fare, how it was searched for, and other settings."""
    return [*_tables(tables, "alike", "indices"), *_found(finding.details, number, tables, None)]


def amount_search_blocks(
    finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int, tables: dict[str, TableBlock]
) -> list[Block]:
    """Return the same of a tree of amounts."""
    return _found(finding.details, number, tables, amount_digits(facts.deviation))


def _tables(tables: dict[str, TableBlock], *keys: str) -> list[Block]:
    return [tables[key] for key in keys if tables[key].rows]


def _found(details: Details, number: int, tables: dict[str, TableBlock], digits: int | None) -> list[Block]:
    blocks: list[Block] = [Code("\n".join(tree_text(details, OUTCOMES if digits is None else AmountNodes(digits))))]
    if said := similar(details):
        blocks.append(Paragraph(say(said)))
        title, drawing = say(Message("tree-similar-title")), (similar_people_chart, similar_alt)
        blocks.append(remedy_chart(number, "similar", title, drawing, details, digits=digits))
    if len(details.bounds) > 1:
        title, places = say(Message("tree-bounds-title")), details.objective_digits
        closing = tree_bounds_chart, bounds_alt
        blocks.append(remedy_chart(number, "bounds", title, closing, details.bounds, digits=places))
    return [*blocks, *_settings(details, number, tables, digits)]


def _settings(details: Details, number: int, tables: dict[str, TableBlock], digits: int | None) -> list[Block]:
    blocks: list[Block] = []
    by = "gap" if details.constraint is not None else "index"
    if len(drawn_settings(details.settings, by)) > 1:
        drawing = tree_settings_chart, settings_alt
        options = {"by": by, "allowed": allowed_of(details, by), "unit": Unit(digits, by_ratio=details.by_ratio)}
        blocks.append(
            remedy_chart(number, "settings", say(Message("tree-settings-title")), drawing, details.settings, **options)
        )
    if len(drawn_depths(details.settings)) > 1:
        title = say(depth_lines(details.settings, digits=digits).title)
        by_depth = tree_depths_chart, depths_alt
        depths = remedy_chart(number, "depths", title, by_depth, details.settings, digits=digits)
        blocks.append(replace(depths, table_key=tables["settings"].key))
    return blocks


def allowed_of(details: Details, by: str) -> float | None:
    """Return what is allowed of the largest difference, the smallest ratio or the index; None where nothing is."""
    if by == "index":
        return details.max_discrimination
    if details.by_ratio:
        return FOUR_FIFTHS
    return None if details.constraint is None else details.max_difference
