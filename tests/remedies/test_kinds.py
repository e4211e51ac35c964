"""Every kind of remedy names functions and classes that are there."""

from __future__ import annotations

import dataclasses

import pytest

from fairaudit.errors import PlanError
from fairaudit.late import Late
from fairaudit.remedies.registry import BY_METHOD, REMEDIES, kind_of

PARTS = [(kind.method, part) for kind in REMEDIES for part in (kind, kind.on_amounts) if part is not None]
# Several kinds may name the same function.
LATE = dict.fromkeys(
    value
    for _, part in PARTS
    for field in dataclasses.fields(part)
    if isinstance(value := getattr(part, field.name), Late)
)


@pytest.mark.parametrize("late", LATE, ids=[late.path for late in LATE])
def test_what_is_imported_late_is_there(late):
    assert callable(late.find())


def test_each_kind_has_a_method_of_its_own_and_its_plan_says_it():
    assert len(BY_METHOD) == len(REMEDIES)
    assert all(kind.plan.model_fields["method"].default == kind.method for kind in REMEDIES)


def test_a_method_that_no_kind_has_is_refused_with_those_that_are_there():
    unknown = REMEDIES[0].plan.model_construct(method="guess")
    with pytest.raises(PlanError, match=f"'method' must be one of '{REMEDIES[0].method}', .*, got 'guess'"):
        kind_of(unknown)


def test_a_kind_is_compared_with_what_asks_for_nothing():
    for kind in REMEDIES:
        if not kind.is_remedy or kind.method == "constrain":
            continue
        plan = kind.plan()
        free = kind.baseline(plan)
        assert kind.baseline(free) == free, "the baseline of a baseline is itself"
        assert kind.search_plan(free) == free
