from __future__ import annotations

import math

import pytest

from fairaudit.work import ELEMENTS_PER_S, PRODUCTS_PER_S, Budget


def test_a_part_counts_in_the_whole_and_ends_with_it():
    whole = Budget(10.0)
    part = whole.part(6.0)
    deep = part.part()
    deep.spend(seconds=5.0)
    assert (whole.left, part.left, deep.left) == (5.0, 1.0, 1.0)
    deep.spend(seconds=2.0)
    assert (whole.left, part.left, deep.left) == (3.0, 0.0, 0.0)
    assert part.is_over and deep.is_over and not whole.is_over
    assert whole.part(100.0).limit == 3.0


def test_work_of_all_sorts_adds_up():
    budget = Budget(4.0)
    budget.spend(products=PRODUCTS_PER_S, elements=ELEMENTS_PER_S, seconds=0.5)
    assert budget.spent == pytest.approx(2.5)
    assert budget.share == pytest.approx(0.625) and budget.steps(100) == 62


def test_what_is_used_up_is_late():
    assert Budget(0.0).is_over and Budget(0.0).is_late and Budget(0.0).share == 1.0
    budget = Budget(10.0)
    assert not budget.is_late
    budget.spend(seconds=9.0)
    assert budget.is_late and not budget.is_over


def test_a_budget_without_a_limit_never_ends():
    budget = Budget()
    budget.spend(seconds=1e9)
    assert budget.left == math.inf and budget.share == 0.0 and not budget.is_over and not budget.is_late
