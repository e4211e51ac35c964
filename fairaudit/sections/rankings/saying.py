"""Who stands among the first of lists, in the shape of all results, and as tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from fairaudit.disclosure.fields import Field, figure, setting
from fairaudit.disclosure.said import said_as_shown
from fairaudit.findings import Argument, Count, Message, Phrase, Said, Share, Word
from fairaudit.measure.limits import digits_apart
from fairaudit.measure.list_gaps import KindOfList
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.rankings import LEFT_OUT, PREFIXES, Rankings
from fairaudit.measure.results import Interval
from fairaudit.measure.verdicts import GAPS, ShownVerdict, verdict_of
from fairaudit.messages import say, say_whole
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import Column, column_table, declared_by, frame_table, record_table
from fairaudit.present.numbers import confidence_text
from fairaudit.sections.change.saying import group_column
from fairaudit.sections.rankings.finding import RankingsFinding

Args = dict[str, Argument]
_FOUND = ("result.difference",)
VERDICTS = {
    "clear_gap": "verdict-clear-gap",
    "gap_size_unclear": "verdict-gap-size-unclear",
    "no_gap_above_tolerance": "verdict-no-gap-above-tolerance",
    "too_few_to_tell": "verdict-too-few-to-tell",
    "nothing_to_compare": "verdict-nothing-to-compare",
}
HEADLINES = {
    "clear_gap": "check-headline-gap",
    "gap_size_unclear": "check-headline-gap-perhaps-small",
    "no_gap_above_tolerance": "check-headline-no-gap",
    "too_few_to_tell": "check-headline-too-few",
    "nothing_to_compare": "rankings-headline-nothing",
}
SURE = {
    "clear_gap": "check-sure-clear",
    "gap_size_unclear": "check-sure-perhaps-small",
    "no_gap_above_tolerance": "check-sure-no-gap",
}


def shown_verdict(finding: RankingsFinding) -> ShownVerdict:
    """Return the verdict of a finding, whole or as it leaves."""
    return verdict_of(finding.result)


@dataclass(frozen=True)
class KindsReading:
    """What kinds of lists say otherwise than all together.

    Parameters
    ----------
    exceptions : tuple of KindOfList
        Kinds with a gap that the answer on all lists does not show: clear or, where none is, of unclear size.
    is_both_ways : bool
        Whether some kinds have a clear gap in one direction and some in the other.
    """

    exceptions: tuple[KindOfList, ...] = ()
    is_both_ways: bool = False


def read_kinds(finding: RankingsFinding) -> KindsReading:
    """Read what kinds of lists say; nothing where they are hidden or one kind is all."""
    kinds, found = finding.result.kinds, finding.result
    if len(kinds) + len(found.kinds_left_out) < 2:
        return KindsReading()
    clear = [kind for kind in kinds if kind.verdict == "clear_gap"]
    if len({kind.difference > 0 for kind in clear}) == 2:
        return KindsReading(tuple(clear), is_both_ways=True)
    if found.verdict in GAPS:
        clear = [kind for kind in clear if kind.difference * found.difference < 0]
    elif not clear:
        clear = [kind for kind in kinds if kind.verdict in GAPS]
    return KindsReading(tuple(sorted(clear, key=lambda kind: -abs(kind.difference))))


def failing_verdict(finding: RankingsFinding) -> ShownVerdict:
    """Return the verdict that a command can fail on: clear gaps in both directions are a clear gap."""
    return "clear_gap" if read_kinds(finding).is_both_ways else shown_verdict(finding)


def _exceptions(finding: RankingsFinding, kinds: tuple[KindOfList, ...], args: Args) -> Message:
    largest, quantity = kinds[0], quantity_of(finding)
    own: Args = {
        "place": Message(
            "rankings-place", {"columns": Phrase(", ".join(finding.plan.strata)), "value": Phrase(largest.name)}
        ),
        "direction": quantity.direction(largest.difference),
        "size": quantity.size(largest.difference),
        "n": Count(len(kinds) - 1),
        "is_clear": Word("yes" if largest.verdict == "clear_gap" else "no"),
    }
    return Message("check-lead-exception" if len(kinds) == 1 else "check-lead-exceptions", args | own, reveals=_FOUND)


def say_rankings(finding: RankingsFinding) -> Said:
    """Say who stands among the first more often, or that it is not shown."""
    return said_as_shown(_say(finding), finding)


def _say(finding: RankingsFinding) -> Said:
    verdict = shown_verdict(finding)
    if verdict == "not_shown":
        return Said(Message("verdict-not-shown"), Message("check-headline-not-shown"))
    args, found = shared_args(finding), finding.result
    reading = read_kinds(finding)
    chip, headline = Message(VERDICTS[verdict], reveals=_FOUND), Message(HEADLINES[verdict], args, reveals=_FOUND)
    if reading.is_both_ways:
        chip = Message("verdict-turns-around-within", args, reveals=_FOUND)
        headline = Message("check-headline-both-ways", args, reveals=_FOUND)
    elif finding.result.kinds[1:] and verdict == "clear_gap" and not reading.exceptions:
        headline = Message("check-headline-gap-within", args, reveals=_FOUND)
    caution: list[Message] = []
    if left := found.n_lists - found.n_compared:
        counts: Args = {"n": Count(left), "all": Count(found.n_lists)}
        caution.append(Message("rankings-caution-left-out", counts, "caution", _FOUND))
    if found.n_unranked:
        caution.append(Message("rankings-caution-unranked", {"n": Count(found.n_unranked)}, "caution", _FOUND))
    if verdict == "nothing_to_compare":
        return Said(chip, headline, (), tuple(caution))
    caution.append(Message("check-not-why", severity="note"))
    lead = [Message("rankings-lead-lists" if finding.plan.lists else "check-lead-figures", args, reveals=_FOUND)]
    lead.append(_how_sure(finding, verdict, args))
    exceptions = reading.exceptions
    if reading.is_both_ways:
        lead.append(Message("check-lead-within-both", args, reveals=_FOUND))
    elif exceptions:
        lead.append(_exceptions(finding, exceptions, args))
    elif math.isfinite(found.higher.chance):
        lead.append(
            Message(
                "rankings-lead-higher", args | {"chance": _beside_half(finding, found.higher.chance)}, reveals=_FOUND
            )
        )
    return Said(chip, headline, tuple(lead), tuple(caution))


def _how_sure(finding: RankingsFinding, verdict: ShownVerdict, args: Args) -> Message:
    if verdict in SURE:
        return Message(SURE[verdict], args, reveals=_FOUND)
    quantity, (low, high) = quantity_of(finding), finding.result.difference_interval
    if not low < 0 < high:
        return Message("check-sure-too-few-one-side", reveals=_FOUND)
    ends: Args = {"low": quantity.end_beside(low, 0), "high": quantity.end_beside(high, 0)}
    return Message("check-sure-too-few", args | ends, reveals=_FOUND)


def quantity_of(finding: RankingsFinding) -> Quantity:
    """Return how figures are written: in whole percent, or with decimals where the shares of a gap read the same."""
    found = finding.result
    if shown_verdict(finding) not in GAPS:
        return Quantity("share", 0)
    return Quantity("share", digits_apart(100 * found.protected.share, 100 * found.reference.share))


def _beside_half(finding: RankingsFinding, share: float) -> Share:
    """Return a share of pairs, with the decimals that show its side of half where chance does not explain it."""
    found = finding.result.higher
    return Share(share, digits_apart(100 * share, 50) if found.p_value <= 1 - finding.plan.confidence else 0)


def shared_args(finding: RankingsFinding) -> Args:
    """Return what messages about lists speak of."""
    names, found, quantity = finding.names, finding.result, quantity_of(finding)
    own, other, gap = found.protected.share, found.reference.share, found.difference
    return {
        "protected": names.protected,
        "others": names.others,
        "verb": names.verb,
        "first": Count(finding.plan.first),
        "lists": Word("many" if finding.plan.lists else "one"),
        "n": Count(found.n_compared),
        "quantity": Word("share"),
        "direction": quantity.direction(gap),
        "share": quantity.figure(own),
        "rest": quantity.figure(other),
        "gap": quantity.size_beside(gap, finding.plan.tolerance),
        "states_gap": Word("yes" if quantity.subtracts(own, other, gap) else "no"),
        "limit": quantity.limit(finding.plan.tolerance),
        "allowed": Word("set"),
    } | ({} if names.similar is None else {"similar": names.similar})


def answer_text(finding: RankingsFinding) -> str:
    """Return verdict, headline and lead as a paragraph."""
    return say_whole(say_rankings(finding))


def line(finding: RankingsFinding) -> str:
    """Return the answer in a line."""
    said = say_rankings(finding)
    return say(Message("rankings-line", {"verdict": said.verdict, "headline": said.headline}))


def how_compared(finding: RankingsFinding) -> tuple[Message, ...]:
    """Say what stands beside the gap, and which lists and cases it is about; nothing where it is hidden."""
    if shown_verdict(finding) == "not_shown":
        return ()
    found, names = finding.result, finding.names
    args: Args = {"protected": names.protected, "first": Count(finding.plan.first)}
    exposure, higher = found.exposure, found.higher

    def shares(share: float, lot: float, p_value: float) -> Args:
        digits = digits_apart(100 * share, 100 * lot) if p_value <= 1 - finding.plan.confidence else 0
        return args | {"share": Share(share, digits), "lot": Share(lot, digits)}

    pairs: list[tuple[str, Args]] = [
        ("first", shares(found.share_of_first, found.share_by_lot, found.p_value)),
        ("exposure", shares(exposure.found, exposure.by_lot, exposure.p_value)),
    ]
    if exposure.n_with_merit:
        pairs.append(("merit", shares(exposure.found_by_merit, exposure.by_merit, exposure.p_value)))
    ends: Args = {name: _beside_half(finding, getattr(higher.interval, name)) for name in ("low", "high")}
    pairs += [("higher", args | ends), _prefix(found, args)]
    pairs.append(("exact" if found.is_exact else "normal", {}))
    if found.kinds_left_out:
        pairs.append(("kinds-left-out", {"names": Phrase(", ".join(found.kinds_left_out))}))
    counted = ("one_group", "not_longer", "tied", "split", "unknown", "unlisted")
    counts = {name: getattr(found, f"n_{name}") for name in counted}
    pairs += [(name.replace("_", "-"), args | {"n": Count(n)}) for name, n in counts.items() if n]
    return tuple(Message(f"rankings-how-{name}", each, "note", _FOUND) for name, each in pairs)


def _prefix(found: Rankings, args: Args) -> tuple[str, Args]:
    if found.n_both > 1:
        return "prefix-lists", args | {"n": Count(found.prefix.n_failing), "all": Count(found.n_both)}
    if found.prefix.place is None:
        return "prefix-passes", args
    return "prefix-fails", args | {"place": Count(found.prefix.place)}


# The tables.

NO_ENDS: Final = ("", "")


@dataclass(frozen=True)
class BesideRow:
    """A figure that stands beside the gap, as tables have it."""

    what: str = setting("Which figure, of the protected group.", label="share of the protected group")
    value: float | str = figure("The share; none of the prefix test.", label="share", kind="share")
    expected: float | str = figure("By lot, or in proportion to merit.", label="by lot or merit", kind="share")
    interval: Interval | tuple[str, str] = figure("Of the share.", label="range", kind="share_interval")
    p_value: float | str = figure("Of the difference from places by lot.", label="p", kind="p")


def rankings_tables(finding: RankingsFinding, number: int) -> list[TableBlock]:
    """Return the gap, what stands beside it, beginnings of lists, kinds, and lists not compared; empty where hidden."""
    if shown_verdict(finding) == "not_shown":
        return []
    found, key = finding.result, f"rankings_{number}"
    tables = [
        gap_table(finding, key),
        record_table(f"{key}_beside", "Beside the gap", _beside_rows(found), declared_by(BesideRow)),
        frame_table(f"{key}_prefixes", "Beginnings of lists", found.prefixes, PREFIXES),
    ]
    if found.kinds:
        tables.append(kinds_table(finding, f"{key}_kinds"))
    if len(found.left_out):
        words = {"one_group": "one group only", "not_longer": "not longer than the first"}
        left = found.left_out.assign(why=found.left_out["why"].map(words))
        tables.append(frame_table(f"{key}_left_out", "Lists that are not compared", left, LEFT_OUT))
    return tables


def gap_table(finding: RankingsFinding, key: str) -> TableBlock:
    """Return both groups and their gap, in one row."""
    level, names = confidence_text(finding.plan.confidence), finding.names
    of = ("protected_share", "reference_share")
    held: tuple[Column[Rankings], ...] = (
        (Field("lists", "lists", "count", "Lists that are compared."), lambda each: each.n_compared),
        (Field("protected_n", group_column(names.protected), "count", "Its cases."), lambda each: each.protected.n),
        (
            Field(of[0], group_column(names.protected, "share"), "share", "Its share among the first."),
            lambda each: each.protected.share,
        ),
        (Field("reference_n", group_column(names.others), "count", "Its cases."), lambda each: each.reference.n),
        (
            Field(of[1], group_column(names.others, "share"), "share", "Its share among the first."),
            lambda each: each.reference.share,
        ),
        (
            Field("gap", naming.gap_head(names, "points"), "points", "Protected minus everyone else.", of=of),
            lambda each: each.difference,
        ),
        (
            Field("gap_interval", f"{level} range", "points_interval", "Its range."),
            lambda each: each.difference_interval,
        ),
        (Field("p_value", "p", "p", "Of places drawn by lot."), lambda each: each.p_value),
    )
    return column_table(key, "Who stands among the first", (finding.result,), held)


def kinds_table(finding: RankingsFinding, key: str) -> TableBlock:
    """Return both groups and their gap in the lists of each kind."""
    level, names, kinds = confidence_text(finding.plan.confidence), finding.names, finding.result.kinds
    columns = (
        Field("kind", ", ".join(finding.plan.strata), "text", "The values that make the kind."),
        Field("lists", "lists", "count", "Its lists that are compared."),
        Field("protected_n", group_column(names.protected), "count", "Its cases of the protected group."),
        Field("protected_share", group_column(names.protected, "share"), "share", "Its share among the first."),
        Field("reference_n", group_column(names.others), "count", "Its cases of the others."),
        Field("reference_share", group_column(names.others, "share"), "share", "Their share among the first."),
        Field(
            "gap",
            naming.gap_head(names, "points"),
            "points",
            "Protected minus everyone else.",
            beside=finding.plan.tolerance,
        ),
        Field("gap_interval", f"{level} range", "points_interval", "Of the kind by itself."),
        Field("p_value", "p", "p", "Of places drawn by lot, adjusted by Holm's method for all kinds."),
        Field("reading", "reading", "text", "What the data support, among all kinds."),
    )
    rows = tuple(
        (
            kind.name,
            kind.n_lists,
            kind.n_protected,
            kind.share_protected,
            kind.n_others,
            kind.share_others,
            kind.difference,
            tuple(kind.difference_interval),
            kind.p_value,
            say(Message(f"reading-{(kind.verdict or 'not_shown').replace('_', '-')}")),
        )
        for kind in kinds
    )
    note = Message("check-many-ranges", {"n": Count(len(kinds)), "method": Word("holm")})
    return TableBlock(key, say(Message("rankings-kinds")), columns, rows, say(note) if len(kinds) > 1 else "")


def _beside_rows(found: Rankings) -> list[BesideRow]:
    exposure, higher = found.exposure, found.higher

    def row(name: str, *figures: Any) -> BesideRow:
        return BesideRow(say(Message(f"rankings-row-{name}")), *figures)

    rows = [
        row("first", found.share_of_first, found.share_by_lot, NO_ENDS, ""),
        row("exposure", exposure.found, exposure.by_lot, NO_ENDS, exposure.p_value),
    ]
    if exposure.n_with_merit:
        rows.append(row("merit", exposure.found_by_merit, exposure.by_merit, NO_ENDS, ""))
    rows.append(row("higher", higher.chance, 0.5, higher.interval, higher.p_value))
    return [*rows, row("prefix", "", "", NO_ENDS, found.prefix.p_value)]
