"""Trees: exact searches, the steps of the integer problem, amounts, numbers of splits, and look-ahead trees.

Run from the folder of the project, with ``../shared/data`` beside it::

    OMP_NUM_THREADS=1 python -m benchmarks.trees                          # all parts
    OMP_NUM_THREADS=1 python -m benchmarks.trees --part frontier          # one part

The part ``frontier`` compares with pystreed where it is installed (``pip install pystreed``).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from benchmarks import (
    trees_amounts,
    trees_crime,
    trees_engines,
    trees_frontier,
    trees_gaps,
    trees_lookahead,
    trees_scip,
    trees_splits,
    trees_values,
)
from benchmarks.common import say, setting

PACKAGES = ("numpy", "scipy", "scikit-learn", "pyscipopt")


def frontier(seconds: float) -> None:
    """Find exact trees over given literals, beside pystreed in the same process."""
    wide = [trees_frontier.german(), trees_frontier.student(), trees_frontier.adult()]
    say(trees_frontier.beside_pystreed([trees_frontier.compas()], (2, 3, 4), time_limit=seconds) + "\n")
    say(trees_frontier.beside_pystreed(wide, (2, 3), repeats=1, time_limit=seconds) + "\n")
    say(trees_frontier.limits_and_prices(trees_frontier.compas(), (2, 3, 4), time_limit=seconds) + "\n")


def gaps(seconds: float) -> None:
    """Find the smallest gap for accuracy lost, beside halvings of a limit."""
    say(trees_gaps.table(seconds) + "\n")


def engines(seconds: float) -> None:
    """Find the same exact trees by frontiers, by multipliers and by SCIP."""
    say(trees_engines.table(seconds) + "\n")


def scip(seconds: float) -> None:
    """Measure what each step of the integer problem gains."""
    trees_scip.main(seconds)


def crime(seconds: float) -> None:
    """Compare trees and lines for amounts at zero discrimination, four folds of Crime."""
    trees_crime.main(min(seconds, 20.0))


def lookahead(seconds: float) -> None:
    """Compare look-ahead trees under the four-fifths rule with CART, five folds of six data sets."""
    trees_lookahead.main(())


def values(seconds: float) -> None:
    """Cut numbers at every value, beside pycontree; depth 4 over many literals."""
    trees_values.main(seconds)


def amounts(seconds: float) -> None:
    """Find trees of amounts of depth 3, four tables."""
    say(trees_amounts.table(seconds) + "\n")


def splits(seconds: float) -> None:
    """Make trees of more and of fewer splits, held-out rows of five tables."""
    say(trees_splits.table(seconds) + "\n")


PARTS: dict[str, Callable[[float], None]] = {
    "frontier": frontier,
    "gaps": gaps,
    "engines": engines,
    "values": values,
    "amounts": amounts,
    "splits": splits,
    "scip": scip,
    "crime": crime,
    "lookahead": lookahead,
}


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append", help="one part only; may be given again")
    parser.add_argument("--seconds", type=float, default=60.0, help="for one search")
    arguments = parser.parse_args()
    for part in arguments.part or PARTS:
        say(f"## {PARTS[part].__doc__}\n")
        say(setting(*PACKAGES, seed=0) + "\n")
        start = time.perf_counter()
        PARTS[part](arguments.seconds)
        say(f"This part took {(time.perf_counter() - start) / 60:.1f} minutes.\n")


if __name__ == "__main__":
    main()
