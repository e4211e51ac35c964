"""A chart of whom each rule concerns: how often it holds in each group, and how often it is right there."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from fairaudit.present import brief, theme
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import parts
from fairaudit.present.numbers import finite

MOST_ROWS = 40
"""Rows that are drawn at most, one for each group of each rule."""

HOLDS, RIGHT = "holds for (share of the group)", "right where it holds"
_SERIES = {HOLDS: "coverage", RIGHT: "precision"}
_OFFSETS = {HOLDS: -4, RIGHT: 4}


def rules_coverage_chart(coverage: pd.DataFrame) -> Any:
    """Draw how often each rule holds in each group, and with how many of these it agrees, with intervals."""
    keys: list[str] = []
    heads: list[dict[str, str]] = []
    records: list[dict[str, Any]] = []
    for rule, rows in _drawn(coverage).groupby("rule", sort=True):
        heads.append({"label": parts.numbered(len(keys), ""), "text": _head(rule)})
        keys.append(heads[-1]["label"])
        labels = brief.unique_labels(rows["group"])
        for label, row in zip(labels, rows.itertuples(), strict=True):
            keys.append(parts.numbered(len(keys), label))
            records += [_record(keys[-1], row, series) for series in _SERIES]
    records = [record for record in records if record["value"] is not None]
    x = alt.X(
        "value:Q",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(title="Share of rows (lines: intervals)", labelExpr=f"{parts.POINTS_LABEL} + ' %'", tickCount=5),
    )
    y = parts.numbered_axis(keys)
    legend = alt.Legend(columns=1)
    names = list(_SERIES)
    look = {
        "color": alt.Color("series:N", title=None, legend=legend, scale=parts.cycle(names, theme.SERIES)),
        "shape": alt.Shape("series:N", title=None, legend=legend, scale=parts.cycle(names, theme.SHAPES)),
    }
    hover = parts.tooltip((("rule", "Rules"), ("group", "Group"), ("series", "Share"), ("text", "Is"), ("of", "Rows")))
    layers: list[Any] = []
    for series in names:
        shown = [record for record in records if record["series"] == series]
        # A layer without marks would be a picture without a text to screen readers.
        if not shown:
            continue
        spans = [r | {"value": r["low"], "end": r["high"]} for r in shown if None not in (r["low"], r["high"])]
        lines = parts.Layer(parts.values(spans)).mark_rule(strokeWidth=1.6, yOffset=_OFFSETS[series])
        layers.append(lines.encode(x=x, x2=alt.X2("end:Q"), y=y, color=look["color"]))
        points = parts.Layer(parts.values(shown)).mark_point(filled=True, size=75, opacity=1, yOffset=_OFFSETS[series])
        layers.append(points.encode(x=x, y=y, tooltip=hover, **look))
    titled = parts.Layer(parts.values(heads)).mark_text(align="left", baseline="middle", fontWeight="bold", dx=2)
    layers.append(titled.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N")))
    return parts.finish(alt.layer(*layers), max(1, len(keys)) * parts.ROW_HEIGHT, rules_coverage_alt(coverage))


def rules_coverage_alt(coverage: pd.DataFrame) -> str:
    """Say in words what :func:`rules_coverage_chart` shows."""
    texts = [
        f"{_head(row.rule)}, {brief.short(row.group)}: holds for {cell_text(row.coverage, 'share')} of "
        f"{cell_text(row.n, 'count')} rows, agrees with {cell_text(row.precision, 'share')} of "
        f"{cell_text(row.n_covered, 'count')}"
        for row in brief.some(list(_drawn(coverage).sort_values("rule", kind="stable").itertuples()))
    ]
    lead = "How often each rule holds in each group, and with how many of these it agrees, with intervals."
    return f"{lead} {'; '.join(texts) or 'There is none to draw'}.{rules_coverage_note(coverage)}"


def rules_coverage_note(coverage: pd.DataFrame) -> str:
    """Return what :func:`rules_coverage_chart` leaves out, to be put after its title; nothing if none."""
    drawn = _drawn(coverage)
    n, n_rules = drawn["group"].nunique(), drawn["rule"].nunique()
    note = brief.drawn_note(coverage["group"].nunique(), n)
    left = coverage["rule"].nunique() - n_rules
    return f"{note} {left} more rules are in the table." if left else note


def _drawn(coverage: pd.DataFrame) -> pd.DataFrame:
    """Return the largest groups, as many as there is room for beside two rules, and the first rules."""
    sizes = coverage.loc[coverage["rule"] == 0].set_index("group")["n"].sort_values(ascending=False, kind="stable")
    groups = list(sizes.index[: MOST_ROWS // 3])
    rules = sorted(coverage["rule"].unique())[: max(1, MOST_ROWS // max(1, len(groups)))]
    return coverage[coverage["group"].isin(groups) & coverage["rule"].isin(rules)]


def _record(key: str, row: Any, series: str) -> dict[str, Any]:
    field = _SERIES[series]
    value, low, high = (finite(getattr(row, name)) for name in (field, f"{field}_low", f"{field}_high"))
    top, bottom = (row.n_covered, row.n) if series == HOLDS else (row.n_right, row.n_covered)
    return {
        "label": key, "series": series, "value": value, "low": low, "high": high,
        "rule": _head(row.rule), "group": brief.whole(row.group), "text": cell_text(value, "share"),
        "of": f"{cell_text(top, 'count')} of {cell_text(bottom, 'count')}",
    }  # fmt: skip


def _head(rule: int) -> str:
    return "All rules together" if rule == 0 else f"Rule {rule}"
