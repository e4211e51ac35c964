"""A threshold for each group: the part of a plan that asks for them."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Final, Literal

from pydantic import Field, FiniteFloat, model_validator

from fairaudit.defaults import USUAL_SWARM, SwarmSettings
from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.models import Learner, model_choices
from fairaudit.remedies.part import (
    HELD_ON_NEW_PEOPLE,
    HOLDS_ONE_OF_TWO,
    HeldAmongSimilar,
    HoldOnNewPeople,
    NoGroupWorseOff,
)

Coefficient = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""A coefficient of a particle swarm."""
_STEPS: Final = {"most": 10.0, "step": 0.05, "format": "%.4g"}

SWARM: Final = tuple(field.name for field in fields(SwarmSettings))
"""Settings of a particle swarm, as the search takes them."""


class ThresholdsPlan(HeldAmongSimilar):
    """A threshold for each group on one score."""

    does = "In each group, people get a yes from another score upwards."

    method: Literal["thresholds"] = Field(default="thresholds", description="The kind of remedy.")
    model: Annotated[
        Learner | Literal["score"],
        InForm(
            label="Score",
            help="A model that learns from past decisions, or a score in your data. Name its column on the page Data.",
            choices=model_choices("score", "logistic_regression", "svm", "mlp", "random_forest", "gradient_boosting"),
        ),
    ] = Field(default="logistic_regression", description='The model whose score it is; "score" for the data\'s own.')
    fairness_weight: Annotated[
        Annotated[float, Field(ge=0, allow_inf_nan=False)],
        InForm(
            label="Weight of equal errors",
            help="How much gaps in errors count beside accuracy. A larger weight gives smaller gaps.",
            widget="steps",
        ),
    ] = Field(default=1.0, description="What the gaps are multiplied with before they are taken off the accuracy.")
    search: Literal["exact", "pso", "chosen"] = Field(
        default="exact",
        description=(
            "How thresholds are found on the 20 % tuning part: the exact optimum, particle swarm, or chosen by a "
            "person."
        ),
    )
    swarm: Annotated[
        Literal["curves", "thresholds"],
        InForm(
            label="What moves",
            choices=(
                Choice("curves", "Places on the curves of errors"),
                Choice("thresholds", "Thresholds, as first published"),
            ),
        ),
    ] = Field(
        default=USUAL_SWARM.swarm,
        description=(
            'What a particle swarm moves: places on the ROC curves, or "thresholds" as in the paper, which finds less.'
        ),
    )
    n_particles: Annotated[Annotated[int, Field(ge=1)], InForm(label="Particles", most=10_000, step=10)] = Field(
        default=USUAL_SWARM.n_particles, description="The size of the swarm. The paper gives none."
    )
    n_iterations: Annotated[Annotated[int, Field(ge=1)], InForm(label="Steps", most=100_000, step=10)] = Field(
        default=USUAL_SWARM.n_iterations, description="The steps of the swarm. The paper gives none."
    )
    inertia: Annotated[Coefficient, InForm(label="Inertia", help="What is kept of the last step.", **_STEPS)] = Field(
        default=USUAL_SWARM.inertia, description="What a particle keeps of its last step. The paper gives none."
    )
    own_pull: Annotated[Coefficient, InForm(label="Pull to its own best", help="Known as c1.", **_STEPS)] = Field(
        default=USUAL_SWARM.own_pull,
        description="How strongly the best place of a particle pulls it. The paper gives none.",
    )
    common_pull: Annotated[Coefficient, InForm(label="Pull to the best of all", help="Known as c2.", **_STEPS)] = Field(
        default=USUAL_SWARM.common_pull,
        description="How strongly the best place of all pulls a particle. The paper gives none.",
    )
    thresholds: tuple[tuple[str, FiniteFloat], ...] = Field(
        default=(),
        description="Those that a person chose, as pairs of a group's name and its threshold; empty otherwise.",
    )
    no_group_worse_off: NoGroupWorseOff = Field(
        default=False,
        description=(
            "Whether no group may do worse than before, on the tuning rows; thresholds are searched among those of "
            "which that is true."
        ),
    )
    confidence: HoldOnNewPeople = Field(
        default=None,
        description=f"{HELD_ON_NEW_PEOPLE} Here the limit is the tolerance of the audit, on gaps in both error rates.",
    )

    @model_validator(mode="after")
    def _chosen(self) -> ThresholdsPlan:
        if (self.search == "chosen") != bool(self.thresholds):
            raise ValueError("give 'thresholds' where 'search' is 'chosen', and only there")
        names = [group for group, _ in self.thresholds]
        if len(set(names)) < len(names):
            raise ValueError("has two entries for one group in 'thresholds'")
        if self.search != "pso" and self.swarm_settings() != ThresholdsPlan.model_construct().swarm_settings():
            raise ValueError(f"{', '.join(map(repr, SWARM))} need 'search' = 'pso'")
        if self.no_group_worse_off and self.search == "chosen":
            raise ValueError(
                "holds thresholds that a person chose, which are taken as they are: 'no_group_worse_off' needs "
                "'search' = 'exact' or 'pso'; leave it out, and read whether a group is worse off in the result"
            )
        if self.confidence is not None and self.search != "exact":
            raise ValueError("has 'confidence', which needs 'search' = 'exact'; leave one of the two out")
        if self.confidence is not None and self.no_group_worse_off:
            raise ValueError(HOLDS_ONE_OF_TWO)
        return self

    def plain_model(self, outcome: OutcomeKind = SHARES) -> Learner | None:
        """Return the model whose score thresholds are put on; None where the data hold the score."""
        return None if self.model == "score" else self.model

    @property
    def goes_by_weight(self) -> bool:
        """Whether thresholds are those with the best accuracy less weighted gaps; a limit on new people has none."""
        return self.search != "chosen" and self.confidence is None

    def swarm_settings(self) -> dict[str, Any]:
        """Return how a particle swarm searches, as `iter_swarm` takes it."""
        return {name: getattr(self, name) for name in SWARM}

    def is_learned(self) -> bool:
        """Say whether the plan does not say who is predicted what."""
        return self.search != "chosen"
