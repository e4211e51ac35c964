"""What a model without any remedy is called, and that it was fitted: its settings in words."""

from __future__ import annotations

from typing import Final

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present import naming
from fairaudit.present.numbers import number_text
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.shared.changes import model_words
from fairaudit.study.amounts.findings import AmountRemedyFinding
from fairaudit.study.findings import RemedyFinding

AMOUNT_MODEL_WORDS: Final = {
    "linear_regression": "linear regression",
    "median": "the median for everybody",
}
"""The plain models of amounts in words."""


def plain_name(plan: PlainPlan) -> str:
    """Return the name of such a model.

    Examples
    --------
    >>> plain_name(PlainPlan())
    'Model without the remedy, logistic regression'
    >>> plain_name(PlainPlan(threshold=0.43))
    'Model without the remedy, logistic regression, threshold 0.430 for everybody'
    """
    at = "" if plan.threshold is None else f", threshold {number_text(plan.threshold, digits=3)} for everybody"
    return f"{naming.capital(without_name(MODEL_WORDS[plan.model]))}{at}"


def without_name(model: str) -> str:
    """Return what a model without the remedy is called that is of this kind.

    Examples
    --------
    >>> without_name("tree of depth up to 2")
    'model without the remedy, tree of depth up to 2'
    """
    return say(Message("remedy-name-none-of", {"model": Phrase(model)}))


def plain_words(learner: str) -> str:
    """Return what a plain model is called where remedies are compared with it.

    Examples
    --------
    >>> plain_words("logistic_regression")
    'model without the remedy, logistic regression'
    """
    return without_name((MODEL_WORDS | AMOUNT_MODEL_WORDS)[learner])


def amount_plain_name(plan: PlainPlan) -> str:
    """Return the name of such a model where the decision is an amount.

    Examples
    --------
    >>> amount_plain_name(PlainPlan(model="median"))
    'Model without the remedy, the median for everybody'
    """
    return naming.capital(without_name(AMOUNT_MODEL_WORDS[plan.model]))


def done_sentences(finding: RemedyFinding) -> str:
    """Return which model was fitted."""
    plan = as_part(finding.plan, PlainPlan)
    said = [Message("plain-made", {"model": Phrase(model_words(plan, "model"))})]
    if plan.threshold is not None:
        said.append(Message("plain-made-cut", {"threshold": Phrase(number_text(plan.threshold, digits=3))}))
    return say(said)


def amount_done_sentences(finding: AmountRemedyFinding) -> str:
    """Return which model was fitted where the decision is an amount."""
    plan = as_part(finding.plan, PlainPlan)
    return say(Message("plain-made", {"model": Phrase(AMOUNT_MODEL_WORDS[plan.model])}))
