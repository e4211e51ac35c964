"""Scores that are spread alike in all groups: the part of a plan that asks for them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fairaudit.plan.fields import Choice, InForm
from fairaudit.remedies.part import NoGroupWorseOff, RemedyPart


class EqualizePlan(RemedyPart):
    """A logistic model whose score is spread alike in all groups; its one threshold is chosen on the tuning part."""

    does = "One score is spread alike in all groups, and one threshold cuts it for everybody."
    learns_known_groups = True

    method: Literal["equalize"] = Field(default="equalize", description="The kind of remedy.")
    accuracy_weight: Annotated[
        Annotated[float, Field(ge=0, le=1)],
        InForm(
            label="Weight of accuracy",
            help="The other part goes to scores that are spread alike. Known as alpha.",
            widget="steps",
        ),
    ] = Field(
        default=0.5, description="The weight of accuracy in the loss; the rest is that of how unlike the spreads are."
    )
    distance: Annotated[
        Literal["ranks", "histogram"],
        InForm(
            label="How spreads are compared",
            help="By histograms, scores may collapse to one value, which makes no gap smaller.",
            choices=(
                Choice("ranks", "By gaps at all thresholds"),
                Choice("histogram", "By histograms, as first published"),
            ),
        ),
    ] = Field(
        default="ranks",
        description=(
            "How unlike spreads are measured: by the gaps at all thresholds, or by histograms of the scores, as in "
            "the paper."
        ),
    )
    smoothing: Annotated[
        Annotated[float, Field(gt=0, allow_inf_nan=False)] | None,
        InForm(
            label="Smoothing",
            help="How far a score counts in neighbouring bins. 0: the width of one. With less, gaps count less.",
            least=0.0,
            most=1.0,
            step=0.005,
            format="%.3f",
            none=0.0,
        ),
    ] = Field(
        default=None,
        description=(
            "The spread of the soft histogram; None: the width of a bin, 0.02. The paper gives none; with 0.005 "
            "accuracy saturates as in its figure 14."
        ),
    )
    optimizer: Annotated[
        Literal["lbfgs", "momentum"],
        InForm(
            label="How the model is fitted",
            choices=(
                Choice("lbfgs", "Quickly (L-BFGS)"),
                Choice("momentum", "In small steps, as first published (momentum)"),
            ),
        ),
    ] = Field(default="lbfgs", description="How the loss is made small.")
    max_iter: Annotated[Annotated[int, Field(ge=1)], InForm(label="Steps, at most", most=100_000, step=100)] = Field(
        default=2000, description="The most steps."
    )
    no_group_worse_off: NoGroupWorseOff = Field(
        default=False,
        description=(
            "Whether no group may do worse than before, on the tuning rows; the threshold is chosen among those of "
            "which that is true."
        ),
    )

    def is_learned(self) -> bool:
        """Say whether the plan does not say who is predicted what."""
        return True
