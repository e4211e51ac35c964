"""A legal form, in a report: its chapter, and what it comes to on the first page."""

from __future__ import annotations

from fairaudit.messages import say
from fairaudit.present.blocks import Block, Chart, Note
from fairaudit.presets.document import preset_blocks, preset_picture
from fairaudit.presets.findings import PresetFinding
from fairaudit.sections.forms.charts import form_chart, form_chart_text, form_chart_title, has_chart
from fairaudit.sections.forms.saying import say_form, say_strip
from fairaudit.sections.opening import Opening, opening_of


def form_blocks(finding: PresetFinding, number: int) -> list[Block]:
    """Return the chapter of a form: its tables, its picture, and that it is no legal advice."""
    return [*preset_blocks(finding), *preset_picture(finding, number), Note(finding.preset.notice)]


def form_opening(finding: PresetFinding, number: int) -> Opening:
    """Return what a form comes to on the first page."""
    said = say_form(finding)
    likely = "" if (strip := say_strip(finding)) is None else say(strip)
    if not has_chart(finding):
        return opening_of("presets", finding.title, said, likely=likely)
    chart = Chart(f"preset_{number}_chart", form_chart_title(finding), form_chart_text(finding), form_chart(finding))
    return opening_of("presets", finding.title, said, chart=chart, likely=likely)
