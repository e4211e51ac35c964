"""How often levels are called unequal where they are not, and how often the range of placed better holds it."""

from __future__ import annotations

import argparse
import math

import numpy as np

from benchmarks.common import markdown, say
from fairaudit.measure.level_tests import ADDED, relative_effect
from fairaudit.measure.levels import LevelQuestion, compare_levels
from fairaudit.measure.verdicts import GAPS

TABLES = {
    "even": (0.25, 0.25, 0.25, 0.25),
    "mostly the first": (0.85, 0.07, 0.05, 0.03),
    "five, one rare": (0.30, 0.30, 0.25, 0.13, 0.02),
    "two": (0.4, 0.6),
}
"""Shares of the levels."""
SIZES = ((20, 20), (20, 200), (60, 60), (100, 500), (1_000, 1_000))
"""People of both groups."""
STRATA = ((4, 40), (20, 5))
"""Strata, and people of the smaller group in each; the other group has three times as many."""
SHIFTS = (0.0, 0.5, 1.5)
"""By how much the protected group is placed lower, on the logit scale."""


def shifted(shares: tuple[float, ...], by: float) -> np.ndarray:
    """Return the shares of a group that is placed lower on a scale of proportional odds."""
    reached = np.cumsum(shares)[:-1]
    odds = reached / (1 - reached) * math.exp(-by)
    return np.diff(np.concatenate([[0.0], odds / (1 + odds), [1.0]]))


def false_alarms(shares: tuple[float, ...], strata: list[tuple[int, int]], n: int, seed: int) -> tuple[float, float]:
    """Return the share of tables without a gap with a verdict that says that there is one: ordered, and not."""
    random, found = np.random.default_rng(seed), np.zeros(2)
    names = tuple(f"level {place}" for place in range(len(shares)))
    for _ in range(n):
        pairs = [(random.multinomial(own, shares), random.multinomial(other, shares)) for own, other in strata]
        for place, ordered in enumerate((True, False)):
            answer = compare_levels(pairs, LevelQuestion(ordered, names, 0.05, 0.95))
            found[place] += answer.verdict in GAPS
    return tuple(found / n)


def coverage(shares: tuple[float, ...], sizes: tuple[int, int], shift: float, n: int, seed: int) -> float:
    """Return how often the interval holds how often the protected group is placed better."""
    random, own = np.random.default_rng(seed), shifted(shares, shift)
    true = relative_effect([(own * 1e9, np.array(shares) * 1e9)]).value
    held = 0
    for _ in range(n):
        pair = (random.multinomial(sizes[0], own), random.multinomial(sizes[1], shares))
        low, high = relative_effect([pair], added=ADDED).interval(0.95)
        held += low <= true <= high
    return held / n


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rows = []
    for name, shares in TABLES.items():
        for strata in [[size] for size in SIZES] + [[(n, 3 * n)] * count for count, n in STRATA]:
            ordered, plain = false_alarms(shares, strata, options.simulations, options.seed)
            where = f"{len(strata)} x {strata[0][0]} and {strata[0][1]}"
            rows.append((name, where, f"{100 * ordered:.1f}", f"{100 * plain:.1f}"))
    say(markdown(("levels", "strata, people", "ordered, %", "unordered, %"), rows))
    rows = []
    for name, shares in TABLES.items():
        for sizes in SIZES:
            held = [coverage(shares, sizes, shift, options.simulations, options.seed) for shift in SHIFTS]
            rows.append((name, f"{sizes[0]} and {sizes[1]}", *(f"{100 * each:.1f}" for each in held)))
    say(markdown(("levels", "people", *(f"shift {shift:g}" for shift in SHIFTS)), rows))


if __name__ == "__main__":
    main()
