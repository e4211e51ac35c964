"""The answer to what explains a gap in the shape of all results: verdict, headline, lead, caution."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairaudit.audit.follow_up_results import ExplanationFinding
from fairaudit.disclosure.said import said_as_shown
from fairaudit.findings import Argument, Count, Message, Phrase, Said, Severity, Word
from fairaudit.messages import say, say_whole
from fairaudit.sections.explain.reading import ExplainReading, quantity_of, read_explanation
from fairaudit.sections.quantity import Quantity

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
