"""A model without any remedy, to compare with: the part of a plan that asks for it, and what it offers."""

from __future__ import annotations

from typing import Final, Literal, get_args

from pydantic import Field

from fairaudit.late import Late
from fairaudit.plan.models import AmountLearner, Learner
from fairaudit.plan.parts import CannotKeepGroups
from fairaudit.remedies.kind import OnAmounts, RemedyKind


class PlainPlan(CannotKeepGroups):
    """A model without any remedy, to compare with. It learns from the 60 % training part.

    Parameters
    ----------
    method : {"plain"}
        The kind of remedy.
    name : str, optional
        What it is called in this audit.
    model : str
        What learns. Where the decision is an amount, "linear_regression" or "median", which predicts the same for
        everybody.
    threshold : float, optional
        The good outcome is predicted from this score on, for everybody alike; without one, where it is more likely
        than not. Not for amounts.
    """

    method: Literal["plain"] = "plain"
    name: str | None = None
    model: Learner | AmountLearner = "logistic_regression"
    threshold: float | None = Field(default=None, allow_inf_nan=False)


AMOUNT_MODELS: Final = get_args(AmountLearner)


def check_for_amounts(plan: PlainPlan) -> None:
    """Refuse a model that needs a decision with a good outcome."""
    if plan.model not in AMOUNT_MODELS:
        raise ValueError(
            f'holds a plain model "{plan.model}", which needs a decision with a favourable result; where the '
            'decision is an amount, give model = "linear_regression" or "median"'
        )
    if plan.threshold is not None:
        raise ValueError(
            "holds a plain model with a threshold, which needs a decision with a favourable result; leave it out"
        )


def check_for_outcomes(plan: PlainPlan) -> None:
    """Refuse a model that needs a decision that is an amount."""
    if plan.model in AMOUNT_MODELS:
        raise ValueError(f'holds a plain model "{plan.model}", which needs amount = true under [decision]')


HOME = "fairaudit.remedies.plain"

PLAIN = RemedyKind(
    method="plain",
    plan=PlainPlan,
    noun="model",
    fit=Late(f"{HOME}.fit:iter_plain"),
    name=Late(f"{HOME}.words:plain_name"),
    done=Late(f"{HOME}.words:done_sentences"),
    does="A model without any remedy, to compare with.",
    check=check_for_outcomes,
    is_remedy=False,
    keeps_model=True,
    by_conditions=False,
    on_amounts=OnAmounts(
        fit=Late(f"{HOME}.fit:iter_amount_plain"),
        name=Late(f"{HOME}.words:amount_plain_name"),
        done=Late(f"{HOME}.words:amount_done_sentences"),
        check=check_for_amounts,
    ),
)
