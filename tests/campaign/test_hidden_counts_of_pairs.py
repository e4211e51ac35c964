"""Nothing hidden follows from two reports on the same data, of which the second was hidden beside the first."""

from __future__ import annotations

import os

import pytest
from attack_pairs import NoPairError, attacked_pair, outcome_of

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
