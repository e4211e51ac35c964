"""On which verdicts ``--fail-on`` lets a command exit with 3: what the chips of an answer say, strata included."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fairaudit.audit.inspection_results import InspectionFinding
from fairaudit.audit.result import AmountFinding, CheckFinding, ErrorsFinding
from fairaudit.measure.verdicts import GAPS
from fairaudit.measure.within import clear_on_average, is_one_stratum, reading_within
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
    verdict = finding.result.verdict
    strata = None if finding.strata is None or is_one_stratum(finding.strata) else finding.strata
    if strata is not None and any(row.difference is None for row in strata.strata):
        # What is hidden moves no exit code either.
        strata = None
    how = None if strata is None else reading_within(strata, finding.result)
    if how == "gone":
        return None
    if how in ("both ways", "all") or (strata is not None and clear_on_average(strata)):
        return CLEAR_GAP
    if verdict in GAPS:
        return verdict
    return GAP_SIZE_UNCLEAR if strata is not None and read_check(finding).within == "only" else None


def verdicts_of(findings: Iterable[CheckFinding | AmountFinding]) -> set[str]:
    """Return the verdicts of answers that a command can fail on."""
    return {verdict for finding in findings if (verdict := verdict_of(finding)) is not None}


def verdicts_of_errors(finding: ErrorsFinding) -> set[str]:
    """Return the same of both errors, allowing for all groups."""
    return {CLEAR_GAP, GAP_SIZE_UNCLEAR} & {*read_errors(finding).verdicts}


def verdicts_of_searches(finding: InspectionFinding) -> set[str]:
    """Return the same of grounds where the model fits, else of hit rates, allowing for all groups and all strata."""
    return set(read_searches(finding).gaps)
