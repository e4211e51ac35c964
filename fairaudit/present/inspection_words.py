"""Searches and inspections in sentences for page, report and command line: hit rates, thresholds, light and darkness.

A threshold is a number of a model, and no sentence reads it as a motive.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from fairaudit.errors import sure
from fairaudit.measure.inspections.results import HitRate, HitRateGap, OutcomeTest, ThresholdChecks, VeilGap
from fairaudit.present import brief, words
from fairaudit.present.chips import Chip, reading_chip
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
    from fairaudit.audit.inspection_results import InspectionFinding

QUESTION: Final = "Searches and inspections"

HIDDEN: Final = (
    "Small counts are to be hidden, so no figure of searches and inspections is shown: who was looked at and what was "
    "found divides people by more than the other tables count, and few finds could be worked out beside them. They can "
    "be looked at on the page “Searches and inspections”, and not be published beside this report. Leave the question "
    "out of this audit."
)
MISLEADS: Final = (
    "When hit rates mislead: a hit rate is an average over all who were looked at, also over those where a find was as "
    "good as certain. Two groups can be looked at from the same likelihood of a find on and still have different hit "
    "rates, because in one of them more cases lie far above it. And they can have the same hit rate although one of "
    "them is looked at on weaker grounds. Hit rates alone cannot tell these apart. The threshold test asks about the "
    "grounds themselves; for that it must be known how many were not looked at."
)
DISAGREE: Final = (
    "Here this matters: one group is looked at clearly more often than another, and what is found does not differ "
    "accordingly. Hit rates alone do not settle such a case."
)
ASSUMES: Final = (
    "What the model assumes: whoever looks sees how likely a find is, and looks where that is above a threshold, one "
    "for each group in each place. How likely finds are differs by group and by place, and both add up. If one group's "
    "cases are harder to judge, or something else is looked for there, its threshold comes out too high or too low. A "
    "threshold is a number of this model. It does not say what anybody meant or knew."
)
VEIL_ASSUMES: Final = (
    "What this rests on: in darkness it is harder to see who somebody is, and at the same hour of the clock the same "
    "people are about, light or dark. Street lamps, a car that is known, another season or other patrols break that. A "
    "difference does not say why somebody was stopped, and none does not say that all were stopped alike."
)
NOT_SAID: Final = (
    "Hit rates, thresholds and stops in darkness do not show what anybody meant, and not whether a single search was "
    "right.",
    "Who could have been looked at is taken as the table has it. Cases that were never written down are missing from "
    "all of this.",
    "What counts as found is what was written down. Where finds of one kind are looked for in one group and of another "
    "kind in the other, hit rates compare unlike things.",
)
NO_FIT: Final = Chip("Model does not fit", "open")
ROUGH: Final = Chip("Rough figures", "open")


def is_hidden(finding: InspectionFinding) -> bool:
    """Say whether the small-cell rule hides what was found."""
    return finding.outcome.n_acted is None


def leading_gap(test: OutcomeTest) -> tuple[HitRateGap, str]:
    """Return the gap that the answer is about, and its reading, which allows for all groups.

    The largest clear one; where none is clear, that of most looks.
    """
    order = (words.CLEAR_GAP, words.SIZE_UNCLEAR, words.CANNOT_TELL, words.ALIKE, NOT_DEFINED, NOT_SHOWN)

    def place(read: tuple[HitRateGap, str]) -> tuple[int, float]:
        gap, word = read
        return order.index(word), -(_size(gap.difference) if word == words.CLEAR_GAP else gap.comparison.protected.n)

    return min(zip(test.gaps, words.evidence_of_many(test.gaps), strict=True), key=place)


def outcome_chip(finding: InspectionFinding) -> Chip:
    """Return what the hit rates support."""
    return reading_chip(leading_gap(finding.outcome)[1])


def outcome_headline(finding: InspectionFinding) -> str:
    """Return the hit rates that the answer is about, in one sentence."""
    if is_hidden(finding):
        return "What was found is not shown."
    test = finding.outcome
    gap, word = leading_gap(test)
    if word in (words.ALIKE, words.CANNOT_TELL) and len(test.gaps) > 1:
        known = [rate for rate in test.hit_rates if rate.hits.n]
        low, high = (pick(known, key=lambda rate: rate.hits.ratio) for pick in (min, max))
        return (
            f"Of those looked at, something was found in {share_text(low.hits.ratio)} ({brief.short(low.name)}) to "
            f"{share_text(high.hits.ratio)} ({brief.short(high.name)})."
        )
    if word == NOT_DEFINED:
        return "Of those looked at, there is nothing to compare."
    mine, other = gap.comparison.protected, gap.comparison.reference
    return (
        f"Of those looked at, something was found in {share_text(mine.ratio)} ({brief.short(mine.name)}) and "
        f"{share_text(other.ratio)} ({brief.short(other.name)})."
    )


def outcome_details(finding: InspectionFinding) -> str:
    """Return what stands below :func:`outcome_headline`: the difference, how sure it is, what strata leave."""
    if is_hidden(finding):
        return HIDDEN
    test = finding.outcome
    gap, word = leading_gap(test)
    if word == NOT_DEFINED:
        return " ".join(test.warnings)
    found = gap.comparison
    side = "within" if found.within_tolerance else "more than"
    span = f"{words.deciding_level(found)} interval {interval_text(words.deciding_interval(found))}"
    parts = [
        f"The hit rate for {brief.short(gap.name)} is {_sided(found.difference)} than for "
        f"{brief.short(test.reference)} ({span}), {side} the tolerance of {tolerance_text(test.tolerance)}.",
        _sureness(gap, word, len(test.gaps)),
        _weaker_grounds(gap, word, test),
        _strata(gap, test),
    ]
    if not any(rate.n_cases is None for rate in test.hit_rates):
        rate, other = _rate(test, gap.name), _rate(test, test.reference)
        parts.append(
            f"Looked at: {share_text(rate.acted_rate)} of {count_text(rate.n_cases)} ({brief.short(gap.name)}), "
            f"{share_text(other.acted_rate)} of {count_text(other.n_cases)} ({brief.short(test.reference)})."
        )
    return " ".join(part for part in parts if part)


def outcome_sentence(finding: InspectionFinding) -> str:
    """Return the answer about hit rates as one paragraph."""
    return f"{outcome_headline(finding)} {outcome_details(finding)}"


def misleads(finding: InspectionFinding) -> str:
    """Return when hit rates mislead, and whether this is such a case."""
    return f"{DISAGREE} {MISLEADS}" if finding.outcome.rates_disagree else MISLEADS


def threshold_gap(finding: InspectionFinding) -> Any:
    """Return the row of the gap of thresholds that the answer is about: a clear one first, of several the largest."""
    order = ("clear_gap", "gap_size_unclear", "too_few_to_tell", "no_gap_above_tolerance")
    rows = list(sure(finding.thresholds).gaps.itertuples())
    clear = [order.index(row.verdict) for row in rows]
    return min(zip(clear, rows, strict=True), key=lambda pair: (pair[0], -_size(pair[1].difference)))[1]


def threshold_chip(finding: InspectionFinding) -> Chip:
    """Return what the thresholds support; where the model does not fit the data, or its draws do not agree, that."""
    found = sure(finding.thresholds)
    if not found.checks.passed:
        return ROUGH if found.checks.rates_within else NO_FIT
    return reading_chip(words.BY_VERDICT[threshold_gap(finding).verdict])


def threshold_headline(finding: InspectionFinding) -> str:
    """Return the thresholds that the answer is about, in one sentence."""
    found = sure(finding.thresholds)
    row = threshold_gap(finding)
    levels = found.aggregate.set_index("group")["threshold"]
    mine, other = (share_text(levels[name]) for name in (row.group, found.reference))
    if not found.checks.passed:
        both = f"{mine} for {brief.short(row.group)} and {other} for {brief.short(found.reference)}"
        if found.checks.rates_within:
            return f"The thresholds are rough, as {_doubt(found.checks)}: about {both}."
        return f"The model does not fit, as {_doubt(found.checks)}. Its thresholds, {both}, are no answer."
    return (
        f"By the model, {brief.short(row.group)} is looked at once a find is {mine} likely, "
        f"{brief.short(found.reference)} once it is {other} likely."
    )


def threshold_details(finding: InspectionFinding) -> str:
    """Return what stands below :func:`threshold_headline`."""
    found, row = sure(finding.thresholds), threshold_gap(finding)
    alike = row.verdict == "no_gap_above_tolerance" and found.checks.passed
    ends = (row.equivalence_low, row.equivalence_high) if alike else (row.low, row.high)
    span = f"{_level(found.confidence, alike=alike)} interval {interval_text(ends)}"
    many = len(found.gaps) > 1
    shown = {
        "clear_gap": f"The interval is beyond the tolerance of {tolerance_text(found.tolerance)}",
        "gap_size_unclear": "The interval does not reach 0",
        "no_gap_above_tolerance": f"The interval is within the tolerance of {tolerance_text(found.tolerance)}",
        "too_few_to_tell": "Whether there is a difference, and how large, is open",
    }[row.verdict]
    together = f"{', also' * (row.verdict != 'too_few_to_tell')} when all groups are judged together" if many else ""
    gap = (
        f"In places with cases of both, the threshold for {brief.short(row.group)} is {_sided(row.difference)} "
        f"than for {brief.short(found.reference)} ({span})."
    )
    if not found.checks.passed:
        return f"{gap} Whether there is a difference, and how large, is open."
    return (
        f"{gap} {shown}{together}. It is lower in "
        f"{count_text(row.n_lower)} of {count_text(row.n_locations)} places, clearly so in "
        f"{count_text(row.n_clearly_lower)}; clearly higher in {count_text(row.n_clearly_higher)}."
    )


def threshold_sentence(finding: InspectionFinding) -> str:
    """Return the answer about thresholds as one paragraph; empty where there is none."""
    if finding.thresholds is None or is_hidden(finding):
        return ""
    return f"{threshold_headline(finding)} {threshold_details(finding)}"


def _doubt(checks: ThresholdChecks) -> str:
    """Return why thresholds are in doubt."""
    return "the model's computations did not settle" if checks.rates_within else checks.misfit()


def check_sentences(finding: InspectionFinding) -> tuple[str, ...]:
    """Return whether the model can make the data that it was fitted to."""
    checks = sure(finding.thresholds).checks
    if checks.passed:
        verdict = "The model fits these counts."
    elif checks.rates_within:
        verdict = (
            "The model's computations, repeated from several starts, did not settle on the same thresholds: take them "
            "as rough. Fewer and larger places, or the other form of the model, may help."
        )
    else:
        verdict = (
            f"The model does not fit these counts well, as {_doubt(checks)}: do not rely on its thresholds. Fewer and "
            "larger places may help; hit rates do not need the model."
        )
    found = [
        f"{verdict} Its rates of looking lie {points_text(checks.search_rate_error, signed=False)} from those observed "
        f"(root of the mean square), its hit rates {points_text(checks.hit_rate_error, signed=False)}.",
        f"Of all groups in places, {share_text(checks.search_rates_within)} have as many looks, and "
        f"{share_text(checks.hit_rates_within)} as many finds, as the model expects.",
    ]
    if checks.placebo is not None:
        placebo = checks.placebo
        found.append(
            f"Placebo: with the groups shuffled inside each place {count_text(placebo.n_shuffles)} times, "
            f"{count_text(placebo.n_different)} of {count_text(placebo.n_comparisons)} differences looked clear, the "
            f"largest of {points_text(placebo.largest, signed=False)}. There was none to find."
        )
    return tuple(found)


def veil_gap(finding: InspectionFinding) -> VeilGap:
    """Return the group that the answer is about: the clearest one; where none is clear, that of most stops."""
    order = {"clear_gap": 0, "gap_size_unclear": 1, "too_few_to_tell": 2, "no_gap_above_tolerance": 3}

    def place(gap: VeilGap) -> tuple[int, float]:
        rank = order.get(gap.verdict, 0)
        return rank, -(gap.n_light + gap.n_dark if rank > 1 else _size(_log(gap.odds_ratio)))

    return min(sure(finding.veil).gaps, key=place)


def veil_chip(finding: InspectionFinding) -> Chip:
    """Return what light and darkness support."""
    return reading_chip(words.BY_VERDICT[veil_gap(finding).verdict])


def veil_headline(finding: InspectionFinding) -> str:
    """Return the shares in light and darkness that the answer is about, in one sentence."""
    gap = veil_gap(finding)
    mine, other = brief.short(gap.name), brief.short(sure(finding.veil).reference)
    return (
        f"Of stops of {mine} or {other}, {share_text(gap.share_light)} are of {mine} in light and "
        f"{share_text(gap.share_dark)} in darkness."
    )


def veil_details(finding: InspectionFinding) -> str:
    """Return what stands below :func:`veil_headline`: the odds ratio at the same hours, and what was compared."""
    veil, gap = sure(finding.veil), veil_gap(finding)
    alike = gap.verdict == "no_gap_above_tolerance"
    ends = gap.equivalence_interval if alike else gap.interval
    span = f"{_level(veil.confidence, alike=alike)} interval {interval_text(ends, 'number', digits=2)}"
    place = "" if veil.place is None else " and place"
    fit = f"The interval does not reach 1: the data fit that it is stopped {'more' if gap.odds_ratio > 1 else 'less'}"
    shown = {
        "clear_gap": f"{fit} where it can be seen",
        "gap_size_unclear": f"{fit} where it can be seen",
        "no_gap_above_tolerance": f"The interval is within {number_text(veil.ratio_tolerance)} either way",
        "too_few_to_tell": "Whether light makes a difference is open",
    }[gap.verdict]
    many = len(veil.gaps) > 1
    together = f"{', also' * (gap.verdict != 'too_few_to_tell')} when all groups are judged together" if many else ""
    tested = f"for all groups together {p_text(gap.adjusted_p_value)}" if many else p_text(gap.p_value)
    mine = brief.short(gap.name)
    found = (
        f"At the same hour{place}, the odds that a stop is of {mine} are {number_text(gap.odds_ratio)} times as high "
        f"in light as in darkness ({span}, {tested})."
    )
    if math.isnan(gap.odds_ratio):
        found = f"For the same hour{place}, no odds ratio of {mine} can be worked out."
    return (
        f"{found} {shown}{together}. Compared: {count_text(veil.n_light)} stops in light and "
        f"{count_text(veil.n_dark)} in darkness, at hours that are both over the year. {_which_stops(finding)}"
    )


def _which_stops(finding: InspectionFinding) -> str:
    """Return which rows count as stops, and how many they are."""
    veil = sure(finding.veil)
    n_rows = count_text(veil.n_rows)
    lacking = f", but for {count_text(veil.n_unknown)} without all that is needed" if veil.n_unknown else ""
    if sure(finding.plan.veil).acted_only:
        return f"Stops are the {n_rows} rows that were looked at{lacking}."
    return f"Each of {n_rows} rows counts as a stop, looked at or not{lacking}."


def veil_sentence(finding: InspectionFinding) -> str:
    """Return the answer about light and darkness as one paragraph; empty where there is none."""
    if finding.veil is None or is_hidden(finding):
        return ""
    return f"{veil_headline(finding)} {veil_details(finding)}"


def line(finding: InspectionFinding) -> str:
    """Return the answers as `run` prints them."""
    parts = (outcome_sentence(finding), threshold_sentence(finding), veil_sentence(finding))
    return f"{QUESTION}: {' '.join(part for part in parts if part)}"


def _sureness(gap: HitRateGap, word: str, n_gaps: int) -> str:
    together = "" if n_gaps == 1 else f" ({p_text(gap.adjusted_p_value)}, for all {n_gaps} groups together)"
    match word:
        case words.CLEAR_GAP:
            return f"Chance alone is an unlikely reason{together}."
        case words.ALIKE:
            return f"All differences that fit the data are within that{together}."
        case words.CANNOT_TELL if words.gap_is_likely(gap.comparison):
            return f"Among so many groups, chance alone can make one differ as much{together}."
        case words.CANNOT_TELL:
            return f"No difference at all is possible, and so is one beyond that{together}."
    return f"Some difference is likely; whether it is beyond that is open{together}."


def _weaker_grounds(gap: HitRateGap, word: str, test: OutcomeTest) -> str:
    """Return what a lower hit rate suggests; nothing where there may be no difference, or strata turn it around."""
    if word not in (words.CLEAR_GAP, words.SIZE_UNCLEAR) or gap.reversal:
        return ""
    lower = gap.name if sure(gap.difference) < 0 else sure(test.reference)
    return (
        f"A lower hit rate suggests that {brief.short(lower)} was looked at on weaker grounds, as far as this test can "
        "tell."
    )


def _level(confidence: float, *, alike: bool) -> str:
    """Return the confidence of the interval that decides: two one-sided tests at 95 % make a 90 % interval."""
    return confidence_text(max(2 * confidence - 1, 0.0) if alike else confidence)


def _strata(gap: HitRateGap, test: OutcomeTest) -> str:
    if not test.strata or not math.isfinite(gap.common_difference):
        return ""
    span = f"{confidence_text(test.confidence)} interval {interval_text(gap.common_difference_interval)}"
    low, high = gap.common_difference_interval
    is_sure = not low <= 0 <= high and gap.common_p_value < 1 - test.confidence
    turns = " It turns around there." if gap.reversal and is_sure else ""
    where = f"Within {' and '.join(test.strata)}"
    return f"{where} it is {_sided(gap.common_difference)} on average ({span}).{turns}"


def _rate(test: OutcomeTest, name: str) -> HitRate:
    return next(rate for rate in test.hit_rates if rate.name == name)


def _sided(difference: float) -> str:
    """Return a difference as "3.2 points lower"; 0 has no side."""
    size = points_text(difference, signed=False)
    return f"{size} {'lower' if difference < 0 else 'higher'}"


def _size(value: float | None) -> float:
    return abs(value) if value is not None and math.isfinite(value) else -1.0


def _log(ratio: float | None) -> float:
    return math.log(ratio) if ratio is not None and math.isfinite(ratio) and ratio > 0 else math.nan
