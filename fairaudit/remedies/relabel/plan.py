"""Retraining on changed decisions: the part of a plan that asks for it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fairaudit.plan.models import ProbabilisticLearner
from fairaudit.remedies.part import RemedyPart


class RelabelPlan(RemedyPart):
    """Retraining on relabelled rows.

    Parameters
    ----------
    method : {"relabel"}
        The kind of remedy.
    name : str, optional
        What it is called in this audit.
    algorithm : {"risk_adjustment", "risk_flipping"}
        How rows are relabelled.
    risk_model : str
        The model whose scores say which; it learns from 40 % of the rows.
    final_model : str
        The model that decides; it learns from the relabelled other 40 %.
    threshold : float
        The least risk score with label 1, for "risk_adjustment".
    reweigh : bool
        Weighs protected rows while a perceptron is the final model that may see who is protected, so that its decisions
        become alike and not only the labels; without it the fit is plain.
    no_group_worse_off : bool
        Whether no group may do worse than before, on the tuning rows; the final model's threshold is moved until that
        holds.
    """

    does = "Some past decisions about the protected group are changed, and a new model learns from them."
    by_conditions = False

    method: Literal["relabel"] = "relabel"
    name: str | None = None
    algorithm: Literal["risk_adjustment", "risk_flipping"] = "risk_flipping"
    risk_model: ProbabilisticLearner = "logistic_regression"
    final_model: ProbabilisticLearner = "mlp"
    threshold: Annotated[float, Field(gt=0, lt=1)] = 0.5
    reweigh: bool = True
    no_group_worse_off: bool = False

    @property
    def changes_model(self) -> bool:
        """Whether the model without the remedy is of another kind than the one that decides."""
        return self.final_model != self.risk_model
