"""The part of a plan that asks for a threshold for each group."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat, model_validator

from fairaudit.plan.learners import Learner
from fairaudit.plan.parts import Part


class ThresholdsPlan(Part):
    """A threshold for each group on the score of `model`, or on the data's own score (``"score"``).

    `search` is how they are found on the 20 % tuning part: the exact optimum, particle swarm, or ``"chosen"`` by a
    person, who then gives `thresholds` as pairs of a group's name and its threshold.
    """

    method: Literal["thresholds"] = "thresholds"
    name: str | None = None
    model: Learner | Literal["score"] = "logistic_regression"
    fairness_weight: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.0
    search: Literal["exact", "pso", "chosen"] = "exact"
    thresholds: tuple[tuple[str, FiniteFloat], ...] = ()

    @model_validator(mode="after")
    def _chosen(self) -> ThresholdsPlan:
        if (self.search == "chosen") != bool(self.thresholds):
            raise ValueError("give 'thresholds' where 'search' is 'chosen', and only there")
        names = [group for group, _ in self.thresholds]
        if len(set(names)) < len(names):
            raise ValueError("has two entries for one group in 'thresholds'")
        return self
