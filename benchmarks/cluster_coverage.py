"""How often intervals of a gap hold the gap, in simulated decisions, where rows are not all alike.

Rows may belong to one officer or school, or be a weighted sample whose strata are held equal.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
from scipy import stats

from benchmarks.common import markdown
from fairaudit.columns import SurveyDesign
from fairaudit.measure import clusters
from fairaudit.measure.comparison import compare_counts
from fairaudit.measure.strata import WeightedCommonGap
from fairaudit.measure.weighted import Drawn, sampled_shares

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


N_STRATA = 20
CELLS = (1, 2, 4, 10)
"""Rows of each group in a stratum."""
SHARES = {"half": (0.5, 0.5), "a tenth": (0.1, 0.1), "between .3 and .7": (0.3, 0.7), "between .1 and .9": (0.1, 0.9)}
"""Shares of good outcomes in the strata: evenly spread between these."""
WEIGHTS = {"alike": np.inf, "unlike": 4.0}
"""The shape of the gamma distribution of weights; infinite where all weigh the same."""


def counted_sample(rng: np.random.Generator, n: int, shares: tuple[float, float], shape: float) -> pd.DataFrame:
    """Draw a sample with `n` rows of both groups in each stratum, and count it by group and stratum."""
    stratum, sex = (each.ravel() for each in np.indices((N_STRATA, 2, n))[:2])
    size = len(stratum)
    w = np.ones(size) if np.isinf(shape) else rng.gamma(shape, 1, size)
    y = (rng.random(size) < np.linspace(*shares, N_STRATA)[stratum]).astype(float)
    sums = {"n": 1, "w": w, "wy": w * y, "w2": w**2, "w2y": w**2 * y, "w2yy": w**2 * y}
    return pd.DataFrame({"stratum": stratum, "sex": sex, **sums}).groupby(["stratum", "sex"], as_index=False).sum()


def coverage_of_strata(n: int, shares: tuple[float, float], shape: float, n_samples: int, seed: int) -> float:
    """Return how often the interval of a common gap holds 0, with no gap in any stratum."""
    rng, held = np.random.default_rng(seed), 0
    drawn = Drawn(SurveyDesign("w"), pd.Series([2 * n * N_STRATA]))
    for _ in range(n_samples):
        counts = counted_sample(rng, n, shares, shape)
        in_group = [(counts["sex"] == sex).to_numpy() for sex in (0, 1)]
        strata = [
            (here & in_group[0], here & in_group[1]) for here in np.eye(N_STRATA, dtype=bool)[counts["stratum"]].T
        ]
        samples = [sampled_shares(counts, *pair, drawn) for pair in strata]
        low, high = WeightedCommonGap.of(counts, strata, samples, drawn).interval(0.95)
        held += low <= 0 <= high
    return held / n_samples


def print_strata(n_samples: int) -> None:
    """Print how often intervals of a common gap hold it, with the range of 99.9 % of such simulations at .95."""
    rows = [
        (name, weights, n, f"{coverage_of_strata(n, shares, shape, n_samples, seed=n):.3f}")
        for name, shares in SHARES.items()
        for weights, shape in WEIGHTS.items()
        for n in CELLS
    ]
    low, high = stats.binom.interval(0.999, n_samples, 0.95)
    print(markdown(["shares of strata", "weights", "rows of a group in a stratum", "held"], rows))
    print(f"Of {n_samples:,}, {low:.0f} to {high:.0f} are {low / n_samples:.3f} to {high / n_samples:.3f}.")


def main() -> None:
    """Print the tables of coverage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=2_000)
    parser.add_argument("--part", choices=("clusters", "strata"))
    options = parser.parse_args()
    if options.part != "clusters":
        print_strata(options.simulations)
    if options.part == "strata":
        return
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
