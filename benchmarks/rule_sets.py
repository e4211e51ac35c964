"""Run the experiments of Lawless and Günlük (2021) and show them beside the paper's numbers and other people's models.

Run from the folder of the project, with ``../shared/data`` beside it::

    OMP_NUM_THREADS=1 python -m benchmarks.rule_sets                                  # all parts, two folds at once
    OMP_NUM_THREADS=1 python -m benchmarks.rule_sets --part compas                    # one part
    OMP_NUM_THREADS=1 python -m benchmarks.rule_sets --part adult --folds 0           # quick
    OMP_NUM_THREADS=1 python -m benchmarks.rule_sets --rows runs.jsonl                # goes on where it was ended
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    luskin_targets,
    rule_sets_folds,
    rule_sets_lengths,
    rule_sets_margins,
    rule_sets_objectives,
    rule_sets_peers,
    rule_sets_scale,
)
from benchmarks.common import say, setting
from benchmarks.constraints_runs import Kept
from benchmarks.luskin import seed_range
from benchmarks.luskin_targets import Target

PACKAGES = ("numpy", "scipy", "scikit-learn", "pyscipopt", "fairlearn")

Part = Callable[[argparse.Namespace, Kept], list[Target]]


def compas(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """COMPAS: black and white people."""
    return _folds("COMPAS", arguments, kept)


def adult(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Adult: women and men."""
    return _folds("Adult", arguments, kept)


def default(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Default: women and men."""
    return _folds("Default", arguments, kept)


def _folds(name: str, arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    found = rule_sets_folds.measure(name, arguments.folds, arguments.seed, kept, arguments.processes)
    if not found:
        return []
    say("Means over the folds, standard deviations in brackets; without a constraint, gaps are those of both rates.\n")
    say(rule_sets_folds.means_table(found) + "\n")
    say(rule_sets_folds.folds_table(found) + "\n")
    return rule_sets_folds.targets(name, found)


def margins(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """COMPAS: smaller differences in training."""
    where = (arguments.folds, arguments.seed, kept, arguments.processes)
    if found := rule_sets_margins.measure(*where):
        say(rule_sets_margins.as_table(found) + "\n")
    return []


def objectives(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Zero-one loss beside Hamming loss: all folds of COMPAS, the first fold of Adult and Default."""
    found = rule_sets_objectives.measure(arguments.folds, arguments.seed, kept, arguments.processes)
    if found:
        say(rule_sets_objectives.as_table(found) + "\n")
    return []


def peers(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Measure what others reach on the same folds."""
    found = rule_sets_peers.measure(arguments.folds, arguments.seed, kept, arguments.processes)
    for name, measured in found.items():
        say(f"{name}:\n")
        say(rule_sets_peers.as_table(measured) + "\n")
    return []


def lengths(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Prove by the length of rules: Adult, made law students, 60,000 made rows of 40 columns, in one process each."""
    found = rule_sets_lengths.measure(arguments.seed, kept, arguments.processes)
    say(rule_sets_lengths.as_table(found) + "\n")
    return rule_sets_lengths.targets(found)


def scale(arguments: argparse.Namespace, kept: Kept) -> list[Target]:
    """Time and memory against the number of rows: equalized odds .025, C = 15, made rows, one process at a time."""
    found = rule_sets_scale.measure(arguments.sizes)
    say(rule_sets_scale.as_table(found) + "\n")
    return rule_sets_scale.targets(found)


PARTS: dict[str, Part] = {
    "compas": compas,
    "adult": adult,
    "default": default,
    "margins": margins,
    "objectives": objectives,
    "peers": peers,
    "lengths": lengths,
    "scale": scale,
}


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append", help="one part only; may be given again")
    parser.add_argument("--folds", type=seed_range, default="0-9", help="folds of ten, such as 0-9 or 3")
    parser.add_argument("--seed", type=int, default=0, help="of the folds and of the searches")
    parser.add_argument("--processes", type=int, default=2, help="fits at once; each has one processor")
    parser.add_argument("--sizes", type=int, nargs="+", default=rule_sets_scale.N_ROWS, help="rows, of the part scale")
    parser.add_argument("--rows", type=Path, help="a file that keeps each result at once, and is read at the start")
    arguments = parser.parse_args()
    kept, targets = Kept(arguments.rows), []
    for part in arguments.part or PARTS:
        say(f"## {PARTS[part].__doc__}\n")
        say(setting(*PACKAGES, seed=arguments.seed) + f" {arguments.processes} fits at once, each on one processor.\n")
        start = time.perf_counter()
        targets += PARTS[part](arguments, kept)
        say(f"This part took {(time.perf_counter() - start) / 60:.1f} minutes.\n")
    if targets:
        say("## Targets\n")
        say(luskin_targets.as_table(targets))


if __name__ == "__main__":
    main()
