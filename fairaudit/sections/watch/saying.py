"""What watching a gap found in the shape of all results, and its tables."""

from __future__ import annotations

import math
from typing import Literal

from fairaudit.disclosure.said import said_as_shown
from fairaudit.findings import Argument, Count, Message, Phrase, Said, Share, Word
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.watching import WatchedBatch
from fairaudit.messages import say, say_whole
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import adapted, declared_by, record_table
from fairaudit.sections.watch.finding import WatchFinding

ShownWatch = Literal["alarm", "no_alarm", "nothing_to_compare", "not_shown"]
Args = dict[str, Argument]
_RESULT = ("result",)


def verdict_of(finding: WatchFinding) -> ShownWatch:
    """Return the verdict, also where that is hidden."""
    return finding.result.verdict or "not_shown"


def quantity_of(finding: WatchFinding) -> Quantity:
    """Return how figures are written."""
    return Quantity("share", 0, finding.names.of_unfavorable)


def say_watch(finding: WatchFinding) -> Said:
    """Say whether a gap beyond the tolerance was seen; where small counts are hidden, why that is not said."""
    return said_as_shown(_say(finding), finding)


def _say(finding: WatchFinding) -> Said:
    result, verdict, quantity = finding.result, verdict_of(finding), quantity_of(finding)
    shown = () if verdict == "not_shown" else _RESULT
    chip = Message(f"verdict-{verdict.replace('_', '-')}", reveals=shown)
    if verdict == "not_shown":
        hidden = (Message("watch-not-shown-few"), Message("watch-not-shown-leave"))
        return Said(chip, Message("check-headline-not-shown"), hidden)
    args: Args = {
        "protected": finding.names.protected,
        "others": finding.names.others,
        "verb": finding.names.verb,
        "what": finding.names.what,
        "quantity": Word(quantity.kind),
        "n": Count(result.n_batches),
        "error": Share(1 - finding.plan.confidence, quantity.limit(1 - finding.plan.confidence).digits),
        "limit": quantity.limit(finding.plan.tolerance),
    }
    caution: tuple[Message, ...] = ()
    if result.undecided:
        counts: Args = {"n": Count(len(result.undecided)), "batch": Phrase(result.undecided[0])}
        caution = (Message("watch-undecided", counts, "caution", shown),)
    if verdict == "nothing_to_compare":
        return Said(chip, Message("watch-headline-nothing", args, reveals=shown), (), caution)
    same = quantity.is_nothing(result.gap)
    so_far: Args = {
        "size": quantity.size(result.gap),
        "direction": Word("same") if same else quantity.direction(result.gap),
    }
    lead = [Message("watch-lead-gap", args | so_far, reveals=shown)]
    headline = Message("watch-headline-none", args, reveals=shown)
    if result.alarm is not None:
        sign = -1.0 if result.alarm.side == "lower" else 1.0
        args["direction"] = quantity.direction(sign)
        args["batch"] = Phrase(result.alarm.batch)
        # Evidence says that some batches were beyond the tolerance; over all of them the gap may be another one.
        is_still = result.gap * sign > finding.plan.tolerance
        lead.insert(0, Message("watch-lead-alarm" if is_still else "watch-lead-alarm-once", args, reveals=shown))
        headline = Message("watch-headline-alarm" if is_still else "watch-headline-alarm-once", args, reveals=shown)
    lead.append(Message("watch-lead-false", args))
    return Said(chip, headline, tuple(lead), (*caution, Message("watch-not-why", severity="note")))


def answer_text(finding: WatchFinding) -> str:
    """Return verdict, headline and lead as a paragraph."""
    return say_whole(say_watch(finding))


def line(finding: WatchFinding) -> str:
    """Return the answer as `run` prints it."""
    said = say_watch(finding)
    return say(Message("watch-line", {"verdict": said.verdict, "headline": said.headline}))


def how_watched(finding: WatchFinding) -> tuple[Message, ...]:
    """Say what the evidence and the range are, and how large they are."""
    result, quantity = finding.result, quantity_of(finding)
    if verdict_of(finding) == "not_shown" or result.interval is None:
        return ()
    args: Args = {
        "protected": finding.names.protected,
        "others": finding.names.others,
        "n": Count(result.n_protected),
        "rest": Count(result.n_reference),
        "least": Count(round(1 / (1 - finding.plan.confidence))),
        "level": Share(finding.plan.confidence),
    }
    keys = ["watch-how-cases", "watch-how-evidence", "watch-how-first", "watch-how-alike"]
    if math.isfinite(result.gap):
        low, high = sorted(quantity.signed(end) for end in result.interval)
        args |= {"low": quantity.size(low), "high": quantity.size(high)}
        args |= {"low_side": Word("less" if low < 0 else "more"), "high_side": Word("less" if high < 0 else "more")}
        keys.append("watch-how-range")
    return tuple(Message(key, args, "note", _RESULT) for key in keys)


def watch_tables(finding: WatchFinding, number: int) -> list[TableBlock]:
    """Return what was known after each batch; empty where that is hidden."""
    if not finding.result.batches:
        return []
    declared = declared_by(WatchedBatch)
    declared = adapted(declared, ("gap",), label=say(Message("column-gap-group", {"unit": Word("points")})))
    return [
        record_table(
            f"watch_{number}", "After each batch", finding.result.batches, declared,
            is_turned=quantity_of(finding).is_turned,
        )
    ]  # fmt: skip
