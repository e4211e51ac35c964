"""What a check found: its verdict, what becomes of the gap among similar cases, and what its ranges allow for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fairaudit.audit.result import CheckFinding
from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.measure.common_bounds import reading_of_bounds
from fairaudit.measure.grouping import value_text
from fairaudit.measure.levels import ControlledLevels, LevelAnswer, LevelGap
from fairaudit.measure.limits import sentence_digits
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.results import (
    BoundsComparison,
    Comparison,
    GroupComparison,
    GroupRow,
    MeanComparison,
    StratifiedBounds,
    StratumRow,
)
from fairaudit.measure.verdicts import GAPS, ShownVerdict, Verdict, verdict_of
from fairaudit.measure.within import (
    alike_on_average,
    clear_on_average,
    clear_strata,
    found_strata,
    is_one_stratum,
    reading_within,
    zero_fits_average,
)
from fairaudit.messages import say

_SHORT = 3
Within = Literal["gone", "both", "turned", "only", "same", "smaller", "open", "on_average"]
Answer = Literal[
    ShownVerdict, "gap_overall_none_within", "turns_around_within", "gap_only_within", "gap_perhaps_small_within"
]
_CALLED: Mapping[str, Within] = {
    "both ways": "both", "turned": "turned", "gone": "gone", "open": "open", "same": "same", "only": "only"
}  # fmt: skip


@dataclass(frozen=True)
class CheckReading:
    """What a check found, without a sentence.

    Parameters
    ----------
    verdict : ShownVerdict
        On all rows together.
    within : Within or None
        What becomes of the gap among similar cases: gone, both ways, turned around, there only, the same, smaller, or
        open as too few rows tell; on average alone where a stratum is hidden. None without strata, with one that holds
        all rows, or where all of this is hidden.
    exceptions : tuple of StratumRow
        Strata with a gap that says otherwise than what is said of all together: clear or, where none is and no gap is
        found on average, of unclear size.
    is_clear_within : bool
        Whether the gap among similar cases is clear: on average or in all strata.
    """

    verdict: ShownVerdict
    within: Within | None
    exceptions: tuple[StratumRow, ...]
    is_clear_within: bool = False

    @property
    def answer(self) -> Answer:
        """The verdict that is shown: that on all rows together, or what similar cases say otherwise."""
        match self.within:
            case "gone" if self.verdict in GAPS:
                return "gap_overall_none_within"
            case "turned" | "both":
                return "turns_around_within"
            case "only":
                return "gap_only_within" if self.is_clear_within else "gap_perhaps_small_within"
        return self.verdict

    @property
    def fails_on(self) -> ShownVerdict | None:
        """The verdict that a command can fail on; None where it has none.

        It is that of all rows together, unless strata are named that say otherwise:

        - Clear gaps in both directions, allowing for all strata, or a clear gap on average over them, are a clear gap.
        - Where all that fits the average is within the tolerance, there is none, and one stratum alone makes none.
        - An average that is too imprecise to say so says nothing; one that points the other way, or shows a gap where
          all rows have none, is a gap, if no clear one.
        """
        overall = self.verdict if self.verdict in GAPS else None
        if self.within in (None, "on_average"):
            # What is hidden moves no exit code either.
            return overall
        if self.answer == "gap_overall_none_within":
            return None
        if self.within == "both" or self.is_clear_within:
            return "clear_gap"
        return overall or ("gap_size_unclear" if self.within == "only" else None)


def read_check(finding: CheckFinding) -> CheckReading:
    """Read a finding, whole or as it leaves."""
    if (levels := levels_of(finding)) is not None:
        return read_levels(levels)
    verdict, within = verdict_of(finding.result), _within(finding)
    if isinstance(finding.strata, StratifiedBounds):
        return CheckReading(verdict, within, (), clear_on_average(finding.strata))
    strata = () if finding.strata is None else finding.strata.strata
    clear = clear_strata(strata)
    is_open = shows_none_within(finding, within)
    is_clear_within = finding.strata is not None and (clear_on_average(finding.strata) or len(clear) == len(strata) > 0)
    if is_open and not clear:
        clear = found_strata(strata)
    if not is_open and within in ("same", "smaller", "on_average") and verdict in GAPS:
        clear = [row for row in clear if row.difference * finding.result.difference < 0]
    elif not is_open and within not in ("same", "smaller", "on_average"):
        clear = []
    exceptions = tuple(sorted(clear, key=lambda row: -abs(row.difference)))
    return CheckReading(verdict, within, exceptions, is_clear_within)


def levels_of(finding: CheckFinding) -> ControlledLevels | None:
    """Return who gets which level, where that is asked and shown: the answer is then about it."""
    levels = finding.levels
    return None if levels is None or levels.verdict is None else levels


def read_levels(levels: ControlledLevels) -> CheckReading:
    """Read who gets which level, as a check is read."""
    verdict: ShownVerdict = levels.verdict or "not_shown"
    within = _levels_within(levels)
    is_clear = levels.within is not None and levels.within.together.verdict == "clear_gap"
    return CheckReading(verdict, within, (), is_clear)


def _levels_within(levels: ControlledLevels) -> Within | None:
    if levels.within is None or not levels.within.strata:
        return None
    whole, inside = levels.answer, levels.within.together
    if inside.verdict not in GAPS:
        return "gone" if inside.verdict == "no_gap_above_tolerance" or _is_nothing(inside, levels.tolerance) else "open"
    if whole.verdict not in GAPS:
        return "only"
    if levels.ordered:
        verdict: Verdict | None = inside.verdict
        is_turned = inside.difference * whole.difference < 0
    else:
        # The headline is about one level: what becomes of that one counts.
        named = largest_gap(whole.levels)
        there = None if named is None else gap_there(inside, named)
        verdict = None if there is None else there.verdict
        is_turned = named is not None and there is not None and there.difference * named.difference < 0
        is_turned = is_turned and verdict in GAPS and named is not None and named.verdict in GAPS
    if is_turned:
        return "turned"
    return "same" if verdict == "clear_gap" else "smaller"


def largest_gap(gaps: Sequence[LevelGap]) -> LevelGap | None:
    """Return the level with the largest gap of those with the clearest verdict."""
    return min(gaps, key=lambda gap: (_place(gap.verdict), -abs(gap.difference)), default=None)


def gap_there(inside: LevelAnswer, named: LevelGap) -> LevelGap | None:
    """Return the gap that similar cases have at a level."""
    return next((gap for gap in inside.levels if gap.level == named.level), None)


def _place(verdict: Verdict | None) -> int:
    return GAPS.index(verdict) if verdict in GAPS else len(GAPS)


def _is_nothing(answer: LevelAnswer, tolerance: float) -> bool:
    """Say whether no gap fits best, as far as too few cases tell."""
    gaps = [answer.difference] if math.isfinite(answer.difference) else [gap.difference for gap in answer.levels]
    return all(abs(gap) <= tolerance for gap in gaps)


def shows_none_within(finding: CheckFinding, within: Within | None) -> bool:
    """Return whether similar cases show no gap on average, so that any stratum with one is an exception."""
    if within != "on_average":
        return within in ("gone", "open")
    strata = finding.strata
    return strata is not None and (alike_on_average(strata) or zero_fits_average(strata))


def n_without_counterpart(finding: CheckFinding) -> int:
    """Return how many cases are in a stratum where nobody of the other group is; 0 where that is not known."""
    strata = finding.strata
    if strata is None or not strata.left_out or isinstance(strata, StratifiedBounds):
        return 0
    inside = [side.n for row in strata.strata for side in (row.comparison.protected, row.comparison.reference)]
    whole = [finding.result.protected.n, finding.result.reference.n]
    return 0 if None in (*inside, *whole) else sum(whole) - sum(inside)


def quantity_of(finding: CheckFinding) -> Quantity:
    """Return what is compared, with the fewest decimals by which the gap stands on its side of the tolerance."""
    result = finding.result
    return Quantity(result.quantity, sentence_digits(result), finding.names.of_unfavorable)


def is_proposed(finding: CheckFinding) -> bool:
    """Say whether the tolerance is one that the audit did not set."""
    kind = finding.decision.kind
    return finding.plan.limit(kind) == kind.usual_tolerance


def subtract(quantity: Quantity, result: Comparison | MeanComparison) -> bool:
    """Say whether both figures and the gap subtract as they are written."""
    return quantity.subtracts(*result.values, result.difference)


def stratum_names(rows: Sequence[StratumRow]) -> list[str]:
    """Return what strata are called: by their values, after the column where these say little, as a grade does."""
    said = [[value_text(value) for _, value in row.values if value is not None] for row in rows]
    is_short = all(len(text) <= _SHORT for texts in said for text in texts)
    return [
        ", ".join(
            say(Message("check-stratum-unknown", {"column": Phrase(column)}))
            if value is None
            else f"{column} {value_text(value)}"
            if is_short
            else value_text(value)
            for column, value in row.values
        )
        for row in rows
    ]


def place_of(row: StratumRow) -> str:
    """Return what a stratum is called in a sentence: each value after its column."""
    return ", ".join(
        say(Message("check-stratum-unknown", {"column": Phrase(column)}))
        if value is None
        else say(Message("name-label-value", {"column": Phrase(column), "value": Phrase(value_text(value))}))
        for column, value in row.values
    )


def _within(finding: CheckFinding) -> Within | None:
    strata = finding.strata
    if strata is None or strata.reversal is None or is_one_stratum(strata):
        return None
    if isinstance(strata, StratifiedBounds):
        found = reading_of_bounds(strata)
        return None if found is None else _CALLED[found]
    known = (strata.common_difference, *strata.common_difference_interval)
    if None in known or not all(map(math.isfinite, known)):
        return None
    if any(row.difference is None for row in strata.strata):
        return "on_average"
    match reading_within(strata, finding.result):
        case "turned" if finding.result.verdict not in GAPS:
            # Where all rows have no gap, there is none to turn.
            return "only"
        case "both ways" | "turned" | "gone" | "open" as how:
            return _CALLED[how]
        case "average" | "all":
            return "only"
    if alike_on_average(strata):
        return "gone"
    if zero_fits_average(strata):
        return "open"
    if finding.result.verdict not in GAPS:
        return "only"
    return "same" if clear_on_average(strata) else "smaller"


# What the ranges and verdicts of many groups, or of strata, allow for.


def say_ranges(rows: Sequence[GroupRow | StratumRow], *, questions: int | None = None) -> str:
    """Say that ranges are those of each row by itself, and by which method verdicts allow for all; empty for one.

    `questions` is how many there are, where rows say the same.
    """
    number = len(rows) if questions is None else questions
    if number < 2:
        return ""
    compared = [row.comparison for row in rows]
    is_alone = any(each.difference is None or isinstance(each, BoundsComparison) for each in compared)
    method = "bonferroni" if is_alone else "holm"
    return say(Message("check-many-ranges", {"n": Count(number), "method": Word(method)}))


def say_group_ranges(comparison: GroupComparison) -> str:
    """Say the same of groups; each of two without a reference is the rest of the other, which is one question."""
    is_one = comparison.reference is None and len(comparison.rows) == 2
    return say_ranges(comparison.rows, questions=1 if is_one else None)
