"""Charts of rule sets: whom each rule concerns, how the search went, and what other settings give."""

from __future__ import annotations

from typing import Protocol

import altair as alt
import numpy as np
import pandas as pd
from altair.typing import ChartType

from fairaudit.findings import Amount, Argument, Count, Message, Share
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import finite, points_text

PROVEN, IN_PART, BEST = "proven bound", "bound in part", "best so far"
_SERIES = {"bound": PROVEN, "lp_value": IN_PART, "incumbent": BEST}
_HEIGHT = 260
_UPPER, _LOWER, _BETWEEN = 170, 70, 26
_ROOM = 1.08
MOST_ROWS = 40
"""Rows that are drawn at most, one for each group of each rule."""

HOLDS, RIGHT = "holds for", "right there"
_SHARES = {HOLDS: "coverage", RIGHT: "precision"}
_OFFSETS = {HOLDS: -4, RIGHT: 4}


class CoverageRow(Protocol):
    """A row of ``RulesDetails.coverage``."""

    rule: int
    group: str
    n: int
    n_covered: int
    n_right: int


class FrontierRow(Protocol):
    """A row of ``RulesDetails.frontier``."""

    max_complexity: int
    max_difference: float
    complexity: int
    accuracy: float
    gap: float
    chosen: bool


def rules_coverage_chart(coverage: pd.DataFrame) -> ChartType:
    """Draw how often each rule holds in each group, and with how many of these it agrees, with intervals."""
    keys: list[str] = []
    heads: list[dict[str, str]] = []
    records: list[dict[str, object]] = []
    for rule, rows in _drawn(coverage).groupby("rule", sort=True):
        heads.append({"label": theme.numbered(len(keys), ""), "text": _head(rule)})
        keys.append(heads[-1]["label"])
        labels = naming.unique_labels(map(called, rows["group"]))
        for label, row in zip(labels, rows.itertuples(), strict=True):
            keys.append(theme.numbered(len(keys), label))
            records += [_coverage(keys[-1], row, series) for series in _SHARES]
    records = [record for record in records if record["value"] is not None]
    x = alt.X(
        "value:Q",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(title="Share (lines: likely ranges)", labelExpr=f"{theme.POINTS_LABEL} + ' %'", tickCount=5),
    )
    y = theme.numbered_axis(keys)
    legend = alt.Legend(columns=1)
    names = list(_SHARES)
    look = {
        "color": alt.Color("series:N", title=None, legend=legend, scale=theme.cycle(names, theme.SERIES)),
        "shape": alt.Shape("series:N", title=None, legend=legend, scale=theme.cycle(names, theme.SHAPES)),
    }
    hover = theme.tooltip((("rule", "Rules"), ("group", "Group"), ("series", "Share"), ("text", "Is"), ("of", "Cases")))
    layers: list[alt.Chart | alt.LayerChart] = []
    for series in names:
        shown = [record for record in records if record["series"] == series]
        # A layer without marks would be a picture without a text to screen readers.
        if not shown:
            continue
        spans = [r | {"value": r["low"], "end": r["high"]} for r in shown if None not in (r["low"], r["high"])]
        lines = theme.Layer(theme.values(spans)).mark_rule(strokeWidth=1.6, yOffset=_OFFSETS[series])
        layers.append(lines.encode(x=x, x2=alt.X2("end:Q"), y=y, color=look["color"]))
        points = theme.Layer(theme.values(shown)).mark_point(filled=True, size=75, opacity=1, yOffset=_OFFSETS[series])
        layers.append(points.encode(x=x, y=y, tooltip=hover, **look))
    titled = theme.Layer(theme.values(heads)).mark_text(align="left", baseline="middle", fontWeight="bold", dx=2)
    layers.append(titled.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N")))
    return theme.finish(alt.layer(*layers), max(1, len(keys)) * theme.ROW_HEIGHT, rules_coverage_alt(coverage))


def rules_coverage_alt(coverage: pd.DataFrame) -> str:
    """Say in words what :func:`rules_coverage_chart` shows."""
    n = _drawn(coverage).loc[lambda rows: rows["rule"] > 0, "rule"].nunique()
    return say((Message("rules-chart-coverage-text", {"n": Count(n)}), *rules_coverage_note(coverage)))


def rules_coverage_note(coverage: pd.DataFrame) -> tuple[Message, ...]:
    """Return how many rows :func:`rules_coverage_chart` leaves out; nothing if none."""
    left = len(coverage) - len(_drawn(coverage))
    return (Message("limits-chart-left-out", {"n": Count(left)}),) if left else ()


def _drawn(coverage: pd.DataFrame) -> pd.DataFrame:
    """Return the largest groups, as many as there is room for beside two rules, and the first rules."""
    sizes = coverage.loc[coverage["rule"] == 0].set_index("group")["n"].sort_values(ascending=False, kind="stable")
    groups = list(sizes.index[: MOST_ROWS // 3])
    rules = sorted(coverage["rule"].unique())[: max(1, MOST_ROWS // max(1, len(groups)))]
    return coverage[coverage["group"].isin(groups) & coverage["rule"].isin(rules)]


def _coverage(key: str, row: CoverageRow, series: str) -> dict[str, object]:
    field = _SHARES[series]
    value, low, high = (finite(getattr(row, name)) for name in (field, f"{field}_low", f"{field}_high"))
    top, bottom = (row.n_covered, row.n) if series == HOLDS else (row.n_right, row.n_covered)
    return {
        "label": key, "series": series, "value": value, "low": low, "high": high,
        "rule": _head(row.rule), "group": naming.whole(called(row.group)), "text": cell_text(value, "share"),
        "of": f"{cell_text(top, 'count')} of {cell_text(bottom, 'count')}",
    }  # fmt: skip


def _head(rule: int) -> str:
    return "All rules together" if rule == 0 else f"Rule {rule}"


def rules_path_chart(path: pd.DataFrame, *, reached: float | None = None) -> ChartType:
    """Draw how the proven bound and the best rule set came together, round by round."""
    records: list[dict[str, object]] = []
    for field, series in _SERIES.items():
        found = [(row.round, finite(getattr(row, field))) for row in path.itertuples()]
        records += [
            {"x": int(at), "value": value, "series": series, "text": cell_text(value, "number", digits=1)}
            for at, value in found
            # That no loss is below 0 needs no proof, and would set the scale for all.
            if value is not None and (field != "bound" or value > 0)
        ]
    counts = [{"x": int(row.round), "value": int(row.n_columns)} for row in path.itertuples()]
    level = finite(reached)
    end = [] if level is None else [{"value": level, "text": "end"}]
    losses = theme.numbers_in((*records, *end), "value")
    height = _UPPER + _BETWEEN + _LOWER
    x = alt.X(
        "x:Q",
        axis=alt.Axis(title="Round of the search", format="d", tickMinStep=1),
        scale=alt.Scale(zero=False, nice=False, padding=8),
    )
    top = alt.Y(
        "value:Q",
        axis=alt.Axis(title="Errors", tickCount=5, format=",~f", domain=True),
        scale=alt.Scale(domain=theme.around(losses, least=0.5, digits=1), range=[_UPPER, 0], nice=False, zero=False),
    )
    low = alt.Y(
        "value:Q",
        axis=alt.Axis(title="Rules", tickCount=3, tickMinStep=1, format=",~f", orient="left", domain=True),
        scale=alt.Scale(
            domain=[0, _ROOM * max([1, *(count["value"] for count in counts)])],
            range=[height, _UPPER + _BETWEEN],
            nice=False,
        ),
    )
    names = list(_SERIES.values())
    legend = alt.Legend(columns=3, symbolSize=120)
    color = alt.Color(
        "series:N", title=None, legend=legend, scale=alt.Scale(domain=names, range=list(theme.SERIES[:3]))
    )
    shape = alt.Shape(
        "series:N", title=None, legend=legend, scale=alt.Scale(domain=names, range=["square", "triangle-up", "circle"])
    )
    hover = theme.tooltip([("series", "Figure"), ("x", "Round"), ("text", "Errors")])
    upper: list[alt.Chart] = []
    for series, dash in zip(names, theme.DASHES, strict=False):
        shown = [r for r in records if r["series"] == series]
        if not shown:
            continue
        base = theme.Layer(theme.values(shown))
        # A bound is what was proven until the next round: steps, not slopes.
        line = base.mark_line(strokeWidth=1.6, strokeDash=list(dash), interpolate="step-after")
        upper.append(line.encode(x=x, y=top, color=color))
        upper.append(
            base.mark_point(filled=True, size=40, opacity=1).encode(x=x, y=top, color=color, shape=shape, tooltip=hover)
        )
    if end or not upper:
        base = theme.Layer(theme.values(end))
        upper.append(base.mark_rule(color=theme.TEXT, strokeWidth=1.2).encode(y=top))
        written = base.mark_text(align="right", baseline="bottom", dx=-2, dy=-3, color=theme.TEXT)
        upper.append(written.encode(x=alt.XValue("width"), y=top, text=alt.Text("text:N")))
    lower = theme.Layer(theme.values(counts)).mark_line(color=theme.LINE, strokeWidth=1.4, interpolate="step-after")
    chart = alt.layer(alt.layer(*upper), lower.encode(x=x, y=low)).resolve_scale(y="independent")
    return theme.finish(chart, height, rules_path_alt(path, reached=reached))


def rules_frontier_chart(frontier: pd.DataFrame, *, allowed: float | None = None) -> ChartType:
    """Draw accuracy against the largest gap of rule sets of other settings on the tuning rows, by complexity."""
    known = drawn_settings(frontier)
    by_gap = has_gaps(known)
    complexities = sorted({int(value) for value in known["max_complexity"]})[: naming.MOST_SERIES]
    labels = {value: f"up to {value}" for value in complexities}
    records = [_setting(row, labels, by_gap=by_gap) for row in known.itertuples() if row.max_complexity in labels]
    best = best_settings(known)
    best = best[best["max_complexity"].isin(complexities)]
    limit = allowed if by_gap and allowed is not None and allowed < 1 else None
    numbers = [*theme.numbers_in(records, "value"), 0.0, *([limit] if limit is not None else [])]
    span = [0, round(_ROOM * max([*numbers, 0.01 if by_gap else 1]), 4)]
    if by_gap:
        x = theme.share_scale(span, "Largest difference in points", unit="points")
    else:
        axis = alt.Axis(title="Complexity", tickMinStep=1, format="d")
        x = alt.X("value:Q", axis=axis, scale=alt.Scale(domain=span, nice=False))
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(
            domain=theme.around(theme.numbers_in(records, "y"), least=0.001, digits=4), nice=False, zero=False
        ),
        axis=alt.Axis(title="Accuracy", labelExpr=f"{theme.POINTS_LABEL} + ' %'", tickCount=5),
    )
    layers: list[alt.Chart | alt.LayerChart] = []
    if limit is not None:
        layers += theme.limit_line(limit, x)
    line = [_setting(row, labels, by_gap=by_gap) | {"order": i} for i, row in enumerate(best.itertuples())]
    joined = theme.Layer(theme.values(line)).mark_line(color=theme.LINE, strokeDash=[4, 3], strokeWidth=1.2)
    layers.append(joined.encode(x=x, y=y, order=alt.Order("order:Q")))
    names = list(labels.values())
    legend = alt.Legend(columns=4)
    color = alt.Color("series:N", title="Complexity", legend=legend, scale=theme.cycle(names, theme.SERIES))
    shape = alt.Shape("series:N", title="Complexity", legend=legend, scale=theme.cycle(names, theme.SHAPES))
    hover = theme.tooltip(
        [
            ("series", "Complexity allowed"), ("limit", "Limit"), ("accuracy", "Accuracy"),
            ("gap", "Largest difference"), ("complexity", "Complexity"),
        ]
    )  # fmt: skip
    chosen = [r for r in records if r["chosen"]]
    # Rule sets of other settings are often the same: the kind of the chosen one comes last, on top.
    for name in sorted(names, key=lambda name: any(r["series"] == name for r in chosen)):
        base = theme.Layer(theme.values([r for r in records if r["series"] == name]))
        points = base.mark_point(filled=True, size=70, opacity=1)
        layers.append(points.encode(x=x, y=y, tooltip=hover, color=color, shape=shape))
    layers += theme.chosen_point(records, x, y, is_opaque=True)
    return theme.finish(alt.layer(*layers), _HEIGHT, rules_frontier_alt(frontier))


def rules_path_alt(path: pd.DataFrame, *, reached: float | None = None) -> str:
    """Say in words what :func:`rules_path_chart` shows."""
    best = finite(reached) if reached is not None else finite(path["incumbent"].min())
    bound = finite(path["bound"].max())
    rounds: dict[str, Argument] = {"n": Count(len(path))}
    if best is None or not bound:
        return say(Message("rules-chart-path-open", rounds))
    return say(Message("rules-chart-path-text", rounds | {"best": Amount(best), "bound": Amount(bound)}))


def rules_frontier_alt(frontier: pd.DataFrame, *, allowed: float | None = None) -> str:
    """Say in words what :func:`rules_frontier_chart` shows."""
    known = drawn_settings(frontier)
    chosen = known.loc[known["chosen"], "accuracy"]
    if chosen.empty:
        return say(Message("rules-chart-settings"))
    return say(Message("rules-chart-settings-text", {"n": Count(len(known)), "share": Share(float(chosen.iloc[0]))}))


def drawn_settings(frontier: pd.DataFrame) -> pd.DataFrame:
    """Return the rule sets whose accuracy is defined and, where any has one, whose gap is."""
    known = frontier[np.isfinite(frontier["accuracy"].to_numpy(dtype=float))]
    if has_gaps(known):
        known = known[np.isfinite(known["gap"].to_numpy(dtype=float))]
    return known.astype({"chosen": bool})


def best_settings(frontier: pd.DataFrame) -> pd.DataFrame:
    """Return the rule sets that no other beats in both accuracy and gap, or complexity where there is no gap."""
    known = drawn_settings(frontier)
    cost = known["gap"] if has_gaps(known) else known["complexity"]
    points = pd.DataFrame({"cost": cost.astype(float), "accuracy": known["accuracy"].astype(float)})
    ordered = points.drop_duplicates().sort_values(["cost", "accuracy"], ascending=[True, False], kind="stable")
    before = ordered["accuracy"].cummax().shift(fill_value=-np.inf)
    return known.loc[ordered.index[ordered["accuracy"] > before]]


def has_gaps(frontier: pd.DataFrame) -> bool:
    """Say whether any rule set has a gap; there is none where nothing must be alike."""
    return bool(np.isfinite(frontier["gap"].to_numpy(dtype=float)).any())


def size_text(gap: float | None) -> str:
    """Return the size of a gap in points."""
    return points_text(gap, signed=False)


def _setting(row: FrontierRow, labels: dict[int, str], *, by_gap: bool) -> dict[str, object]:
    return {
        "value": float(row.gap if by_gap else row.complexity),
        "y": float(row.accuracy),
        "series": labels[row.max_complexity],
        "chosen": bool(row.chosen),
        "limit": size_text(row.max_difference),
        "accuracy": cell_text(row.accuracy, "share"),
        "gap": size_text(row.gap),
        "complexity": str(row.complexity),
    }
