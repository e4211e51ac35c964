"""How often intervals of a change between two models of an amount cover the true change, in simulated held-out rows."""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.common import markdown
from fairaudit.study.amounts.judging import amount_changes

CONFIDENCE = 0.95
SIZES = (150, 400, 1_200)
PROTECTED = (0.5, 0.2)
MEASURES = ("mae", "r2", "gap")
"""The difference of mean errors changes as that of mean predictions does, so it is left out."""
LEAVES = 8
"""Amounts that the model before predicts, as a tree does."""
GAP, SPREAD = -0.15, 0.5
"""Of the logarithms of amounts: what the protected group has less, and their standard deviation in a leaf."""
ENDLESS = 1_000_000
"""Rows from which the true change is taken."""

CASES = {
    # Of the protected group and the rest: share of rows that move, their mean move and its standard deviation, in
    # thousands. The protected group has about 10 less of 60.
    "overshoot": ((1.0, 16.0, 8.0), (1.0, -4.0, 8.0)),
    "ordinary": ((0.3, 12.0, 5.0), (0.05, -8.0, 5.0)),
    "to about zero": ((1.0, 9.0, 6.0), (0.1, -8.0, 6.0)),
    "no gain": ((0.2, 0.0, 10.0), (0.2, 0.0, 10.0)),
    "one in 50": ((0.02, 15.0, 5.0), (0.0, 0.0, 0.0)),
    "one in 200": ((0.005, 15.0, 5.0), (0.0, 0.0, 0.0)),
}

Rows = tuple[NDArray[np.float64], tuple[NDArray[np.bool_], NDArray[np.bool_]], NDArray[np.float64], NDArray[np.float64]]


def drawn(rng: np.random.Generator, case: str, share: float, n: int) -> Rows:
    """Draw amounts, the two sides, and predictions before and after, in thousands; each but the sides of shape (n,)."""
    protected = rng.random(n) < share
    leaf = np.clip(rng.binomial(LEAVES - 1, 0.5, n) - (protected & (rng.random(n) < 0.3)), 0, LEAVES - 1)
    level = 40 * np.exp(0.12 * leaf)
    y = level * np.exp(GAP * protected + rng.normal(0, SPREAD, n))
    moves, mean, deviation = np.array(CASES[case]).T[:, (~protected).astype(int)]
    moved = (rng.random(n) < moves) * (mean + deviation * rng.normal(size=n))
    return y, (protected, ~protected), level, level + moved


def covered(rng: np.random.Generator, case: str, share: float, n: int, exact: dict[str, float]) -> dict[str, bool]:
    """Return for each figure of one simulation whether its interval covers the true change."""
    found = amount_changes(*drawn(rng, case, share, n), CONFIDENCE)
    return {c.measure: c.interval.low <= exact[c.measure] <= c.interval.high for c in found if c.measure in MEASURES}


def main() -> None:
    """Print how often each interval covers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=2_000, help="simulations of each case")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng, lines = np.random.default_rng(asked.seed), []
    for case in CASES:
        for share in PROTECTED:
            endless = amount_changes(*drawn(rng, case, share, ENDLESS), CONFIDENCE)
            exact = {change.measure: change.difference for change in endless}
            for n in SIZES:
                found = pd.DataFrame([covered(rng, case, share, n, exact) for _ in range(asked.repeats)])
                lines.append((case, f"{share:.0%}", n, *(f"{found[name].mean():.3f}" for name in MEASURES)))
    print(
        f"Share of {asked.repeats:,} simulations, seed {asked.seed}, in which a {CONFIDENCE:.0%} interval covers the "
        "true change.\n"
    )
    print(markdown(("remedy", "protected", "held-out rows", *MEASURES), lines))


if __name__ == "__main__":
    main()
