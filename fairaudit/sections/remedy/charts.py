"""The pictures of a remedy: both groups in past decisions, without the remedy and with it; and all groups."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
from altair.typing import ChartType

from fairaudit.defaults import ENOUGH
from fairaudit.findings import REST, Argument, Count, Message, Phrase, Word
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.results import ErrorComparison
from fairaudit.measure.verdicts_of_many import gap_is_likely
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.blocks import INTERVAL_OF, Kind, cell_text
from fairaudit.present.charts import theme
from fairaudit.present.charts.gaps import amount_axis, amount_domain
from fairaudit.present.charts.pairs import PairRow, pairs_chart
from fairaudit.present.errors import rate_name
from fairaudit.present.numbers import finite
from fairaudit.remedies.charts import AFTER, BEFORE
from fairaudit.sections.remedy.reading import Facts, Finding, GroupsCompared, is_same_search, read_remedy
from fairaudit.sections.remedy.saying import named
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts


@dataclass(frozen=True)
class _Row:
    key: str
    values: tuple[float, float]
    counts: tuple[int | None, int | None]


def remedy_chart(finding: Finding, facts: Facts, *, narrow: bool = False) -> Any:
    """Draw what both groups have, and how far apart they are; None where that is hidden.

    On a `narrow` screen, what a row is and its gap stand above it.
    """
    reading, args = read_remedy(finding, facts), _args(finding, facts)
    compared, quantity = reading.compared, reading.quantity
    if compared is None:
        return None
    own, other = (say(Message("group-alone", {"group": group})) for group in (compared.own, compared.other))
    past = compared.decided if gap_is_likely(facts.decisions) else None
    return pairs_chart(
        [_pair(row, past, quantity, args) for row in _rows(finding, facts, compared)],
        (own, other),
        description=remedy_chart_text(finding, facts),
        quantity=quantity.kind,
        narrow=narrow,
    )


def remedy_chart_title(finding: Finding, facts: Facts) -> str:
    """Return what the picture shows."""
    args = _args(finding, facts)
    measure = args["measure"]
    if measure in (Word("flagged"), Word("missed")):
        return say(Message("remedy-chart-wrongly", args))
    return say(Message("remedy-chart-amount" if measure == Word("amount") else "remedy-chart-share", args))


def remedy_chart_text(finding: Finding, facts: Facts) -> str:
    """Return the picture in words, for those who cannot see it; empty where it is hidden."""
    reading, args = read_remedy(finding, facts), _args(finding, facts)
    compared = reading.compared
    if compared is None:
        return ""
    said = [remedy_chart_title(finding, facts) + "."]
    for row in _rows(finding, facts, compared):
        own, rest = map(reading.quantity.figure, row.values)
        place = Message(row.key, args)
        said.append(say(Message("remedy-chart-row", args | {"place": place, "own": own, "rest": rest})))
    return " ".join(said)


def _args(finding: Finding, facts: Facts) -> dict[str, Argument]:
    args = named(finding, facts)
    if not facts.outcome.has_good_outcome:
        args["what"] = Phrase(facts.meaning)
    return args | {"with": Message("remedy-with", args)}


def _rows(finding: Finding, facts: Facts, compared: GroupsCompared) -> list[_Row]:
    """Return past decisions, where they are a measure of it, the model without the remedy, and the model with it."""
    sides = (facts.decisions, finding.before.compared, finding.after.compared)
    without = "remedy-row-no-limit" if is_same_search(finding) else "remedy-row-without"
    keys = ("remedy-row-decided", without, "remedy-row-with")
    values = (compared.decided, compared.before if finding.changes else None, compared.after)
    rows = []
    for key, both, side in zip(keys, values, sides, strict=True):
        if both is not None:
            counts = (side.protected.n, side.reference.n) if compared.is_gap else (None, None)
            rows.append(_Row(key, both, counts))
    return rows


def _pair(row: _Row, decided: tuple[float, float] | None, quantity: Quantity, args: dict[str, Argument]) -> PairRow:
    figures = [quantity.figure(value) for value in row.values]
    own, other = (finite(figure.value) for figure in figures)
    kind: Kind = "share" if quantity.kind == "share" else "number"
    texts = ["" if finite(f.value) is None else say(Message("check-chart-figure", {"figure": f})) for f in figures]
    reading = ""
    if own is not None and other is not None:
        size, past = row.values[0] - row.values[1], 0.0 if decided is None else decided[0] - decided[1]
        gap: dict[str, Argument] = {
            "size": quantity.size(size),
            "turned": Word("yes" if quantity.is_other_way(size, past) else "no"),
            "exact": Word("yes" if quantity.subtracts(*row.values, size) else "no"),
        }
        reading = say(Message("remedy-chart-gap", args | gap))
    counts = ["" if n is None else cell_text(n, "count") for n in row.counts]
    return PairRow(
        name=say(Message(row.key, args)),
        own=own,
        other=other,
        own_text=texts[0],
        other_text=texts[1],
        own_exact=cell_text(own, kind),
        other_exact=cell_text(other, kind),
        own_n=counts[0],
        other_n=counts[1],
        reading=reading,
        clear=False,
        few=False,
    )


# All groups, without the remedy and with it: their rates or, of amounts, how far predictions are off.

MOST_NAMED = 5
"""Groups that a note names."""
DRAWN_RATES = ("selection_rate", "tpr", "fpr")
_NUDGE = 4
Records = Sequence[dict[str, Any]]
Figures = tuple[float | None, float | None, float | None, int | None]
"""What a group has, both ends of its interval, and the rows that it is of; None where that is hidden."""
_UNKNOWN: Figures = (None, None, None, None)


def group_rates_chart(finding: RemedyFinding, facts: StudyFacts) -> ChartType:
    """Draw how often each group is rightly and wrongly predicted something, without and with a remedy."""
    keys: list[str] = []
    heads: list[dict[str, str]] = []
    records: list[dict[str, Any]] = []
    groups = drawn_groups(finding.after.errors)
    names = [_group_called(group, facts) for group in groups]
    for metric in DRAWN_RATES:
        sides = [(model, _rates(side.errors, metric)) for model, side in _models(finding)]
        heads.append({"label": theme.numbered(len(keys), ""), "text": _rate_called(metric, finding)})
        keys.append(heads[-1]["label"])
        for label, name, group in zip(naming.unique_labels(names), names, groups, strict=True):
            keys.append(theme.numbered(len(keys), label))
            for model, rates in sides:
                shown = _point(*rates.get(group, _UNKNOWN), "share")
                records.append({"label": keys[-1], "name": naming.whole(name), "model": model} | shown)
    span = theme.domain([v for r in records for v in (r["value"], r["low"], r["high"])])
    x = theme.share_scale(span, "Share (thin lines: intervals)")
    titled = theme.Layer(theme.values(heads)).mark_text(align="left", baseline="middle", fontWeight="bold", dx=2)
    named_rows = titled.encode(x=alt.XValue(0), y=theme.numbered_axis(keys), text=alt.Text("text:N"))
    layers = [*_paired(records, keys, x), named_rows]
    return theme.finish(alt.layer(*layers), len(keys) * theme.DENSE_ROW_HEIGHT, group_rates_text(finding, facts))


def group_rates_text(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Say in words what :func:`group_rates_chart` shows."""
    errors = finding.after.errors
    said: list[Message] = []
    for metric in DRAWN_RATES:
        one, other = (_rates(side.errors, metric) for _, side in _models(finding))
        said += [
            Message(
                "remedies-chart-groups-row",
                {
                    "what": Phrase(_rate_called(metric, finding)),
                    "group": Phrase(naming.short(_group_called(group, facts))),
                    "shares": Phrase(
                        " to ".join(cell_text(each.get(group, _UNKNOWN)[0], "share") for each in (one, other))
                    ),
                },
            )
            for group in naming.some(drawn_groups(errors))
        ]
    return f"{say(Message('remedies-chart-groups'))}. {say(said)}{groups_note(errors)}"


def amount_errors_chart(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> ChartType:
    """Draw by how much each group is over- or underestimated on average, without and with a remedy."""
    digits = amount_digits(facts.deviation)
    groups = drawn_amount_groups(finding)
    keys = [theme.numbered(place, label) for place, label in enumerate(naming.unique_labels(map(called, groups)))]
    records: list[dict[str, Any]] = []
    for model, side in _models(finding):
        rows = {str(row.group): row for row in side.groups.itertuples()}
        for key, group in zip(keys, groups, strict=True):
            row = rows[group]
            shown = _point(row.error, row.error_low, row.error_high, row.n, "difference", digits)
            records.append({"label": key, "name": naming.whole(called(group)), "model": model} | shown)
    drawn = [v for r in records for v in (r["value"], r["low"], r["high"])]
    x = amount_axis(amount_domain([*drawn, 0.0]), say(Message("remedy-more-off")), digits, signed=True)
    layers = [theme.upright(0.0), *_paired(records, keys, x)]
    return theme.finish(alt.layer(*layers), max(2, len(keys)) * 32, amount_errors_text(finding, facts))


def amount_errors_text(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
    """Say in words what :func:`amount_errors_chart` shows."""
    digits = amount_digits(facts.deviation)
    before, after = (
        {str(row.group): cell_text(row.error, "difference", digits=digits) for row in side.groups.itertuples()}
        for _, side in _models(finding)
    )
    said = [Message("remedy-more-off")]
    for group in drawn_amount_groups(finding):
        errors = {"own": Phrase(after[group]), "rest": Phrase(before[group])}
        said.append(Message("amount-errors-row", {"group": Phrase(naming.short(called(group))), **errors}))
    return say(said)


def drawn_groups(errors: ErrorComparison) -> list[str]:
    """Return the groups that a chart has room for."""
    return _largest(_sizes(errors))


def drawn_amount_groups(finding: AmountRemedyFinding) -> list[str]:
    """Return the groups of amounts that a chart has room for."""
    return _largest({str(row.group): row.n for row in finding.after.groups.itertuples() if row.n})


def _largest(sizes: Mapping[str, float]) -> list[str]:
    """Return the groups that a chart has room for, in their own order: the largest, and none with few rows.

    The wide intervals of a group with few rows would set the scale for all. Where every group is as small, all stay.
    """
    large = [group for group in sizes if sizes[group] >= ENOUGH] or list(sizes)
    kept = sorted(large, key=lambda group: -sizes[group])[: naming.MOST_SERIES]
    return [group for group in large if group in kept]


def groups_note(errors: ErrorComparison, *, held_by: naming.HeldBy = "table") -> str:
    """Return which groups :func:`group_rates_chart` leaves out, to be put after its title; nothing if none."""
    sizes, drawn = _sizes(errors), drawn_groups(errors)
    small = [group for group in sizes if sizes[group] < ENOUGH and group not in drawn]
    note = naming.drawn_note(len(sizes) - len(small), naming.MOST_SERIES, held_by=held_by)
    if not small:
        return note
    names = ", ".join(naming.short(called(group)) for group in small[:MOST_NAMED])
    few: dict[str, Argument] = {"groups": Phrase(names), "n": Count(max(len(small) - MOST_NAMED, 0))}
    return f" {say(Message('remedies-chart-few', few))}{note}"


def _models(finding: Any) -> tuple[tuple[str, Any], tuple[str, Any]]:
    return (BEFORE, finding.before), (AFTER, finding.after)


def _sizes(errors: ErrorComparison) -> dict[str, float]:
    rows = errors.counts
    sizes = rows[["tp", "fp", "tn", "fn"]].sum(axis=1)
    size = dict(zip(rows["group"].map(str), sizes, strict=True))
    return {str(group): float(size.get(str(group), 0)) for group in errors.groups}


def _rates(errors: ErrorComparison, metric: str) -> dict[str, Figures]:
    """Return a rate of each group with the ends of its interval, and the rows that it is a share of."""
    rows = errors.intervals[errors.intervals["metric"] == metric]
    return {str(row.group): (row.value, row.low, row.high, row.n) for row in rows.itertuples()}


def _rate_called(metric: str, finding: RemedyFinding) -> str:
    return rate_name(metric, finding.after.errors.positive)


def _group_called(group: str, facts: StudyFacts) -> str:
    return say(Message("group-alone", {"group": facts.names.others})) if group == REST else called(group)


def _point(
    value: float | None, low: float | None, high: float | None, n: int | None, kind: Kind, digits: int | None = None
) -> dict[str, object]:
    return {
        "value": finite(value),
        "low": finite(low),
        "high": finite(high),
        "text": cell_text(math.nan if value is None else value, kind, digits=digits),
        "interval": cell_text((low, high), INTERVAL_OF[kind], digits=digits),
        "n": cell_text(n, "count"),
    }


def _paired(records: Records, keys: Sequence[str], x: alt.X) -> list[alt.Chart]:
    """Draw both models in one row: joined points, and an interval above and one below them."""
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
