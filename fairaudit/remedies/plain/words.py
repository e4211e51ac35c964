"""What a model without any remedy is called."""

from __future__ import annotations

from typing import Final

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.models import MODEL_WORDS

AMOUNT_MODEL_WORDS: Final = {
    "linear_regression": "linear regression",
    "median": "the median for everybody",
}
"""The plain models of amounts in words."""


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
