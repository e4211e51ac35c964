"""Nothing hidden follows from two reports on the same data, of which the second was hidden beside the first."""

from __future__ import annotations

import os

import pytest
from attack_pairs import attacked_pair

pytestmark = pytest.mark.campaign

PAIRS = range(int(os.environ.get("FAIRAUDIT_ATTACKED_PAIRS", "40")))


@pytest.mark.parametrize("seed", PAIRS)
def test_an_attack_on_both_finds_no_hidden_count(seed):
    leaks = attacked_pair(seed)
    if leaks is None:
        pytest.skip("these data have no answer to these plans")
    assert not leaks.found, leaks


def test_without_the_first_report_the_attack_finds_some():
    found = [leaks for seed in range(12) if (leaks := attacked_pair(seed, apart=True)) is not None]
    assert any(leaks.found for leaks in found), "an attack that finds nothing shows nothing"
