"""Who gets which level: what was found, in the shape of all results, with its picture and tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fairaudit.disclosure.fields import Field
from fairaudit.findings import Amount, Argument, Message, Phrase, Said, Share, Word
from fairaudit.findings.names import Names
from fairaudit.measure.levels import ControlledLevels, LevelAnswer, LevelGap, LevelsOfStratum
from fairaudit.measure.limits import digits_apart
from fairaudit.measure.verdicts import GAPS, Verdict
from fairaudit.messages import say
from fairaudit.present.blocks import Chart, TableBlock, cell_text
from fairaudit.present.numbers import confidence_text, finite
from fairaudit.sections.check.reading import CheckReading, gap_there, largest_gap, read_levels

if TYPE_CHECKING:
    from altair.typing import ChartType

Args = dict[str, Argument]
_FINDING: Final = ("levels.verdict",)


def say_levels(levels: ControlledLevels, names: Names, caution: tuple[Message, ...] = ()) -> Said:
    """Say who gets which level, or who is placed better."""
    reading = read_levels(levels)
    args: Args = {"protected": names.protected, "others": names.others, "verb": names.verb}
    args |= {} if names.similar is None else {"similar": names.similar}
    chip = Message(f"verdict-{reading.answer.replace('_', '-')}", args, reveals=_FINDING)
    if reading.verdict in ("not_shown", "nothing_to_compare"):
        key = "check-headline-not-shown" if reading.verdict == "not_shown" else "check-headline-one-decision"
        return Said(chip, Message(key), (), caution)
    made = _say_placed if levels.ordered else _say_got
    headline, lead = made(levels, reading, args)
    return Said(chip, headline, tuple(lead), caution)


def _say_placed(levels: ControlledLevels, reading: CheckReading, args: Args) -> tuple[Message, list[Message]]:
    answer, inside = levels.answer, _inside(levels)
    args = args | {
        "direction": _direction(answer.difference),
        "n": _of_100(answer.effect, apart=reading.verdict in GAPS),
    }
    within: Args = {}
    if inside is not None:
        within = {"n": _of_100(inside.effect, apart=inside.verdict in GAPS), "direction": _direction(inside.difference)}
    lead = [Message("levels-lead-pairs", args, reveals=_FINDING)]
    low, high = answer.effect_interval
    ends = {name: _of_100(end, apart=reading.verdict in GAPS) for name, end in (("low", low), ("high", high))}
    # An end that is written as half denies a gap that there is.
    if math.isfinite(low) and not (reading.verdict in GAPS and any(_is_half(end) for end in ends.values())):
        lead.append(Message("levels-sure-range", ends, reveals=_FINDING))
    if inside is not None and reading.within is not None and math.isfinite(inside.effect):
        lead.append(Message("levels-lead-within-pairs", args | within, reveals=_FINDING))
    elif (gap := largest_gap(answer.levels)) is not None and gap.verdict in GAPS:
        key = "levels-lead-share" if reading.verdict in GAPS else "levels-exception"
        lead.append(Message(key, args | _shares(levels, gap), reveals=_FINDING))
    return Message(_placed_key(reading), args | (within if reading.within == "only" else {}), reveals=_FINDING), lead


def _inside(levels: ControlledLevels) -> LevelAnswer | None:
    """Return what was found among similar cases; None where no stratum holds both groups."""
    return levels.within.together if levels.within is not None and levels.within.strata else None


def _placed_key(reading: CheckReading) -> str:
    is_gap = reading.verdict in GAPS
    match reading.within:
        case "gone" if is_gap:
            return "levels-headline-placed-none-within"
        case "turned":
            return "levels-headline-placed-turned"
        case "only":
            return "levels-headline-placed-only"
        case "same" if reading.verdict == "clear_gap":
            return "levels-headline-placed-within"
    match reading.verdict:
        case "clear_gap":
            return "levels-headline-placed"
        case "gap_size_unclear":
            return "levels-headline-placed-perhaps-small"
        case "no_gap_above_tolerance":
            return "levels-headline-placed-alike"
    return "check-headline-too-few"


def _say_got(levels: ControlledLevels, reading: CheckReading, args: Args) -> tuple[Message, list[Message]]:
    answer, inside = levels.answer, _inside(levels)
    whole = answer if reading.within != "only" or inside is None else inside
    gap = largest_gap(whole.levels)
    named = args | ({} if gap is None else _shares(levels, gap) | {"direction": _direction(gap.difference)})
    lead = []
    if (shown := largest_gap(answer.levels)) is not None:
        lead.append(Message("levels-lead-share", args | _shares(levels, shown), reveals=_FINDING))
    sure = "levels-sure-alike" if reading.verdict == "no_gap_above_tolerance" else "levels-sure-open"
    lead.append(Message("levels-sure-clear" if reading.verdict in GAPS else sure, reveals=_FINDING))
    if reading.within is not None and inside is not None:
        lead.append(_got_within(levels, inside, gap, args))
    return Message(_got_key(reading, gap), named, reveals=_FINDING), lead


def _got_within(levels: ControlledLevels, inside: LevelAnswer, named: LevelGap | None, args: Args) -> Message:
    """Say what the same test finds among similar cases: at the level of the headline or, without a gap there, most."""
    if inside.verdict not in GAPS:
        return Message("levels-lead-within-open", args, reveals=_FINDING)
    gap = None if named is None else gap_there(inside, named)
    if gap is None or gap.verdict not in GAPS:
        gap = largest_gap(inside.levels)
    if gap is None or gap.verdict not in GAPS:
        return Message("levels-lead-within-clear", args, reveals=_FINDING)
    args = args | _level(levels, gap.level) | {"direction": _direction(gap.difference)}
    return Message("levels-lead-within-level", args, reveals=_FINDING)


def _got_key(reading: CheckReading, gap: LevelGap | None) -> str:
    is_found = gap is not None and gap.verdict in GAPS
    match reading.within:
        case "gone" if reading.verdict in GAPS and is_found:
            return "levels-headline-got-none-within"
        case "turned" if is_found:
            return "levels-headline-got-turned"
        case "only" if is_found:
            return "levels-headline-got-only"
        case "same" if reading.verdict == "clear_gap" and is_found:
            return "levels-headline-got-within"
    match reading.verdict:
        case "clear_gap" if is_found:
            return "levels-headline-got"
        case "clear_gap" | "gap_size_unclear":
            return "levels-headline-differ"
        case "no_gap_above_tolerance":
            return "levels-headline-got-alike"
    return "check-headline-too-few"


def _shares(levels: ControlledLevels, gap: LevelGap) -> Args:
    both = (100 * gap.share_protected, 100 * gap.share_others)
    digits = digits_apart(*both) if gap.verdict in GAPS else 0
    return {
        **_level(levels, gap.level),
        "share": Share(gap.share_protected, digits),
        "rest": Share(gap.share_others, digits),
    }


def _level(levels: ControlledLevels, level: str) -> Args:
    is_best = level == levels.levels[0]
    return {"level": Phrase(level), "at_least": Word("yes" if levels.ordered and not is_best else "no")}


def _named_level(levels: ControlledLevels, level: str) -> str:
    return say(Message("levels-or-better", _level(levels, level)))


def _direction(difference: float) -> Word:
    return Word("less" if difference < 0 else "more")


def _of_100(share: float, *, apart: bool) -> Amount:
    """Return how many of 100 pairs, where there is a gap with the decimals by which it is `apart` from half."""
    return Amount(100 * share, digits_apart(100 * share, 50) if apart and math.isfinite(share) else 0)


def _is_half(pairs: Amount) -> bool:
    return round(pairs.value, pairs.digits) == 50


# The picture: what share of both groups has each level.


def levels_picture(levels: ControlledLevels, names: Names, key: str, table_key: str | None = None) -> Chart:
    """Return the picture with its title and its text."""
    text = levels_chart_text(levels, names)
    return Chart(key, say(Message("levels-chart")), text, levels_chart(levels, names), table_key)


def levels_chart(levels: ControlledLevels, names: Names, *, narrow: bool = False) -> ChartType:
    """Draw what share of both groups has each level."""
    from fairaudit.present.charts.pairs import PairRow, pairs_chart

    readings = {} if levels.ordered else {gap.level: gap.verdict for gap in levels.answer.levels}
    pairs = []
    for level, shares, counts in _by_level(levels):
        verdict = readings.get(level)
        own, other = (say(Message("check-chart-figure", {"figure": Share(share)})) for share in shares)
        exact = [cell_text(share, "share") for share in shares]
        pairs.append(
            PairRow(
                name=level,
                own=shares[0],
                other=shares[1],
                own_text=own,
                other_text=other,
                own_exact=exact[0],
                other_exact=exact[1],
                own_n=cell_text(counts[0], "count"),
                other_n=cell_text(counts[1], "count"),
                reading="" if verdict is None else say(Message(f"reading-{verdict.replace('_', '-')}")),
                clear=verdict == "clear_gap",
                few=False,
            )
        )
    both = tuple(say(Message("group-alone", {"group": group})) for group in (names.protected, names.others))
    return pairs_chart(
        pairs, (both[0], both[1]), description=levels_chart_text(levels, names), quantity="share", narrow=narrow
    )


def levels_chart_text(levels: ControlledLevels, names: Names) -> str:
    """Return the picture in words, for those who cannot see it."""
    said = [f"{say(Message('levels-chart'))}."]
    for level, (own, other), _ in _by_level(levels):
        args: Args = {"place": Phrase(level), "protected": names.protected, "others": names.others}
        said.append(say(Message("levels-chart-row", args | {"own": Share(own), "other": Share(other)})))
    return " ".join(said)


def _by_level(levels: ControlledLevels) -> list[tuple[str, tuple[float, float], tuple[int, int]]]:
    n, m = levels.sizes
    return [
        (level, (own / n, other / m), (own, other))
        for level, (own, other) in zip(levels.levels, levels.n_by_level, strict=True)
    ]


# Tables.


def levels_tables(levels: ControlledLevels, names: Names, number: int) -> list[TableBlock]:
    """Return who got which level, gaps by level, who is placed better, similar cases, and all groups."""
    if levels.verdict is None:
        return []
    own, other = (say(Message("group-alone", {"group": group})) for group in (names.protected, names.others))
    key = f"check_{number}_levels"
    columns = (
        Field("level", "level", "text", "The level."),
        Field("protected_n", f"{own}, cases", "count", "Cases of the protected group at the level."),
        Field("protected_share", f"{own}, share", "share", "Of all cases of the group with a level."),
        Field("reference_n", f"{other}, cases", "count", "The same of everyone else."),
        Field("reference_share", f"{other}, share", "share", "The same of everyone else."),
    )
    rows = tuple((level, counts[0], shares[0], counts[1], shares[1]) for level, shares, counts in _by_level(levels))
    tables = [TableBlock(key, say(Message("levels-table")), columns, rows), _gap_table(levels, f"{key}_gaps")]
    if levels.ordered:
        tables.append(_pairs_table(levels, f"{key}_pairs"))
    if levels.within is not None and levels.within.strata:
        title = say(Message("levels-table-within"))
        tables.append(_each_table(levels, levels.within.strata, f"{key}_strata", title, "stratum"))
    for place, groups in enumerate(levels.by_group, start=1):
        title = say(Message("levels-table-groups", {"columns": Phrase(", ".join(groups.columns))}))
        tables.append(_each_table(levels, groups.groups, f"{key}_groups_{place}", title, "group"))
    return tables


def level_reading(verdict: Verdict | None) -> str:
    """Return a verdict as a row of a table has it; None is hidden."""
    return say(Message(f"reading-{(verdict or 'not_shown').replace('_', '-')}"))


def _gap_table(levels: ControlledLevels, key: str) -> TableBlock:
    level = confidence_text(levels.confidence)
    columns = (
        Field("among", "among", "text", "All cases, or similar cases together."),
        Field("level", "level", "text", "The level or, where levels are ordered, that level or a better one."),
        Field("gap", "gap, points", "points", "Protected minus everyone else.", beside=levels.tolerance),
        Field("gap_interval", f"likely range ({level})", "points_interval", "Of that, of this level by itself."),
        Field("p", "p", "p", "Two-sided, adjusted by Holm's method for all levels."),
        Field("reading", "reading", "text", "What the data support, among all levels."),
    )
    rows = _gap_rows(levels, levels.answer, "levels-all")
    if levels.within is not None and levels.within.strata:
        rows += _gap_rows(levels, levels.within.together, "levels-average")
    return TableBlock(key, say(Message("levels-table-gaps")), columns, tuple(rows), say(Message("levels-note")))


def _gap_rows(levels: ControlledLevels, answer: LevelAnswer, among: str) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for gap in answer.levels:
        name = _named_level(levels, gap.level)
        ends = tuple(gap.difference_interval)
        rows.append(
            (say(Message(among)), name, finite(gap.difference), ends, gap.p_adjusted, level_reading(gap.verdict))
        )
    return rows


def _pairs_table(levels: ControlledLevels, key: str) -> TableBlock:
    level = confidence_text(levels.confidence)
    columns = (
        Field("among", "among", "text", "All cases, or similar cases together."),
        Field("placed_better", "placed better", "share", "Of pairs of both groups, ties half."),
        Field("placed_better_interval", f"likely range ({level})", "share_interval", "Of that."),
        Field("p", "p", "p", "Of the test by midranks."),
        Field("reading", "reading", "text", "What the data support."),
    )
    answers = [("levels-all", levels.answer)]
    if levels.within is not None and levels.within.strata:
        answers.append(("levels-average", levels.within.together))
    rows = tuple(
        (
            say(Message(among)),
            finite(each.effect),
            tuple(each.effect_interval),
            each.p_value,
            level_reading(each.verdict),
        )
        for among, each in answers
    )
    return TableBlock(key, say(Message("levels-table-pairs")), columns, rows)


def _each_table(
    levels: ControlledLevels, each: Sequence[LevelsOfStratum], key: str, title: str, what: str
) -> TableBlock:
    level = confidence_text(levels.confidence)
    columns = [
        Field(what, what, "text", "The values that make it."),
        Field("protected_n", "cases", "count", "Cases with a level: of the group, or the protected ones."),
        Field("reference_n", "others", "count", "Those that they are compared with."),
    ]
    if levels.ordered:
        columns += [
            Field("placed_better", "placed better", "share", "Of pairs with the others, ties half."),
            Field("placed_better_interval", f"likely range ({level})", "share_interval", "Of that, by itself."),
        ]
    columns += [
        Field("level", "largest gap at", "text", "The level, or that level or a better one, with the largest gap."),
        Field("gap", "gap, points", "points", "That gap, minus the others.", beside=levels.tolerance),
        Field("p", "p", "p", "Of the test over all levels, adjusted by Holm's method for all rows."),
        Field("reading", "reading", "text", "What the data support, among all rows."),
    ]
    rows = tuple(
        (
            one.name,
            one.n_protected,
            one.n_others,
            *((finite(one.effect), tuple(one.effect_interval)) if levels.ordered else ()),
            _named_level(levels, one.level or ""),
            finite(one.difference),
            one.p_adjusted,
            level_reading(one.verdict),
        )
        for one in each
    )
    return TableBlock(key, title, tuple(columns), rows, say(Message("levels-note")))
