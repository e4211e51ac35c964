"""What is said of strata with rounded and hidden counts holds for every table that fits; bounds are exact."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from fairaudit.data.printed_counts import CountRange
from fairaudit.measure import compare_counts, compare_many
from fairaudit.measure.common_bounds import bounded_strata, common_bounds, common_interval
from fairaudit.measure.fitting_tables import PartialRow, bounds_of, compare_partial
from fairaudit.measure.results import GroupBounds, StratumRow
from fairaudit.measure.strata import common_difference, read_together, together
from fairaudit.sections.check.reading import read_check

MOST_TABLES = 600


def row(form: int, f: int, o: int, spread: tuple[int, int]) -> PartialRow:
    """A printed row of which two of three cells are known, each within a spread."""
    cells = {"favorable": f, "others": o, "every": f + o}
    del cells[("every", "others", "favorable")[form]]
    below, above = spread
    return PartialRow(**{role: CountRange(max(n - below, 0), n + above) for role, n in cells.items()})


def drawn(rng: np.random.Generator, form: int, scale: int, share: float) -> list[PartialRow]:
    while True:
        rows = []
        for _ in range(rng.integers(1, 3)):
            n = int(rng.integers(1, scale))
            f = int(rng.binomial(n, share))
            rows.append(row(form, f, n - f, tuple(map(int, rng.random(2) < 0.25))))
        if all(each.is_possible for each in rows):
            return rows


def tables_of(group: GroupBounds) -> list[tuple[int, int]]:
    """Favourable cases and people of each table of a group."""
    good = range(group.positives, group.most_positives + 1)
    others = range(group.others, group.most_others + 1)
    return [(f, f + o) for f in good for o in others if group.n <= f + o <= group.most_n]


def drawn_strata(rng: np.random.Generator, case: int, scales=(4, 15, 80, 500), most_tables: int = MOST_TABLES):
    """Rows of both groups of some strata, and the tables of each stratum; they are few enough to try all."""
    while True:
        scale, form = scales[case % len(scales)], case % 3
        level, gap = rng.uniform(0.05, 0.95, 4), rng.normal(0, 0.2)
        # Shares that differ more between strata than within may turn the gap of all around.
        shares = np.clip(level[:, None] + rng.normal(gap, (0.05, 0.3)[case % 2], (4, 2)) * (0, 1), 0, 1)
        rows = [
            tuple(drawn(rng, form, max(int(scale * rng.uniform(0.02, 1)), 2), share) for share in shares[i])
            for i in range(rng.choice([1, 2, 2, 3, 3]))
        ]
        pairs = [tuple(map(bounds_of, pair)) for pair in rows]
        tables = [list(itertools.product(*map(tables_of, pair))) for pair in pairs]
        if 1 < math.prod(map(len, tables)) <= most_tables:
            return rows, pairs, tables


def cells_of(combination) -> np.ndarray:
    return np.array([(*own, *other) for own, other in combination if own[1] and other[1]], dtype=float)


def assert_ends_are_those_of_all_tables(seed: int, n_cases: int) -> float:
    rng, slack = np.random.default_rng(seed), []
    for case in range(n_cases):
        _, pairs, tables = drawn_strata(rng, case)
        found = common_bounds(pairs)
        outer = common_interval(pairs, found, 0.9)
        each = [
            common_difference(cells, 0.9) for cells in map(cells_of, itertools.product(*tables)) if len(cells)
        ]  # fmt: skip
        if not each:
            assert math.isnan(found.low) and math.isnan(found.high)
            continue
        gaps = [gap for gap, _ in each]
        assert found == pytest.approx((min(gaps), max(gaps)), abs=1e-12), (seed, case, pairs)
        low, high = min(ends.low for _, ends in each), max(ends.high for _, ends in each)
        assert outer.low <= low + 1e-12 and outer.high >= high - 1e-12, (seed, case, pairs)
        if outer != (-1, 1):
            slack.append((outer.high - outer.low) / (high - low))
    return float(np.median(slack))


def test_the_bounds_of_the_common_gap_are_those_of_all_tables_and_its_interval_holds_theirs():
    assert assert_ends_are_those_of_all_tables(1, 60) < 1.5


@pytest.mark.thorough
def test_thousands_of_common_gaps_have_the_bounds_of_all_tables():
    # The outer interval is, in the median, little wider than the smallest that holds all.
    assert assert_ends_are_those_of_all_tables(2, 3000) < 1.5


def test_exact_counts_have_one_common_gap_and_its_interval():
    counts = [((30, 90), (50, 100)), ((8, 40), (12, 60))]
    pairs = [tuple(bounds_of([row(0, f, n - f, (0, 0))]) for f, n in pair) for pair in counts]
    gap, ends = common_difference(cells_of(counts), 0.95)
    found = common_bounds(pairs)
    assert found == pytest.approx((gap, gap)) and common_interval(pairs, found, 0.95) == pytest.approx(ends)


def assert_readings_are_those_of_all_tables(seed: int, n_cases: int) -> Counter[str]:
    rng, readings = np.random.default_rng(seed), Counter[str]()
    for case in range(n_cases):
        rows, _, tables = drawn_strata(rng, case, (80, 800, 8000), 40)
        if any(0 in (own[1], other[1]) for stratum in tables for own, other in stratum):
            continue
        settings = {"tolerance": (0.02, 0.1, 0.3)[case % 3], "confidence": (0.5, 0.8)[case % 2]}
        pooled = compare_partial(*(list(itertools.chain(*sides)) for sides in zip(*rows, strict=True)), **settings)
        compared = [compare_partial(*pair, **settings) for pair in rows]
        # Verdicts on single strata are tried elsewhere: here all are of single tables.
        exact = [exact_finding(each, settings) for each in itertools.product(*tables)]
        verdicts = [
            {row.comparison.verdict for row in column} for column in zip(*(f.strata.strata for f in exact), strict=True)
        ]
        known = tuple(
            StratumRow((("s", i),), replace(each, verdict=next(iter(said)) if len(said) == 1 else "too_few_to_tell"), 0)
            for i, (each, said) in enumerate(zip(compared, verdicts, strict=True))
        )
        strata = bounded_strata(pooled, ("s",), known, ())
        found = read_check(SimpleNamespace(result=pooled, strata=strata, levels=None))
        there = {read_check(each).within for each in exact}
        if found.within is not None:
            assert there == {found.within}, (seed, case, settings, rows, there)
        readings[str(found.within)] += 1
        common = {verdict for each in exact for verdict in [each.strata.verdict]}
        assert strata.verdict == "too_few_to_tell" or common == {strata.verdict}, (seed, case, rows)
    return readings


def exact_finding(combination, settings) -> SimpleNamespace:
    """What a check of one table would find."""
    cells = cells_of(combination).astype(int)
    pooled = compare_counts(*cells.sum(axis=0).tolist(), **settings)
    names = [("a", "b")] * len(cells)
    rows = compare_many(*cells.T.tolist(), names=names, **settings)
    rows = read_together([StratumRow((("s", i),), each, 0) for i, each in enumerate(rows)])
    return SimpleNamespace(result=pooled, strata=together(pooled, ("s",), rows, ()), levels=None)


def test_what_is_said_of_similar_cases_is_said_of_every_table_that_fits():
    assert len(assert_readings_are_those_of_all_tables(5, 40)) >= 3


@pytest.mark.thorough
def test_a_thousand_readings_of_similar_cases_are_those_of_every_table():
    found = assert_readings_are_those_of_all_tables(6, 1000)
    assert {"gone", "same", "turned", "only", "both", "None"} == set(found), found
