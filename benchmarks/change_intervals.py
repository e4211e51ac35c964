"""How often intervals of a change between two models cover the true change, in simulated held-out rows."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.common import markdown
from fairaudit.defaults import ENOUGH
from fairaudit.study.judging.changes import AFTER, BEFORE, LABEL, furthest_apart, gap_change, share_difference

CONFIDENCE = 0.95
SIZES = (150, 400, 1_200)
GAPS = ("selection_gap", "tpr_gap", "fpr_gap", "fdr_gap", "for_gap")
CELLS = (("tp", 1, 1), ("fp", 0, 1), ("tn", 0, 0), ("fn", 1, 0))
OFTEN = 0.5
"""A figure is shown where it is defined in more than this share of the simulations."""

CASES = {
    # Of each group: share of good outcomes, TPR and FPR before, share of the others lifted, share of the good dropped.
    "overshoot": ((0.40, 0.60, 0.20, 0.30, 0.02), (0.50, 0.75, 0.30, 0.02, 0.15)),
    "ordinary": ((0.40, 0.60, 0.20, 0.10, 0.02), (0.50, 0.75, 0.30, 0.02, 0.06)),
    "none": ((0.45, 0.70, 0.25, 0.05, 0.05), (0.45, 0.70, 0.25, 0.05, 0.05)),
    "one in 50": ((0.40, 0.60, 0.20, 0.02, 0.0), (0.50, 0.75, 0.30, 0.0, 0.0)),
    "one in 200": ((0.40, 0.60, 0.20, 0.005, 0.0), (0.50, 0.75, 0.30, 0.0, 0.0)),
}
FEW = ("one in 50", "one in 200")
"""Cases in which hardly any prediction differs, and none in the second group; simulated with two groups only."""

MORE = ((0.45, 0.65, 0.25, 0.05, 0.05), (0.55, 0.70, 0.30, 0.04, 0.08))
"""The third and fourth group of a simulation with four."""

GROUP_SHARES = {2: ((0.5, 0.5), (0.2, 0.8)), 4: ((0.25, 0.25, 0.25, 0.25), (0.1, 0.2, 0.3, 0.4))}
TIMES_LEARNED = 4
"""Learning rows for each held-out row, from which the pair of groups is chosen."""
TIMES_JUDGED = 10
"""Draws of held-out rows for each draw of learning rows."""


def shares(base: float, tpr: float, fpr: float, lifted: float, dropped: float) -> NDArray[np.float64]:
    """Return the shares of rows by label and prediction before and after, shape (8,)."""
    found = []
    for y, before, after in np.ndindex(2, 2, 2):
        chosen = tpr if y else fpr
        moved = dropped if before else lifted
        found.append(
            (base if y else 1 - base) * (chosen if before else 1 - chosen) * (moved if after != before else 1 - moved)
        )
    return np.array(found)


def chosen_pairs(rng: np.random.Generator, whole: NDArray[np.float64], n: int) -> dict[str, list[int]]:
    """Return for each gap the places of the two groups that one draw of learning rows leaves furthest apart."""
    learned = rng.multinomial(TIMES_LEARNED * n, whole).reshape(-1, 2, 2, 2).sum(axis=3)
    names = [str(group) for group in range(len(learned))]
    if len(names) == 2:
        return {gap: [0, 1] for gap in GAPS}
    counts = pd.DataFrame({"group": names} | {c: learned[:, y, h] for c, y, h in CELLS})
    pairs = furthest_apart(counts, ENOUGH * TIMES_LEARNED)
    return {gap: [names.index(name) for name in pair] for gap, pair in pairs.items()}


def covered(
    rng: np.random.Generator,
    cells: Sequence[NDArray[np.float64]],
    whole: NDArray[np.float64],
    n: int,
    pairs: dict[str, list[int]],
) -> dict[str, bool]:
    """Return for each figure that is defined in one simulation whether its interval covers the true change."""
    held = rng.multinomial(n, whole).reshape(-1, 8)
    found = {}
    for gap, places in pairs.items():
        change = gap_change(gap, ("", ""), tuple(held[places]), CONFIDENCE)
        if not np.isnan(change.difference):
            found[gap] = change.interval.low <= true_change(gap, [cells[i] for i in places]) <= change.interval.high
    rows = held.sum(axis=0)
    was, is_now = LABEL == BEFORE, LABEL == AFTER
    up, down = (int(rows[which].sum()) for which in (~was & is_now, was & ~is_now))
    low, high = share_difference(up, down, n, CONFIDENCE)
    exact = float(whole.reshape(-1, 8).sum(axis=0) @ (is_now * 1.0 - was))
    found["accuracy"] = low <= exact <= high
    return found


def true_change(gap: str, cells: Sequence[NDArray[np.float64]]) -> float:
    """Return the change of a gap among endlessly many rows."""
    return gap_change(gap, ("", ""), tuple(own * 1e9 for own in cells), CONFIDENCE).difference


def main() -> None:
    """Print how often each interval covers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=2_000, help="simulations of each case, a multiple of 10")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng, lines = np.random.default_rng(asked.seed), []
    for n_groups, divisions in GROUP_SHARES.items():
        for case, of_two in CASES.items():
            if case in FEW and n_groups > 2:
                continue
            cells = [shares(*own) for own in (*of_two, *MORE)[:n_groups]]
            for weights in divisions:
                whole = np.concatenate([weight * own for weight, own in zip(weights, cells, strict=True)])
                for n in SIZES:
                    found = pd.DataFrame(
                        covered(rng, cells, whole, n, pairs)
                        for _ in range(asked.repeats // TIMES_JUDGED)
                        for pairs in [chosen_pairs(rng, whole, n)]
                        for _ in range(TIMES_JUDGED)
                    )
                    often = [found[name] for name in (*GAPS, "accuracy") if name in found]
                    texts = {each.name: f"{each.mean():.3f}" for each in often if each.notna().mean() > OFTEN}
                    figures = (texts.get(name, "") for name in (*GAPS, "accuracy"))
                    lines.append((n_groups, f"{min(weights):.0%}", case, n, *figures))
    print(
        f"Share of {asked.repeats:,} simulations, seed {asked.seed}, in which a {CONFIDENCE:.0%} interval covers the "
        "true change."
    )
    print("Empty where a rate is a share of fewer than 30 rows in most simulations.\n")
    print(markdown(("groups", "smallest", "remedy", "held-out rows", *GAPS, "accuracy"), lines))


if __name__ == "__main__":
    main()
