"""On which verdicts ``--fail-on`` lets a command exit with 3: what the chips of an answer say, strata included."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fairaudit.audit.result import AmountFinding, CheckFinding, ErrorsFinding, InspectionFinding
from fairaudit.measure.verdicts import GAPS
from fairaudit.sections.check import read_check
from fairaudit.sections.errors import read_errors
from fairaudit.sections.searches import read_searches

CLEAR_GAP: Final = "clear_gap"
GAP_SIZE_UNCLEAR: Final = "gap_size_unclear"


def verdict_of(finding: CheckFinding | AmountFinding) -> str | None:
    """Return the verdict of an answer that a command can fail on; None for any other.

    It is that of all rows together, unless strata are named that say otherwise:

    - Clear gaps in both directions, allowing for all strata, or a clear gap on average over them, are a clear gap.
    - Where all that fits the average is within the tolerance, there is none, and one stratum alone makes none.
    - An average that is too imprecise to say so says nothing; one that points the other way, or shows a gap where all
      rows have none, is a gap, if no clear one.
    """
    reading = read_check(finding)
    verdict = finding.result.verdict if finding.result.verdict in GAPS else None
    if reading.within in (None, "on_average"):
        # What is hidden moves no exit code either.
        return verdict
    if reading.answer == "gap_overall_none_within":
        return None
    if reading.within == "both" or reading.is_clear_within:
        return CLEAR_GAP
    return verdict or (GAP_SIZE_UNCLEAR if reading.within == "only" else None)


def verdicts_of(findings: Iterable[CheckFinding | AmountFinding]) -> set[str]:
    """Return the verdicts of answers that a command can fail on."""
    return {verdict for finding in findings if (verdict := verdict_of(finding)) is not None}


def verdicts_of_errors(finding: ErrorsFinding) -> set[str]:
    """Return the same of both errors, allowing for all groups."""
    return {CLEAR_GAP, GAP_SIZE_UNCLEAR} & {*read_errors(finding).verdicts}


def verdicts_of_searches(finding: InspectionFinding) -> set[str]:
    """Return the same of grounds where the model fits, else of hit rates, allowing for all groups and all strata."""
    return set(read_searches(finding).gaps)
