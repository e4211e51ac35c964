"""Legal forms, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairaudit.audit.result import AuditResult
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.events import Finished, Progress
from fairaudit.findings import Said
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, Chart, Note, TableBlock
from fairaudit.presets.findings import PresetFinding
from fairaudit.sections.forms.exported import ExportedForm
from fairaudit.sections.opening import Opening, opening_of
from fairaudit.sections.section import Answering, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


class FormsSection(Section[PresetFinding]):
    """The form that a rule asks for."""

    kind = "presets"
    command = "form"
    exported = ExportedForm

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Fill the form."""
        from fairaudit.presets.filling import run_preset

        asked = plan.presets[number]
        yield Progress(f"Filling the form {asked.preset}", 0, 1)
        yield Finished(run_preset(table, plan, asked, base=sources.base))

    def hide(self, findings: Sequence[PresetFinding], counts: HiddenCounts) -> tuple[PresetFinding, ...]:
        """Return the forms without what the small-cell rule hides."""
        from fairaudit.sections.forms.hiding import masked_presets

        return masked_presets(findings, counts)

    def say(self, finding: PresetFinding) -> Said:
        """Say what the form comes to."""
        from fairaudit.sections.forms.saying import say_form

        return say_form(finding)

    def paragraph(self, finding: PresetFinding) -> str:
        """Return what it comes to as one paragraph, with its caution."""
        from fairaudit.sections.forms.saying import answer_text

        return answer_text(finding)

    def picture(self, finding: PresetFinding, number: int) -> Chart | None:
        """Return the picture of the form."""
        from fairaudit.presets.document import preset_picture

        return next(iter(preset_picture(finding, number)), None)

    def tables(self, finding: PresetFinding, number: int) -> list[TableBlock]:
        """Return the tables of the form."""
        from fairaudit.presets.tables import preset_tables

        return preset_tables(finding, number)

    def opening(self, finding: PresetFinding, number: int, result: AuditResult) -> Opening:
        """Return what a form comes to on the first page."""
        from fairaudit.sections.forms.saying import say_strip

        said, likely, chart = self.say(finding), say_strip(finding), self.picture(finding, number)
        return opening_of(self.kind, finding.title, said, chart=chart, likely="" if likely is None else say(likely))

    def blocks(self, finding: PresetFinding, number: int, result: AuditResult) -> list[Block]:
        """Return the form, its picture, and that it is no legal advice."""
        from fairaudit.presets.document import preset_blocks, preset_picture

        return [*preset_blocks(finding), *preset_picture(finding, number), Note(finding.preset.notice)]

    def annex_title(self, finding: PresetFinding) -> str:
        """Return what its annex is called."""
        return finding.title

    def annex(self, finding: PresetFinding, number: int) -> list[Block]:
        """Return how the form was filled."""
        from fairaudit.presets.document import preset_annex

        return preset_annex(finding, number)

    def lines(self, finding: PresetFinding) -> list[str]:
        """Return what it comes to, and what to know about it."""
        from fairaudit.sections.forms.details import form_notes
        from fairaudit.sections.forms.saying import answer_text

        return [f"{finding.title}: {answer_text(finding)}", *(f"Note: {note}" for note in form_notes(finding))]
