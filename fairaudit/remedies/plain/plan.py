"""A model without any remedy, to compare with: the part of a plan that asks for it, and what it is called."""

from __future__ import annotations

from typing import Final, Literal, get_args

from pydantic import Field

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.models import MODEL_WORDS, AmountLearner, Learner
from fairaudit.plan.parts import CannotKeepGroups
from fairaudit.remedies.part import RemedyPart

AMOUNT_MODELS: Final = get_args(AmountLearner)


LEARNER_WORDS: Final = MODEL_WORDS | {"linear_regression": "linear regression", "median": "the median for everybody"}
"""The plain models in words, of amounts too."""


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
    return without_name(LEARNER_WORDS[learner])


class PlainPlan(CannotKeepGroups, RemedyPart):
    """A model without any remedy, to compare with. It learns from the 60 % training part."""

    does = "A model without any remedy, to compare with."
    is_remedy = False
    keeps_model = True
    tried_on = (SHARES, AMOUNTS)

    method: Literal["plain"] = Field(default="plain", description="The kind of remedy.")
    model: Learner | AmountLearner = Field(
        default="logistic_regression",
        description=(
            'What learns. Where the decision is an amount, "linear_regression" or "median", which predicts the same '
            "for everybody."
        ),
    )
    threshold: float | None = Field(
        default=None,
        allow_inf_nan=False,
        description=(
            "The good outcome is predicted from this score on, for everybody alike; without one, where it is more "
            "likely than not. Not for amounts."
        ),
    )

    def check(self, outcome: OutcomeKind) -> None:
        """Refuse a model that does not go with decisions of a kind."""
        is_of_amounts = self.model in AMOUNT_MODELS
        if outcome.has_good_outcome:
            if is_of_amounts:
                raise ValueError(f'holds a plain model "{self.model}", which needs amount = true under [decision]')
            return
        if not is_of_amounts:
            raise ValueError(
                f'holds a plain model "{self.model}", which needs a decision with a favourable result; where the '
                'decision is an amount, give model = "linear_regression" or "median"'
            )
        if self.threshold is not None:
            raise ValueError(
                "holds a plain model with a threshold, which needs a decision with a favourable result; leave it out"
            )

    def is_learned(self) -> bool:
        """Say whether the plan does not say who is predicted what."""
        return self.threshold is None
