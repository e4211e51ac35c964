"""What stands for a figure that the small-cell rule hides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fairaudit.conditions import Condition
from fairaudit.errors import FairauditError
from fairaudit.measure.not_known import NotKnown, leaving_out
from fairaudit.measure.results import Interval

HIDDEN = Interval(None, None)
NO_FIGURES = {
    "difference": None,
    "difference_interval": HIDDEN,
    "equivalence_interval": HIDDEN,
    "impact_ratio": None,
    "impact_ratio_interval": HIDDEN,
    "four_fifths": None,
    "z": None,
    "p_value": None,
    "test": None,
    "fair": None,
    "evidence": None,
    "warnings": (),
}
"""The figures of a comparison, without their values."""


def without_counts(parts: Iterable[NotKnown], protected: str) -> tuple[NotKnown, ...]:
    """Return what is told of values that mean not known where small counts are hidden: no count at all."""
    hidden = {"n": None, "n_protected": None, "n_reference": None}
    return tuple(
        replace(
            part,
            **hidden,
            groups=part.groups if part.counted == "group" and _decides(part.column, protected) else (),
            leave_out=leaving_out(part.column, part.values, [part.column], missing=True),
        )
        for part in parts
    )


def _decides(column: str, condition: str) -> bool:
    """Say whether a condition names a column and no other."""
    try:
        Condition.parse(condition, [column])
    except FairauditError:
        return False
    return True
