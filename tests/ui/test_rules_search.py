from __future__ import annotations

import math

import pytest

from fairaudit.events import Incumbent
from ui.remedies.rules.results import best_loss, last_search, rounds_path


def round_of(number: int) -> Incumbent:
    return Incumbent("round", {"round": number, "columns": 10.0 * number, "lp": 8.0, "bound": 7.0, "incumbent": 9.0})


def solution(share: float, objective: float = 9.0) -> Incumbent:
    return Incumbent("solution", {"objective": objective, "bound": 7.0, "share": share})


def test_a_search_for_rules_has_no_rounds_where_its_time_is_over_before_the_first():
    assert rounds_path([solution(0.1)]).empty
    assert math.isnan(best_loss([solution(0.1, math.nan)]))


@pytest.mark.parametrize(
    "second", [[round_of(1), round_of(2)], [solution(0.1, math.nan), solution(0.2, 11.0), solution(0.4, 10.0)]]
)
def test_the_search_to_compare_with_is_no_longer_shown_when_the_next_one_describes_itself(second):
    first = [solution(0.2), round_of(1), round_of(2), solution(0.5), solution(3.0)]
    assert last_search([*first, *second]) == tuple(second)


def test_a_search_that_selects_twice_keeps_its_rounds():
    found = [round_of(1), round_of(2), solution(0.5), solution(3.0), solution(0.1), solution(0.4, 8.0)]
    assert last_search(found) == tuple(found)


def test_a_search_for_the_smallest_difference_is_no_loss_and_no_new_search():
    nearest = Incumbent("least_gap", {"gap": 0.07, "bound": 0.01, "share": 0.3}, best=True)
    found = [round_of(1), solution(0.5, math.nan), nearest, solution(0.1, 11.0)]
    assert last_search(found) == tuple(found)
    assert best_loss([solution(0.5, math.nan), nearest, solution(0.1, 11.0)]) == 11.0
    assert len(rounds_path(found)) == 1
