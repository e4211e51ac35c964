"""Retraining on changed decisions: the part of a plan that asks for it, and what the kind offers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fairaudit.late import Late
from fairaudit.plan.models import ProbabilisticLearner
from fairaudit.plan.parts import Part
from fairaudit.remedies.kind import RemedyKind, never


class RelabelPlan(Part):
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

    method: Literal["relabel"] = "relabel"
    name: str | None = None
    algorithm: Literal["risk_adjustment", "risk_flipping"] = "risk_flipping"
    risk_model: ProbabilisticLearner = "logistic_regression"
    final_model: ProbabilisticLearner = "mlp"
    threshold: Annotated[float, Field(gt=0, lt=1)] = 0.5
    reweigh: bool = True
    no_group_worse_off: bool = False


def changes_model(plan: RelabelPlan) -> bool:
    """Say whether the model without the remedy is of another kind than the one that decides."""
    return plan.final_model != plan.risk_model


HOME = "fairaudit.remedies.relabel"

RELABEL = RemedyKind(
    method="relabel",
    plan=RelabelPlan,
    noun="model",
    fit=Late(f"{HOME}.fit:iter_relabel"),
    name=Late(f"{HOME}.details:relabel_name"),
    done=Late(f"{HOME}.details:done_sentences"),
    does="Some past decisions about the protected group are changed, and a new model learns from them.",
    details=Late(f"{HOME}.details:RelabelDetails"),
    definitions=Late(f"{HOME}.details:definitions"),
    cautions=Late(f"{HOME}.details:cautions"),
    changes_model=changes_model,
    tables=Late(f"{HOME}.details:relabel_tables"),
    joint_tables=Late(f"{HOME}.details:pairs_tables"),
    search_blocks=Late(f"{HOME}.details:search_blocks"),
    by_conditions=False,
    counts_people=never,
)
