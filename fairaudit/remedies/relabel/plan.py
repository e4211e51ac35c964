"""Retraining on changed decisions: the part of a plan that asks for it."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.models import MODEL_WORDS, ProbabilisticLearner
from fairaudit.remedies.part import NoGroupWorseOff, RemedyPart

LEARNERS = tuple(Choice(name, MODEL_WORDS[name]) for name in get_args(ProbabilisticLearner))
"""The models that it can be made of."""


class RelabelPlan(RemedyPart):
    """Retraining on relabelled rows."""

    does = "Some past decisions about the protected group are changed, and a new model learns from them."

    method: Literal["relabel"] = Field(default="relabel", description="The kind of remedy.")
    algorithm: Annotated[
        Literal["risk_adjustment", "risk_flipping"],
        InForm(
            label="Which past decisions change",
            choices=(
                Choice(
                    "risk_flipping",
                    "Change as few past decisions as possible",
                    "In the protected group, the closest decisions are reversed.",
                ),
                Choice(
                    "risk_adjustment",
                    "Decide anew, with shifted scores",
                    "A model decides all past cases anew. In the protected group its scores are shifted.",
                ),
            ),
        ),
    ] = Field(default="risk_flipping", description="How rows are relabelled.")
    risk_model: Annotated[
        ProbabilisticLearner,
        InForm(label="First model", help="Scores the cases: which decisions are closest.", choices=LEARNERS),
    ] = Field(
        default="logistic_regression", description="The model whose scores say which; it learns from 40 % of the rows."
    )
    final_model: Annotated[
        ProbabilisticLearner,
        InForm(
            label="Second model",
            help="Learns from the changed decisions. A neural network can follow them best.",
            choices=LEARNERS,
        ),
    ] = Field(default="mlp", description="The model that decides; it learns from the relabelled other 40 %.")
    threshold: Annotated[
        Annotated[float, Field(gt=0, lt=1)],
        InForm(label="Yes from this probability on", widget="slider", least=0.05, most=0.95, step=0.05),
    ] = Field(default=0.5, description='The least risk score with label 1, for "risk_adjustment".')
    as_published: Annotated[
        bool,
        InForm(
            label="As first published",
            help="Shares are made alike once, without search, weights or added columns.",
        ),
    ] = Field(
        default=False,
        description=(
            "Makes the groups' labels alike once and fits plainly, as the paper does: without `search`, `reweigh` and "
            "`add_group_columns`."
        ),
    )
    search: Annotated[
        bool,
        InForm(
            label="Change as much as it takes",
            help="Until the new model's own gap is closed on cases kept for that.",
        ),
    ] = Field(
        default=True,
        description=(
            "Where rows are not weighed, changes labels further than to equal shares, of both groups, until the gap of "
            "the final model on the tuning rows is closed; without it labels are made alike once."
        ),
    )
    target_gap: Annotated[
        Annotated[float, Field(ge=0, le=1)] | None,
        InForm(
            label="Gap to aim at, in points",
            help="0: half of your tolerance, as new people may differ.",
            in_points=True,
            most=0.5,
            step=0.5,
            format="%g",
            none=0.0,
        ),
    ] = Field(
        default=None,
        description="The gap at which `search` ends; None is half of the tolerance, as new people may differ.",
    )
    reweigh: Annotated[
        bool,
        InForm(
            label="Weigh cases while it learns",
            help="Of a neural network that may see the group, so that its decisions become alike.",
        ),
    ] = Field(
        default=True,
        description=(
            "Weighs protected rows while a perceptron is the final model that may see who is protected, so that its "
            "decisions become alike and not only the labels; without it the fit is plain."
        ),
    )
    add_group_columns: Annotated[
        bool,
        InForm(
            label="Add columns that say who is protected",
            help="Where the models may see the group anyway. The model then needs them to decide.",
        ),
    ] = Field(
        default=True,
        description=(
            "Adds columns that spell out who is protected and in the population, where the columns of both conditions "
            "are among the features."
        ),
    )
    no_group_worse_off: NoGroupWorseOff = Field(
        default=False,
        description=(
            "Whether no group may do worse than before, on the tuning rows; the final model's threshold is moved "
            "until that holds."
        ),
    )

    @model_validator(mode="after")
    def _aims_where_it_searches(self) -> RelabelPlan:
        if self.target_gap is not None and (self.as_published or not self.search):
            wrong = "'as_published'" if self.as_published else "'search' = false"
            raise ValueError(f"has 'target_gap', at which a search ends, and {wrong}; leave one of the two out")
        return self

    @property
    def changes_model(self) -> bool:
        """Whether the model without the remedy is of another kind than the one that decides."""
        return self.final_model != self.risk_model

    def adds_columns(self, *, group_in_features: bool) -> bool:
        """Whether models get columns that spell out the groups."""
        return group_in_features and self.add_group_columns and not self.as_published

    def weighs(self, *, group_in_features: bool) -> bool:
        """Whether rows are weighed while the final model learns.

        A model that cannot distinguish the groups would follow the weights by giving everybody the good outcome.
        """
        return group_in_features and self.reweigh and self.final_model == "mlp" and not self.as_published

    def searches(self, *, group_in_features: bool) -> bool:
        """Whether it is searched for how far labels must be changed."""
        return self.search and not self.as_published and not self.weighs(group_in_features=group_in_features)

    def is_learned(self) -> bool:
        """Say whether the plan does not say who is predicted what."""
        return True
