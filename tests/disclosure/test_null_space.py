"""Moves of people leave the sums that are shown, are in whole numbers, and leave nobody less than none."""

from __future__ import annotations

import numpy as np
import pytest

from fairaudit.disclosure.null_space import Moves, Room


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return sums of parts of the people, and how many people the parts have."""
    random = np.random.default_rng(seed)
    return (random.random((6, 20)) < 0.4).astype(float), random.integers(0, 30, 20).astype(float)


@pytest.mark.parametrize("seed", range(20))
def test_moves_are_whole_and_are_all_that_leave_the_sums(seed):
    rows, people = drawn(seed)
    moves = Moves(rows, people)
    assert len(moves.exact) == 20 - np.linalg.matrix_rank(rows) == np.linalg.matrix_rank(moves.exact)
    assert np.abs(rows @ moves.exact.T).max() < 1e-9
    assert np.array_equal(moves.each, np.round(moves.each)) and not (rows @ moves.each.T).any()
    assert moves.can_change(np.array([rows[0] + rows[1], moves.exact[0]])).tolist() == [False, True]


@pytest.mark.parametrize("seed", range(20))
def test_a_part_is_changed_as_far_as_people_and_facts_allow(seed):
    rows, people = drawn(seed)
    moves = Moves(rows, people)
    fact = np.zeros((1, 20))
    fact[0, 3] = -1.0
    # Of part 3 there may be two more at most.
    room = Room(people, fact, np.array([-2.0]))
    for part in range(20):
        row = np.eye(20)[part]
        change = room.climbed(moves.each, row, 5.0, np.zeros(20))
        assert not (rows @ change).any() and (people + change >= 0).all() and change[3] <= 2
        assert room.has(change) and row @ change >= 0
    assert not room.has(3.0 * np.eye(20)[3]) and not room.has(-people - 1)


def test_a_change_that_is_not_whole_has_whole_ones_near_it():
    moves = Moves(np.ones((1, 3)), np.array([9.0, 1.0, 1.0]))
    found = [change.tolist() for change in moves.near(np.array([-2.0, 0.5, 1.5]))]
    assert [-2.0, 0.0, 2.0] in found and [-1.0, 0.0, 1.0] in found and [-3.0, 1.0, 2.0] in found
