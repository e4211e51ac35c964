"""On which verdicts ``--fail-on`` lets a command exit with 3: what the chips of an answer say, strata included."""

from __future__ import annotations

from collections.abc import Iterable

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.measure.inspections.results import HitRateGap, OutcomeTest
from fairaudit.measure.within import clear_on_average, gap_is_clear, holds_among
from fairaudit.present import words
from fairaudit.present.strata_words import differs_within

CLEAR_GAP, GAP_SIZE_UNCLEAR = "clear_gap", "gap_size_unclear"
BY_READING = {words.CLEAR_GAP: CLEAR_GAP, words.SIZE_UNCLEAR: GAP_SIZE_UNCLEAR}


def verdict_of(finding: CheckFinding | AmountFinding) -> str | None:
    """Return the verdict of an answer that a command can fail on; None for any other.

    It is that of all rows together, unless strata are named that say otherwise:

    - Clear gaps in both directions, allowing for all strata, or a clear gap on average over them, are a clear gap.
    - Where all that fits the average is within the tolerance, there is none, and one stratum alone makes none.
    - An average that is too imprecise to say so says nothing; one that points the other way is a gap, if no clear one.
    """
    word = BY_READING.get(words.evidence_word(finding.result))
    how = differs_within(finding)
    if how == "gone":
        return None
    if how == "both ways" or (finding.strata is not None and clear_on_average(finding.strata)):
        return CLEAR_GAP
    return word or (GAP_SIZE_UNCLEAR if how == "turned" else None)


def verdicts_of(findings: Iterable[CheckFinding | AmountFinding]) -> set[str]:
    """Return the verdicts of answers that a command can fail on."""
    return {verdict for finding in findings if (verdict := verdict_of(finding)) is not None}


def verdicts_of_searches(test: OutcomeTest) -> set[str]:
    """Return the same of hit rates, each group against the reference, allowing for all groups and all their strata."""
    read = zip(test.gaps, words.evidence_of_many(test.gaps), strict=True)
    n_strata = sum(len(gap.strata) for gap in test.gaps)
    found = {_verdict_of_gap(gap, word, n_strata) for gap, word in read}
    return {verdict for verdict in found if verdict is not None}


def _verdict_of_gap(gap: HitRateGap, word: str, n_strata: int) -> str | None:
    inside = [row.comparison for row in gap.strata]
    clear = [each for each in inside if gap_is_clear(each) and holds_among(each, n_strata)]
    if len({each.difference > 0 for each in clear}) == 2:
        return CLEAR_GAP
    is_likely = gap.common_p_value is not None and gap.common_p_value < 1 - gap.comparison.confidence
    if gap.common_evidence == "supported_fair":
        return None
    if gap.common_evidence == "supported_unfair" and is_likely:
        return CLEAR_GAP
    return BY_READING.get(word) or (GAP_SIZE_UNCLEAR if gap.reversal and is_likely else None)
