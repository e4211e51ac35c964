"""Run the experiments of Zhang et al. (2021) and show them beside the paper's numbers and fairlearn's reductions.

Run from the folder of the project, with ``../shared/data`` beside it::

    OMP_NUM_THREADS=1 python -m benchmarks.constraints                      # all parts
    OMP_NUM_THREADS=1 python -m benchmarks.constraints --part peers         # one part
    OMP_NUM_THREADS=1 python -m benchmarks.constraints --seeds 0-1 --model logistic_regression   # quick
    OMP_NUM_THREADS=1 python -m benchmarks.constraints --rows runs.jsonl    # goes on where it was ended
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    constraints_metrics,
    constraints_peers,
    constraints_postprocessing,
    constraints_pulling,
    constraints_scale,
    constraints_several,
    constraints_stability,
    constraints_tradeoff,
    luskin_targets,
)
from benchmarks.common import say, setting
from benchmarks.constraints_runs import SHORT, Kept
from benchmarks.luskin import seed_range
from benchmarks.luskin_targets import Target

PACKAGES = ("numpy", "scipy", "scikit-learn", "fairlearn")

Part = Callable[[argparse.Namespace, Kept], list[Target]]


def parity(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Statistical parity within .03: table 4."""
    found = constraints_metrics.parity(arguments.seeds, arguments.model or list(SHORT), kept)
    say("Median over the seeds (least to largest), points lost as a mean like the paper's; held-out rows unless said.")
    say(
        "The sampling error is 1.96 standard errors of the difference between the two shares on the held-out rows; that"
    )
    say("of the tuning rows, on which the limit was met, adds to it as the root of the sum of squares.\n")
    say(constraints_metrics.parity_table(found) + "\n")
    return constraints_metrics.parity_targets(found)


def peers(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Beside fairlearn's reductions: Adult, sex, logistic regression; warm starts."""
    found = constraints_peers.peers(arguments.seeds, kept)
    if found:
        say(constraints_peers.peers_table(found) + "\n")
    warm = constraints_peers.warm_starts(arguments.seeds, kept)
    if not warm:
        return []
    say("The same search with warm starts and without, logistic regression, statistical parity within .03:\n")
    say(constraints_peers.warm_table(warm) + "\n")
    return constraints_peers.targets(found, warm)


def predictive(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Predictive parity within .03: false omission and false discovery rates, logistic regression."""
    found = constraints_metrics.predictive(arguments.seeds, kept)
    say(constraints_metrics.predictive_table(found) + "\n")
    return constraints_metrics.predictive_targets(found)


def several(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Several constraints at once on COMPAS: figure 11, tables 12 and 13."""
    three = constraints_several.three_groups(arguments.seeds, kept)
    if not three:
        return []
    say("White, black and Hispanic people, statistical parity within .03 between any two:\n")
    say(constraints_several.three_table(three) + "\n")
    grids = constraints_several.grids(arguments.seeds, kept)
    two = constraints_several.two_metrics(arguments.seeds, kept)
    say("White and black people, shares and false negative rates alike; accuracy and gaps of held-out rows:\n")
    say(constraints_several.two_table(two, grids) + "\n")
    return constraints_several.targets(three, two, grids)


def pulling(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Two constraints that pull against each other: COMPAS, six columns, without the race."""
    found = constraints_pulling.ways(kept)
    if found:
        say(constraints_pulling.ways_table(found) + "\n")
    return constraints_pulling.targets(found)


def postprocessing(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Thresholds on a finished model: COMPAS and Adult, with and without the group among the features."""
    say(constraints_postprocessing.as_text(constraints_postprocessing.measure(kept)) + "\n")
    return []


def scale(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Fifty groups: made rows, logistic regression, statistical parity within .05."""
    found = constraints_scale.measure()
    say(constraints_scale.as_table(found) + "\n")
    return constraints_scale.targets(found)


def tradeoff(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Accuracy by the limit and by the size of the tuning part: figures 4, 5, 8 and 14 to 16."""
    found = constraints_tradeoff.by_limit(arguments.seeds, kept)
    say(constraints_tradeoff.limit_table(found) + "\n")
    say(f"COMPAS, statistical parity within {constraints_tradeoff.LIMIT}, fewer tuning rows:\n")
    say(constraints_tradeoff.size_table(constraints_tradeoff.by_size(arguments.seeds, kept)) + "\n")
    return []


def stability(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Small tables: shares of yes over divisions of 600 rows; law school beside the reduction."""
    found = constraints_stability.small(arguments.seeds, kept)
    say("Warned: results that say that chance decides by more than 10 points how many people get a yes.\n")
    say(constraints_stability.small_table(found) + "\n")
    divided = constraints_stability.law(arguments.seeds, kept)
    if divided:
        say(constraints_stability.law_table(divided) + "\n")
    return constraints_stability.targets(found, divided)


PARTS: dict[str, Part] = {
    "demographic_parity": parity,
    "peers": peers,
    "predictive": predictive,
    "several": several,
    "pulling": pulling,
    "postprocessing": postprocessing,
    "tradeoff": tradeoff,
    "stability": stability,
    "scale": scale,
}


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=seed_range, default="0-9", help="divisions of the rows, such as 0-9")
    parser.add_argument("--part", choices=PARTS, action="append", help="one part only; may be given again")
    parser.add_argument("--model", choices=SHORT, action="append", help="of the part sp; may be given again")
    parser.add_argument("--rows", type=Path, help="a file that keeps each result at once, and is read at the start")
    arguments = parser.parse_args()
    kept, targets = Kept(arguments.rows), []
    for part in arguments.part or PARTS:
        say(f"## {PARTS[part].__doc__}\n")
        say(setting(*PACKAGES, seed=f"{arguments.seeds[0]}-{arguments.seeds[-1]}") + " Seconds are of one processor.\n")
        start = time.perf_counter()
        targets += PARTS[part](arguments, kept)
        say(f"This part took {(time.perf_counter() - start) / 60:.1f} minutes.\n")
    say("## Targets\n")
    say(luskin_targets.as_table(targets))


if __name__ == "__main__":
    main()
