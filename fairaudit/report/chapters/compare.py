"""What remedies come to, side by side: how their chapter begins, and what the first page says of them."""

from __future__ import annotations

from fairaudit.messages import say, say_answer
from fairaudit.present.blocks import Block, Chart, Paragraph
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.charts import compare_chart, compare_chart_text, compare_chart_title
from fairaudit.sections.compare.reading import Remedies


def compare_opening(finding: Remedies) -> list[Block]:
    """Return the answer with its picture, where several remedies are compared; else nothing."""
    if read_comparison(finding).n_tried < 2:
        return []
    title, text = compare_chart_title(finding), compare_chart_text(finding)
    picture = Chart("remedies_compared", title, text, compare_chart(finding), "remedies_summary")
    return [*compare_answer(finding), picture]


def compare_answer(finding: Remedies) -> list[Block]:
    """Return which remedies meet the limit, and what they cost."""
    said = say_comparison(finding)
    lead = Paragraph("", lead=True, strong=say_answer(said))
    rest = say((*said.lead, *said.caution))
    return [lead, Paragraph(rest)] if rest else [lead]
