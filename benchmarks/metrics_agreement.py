"""Compare our group metrics with fairlearn's on random data, and list where the two mean different things.

Run from the folder of the project::

    python -m benchmarks.metrics_agreement [--instances 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
import functools
import warnings
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from fairlearn.metrics import (
    MetricFrame,
    count,
    false_negative_rate,
    false_positive_rate,
    selection_rate,
    true_negative_rate,
    true_positive_rate,
)
from sklearn.metrics import accuracy_score, precision_score

from benchmarks.common import markdown, say, setting
from fairaudit import group_gaps, group_metrics

PEER = {
    "n": count,
    "selection_rate": functools.partial(selection_rate, pos_label=1),
    "accuracy": accuracy_score,
    "tpr": functools.partial(true_positive_rate, pos_label=1),
    "fpr": functools.partial(false_positive_rate, pos_label=1),
    "tnr": functools.partial(true_negative_rate, pos_label=1),
    "fnr": functools.partial(false_negative_rate, pos_label=1),
    "ppv": functools.partial(precision_score, pos_label=1, zero_division=0),
}
# what each rate divides by; where that is empty, ours is undefined
EMPTY = {
    "tpr": "no positive labels",
    "fnr": "no positive labels",
    "fpr": "no negative labels",
    "tnr": "no negative labels",
    "ppv": "no positive predictions",
}
GAPS = ("selection_rate", "accuracy")


def instance(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
    """Draw labels, predictions, groups and, every other time, weights; small ones often lack a class somewhere."""
    n = int(rng.integers(2, 200))
    groups = rng.choice(list("abcdef")[: int(rng.integers(1, 7))], n)
    labels = (rng.random(n) < rng.choice([0.0, 0.05, 0.3, 0.5, 0.95, 1.0])).astype(int)
    predictions = (rng.random(n) < rng.choice([0.0, 0.05, 0.5, 0.95, 1.0])).astype(int)
    weights = rng.uniform(0.1, 5.0, n) if rng.random() < 0.5 else None
    return labels, predictions, groups, weights


def peer_metrics(
    labels: np.ndarray, predictions: np.ndarray, groups: np.ndarray, weights: np.ndarray | None
) -> MetricFrame:
    """Compute fairlearn's frame."""
    weighted = {} if weights is None else {"sample_weight": weights}
    return MetricFrame(
        metrics=PEER,
        y_true=labels,
        y_pred=predictions,
        sensitive_features=groups,
        sample_params={name: {} if name == "n" else weighted for name in PEER},
    )


@dataclass
class Tally:
    """What was compared: the largest difference by metric, the explained differences and the others."""

    compared: Counter[str] = field(default_factory=Counter)
    worst: dict[str, float] = field(default_factory=dict)
    explained: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    unexplained: list[str] = field(default_factory=list)

    def add(self, name: str, ours: float, theirs: float, undefined: str | None, where: str) -> None:
        """Compare two values; `undefined` is the reason why ours should be NaN, None if it should not."""
        self.compared[name] += 1
        self.worst.setdefault(name, 0.0)
        if undefined is not None and np.isnan(ours):
            self.explained[name, undefined, f"{theirs:g}"] += 1
        elif undefined is None and np.isclose(ours, theirs, rtol=0, atol=1e-9):
            self.worst[name] = max(self.worst[name], abs(ours - theirs))
        else:
            self.unexplained.append(f"{where}, {name}: {ours} against {theirs}")


def run(instances: int, seed: int) -> Tally:
    """Compare the metrics of all instances, and the gaps that are defined for both."""
    rng = np.random.default_rng(seed)
    tally = Tally()
    for number in range(instances):
        labels, predictions, groups, weights = instance(rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the peer warns of what is counted as explained here
            peer = peer_metrics(labels, predictions, groups, weights)
            theirs, their_gaps = peer.by_group, peer.difference()
        mine = group_metrics(labels, predictions, sensitive_features=groups, sample_weight=weights)
        gaps = group_gaps(mine).set_index("metric")["difference"]
        for group in theirs.index:
            inside = groups == group
            where = f"instance {number}, seed {seed}, group {group}"
            for name in PEER:
                undefined = _undefined(name, labels[inside], predictions[inside])
                tally.add(name, float(mine.loc[group, name]), float(theirs.loc[group, name]), undefined, where)
        alone = "one group only" if len(theirs) == 1 else None
        for name in GAPS:
            tally.add(f"gap of {name}", gaps[name], their_gaps[name], alone, f"instance {number}, seed {seed}")
    return tally


def report(tally: Tally) -> None:
    """Write the tables."""
    rows = [(name, f"{tally.compared[name]:,}", f"{tally.worst[name]:.1e}") for name in tally.worst]
    say(markdown(["metric", "values compared", "largest difference"], rows))
    say("\nExplained: ours is undefined (NaN), with nothing to divide by or to compare; fairlearn gives a number.\n")
    rows = [(*key, f"{n:,}") for key, n in sorted(tally.explained.items())]
    say(markdown(["metric", "there are", "fairlearn gives", "times"], rows))
    say(f"\nNot explained: {len(tally.unexplained)}")
    for line in tally.unexplained[:20]:
        say(f"- {line}")


def _undefined(name: str, labels: np.ndarray, predictions: np.ndarray) -> str | None:
    values = predictions if name == "ppv" else labels
    wanted = {"tpr": 1, "fnr": 1, "fpr": 0, "tnr": 0, "ppv": 1}.get(name)
    return None if wanted is None or (values == wanted).any() else EMPTY[name]


def main() -> None:
    """Read the arguments, run, and exit with 1 if a difference is not explained."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    say(f"{arguments.instances:,} random instances, seed {arguments.seed}, half of them weighted.")
    say(setting("fairlearn", "pandas", "numpy", seed=arguments.seed) + "\n")
    tally = run(arguments.instances, arguments.seed)
    report(tally)
    raise SystemExit(1 if tally.unexplained else 0)


if __name__ == "__main__":
    main()
