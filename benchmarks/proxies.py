"""How often planted proxies are found, and columns that say nothing of the group are called proxies."""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from benchmarks.common import markdown, say
from fairaudit.measure.explain import find_proxies

CASES = ((1_000, 0.3, 0), (500, 0.5, 0), (4_000, 0.2, 0), (4_000, 0.5, 400))
"""People of a table, how much the best rule by a planted column tells beyond chance, and clusters (0: none)."""
SHARE = 0.4
"""People of the protected group among all."""
VALUES = {"text": 4, "number": 0, "zip": 60}
"""Kinds of planted columns, and how many values those of text have."""


def standing_in(kind: str, is_protected: np.ndarray, revealed: float, random: np.random.Generator) -> np.ndarray:
    """Return a column by which the best rule tells so much; with 0, one that says nothing.

    Shapes: `is_protected` (n,); returns (n,).
    """
    # Both groups have the same values, and a share of the protected group those of its own half.
    n, size = len(is_protected), VALUES[kind] or 1
    own = random.random(n) < revealed
    upper = np.where(own, is_protected, random.random(n) < 0.5)
    if kind == "number":
        return random.random(n) + upper
    codes = np.where(upper, size // 2, 0) + random.integers(0, size // 2, n)
    return np.char.add("1" if kind == "zip" else "v", np.char.zfill(codes.astype(str), 4))


def made(n: int, revealed: float, seed: int, n_clusters: int = 0) -> pd.DataFrame:
    """Return a table with a planted column of each kind and eight that say nothing; decisions are by chance.

    With clusters, all people of one have the same group and the same values, so that there is less to learn from.
    """
    random, people = np.random.default_rng(seed), n_clusters or n
    is_protected = random.random(people) < SHARE
    columns = {f"planted_{kind}": standing_in(kind, is_protected, revealed, random) for kind in VALUES}
    false = ["text", "text", "text", "number", "number", "number", "zip", "zip"]
    columns |= {f"false_{place}": standing_in(kind, is_protected, 0.0, random) for place, kind in enumerate(false)}
    frame = pd.DataFrame({"group": np.where(is_protected, "a", "b"), **columns})
    if n_clusters:
        frame = frame.assign(office=np.arange(people)).loc[random.integers(0, people, n)].reset_index(drop=True)
    return frame.assign(decision=random.integers(0, 2, n))


def found_in(n: int, revealed: float, tables: int, seed: int, n_clusters: int = 0) -> tuple[dict[str, float], float]:
    """Return the share of tables in which each planted column is found, and in which any false one is."""
    planted, false = dict.fromkeys(VALUES, 0), 0
    for each in range(tables):
        frame = made(n, revealed, seed + each, n_clusters)
        cluster = "office" if n_clusters else None
        names = [name for name in frame if name.startswith(("planted", "false"))]
        found = find_proxies(
            frame, decision="decision", favorable=1, protected="\"group\" = 'a'", columns=names, cluster=cluster,
            random_state=each,
        ).found  # fmt: skip
        for kind in VALUES:
            planted[kind] += f"planted_{kind}" in found
        false += any(name.startswith("false") for name in found)
    return {kind: count / tables for kind, count in planted.items()}, false / tables


def main() -> None:
    """Print a row for each size of a table and strength of the planted columns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rows = []
    for n, revealed, n_clusters in CASES:
        planted, false = found_in(n, revealed, options.tables, options.seed, n_clusters)
        cells = [f"{100 * planted[kind]:.1f}" for kind in VALUES]
        rows.append([f"{n:,}", str(n_clusters or "none"), f"{100 * revealed:.0f}", *cells, f"{100 * false:.1f}"])
    heads = ["people", "clusters", "revealed (%)", *(f"planted {kind} found (%)" for kind in VALUES), "any false (%)"]
    say(markdown(heads, rows))


if __name__ == "__main__":
    main()
