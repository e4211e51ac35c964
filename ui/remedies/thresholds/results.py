"""The thresholds that were judged, on the rows that they were found on."""

from __future__ import annotations

from fairaudit.present import brief
from fairaudit.remedies.thresholds.chart_texts import threshold_roc_alt
from fairaudit.remedies.thresholds.charts import threshold_roc_chart
from fairaudit.remedies.thresholds.tables import thresholds_table
from ui.charts import show_chart
from ui.state import Fitted
from ui.tables import show_table


def show_judged(fitted: Fitted) -> None:
    """Draw the thresholds that were judged, and where they put the groups on the rows that they were found on."""
    details = fitted.candidate.finding.details
    show_table(thresholds_table(details, 1))
    show_chart(
        threshold_roc_chart(details.roc, details.thresholds),
        description=threshold_roc_alt(details.roc, details.thresholds),
        note="On the tuning rows. Crosses: one threshold for all. Circles: the thresholds that were judged. "
        f"Positive means: {fitted.facts.positive_meaning}."
        + brief.drawn_note(len(details.thresholds), brief.MOST_SERIES),
    )
