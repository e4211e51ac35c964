"""Who stands among the first of lists: false alarms, coverage of the gap and of the chance to stand higher, and time.

Lists are made of scores from the normal distribution; where there is a gap, those of the protected group are lower by
`shift`, and by another draw in each list where lists are unlike. What is true is found from many more lists.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from fairaudit import Table, check_rankings
from fairaudit.errors import GroupError
from fairaudit.measure.rankings import Rankings

LEVEL = 0.05
PROTECTED = 0.4
AT_ONCE = 100
"""Made tables that are held at once."""
MANY = 100_000
"""Cases, at least, by which what is true is found."""


@dataclass(frozen=True)
class Made:
    """How lists are made: how many of how many cases, the first, the shift of scores, and its spread between lists."""

    n_lists: int
    n: int
    first: int
    shift: float = 0.0
    spread: float = 0.0

    def frame(self, seed: int, n_lists: int | None = None) -> pd.DataFrame:
        """Return lists."""
        rng, count = np.random.default_rng(seed), n_lists or self.n_lists
        own = rng.random((count, self.n)) < PROTECTED
        score = rng.normal(size=own.shape) + own * (self.shift + self.spread * rng.normal(size=(count, 1)))
        frame = {"list": np.repeat(np.arange(count), self.n), "own": own.ravel(), "score": score.ravel()}
        return pd.DataFrame(frame)

    def table(self, seed: int, n_lists: int | None = None) -> Table:
        """Return lists as a table."""
        return Table.from_pandas(self.frame(seed, n_lists))


FEW = ((1, 6, 2), (1, 12, 3), (3, 6, 2), (8, 3, 1))
"""The smallest that get an answer."""
SIZES = ((1, 200, 20), (50, 20, 5), (1_000, 5, 1))
UNLIKE = ((0.0, 0.0), (-0.6, 0.0), (-0.6, 0.8))
"""Shift and spread."""


def answer(made: Made, seed: int, n_lists: int | None = None):
    """Return the answer about made lists."""
    lists = "list" if (n_lists or made.n_lists) > 1 else ()
    table = made.table(seed, n_lists)
    return check_rankings(table, protected="own = true", score="score", first=made.first, lists=lists)


def answers(made: Made, n_tables: int) -> Iterator[Rankings]:
    """Yield answers about so many made tables with both groups in a list; a hundred of them are held at once."""
    lists, found = "list" if made.n_lists > 1 else (), 0
    for first in range(0, 2 * n_tables, AT_ONCE):
        seeds = range(first, first + AT_ONCE)
        table = Table.from_pandas(pd.concat([made.frame(seed).assign(seed=seed) for seed in seeds]))
        asked = {"protected": "own = true", "score": "score", "first": made.first, "lists": lists}
        for seed in seeds:
            try:
                yield check_rankings(table, where=f"seed = {seed}", **asked)
            except GroupError:
                # No list holds both groups.
                continue
            found += 1
            if found == n_tables:
                return


def alarms(n_tables: int) -> Iterator[str]:
    """Yield how often a gap is claimed, and how often p is below the level, where there is none."""
    head = ("lists", "cases", "first", "tables", "a gap is claimed", "exposure, p at most 0.05")
    yield f"| {' | '.join(head)} | stands higher, p at most 0.05 | prefix test fails |"
    yield "|---|---|---|---|---|---|---|---|"
    for size in (*FEW, *SIZES):
        found = list(answers(Made(*size), n_tables))
        claimed = np.mean([each.verdict in ("clear_gap", "gap_size_unclear") for each in found])
        exposure = np.mean([each.exposure.p_value <= LEVEL for each in found])
        higher = np.mean([each.higher.p_value <= LEVEL for each in found])
        prefix = np.mean([each.prefix.n_failing > 0 for each in found])
        about = f"{size[0]:,} | {size[1]} | {size[2]} | {len(found):,} | {claimed:.1%}"
        yield f"| {about} | {exposure:.1%} | {higher:.1%} | {prefix:.1%} |"


def coverage(n_tables: int) -> Iterator[str]:
    """Yield how often the ranges hold what is true."""
    yield "| lists | cases | first | shift | spread | gap | range of the gap | stands higher | range of that |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for size in SIZES:
        for shift, spread in UNLIKE if size[0] > 1 else UNLIKE[:2]:
            made = Made(*size, shift, spread)
            true = answer(made, 1_000_000, max(2, MANY // made.n))
            found = [answer(made, seed) for seed in range(n_tables)]
            gap = np.mean([e.difference_interval.low <= true.difference <= e.difference_interval.high for e in found])
            higher = np.mean([e.higher.interval.low <= true.higher.chance <= e.higher.interval.high for e in found])
            about = f"{size[0]:,} | {size[1]} | {size[2]} | {shift} | {spread} | {100 * true.difference:.1f}"
            yield f"| {about} | {gap:.1%} | {true.higher.chance:.1%} | {higher:.1%} |"


def seconds() -> Iterator[str]:
    """Yield how long an answer takes."""
    for made in (Made(1, 200, 20), Made(1_000, 20, 5), Made(10_000, 20, 5), Made(1, 100_000, 1_000)):
        table = made.table(0)
        begun = time.process_time()
        check_rankings(
            table, protected="own = true", score="score", first=made.first, lists="list" if made.n_lists > 1 else ()
        )
        yield f"{made.n_lists:,} lists of {made.n:,}: {time.process_time() - begun:.2f} s of processor"


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("null", "coverage", "seconds"))
    parser.add_argument("--repeats", type=int, default=1_000)
    asked = parser.parse_args()
    parts = {"null": lambda: alarms(asked.repeats), "coverage": lambda: coverage(asked.repeats), "seconds": seconds}
    for name, make in parts.items():
        if asked.part in (None, name):
            for line in make():
                print(line, flush=True)


if __name__ == "__main__":
    main()
