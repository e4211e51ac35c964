"""The sentences that pages, command line and report share: plain English, right in direction and number.

Shares are shown in percent, gaps in points, as :mod:`fairaudit.present.numbers` prints them. All functions are pure
and take the dataclasses of :mod:`fairaudit.measure.results` or a ``CheckFinding``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairaudit.defaults import ENOUGH
from fairaudit.errors import sure
from fairaudit.measure.bands import each_of, named_strata
from fairaudit.measure.grouping import value_text
from fairaudit.measure.likely import gap_is_likely
from fairaudit.measure.mean_results import MeanComparison
from fairaudit.measure.near_limits import answer_digits
from fairaudit.measure.results import (
    Comparison,
    GroupComparison,
    GroupRow,
    Interval,
    StratifiedFairness,
    StratumRow,
)
from fairaudit.measure.verdicts import ShownVerdict, verdict_of
from fairaudit.present import brief
from fairaudit.present.comparison_numbers import (
    by_tolerance,
    figures_that_subtract,
    gap_text,
    own_share_text,
    ratio_text,
)
from fairaudit.present.numbers import (
    confidence_text,
    count_text,
    interval_text,
    number_text,
    p_text,
    points_text,
    share_text,
    tolerance_text,
)

if TYPE_CHECKING:
    from fairaudit.audit.result import AmountFinding, CheckFinding
    from fairaudit.measure.inspections.results import HitRateGap
    from fairaudit.measure.mean_strata import StratifiedMeans

__all__ = [
    "STRATA_NOT_SHOWN",
    "answer_digits",
    "confidence_text",
    "count_text",
    "deciding_ends",
    "deciding_interval",
    "deciding_level",
    "direction_text",
    "figures_that_subtract",
    "gap_is_likely",
    "gap_text",
    "group_name",
    "impact_ratio_sentence",
    "interval_text",
    "is_hidden",
    "listed",
    "number_text",
    "own_share_text",
    "p_text",
    "points_text",
    "population_sentence",
    "ratio_text",
    "reading",
    "share_text",
    "tolerance_text",
    "unknown_sentence",
    "verdict_word",
    "verdict_words",
    "worst_pair_sentence",
]

CLEAR_GAP, ALIKE, SIZE_UNCLEAR = "Clear gap", "No gap above your limit", "Gap, size unclear"
CANNOT_TELL, NOTHING_TO_COMPARE, NO_VERDICT = "Too few to tell", "Nothing to compare", "Not shown"
BY_VERDICT: Mapping[ShownVerdict, str] = {
    "clear_gap": CLEAR_GAP, "no_gap_above_tolerance": ALIKE, "gap_size_unclear": SIZE_UNCLEAR,
    "too_few_to_tell": CANNOT_TELL, "nothing_to_compare": NOTHING_TO_COMPARE, "not_shown": NO_VERDICT,
}  # fmt: skip
READINGS = (ALIKE, CLEAR_GAP, SIZE_UNCLEAR, CANNOT_TELL)
"""Verdicts that charts mark."""
READINGS_MEANING = "The verdict, as the chip of the same comparison says it."
ONE_DECISION = "one decision only"
"""The reading where all decisions are the same."""


STAYS = 0.1
"""A gap inside the strata that differs from the gap in all rows by at most this share of it has stayed."""

STRATA_NOT_SHOWN = (
    "Some strata are not shown, so it is not shown either whether the direction turns around inside the strata."
)


def verdict_word(result: Comparison | MeanComparison) -> str:
    """Return the verdict, as the chip of the same comparison says it."""
    return BY_VERDICT[verdict_of(result)]


def verdict_words(rows: Sequence[GroupRow | HitRateGap | StratumRow]) -> tuple[str, ...]:
    """Return :func:`verdict_word` of each of many groups, whose verdicts allow for all of them."""
    return tuple(verdict_word(row.comparison) for row in rows)


def reading(result: Comparison | MeanComparison, *, small: bool | None = None, word: str | None = None) -> str:
    """Return what the data support in a few words, for the last column of a table: `word`, or :func:`verdict_word`.

    A `small` group, one with fewer rows than the plan asks for, is marked with "few rows". Where it is not said whether
    a group is small, a comparison is marked if either side has fewer than 30 rows.
    """
    if small is None:
        small = any(side.n is not None and side.n < ENOUGH for side in (result.protected, result.reference))
    word = word or verdict_word(result)
    if word == NO_VERDICT:
        return word
    mark = ", few rows" if small else ""
    if word == NOTHING_TO_COMPARE:
        return (ONE_DECISION if result.has_one_decision else word) + mark
    return word + mark


def strata_text(finding: CheckFinding | AmountFinding, bands: str = "bands of") -> list[str]:
    """Return what the strata of an answer are made of, in words; nothing without strata."""
    strata = finding.strata
    return [] if strata is None else named_strata(strata.columns, finding.plan.strata_cuts, bands)


def each_stratum_text(finding: CheckFinding | AmountFinding, between: str = " and ") -> str:
    """Say of which columns each value is a stratum, and of which each band; empty without strata."""
    strata = finding.strata
    return "" if strata is None else each_of(strata.columns, finding.plan.strata_cuts, between=between)


def bands_sentence(finding: CheckFinding | AmountFinding) -> str:
    """Say where columns are cut into bands; empty where none is."""
    cut = [f"{name} at {listed(list(map(value_text, cuts)))}" for name, cuts in finding.plan.strata_cuts.items()]
    return f"Cut into bands: {'; '.join(cut)}. A band is from one cut on and below the next." if cut else ""


def strata_left_out(strata: StratifiedFairness | StratifiedMeans, lack: str = "is empty") -> str:
    """Return the strata that are not compared, as one of the groups `lack`; empty where all are compared."""
    if not strata.left_out:
        return ""
    return f"Not compared, because one of the groups {lack} there: {'; '.join(strata.left_out)}."


def strata_left_out_counted(strata: StratifiedFairness | StratifiedMeans, lack: str = "is empty") -> str:
    """Return the same with how many strata and rows these are, for a page, where no count is hidden."""
    if not strata.left_out:
        return ""
    compared = [side.n or 0 for row in strata.strata for side in (row.comparison.protected, row.comparison.reference)]
    pooled = strata.pooled
    rows = (pooled.protected.n or 0) + (pooled.reference.n or 0) - sum(compared)
    n = len(strata.left_out)
    which = f"{n} {'stratum' if n == 1 else 'strata'} with {count_text(rows)} row{'' if rows == 1 else 's'}"
    return f"Left out: {which}. {strata_left_out(strata, lack)}"


def is_hidden(result: Comparison | MeanComparison) -> bool:
    """Return whether the small-cell rule hides the numbers of a comparison."""
    return result.difference is None


def direction_text(difference: float) -> str:
    """Return "to their disadvantage" or "to their advantage", seen from the protected group; empty for no gap."""
    if difference == 0:
        return ""
    return "to their disadvantage" if difference < 0 else "to their advantage"


def strata_verb(inside: float, overall: float) -> str:
    """Return what becomes of a gap inside the strata: it stays within a tenth of itself, grows, shrinks or turns.

    Examples
    --------
    >>> strata_verb(-0.095, -0.1), strata_verb(-0.05, -0.1), strata_verb(0.05, -0.1)
    ('stays', 'shrinks', 'turns around')
    """
    if inside * overall < 0:
        return "turns around"
    if abs(inside - overall) <= STAYS * abs(overall):
        return "stays"
    return "grows" if abs(inside) > abs(overall) else "shrinks"


def deciding_interval(result: Comparison | MeanComparison) -> Interval:
    """Return the interval that decides: where both groups are clearly alike, that of the two one-sided tests."""
    return result.equivalence_interval if result.verdict == "no_gap_above_tolerance" else result.difference_interval


def deciding_level(result: Comparison | MeanComparison) -> str:
    """Return the confidence of the interval that decides; two one-sided tests at 95 % make a 90 % interval."""
    alike = result.verdict == "no_gap_above_tolerance"
    return confidence_text(max(2 * result.confidence - 1, 0.0) if alike else result.confidence)


def deciding_ends(result: Comparison) -> str:
    """Return the ends of the interval that decides, in points, apart from the tolerance."""
    return interval_text(deciding_interval(result), **by_tolerance(result))


def impact_ratio_sentence(result: Comparison, *, rest: str = "the rest") -> str:
    """Return the impact ratio, how it stands to the four-fifths rule, and why it may pass that beside a clear gap."""
    ratio = result.impact_ratio
    what = f"protected divided by {rest}"
    if ratio is None:
        return f"Impact ratio ({what}): not shown."
    if not math.isfinite(ratio):
        reason = f"nobody in {rest} reaches the good outcome" if result.reference.n else f"{rest} has no rows"
        return f"Impact ratio ({what}): not defined, because {reason}."
    lead = f"Impact ratio {ratio_text(result)} ({what}):"
    if result.four_fifths:
        passes = f"{lead} within four fifths in both directions (0.80 to 1.25)"
        if verdict_word(result) != CLEAR_GAP:
            return f"{passes}."
        limit = tolerance_text(result.tolerance)
        return f"{passes}. That rule of thumb lets larger gaps pass than the tolerance of {limit} here."
    if ratio < 1:
        return f"{lead} below four fifths (0.80), to the disadvantage of the protected group."
    return f"{lead} above 1.25, so {rest} is below four fifths of the protected group."


def unknown_sentence(finding: CheckFinding | AmountFinding) -> str:
    """Return how many rows are left out because their group is unknown; empty where none is, or where it is hidden."""
    n = finding.result.unknown
    if not n:
        return ""
    rows, which = ("row", "it is") if n == 1 else ("rows", "they are")
    return f"{count_text(n)} {rows} without a known group left out: {which} neither protected nor in the rest."


def population_sentence(finding: CheckFinding | AmountFinding, noun: str | None = None) -> str:
    """Return how many rows were compared, and how many were not and why, such as that they have no `noun`."""
    result = finding.result
    total = None
    if result.n_population is not None and result.n_filtered_out is not None:
        total = result.n_population + result.n_filtered_out
    counts = (
        (result.protected.n, "in the protected group"),
        (result.reference.n, "in the rest"),
        (result.unknown, "in neither because the group is unknown"),
        (result.undecided, f"left out because they have no {noun or finding.decision.kind.noun}"),
    )
    sides = counts[:2]
    known = [f"{count_text(n)} {what}" for n, what in counts if n or (n == 0 and (n, what) in sides)]
    hidden = [what for n, what in counts if n is None]
    meet = "are looked at" if finding.where_words is None else f"meet the filter ({finding.where_words})"
    if result.n_population is None:
        first = f"How many rows {meet} is not shown"
    elif finding.where_words is None:
        first = f"All {count_text(result.n_population)} rows are looked at"
    else:
        of = "rows" if total is None else f"of {count_text(total)} rows"
        first = f"{count_text(result.n_population)} {of} {meet}"
    link = ": " if result.n_population is not None else "; among them are "
    last = f" How many are {listed(hidden, 'or')} is not shown." if hidden else ""
    return f"{first}{link + listed(known) if known else ''}.{last}"


def worst_pair_sentence(comparison: GroupComparison, noun: str) -> str:
    """Return between which two groups the largest gap is and, of more than two groups, that the pair was picked."""
    pair = " and ".join(brief.group(name, brief.WHOLE) for name in sure(comparison.worst_pair))
    if len(comparison.rows) + (comparison.reference is not None) == 2:
        return f"The largest {noun} is between {pair}."
    return (
        f"Furthest apart of all groups are {pair}. The largest of several {noun}s looks larger than it is, by chance "
        "alone."
    )


def listed(parts: Sequence[str], link: str = "and") -> str:
    """Return phrases as one, such as "a, b, and c"."""
    if len(parts) < 3:
        return f" {link} ".join(parts)
    return f"{', '.join(parts[:-1])}, {link} {parts[-1]}"


def group_name(finding: Any) -> str:
    """Return the protected group as its plan names it, or its condition in words."""
    return finding.plan.protected_name or finding.protected_words
