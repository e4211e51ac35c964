"""All kinds of remedies."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
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
