"""All kinds of remedies, in the order in which they are offered. A new one is imported and listed here."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from fairaudit.errors import PlanError
from fairaudit.outcomes import OutcomeKind
from fairaudit.remedies.constrain.plan import CONSTRAIN
from fairaudit.remedies.equalize.plan import EQUALIZE
from fairaudit.remedies.kind import OnAmounts, RemedyKind
from fairaudit.remedies.plain.plan import PLAIN
from fairaudit.remedies.relabel.plan import RELABEL
from fairaudit.remedies.rules.plan import RULES
from fairaudit.remedies.thresholds.plan import THRESHOLDS
from fairaudit.remedies.trees.plan import TREES

REMEDIES = (PLAIN, RELABEL, THRESHOLDS, EQUALIZE, CONSTRAIN, RULES, TREES)

BY_METHOD = {kind.method: kind for kind in REMEDIES}

if TYPE_CHECKING:
    from fairaudit.remedies.constrain.plan import ConstrainPlan
    from fairaudit.remedies.equalize.plan import EqualizePlan
    from fairaudit.remedies.plain.plan import PlainPlan
    from fairaudit.remedies.relabel.plan import RelabelPlan
    from fairaudit.remedies.rules.plan import RulesPlan
    from fairaudit.remedies.thresholds.plan import ThresholdsPlan
    from fairaudit.remedies.trees.plan import TreesPlan

    # What is read off the kinds as the program starts, no checker of types can follow.
    RemedyPlan = PlainPlan | RelabelPlan | ThresholdsPlan | EqualizePlan | ConstrainPlan | RulesPlan | TreesPlan
else:
    RemedyPlan = Annotated[reduce(or_, (kind.plan for kind in REMEDIES)), Field(discriminator="method")]
"""The part of a plan that asks for a remedy."""


def kind_of(plan: RemedyPlan) -> RemedyKind:
    """Return the kind of remedy that a part of a plan asks for."""
    kind = BY_METHOD.get(plan.method)
    if kind is None:
        raise PlanError(f"'method' must be one of {', '.join(map(repr, BY_METHOD))}, got {plan.method!r}.")
    return kind


def kind_on(plan: RemedyPlan, outcome: OutcomeKind) -> RemedyKind | OnAmounts | None:
    """Return what a kind of remedy does with decisions of a kind; None where it cannot be tried."""
    return outcome.on(kind_of(plan))


def kind_tried(plan: RemedyPlan, outcome: OutcomeKind) -> RemedyKind | OnAmounts:
    """Return what a kind of remedy does with decisions of a kind that it can be tried on."""
    kind = kind_on(plan, outcome)
    if kind is None:
        raise TypeError(f"{plan.method!r} cannot be tried on {outcome.name}")
    return kind
