"""Holm's method on the verdicts of many groups: against p-values found by bisection, and with some groups hidden."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fairaudit.disclosure.hidden import without_figures
from fairaudit.measure import check_group_means, check_groups, comparison, means
from fairaudit.measure.comparison import compare_many
from fairaudit.measure.intervals import holm
from fairaudit.measure.verdicts import GAPS
from fairaudit.measure.verdicts_of_many import by_bonferroni, by_holm

SIDES = {"clear_gap": "beyond", "no_gap_above_tolerance": "within"}


def claim_p(compared, sides_at) -> float:
    """The smallest a at which a comparison is clear, by bisection; 1 where it is never."""
    low, high = 1e-12, 0.5
    if sides_at([compared], 1 - high) == ["open"]:
        return 1.0
    for _ in range(60):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if sides_at([compared], 1 - middle) != ["open"] else (middle, high)
    return high


def expected_by_holm(compared, sides_at) -> list[str]:
    adjusted = holm([claim_p(each, sides_at) for each in compared])
    alone = [sides_at([each], 0.5)[0] for each in compared]
    return [found if p <= 0.05 else "open" for found, p in zip(alone, adjusted, strict=True)]


@pytest.mark.parametrize("seed", range(12))
def test_readings_of_shares_are_those_of_holm_on_their_p_values(seed):
    rng = np.random.default_rng(seed)
    n = rng.integers(20, 3000, 8)
    k = rng.binomial(n, np.clip(0.5 + rng.choice([0, 0.02, 0.09, 0.13, -0.1], 8), 0, 1))
    both = [(k.sum() - k).tolist(), (n.sum() - n).tolist()]
    compared = compare_many(k.tolist(), n.tolist(), *both, names=[("a", "the rest")] * 8)
    found = by_holm(compared, comparison.sides_at)
    assert [SIDES.get(each.verdict, "open") for each in found] == expected_by_holm(compared, comparison.sides_at)
    adjusted = holm([each.p_value for each in compared])
    assert all((each.verdict in GAPS) <= (p < 0.05) for each, p in zip(found, adjusted, strict=True))
    assert [replace(each, verdict=None) for each in found] == [replace(each, verdict=None) for each in compared]


@pytest.mark.parametrize("seed", range(6))
def test_readings_of_means_are_those_of_holm_on_their_p_values(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"area": rng.choice(list("abcdef"), 900), "pay": rng.normal(0, 1, 900)})
    frame["pay"] += frame["area"].map(dict(zip("abcdef", rng.choice([0, 0.3, 0.5, 1], 6), strict=True)))
    found = [row.comparison for row in check_group_means(frame, decision="pay", by="area", tolerance=0.1).rows]
    assert [SIDES.get(each.verdict, "open") for each in found] == expected_by_holm(found, means.sides_at)


def test_among_forty_alike_groups_none_looks_clear_that_is_clear_alone():
    rng = np.random.default_rng(2)
    k = rng.binomial(400, 0.5, 40)
    frame = pd.DataFrame({"kind": np.repeat(range(40), 400), "got": (np.tile(range(400), 40) < np.repeat(k, 400))})
    found = [row.comparison for row in check_groups(frame, decision="got", favorable=True, by="kind",
                                                    tolerance=0.0).rows]  # fmt: skip
    alone = comparison.sides_at(found, 0.95)
    assert "beyond" in alone
    assert not {"clear_gap", "gap_size_unclear"} & {each.verdict for each in found}


def test_two_groups_are_one_question_also_for_their_readings():
    frame = pd.DataFrame({"sex": ["F"] * 500 + ["M"] * 500, "paid": [1] * 250 + [0] * 250 + [1] * 312 + [0] * 188})
    rows = check_groups(frame, decision="paid", favorable=1, by="sex", tolerance=0.06).rows
    [alone, _] = comparison.sides_at([row.comparison for row in rows], 0.95)
    assert (alone, rows[0].comparison.verdict, rows[1].comparison.verdict) == ("beyond", "clear_gap", "clear_gap")


def test_with_a_hidden_group_a_reading_depends_on_its_own_counts_alone():
    k, n = [50, 280, 210, 3], [100, 400, 400, 8]
    settings = {"names": [("a", "the rest")] * 4, "tolerance": 0.05}
    readings = set()
    for hidden in range(9):
        compared = compare_many([*k[:3], hidden], n, [200] * 4, [400] * 4, **settings)
        shown = [*compared[:3], without_figures(compared[3])]
        read = by_bonferroni(shown, comparison.sides_at)
        assert read[3].verdict is None
        readings.add(tuple(SIDES.get(each.verdict, "open") for each in read[:3]))
    assert readings == {tuple(comparison.sides_at(compared[:3], 1 - 0.05 / 4))}
    few = replace(compared[1], protected=replace(compared[1].protected, n=None))
    assert by_bonferroni([few, compared[2]], comparison.sides_at)[0].verdict not in SIDES


@pytest.mark.parametrize("read", [by_holm, by_bonferroni])
def test_of_no_group_nothing_is_read(read):
    assert read([], comparison.sides_at) == ()
