"""Where it is worst: subgroups beside brute force and peers, at scale, on shuffled outcomes and with a planted gap.

Parts: `quality` (all subgroups counted one by one, and COMPAS), `scale` (Adult, and a million rows), `alarms` (tables
whose outcomes are shuffled), `amounts` (the same of skewed amounts, with few rows), `power` (a gap of ten points in
three of a hundred people), `peers`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from benchmarks.common import ROOT, SEED, in_fresh_process, markdown, peak_mb, say, setting
from benchmarks.subgroups_peers import peers
from fairaudit import Condition, Table, find_subgroups
from fairaudit.subgroups.cells import Cells, ColumnLevels
from fairaudit.subgroups.finding import Asking, iter_cells, read_asking, usable_columns
from fairaudit.subgroups.kinds import Direction
from fairaudit.subgroups.results import SubgroupSearch

sys.path.insert(0, str(ROOT / "tests" / "support"))
from subgroups_by_hand import best_scores, made_table

DATA = ROOT.parent / "shared" / "data"
ADULT_COLUMNS = (
    "age", "workclass", "education", "marital_status", "occupation", "relationship", "race", "sex", "hours_per_week",
    "native_country",
)  # fmt: skip
SIGMA = 1.2
"""Of the logarithms of amounts."""
SAME = 0.5
"""A planted subgroup is found where one that stands out shares this much of all who are in either."""


def people(seed: int, n: int, base: float, gap: float, *, wide: bool = False) -> tuple[pd.DataFrame, np.ndarray]:
    """Make people with four columns, or five; 3 % of them have a lower chance of a good outcome, which is returned."""
    rng = np.random.default_rng([SEED, seed])
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["woman", "man"], n),
            "district": rng.choice(list("ABCDEFG"), n, p=[0.1, *[0.15] * 6]),
            "school": rng.choice(list("PQRSTUV"), n, p=[0.3, 0.3, *[0.08] * 5]),
            "works": rng.choice(["no", "yes"], n),
        }
    )
    if wide:
        frame["age"] = rng.integers(18, 70, n)
    hit = (frame["district"] == "A") & (frame["school"] == "P")
    chance = np.where(hit, base - gap, base)
    frame["good"] = (rng.random(n) < chance).astype(int)
    return frame, chance


def quality(tables: int) -> None:
    """Compare the best of both rankings with brute force on random tables, and with the reference on COMPAS."""
    wrong = []
    for seed in range(tables):
        amounts = seed % 4 == 3
        frame = made_table(seed, amounts=amounts, numbers=seed % 3 == 0)
        asked = {"measure": "mean"} if amounts else {"favorable": 1}
        longest = 1 + seed % 4
        found = find_subgroups(frame, decision="y", min_rows=5, max_conditions=longest, search_fraction=1, **asked)
        best, _ = best_scores(frame, min_rows=5, max_conditions=longest)
        same = all(abs(each.best - best[each.ranking]) <= 1e-9 * max(best[each.ranking], 1) for each in found.rankings)
        if not (same and found.proven):
            wrong.append(seed)
    say(f"Random tables whose best of each ranking is that of brute force: {tables - len(wrong)} of {tables} {wrong},")
    say(f"{len(range(0, tables, 3))} of them with a column of numbers, by each and by cuts.")
    path = DATA / "compas_two_years.csv.gz"
    if not path.exists():
        say("COMPAS: not measured, the data are not beside the project.")
        return
    data = pd.read_csv(path)
    data["high"] = ((data["is_recid"] == 0) & (data["score_text"] == "High")).astype(int)
    columns = ["race", "sex", "age_cat", "c_charge_degree"]
    found = find_subgroups(
        data, decision="high", favorable=1, columns=columns, max_conditions=4, min_rows=1, search_fraction=1,
        values_joined=1,
    )  # fmt: skip
    most, largest = found.leading("people")[0], found.leading("gap")[0]
    rows = [
        [found.n_considered, most.condition, most.n, f"{most.impact:.4f}"],
        ["", largest.condition, largest.n, f"{largest.gap:.4f}"],
    ]
    say(markdown(["subgroups", "condition", "n", "rows x gap, or gap"], rows))


def scale(million: int) -> None:
    """Measure Adult and a million rows, each in a process of its own."""
    header = ["data", "rows", "seconds", "processor s", "peak MB", "subgroups", "proven", "people, gap, evidence"]
    rows = []
    for name in ("adult", str(million)):
        if name == "adult" and not (DATA / "adult.csv.gz").exists():
            rows.append([name, "", "not measured: the data are not beside the project", "", "", "", "", ""])
            continue
        got = in_fresh_process("benchmarks.subgroups", name)
        rows.append([name, f"{got['rows']:,}", f"{got['seconds']:.1f}", f"{got['processor']:.1f}"])
        rows[-1] += [f"{got['peak']:.0f}", f"{got['considered']:,}", got["proven"]]
        rows[-1].append(", ".join(f"{best:.4f}" for best in got["best"]))
    say(markdown(header, rows))


def measured(name: str) -> None:
    """Search one table and report as JSON."""
    if name == "adult":
        table = Table.from_pandas(pd.read_csv(DATA / "adult.csv.gz"), unweighted=True)
        # A value such as "?" makes a group like others.
        table.values_are_said = True
        asked = {"decision": "income", "favorable": ">50K", "columns": ADULT_COLUMNS, "min_rows": table.n_rows // 100}
    else:
        n, rng = int(name), np.random.default_rng(SEED)
        columns = {f"t{i}": np.array(list("abcdefgh"))[rng.integers(0, 3 + i, n)] for i in range(5)}
        columns |= {f"x{i}": rng.normal(size=n).round(2 + i) for i in range(5)}
        frame = pd.DataFrame(columns)
        lower = (frame["t4"] == "a") & (frame["t3"] == "b")
        frame["y"] = (rng.random(n) < 0.3 - 0.05 * lower).astype(int)
        table, asked = Table.from_pandas(frame), {"decision": "y", "favorable": 1}
        del frame, columns
    start, worked = time.perf_counter(), time.process_time()
    found = find_subgroups(table, **asked)
    say(
        json.dumps(
            {
                "seconds": time.perf_counter() - start,
                "processor": time.process_time() - worked,
                "rows": table.n_rows,
                "peak": peak_mb(),
                "considered": found.n_considered,
                "proven": found.proven,
                "best": [each.best for each in found.rankings],
            }
        )
    )


class Searching:
    """Searches tables of the same columns one after another: their levels are those of the first one."""

    def __init__(self, direction: Direction = "both") -> None:
        self.direction = direction
        self.known: tuple[Asking, tuple[ColumnLevels, ...], list[pd.Series]] | None = None

    def __call__(self, frame: pd.DataFrame, seed: int) -> SubgroupSearch:
        """Return what :func:`find_subgroups` finds in a table."""
        if self.known is None:
            asking = read_asking(Table.from_pandas(frame), decision="good", favorable=1, direction=self.direction)
            columns, _ = usable_columns(asking)
            level_of = []
            for levels in columns:
                values = pd.DataFrame({levels.name: sorted(frame[levels.name].unique())})
                truths = pd.DataFrame({i: digit.mask(values) for i, digit in enumerate(levels.digits)})
                level_of.append(pd.Series(levels.codes(truths.astype("boolean")), index=values[levels.name]))
            self.known = asking, columns, level_of
        asking, columns, level_of = self.known
        codes = {own.index.name: frame[own.index.name].map(own).to_numpy(np.int16) for own in level_of}
        counted = pd.DataFrame(codes | {"good": frame["good"]}).value_counts(sort=False).sort_index()
        keys = counted.index.to_frame().to_numpy()
        cells = Cells(keys[:, :-1].astype(np.int16), keys[:, -1].astype(float), counted.to_numpy(np.int64))
        *_, last = iter_cells(replace(asking, random_state=seed), columns, (), cells)
        return last.result


def alarms(tables: int, first: int) -> None:
    """Count the tables of shuffled outcomes in which anything stands out."""
    header = ["table", "subgroups", "tables", "alarms", "share", "shown on average"]
    for name, wide in (("four columns", False), ("five columns", True)):
        shown, number, considered, search = 0, [], 0, Searching()
        for seed in range(first, first + tables):
            frame, _ = people(seed, 4_000, 0.3, 0.0, wide=wide)
            found = search(frame, seed)
            shown += found.n_standing_out > 0
            number.append(len(found.subgroups))
            considered = found.n_considered
        row = [name, f"{considered:,}", tables, shown, f"{shown / tables:.1%}", statistics.mean(number)]
        say(markdown(header, [row]))


def amounts(tables: int, first: int, n: int) -> None:
    """Count the tables of lognormal amounts that nothing goes with in which anything stands out."""
    header = ["fewest rows", "direction", "rows", "tables", "alarms", "share"]
    for min_rows, direction in itertools.product((20, 50), ("both", "lower", "higher")):
        shown = 0
        for seed in range(first, first + tables):
            frame, _ = people(seed, n, 0.3, 0.0)
            frame["good"] = np.random.default_rng([SEED, seed, 1]).lognormal(8, SIGMA, n)
            asked = {"measure": "mean", "min_rows": min_rows, "direction": direction, "random_state": seed}
            shown += find_subgroups(frame, decision="good", **asked).n_standing_out > 0
        say(markdown(header, [[min_rows, direction, n, tables, shown, f"{shown / tables:.1%}"]]))


def power(tables: int, first: int) -> None:
    """Count the tables in which a planted subgroup stands out, and the intervals that hold the true gap."""
    header = ["good outcomes", "looked for", "subgroups", "tables", "shown", "stands out", "holds the true gap"]
    header.append("known beforehand, tested at .05 and .025")
    kinds: tuple[tuple[float, bool, Direction], ...] = (
        (0.2, False, "both"), (0.3, False, "both"), (0.3, False, "lower"), (0.5, False, "both"), (0.2, True, "both"),
    )  # fmt: skip
    for base, wide, direction in kinds:
        search = Searching(direction)
        shown = found_in = 0
        holds: list[bool] = []
        for seed in range(first, first + tables):
            frame, chance = people(seed, 20_000, base, 0.10, wide=wide)
            planted = chance < base
            found = search(frame, seed)
            like = []
            for each in found.subgroups:
                inside = Condition.parse(each.condition, frame).mask(frame)
                if (inside & planted).sum() >= SAME * (inside | planted).sum():
                    true = chance[inside].mean() - chance[~inside].mean()
                    holds.append(each.interval.low <= true <= each.interval.high)
                    like.append(each)
            shown += bool(like)
            found_in += any(each.stands_out for each in like)
        row = [f"{base:.0%} to {base - 0.1:.0%}", direction, f"{found.n_considered:,}", tables, f"{shown / tables:.1%}"]
        row += [f"{found_in / tables:.1%}", f"{np.mean(holds):.1%} of {len(holds)}", known_beforehand(base, 10_000)]
        say(markdown(header, [row]))


def known_beforehand(base: float, n: int) -> str:
    """Return how often the judging rows would show the planted subgroup if nothing had to be looked for."""
    rng = np.random.default_rng(SEED)
    inside = rng.binomial(n, 0.03, 20_000)
    good, rest = rng.binomial(inside, base - 0.1), rng.binomial(n - inside, base)
    p_values = stats.hypergeom.cdf(good, n, good + rest, inside)
    return " and ".join(f"{(p_values < error).mean():.1%}" for error in (0.05, 0.025))


def beside_peers(folder: Path | None, tables: int) -> None:
    """Run peers on COMPAS, where it is there, or on made people."""
    if (DATA / "compas_two_years.csv.gz").exists():
        data = pd.read_csv(DATA / "compas_two_years.csv.gz")
        y = ((data["is_recid"] == 0) & (data["score_text"] == "High")).to_numpy(dtype=int)
        frame = data[["race", "sex", "age_cat", "c_charge_degree"]]
    else:
        made, _ = people(0, 7_000, 0.2, 0.1)
        frame, y = made.drop(columns="good"), 1 - made["good"].to_numpy()
    peers(folder, frame, y, tables)


def main() -> None:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=["quality", "scale", "alarms", "amounts", "power", "peers"])
    parser.add_argument("--tables", type=int, help="tables of each part, instead of 500, 1,000 and 200")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first table of alarms and power")
    parser.add_argument("--peers", type=Path, help="a folder with each peer installed in a folder of its name")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--worker")
    given = parser.parse_args()
    if given.worker:
        measured(given.worker)
        return
    parts: dict[str, Callable[[], None]] = {
        "quality": lambda: quality(given.tables or 500),
        "scale": lambda: scale(given.rows),
        "alarms": lambda: alarms(given.tables or 1_000, given.first),
        "amounts": lambda: amounts(given.tables or 700, given.first, min(given.rows, 2_000)),
        "power": lambda: power(given.tables or 200, given.first),
        "peers": lambda: beside_peers(given.peers, given.tables or 5),
    }
    say(setting("numpy", "duckdb"))
    for name, part in parts.items():
        if given.part in (None, name):
            say(f"\n## {name}\n")
            part()


if __name__ == "__main__":
    main()
