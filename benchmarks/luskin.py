"""Run the three experiments of Chen et al. (2020), relabelling on two data sets, beside the numbers of the paper.

Run from the folder of the project, with ``../shared/data`` beside it::

    OMP_NUM_THREADS=1 python -m benchmarks.luskin                        # all parts; half an hour of one processor
    OMP_NUM_THREADS=1 python -m benchmarks.luskin --part thresholds      # one part
    OMP_NUM_THREADS=1 python -m benchmarks.luskin --seeds 0-1 --fresh-seeds 10-11   # quick
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from benchmarks import luskin_equalized, luskin_relabeling, luskin_targets, luskin_thresholds
from benchmarks.common import say, setting

PACKAGES = ("numpy", "scipy", "scikit-learn", "pyswarms", "fairlearn")


def adult(arguments: argparse.Namespace) -> None:
    """Relabelling, tables 3 and 4: Adult, race other than White, more than 10 years of education."""
    _relabeling("Adult", arguments)


def fresh(arguments: argparse.Namespace) -> None:
    """Relabelling, tables 3 and 4 once more: Adult on seeds that no choice was made on."""
    settings = {"names": ["Adult"], "ways": ["weighed"], "n_processes": arguments.processes}
    found = luskin_relabeling.rows(arguments.fresh_seeds, **settings)
    say(f"Choices between ways to fit were compared on seeds 0-9; these are {_words(arguments.fresh_seeds)}.\n")
    say(luskin_relabeling.as_table(found) + "\n")
    say(luskin_targets.as_table(luskin_relabeling.targets(found)) + "\n")


def sqf(arguments: argparse.Namespace) -> None:
    """Relabelling, tables 1 and 2: SQF of 2014 (the paper: 2012), race other than W, suspected of assault."""
    _relabeling("SQF 2014", arguments)


def _relabeling(name: str, arguments: argparse.Namespace) -> None:
    ways = arguments.way or luskin_relabeling.WAYS
    found = luskin_relabeling.rows(arguments.seeds, names=[name], ways=ways, n_processes=arguments.processes)
    say("Median over the seeds (least to largest). Gaps in points; without sign unless said.\n")
    say(luskin_relabeling.as_table(found) + "\n")
    if "weighed" not in ways:
        return
    say("The gap that chance would show were both groups treated exactly alike, in as many held-out rows:\n")
    say(luskin_relabeling.noise_table(found) + "\n")
    say(luskin_targets.as_table(luskin_relabeling.targets(found)) + "\n")


def thresholds(arguments: argparse.Namespace) -> None:
    """Thresholds by group: table 5, swarm and exact optimum, fairlearn."""
    found = luskin_thresholds.as_frame(luskin_thresholds.rows(arguments.seeds))
    say(luskin_thresholds.as_tables(found) + "\n")
    say(luskin_targets.as_table(luskin_thresholds.targets(found)) + "\n")


def equalized(arguments: argparse.Namespace) -> None:
    """Equalized distributions: figure 14, and how the loss is minimised."""
    found = luskin_equalized.rows(arguments.seeds)
    say(luskin_equalized.as_table(found) + "\n")
    race = luskin_equalized.race_rows(arguments.seeds)
    say(luskin_equalized.as_race_table(race) + "\n")
    say(luskin_equalized.as_gradient_line(luskin_equalized.gradient_errors(arguments.seeds)) + "\n")
    say(luskin_targets.as_table(luskin_equalized.targets(found, race)) + "\n")


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "adult": adult,
    "fresh": fresh,
    "sqf": sqf,
    "thresholds": thresholds,
    "equalized": equalized,
}


def seed_range(text: str) -> list[int]:
    """Read "0-9" or "3"."""
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def _words(seeds: list[int]) -> str:
    return f"{seeds[0]}-{seeds[-1]}"


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=seed_range, default="0-9", help="divisions of the rows, such as 0-9")
    parser.add_argument("--fresh-seeds", type=seed_range, default="10-19", help="for Adult once more")
    parser.add_argument("--part", choices=PARTS, action="append", help="one part only; may be given again")
    parser.add_argument("--way", choices=luskin_relabeling.WAYS, action="append", help="of fitting relabelled models")
    parser.add_argument("--processes", type=int, default=1, help="for relabelling; its seconds are then less exact")
    arguments = parser.parse_args()
    for part in arguments.part or PARTS:
        say(f"## {PARTS[part].__doc__}\n")
        seeds = arguments.fresh_seeds if part == "fresh" else arguments.seeds
        say(setting(*PACKAGES, seed=_words(seeds)) + "\n")
        start = time.perf_counter()
        PARTS[part](arguments)
        say(f"This part took {(time.perf_counter() - start) / 60:.1f} minutes.\n")


if __name__ == "__main__":
    main()
