"""All kinds of remedies, in the order in which they are offered. A new one is imported and listed here."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Annotated

from pydantic import Field

from fairaudit.errors import PlanError
from fairaudit.outcomes.kind import OutcomeKind
from fairaudit.plan.parts import Part
from fairaudit.remedies.constrain.kind import CONSTRAIN
from fairaudit.remedies.equalize.kind import EQUALIZE
from fairaudit.remedies.kind import OnAmounts, RemedyKind
from fairaudit.remedies.plain.kind import PLAIN
from fairaudit.remedies.relabel.kind import RELABEL
from fairaudit.remedies.rules.kind import RULES
from fairaudit.remedies.thresholds.kind import THRESHOLDS
from fairaudit.remedies.trees.kind import TREES

REMEDIES = (PLAIN, RELABEL, THRESHOLDS, EQUALIZE, CONSTRAIN, RULES, TREES)

BY_METHOD = {kind.method: kind for kind in REMEDIES}

RemedyPlan = Annotated[reduce(or_, (kind.plan for kind in REMEDIES)), Field(discriminator="method")]
"""The part of a plan that asks for a remedy."""


def kind_of(plan: Part) -> RemedyKind:
    """Return the kind of remedy that a part of a plan asks for."""
    kind = BY_METHOD.get(plan.method)
    if kind is None:
        raise PlanError(f"'method' must be one of {', '.join(map(repr, BY_METHOD))}, got {plan.method!r}.")
    return kind


def kind_on(plan: Part, outcome: OutcomeKind) -> RemedyKind | OnAmounts | None:
    """Return what a kind of remedy does with decisions of a kind; None where it cannot be tried."""
    return outcome.on(kind_of(plan))
