"""How often intervals of a gap hold the gap where many rows belong to one officer or school, in simulated decisions."""

from __future__ import annotations

import argparse

import numpy as np
from scipy import stats

from benchmarks.common import markdown
from fairaudit.measure import clusters
from fairaudit.measure.comparison import compare_counts

TRUE_SHARES = (0.40, 0.45)
"""Of good outcomes, in the protected group and in the rest."""
N_CLUSTERS = (6, 12, 30, 100)
RELATED = (0.0, 0.05, 0.2)
"""How alike the decisions of one cluster are: the part of their variance that lies between clusters."""
ROWS = 40
"""Rows of a cluster on average; they vary from a tenth of it to several times as many."""
MIXED = {"both groups in each": (0.35, 0.35), "groups apart": (0.0, 1.0), "some of each": (0.1, 0.9)}
"""The share of protected rows in a cluster: beta-distributed between these, or one of both ends."""


def counts(rng: np.random.Generator, n_clusters: int, related: float, mixed: tuple[float, float]) -> np.ndarray:
    """Draw good outcomes and rows of both groups by cluster, shape (n_clusters, 4)."""
    sizes = 1 + rng.negative_binomial(2, 2 / (1 + ROWS), n_clusters)
    low, high = mixed
    share = rng.choice([low, high], n_clusters, p=[0.65, 0.35])
    n_a = rng.binomial(sizes, share)
    drawn = []
    # Beta-distributed shares with mean p have the variance p (1 - p) related between clusters; both groups of a
    # cluster lie at the same place of their distributions.
    place = rng.random(n_clusters)
    for p, n in zip(TRUE_SHARES, (n_a, sizes - n_a), strict=True):
        own = np.full(n_clusters, p)
        if related:
            whole = 1 / related - 1
            own = stats.beta.ppf(place, p * whole, (1 - p) * whole)
        drawn += [rng.binomial(n, own), n]
    return np.array(drawn, dtype=float).T


def coverage(n_clusters: int, related: float, mixed: tuple[float, float], n: int, seed: int) -> tuple[float, float]:
    """Return how often intervals hold the gap with and without allowing for clusters."""
    rng = np.random.default_rng(seed)
    gap, held, made = TRUE_SHARES[0] - TRUE_SHARES[1], np.zeros(2), 0
    while made < n:
        cells = counts(rng, n_clusters, related, mixed)
        if ((cells[:, [1, 3]] > 0).sum(axis=0) < 2).any():
            continue
        made += 1
        alone = compare_counts(*(int(total) for total in cells.sum(axis=0)))
        for i, found in enumerate((clusters.allowing_for_clusters(alone, cells), alone)):
            held[i] += found.difference_interval.low <= gap <= found.difference_interval.high
    return tuple(held / n)


def main() -> None:
    """Print the table of coverage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=2_000)
    options = parser.parse_args()
    rows = []
    for name, mixed in MIXED.items():
        for related in RELATED:
            for n_clusters in N_CLUSTERS:
                allowed, alone = coverage(n_clusters, related, mixed, options.simulations, seed=n_clusters)
                rows.append((name, related, n_clusters, f"{allowed:.3f}", f"{alone:.3f}"))
    columns = ["groups", "between clusters", "clusters", "held, allowing for them", "held, each row a case of its own"]
    print(markdown(columns, rows))


if __name__ == "__main__":
    main()
