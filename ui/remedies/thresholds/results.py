"""The thresholds that were tested, on the rows that they were found on."""

from __future__ import annotations

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.remedies.thresholds.charts import roc_note, threshold_roc_alt, threshold_roc_chart
from fairaudit.remedies.thresholds.details import thresholds_table
from ui.result import show_chart, show_table
from ui.state import Fitted


def show_judged(fitted: Fitted) -> None:
    """Draw the thresholds that were tested, and where they put the groups on the rows that they were found on."""
    details = fitted.candidate.finding.details
    show_table(thresholds_table(details, 1))
    show_chart(
        threshold_roc_chart(details.roc, details.thresholds),
        title=say(Message("thresholds-chart-roc")),
        description=threshold_roc_alt(details.roc, details.thresholds),
        note=roc_note(fitted.facts.positive_meaning, len(details.thresholds)),
    )
