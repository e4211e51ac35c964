"""Charts of equalized distributions: scores before and after, and other weights."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
from altair.typing import ChartType

from fairaudit.findings import Message, Phrase
from fairaudit.measure.grouping import MISSING
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.errors import Positive, needed_digits, outcome_words, rate_name
from fairaudit.present.numbers import finite
from fairaudit.remedies.charts import AFTER, BEFORE, size_text

MODELS = ("before", "after")
SHOWN = dict(zip(MODELS, (BEFORE, AFTER), strict=True))
"""What they are called in a picture."""
_UPPER, _LOWER, _BETWEEN = 110, 150, 26
"""Heights of the two parts of a chart, and of the room between them."""


def of_known_group(distribution: pd.DataFrame) -> pd.DataFrame:
    """Return how the scores of people of a known group are spread: those of no known group are in none to compare."""
    return distribution[distribution["group"] != MISSING]


def distribution_note(distribution: pd.DataFrame) -> str:
    """Return what :func:`equalized_distribution_chart` leaves out; empty where that is nothing."""
    groups = of_known_group(distribution)["group"].nunique()
    unknown = say(Message("equalize-chart-unknown")) if (distribution["group"] == MISSING).any() else ""
    return f"{unknown}{naming.drawn_note(groups, naming.MOST_SERIES)}".strip()


def equalized_distribution_alt(distribution: pd.DataFrame, positive: Positive = "favorable") -> str:
    """Say in words what :func:`equalized_distribution_chart` shows."""
    said = [f"{say(Message('equalize-chart-spread'))}."]
    known = of_known_group(distribution)
    for (model, label, group), rows in list(known.groupby(["model", "label", "group"], sort=False))[:32]:
        if rows["n"].sum():
            top = rows.iloc[int(rows["share"].to_numpy(float).argmax())]
            ends = {end: Phrase(cell_text(top[f"bin_{end}"], "number")) for end in ("low", "high")}
            outcome = outcome_words(label, positive)
            whose = {"model": SHOWN[model], "outcome": outcome, "group": naming.short(called(group))}
            names = {name: Phrase(text) for name, text in whose.items()}
            said.append(say(Message("equalize-chart-spread-row", {**names, **ends})))
    return " ".join(said)


def equalized_sweep_alt(sweep: pd.DataFrame, **_: object) -> str:
    """Say in words what :func:`equalized_sweep_chart` shows."""
    said = [f"{say(Message('equalize-chart-weights'))}."]
    for row in naming.some(list(sweep.sort_values("accuracy_weight", kind="stable").itertuples())):
        figures = {
            "weight": Phrase(f"{row.accuracy_weight:g}"),
            "accuracy": Phrase(cell_text(row.accuracy, "share")),
            "true": Phrase(size_text(row.tpr_gap)),
            "false": Phrase(size_text(row.fpr_gap)),
        }
        said.append(say(Message("equalize-chart-weights-row", figures)))
    return " ".join(said)


def equalized_distribution_chart(distribution: pd.DataFrame, positive: Positive = "favorable") -> ChartType:
    """Draw how the score is spread in each group, before and after, for either true outcome."""
    description = equalized_distribution_alt(distribution, positive)
    distribution = of_known_group(distribution)
    groups = _largest(distribution)
    labels = naming.unique_labels(map(called, groups))
    frame = distribution[distribution["group"].isin(groups)]
    bands = [
        (model, label)
        for label in sorted(frame["label"].unique(), reverse=True)
        for model in MODELS
        if ((frame["model"] == model) & (frame["label"] == label)).any()
    ]
    digits = needed_digits(frame["bin_low"], 2) if len(frame) else 2
    records: list[dict[str, object]] = []
    heads: list[dict[str, object]] = []
    for position, (model, label) in enumerate(bands):
        floor = float(len(bands) - 1 - position)
        heads.append({"y": floor + 0.94, "text": naming.capital(f"{outcome_words(label, positive)}, {SHOWN[model]}")})
        here = frame[(frame["model"] == model) & (frame["label"] == label)]
        peak = float(here["share"].max())
        peak = peak if peak > 0 else 1.0
        for name, group in zip(labels, groups, strict=True):
            rows = here[here["group"] == group].sort_values("bin_low", kind="stable")
            for row in rows.itertuples():
                records += [
                    {
                        "x": finite(edge), "y": floor + 0.68 * (finite(row.share) or 0.0) / peak,
                        "row": f"{position} {name}", "series": name,
                        "name": naming.whole(called(group)), "order": len(records),
                        "range": cell_text((row.bin_low, row.bin_high), "number_interval", digits=digits),
                        "share": cell_text(row.share, "share"), "n": cell_text(row.n, "count"),
                    }
                    for edge in (row.bin_low, row.bin_high)
                ]  # fmt: skip
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[0, max(1, len(bands))], nice=False))
    x = alt.X("x:Q", title="Score", scale=alt.Scale(zero=False, nice=False))
    hover = theme.tooltip([("name", "Group"), ("range", "Score"), ("share", "Share"), ("n", "Rows")])
    lines = theme.Layer(theme.values(records)).mark_line(strokeWidth=1.7)
    lines = lines.encode(
        x=x,
        y=y,
        detail=alt.Detail("row:N"),
        order=alt.Order("order:Q"),
        tooltip=hover,
        **theme.series_channels(labels, dash=True),
    )
    floors = theme.Layer(theme.values([{"y": float(i)} for i in range(len(bands))])).mark_rule(color="#d5dae0")
    named = theme.Layer(theme.values(heads)).mark_text(align="left", baseline="top", fontWeight="bold", dx=4)
    layers = [floors.encode(y=y), lines, named.encode(x=alt.XValue(0), y=y, text=alt.Text("text:N"))]
    return theme.finish(alt.layer(*layers), max(1, len(bands)) * 84, description)


def equalized_sweep_chart(
    sweep: pd.DataFrame, *, current: float | None = None, positive: Positive = "favorable"
) -> ChartType:
    """Draw accuracy and the gaps in true and false positive rates over the weight of accuracy."""
    gaps = {name: say(Message("rate-gap", {"rate": Phrase(rate_name(name, positive))})) for name in ("tpr", "fpr")}
    names = {"accuracy": "Accuracy", "tpr_gap": gaps["tpr"], "fpr_gap": gaps["fpr"]}
    labels = list(names.values())
    records: list[dict[str, object]] = [
        {
            "x": finite(row.accuracy_weight), "y": finite(getattr(row, field)), "series": name,
            "weight": f"{row.accuracy_weight:g}", "text": _figure(field, getattr(row, field)),
        }
        for field, name in names.items()
        for row in sweep.sort_values("accuracy_weight", kind="stable").itertuples()
    ]  # fmt: skip
    records = [r for r in records if r["x"] is not None and r["y"] is not None]
    x = alt.X("x:Q", title="Weight of accuracy", scale=alt.Scale(domain=[0, 1], nice=False))
    hover = theme.tooltip([("series", "Figure"), ("weight", "Weight of accuracy"), ("text", "Value")])
    channels = theme.series_channels(labels, dash=True)
    above, below = ([r for r in records if (r["series"] == labels[0]) is upper] for upper in (True, False))
    height = _UPPER + _BETWEEN + _LOWER
    panels = (
        (
            above,
            theme.domain(theme.numbers_in(above, "y"), step=0.02),
            ["Accuracy", "(not from 0 %)"],
            "share",
            0,
            _UPPER,
        ),
        (
            below,
            theme.domain([*theme.numbers_in(below, "y"), 0.0], step=0.02),
            "Gap in points",
            "points",
            _UPPER + _BETWEEN,
            height,
        ),
    )
    marks = [] if current is None else [{"x": current}]
    layers = [theme.Layer(theme.values(marks)).mark_rule(color=theme.LINE, strokeDash=[3, 3]).encode(x=x)]
    for found, span, title, unit, top, bottom in panels:
        label = theme.POINTS_LABEL + (" + ' %'" if unit == "share" else "")
        axis = alt.Axis(title=title, labelExpr=label, tickCount=4, orient="left", domain=True)
        y = alt.Y("y:Q", axis=axis, scale=alt.Scale(domain=span, range=[bottom, top], nice=False, zero=False))
        base = theme.Layer(theme.values(found))
        points = base.mark_point(filled=True, size=45, opacity=1)
        layers += [
            alt.layer(
                base.mark_line(strokeWidth=1.8).encode(x=x, y=y, **channels),
                points.encode(x=x, y=y, color=channels["color"], tooltip=hover),
            )
        ]
    chart = alt.layer(*layers).resolve_scale(y="independent")
    return theme.finish(chart, height, equalized_sweep_alt(sweep))


def _figure(field: str, value: float) -> str:
    return cell_text(value, "share") if field == "accuracy" else f"{cell_text(value, 'size')} points"


def _largest(distribution: pd.DataFrame) -> Sequence[object]:
    sizes = distribution.groupby("group", sort=False)["n"].sum()
    kept = sizes.sort_values(ascending=False, kind="stable").index[: naming.MOST_SERIES]
    return [group for group in sizes.index if group in set(kept)]
