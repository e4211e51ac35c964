"""The picture of a check: both groups among all cases and, below these, within each stratum, with what may be read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairaudit.audit.result import CheckFinding
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.results import Comparison, ControlledBounds, ControlledWaiting, MeanComparison, as_kind
from fairaudit.measure.verdicts import ShownVerdict, verdict_of
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import Kind, cell_text
from fairaudit.present.charts.bounds import BoundRow, bounds_chart, bounds_row, ends_text
from fairaudit.present.charts.gaps import strata_alt, stratum_bound_rows
from fairaudit.present.charts.pairs import PairRow, pair_row, pairs_chart, sizes_bar
from fairaudit.present.naming import in_natural_order
from fairaudit.present.numbers import finite
from fairaudit.sections.check.levels import levels_chart, levels_chart_text
from fairaudit.sections.check.reading import levels_of, quantity_of, stratum_names
from fairaudit.sections.check.saying import on_said_side, sizes

if TYPE_CHECKING:
    from altair.typing import ChartType

Row = tuple[str, Comparison | MeanComparison, ShownVerdict]


def check_chart(finding: CheckFinding, *, narrow: bool = False) -> ChartType:
    """Draw what both groups have, all cases on top, and the gap in each stratum below.

    On a `narrow` screen, what a row is and what may be read there stand above it.
    """
    if (levels := levels_of(finding)) is not None:
        return levels_chart(levels, finding.names, narrow=narrow)
    quantity, rows = quantity_of(finding), _rows(finding)
    if isinstance(finding.result, ControlledBounds):
        strata = on_said_side(finding).strata
        within = [] if strata is None else stratum_bound_rows(strata.strata, finding.names)
        return bounds_chart([*_bound_rows(finding), *within], description=check_chart_text(finding), narrow=narrow)
    return pairs_chart(
        [_pair(rows[0], quantity), *(_pair(row, quantity, is_stratum=True) for row in rows[1:])],
        (_name(finding.names.protected), _name(finding.names.others)),
        description=check_chart_text(finding),
        quantity=quantity.kind,
        narrow=narrow,
        all_first=True,
    )


def check_row(finding: CheckFinding, among: Sequence[CheckFinding] = ()) -> ChartType:
    """Draw in one line what both groups have, on the scale of all questions `among` which it stands."""
    quantity = quantity_of(finding)
    if isinstance(finding.result, ControlledBounds):
        others = [row for each in among for row in _bound_rows(each)]
        return bounds_row(_bound_rows(finding), description=check_row_text(finding), among=others)
    return pair_row(
        _pair(_all_cases(finding), quantity),
        (_name(finding.names.protected), _name(finding.names.others)),
        description=check_row_text(finding),
        quantity=quantity.kind,
        among=[_pair(_all_cases(each), quantity_of(each)) for each in among if quantity.unit.has_one_scale],
    )


def check_row_text(finding: CheckFinding) -> str:
    """Return what both groups have in words, for those who cannot see it."""
    return check_chart_text(replace(finding, strata=None))


def sizes_chart(finding: CheckFinding) -> ChartType:
    """Draw how many people of either group were compared."""
    names = [say(each) for each in sizes(finding)]
    counts = finding.result.protected.n, finding.result.reference.n
    return sizes_bar(counts, (names[0], names[1]))


def check_chart_title(finding: CheckFinding) -> str:
    """Return what the picture shows."""
    if levels_of(finding) is not None:
        return say(Message("levels-chart"))
    args: dict[str, Argument] = {"verb": finding.names.verb, "what": Phrase(finding.meaning)}
    columns = () if finding.strata is None else finding.strata.columns
    if isinstance(finding.result, ControlledWaiting):
        return say(Message("check-chart-waiting", args))
    if isinstance(finding.result, ControlledBounds):
        return say(Message("check-chart-bounds", args))
    kind = quantity_of(finding).kind
    if not columns:
        return say(Message(f"check-chart-{kind}", args))
    return say(Message(f"check-chart-{kind}-by", {**args, "columns": Phrase(", ".join(columns))}))


def check_chart_text(finding: CheckFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    if (levels := levels_of(finding)) is not None:
        return levels_chart_text(levels, finding.names)
    quantity = quantity_of(finding)
    names = {"protected": finding.names.protected, "others": finding.names.others}
    said = [check_chart_title(finding) + "."]
    is_bounded = isinstance(finding.result, ControlledBounds)
    for name, result, verdict in [_all_cases(finding)] if is_bounded else _rows(finding):
        if verdict in ("not_shown", "nothing_to_compare"):
            continue
        own, other = (
            [Phrase(row.text) for row in _bound_rows(finding)] if is_bounded else map(quantity.figure, result.values)
        )
        reading = Message(_reading(verdict))
        said.append(
            say(
                Message(
                    "check-chart-row", {**names, "place": Phrase(name), "own": own, "other": other, "reading": reading}
                )
            )
        )
    if is_bounded and (strata := on_said_side(finding).strata) is not None:
        said.append(strata_alt(strata, finding.names))
    return " ".join(said)


def _rows(finding: CheckFinding) -> list[Row]:
    rows = [_all_cases(finding)]
    if finding.strata is None:
        return rows
    strata = in_natural_order(finding.strata.strata)
    known = [row for row in strata if row.difference is not None]
    largest = sorted(known, key=lambda row: -_size(row.comparison))[: naming.MOST_GROUPS]
    return rows + [
        (name, row.comparison, verdict_of(row.comparison))
        for name, row in zip(stratum_names(known), known, strict=True)
        if row in largest
    ]


def _bound_rows(finding: CheckFinding) -> list[BoundRow]:
    """Return both groups with the ends of their shares, as sentences speak of them."""
    quantity, names = quantity_of(finding), finding.names
    result = as_kind(ControlledBounds, finding.result)
    counts = map(say, sizes(finding))
    rows = []
    for side, name, n in zip(
        (result.protected, result.reference), (names.protected, names.others), counts, strict=True
    ):
        ends = sorted(map(quantity.said, side.interval))
        if not all(map(math.isfinite, ends)):
            ends = [0.0, 1.0]
        text = ends_text(ends[0], ends[1], quantity.digits)
        rows.append(BoundRow(_name(name), ends[0], ends[1], text, n, is_own=side is result.protected))
    return rows


def _all_cases(finding: CheckFinding) -> Row:
    return say(Message("check-chart-all")), finding.result, verdict_of(finding.result)


def _size(result: Comparison | MeanComparison) -> int:
    return (result.protected.n or 0) + (result.reference.n or 0)


def _pair(row: Row, quantity: Quantity, *, is_stratum: bool = False) -> PairRow:
    name, result, verdict = row
    own, other = (finite(value) for value in result.values)
    if quantity.is_turned:
        own, other = (None if value is None else 1 - value for value in (own, other))
    kind: Kind = "share" if quantity.kind == "share" else "number"
    return PairRow(
        name=name,
        own=own,
        other=other,
        own_text=_figure(own, quantity),
        other_text=_figure(other, quantity),
        own_exact=cell_text(own, kind),
        other_exact=cell_text(other, kind),
        own_n=cell_text(result.protected.n, "count"),
        other_n=cell_text(result.reference.n, "count"),
        reading=say(Message(_reading(verdict))),
        clear=verdict == "clear_gap",
        # The points of all cases have the colours that name both groups.
        few=is_stratum and verdict == "too_few_to_tell",
    )


def _figure(value: float | None, quantity: Quantity) -> str:
    if value is None:
        return ""
    shown = quantity.figure(1 - value if quantity.is_turned else value)
    return say(Message("check-chart-figure", {"figure": shown}))


def _reading(verdict: ShownVerdict) -> str:
    return f"reading-{verdict.replace('_', '-')}"


def _name(group: Argument) -> str:
    return say(Message("group-alone", {"group": group}))
