"""Sentences about equalized distributions."""

from __future__ import annotations

from fairaudit.plan.parts import as_part
from fairaudit.present.numbers import count_text, number_text
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.study.findings import RemedyFinding

MEASURED = {
    "ranks": "the gaps in true and false positive rates at all thresholds",
    "histogram": "histograms of the scores",
}
"""What the distances of a plan measure."""


def done_sentences(finding: RemedyFinding) -> str:
    """Return how the scores were brought together."""
    details, plan = finding.details, as_part(finding.plan, EqualizePlan)
    weight = number_text(plan.accuracy_weight)
    measured = MEASURED[plan.distance]
    return (
        "A logistic model was fitted to be accurate and to spread its scores alike in all groups, among those with "
        f"either outcome (weight of accuracy {weight}, of alike scores {number_text(1 - plan.accuracy_weight)})"
        f". How unlike they are was measured by {measured}. It took {count_text(details.n_iterations)} steps. One "
        f"threshold for all, {number_text(details.threshold, digits=3)}, was chosen on the tuning rows."
    )


def cautions(finding: RemedyFinding) -> tuple[str, ...]:
    """Return why scores that are spread alike do not prove much."""
    return (
        "It changes the scores of everybody and cuts them at one threshold for all. Such a score no longer says "
        "how likely the good outcome is.",
    )
