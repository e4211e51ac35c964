"""Compare our group metrics with fairlearn's on random data, and list where the two mean different things.

Run from the folder of the project::

    python -m benchmarks.metrics_agreement [--instances 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
import collections
import functools
import warnings

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

from benchmarks.common import markdown, say
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
    weights = rng.integers(1, 6, n).astype(float) if rng.random() < 0.5 else None
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


def run(instances: int, seed: int) -> None:
    """Compare all instances and write the tables."""
    rng = np.random.default_rng(seed)
    worst = dict.fromkeys([*PEER, *(f"gap of {name}" for name in GAPS)], 0.0)
    compared: collections.Counter[str] = collections.Counter()
    explained: collections.Counter[tuple[str, str]] = collections.Counter()
    unexplained: list[str] = []
    for number in range(instances):
        labels, predictions, groups, weights = instance(rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the peer warns of what the table below counts
            peer = peer_metrics(labels, predictions, groups, weights)
            theirs, their_gaps = peer.by_group, peer.difference()
        mine = group_metrics(labels, predictions, sensitive_features=groups, sample_weight=weights)
        gaps = group_gaps(mine).set_index("metric")["difference"]
        for group in theirs.index:
            for name in PEER:
                ours, other = float(mine.loc[group, name]), float(theirs.loc[group, name])
                compared[name] += 1
                if (
                    np.isnan(ours)
                    and not np.isnan(other)
                    and name in EMPTY
                    and _is_empty(name, labels[groups == group], predictions[groups == group])
                ):
                    explained[name, f"{other:g}"] += 1
                elif name == "n" and weights is not None:
                    compared[name] -= 1
                elif not np.isclose(ours, other, rtol=0, atol=1e-9, equal_nan=True):
                    unexplained.append(f"instance {number}, seed {seed}, group {group}, {name}: {ours} against {other}")
                else:
                    worst[name] = max(worst[name], 0.0 if np.isnan(ours) else abs(ours - other))
        for name in GAPS:
            key = f"gap of {name}"
            compared[key] += 1
            if not np.isclose(gaps[name], their_gaps[name], rtol=0, atol=1e-9, equal_nan=True):
                unexplained.append(f"instance {number}, seed {seed}, {key}: {gaps[name]} against {their_gaps[name]}")
            else:
                worst[key] = max(worst[key], abs(float(gaps[name]) - float(their_gaps[name])))
    say(f"{instances:,} random instances, seed {seed}, half of them weighted.\n")
    rows = [(name, f"{compared[name]:,}", f"{worst[name]:.1e}") for name in worst]
    say(markdown(["metric", "values compared", "largest difference"], rows))
    say("\nExplained: ours is undefined (NaN) because what the rate divides by is empty; fairlearn gives a number.\n")
    rows = [(name, EMPTY[name], value, f"{n:,}") for (name, value), n in sorted(explained.items())]
    say(markdown(["metric", "in the group there are", "fairlearn gives", "times"], rows))
    say(f"\nNot explained: {len(unexplained)}")
    for line in unexplained[:20]:
        say(f"- {line}")
    raise SystemExit(1 if unexplained else 0)


def _is_empty(name: str, labels: np.ndarray, predictions: np.ndarray) -> bool:
    if name == "ppv":
        return not (predictions == 1).any()
    return not (labels == (1 if name in ("tpr", "fnr") else 0)).any()


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    run(arguments.instances, arguments.seed)


if __name__ == "__main__":
    main()
