"""A model that is trained to meet constraints: the part of a plan that asks for it, and what the kind offers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator

from fairaudit.estimators.constraints import parse_specs
from fairaudit.late import Late
from fairaudit.plan.models import ProbabilisticLearner
from fairaudit.plan.parts import Part
from fairaudit.remedies.kind import RemedyKind, never
from fairaudit.remedies.plain.plan import PlainPlan


def _readable(text: str) -> str:
    """Refuse a text that holds no constraint, so that the plan's error names the entry."""
    parse_specs(text)
    return text


class ConstrainPlan(Part):
    """A model that is trained to meet constraints, such as ``"fpr by race <= 0.03"``, at the least loss of accuracy.

    Metrics are those of the outcome that ``models.positive`` names. The model learns from the training part; whether
    constraints are met is judged on the tuning part while multipliers are searched for.

    Parameters
    ----------
    method : {"constrain"}
        The kind of remedy.
    name : str, optional
        What it is called in this audit.
    model : str
        What learns.
    constraints : tuple of str
        What must be alike, between which groups, and how nearly.
    scale : float
        Picks the most accurate model of the search whose gaps are at most that many times what the constraints allow.
    no_group_worse_off : bool
        Whether no group may do worse than before, on the tuning rows; only such models are chosen, whatever their gaps.
    """

    method: Literal["constrain"] = "constrain"
    name: str | None = None
    model: ProbabilisticLearner = "logistic_regression"
    constraints: Annotated[tuple[Annotated[str, AfterValidator(_readable)], ...], Field(min_length=1)]
    scale: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    no_group_worse_off: bool = False

    @field_validator("constraints")
    @classmethod
    def _as_printed(cls, constraints: tuple[str, ...]) -> tuple[str, ...]:
        """Write each constraint as it is printed; a text that stands for two becomes two."""
        return tuple(dict.fromkeys(str(spec) for text in constraints for spec in parse_specs(text)))


def without_constraint(plan: ConstrainPlan) -> PlainPlan:
    """Return the plan of the plain model that it is compared with."""
    return PlainPlan(model=plan.model)


def search_plan(plan: ConstrainPlan) -> ConstrainPlan:
    """Return a plan that is the same for all with this search, whatever limit is picked from it."""
    return plan.model_copy(update={"scale": 1.0})


HOME = "fairaudit.remedies.constrain"

CONSTRAIN = RemedyKind(
    method="constrain",
    plan=ConstrainPlan,
    noun="model",
    fit=Late(f"{HOME}.fit:iter_constrain"),
    name=Late(f"{HOME}.words:constrain_name"),
    done=Late(f"{HOME}.words:done_sentences"),
    does="A model is trained again and again, until the groups are as near to each other as you asked.",
    details=Late(f"{HOME}.details:ConstrainDetails"),
    definitions=Late(f"{HOME}.words:definitions"),
    baseline=without_constraint,
    search_plan=search_plan,
    keeps_model=True,
    group_columns=Late(f"{HOME}.words:named_columns"),
    cautions=Late(f"{HOME}.words:cautions"),
    tables=Late(f"{HOME}.tables:constraint_tables"),
    asked_blocks=Late(f"{HOME}.charts:asked_blocks"),
    result_blocks=Late(f"{HOME}.charts:result_blocks"),
    search_blocks=Late(f"{HOME}.charts:search_blocks"),
    command_lines=Late(f"{HOME}.charts:command_lines"),
    hide=Late(f"{HOME}.details:shown_in_part"),
    by_conditions=False,
    counts_people=never,
)
