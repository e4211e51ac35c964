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
from fairaudit.measure.likely import gap_is_likely, is_exact, leaves_out_zero
from fairaudit.measure.mean_results import MeanComparison
from fairaudit.measure.near_limits import answer_digits, do_subtract
from fairaudit.measure.results import (
    Comparison,
    GroupComparison,
    GroupRow,
    Interval,
    StratifiedFairness,
    StratumRow,
)
from fairaudit.measure.strata import strata_warning
from fairaudit.measure.verdicts import ShownVerdict, verdict_of
from fairaudit.measure.within import deciding_average, reading_within, what_remains
from fairaudit.present import brief
from fairaudit.present.comparison_numbers import (
    by_tolerance,
    figures_that_subtract,
    gap_size_text,
    gap_text,
    own_share_text,
    ratio_text,
)
from fairaudit.present.numbers import (
    NOT_DEFINED,
    NOT_SHOWN,
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
    "ONE_REPORT",
    "STRATA_NOT_SHOWN",
    "among",
    "answer_digits",
    "confidence_text",
    "count_text",
    "deciding_ends",
    "deciding_interval",
    "deciding_level",
    "direction_text",
    "evidence_of_many",
    "evidence_range",
    "evidence_sentence",
    "evidence_word",
    "figures_that_subtract",
    "gap_is_likely",
    "gap_text",
    "gap_words",
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
    "reversal_sentence",
    "reversal_warning",
    "share_text",
    "tolerance_text",
    "unknown_sentence",
    "verdict_parts",
    "verdict_sentence",
    "verdict_word",
    "worst_pair_sentence",
]

CLEAR_GAP, ALIKE, SIZE_UNCLEAR, CANNOT_TELL = "clear gap", "alike", "a gap, size unclear", "cannot tell"
BY_VERDICT: Mapping[ShownVerdict, str] = {
    "clear_gap": CLEAR_GAP, "no_gap_above_tolerance": ALIKE, "gap_size_unclear": SIZE_UNCLEAR,
    "too_few_to_tell": CANNOT_TELL, "nothing_to_compare": NOT_DEFINED, "not_shown": NOT_SHOWN,
}  # fmt: skip
READINGS = (ALIKE, CLEAR_GAP, SIZE_UNCLEAR, CANNOT_TELL)
"""What tables and charts say where chips say "Clear gap", "Alike", "A gap, size unclear" and "Cannot tell"."""
READINGS_MEANING = "What the data support: clear gap; alike; a gap, size unclear; or cannot tell."
WITHOUT_FIGURES = (NOT_DEFINED, NOT_SHOWN)
ANSWERS = {
    ALIKE: "Yes", CLEAR_GAP: "No", SIZE_UNCLEAR: "A gap, size unclear", CANNOT_TELL: "Cannot tell",
    NOT_DEFINED: "Nothing to compare", NOT_SHOWN: "Not shown",
}  # fmt: skip
"""What each reading, or its lack, answers to "are like cases treated alike?"; the JSON and tables hold these words."""
ONE_DECISION = "one decision only"
"""The reading where all decisions are the same."""

NOT_ROUNDED = " (from the shares before rounding)"
"""Said of a gap that does not subtract as shown, with one decimal more than usual or where hidden counts forbid it."""
UNLIKELY = "If the cases are independent of each other, chance alone is an unlikely reason."
"""Said of a clear gap or difference where no column of clusters is named."""

MAY_BE = "Allowing for chance, the {} may be anywhere from"
MAY_LIE = "allowing for chance, it may lie on either side of that"
MORE_ROWS = "More rows, not another wording, would settle it."
STAYS = 0.1
"""A gap inside the strata that differs from the gap in all rows by at most this share of it has stayed."""

ONE_REPORT = (
    "Publish one report on these data, not two: beside another one, with another minimum or a filter that leaves one "
    "person out, what is hidden can be worked out."
)
"""Until the ledger knows what was published before."""

STRATA_NOT_SHOWN = (
    "Some strata are not shown, so it is not shown either whether the direction turns around inside the strata."
)


def verdict_word(result: Comparison | MeanComparison) -> str:
    """Return the answer to "are like cases treated alike?" in a word or two.

    "Yes" and "No" need clear evidence; otherwise the point answer alone would mislead, and the word is
    "A gap, size unclear" where only its size is open, "Cannot tell" where there may be none. "Nothing to compare" is
    said as where all decisions are the same, "Not shown" that a small count is hidden.
    """
    return ANSWERS[evidence_word(result)]


def evidence_word(result: Comparison | MeanComparison) -> str:
    """Return what the data support, one of :data:`READINGS`, as the chip of the same comparison says it."""
    return BY_VERDICT[verdict_of(result)]


def evidence_of_many(rows: Sequence[GroupRow | HitRateGap | StratumRow]) -> tuple[str, ...]:
    """Return :func:`evidence_word` of each of many groups, whose verdicts allow for all of them."""
    return tuple(evidence_word(row.comparison) for row in rows)


def reading(result: Comparison | MeanComparison, *, small: bool | None = None, word: str | None = None) -> str:
    """Return what the data support in a few words, for the last column of a table: `word`, or :func:`evidence_word`.

    A `small` group, one with fewer rows than the plan asks for, is marked with "few rows". Where it is not said whether
    a group is small, a comparison is marked if either side has fewer than 30 rows.
    """
    if small is None:
        small = any(side.n is not None and side.n < ENOUGH for side in (result.protected, result.reference))
    word = word or evidence_word(result)
    if word == NOT_SHOWN:
        return word
    mark = ", few rows" if small else ""
    if word == NOT_DEFINED:
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


def no_gap_words(result: Comparison, too: str = " too") -> str:
    """Return that there may be no gap at all, and who says so where the interval of the gap does not."""
    exact = " by Fisher's exact test, which holds for so few rows" if leaves_out_zero(result) else ""
    return f"no gap at all is possible{too}{exact}"


def direction_text(difference: float) -> str:
    """Return "to their disadvantage" or "to their advantage", seen from the protected group; empty for no gap."""
    if difference == 0:
        return ""
    return "to their disadvantage" if difference < 0 else "to their advantage"


def verdict_sentence(finding: CheckFinding) -> str:
    """Return the verdict as one short paragraph that stands alone.

    It names the population, both groups' shares, the gap with its direction, the tolerance where the answer
    hangs on it, which gaps fit the data, and whether the gap turns around inside the strata.
    """
    return " ".join(part for part in verdict_parts(finding) if part)


def verdict_parts(finding: CheckFinding) -> tuple[str, str]:
    """Return the verdict in two parts: the answer with its numbers, and how far chance could move them."""
    answer, spread = _answer_and_spread(finding)
    return answer, " ".join(part for part in (spread, reversal_sentence(finding)) if part)


def reversal_sentence(finding: CheckFinding) -> str:
    """Return one sentence on the gap within the strata where that says otherwise; else empty."""
    strata = finding.strata
    how = None if strata is None else reading_within(strata, finding.result)
    if strata is None or how in (None, "all", "some"):
        return ""
    difference = strata.common_difference
    interval, confidence = deciding_average(strata)
    points = points_text(difference, digits=answer_digits(strata.pooled))
    span = f"({confidence_text(confidence)} interval {interval_text(interval)})"
    within = f"But within {listed(strata_text(finding))}"
    if how == "both ways":
        return f"{within} the gap turns around from one stratum to another: on average {points} {span}."
    said = f"the gap is {direction_text(difference)}" if how in ("turned", "average") else what_remains(strata)
    return f"{within} {said} on average: {points} {span}."


def reversal_warning(finding: CheckFinding) -> str | None:
    """Return in full that the gap turns around within the strata, is gone there, or that this is not shown; or None."""
    if finding.strata is None:
        return None
    if finding.strata.reversal is None:
        return finding.strata.warning
    return strata_warning(finding.strata, group_name(finding), finding.plan.strata_cuts)


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


def _answer_and_spread(finding: CheckFinding) -> tuple[str, str]:
    result = finding.result
    word = evidence_word(result)
    if word == NOT_SHOWN:
        reason = (
            f"the shares of the protected group ({group_name(finding)}) and of the rest cannot be shown, because a "
            "count that is too small to be shown is among theirs or could be worked out from them"
        )
        return f"Not shown. {among(finding)}, {reason}.", ""
    if word == NOT_DEFINED:
        return f"Nothing to compare. {among(finding)}, {_nothing_to_compare(finding)}.", ""
    digits = answer_digits(result)
    share, rest = (share_text(side.ratio, digits=digits) for side in (result.protected, result.reference))
    shares = (
        f"{ANSWERS[word]}. {among(finding)}, {share} of the protected group ({group_name(finding)}) reach the good "
        f"outcome ({finding.meaning}), against {rest} of the rest: {gap_words(result, digits)}"
    )
    range_ = evidence_range(result)
    if word == CLEAR_GAP:
        return f"{shares}.", f"{range_}."
    limit = tolerance_text(result.tolerance)
    if result.difference or word == ALIKE:
        shares += f", {'within' if result.within_tolerance else 'outside'} the tolerance of {limit}"
    if word == ALIKE:
        return f"{shares}.", f"{range_}, all within the tolerance."
    if gap_is_likely(result):
        return f"{shares}.", f"{range_}: some gap is likely; whether it exceeds {limit} is open."
    unsettled = f"and these data do not settle whether it exceeds {limit}"
    link = ", though" if leaves_out_zero(result) else ", so"
    return f"{shares}.", f"{range_}{link} {no_gap_words(result)}, {unsettled}."


def evidence_range(result: Comparison) -> str:
    """Return which gaps fit the data, by the interval that decides, with their direction where it could be either."""
    (low, high), level = deciding_interval(result), f"({deciding_level(result)} interval)"
    ends = [points_text(end, signed=False, **by_tolerance(result)) for end in (low, high)]
    if low >= 0 or high <= 0:
        near, far = ends if abs(low) <= abs(high) else reversed(ends)
        return f"{MAY_BE.format('gap')} {near.removesuffix(' points')} to {far} {level}"
    return f"{MAY_BE.format('gap')} {ends[0]} to their disadvantage to {ends[1]} to their advantage {level}"


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


def evidence_sentence(result: Comparison) -> str:
    """Return how sure the answer is, and why, without repeating the shares."""
    tolerance, level = tolerance_text(result.tolerance), deciding_level(result)
    word = evidence_word(result)
    if word == NOT_SHOWN:
        return "How sure the answer is cannot be shown, because a count behind it is too small to be shown."
    if word == NOT_DEFINED:
        why = "at least one group has no row with a known decision"
        if result.has_one_decision:
            why = "all known decisions are the same"
        return f"There is no evidence either way: {why}."
    if word == CLEAR_GAP:
        return (
            f"The evidence for a gap is clear: the whole {level} interval lies outside the tolerance of ±{tolerance}. "
            f"{_unlikely(result)}"
        )
    if word == ALIKE:
        return (
            f"The evidence that outcomes occur alike is clear: the whole {level} interval, {deciding_ends(result)}, "
            f"which decides this, lies inside the tolerance of ±{tolerance}."
        )
    observed = "inside" if result.within_tolerance else "outside"
    if is_exact(result) and leaves_out_zero(result) and word == CANNOT_TELL:
        return f"The evidence is not clear: {no_gap_words(result)}. {MORE_ROWS}"
    if gap_is_likely(result):
        chance = f"Some gap is likely, as the {level} interval leaves out zero; whether it exceeds {tolerance} is open."
    else:
        chance = f"{brief.capital(no_gap_words(result))}."
        if not leaves_out_zero(result):
            chance = f"No gap at all is possible too, as the {level} interval includes zero."
    return (
        f"The evidence is not clear: the gap that was observed is {observed} the tolerance of ±{tolerance}, but "
        f"{MAY_LIE}. {chance} {MORE_ROWS}"
    )


def _unlikely(result: Comparison) -> str:
    cluster = getattr(result, "cluster", None)
    return UNLIKELY if cluster is None else UNLIKELY.replace("the cases are", f"the values of {cluster} are")


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
        if evidence_word(result) != CLEAR_GAP:
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


def among(finding: CheckFinding | AmountFinding) -> str:
    """Return who is looked at, for the start of a sentence."""
    return "Among all rows" if finding.where_words is None else f"Among rows where {finding.where_words}"


def gap_words(result: Comparison, digits: int) -> str:
    """Return the size of a gap and whom it favours, or that there is none; that none was observed says no more."""
    if result.difference == 0:
        return "no gap" if evidence_word(result) == ALIKE else "no observed gap"
    shares = (100 * result.protected.ratio, 100 * result.reference.ratio)
    rounded = "" if do_subtract(*shares, digits=digits) else NOT_ROUNDED
    return f"a gap of {gap_size_text(result, digits=digits)}{rounded} {direction_text(result.difference)}"


def _nothing_to_compare(finding: CheckFinding) -> str:
    result = finding.result
    if result.has_one_decision:
        who = "everybody reaches" if result.protected.ratio else "nobody reaches"
        return (
            f"{who} the good outcome ({finding.meaning}), in the protected group ({group_name(finding)}) as in the rest"
        )
    empty = []
    if result.protected.n == 0:
        empty.append(f"the protected group ({group_name(finding)}) has no row with a known decision")
    if result.reference.n == 0:
        empty.append("the rest has no row with a known decision")
    return f"{' and '.join(empty) or 'the shares are not defined'}"
