"""On which verdicts ``--fail-on`` lets a command exit with 3: what the chips of an answer say, strata included."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.measure.inspections.results import HitRateGap, OutcomeTest
from fairaudit.measure.within import clear_on_average
from fairaudit.present import words
from fairaudit.present.strata_words import differs_within, has_clear_stratum

CLEAR_GAP, GAP_SIZE_UNCLEAR = "clear_gap", "gap_size_unclear"
BY_READING = {words.CLEAR_GAP: CLEAR_GAP, words.SIZE_UNCLEAR: GAP_SIZE_UNCLEAR}


def verdict_of(finding: CheckFinding | AmountFinding) -> str | None:
    """Return the verdict of an answer that a command can fail on; None for any other.

    A clear gap in one stratum is one, whatever all rows together or the average over strata say. Where strata say
    otherwise than all rows together, theirs counts: a gap that is gone within similar cases is none.
    """
    if has_clear_stratum(finding.strata):
        return CLEAR_GAP
    match differs_within(finding):
        case "gone":
            return None
        case "turned":
            return CLEAR_GAP if finding.strata and clear_on_average(finding.strata) else GAP_SIZE_UNCLEAR
    return BY_READING.get(words.evidence_word(finding.result))


def verdicts_of(findings: Iterable[CheckFinding | AmountFinding]) -> set[str]:
    """Return the verdicts of answers that a command can fail on."""
    return {verdict for finding in findings if (verdict := verdict_of(finding)) is not None}


def verdicts_of_searches(test: OutcomeTest) -> set[str]:
    """Return the same of hit rates, each group against the reference, allowing for all groups."""
    read = zip(test.gaps, words.evidence_of_many(test.gaps), strict=True)
    found = {BY_READING[word] for gap, word in read if word in BY_READING and not _is_gone_within(gap)}
    return found | ({CLEAR_GAP} if _has_clear_stratum(test.gaps) else set())


def _has_clear_stratum(gaps: Sequence[HitRateGap]) -> bool:
    """Say whether the gap of a group is clear in a stratum, by Bonferroni's method for all strata of all groups."""
    inside = [row.comparison for gap in gaps for row in gap.strata]
    clear = [found for found in inside if words.evidence_word(found) == words.CLEAR_GAP]
    return any(found.p_value is not None and len(inside) * found.p_value < 1 - found.confidence for found in clear)


def _is_gone_within(gap: HitRateGap) -> bool:
    """Say whether no gap in hit rates shows on average inside strata, or groups are alike there."""
    if gap.common_evidence is None:
        return False
    low, high = gap.common_difference_interval
    return gap.common_evidence == "supported_fair" or low <= 0 <= high
