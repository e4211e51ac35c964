"""Alternatives that discriminate less: the part of a plan that asks for them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.models import Learner, model_choices
from fairaudit.plan.parts import QuestionPart

Used = Literal["prediction", "score", "model"]
"""What stands for what is in use: the prediction or the score that the data hold, or a plain model."""


AsGoodBy = Literal["accuracy", "auc", "approvals"]
"""By what a model is as good: how often it is right, how well it ranks, or who is among as many that it approves."""


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
    measure: Annotated[
        AsGoodBy,
        InForm(
            label="Equally good by",
            help="Unless it is how often it is right, as many people are approved as now.",
            choices=(
                Choice("accuracy", "How often it is right"),
                Choice("auc", "How well it ranks people"),
                Choice("approvals", "Who is among as many approved"),
            ),
            widget="list",
        ),
    ] = Field(
        default="accuracy",
        description=(
            "By what a model is equally good: the share of cases where it is right; the area under the ROC curve, "
            "where what is in use gives a score; or the share of good cases among those approved. The last two cut "
            "each score so that as many are approved as by what is in use."
        ),
    )
    among_similar: Annotated[
        bool,
        InForm(label="Gap among similar cases", help="On average over the similar cases of the question on Check."),
    ] = Field(
        default=False,
        description=(
            "Whether the gap is that among similar cases, on average over the strata of the first check of the same "
            "groups that has some."
        ),
    )
    loss: Annotated[
        Annotated[float, Field(ge=0, le=0.2)],
        InForm(
            label="May be worse by",
            help="A model counts as equally good where it is at most this much worse.",
            widget="slider",
            in_points=True,
            most=0.1,
            step=0.5,
            format="%g points",
        ),
    ] = Field(
        default=0.02,
        description="By how much an equally good model may be worse than the one in use by that measure, as a share.",
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
