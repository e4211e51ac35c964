"""Charts of remedies, in marks and in words: before and after, the gaps, and which remedy gives what for what.

Each is one view, so that it can take the width of a page, and has a text alternative. Rows without a number are left
out of the drawing.

"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.findings import REST, Argument, Count, Message, Phrase
from fairaudit.measure.results import ErrorComparison, GroupRatio
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.blocks import INTERVAL_OF, Chart, cell_text
from fairaudit.present.charts import theme
from fairaudit.present.charts.gaps import amount_axis, amount_domain
from fairaudit.present.charts.theme import beside, joined
from fairaudit.present.errors import rate_name
from fairaudit.present.numbers import finite, interval_ends
from fairaudit.remedies.shared.amount_tables import digits_of
from fairaudit.remedies.shared.changes import moved_text, size_text
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.judging.results import Evaluation

Drawing = tuple[Callable[..., Any], Callable[..., str]]
"""A chart and its text alternative, which take the same arguments."""


def remedy_chart(number: int, key: str, title: str, drawing: Drawing, *arguments: Any, **options: Any) -> Chart:
    """Return a chart of the remedy with this number; `key` is also the end of the key of its table."""
    chart, text = (make(*arguments, **options) for make in drawing)
    return Chart(f"remedy_{number}_{key}_chart", title, text, chart, f"remedy_{number}_{key}")


Part = Literal["all", "gap", "rates"]
"""What a chart of before and after draws: the gap, on the rows that the filter keeps, rates, on all rows, or both."""
MOST_NAMED = 5
"""Groups that a note names."""
DRAWN_RATES = ("selection_rate", "tpr", "fpr")


def chart_parts(finding: RemedyFinding) -> tuple[Part, ...]:
    """Return the charts of before and after: two where a filter keeps other rows for the gap than rates are of."""
    fairness = finding.after.fairness
    return ("all",) if fairness.where is None or fairness.n_filtered_out == 0 else ("gap", "rates")


def group_called(name: object, others: str) -> str:
    """Return what a group is called; `others` is the name of everyone else, if they have one."""
    return others if others and name == REST else called(name)


def with_others(frame: pd.DataFrame, facts: StudyFacts) -> pd.DataFrame:
    """Return rows by group where everyone else has their own name."""
    others = say(Message("group-alone", {"group": facts.names.others}))
    return frame.assign(group=[group_called(name, others) if name == REST else name for name in frame["group"]])


def before_after_alt(
    finding: RemedyFinding, *, protected_name: str | None = None, others: str = "", part: Part = "all"
) -> str:
    """Say in words what :func:`before_after_chart` shows."""
    before, after = finding.before, finding.after
    said: list[Message] = []
    if part != "rates":
        for side in ("protected", "reference"):
            one, other = (getattr(evaluation.fairness, side) for evaluation in (before, after))
            name = protected_name if side == "protected" and protected_name else other.name
            said.append(_row(say(Message("remedies-chart-gap")), group_called(name, others), one.ratio, other.ratio))
    if part == "gap":
        return say(said)
    for metric in DRAWN_RATES if part == "rates" else ("tpr", "fpr"):
        one, other = (_values(evaluation.errors, metric) for evaluation in (before, after))
        groups = naming.some(drawn_groups(after.errors))
        said += [
            _row(rate_name(metric, after.errors.positive), group_called(each, others), one.get(each), other.get(each))
            for each in groups
        ]
    title = [f"{say(Message('remedies-chart-groups'))}."] if part == "rates" else []
    return " ".join([*title, say(said)]) + groups_note(after.errors)


def _row(what: str, group: object, before: Any, after: Any) -> Message:
    args = {
        "what": Phrase(what),
        "group": Phrase(naming.short(called(group))),
        "shares": Phrase(moved_text(before, after)),
    }
    return Message("remedies-chart-groups-row", args)


def frontier_alt(
    rows: pd.DataFrame,
    *,
    x_title: str = "Accuracy",
    y_title: str = "Gap",
    digits: int | None = None,
    decided: float | None = None,
    decided_words: str = "",
) -> str:
    """Say in words what :func:`frontier_chart` shows."""
    axes = {"x": Phrase(naming.shorten(x_title, 60)), "y": Phrase(naming.shorten(y_title, 60))}
    said = [f"{say(Message('remedies-chart-models', axes))}."]
    if decided is not None:
        line = {"what": Phrase(decided_words), "size": Phrase(size_text(decided))}
        said.append(say(Message("remedies-chart-decided", line)))
    for row in rows.itertuples(index=False):
        figures = (
            f"{cell_text(row.x, 'share')}, {size_text(row.y)} points"
            if digits is None
            else ", ".join(cell_text(value, "amount", digits=digits) for value in (row.x, row.y))
        )
        texts = {"number": Phrase(str(row.number)), "name": Phrase(naming.short(row.name))}
        model = Message("remedies-chart-numbered", texts) if row.number else texts["name"]
        key = "remedies-chart-model-best" if row.on_frontier else "remedies-chart-model"
        said.append(say(Message(key, {"model": model, "figures": Phrase(figures)})))
    return " ".join(said)


def drawn_groups(errors: ErrorComparison) -> list[str]:
    """Return the groups that a chart has room for, in their own order: the largest, and none with few rows.

    The wide intervals of a group with few rows would set the scale for all. Where every group is as small, all stay.
    """
    size = _sizes(errors)
    groups = [group for group in size if size[group] >= ENOUGH] or list(size)
    kept = sorted(groups, key=lambda group: -size[group])[: naming.MOST_SERIES]
    return [group for group in groups if group in kept]


def groups_note(errors: ErrorComparison, *, held_by: naming.HeldBy = "table") -> str:
    """Return which groups :func:`before_after_chart` leaves out, to be put after its title; nothing if none."""
    size, drawn = _sizes(errors), drawn_groups(errors)
    small = [group for group in size if size[group] < ENOUGH and group not in drawn]
    note = naming.drawn_note(len(size) - len(small), naming.MOST_SERIES, held_by=held_by)
    if not small:
        return note
    names = ", ".join(naming.short(called(group)) for group in small[:MOST_NAMED])
    few: dict[str, Argument] = {"groups": Phrase(names), "n": Count(max(len(small) - MOST_NAMED, 0))}
    return f" {say(Message('remedies-chart-few', few))}{note}"


def draws_other_groups(evaluation: Evaluation) -> bool:
    """Say whether the groups that are drawn are others than the protected group and the rest."""
    errors = evaluation.errors
    return len(errors.groups) > 2 and not (
        len(drawn_groups(errors)) <= 2 and evaluation.fairness.reference.name in drawn_groups(errors)
    )


def _sizes(errors: ErrorComparison) -> dict[str, float]:
    rows = errors.counts
    sizes = rows[["tp", "fp", "tn", "fn"]].sum(axis=1)
    size = dict(zip(rows["group"].map(str), sizes, strict=True))
    return {str(group): float(size.get(str(group), 0)) for group in errors.groups}


def _values(errors: ErrorComparison, metric: str) -> dict[str, object]:
    rows = errors.intervals[errors.intervals["metric"] == metric]
    return dict(zip(rows["group"].map(str), rows["value"], strict=True))


BEFORE, AFTER = "without the remedy", "with the remedy"
_NUDGE = 4
_FRONTIER_HEIGHT = 320
_LABEL = 32
"""Letters of the name of a model that stand beside its point."""


def before_after_chart(
    finding: RemedyFinding, *, protected_name: str | None = None, others: str = "", part: Part = "all"
) -> Any:
    """Draw how often each group gets the favourable result, and its error rates, before and after a remedy.

    `others` is what everyone else is called, where they have a name.
    """
    records: list[dict[str, Any]] = []
    keys: list[str] = []
    heads: list[dict[str, str]] = []

    def add(head: str, rows: Sequence[tuple[str, dict[str, object], dict[str, object]]]) -> None:
        heads.append({"label": theme.numbered(len(keys), ""), "text": head})
        keys.append(heads[-1]["label"])
        rows = [(group_called(name, others), one, other) for name, one, other in rows]
        labels = naming.unique_labels([name for name, _, _ in rows])
        for label, (name, before, after) in zip(labels, rows, strict=True):
            keys.append(theme.numbered(len(keys), label))
            for model, values in ((BEFORE, before), (AFTER, after)):
                records.append({"label": keys[-1], "name": naming.whole(name), "model": model} | values)

    before, after = finding.before, finding.after
    sides = ("protected", "reference")
    names = (naming.group_label(protected_name or after.fairness.protected.name), after.fairness.reference.name)
    pairs = [(getattr(before.fairness, side), getattr(after.fairness, side)) for side in sides]
    rows = [(name, _of_group(one), _of_group(other)) for name, (one, other) in zip(names, pairs, strict=True)]
    if part != "rates":
        add("Predicted favourable result", rows)
    end = len(keys)
    for metric in DRAWN_RATES if part != "gap" else ():
        if metric != "selection_rate" or part == "rates" or draws_other_groups(after):
            add(rate_name(metric, after.errors.positive), _rates(before.errors, after.errors, metric))
    middle = finite(after.fairness.reference.ratio) if part != "rates" else None
    tolerance = after.fairness.tolerance
    zone = [] if middle is None else [middle - tolerance, middle + tolerance]
    span = theme.domain([v for r in records for v in (r["value"], r["low"], r["high"])] + zone)
    shaded = ["Share (thin lines: intervals;", "shaded: tolerance around others, after)"]
    x = theme.share_scale(span, "Share (thin lines: intervals)" if part == "rates" else shaded)
    height = len(keys) * theme.DENSE_ROW_HEIGHT
    top, bottom = alt.YValue(theme.DENSE_ROW_HEIGHT), alt.Y2Value(end * theme.DENSE_ROW_HEIGHT)
    layers = [theme.band(zone[0], zone[1], span).encode(y=top, y2=bottom)] if zone else []
    layers += paired(records, keys, x)
    named = theme.Layer(theme.values(heads)).mark_text(align="left", baseline="middle", fontWeight="bold", dx=2)
    layers.append(named.encode(x=alt.XValue(0), y=theme.numbered_axis(keys), text=alt.Text("text:N")))
    description = before_after_alt(finding, protected_name=protected_name, others=others, part=part)
    return theme.finish(alt.layer(*layers), height, description)


def frontier_chart(
    rows: pd.DataFrame,
    *,
    x_title: str = "Accuracy",
    y_title: str = "Gap",
    digits: int | None = None,
    decided: float | None = None,
    decided_words: str = "",
) -> Any:
    """Draw models by how well they do and how far apart they leave the groups; `decided` is the gap of the decisions.

    It has a line with `decided_words`, as the decisions have no accuracy of their own.
    """
    kinds = ("needs no group", "needs the group to decide")
    records: list[dict[str, Any]] = [
        {
            "value": finite(row.x), "low": finite(row.x_low), "high": finite(row.x_high),
            "y": finite(row.y), "y_low": finite(row.y_low), "y_high": finite(row.y_high),
            "number": row.number, "name": naming.whole(row.name), "best": bool(row.on_frontier),
            "kind": kinds[bool(row.needs_group)],
            **_frontier_texts(row, digits),
        }
        for row in rows.itertuples(index=False)
    ]  # fmt: skip
    known = [r for r in records if r["value"] is not None and r["y"] is not None]
    wide_span = [v for r in known for v in (r["value"], r["low"], r["high"])]
    tall_span = [v for r in known for v in (r["y"], r["y_low"], r["y_high"])] + [0.0, decided]
    titles = naming.shorten(x_title, 60), naming.shorten(y_title, 60)
    if digits is None:
        across, down = theme.domain(wide_span, step=0.02), theme.domain(tall_span, step=0.02)
        x = theme.share_scale(across, say(Message("axis-better-right", {"figure": Phrase(titles[0])})))
        y_axis = alt.Axis(
            title=say(Message("axis-better-below-points", {"figure": Phrase(titles[1])})), labelExpr=theme.POINTS_LABEL
        )
    else:
        across, down = amount_domain(wide_span), amount_domain(tall_span)
        x = amount_axis(across, say(Message("axis-better-left", {"figure": Phrase(titles[0])})), digits)
        y_axis = alt.Axis(
            title=say(Message("axis-better-below", {"figure": Phrase(titles[1])})), format=f",.{digits}~f"
        )
    y = alt.Y("y:Q", scale=alt.Scale(domain=down, nice=False, zero=False), axis=y_axis)
    hover = theme.tooltip([("name", "Model"), ("x_text", x_title), ("y_text", y_title), ("kind", "When deciding")])
    spans = [r for r in known if r["low"] is not None and r["high"] is not None]
    falls = [r for r in known if r["y_low"] is not None and r["y_high"] is not None]
    wide = theme.Layer(theme.values([r | {"value": r["low"], "end": r["high"]} for r in spans]))
    tall = theme.Layer(theme.values([r | {"y": r["y_low"], "end": r["y_high"]} for r in falls]))
    line = [] if decided is None else [{"y": decided, "value": across[0], "text": decided_words}]
    level = theme.Layer(theme.values(line))
    layers = [
        level.mark_rule(color=theme.LINE).encode(y=y),
        level.mark_text(align="left", baseline="bottom", dx=4, dy=-2, color=theme.QUIET, fontSize=11).encode(
            x=x, y=y, text=alt.Text("text:N")
        ),
        wide.mark_rule(color=theme.LINE, opacity=0.35).encode(x=x, x2=alt.X2("end:Q"), y=y),
        tall.mark_rule(color=theme.LINE, opacity=0.35).encode(x=x, y=y, y2=alt.Y2("end:Q")),
        _stairs([r for r in known if r["best"]], x, y),
    ]
    shapes = alt.Scale(domain=list(kinds), range=["circle", "square"])
    colors = alt.Scale(domain=list(kinds), range=[theme.REFERENCE, theme.PROTECTED])
    # No model of amounts needs the group, so there is nothing to distinguish.
    title, legend = (None, alt.Undefined) if digits is None else (alt.Undefined, None)
    shape = alt.Shape("kind:N", scale=shapes, title=title, legend=legend)
    color = alt.Color("kind:N", scale=colors, title=title, legend=legend)
    for best, filled in ((True, True), (False, False)):
        own = [r for r in known if r["best"] is best]
        # A layer of nothing would be met by a screen reader.
        if not own:
            continue
        points = theme.Layer(theme.values(own))
        drawn = points.mark_point(filled=filled, size=110, opacity=1, strokeWidth=2)
        layers.append(drawn.encode(x=x, y=y, shape=shape, tooltip=hover, color=color))
    labels = [r | {"text": r["number"] or naming.shorten(r["name"], _LABEL)} for r in known]
    if all(r["number"] for r in known):
        labels = joined(labels, across, down, height=_FRONTIER_HEIGHT)
    layers += beside(labels, x, y, across, down, height=_FRONTIER_HEIGHT)
    description = frontier_alt(
        rows, x_title=x_title, y_title=y_title, digits=digits, decided=decided, decided_words=decided_words
    )
    return theme.finish(alt.layer(*layers), _FRONTIER_HEIGHT, description)


def _frontier_texts(row: Any, digits: int | None) -> dict[str, str]:
    if digits is not None:
        texts = [cell_text(value, "amount", digits=digits) for value in (row.x, row.y)]
    else:
        texts = [cell_text(row.x, "share"), cell_text(row.y, "points").lstrip("+")]
    return dict(zip(("x_text", "y_text"), texts, strict=True))


def _stairs(best: Sequence[dict[str, object]], x: alt.X, y: alt.Y) -> alt.Chart:
    ordered = sorted(best, key=lambda r: (r["value"], r["y"]))
    line = theme.Layer(theme.values([r | {"order": i} for i, r in enumerate(ordered)]))
    return line.mark_line(strokeDash=[4, 3], strokeWidth=1.2, color=theme.LINE).encode(
        x=x, y=y, order=alt.Order("order:Q")
    )


def paired(records: Sequence[dict[str, Any]], keys: Sequence[str], x: alt.X) -> list[alt.Chart]:
    """Draw before and after in one row: joined points, and an interval above and one below them."""
    models = [BEFORE, AFTER]
    look = {
        "color": alt.Color("model:N", title=None, scale=alt.Scale(domain=models, range=[theme.QUIET, theme.REFERENCE])),
        "shape": alt.Shape("model:N", title=None, scale=alt.Scale(domain=models, range=["circle", "diamond"])),
    }
    hover = theme.tooltip(
        [("name", "Row"), ("model", "Model"), ("text", "Value"), ("interval", "Interval"), ("n", "Out of")]
    )
    y = theme.numbered_axis(keys)
    known = [r for r in records if r["value"] is not None]
    ends: dict[str, dict[str, float]] = {}
    for r in known:
        ends.setdefault(r["label"], {})[r["model"]] = r["value"]
    moves = [{"label": label, "value": e[BEFORE], "end": e[AFTER]} for label, e in ends.items() if len(e) == 2]
    layers = [
        theme.Layer(theme.values(moves))
        .mark_rule(color=theme.LINE, strokeWidth=1.5)
        .encode(x=x, x2=alt.X2("end:Q"), y=y)
    ]
    for model, nudge, color in ((BEFORE, -_NUDGE, theme.QUIET), (AFTER, _NUDGE, theme.REFERENCE)):
        mine = [r for r in known if r["model"] == model]
        spans = [r | {"value": r["low"], "end": r["high"]} for r in mine if None not in (r["low"], r["high"])]
        lines = theme.Layer(theme.values(spans)).mark_rule(color=color, opacity=0.55, strokeWidth=1.2, yOffset=nudge)
        layers.append(lines.encode(x=x, x2=alt.X2("end:Q"), y=y))
        points = theme.Layer(theme.values(mine)).mark_point(filled=True, size=80, opacity=1)
        layers.append(points.encode(x=x, y=y, tooltip=hover, **look))
    return layers


def _of_group(group: GroupRatio) -> dict[str, object]:
    return _point(group.ratio, *interval_ends(group.interval), group.n)


def _rates(before: ErrorComparison, after: ErrorComparison, metric: str) -> list[tuple[str, dict, dict]]:
    sides = [_rate_rows(errors, metric) for errors in (before, after)]
    empty = _point(None, None, None, None)
    return [(group, sides[0].get(group, empty), sides[1].get(group, empty)) for group in drawn_groups(after)]


def _rate_rows(errors: ErrorComparison, metric: str) -> dict[str, dict[str, object]]:
    rows = errors.intervals[errors.intervals["metric"] == metric]
    return {str(row.group): _point(row.value, row.low, row.high, row.n) for row in rows.itertuples()}


def _point(value: object, low: object, high: object, n: object) -> dict[str, object]:
    return {
        "value": finite(value),
        "low": finite(low),
        "high": finite(high),
        "text": cell_text(np.nan if value is None else value, "share"),
        "interval": cell_text((low, high), "share_interval"),
        "n": cell_text(n, "count"),
    }


def amount_errors_chart(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> Any:
    """Draw by how much each group is over- or underestimated on average, before and after, with intervals."""
    digits = digits_of(facts)
    names = drawn_amount_groups(finding)
    keys = [theme.numbered(place, label) for place, label in enumerate(naming.unique_labels(map(called, names)))]
    records = []
    for model, evaluation in ((BEFORE, finding.before), (AFTER, finding.after)):
        rows = {str(row.group): row for row in evaluation.groups.itertuples()}
        for key, name in zip(keys, names, strict=True):
            records.append(
                {"label": key, "name": naming.whole(called(name)), "model": model} | _error(rows[name], digits)
            )
    drawn = [v for r in records for v in (r["value"], r["low"], r["high"])]
    x = amount_axis(amount_domain([*drawn, 0.0]), say(Message("remedy-more-off")), digits, signed=True)
    layers = [theme.upright(0.0), *paired(records, keys, x)]
    return theme.finish(alt.layer(*layers), max(2, len(keys)) * 32, amount_errors_alt(finding, facts))


def amount_errors_alt(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
    """Say in words what :func:`amount_errors_chart` shows."""
    digits = digits_of(facts)
    before, after = (
        {str(row.group): cell_text(row.error, "difference", digits=digits) for row in model.groups.itertuples()}
        for model in (finding.before, finding.after)
    )
    said = [Message("remedy-more-off")]
    for name in drawn_amount_groups(finding):
        errors = {"own": Phrase(after[name]), "rest": Phrase(before[name])}
        said.append(Message("amount-errors-row", {"group": Phrase(naming.short(called(name))), **errors}))
    return say(said)


def drawn_amount_groups(finding: AmountRemedyFinding) -> list[str]:
    """Return the groups that a chart has room for, in their own order: the largest, and none with few rows.

    The wide intervals of a group with few rows would set the scale for all. Where every group is as small, all stay.
    """
    sizes = {str(row.group): int(row.n) for row in finding.after.groups.itertuples() if row.n}
    large = [name for name in sizes if sizes[name] >= ENOUGH] or list(sizes)
    kept = sorted(large, key=lambda name: -sizes[name])[: naming.MOST_SERIES]
    return [name for name in large if name in kept]


def _error(row: Any, digits: int) -> dict[str, Any]:
    return _amount_point(row.error, finite(row.error_low), finite(row.error_high), row.n, "difference", digits)


def _amount_point(
    value: Any, low: float | None, high: float | None, n: Any, kind: Literal["amount", "difference"], digits: int
) -> dict[str, Any]:
    ends = (np.nan if end is None else end for end in (low, high))
    return {
        "value": finite(value),
        "low": low,
        "high": high,
        "text": cell_text(value, kind, digits=digits),
        "interval": cell_text(tuple(ends), INTERVAL_OF[kind], digits=digits),
        "n": cell_text(int(n), "count"),
    }
