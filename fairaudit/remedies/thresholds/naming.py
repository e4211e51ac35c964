"""What thresholds by group are called, and how they were found, in words."""

from __future__ import annotations

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.findings import Message, Phrase, Points
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present.numbers import are_known
from fairaudit.remedies.shared.number_texts import model_words
from fairaudit.remedies.thresholds.details import NOTHING_MISSING
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.findings import RemedyFinding

SEARCH_WORDS = {"exact": "", "pso": ", a search by chance", "chosen": ", chosen by hand"}


def thresholds_name(plan: ThresholdsPlan) -> str:
    """Return the name of such a remedy."""
    weight = "" if plan.search == "chosen" else f", fairness weight {plan.fairness_weight:g}"
    return f"A threshold for each group ({MODEL_WORDS[plan.model]}{weight}{SEARCH_WORDS[plan.search]})"


def done_sentences(finding: RemedyFinding) -> str:
    """Return how the thresholds were found."""
    plan = as_part(finding.plan, ThresholdsPlan)
    keys = {"exact": "thresholds-found", "pso": "thresholds-found-pso", "chosen": "thresholds-chosen"}
    args = {"score": Phrase(model_words(plan, "model")), "weight": Phrase(f"{plan.fairness_weight:g}")}
    return say([Message("thresholds-made", args), Message(keys[plan.search], args)])


def cautions(finding: RemedyFinding) -> list[str]:
    """Return how far thresholds that were not searched for exactly are from the optimum."""
    details, search = finding.details, as_part(finding.plan, ThresholdsPlan).search
    if search == "exact" or not are_known(details.objective, details.optimal_objective):
        return []
    missing = details.optimal_objective - details.objective
    if missing < NOTHING_MISSING:
        return []
    return [say(Message("thresholds-missing", {"missing": Points(missing, 2)}))]


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return ((say(Message("thresholds-term")), say(Message("thresholds-term-means"))),)
