"""Equalized distributions beside luskin.txt, section 4.4.3 and figure 14: COMPAS, race unknown when the model decides.

The paper divides 60/20/20 at random, once, and shows curves without numbers; here each seed is a division, and medians
are shown. The features are the paper's: numbers standardised, the charge one-hot, then principal components, as many as
the paper's 20 or more. The threshold is the most accurate one on the tuning rows; all else is of the held-out rows.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.common import markdown
from benchmarks.luskin_data import LuskinData, compas
from fairaudit.remedies.equalized import EqualizedDistributionClassifier
from fairaudit.remedies.splitting import split_rows

WEIGHTS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
COMPONENTS = (20, 60)
SMALL = {"tpr_gap": 0.08, "fpr_gap": 0.06}
"""Gaps that count as small. With equal rates the median gap of held-out rows would still be near .03 and .02."""

RACED = (0.15,)
"""Weights at which L-BFGS is timed against momentum."""


def rows(seeds: Iterable[int], *, weights: Sequence[float] = WEIGHTS) -> list[dict]:
    """Return one record for each number of components, seed and accuracy weight; without the file none."""
    data = compas()
    if data is None:
        return []
    return [
        record for n_components in COMPONENTS for seed in seeds for record in measure(data, seed, n_components, weights)
    ]


def measure(data: LuskinData, seed: int, n_components: int, weights: Sequence[float] = WEIGHTS) -> list[dict]:
    """Fit each weight to the training rows of one division; ``accuracy_lost`` is against the weight 1."""
    split = split_rows(data.y + 2 * data.protected, random_state=seed)
    race = data.protected
    found = []
    for weight in sorted({*weights, 1.0}, reverse=True):
        model = EqualizedDistributionClassifier(weight, n_components=n_components)
        start = time.perf_counter()
        model.fit(data.X.iloc[split.train], data.y[split.train], sensitive_features=race[split.train])
        seconds = time.perf_counter() - start
        threshold = model.choose_threshold(data.X.iloc[split.tune], data.y[split.tune])
        predicted = model.predict(data.X.iloc[split.held_out])
        y, protected = data.y[split.held_out], race[split.held_out]
        rates = {
            name: abs(predicted[(y == label) & protected].mean() - predicted[(y == label) & ~protected].mean())
            for name, label in (("tpr_gap", 1), ("fpr_gap", 0))
        }
        accuracy = float((predicted == y).mean())
        plain = accuracy if weight == 1.0 else found[0]["accuracy"]
        found.append(
            {
                "n_components": n_components,
                "seed": seed,
                "accuracy_weight": weight,
                "accuracy": accuracy,
                "accuracy_lost": plain - accuracy,
                **{name: float(gap) for name, gap in rates.items()},
                "threshold": threshold,
                "loss": model.loss_,
                "n_iter": model.n_iter_,
                "seconds": seconds,
            }
        )
    return found


def race_rows(seeds: Iterable[int], *, weights: Sequence[float] = RACED) -> list[dict]:
    """Return one record for each seed and weight: L-BFGS and 2,000 steps of momentum, timed in one process.

    Times are of the processor, whatever else the machine does, and of the whole fit with its preparation.
    """
    data = compas()
    found = []
    for seed in seeds if data is not None else ():
        train = split_rows(data.y + 2 * data.protected, random_state=seed).train
        for weight in weights:
            record = {"seed": seed, "accuracy_weight": weight}
            for method in ("lbfgs", "momentum"):
                model = EqualizedDistributionClassifier(weight, method=method, n_components=COMPONENTS[0])
                start = time.process_time()
                model.fit(data.X.iloc[train], data.y[train], sensitive_features=data.protected[train])
                record |= {f"{method}_seconds": time.process_time() - start, f"{method}_loss": model.loss_}
            record["time_ratio"] = record["lbfgs_seconds"] / record["momentum_seconds"]
            record["loss_difference"] = record["lbfgs_loss"] - record["momentum_loss"]
            found.append(record)
    return found


def table(seeds: Iterable[int]) -> str:
    """Return the medians over the seeds, and the race of the two methods, as Markdown."""
    seeds = list(seeds)
    return f"{as_table(rows(seeds))}\n\n{as_race_table(race_rows(seeds))}"


def as_table(found: list[dict]) -> str:
    """Return the medians of records of `rows`; differences in points."""
    lines = []
    for n_components in COMPONENTS:
        for weight in sorted({r["accuracy_weight"] for r in found}):
            own = [r for r in found if (r["n_components"], r["accuracy_weight"]) == (n_components, weight)]
            middle = {
                name: statistics.median(r[name] for r in own)
                for name in ("accuracy", "accuracy_lost", "tpr_gap", "fpr_gap", "seconds")
            }
            small = all(middle[name] <= limit for name, limit in SMALL.items())
            lines.append(
                (n_components, weight, f"{100 * middle['accuracy']:.1f}", f"{100 * middle['accuracy_lost']:.1f}",
                 f"{100 * middle['tpr_gap']:.1f}", f"{100 * middle['fpr_gap']:.1f}", "yes" if small else "no",
                 f"{middle['seconds']:.2f}")
            )  # fmt: skip
    header = (
        "components", "accuracy weight", "accuracy", "accuracy lost", "TPR gap", "FPR gap", "gaps small", "seconds",
    )  # fmt: skip
    return markdown(header, lines)


def as_race_table(found: list[dict]) -> str:
    """Return the records of `race_rows` by weight."""
    lines = []
    for weight in sorted({r["accuracy_weight"] for r in found}):
        own = [r for r in found if r["accuracy_weight"] == weight]
        lower = sum(r["loss_difference"] <= 0 for r in own)
        ratios = [r["time_ratio"] for r in own]
        worst = np.max([r["loss_difference"] for r in own])
        lines.append(
            (
                weight,
                f"{lower} of {len(own)}",
                f"{worst:+.5f}",
                f"{statistics.median(ratios):.3f}",
                f"{max(ratios):.3f}",
            )
        )
    header = ("accuracy weight", "L-BFGS at or below", "largest difference of loss", "median time ratio", "largest")
    return markdown(header, lines)
