"""The answer of a check in the shape of all results: verdict, headline, lead, caution."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from fairaudit.audit.result import CheckFinding
from fairaudit.disclosure.said import said_as_shown
from fairaudit.findings import Argument, Count, Message, Phrase, Said, Word
from fairaudit.measure.other_side import flipped
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.results import (
    ControlledBounds,
    ControlledWaiting,
    GroupBounds,
    GroupRow,
    Interval,
    StratifiedBounds,
    StratumRow,
)
from fairaudit.measure.within import alike_on_average, gap_is_clear, strata_apart, zero_fits_average
from fairaudit.messages import say, say_whole
from fairaudit.present.verdicts import Chip
from fairaudit.sections.check.levels import say_levels
from fairaudit.sections.check.reading import (
    CheckReading,
    is_proposed,
    levels_of,
    n_without_counterpart,
    place_of,
    quantity_of,
    read_check,
    shows_none_within,
    subtract,
)

# An answer on the side of which sentences speak.

Row = TypeVar("Row", GroupRow, StratumRow)


def on_said_side(finding: CheckFinding) -> CheckFinding:
    """Return the finding on the people of whom the headline speaks: those without the favourable result, where it does.

    Shares, counts and gaps are turned, of all groups and strata too; impact ratios stay those of the favourable result.
    """
    if not finding.names.of_unfavorable:
        return finding
    return replace(
        finding,
        meaning=said_of(finding),
        result=flipped(finding.result),
        groups=flipped(finding.groups),
        strata=flipped(finding.strata),
        names=replace(finding.names, of_unfavorable=False),
    )


def rows_on_said_side(finding: CheckFinding, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return rows that each compare two groups, as :func:`on_said_side` returns those of a finding."""
    return flipped(rows) if finding.names.of_unfavorable else rows


def said_of(finding: CheckFinding) -> str:
    """Return what is said of these people, as "were approved"."""
    verb = finding.names.verb
    if isinstance(verb, Message):
        return say(verb)
    return verb.text if isinstance(verb, Phrase) else ""


Args = Mapping[str, Argument]
_FINDING = ("result.difference",)
_LEFT_OUT = ("result.unknown", "result.undecided")
_STRATA = (*_FINDING, "strata.common_difference")
_WITHIN = (*_FINDING, "result.p_value_within")

HEADLINES = {
    "clear_gap": "check-headline-gap",
    "gap_size_unclear": "check-headline-gap-perhaps-small",
    "no_gap_above_tolerance": "check-headline-no-gap",
    "too_few_to_tell": "check-headline-too-few",
}
"""By verdict, where similar cases are not compared or say nothing else."""


GAPS = ("clear_gap", "gap_size_unclear")


def say_check(finding: CheckFinding) -> Said:
    """Say what a check found; of one whose small counts are hidden, what is left of it."""
    levels = levels_of(finding)
    said = _say(finding) if levels is None else say_levels(levels, finding.names, _left_out(finding))
    shown = said_as_shown(said, finding)
    if levels is None and finding.levels is not None:
        return replace(shown, caution=(*shown.caution, Message("levels-not-shown", severity="note")))
    return shown


def _say(finding: CheckFinding) -> Said:
    reading = read_check(finding)
    args = _named(finding)
    if reading.verdict == "not_shown":
        return Said(_verdict(reading, args), Message("check-headline-not-shown"))
    if reading.verdict == "nothing_to_compare":
        return Said(_verdict(reading, args), _nothing_to_compare(finding, args), (), _left_out(finding))
    quantity = quantity_of(finding)
    if isinstance(finding.result, ControlledBounds):
        return _say_bounds(finding, finding.result, reading, quantity, args)
    args |= _figures(finding, quantity)
    if isinstance(finding.result, ControlledWaiting):
        return _say_waiting(finding, finding.result, reading, quantity, args)
    inside = _inside(finding, quantity, args)
    lead = list(_shares(reading, args))
    if not (reading.within == "gone" and reading.exceptions):
        lead.append(_how_sure(finding, reading, quantity, args))
    if reading.within == "same" and reading.verdict == "clear_gap":
        lead.insert(1, Message(WITHIN["same"], inside, reveals=_STRATA))
    elif reading.within is not None:
        # What the headline has said of similar cases is not said twice.
        if not (reading.within == "gone" and reading.verdict in GAPS):
            lead.append(Message(_within_key(finding, reading.within, quantity), inside, reveals=_STRATA))
        lead += _exceptions(finding, reading.exceptions, quantity, args)
    headline = _headline(reading, args, inside)
    return Said(_verdict(reading, args), headline, tuple(lead), _left_out(finding))


def _say_bounds(
    finding: CheckFinding, result: ControlledBounds, reading: CheckReading, quantity: Quantity, args: Args
) -> Said:
    """Say what every table that fits has: first why it is a range, then the gap, then how sure that is."""
    args = {**args, **_bounds(finding, result.difference_bounds, quantity)}
    lead = [Message("check-lead-bounds", reveals=_FINDING)] if result.n_uncertain else []
    if all(map(math.isfinite, result.difference_bounds)):
        lead.append(Message("check-lead-bounds-gap", args, reveals=_FINDING))
        if reading.within != "same":
            lead.append(Message(BOUNDS_SURE[reading.verdict], args, reveals=_FINDING))
    else:
        lead.append(Message("check-lead-bounds-nobody", args, reveals=_FINDING))
    lead += _bounds_within(finding, reading, quantity, args)
    if reading.verdict == "too_few_to_tell" and reading.within is None:
        headline = Message("check-headline-bounds-open", args, reveals=_FINDING)
    else:
        headline = _headline(reading, args, {**args, **_common_bounds(finding, quantity)})
    return Said(_verdict(reading, args), headline, tuple(lead), _left_out(finding))


BOUNDS_SURE = {
    "clear_gap": "check-sure-bounds-clear",
    "gap_size_unclear": "check-sure-bounds-perhaps-small",
    "no_gap_above_tolerance": "check-sure-bounds-no-gap",
    "too_few_to_tell": "check-sure-bounds-open",
}
"""By verdict, how sure that is where counts are rounded or hidden."""


def _bounds_within(finding: CheckFinding, reading: CheckReading, quantity: Quantity, args: Args) -> tuple[Message, ...]:
    """Say between which ends the gap is among similar cases, and what becomes of it there in every table that fits."""
    ends = _common_bounds(finding, quantity)
    if not ends:
        return ()
    if reading.within == "gone":
        return (Message("check-lead-bounds-within-none", args, reveals=_STRATA),)
    said = Message("check-lead-bounds-within", {**args, **ends}, reveals=_STRATA)
    match reading.within:
        case "same":
            return said, Message("check-sure-bounds-both", args, reveals=_STRATA)
        case "both":
            return said, Message("check-lead-within-both", args, reveals=_STRATA)
    return (said,)


def _common_bounds(finding: CheckFinding, quantity: Quantity) -> dict[str, Argument]:
    """Return the ends of the gap among similar cases; nothing without any, or where no table has one."""
    strata = finding.strata
    if not isinstance(strata, StratifiedBounds) or not all(map(math.isfinite, strata.common_difference_bounds)):
        return {}
    return _bounds(finding, strata.common_difference_bounds, quantity)


def _bounds(finding: CheckFinding, bounds: Interval, quantity: Quantity) -> dict[str, Argument]:
    """Return the ends of a gap as sentences write them: sizes where both are on one side, else less and more."""
    return {
        **_ends(bounds, finding.result.tolerance, quantity),
        "quantity": Word(quantity.kind),
        "limit": limit_of(finding, quantity),
        "allowed": Word("proposed" if is_proposed(finding) else "set"),
    }


def _ends(bounds: Interval, tolerance: float, quantity: Quantity) -> dict[str, Argument]:
    low, high = bounds
    if quantity.is_turned:
        low, high = -high, -low
    ends = [quantity.end_beside(end, tolerance) for end in (low, high)]
    if low < 0 < high and not (quantity.is_nothing(low) or quantity.is_nothing(high)):
        return {"low": ends[0], "high": ends[1], "side": Word("both"), "direction": Word("less")}
    if abs(low) > abs(high):
        ends.reverse()
    same = say(Message("check-chart-figure", {"figure": ends[0]})) == say(
        Message("check-chart-figure", {"figure": ends[1]})
    )
    direction = Word("less" if abs(low) > abs(high) or high < 0 else "more")
    return {"low": ends[0], "high": ends[1], "side": Word("same" if same else "one"), "direction": direction}


WAITING_HEADLINES = {
    "clear_gap": "check-headline-waiting-gap",
    "gap_size_unclear": "check-headline-waiting-perhaps-small",
    "no_gap_above_tolerance": "check-headline-waiting-no-gap",
    "too_few_to_tell": "check-headline-too-few",
}
"""The same of times of which some are open."""


def _say_waiting(
    finding: CheckFinding, result: ControlledWaiting, reading: CheckReading, quantity: Quantity, args: Args
) -> Said:
    """Say how long both groups waited: open cases first counted, then medians, then how sure that is."""
    is_known = math.isfinite(result.difference)
    args = {**args, "direction": quantity.direction(result.difference if is_known else result.log_rank)}
    lead = [_open_cases(result, n_open)] if (n_open := result.n_open) else []
    lead.append(Message("check-lead-waiting", args, reveals=_FINDING) if is_known else _not_reached(result, args))
    if all(map(math.isfinite, result.difference_interval)):
        lead.append(_how_sure(finding, reading, quantity, args))
    else:
        found = reading.verdict != "too_few_to_tell"
        lead.append(Message("check-sure-waiting-test" if found else "check-sure-waiting-none", args, reveals=_FINDING))
    lead += _waiting_within(result, quantity, args)
    headline = Message(WAITING_HEADLINES[reading.verdict], args, reveals=_FINDING)
    return Said(_verdict(reading, args), headline, tuple(lead), _left_out(finding))


def _open_cases(result: ControlledWaiting, n_open: int) -> Message:
    counts = {"n": Count(n_open), "all": Count(result.protected.n + result.reference.n)}
    return Message("check-lead-waiting-open", counts, reveals=_FINDING)


def _waiting_within(result: ControlledWaiting, quantity: Quantity, args: Args) -> tuple[Message, ...]:
    """Say what the test among similar cases comes to; nothing where it is hidden, or there are no such cases."""
    z, p_value = result.log_rank_within, result.p_value_within
    if z is None or p_value is None or not math.isfinite(z):
        return ()
    found = p_value < 1 - result.confidence
    key = "check-lead-waiting-within" if found else "check-lead-waiting-within-none"
    return (Message(key, {**args, "direction": quantity.direction(z)}, reveals=_WITHIN),)


def _not_reached(result: ControlledWaiting, args: Args) -> Message:
    own, other = (math.isfinite(value) for value in result.values)
    who = "others" if own else "protected" if other else "both"
    return Message("check-lead-waiting-few", {**args, "who": Word(who)}, reveals=_FINDING)


def say_similar(finding: CheckFinding) -> tuple[Message, ...]:
    """Say what becomes of the gap among similar cases, and where it is otherwise; nothing where that is hidden."""
    reading = read_check(finding)
    if (
        levels_of(finding) is not None
        or finding.strata is None
        or reading.verdict in ("nothing_to_compare", "not_shown")
    ):
        return ()
    quantity, apart = quantity_of(finding), strata_apart(finding.strata)
    if isinstance(finding.result, ControlledBounds):
        overall = _bounds(finding, finding.result.difference_bounds, quantity)
        return _bounds_within(finding, reading, quantity, _named(finding) | overall)
    if reading.within is None:
        return ()
    args = _named(finding) | _figures(finding, quantity)
    inside = _inside(finding, quantity, args)
    within = _within_key(finding, reading.within, quantity)
    return (Message(within, inside, reveals=_STRATA), *_exceptions(finding, apart, quantity, args))


def say_remedy_caution(finding: CheckFinding) -> Message | None:
    """Say what a remedy for the gap of all may do among similar cases, where these say otherwise."""
    if read_check(finding).within not in ("gone", "turned", "both", "only"):
        return None
    return Message("check-remedy-caution", _named(finding), "caution", _STRATA)


def sizes(finding: CheckFinding) -> tuple[Message, ...]:
    """Say how many of either group were compared; nothing where that is hidden."""
    both = (finding.names.protected, finding.result.protected.n), (finding.names.others, finding.result.reference.n)
    if any(n is None for _, n in both):
        return ()
    if isinstance(finding.result, ControlledBounds):
        sides = (finding.result.protected, finding.result.reference)
        return tuple(_between(side, group) for side, (group, _) in zip(sides, both, strict=True))
    return tuple(Message("check-size-of", {"n": Count(n), "group": group}, reveals=_FINDING) for group, n in both)


def _between(side: GroupBounds, group: Argument) -> Message:
    """Say how many a group has, at least and at most."""
    if side.n == side.most_n:
        return Message("check-size-of", {"n": Count(side.n), "group": group}, reveals=_FINDING)
    ends: dict[str, Argument] = {"low": Count(side.n), "high": Count(side.most_n)}
    return Message("check-size-between", ends | {"group": group}, reveals=_FINDING)


def likely_range(finding: CheckFinding) -> Message | None:
    """Say how large the gap is and may be, in few words; nothing where no range is known."""
    result = finding.result
    if levels_of(finding) is not None:
        return None
    ends = result.difference_interval
    if isinstance(result, ControlledBounds):
        if not all(map(math.isfinite, result.difference_bounds)):
            return None
        ends_args = _bounds(finding, result.difference_bounds, quantity_of(finding))
        return Message("check-range-bounds", ends_args, reveals=_FINDING)
    if result.difference is None or None in ends or not all(map(math.isfinite, (result.difference, *ends))):
        return None
    quantity = quantity_of(finding)
    args: dict[str, Argument] = {
        "quantity": Word(quantity.kind),
        "gap": quantity.size(result.difference),
        "states_gap": Word("yes" if subtract(quantity, result) else "no"),
    }
    low, high = ends
    if low < 0 < high:
        less, more = (high, low) if quantity.is_turned else (low, high)
        sides = {"low": quantity.end_beside(less, 0), "high": quantity.end_beside(more, 0)}
        return Message("check-range-both", args | sides, reveals=_FINDING)
    near, far = (quantity.end_beside(end, result.tolerance) for end in sorted((abs(low), abs(high))))
    return Message("check-range", args | {"low": near, "high": far}, reveals=_FINDING)


def next_step(finding: CheckFinding, *, tried: bool = False) -> Message | None:
    """Say what to do after an answer, where remedies were `tried` or not; nothing where all decisions are the same."""
    reading = read_check(finding)
    args = _named(finding)
    match reading.verdict, reading.within:
        case "nothing_to_compare", _:
            return None
        case "not_shown", _:
            return Message("check-next-not-shown")
        case _, "gone" | "turned" | "both":
            return Message("check-next-similar", args, reveals=_STRATA)
        case _, "only":
            return Message("check-next-only-similar", args, reveals=_STRATA)
        case "clear_gap" | "gap_size_unclear" | "too_few_to_tell", _ if isinstance(finding.result, ControlledBounds):
            clear = reading.verdict == "clear_gap"
            return Message("check-next-bounds-gap" if clear else "check-next-bounds-open", args, reveals=_FINDING)
        case "clear_gap", _:
            return Message("check-next-tried" if tried else "check-next-gap", args, reveals=_FINDING)
        case "no_gap_above_tolerance", _:
            return Message("check-next-no-gap", args, reveals=_FINDING)
    return Message("check-next-unclear", args, reveals=_FINDING)


def answer_text(finding: CheckFinding) -> str:
    """Return the answer as one paragraph."""
    return say_whole(say_check(finding), caution=True)


def answer_words(finding: CheckFinding, also: Sequence[Chip] = ()) -> str:
    """Return the verdict on a finding and, after it, what other chips beside it say."""
    return "; ".join([say(say_check(finding).verdict), *(chip.text for chip in also)])


def _named(finding: CheckFinding) -> dict[str, Argument]:
    names = finding.names
    called = {"protected": names.protected, "others": names.others, "verb": names.verb, "what": names.what}
    return called if names.similar is None else called | {"similar": names.similar}


def _figures(finding: CheckFinding, quantity: Quantity) -> dict[str, Argument]:
    result = finding.result
    share, rest = map(quantity.figure, result.values)
    return {
        "quantity": Word(quantity.kind),
        "direction": quantity.direction(result.difference),
        "share": share,
        "rest": rest,
        "gap": quantity.size(result.difference),
        "states_gap": Word("yes" if subtract(quantity, result) else "no"),
        "limit": limit_of(finding, quantity),
        "allowed": Word("proposed" if is_proposed(finding) else "set"),
    }


def limit_of(finding: CheckFinding, quantity: Quantity) -> Argument:
    """Return the tolerance with the decimals that it was set with, or that it is proposed with."""
    return quantity.limit(finding.result.tolerance)


def _verdict(reading: CheckReading, args: Args) -> Message:
    key = f"verdict-{reading.answer.replace('_', '-')}"
    if reading.answer == reading.verdict:
        return Message(key, reveals=_FINDING)
    return Message(key, args, reveals=_STRATA)


def _headline(reading: CheckReading, args: Args, inside: Args) -> Message:
    is_gap = reading.verdict in GAPS
    match reading.within:
        case "gone" if is_gap:
            return Message("check-headline-gap-none-within", args, reveals=_STRATA)
        case "turned" if is_gap:
            return Message("check-headline-turns-around", args, reveals=_STRATA)
        case "both":
            return Message("check-headline-both-ways", args, reveals=_STRATA)
        case "only" | "turned" if reading.verdict == "no_gap_above_tolerance":
            return Message("check-headline-gap-only-within", args, reveals=_STRATA)
        case "only" | "turned":
            return Message("check-headline-gap-similar", inside, reveals=_STRATA)
        case "same" if reading.verdict == "clear_gap":
            return Message("check-headline-gap-within", args, reveals=_STRATA)
    return Message(HEADLINES[reading.verdict], args, reveals=_FINDING)


def _shares(reading: CheckReading, args: Args) -> tuple[Message, ...]:
    # A gap that may be chance is not stated as if it were one.
    known = reading.verdict in GAPS
    said = {**args, "is_known": Word("yes" if known else "no")} | ({} if known else {"states_gap": Word("no")})
    return (Message("check-lead-figures", said, reveals=_FINDING),)


WITHIN = {
    "gone": "check-lead-within-none",
    "both": "check-lead-within-both",
    "turned": "check-lead-within-turned",
    "only": "check-lead-within-turned",
    "same": "check-lead-within-same",
    "smaller": "check-lead-within-smaller",
    "open": "check-lead-within-open",
    "on_average": "check-lead-within-average",
}
"""What is said of similar cases, by reading."""


def _within_key(finding: CheckFinding, within: str, quantity: Quantity) -> str:
    """Return what is said of similar cases; of a gap that may be chance its size, where most cases have such."""
    strata = finding.strata
    if within == "on_average" and strata is not None:
        if alike_on_average(strata):
            return "check-lead-within-none"
        within = "open" if zero_fits_average(strata) else within
    if within != "open" or strata is None:
        return WITHIN[within]
    if alike_on_average(strata):
        return "check-lead-within-few"
    nothing = quantity.is_nothing(strata.common_difference)
    return "check-lead-within-open-none" if nothing else WITHIN["open"]


def _inside(finding: CheckFinding, quantity: Quantity, args: Args) -> Args:
    """Return the arguments with the gap among similar cases in the place of that of all."""
    if finding.strata is None or finding.strata.common_difference is None:
        return args
    inside = finding.strata.common_difference
    size = quantity.size_beside(inside, finding.result.tolerance)
    return {**args, "size": size, "direction": quantity.direction(inside)}


def _exceptions(
    finding: CheckFinding, rows: Sequence[StratumRow], quantity: Quantity, args: Args
) -> tuple[Message, ...]:
    """Say where a gap is found, as an exception where that is not what all strata have on average."""
    if not rows:
        return ()
    largest, n = rows[0], len(rows)
    own: Args = {
        "place": Phrase(place_of(largest)),
        "direction": quantity.direction(largest.difference),
        "size": quantity.size(largest.difference),
    }
    if _is_against(finding, largest):
        key = "check-lead-exception" if n == 1 else "check-lead-exceptions"
    else:
        key = "check-lead-found" if n == 1 else "check-lead-found-most"
    # Rows are those with a clear gap; where there are none of these, those with one of unclear size.
    counted: Args = {"n": Count(n - 1), "is_clear": Word("yes" if gap_is_clear(largest.comparison) else "no")}
    return (Message(key, {**args, **own, **counted}, reveals=_STRATA),)


def _is_against(finding: CheckFinding, row: StratumRow) -> bool:
    """Say whether a stratum with a gap is not as all are on average; where gaps go both ways, none is."""
    within, strata = read_check(finding).within, finding.strata
    if shows_none_within(finding, within):
        return True
    if within == "both" or strata is None or strata.common_difference is None:
        return False
    return bool(row.difference * strata.common_difference < 0)


def _how_sure(finding: CheckFinding, reading: CheckReading, quantity: Quantity, args: Args) -> Message:
    result = finding.result
    match reading.verdict:
        case "clear_gap" if reading.within == "same":
            return Message("check-sure-clear-both", args, reveals=_STRATA)
        case "clear_gap":
            return Message("check-sure-clear", args, reveals=_FINDING)
        case "no_gap_above_tolerance":
            return Message("check-sure-no-gap", args, reveals=_FINDING)
        case "gap_size_unclear":
            return Message("check-sure-perhaps-small", args, reveals=_FINDING)
    low, high = result.difference_interval
    if not (math.isfinite(low) and math.isfinite(high)):
        return Message("check-sure-unknown", args, reveals=_FINDING)
    if low < 0 < high:
        less, more = (high, low) if quantity.is_turned else (low, high)
        ends = {"low": quantity.end_beside(less, 0), "high": quantity.end_beside(more, 0)}
        return Message("check-sure-too-few", {**args, **ends}, reveals=_FINDING)
    return Message("check-sure-too-few-one-side", reveals=_FINDING)


def _nothing_to_compare(finding: CheckFinding, args: Args) -> Message:
    result = finding.result
    if result.has_one_decision:
        return Message("check-headline-one-decision", args, reveals=_FINDING)
    key = "check-headline-no-group" if result.protected.n == 0 else "check-headline-no-others"
    return Message(key, args, reveals=_FINDING)


def _left_out(finding: CheckFinding) -> tuple[Message, ...]:
    result = finding.result
    why: tuple[Message, ...] = (Message("check-not-why", severity="note"),)
    if finding.plan.open_left_out:
        why += (Message("check-open-left-out", severity="caution"),)
    if apart := n_without_counterpart(finding):
        why += (Message("check-without-counterpart", {"n": Count(apart)}, "note", (*_FINDING, "strata.strata")),)
    levels = levels_of(finding)
    lacks_strata = levels is not None and levels.within is None
    if finding.strata is not None and (lacks_strata or any(row.difference is None for row in finding.strata.strata)):
        why += (Message("check-strata-not-shown", severity="caution"),)
    if isinstance(result, ControlledBounds):
        left_out = result.unknown + result.undecided > 0
        return (*why, Message("check-left-out-some", severity="note", reveals=_LEFT_OUT)) if left_out else why
    counts = (result.unknown, result.undecided)
    n = 0 if None in counts else sum(counts)
    return (*why, Message("check-left-out", {"n": Count(n)}, "note", _LEFT_OUT)) if n else why
