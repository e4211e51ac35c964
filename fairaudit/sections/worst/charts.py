"""The picture of worst groups: each group beside everyone else, those that stand out on top."""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present import brief
from fairaudit.present.blocks import Kind, cell_text
from fairaudit.present.charts.pairs import Pair, pairs_chart
from fairaudit.present.numbers import finite
from fairaudit.sections.quantity import Quantity
from fairaudit.sections.worst.reading import Compared, chart_order, compared, figures_of, quantity_of

_TITLES: dict[Compared, str] = {
    "selection": "check-chart-share",
    "flagged": "worst-chart-flagged",
    "missed": "worst-chart-missed",
    "wrong_flags": "worst-chart-wrong-flags",
    "wrong_clearances": "worst-chart-wrong-clearances",
    "accuracy": "worst-chart-accuracy",
    "mean": "check-chart-amount",
}


def worst_chart(finding: SubgroupsFinding, *, narrow: bool = False) -> Any:
    """Draw what each group and everyone else have; a group that chance could show is grey."""
    quantity = quantity_of(finding)
    return pairs_chart(
        [_pair(finding, number, quantity) for number in _shown(finding)],
        (say(Message("worst-this-group")), say(Message("group-rest"))),
        description=worst_chart_text(finding),
        is_share=quantity.kind == "share",
        narrow=narrow,
    )


def worst_chart_title(finding: SubgroupsFinding) -> str:
    """Return what the picture shows."""
    names = finding.names
    args: dict[str, Argument] = {
        "verb": names.verb,
        "what": Phrase(finding.meaning),
    }
    return say(Message(_TITLES[compared(finding)], args))


def worst_chart_text(finding: SubgroupsFinding) -> str:
    """Return the picture in words, for those who cannot see it."""
    quantity = quantity_of(finding)
    said = [worst_chart_title(finding) + "."]
    for number in _shown(finding):
        each = finding.result.subgroups[number]
        own, other = map(quantity.figure, figures_of(each))
        key = "worst-stands-out" if each.stands_out else "reading-too-few-to-tell"
        row: dict[str, Argument] = {
            "place": finding.groups[number].said,
            "own": own,
            "other": other,
            "reading": Message(key),
        }
        said.append(say(Message("worst-chart-row", row)))
    return " ".join(said)


def _shown(finding: SubgroupsFinding) -> tuple[int, ...]:
    known = [n for n in chart_order(finding) if finite(finding.result.subgroups[n].gap) is not None]
    return tuple(known[: brief.MOST_GROUPS])


def _pair(finding: SubgroupsFinding, number: int, quantity: Quantity) -> Pair:
    figures, stands_out = finding.result.subgroups[number].judged, finding.result.subgroups[number].stands_out
    own, other = figures.rate, figures.rest
    if quantity.is_turned:
        own, other = 1 - own, 1 - other
    kind: Kind = "share" if quantity.kind == "share" else "amount"
    texts = [say(Message("check-chart-figure", {"figure": quantity.figure(value)})) for value in figures_of(figures)]
    label = say(Message("name-label", {"label": finding.groups[number].label}))
    people = Message("worst-people", {"n": Count(figures.n)})
    return Pair(
        name=label,
        own=own,
        other=other,
        own_text=texts[0],
        other_text=texts[1],
        own_exact=cell_text(own, kind),
        other_exact=cell_text(other, kind),
        own_n=cell_text(figures.n, "count"),
        other_n=cell_text(figures.rest_n, "count"),
        reading=say(people if stands_out else Message("reading-too-few-to-tell")),
        clear=False,
        few=not stands_out,
    )
