"""Sentences about a model without any remedy."""

from __future__ import annotations

from fairaudit.plan.parts import as_part
from fairaudit.present.numbers import number_text
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.shared.number_texts import model_words
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding


def done_sentences(finding: RemedyFinding) -> str:
    """Return which model was fitted, and why it is here."""
    plan = as_part(finding.plan, PlainPlan)
    model = model_words(plan, "model")
    if plan.threshold is not None:
        return (
            f"A plain model was fitted, without any other remedy: {model}. It predicts the good outcome from a score "
            f"of {number_text(plan.threshold, digits=3)} on, the same for everybody."
        )
    return (
        f"A plain model was fitted, without any remedy: {model}. It is here to compare with; "
        "it repeats the past decisions as well as it can, with their gap."
    )


def amount_done_sentences(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
    """Return what was done where the decision is an amount."""
    return "The model was fitted to the training rows, without any remedy."
