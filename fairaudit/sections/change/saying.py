"""The answer of a change in the shape of all results: verdict, headline, lead, caution."""

from __future__ import annotations

from collections.abc import Mapping

from fairaudit.audit.result import ChangeFinding
from fairaudit.disclosure.said import said_as_shown
from fairaudit.errors import require
from fairaudit.findings import Argument, Count, Message, Phrase, Said, Word
from fairaudit.measure.period_results import CHANGED
from fairaudit.measure.quantity import Quantity
from fairaudit.messages import say, say_whole
from fairaudit.present.cases import say_weighted
from fairaudit.sections.change.reading import (
    ChangeReading,
    answers_of,
    is_finite,
    period_names,
    quantity_of,
    read_change,
)

Args = dict[str, Argument]
HEADLINES: Mapping[str, str] = {
    "gap_smaller": "change-headline-smaller",
    "gap_larger": "change-headline-larger",
    "gap_turned_around": "change-headline-turned",
    "gap_changed": "change-headline-changed",
    "gap_unchanged": "change-headline-unchanged",
    "gap_may_not_have_changed": "change-headline-open",
    "nothing_to_compare": "check-headline-one-decision",
    "not_shown": "change-headline-not-shown",
}
RECORDED: Mapping[str, str] = {
    "alike": "change-recorded-alike",
    "elsewhere": "change-recorded-elsewhere",
    "otherwise": "change-recorded-otherwise",
}
COLUMNS: Mapping[str, str] = {
    "cases": "change-column-cases",
    "share": "change-column-share",
    "mean": "change-column-mean",
}
_ANSWER = ("compared",)


def say_change(finding: ChangeFinding) -> Said:
    """Say whether a gap changed; of one whose small counts are hidden, why that is not said."""
    return said_as_shown(_say(finding), finding)


def _say(finding: ChangeFinding) -> Said:
    reading = read_change(finding)
    args, shown = _named(finding), () if reading.verdict == "not_shown" else _ANSWER
    verdict = Message(f"verdict-{reading.verdict.replace('_', '-')}", reveals=shown)
    headline = Message(_headline(finding, reading), args, reveals=shown)
    if reading.verdict == "not_shown":
        return Said(verdict, headline, (Message("change-not-shown-few"), Message("change-not-shown-leave")))
    if reading.verdict == "nothing_to_compare":
        return Said(verdict, headline, (), _caution(reading))
    quantity = quantity_of(finding)
    args |= {"quantity": Word(quantity.kind)}
    parts = _line_lead if finding.line is not None else _lead
    return Said(verdict, headline, parts(finding, reading, quantity, args), _caution(reading))


def change_line(finding: ChangeFinding) -> str:
    """Return the answer as `run` prints it."""
    said = say_change(finding)
    return say((Message("change-line", {"verdict": said.verdict, "headline": said.headline}), *said.lead))


def answer_text(finding: ChangeFinding) -> str:
    """Return the answer as one paragraph."""
    return say_whole(say_change(finding))


def group_column(group: Argument, figure: str = "cases") -> str:
    """Return the head of a column of a table that holds a figure of a group."""
    return say(Message(COLUMNS[figure], {"group": group}))


def say_recording(finding: ChangeFinding) -> Message | None:
    """Say whether the periods are recorded alike; nothing where that is hidden."""
    recorded = read_change(finding).recorded
    return None if recorded is None else Message(RECORDED[recorded], severity="note", reveals=_ANSWER)


def say_clustered(finding: ChangeFinding) -> tuple[Message, ...]:
    """Say which cases belong together, where the ranges allow for that, and what cases count by their weights."""
    column = finding.plan.cluster
    clustered = () if column is None else (Message("change-clustered", {"column": Phrase(column)}, "note"),)
    return (*clustered, *say_weighted(answers_of(finding)[0].design))


def recording_sentences(finding: ChangeFinding) -> tuple[str, ...]:
    """Return in what the later period is recorded otherwise; first what the question depends on."""
    depends = say(Message("change-recorded-matters"))
    return tuple(f"{d.sentence} {depends}" if d.matters else d.sentence for d in finding.compared.profile)


def not_said() -> tuple[Message, ...]:
    """Return what an answer does not say."""
    return (
        Message("change-computed-recording", severity="note"),
        Message("change-computed-tables", severity="note"),
        Message("change-computed-rule", severity="note"),
    )


def _named(finding: ChangeFinding) -> Args:
    names = finding.names
    called: Args = {"protected": names.protected, "others": names.others, "verb": names.verb, "what": names.what}
    return called if names.similar is None else called | {"similar": names.similar}


def _headline(finding: ChangeFinding, reading: ChangeReading) -> str:
    is_line = finding.line is not None and reading.verdict == "gap_changed"
    return "change-headline-line-changed" if is_line else HEADLINES[reading.verdict]


def _gap(quantity: Quantity, difference: float, args: Args, *, first: bool = False) -> Message:
    """Return what the gap of a period is, from what is said of the protected group."""
    direction = quantity.direction(difference) if _written(quantity, difference) else Word("same")
    sized: Args = {"size": quantity.size(difference), "direction": direction, "first": Word("yes" if first else "no")}
    return Message("change-gap", args | sized)


def _written(quantity: Quantity, difference: float) -> float:
    """Return the size of a gap as it is read, after rounding."""
    return round(quantity.scaled(abs(difference)), quantity.digits)


def _lead(finding: ChangeFinding, reading: ChangeReading, quantity: Quantity, args: Args) -> tuple[Message, ...]:
    before, after = (answer.difference for answer in answers_of(finding))
    earlier, later = period_names(finding)
    is_same = _written(quantity, before) == _written(quantity, after) and (before > 0) == (after > 0)
    gaps: Args = {
        "before": _gap(quantity, before, args, first=True),
        "after": _gap(quantity, after, args, first=_written(quantity, before) == 0),
        "earlier": earlier,
        "later": later,
        "n": Count(2),
    }
    figures = Message("change-lead-same" if is_same else "change-lead-both", args | gaps, reveals=_ANSWER)
    return (figures, _how_sure(finding, reading, quantity, args), *_mix(reading, args))


def _how_sure(finding: ChangeFinding, reading: ChangeReading, quantity: Quantity, args: Args) -> Message:
    found = require(finding.result)
    kind = finding.decision.kind
    asked = finding.plan.limit(kind)
    allowed: Args = args | {
        "limit": quantity.size(found.tolerance) if asked is None else quantity.limit(found.tolerance),
        "allowed": Word("proposed" if asked == kind.usual_tolerance else "set"),
    }
    if reading.verdict in CHANGED:
        is_small = abs(found.change) <= found.tolerance
        return Message("change-sure-small" if is_small else "change-sure-clear", allowed, reveals=_ANSWER)
    if reading.verdict == "gap_unchanged":
        return Message("change-sure-same", allowed, reveals=_ANSWER)
    low, high = found.change_interval
    if not is_finite(found.change_interval):
        return Message("change-sure-not-tested", args, reveals=_ANSWER)
    before, after = found.before.difference, found.after.difference
    if before * after > 0:
        grown, shrunk = (high, low) if before > 0 else (low, high)
        ends: Args = {"more": quantity.size(grown), "fewer": quantity.size(shrunk)}
        return Message("change-sure-open", args | ends, reveals=_ANSWER)
    less, more = (high, low) if quantity.is_turned else (low, high)
    ends = {"more": quantity.size(more), "fewer": quantity.size(less)}
    return Message("change-sure-open-sided", args | ends, reveals=_ANSWER)


def _mix(reading: ChangeReading, args: Args) -> tuple[Message, ...]:
    match reading.mix:
        case "rates":
            key = "change-mix-rates" if reading.verdict in CHANGED else "change-mix-only-rates"
        case "mix":
            key = "change-mix-mix"
        case "both":
            key = "change-mix-both"
        case _:
            return ()
    return (Message(key, args, reveals=_ANSWER),)


def _line_lead(finding: ChangeFinding, reading: ChangeReading, quantity: Quantity, args: Args) -> tuple[Message, ...]:
    line = require(finding.line)
    gaps = [answer.difference for answer in line.answers]
    args = args | {"n": Count(len(gaps))}
    low, high = min(gaps), max(gaps)
    near, far = sorted((low, high), key=abs)
    if low < 0 < high:
        less, more = (high, low) if quantity.is_turned else (low, high)
        ends: Args = {"before": _gap(quantity, less, args, first=True), "after": _gap(quantity, more, args)}
        figures = Message("change-lead-line-both", args | ends, reveals=_ANSWER)
    elif _written(quantity, near) == _written(quantity, far):
        figures = Message("change-lead-same", args | {"before": _gap(quantity, far, args, first=True)}, reveals=_ANSWER)
    else:
        sized: Args = {"low": quantity.size(near), "size": quantity.size(far), "first": Word("yes")}
        said = args | sized | {"direction": quantity.direction(far)}
        figures = Message("change-lead-line", said, reveals=_ANSWER)
    return (figures, _line_sure(finding, reading, args), *_standing_out(finding, reading, args))


def _line_sure(finding: ChangeFinding, reading: ChangeReading, args: Args) -> Message:
    p_value = require(finding.line).p_value
    if p_value != p_value:
        return Message("change-sure-not-tested", args, reveals=_ANSWER)
    key = "change-sure-line" if reading.verdict in CHANGED else "change-sure-line-open"
    return Message(key, args, reveals=_ANSWER)


def _standing_out(finding: ChangeFinding, reading: ChangeReading, args: Args) -> tuple[Message, ...]:
    match reading.standing_out:
        case ():
            return ()
        case (place,):
            period = period_names(finding)[place]
            return (Message("change-lead-stands-out", {"period": period}, reveals=_ANSWER),)
    n = len(reading.standing_out)
    # Where each of them does, that says no more than the test.
    is_some = n < len(period_names(finding))
    return (Message("change-lead-stand-out", {"n": Count(n)}, reveals=_ANSWER),) if is_some else ()


def _caution(reading: ChangeReading) -> tuple[Message, ...]:
    why = (Message("change-not-why", severity="note"),)
    if reading.recorded != "otherwise":
        return why
    return (Message(RECORDED["otherwise"], severity="caution", reveals=_ANSWER), *why)
