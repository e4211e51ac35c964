"""The parts of a plan that ask for a remedy. A new one is imported and named here."""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import Field

from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.part import RemedyPart
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan

RemedyPlan = Annotated[
    PlainPlan | RelabelPlan | ThresholdsPlan | EqualizePlan | ConstrainPlan | RulesPlan | TreesPlan,
    Field(discriminator="method"),
]
"""The part of a plan that asks for a remedy."""

REMEDY_PLANS: dict[str, type[RemedyPart]] = {
    plan.model_fields["method"].default: plan for plan in get_args(get_args(RemedyPlan)[0])
}
"""Each kind by its method, in the order in which they are offered."""
