"""Mutated files and plans, a hundred of each kind: a table, a plan, a result, or one sentence.

``python -m tests.campaign.mutated_files`` and ``python -m tests.campaign.mutated_plans`` try more and name what failed.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.campaign import mutated_files, mutations
from tests.campaign.cases import count

CASES = 100
MOST_S = 60.0
"""Seconds for one kind on a busy machine; what is not tried then is left to the next time."""


@pytest.mark.parametrize("kind", mutated_files.KINDS)
def test_mutated_file_is_read_or_refused_in_one_sentence(kind):
    counts = count("tests.campaign.mutated_files", kind, CASES, seed=0, most_s=MOST_S)
    assert not counts.failed, str(counts)
    assert counts.ends["refused"] and (kind == "other kinds" or counts.ends["read"]), str(counts)


def test_mutated_plan_is_run_or_refused_in_one_sentence():
    counts = count("tests.campaign.mutated_plans", "plans", 75, seed=0, most_s=MOST_S)
    assert not counts.failed, str(counts)
    assert counts.ends["refused"] and counts.ends["run"], str(counts)


def test_sums_of_duckdb_are_understood():
    [data] = mutated_files.duckdb_files()
    sizes = [(0, 4096), (4096, 4096), (8192, 4096)]
    sizes += [(at, mutated_files.BLOCK) for at in range(12288, len(data), mutated_files.BLOCK)]
    right = [
        int.from_bytes(data[at : at + 8], "little") == mutations.duckdb_sum(data[at + 8 : at + size])
        for at, size in sizes
    ]
    assert np.mean(right) > 0.5 and right[0], "mutations would be refused for their sums"
