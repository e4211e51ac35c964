"""Every kind of remedy has its parts of a plan, and one object for each kind of decision that it can be tried on."""

from __future__ import annotations

import pytest

from fairaudit.catalog import REMEDIES, remedy_of
from fairaudit.outcomes import OUTCOMES, SHARES
from fairaudit.remedies.plans import REMEDY_PLANS


def test_each_kind_is_listed_for_the_decisions_that_its_plan_goes_with():
    listed = [(remedy.plan, remedy.outcome.name) for remedy in REMEDIES]
    assert len(set(listed)) == len(listed)
    assert set(listed) == {(plan, kind.name) for plan in REMEDY_PLANS.values() for kind in plan.tried_on}
    assert list(dict.fromkeys(remedy.method for remedy in REMEDIES)) == list(REMEDY_PLANS)


def test_a_kind_that_cannot_be_tried_on_a_decision_is_refused():
    for plan in REMEDY_PLANS.values():
        for outcome in OUTCOMES:
            if outcome not in plan.tried_on:
                with pytest.raises(TypeError, match=outcome.name):
                    remedy_of(plan.model_construct(), outcome)


def test_a_kind_is_compared_with_what_asks_for_nothing():
    for kind in REMEDY_PLANS.values():
        if not kind.is_remedy or SHARES not in kind.tried_on or kind is REMEDY_PLANS["constrain"]:
            continue
        free = kind().baseline()
        assert free.baseline() == free, "the baseline of a baseline is itself"
        assert free.search_plan() == free
