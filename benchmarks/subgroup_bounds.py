"""How far any group can be behind: how often the bound over all groups holds, how wide it is, and how long it takes.

People are drawn from known populations with a planted group that fares worse, or none, in which the true gap of each of
263 to 50,000 groups is known. Beside it stands the bound by one critical value for all groups: the largest of their
studentised errors, by a Gaussian multiplier bootstrap (Chernozhukov, Chetverikov and Kato 2013; what Cherian and Candes
2023 do for all groups). It bounds each group by itself at once, which a bound of the worst does not need.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.common import SEED, markdown, say, setting
from fairaudit.data.given import as_table
from fairaudit.measure.intervals import wilson
from fairaudit.subgroups.bounds import GapBounds, bounded, large_groups
from fairaudit.subgroups.cells import Cells, ColumnLevels
from fairaudit.subgroups.finding import read_asking, usable_columns
from fairaudit.work import Budget

CONFIDENCE = 0.95
DEALS = 500
"""Draws of the multipliers."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Population:
    """People to draw: how many values each column has, the size of the smallest group, and the planted one."""

    rows: int
    levels: tuple[int, ...]
    least: int
    base: float = 0.5
    gap: float = 0.1
    amounts: bool = False


SMALL = (2, 4, 7)
CASES = {
    "263 groups": Population(6_000, SMALL, 200),
    "263 groups, none planted": Population(6_000, SMALL, 200, gap=0.0),
    "263 groups, 3 % favourable": Population(6_000, SMALL, 200, base=0.03, gap=0.02),
    "263 groups, large gap": Population(6_000, SMALL, 200, gap=0.3),
    "263 groups, small table": Population(1_000, SMALL, 50, gap=0.3),
    "263 groups, skewed amounts": Population(6_000, SMALL, 200, gap=0.3, amounts=True),
    "263 groups, skewed amounts, none planted": Population(6_000, SMALL, 200, gap=0.0, amounts=True),
    "10,000 groups": Population(20_000, (2, 3, 4, 5, 6), 200),
    "50,000 groups": Population(50_000, (2, 3, 4, 5, 6, 7, 8, 9), 200),
}


def drawn(case: Population, seed: int) -> tuple[pd.DataFrame, Floats]:
    """Draw who there is, and what each has on average: people with the first values of two columns fare worse."""
    rng = np.random.default_rng([SEED, seed, case.rows])
    names = [f"c{place}" for place in range(len(case.levels))]
    frame = pd.DataFrame({n: rng.integers(0, k, case.rows) for n, k in zip(names, case.levels, strict=True)})
    hit = ((frame["c0"] == 0) & (frame["c1"] == 0)).to_numpy()
    mean = np.where(hit, case.base - case.gap, case.base)
    if not case.amounts:
        return frame.assign(y=(rng.random(case.rows) < mean).astype(int)), mean
    spread = 1.0
    return frame.assign(y=mean * rng.lognormal(-(spread**2) / 2, spread, case.rows)), mean


def prepared(case: Population, frame: pd.DataFrame) -> tuple[ColumnLevels, ...]:
    """Return the columns of a table, cut into levels; texts, so that values are joined by two."""
    names = [name for name in frame if name != "y"]
    table = as_table(frame.assign(**{name: frame[name].map(lambda value: f"v{value}") for name in names}))
    what: dict[str, Any] = {"measure": "mean"} if case.amounts else {"favorable": 1}
    columns, left_out = usable_columns(read_asking(table, decision="y", columns=names, **what))
    assert not left_out, left_out
    return columns


def cells_of(frame: pd.DataFrame, value: Floats) -> Cells:
    """Return the rows by their levels, each for itself: the values are in their order."""
    codes = np.stack([frame[name].to_numpy() + 1 for name in frame if name != "y"], axis=1).astype(np.int16)
    return Cells(codes, value, np.ones(len(frame), dtype=np.int64))


def bound(case: Population, columns: tuple[ColumnLevels, ...], cells: Cells) -> GapBounds:
    """Bound the gaps of all groups."""
    work = bounded(
        cells, columns, protected=None, max_conditions=3, min_rows=case.least, confidence=CONFIDENCE, budget=Budget()
    )
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def gaps(case: Population, columns: tuple[ColumnLevels, ...], cells: Cells) -> Floats:
    """Return the gap of each group, where each row is worth its value."""
    total, found = cells.value.sum(), []
    for each in large_groups(cells, columns, protected=None, max_conditions=3, min_rows=case.least):
        found.append(each.total / each.n - (total - each.total) / (cells.n_rows - each.n))
    return np.concatenate(found)


def by_multipliers(case: Population, columns: tuple[ColumnLevels, ...], cells: Cells, seed: int) -> float:
    """Return the same bound by one critical value for all groups, which takes long where groups are many."""
    rng = np.random.default_rng([SEED, seed, 1])
    n_all = cells.n_rows
    rows = list(large_groups(cells, columns, protected=None, max_conditions=3, min_rows=case.least))
    n = np.concatenate([each.n for each in rows])
    total, squares = (np.concatenate([getattr(each, name) for each in rows]) for name in ("total", "squares"))
    other = (cells.value.sum() - total) / (n_all - n)
    gap = total / n - other
    variance = (squares / n - (total / n) ** 2) / n
    variance += ((cells.value**2).sum() - squares) / (n_all - n) ** 2 - other**2 / (n_all - n)
    error = np.sqrt(variance)
    largest = np.zeros(DEALS)
    for deal in range(DEALS):
        # What a multiplier moves the gap by: residuals of the group and of everyone else, each by its own mean.
        noise = rng.normal(size=n_all)
        own = noise * cells.value
        parts = []
        for values in (noise, own):
            drawn_cells = Cells(cells.codes, values, cells.n)
            found = large_groups(drawn_cells, columns, protected=None, max_conditions=3, min_rows=case.least)
            parts.append(np.concatenate([each.total for each in found]))
        plain, with_value = parts
        moved = (with_value - total / n * plain) / n
        moved -= ((own.sum() - with_value) - other * (noise.sum() - plain)) / (n_all - n)
        largest[deal] = (moved / error).max()
    return float((-gap + np.quantile(largest, CONFIDENCE) * error).max())


def measured(name: str, first: int, tables: int, minutes: float, rows: Path | None, beside: int) -> None:
    """Draw tables of a population and keep what each shows."""
    case, begun = CASES[name], time.process_time()
    columns: tuple[ColumnLevels, ...] | None = None
    for seed in range(first, first + tables):
        if time.process_time() - begun > 60 * minutes:
            break
        frame, mean = drawn(case, seed)
        # Which levels there are is the same for all tables of a population.
        columns = columns or prepared(case, frame)
        cells = cells_of(frame, frame["y"].to_numpy(dtype=float))
        started = time.process_time()
        found = bound(case, columns, cells)
        seconds = time.process_time() - started
        truth = gaps(case, columns, cells_of(frame, mean))
        seen = gaps(case, columns, cells)
        keep(
            rows,
            {
                "case": name,
                "seed": seed,
                "groups": found.n_groups,
                "seconds": seconds,
                "true": float(-truth.min()),
                "seen": float(-seen.min()),
                "below": found.below,
                "holds": bool(-truth.min() <= found.below and truth.max() <= found.above),
                "holds_below": bool(-truth.min() <= found.below),
                "multipliers": by_multipliers(case, columns, cells, seed) if seed - first < beside else None,
            },
        )


KEPT: list[dict[str, Any]] = []


def keep(rows: Path | None, row: dict[str, Any]) -> None:
    """Keep a result, in a file at once where there is one."""
    KEPT.append(row)
    if rows is not None:
        with rows.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def table(found: list[dict[str, Any]]) -> str:
    """Return a line for each population."""
    by_case: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in found:
        by_case[row["case"]].append(row)
    header = [
        "population", "tables", "groups", "true worst, points", "worst seen", "bound", "by multipliers", "holds",
        "range of that (95 %)", "processor s",
    ]  # fmt: skip
    lines = []
    for name, rows in by_case.items():
        n, held = len(rows), sum(row["holds_below"] for row in rows)
        low, high = wilson(held, n)
        beside = [row["multipliers"] for row in rows if row["multipliers"] is not None]

        def mean(key: str, rows: list[dict[str, Any]] = rows) -> float:
            return float(np.mean([row[key] for row in rows]))

        lines.append(
            [
                name, n, f"{mean('groups'):,.0f}", *(f"{100 * mean(key):.1f}" for key in ("true", "seen", "below")),
                f"{100 * np.mean(beside):.1f} ({len(beside)})" if beside else "", f"{held / n:.3f}",
                f"{low:.3f} to {high:.3f}", f"{mean('seconds'):.3f}",
            ]
        )  # fmt: skip
    return markdown(header, lines)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", choices=tuple(CASES), action="append")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--beside", type=int, default=5, help="tables with the bound by multipliers, too")
    parser.add_argument("--minutes", type=float, default=60.0, help="of the processor, for each population")
    parser.add_argument("--rows", type=Path, help="where results are kept, and read from with --tables 0")
    options = parser.parse_args()
    say(setting())
    for name in options.case or CASES:
        measured(name, options.first, options.tables, options.minutes, options.rows, options.beside)
    found = KEPT
    if options.rows is not None:
        found = [json.loads(line) for line in options.rows.read_text(encoding="utf-8").splitlines()]
    say(table(found))


if __name__ == "__main__":
    main()
