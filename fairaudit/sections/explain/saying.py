"""The answer to what explains a gap in the shape of all results, and what stands under it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fairaudit.audit.result import ExplanationFinding
from fairaudit.disclosure.fields import Field
from fairaudit.disclosure.said import said_as_shown
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Said, Severity, Share, Word
from fairaudit.measure.explain.results import Estimate
from fairaudit.measure.quantity import UNITS, Quantity, QuantityKind
from fairaudit.messages import say, say_whole
from fairaudit.present.blocks import TableBlock
from fairaudit.present.cases import say_weighted
from fairaudit.present.numbers import confidence_text, finite
from fairaudit.present.proxies import say_proxies
from fairaudit.sections.explain.reading import (
    ExplainReading,
    can_be_overturned,
    methods_differ,
    quantity_of,
    read_explanation,
)

Args = dict[str, Argument]
_FINDING = ("result",)
_BOTH_FIT = 4
"""Words that the names of two columns may have together in a headline."""


def say_explanation(finding: ExplanationFinding) -> Said:
    """Say what explains a gap; of one whose small counts are hidden, what is left of it."""
    return said_as_shown(_say(finding), finding)


def _say(finding: ExplanationFinding) -> Said:
    reading = read_explanation(finding)
    verdict = Message(f"verdict-{reading.verdict.replace('_', '-')}", reveals=_FINDING)
    if reading.verdict == "not_shown":
        return Said(verdict, Message("check-headline-not-shown"))
    quantity = quantity_of(finding)
    args = _args(finding, quantity)
    headline = _headline(finding, reading, quantity, args)
    return Said(verdict, headline, _lead(finding, reading, quantity, args), _caution(finding))


def other_methods(finding: ExplanationFinding) -> tuple[Message, ...]:
    """Say in one sentence between what other methods put what is left."""
    values = read_explanation(finding).others
    if not values:
        return ()
    quantity = quantity_of(finding)
    args = _args(finding, quantity)
    low, high = (
        sorted(map(quantity.signed, values), key=abs)[:: len(values) - 1 or 1] if len(values) > 1 else values * 2
    )
    sizes: Args = {"size": quantity.size(low), "low": quantity.size(low), "high": quantity.size(high)}
    sizes["direction"] = Word("more" if high > 0 else "less")
    if len(values) == 1 or ((low > 0) == (high > 0) and quantity.is_nothing(abs(high) - abs(low))):
        key = "explain-others-one"
    elif (low > 0) == (high > 0):
        key = "explain-others-same"
    else:
        less, more = sorted((low, high))
        sizes |= {"low": quantity.size(less), "high": quantity.size(more)}
        key = "explain-others-both"
    return (Message(key, args | sizes, reveals=_FINDING),)


def answer_line(finding: ExplanationFinding) -> str:
    """Return verdict, headline and lead in one line."""
    return say_whole(say_explanation(finding))


def printed_line(finding: ExplanationFinding) -> str:
    """Return the answer as `run` prints it."""
    said = say_explanation(finding)
    return say((Message("explain-line", {"verdict": said.verdict, "headline": said.headline}), *said.lead))


def similar_cases(finding: ExplanationFinding) -> Argument:
    """Return how cases are alike in the columns, as the plan says or in general."""
    similar, columns = finding.names.similar, finding.result.controls
    if isinstance(similar, Phrase) or (isinstance(similar, Message) and similar.key == "name-similar-both"):
        return similar
    if len(columns) == 1 and similar is not None:
        return similar
    return Message("explain-alike")


def _args(finding: ExplanationFinding, quantity: Quantity) -> Args:
    names, gap = finding.names, finding.result.gap.value
    return {
        "protected": names.protected,
        "others": names.others,
        "verb": names.verb,
        "what": names.what,
        "similar": similar_cases(finding),
        "columns": _columns(finding.result.controls),
        "number": Word("one" if len(finding.result.controls) == 1 else "many"),
        "quantity": Word(quantity.kind),
        "direction": quantity.direction(gap),
        "gap": quantity.size(gap),
    }


def _columns(columns: Sequence[str]) -> Argument:
    """Return columns as they are called in the data."""
    if len(columns) == 1:
        return Phrase(columns[0])
    if len(columns) == 2 and len(re.findall(r"[^\W_]+", " ".join(columns))) <= _BOTH_FIT:
        return Message("explain-columns-both", {"first": Phrase(columns[0]), "second": Phrase(columns[1])})
    return Message("explain-columns-many", {"n": Count(len(columns))})


def _headline(finding: ExplanationFinding, reading: ExplainReading, quantity: Quantity, args: Args) -> Message:
    match reading.verdict:
        case "methods_disagree":
            key = "explain-headline-disagree"
        case "too_few_to_tell":
            key = "explain-headline-too-few"
        case "no_clear_gap":
            key = "explain-headline-no-gap"
        case _ if reading.part is None:
            key = "explain-headline-only-left"
            args = args | {"direction": quantity.direction(finding.result.unexplained.value)}
        case "not_explained" if reading.part not in ("none", "hardly-any"):
            key = "explain-headline-unclear"
        case _:
            key = "explain-headline-part"
            args = args | {"part": Word(reading.part)}
    return Message(key, args, reveals=_FINDING)


def _lead(finding: ExplanationFinding, reading: ExplainReading, quantity: Quantity, args: Args) -> tuple[Message, ...]:
    found = finding.result
    args = args | {"part": Word(reading.part or "none")}
    said = [Message(_divided(finding, reading, quantity), args | _explained(finding, quantity), reveals=_FINDING)]
    if reading.verdict == "too_few_to_tell":
        return (*said, Message("explain-sure-too-few", args, reveals=_FINDING))
    left = found.unexplained.value
    is_nothing = quantity.is_nothing(left)
    own = args | {"size": quantity.size(left), "direction": quantity.direction(left)}
    key = "explain-lead-left-chance" if reading.left == "open" else "explain-lead-left"
    said.append(Message("explain-lead-left-none" if is_nothing else key, own, reveals=_FINDING))
    if sure := _how_sure(reading, is_nothing=is_nothing):
        severity: Severity = "finding" if sure == "explain-sure-clear" else "caution"
        said.append(Message(sure, args, severity, _FINDING))
    return tuple(said)


def _divided(finding: ExplanationFinding, reading: ExplainReading, quantity: Quantity) -> str:
    # What may be chance is no part that is explained.
    is_open = reading.verdict == "not_explained" and reading.part not in ("none", "hardly-any")
    if is_open or reading.part is None or reading.verdict == "too_few_to_tell":
        return "explain-lead-gap"
    explained = finding.result.explained.value
    if reading.part == "none" or quantity.is_nothing(explained):
        return "explain-lead-none"
    return "explain-lead-more" if abs(explained) > abs(finding.result.gap.value) else "explain-lead-part"


def _explained(finding: ExplanationFinding, quantity: Quantity) -> Args:
    return {"explained": quantity.size(finding.result.explained.value)}


def _how_sure(reading: ExplainReading, *, is_nothing: bool) -> str | None:
    if reading.verdict == "methods_disagree":
        return "explain-sure-disagree"
    if reading.is_rough:
        return "explain-sure-rough"
    return None if reading.left == "open" or is_nothing else "explain-sure-clear"


def _caution(finding: ExplanationFinding) -> tuple[Message, ...]:
    why, found = Message("explain-not-why", severity="note"), finding.result
    if 2 * (found.n_alone_protected + found.n_alone_reference) > found.n_protected + found.n_reference:
        return (why, Message("explain-few-compared", {}, "caution", _FINDING))
    table = found.by_control
    marked = list(table.loc[table["marked"] == True, "control"])  # noqa: E712
    if not marked:
        return (why,)
    column = {"column": Phrase(marked[0])}
    return (why, Message("explain-marked", column, "caution", _FINDING))


# What stands under the answer: who was compared and how, whether a check agrees, and what could overturn it.

_CHECKS = {
    "agrees": "explain-check-agrees",
    "disagrees": "explain-check-disagrees",
    "too_imprecise": "explain-check-imprecise",
}
_OVERTURNED = {
    ("share", False): "explain-overturn-ratio",
    ("share", True): "explain-overturn-not-by-ratio",
    ("amount", False): "explain-overturn-share",
    ("amount", True): "explain-overturn-not-by-share",
}
"""By what is compared, and whether no column that is tried is strong enough."""
_STRENGTHS: Final[Mapping[QuantityKind, Callable[[float], Argument]]] = {
    "share": lambda odds_ratio: Amount(odds_ratio, 1),
    "amount": lambda explained: Share(explained),
}
"""How the strength of a missing column is written, by what is compared."""
NOT_SAID = (
    Message("explain-not-said-columns", severity="caution"),
    Message("explain-not-said-right", severity="caution"),
    Message("explain-not-said-chance", severity="caution"),
)
PROXIES = "proxies"
"""The figure of a finding that says how well columns stand in for the group."""
NOT_SHOWN = Message("explain-not-shown-few", severity="caution")


def say_stand_ins(finding: ExplanationFinding) -> Said | None:
    """Say which columns stand in for the group; None where that is not asked, or hidden."""
    if finding.proxies is None:
        return None
    return say_proxies(finding.proxies, finding.names, finding.decision.kind.quantity, reveals=PROXIES)


def say_people(finding: ExplanationFinding) -> tuple[Message, ...]:
    """Say how many people of each group were compared."""
    found = finding.result
    is_hidden: bool = None in (found.n_protected, found.n_reference)
    if is_hidden:
        return ()
    sizes = {"n_protected": Count(found.n_protected), "n_others": Count(found.n_reference)}
    return (Message("explain-people", sizes | _groups(finding), "note", _FINDING), *say_weighted(found.design))


def say_method(finding: ExplanationFinding) -> tuple[Message, ...]:
    """Say how the gap was divided, and what the ranges allow for."""
    found = finding.result
    said = [Message("explain-method", {"model": Word(found.model)}, "note")]
    if found.model == "strata" and len(found.controls) > 1:
        said.append(Message("explain-method-orders", severity="note"))
    if found.reference == "similar":
        said.append(Message("explain-method-similar", severity="note"))
    else:
        valued = _groups(finding) | {"reference": Word(found.reference)}
        said += [
            Message("explain-method-reference", valued, "note"),
            Message("explain-other-average", severity="note"),
        ]
    if found.adjusted_gap.cluster is not None:
        said.append(Message("explain-clustered", {"column": Phrase(found.adjusted_gap.cluster)}, "note"))
    return tuple(said)


def methods_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return what is left by this method and by others, a row each."""
    found, held = finding.result, finding.result.adjusted_gap
    unit, level = UNITS[finding.decision.kind.quantity], confidence_text(found.confidence)
    columns = (
        Field("method", "method", "text", "How it is worked out."),
        Field("left", "what is left", unit.gap, "Of the gap, the protected group first.", turns=True),
        Field("interval", f"likely range ({level})", unit.gap_interval, "Of that.", turns=True),
    )
    names = [Message("explain-method-here", {"model": Word(found.model)})]
    names.append(Message("explain-method-model", {"model": Word(held.model)}))
    figures = [found.unexplained, Estimate(held.value, held.interval)]
    if held.doubly_robust is not None:
        names.append(Message("explain-method-crossed"))
        figures.append(held.doubly_robust)
    rows = tuple(
        (say(name), finite(each.value), tuple(each.interval)) for name, each in zip(names, figures, strict=True)
    )
    return TableBlock(
        f"explanation_{number}_methods",
        say(Message("explain-methods")),
        columns,
        rows,
        is_turned=finding.names.of_unfavorable,
    )


def say_agreement(finding: ExplanationFinding) -> tuple[Message, ...]:
    """Say whether a second computation agrees with the model that is held against the answer."""
    key = _CHECKS.get(finding.result.adjusted_gap.check or "")
    return () if key is None else (Message(key, severity="note", reveals=_FINDING),)


def say_overturning(finding: ExplanationFinding) -> tuple[Message, ...]:
    """Say how strong a missing column would have to be to take away what is left."""
    found = finding.result
    sensitivity, held = found.sensitivity, found.adjusted_gap
    is_hidden: bool = held.value is None
    if is_hidden:
        return (NOT_SHOWN,)
    if methods_differ(found):
        return (Message("explain-overturn-differ", severity="note", reveals=_FINDING),)
    if not can_be_overturned(found):
        return (Message("explain-overturn-nothing", severity="note", reveals=_FINDING),)
    kind = finding.decision.kind.quantity
    is_beyond = math.isinf(sensitivity.touches_zero)
    strength = float(sensitivity.curve["strength"].iloc[-1]) if is_beyond else sensitivity.touches_zero
    said = [Message(_OVERTURNED[kind, is_beyond], {"strength": _STRENGTHS[kind](strength)}, "note", _FINDING)]
    if sensitivity.strongest is not None and math.isfinite(sensitivity.times):
        times: dict[str, Argument] = {"times": Amount(sensitivity.times, 1)}
        times["column"] = Phrase(sensitivity.strongest)
        said.append(Message("explain-overturn-times", times, "note", _FINDING))
    return tuple(said)


def _groups(finding: ExplanationFinding) -> dict[str, Argument]:
    return {"protected": finding.names.protected, "others": finding.names.others}
