"""The picture of a remedy: both groups in past decisions, with a model without the remedy, and with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fairaudit.findings import Argument, Message, Phrase, Word
from fairaudit.measure.verdicts_of_many import gap_is_likely
from fairaudit.messages import say
from fairaudit.present.blocks import Kind, cell_text
from fairaudit.present.charts.pairs import PairRow, pairs_chart
from fairaudit.present.numbers import finite
from fairaudit.sections.quantity import Quantity
from fairaudit.sections.remedy.reading import Facts, Finding, GroupsCompared, is_same_search, quantity_of, read_remedy
from fairaudit.sections.remedy.saying import named
from fairaudit.study.findings import RemedyFinding


@dataclass(frozen=True)
class _Row:
    key: str
    values: tuple[float, float]
    counts: tuple[Any, Any]


def remedy_chart(finding: Finding, facts: Facts, *, narrow: bool = False) -> Any:
    """Draw what both groups have, and how far apart they are; None where that is hidden.

    On a `narrow` screen, what a row is and its gap stand above it.
    """
    compared = read_remedy(finding, facts).compared
    if compared is None:
        return None
    quantity, args = quantity_of(finding, facts), _args(finding, facts)
    own, other = (say(Message("group-alone", {"group": group})) for group in (compared.own, compared.other))
    past = compared.decided if gap_is_likely(facts.decisions) else None
    return pairs_chart(
        [_pair(row, past, quantity, args) for row in _rows(finding, facts, compared)],
        (own, other),
        description=remedy_chart_text(finding, facts),
        is_share=quantity.kind == "share",
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
    compared = read_remedy(finding, facts).compared
    if compared is None:
        return ""
    quantity, args = quantity_of(finding, facts), _args(finding, facts)
    said = [remedy_chart_title(finding, facts) + "."]
    for row in _rows(finding, facts, compared):
        own, rest = map(quantity.figure, row.values)
        place = Message(row.key, args)
        said.append(say(Message("remedy-chart-row", args | {"place": place, "own": own, "rest": rest})))
    return " ".join(said)


def _args(finding: Finding, facts: Facts) -> dict[str, Argument]:
    args = named(finding, facts, read_remedy(finding, facts), quantity_of(finding, facts))
    if not facts.outcome.has_good_outcome:
        args["what"] = Phrase(str(getattr(facts, "meaning", "")))
    return args | {"with": Message("remedy-with", args)}


def _rows(finding: Finding, facts: Facts, compared: GroupsCompared) -> list[_Row]:
    """Return past decisions, where they are a measure of it, the model without the remedy, and the model with it."""
    if isinstance(finding, RemedyFinding):
        sides: list[Any] = [facts.decisions, finding.before.fairness, finding.after.fairness]
    else:
        sides = [facts.decisions, finding.before.predicted, finding.after.predicted]
    without = "remedy-row-no-limit" if is_same_search(finding) else "remedy-row-without"
    keys = ("remedy-row-decided", without, "remedy-row-with")
    values = (compared.decided, compared.before if finding.changes else None, compared.after)
    rows = []
    for key, both, side in zip(keys, values, sides, strict=True):
        if both is not None:
            counts = (side.protected.n, side.reference.n) if compared.measure in ("share", "amount") else (None, None)
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
