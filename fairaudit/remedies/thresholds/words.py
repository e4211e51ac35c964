"""Sentences about thresholds by group."""

from __future__ import annotations

import math

from fairaudit.plan.parts import as_part
from fairaudit.present import brief
from fairaudit.present.numbers import number_text
from fairaudit.remedies.shared.number_texts import model_words
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.findings import RemedyFinding


def done_sentences(finding: RemedyFinding) -> str:
    """Return how the thresholds were found, and where they are."""
    plan, details = as_part(finding.plan, ThresholdsPlan), finding.details
    score = model_words(plan, "model")
    if plan.search == "chosen":
        how = "A person chose them."
    else:
        by = "an exact search" if plan.search == "exact" else "a search by chance"
        times = "" if plan.fairness_weight == 1 else f"{plan.fairness_weight:g} times "
        how = (
            f"They were found on the tuning rows by {by} so that accuracy minus {times}the sum of the gaps in error "
            "rates is largest."
        )
    table = details.thresholds
    scores = ""
    if len(table) and len(table) <= 4:
        side = "up to" if details.turned else "from"
        each = [f"{brief.short(row.group)}: {side} {number_text(row.after, digits=3)}" for row in table.itertuples()]
        scores = f" The good outcome is predicted at these scores: {'; '.join(each)}."
    return f"Each group got a threshold of its own on one score ({score}). {how}{scores}"


def cautions(finding: RemedyFinding) -> list[str]:
    """Return how far thresholds that were not searched for exactly are from the optimum."""
    details, search = finding.details, as_part(finding.plan, ThresholdsPlan).search
    if search == "exact":
        return []
    if details.objective is None or not math.isfinite(details.optimal_objective - details.objective):
        return []
    missing = max(details.optimal_objective - details.objective, 0.0)
    subject = "The search" if search == "pso" else "The choice"
    if missing < 0.00005:
        return [f"{subject} reaches the exact optimum on the tuning rows."]
    return [
        f"{subject} reaches {number_text(details.objective, digits=4)} on the tuning rows, where the exact optimum "
        f"reaches {number_text(details.optimal_objective, digits=4)}: {number_text(missing, digits=4)} is missing."
    ]
