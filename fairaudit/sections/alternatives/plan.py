"""Alternatives that discriminate less: the part of a plan that asks for them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.models import Learner, model_choices
from fairaudit.plan.parts import QuestionPart

Used = Literal["prediction", "score", "model"]
"""What stands for what is in use: the prediction or the score that the data hold, or a plain model."""


class AlternativesPlan(QuestionPart):
    """One search for models that serve as well as the one in use, with a smaller gap.

    Who is protected, who is looked at, and what models learn from is what `models` of the audit says.
    """

    in_use: Annotated[
        Used | None,
        InForm(
            label="In use",
            help="What the others are compared with.",
            choices=(
                Choice("prediction", "The prediction in the data"),
                Choice("score", "The score in the data"),
                Choice("model", "A model of past decisions"),
            ),
        ),
    ] = Field(
        default=None,
        description=(
            "What is in use: the prediction of the data, their score at its threshold, or a plain model of the "
            "decision. Without it, the first of these that the audit names."
        ),
    )
    model: Annotated[
        Learner,
        InForm(
            label="Model that stands for what is in use",
            choices=model_choices("logistic_regression", "gradient_boosting", "random_forest", "mlp", "svm"),
        ),
    ] = Field(default="logistic_regression", description="The plain model that is in use, where that is a model.")
    loss: Annotated[
        Annotated[float, Field(ge=0, le=0.2)],
        InForm(
            label="May be right less often by",
            help="A model counts as equally good where it is right at most this much less often.",
            widget="slider",
            in_points=True,
            most=10,
            step=0.5,
            format="%g points",
        ),
    ] = Field(
        default=0.02,
        description="By how much an equally good model may be right less often than the one in use, as a share.",
    )
    by_group: Annotated[bool, InForm(label="Also try to decide by group, which may be unlawful")] = Field(
        default=False,
        description="Whether thresholds by group are tried, too: they are never what the answer is about.",
    )

    @field_validator("where")
    @classmethod
    def _where_is_said_once(cls, where: str | None) -> None:
        if where is not None:
            raise ValueError("is said under [models], whose people alternatives are about; leave it out here")

    @property
    def named_columns(self) -> set[str]:
        """The columns that are named: none."""
        return set()
