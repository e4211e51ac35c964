"""An audit that a command runs: how far it is, what is not known in its data, and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from fairaudit.audit.result import AuditResult, CheckFinding, ErrorsFinding, InspectionFinding
from fairaudit.cli.answers import Answered
from fairaudit.cli.options import FAILS
from fairaudit.cli.terminal import ProgressLine, emit, one_line
from fairaudit.data.table import Table
from fairaudit.events import Finished, Progress
from fairaudit.findings import Said
from fairaudit.interrupts import check
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.verdicts import GAPS
from fairaudit.messages import say_whole
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.cases import not_known_sentence
from fairaudit.sections.check import answer_text, read_check
from fairaudit.sections.errors import read_errors, say_errors
from fairaudit.sections.searches import read_searches, say_searches


def watched_run(
    plan: AuditPlan,
    table: Table,
    *,
    ignore_fingerprint: bool = False,
    base: Path | None = None,
    published: Sequence[AuditResult] = (),
) -> AuditResult:
    """Run an audit and return its result."""
    # Here, because it goes through all kinds of questions, and most commands answer one in lines.
    from fairaudit.audit.running import iter_run

    line = ProgressLine()
    try:
        events = iter_run(plan, table=table, base=base, ignore_fingerprint=ignore_fingerprint, published=published)
        for event in events:
            check()
            if isinstance(event, Progress):
                line.show(event.what)
            elif isinstance(event, Finished):
                result = event.result
        check()
    finally:
        line.clear()
    return result


# Lines on values that say that something is not known, below an answer.


def emit_not_known(parts: Iterable[NotKnown]) -> None:
    """Write a line for each value of a group, decision or prediction that says that it is not known."""
    for part in parts:
        emit(one_line(not_known_sentence(part)))


# On which verdicts ``--fail-on`` lets a command exit with 3: what the chips of an answer say, strata included.

CLEAR_GAP: Final = "clear_gap"
GAP_SIZE_UNCLEAR: Final = "gap_size_unclear"


def verdict_of(finding: CheckFinding) -> str | None:
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


def answered_check(finding: CheckFinding) -> Answered:
    """Return what a check answers."""
    verdict = verdict_of(finding)
    return Answered("check", one_line(answer_text(finding)), frozenset([] if verdict is None else [verdict]))


def answered_errors(finding: ErrorsFinding) -> Answered:
    """Return what a question about errors answers: the verdicts on both, allowing for all groups."""
    verdicts = frozenset(GAPS).intersection(read_errors(finding).verdicts)
    return Answered("errors", one_line(say_whole(say_errors(finding))), verdicts)


def answered_searches(finding: InspectionFinding) -> Answered:
    """Return the same of grounds where the model fits, else of hit rates, allowing for all groups and all strata."""
    return Answered("searches", one_line(say_whole(say_searches(finding))), frozenset(read_searches(finding).gaps))


def answered(command: str, said: Said, verdict: str) -> Answered:
    """Return what a question answers whose verdict is one to fail on as it is."""
    words, _ = FAILS[command]
    return Answered(command, one_line(say_whole(said)), frozenset({verdict}.intersection(words)))
