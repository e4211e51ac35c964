"""Which measure four answers speak for, and why, in sentences."""

from __future__ import annotations

from typing import Final

from fairaudit.findings import Message, Share, Word
from fairaudit.measure.quantity import Quantity
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.measuring import MeasurePlan

FOUR_FIFTHS: Final = 0.8
"""The ratio of shares that is held up where places are few."""


def say_measure(answers: MeasurePlan, tolerance: float) -> tuple[Message, ...]:
    """Say what is compared, why, within which limit, and whether the group may be used; nothing without a measure."""
    measure = answers.measure
    if measure is None:
        return ()
    named = {"measure": Word(measure)}
    said = [Message("measure-because", named), Message("measure-compare", named)]
    if answers.limit == "ratio":
        said.append(Message("measure-limit-ratio", {"ratio": Share(FOUR_FIFTHS)}))
    else:
        said.append(Message("measure-limit-points", {"limit": Quantity("share", 0).limit(tolerance)}))
    if answers.group_use is not None:
        said.append(Message(f"measure-group-{answers.group_use}"))
    return tuple(said)


def say_measure_of(plan: AuditPlan) -> tuple[Message, ...]:
    """Say why an audit compares what it does; nothing where the questions were not answered."""
    if plan.measure is None or not plan.checks or not (said := say_measure(plan.measure, plan.checks[0].tolerance)):
        return ()
    return (Message("measure-answered"), *said)
