"""Errors by group, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from fairaudit.audit.result import AuditResult, ErrorsFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import extended, setting
from fairaudit.events import Finished, Progress
from fairaudit.findings import Said
from fairaudit.measure.verdicts import ShownVerdict
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, Chart, TableBlock
from fairaudit.present.errors import errors_tables, scores_tables
from fairaudit.sections.errors.levels import level_tables
from fairaudit.sections.errors.reading import read_errors
from fairaudit.sections.errors.saying import answer_text, errors_title, line, say_errors
from fairaudit.sections.opening import Opening
from fairaudit.sections.section import GAPS_FAIL, Answering, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedErrors(ErrorsFinding):
    """One question about the errors of a prediction or score, and its answer."""

    flagged: ShownVerdict = setting("The verdict on who is wrongly flagged, allowing for all groups.")
    missed: ShownVerdict = setting("The verdict on who is wrongly missed.")
    sentence: str = setting("The answer as a paragraph.")

    @classmethod
    def of(cls, finding: ErrorsFinding) -> Self:
        """Add the answer in words."""
        # Of levels, these are about yes and no; theirs stands beside them.
        flagged, missed = read_errors(replace(finding, levels=None)).verdicts
        return extended(cls, finding, flagged=flagged, missed=missed, sentence=answer_text(finding))


class ErrorsSection(Section[ErrorsFinding]):
    """Who bears the errors of a prediction or score."""

    kind = "errors"
    command = "errors"
    fails = GAPS_FAIL
    takes_weights = True
    exported = ExportedErrors
    has_own_not_known = False

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Compare error rates, costs and scores by group."""
        from fairaudit.sections.errors.answering import run_errors

        yield Progress(f"Errors by group {number + 1} of {len(plan.errors)}", 0, 1)
        yield Finished(run_errors(table, plan, plan.errors[number]))

    def hide(self, findings: Sequence[ErrorsFinding], counts: HiddenCounts) -> tuple[ErrorsFinding, ...]:
        """Return the answers without the groups whose counts are hidden."""
        from fairaudit.sections.errors.hiding import without_hidden

        return tuple(without_hidden(finding, number, counts) for number, finding in enumerate(findings))

    def say(self, finding: ErrorsFinding) -> Said:
        """Say who is wrongly flagged, and who is wrongly missed."""
        return say_errors(finding)

    def verdicts(self, finding: ErrorsFinding) -> tuple[str, ...]:
        """Return those on both errors, allowing for all groups."""
        return read_errors(finding).verdicts

    def picture(self, finding: ErrorsFinding, number: int) -> Chart | None:
        """Return both errors by group; of a score alone, where it puts people."""
        from fairaudit.sections.errors.chapter import errors_picture

        return errors_picture(finding, number) if read_errors(finding).state == "compared" else None

    def tables(self, finding: ErrorsFinding, number: int) -> list[TableBlock]:
        """Return levels, rates, gaps and costs, and the score."""
        return [*level_tables(finding, number), *errors_tables(finding, number), *scores_tables(finding, number)]

    def opening(self, finding: ErrorsFinding, number: int, result: AuditResult) -> Opening:
        """Return what it comes to on the first page."""
        from fairaudit.sections.errors.chapter import errors_opening

        return errors_opening(finding, number)

    def blocks(self, finding: ErrorsFinding, number: int, result: AuditResult) -> list[Block]:
        """Return who bears them; of a score, what it means."""
        from fairaudit.sections.errors.chapter import errors_blocks

        return errors_blocks(finding, number)

    def annex_title(self, finding: ErrorsFinding) -> str:
        """Return what its annex is called."""
        return errors_title(finding)

    def annex(self, finding: ErrorsFinding, number: int) -> list[Block]:
        """Return exact figures, the other error rates, costs, and the drawings of the score."""
        from fairaudit.sections.errors.chapter import errors_annex

        return errors_annex(finding, number)

    def lines(self, finding: ErrorsFinding) -> list[str]:
        """Return the answer in a line."""
        return [line(finding)]
