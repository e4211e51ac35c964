"""Nothing hidden follows from two reports on the same data, of which the second was hidden beside the first."""

from __future__ import annotations

import itertools
import os

import numpy as np
import pytest
from attack import Common, Reader
from attack_pairs import NoPairError, attacked_pair, outcome_of

from fairaudit.measure.strata import common_difference

pytestmark = pytest.mark.campaign

PAIRS = range(int(os.environ.get("FAIRAUDIT_ATTACKED_PAIRS", "40")))


@pytest.mark.parametrize("seed", PAIRS)
def test_an_attack_on_both_finds_no_hidden_count(seed):
    try:
        leaks = attacked_pair(seed)
    except NoPairError as error:
        pytest.skip(f"no pair: {error}")
    assert not leaks.found, leaks


def test_without_the_first_report_the_attack_finds_some():
    found = [outcome_of(seed, apart=True) for seed in range(12)]
    assert any(each.get("exact") or each.get("narrow") for each in found), "an attack that finds nothing shows nothing"


def test_all_tables_with_a_common_gap_are_those_that_counting_one_by_one_finds():
    # Two strata, of whom the sides are shown, and one sum of good outcomes.
    cells = np.zeros((8, 8))
    for stratum in range(2):
        for side in range(2):
            good, bad, at = 4 * stratum + 2 * side, 4 * stratum + 2 * side + 1, 4 * stratum + 2 * side
            cells[at, good] = cells[at + 1, [good, bad]] = 1
    counts = np.array([3, 4, 5, 2, 6, 1, 2, 5])
    rows = np.array([*cells[1::2], cells[0::2].sum(axis=0)])
    found, (low, high) = common_difference((cells @ counts).reshape(-1, 4), 0.95)
    common = Common(cells, 0.95, [round(each, 2) for each in (found, high, low)])
    reader = Reader(rows, rows @ counts, counts, 2, [], [common])
    sizes = (rows @ counts)[:4].astype(int)
    agreeing = set()
    for good in itertools.product(*(range(n + 1) for n in sizes)):
        table = np.array([each for own, n in zip(good, sizes, strict=True) for each in (own, n - own)])
        if sum(good) == rows[4] @ counts and common.agrees(table):
            agreeing.add(tuple(table))
    assert {tuple(table) for table in reader.all_tables.astype(int)} == agreeing and tuple(counts) in agreeing
