"""A model without any remedy, to compare with: the part of a plan that asks for it."""

from __future__ import annotations

from typing import Final, Literal, get_args

from pydantic import Field

from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.models import AmountLearner, Learner
from fairaudit.plan.parts import CannotKeepGroups
from fairaudit.remedies.part import RemedyPart

AMOUNT_MODELS: Final = get_args(AmountLearner)


class PlainPlan(CannotKeepGroups, RemedyPart):
    """A model without any remedy, to compare with. It learns from the 60 % training part."""

    does = "A model without any remedy, to compare with."
    is_remedy = False
    keeps_model = True
    tried_on = (SHARES, AMOUNTS)

    method: Literal["plain"] = Field(default="plain", description="The kind of remedy.")
    name: str | None = Field(default=None, description="What it is called in this audit.")
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
