"""The answer of a comparison of remedies in the shape of all results: verdict, headline, lead, caution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairaudit.findings import Argument, Count, Message, Said, Word
from fairaudit.messages import say
from fairaudit.sections.check.reading import Quantity
from fairaudit.sections.compare.reading import (
    BESIDE,
    CompareReading,
    ModelRow,
    Remedies,
    gap_size,
    given_figure,
    limit_size,
    quantity_of,
    read_comparison,
    right_figure,
)

Args = dict[str, Argument]
HEADLINES: Mapping[str, str] = {
    "limit_met": "compare-headline-met",
    "limit_met_in_test": "compare-headline-in-test",
    "limit_not_met": "compare-headline-not-met",
    "not_shown": "compare-headline-not-shown",
}
_ANSWER = ("facts", "remedies")


def say_comparison(finding: Remedies) -> Said:
    """Say which remedies meet the limit; of those whose small counts are hidden, what is left."""
    reading = read_comparison(finding)
    verdict = Message(f"verdict-{reading.verdict.replace('_', '-')}", reveals=_ANSWER)
    quantity = quantity_of(finding)
    args = shared_args(finding, quantity) | {"n": Count(reading.n_tried), "k": Count(len(reading.met))}
    headline = Message(HEADLINES[reading.verdict], args, reveals=_ANSWER)
    if reading.verdict == "not_shown":
        return Said(verdict, headline)
    lead = () if reading.best is None else _lead(finding, reading, reading.best, quantity, args)
    return Said(verdict, headline, lead, _caution(reading, args))


def answer_text(finding: Remedies) -> str:
    """Return the answer as one paragraph."""
    said = say_comparison(finding)
    return f"{say(said.verdict)}. {say(said.headline)}. {say(said.lead)}".strip()


def shared_args(finding: Remedies, quantity: Quantity) -> Args:
    """Return what messages about all remedies speak of."""
    names, limit = finding.facts.names, finding.facts.decisions.tolerance
    return {
        "protected": names.protected,
        "others": names.others,
        "verb": names.verb,
        "what": names.what,
        "quantity": Word(quantity.kind),
        "limit": limit_size(quantity, limit),
    }


def _lead(
    finding: Remedies, reading: CompareReading, best: ModelRow, quantity: Quantity, args: Args
) -> tuple[Message, ...]:
    args = args | {"remedy": best.phrase, "size": gap_size(quantity, best, reading.limit)}
    is_outcome = finding.facts.decision_is_outcome
    past = reading.past
    if past is None:
        lead = [Message("compare-lead-smallest-alone", args, reveals=_ANSWER)]
    else:
        key = "compare-lead-smallest-happened" if is_outcome else "compare-lead-smallest"
        lead = [Message(key, args | {"past": quantity.size(past.gap)}, reveals=_ANSWER)]
        # What a model predicts is not given to anybody.
        if None not in (best.given, past.given) and not is_outcome:
            given: Args = {"given": _given(quantity, best), "before": _given(quantity, past)}
            lead.append(Message("compare-lead-given", args | given, reveals=_ANSWER))
    if best.right is not None and best.right_without is not None:
        right: Args = {
            "right": right_figure(quantity, best.right),
            "without": right_figure(quantity, best.right_without),
        }
        lead.append(Message(_right_key(quantity, is_outcome=is_outcome), args | right, reveals=_ANSWER))
    return tuple(lead)


def _given(quantity: Quantity, row: Any) -> Argument:
    return given_figure(quantity, row.given)


def _right_key(quantity: Quantity, *, is_outcome: bool) -> str:
    if quantity.kind == "amount":
        return "compare-lead-error"
    return "compare-lead-accuracy" if is_outcome else "compare-lead-matches"


def _caution(reading: CompareReading, args: Args) -> tuple[Message, ...]:
    why: tuple[Message, ...] = ()
    named = [row for row in (*reading.met, reading.best) if row is not None and row.needs_group]
    if named:
        why += (Message("compare-caution-group", args | {"remedy": named[0].phrase}, "caution"),)
    if beside := sum(row.limit in BESIDE for row in reading.remedies):
        why += (Message("compare-caution-beside", {"n": Count(beside)}, "caution", _ANSWER),)
    return why
