"""What equalized distributions are called, and how they were made, in words."""

from __future__ import annotations

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present.numbers import number_text
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.study.findings import RemedyFinding


def equalize_name(plan: EqualizePlan) -> str:
    """Return the name of such a remedy."""
    return f"One score for all groups (weight of accuracy {plan.accuracy_weight:g})"


def done_sentences(finding: RemedyFinding) -> str:
    """Return how the scores were brought together."""
    weight = as_part(finding.plan, EqualizePlan).accuracy_weight
    weights = {"weight": Phrase(number_text(weight)), "rest": Phrase(number_text(1 - weight))}
    return say([Message("equalize-made"), Message("equalize-made-weight", weights)])


def cautions(finding: RemedyFinding) -> tuple[str, ...]:
    """Return why scores that are spread alike do not prove much."""
    return (say(Message("equalize-caution")),)


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return ((say(Message("equalize-term")), say(Message("equalize-term-means"))),)
