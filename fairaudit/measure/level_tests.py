"""Two groups over several levels, from counts: which is placed better, and whether the shares differ at all.

=======  =====================================================================================
``x``    Counts of the protected group by level, the best first.
``y``    Those of everyone else.
``p``    The chance that one of ``x`` is placed better than one of ``y``, ties counting half.
=======  =====================================================================================

A stratum is a pair of ``x`` and ``y``; those without a group are left out by who calls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from fairaudit.defaults import ENOUGH
from fairaudit.measure.intervals import Floats
from fairaudit.measure.results import Interval

UNDEFINED: Final = Interval(math.nan, math.nan)
SPARSE_BELOW: Final = 5
"""Expected people in a cell below which a test deals levels out at random."""
DEALS: Final = 9_999
"""How often it does."""
ADDED: Final = 2.0
"""People added to each group for intervals, spread evenly over strata and levels: no variance is then 0."""

Stratum = tuple[ArrayLike, ArrayLike]


@dataclass(frozen=True)
class RelativeEffect:
    """How often one group is placed better than another.

    Parameters
    ----------
    value : float
        `p`, from 0 to 1; NaN where a group has nobody.
    variance : float
        Of it; NaN where a group has one person.
    freedom : float
        Degrees of freedom of the variance.
    """

    value: float
    variance: float
    freedom: float

    def interval(self, confidence: float) -> Interval:
        """Return the interval of `p` by Student's t."""
        if not math.isfinite(self.variance):
            return UNDEFINED
        half = float(special.stdtrit(self.freedom, (1 + confidence) / 2)) * math.sqrt(self.variance)
        return Interval(max(self.value - half, 0.0), min(self.value + half, 1.0))

    @property
    def p_value(self) -> float:
        """Two-sided p-value of `p` = 1/2; NaN where the variance is 0 or not known."""
        if not self.variance > 0:
            return math.nan
        return float(2 * special.stdtr(self.freedom, -abs(self.value - 0.5) / math.sqrt(self.variance)))


def relative_effect(strata: Sequence[Stratum], *, added: float = 0.0) -> RelativeEffect:
    """Return the chance of being placed better than one of the other group in the same stratum.

    With one stratum, value and variance are Brunner and Munzel's. Strata weigh ``n m / (n + m)``, as in
    Mantel-Haenszel's common gap; those with fewer than 10 people of a group share one variance of placements. `added`
    people of each group are spread evenly over strata and levels that occur; for intervals that hold where levels are
    rare, add 2, as Agresti and Caffo do for two shares.

    References
    ----------
    Brunner and Munzel (2000), "The nonparametric Behrens-Fisher problem"; Agresti and Caffo (2000), "Simple and
    effective confidence intervals for proportions and differences of proportions".

    Examples
    --------
    >>> found = relative_effect([([1, 2, 3], [3, 2, 1])])
    >>> round(found.value, 3), round(found.p_value, 3)
    (0.278, 0.172)
    """
    counts = _counts(strata)
    if not len(counts):
        return RelativeEffect(math.nan, math.nan, 0.0)
    occurs = counts.sum(axis=(0, 1)) > 0
    counts = counts + added / len(counts) * occurs / occurs.sum()
    sizes = counts.sum(axis=2)
    values, squares = _placements(counts)
    small = sizes.min(axis=1) < ENOUGH
    free = np.maximum(sizes - 1, 0)
    if free.sum(axis=0).min() <= 0:
        return RelativeEffect(float(_weights(sizes) @ values), math.nan, 0.0)
    pooled = squares[small].sum(axis=0) / np.maximum(free[small].sum(axis=0), 1)
    spread = np.where(small[:, None], pooled, squares / np.where(free > 0, free, 1)) / sizes
    weights = _weights(sizes)
    parts = (weights**2) @ spread
    variance = float(parts.sum())
    # Satterthwaite: one estimate of the variance a group
    freedom = variance**2 / float((parts**2 / free.sum(axis=0)).sum()) if variance else float(free.sum())
    return RelativeEffect(float(weights @ values), variance, freedom)


def score_test(strata: Sequence[Stratum]) -> float:
    """Test whether one group is placed better than the other inside strata; return the two-sided p-value.

    The score test by midranks, as of Wilcoxon, Mann and Whitney; strata weigh as in :func:`relative_effect`. Where
    levels are rare, levels are dealt out at random, as in :func:`association`.

    References
    ----------
    Mann and Whitney (1947); van Elteren (1960) for strata.

    Examples
    --------
    >>> print(f"{score_test([([30, 20, 10], [10, 20, 30])]):.6f}")
    0.000008
    """
    counts = _counts(strata)
    if not len(counts):
        return math.nan
    sizes, levels = counts.sum(axis=2), counts.sum(axis=1)
    n_all = sizes.sum(axis=1)
    # sum of x times midrank, from 1 for the worst to N, is n m p and a constant
    midranks = n_all[:, None] - np.cumsum(levels, axis=1) + (levels + 1) / 2
    scores = _weights(sizes)[:, None] * midranks / sizes.prod(axis=1)[:, None]
    middle = (scores * levels).sum(axis=1) * sizes[:, 0] / n_all
    around = (scores**2 * levels).sum(axis=1) / n_all - ((scores * levels).sum(axis=1) / n_all) ** 2
    variance = float((sizes.prod(axis=1) / np.maximum(n_all - 1, 1) * around).sum())
    if variance <= 1e-15 * float((scores**2 * levels).sum()):
        return math.nan

    def distance(sums: Floats) -> Floats:
        return (sums[..., 0] - middle.sum()) ** 2 / variance

    found = float(distance((counts[:, 0] * scores).sum(keepdims=True)[0]))
    if _is_sparse(counts):
        return _dealt(counts, scores[:, :, None], distance, found)
    return float(special.chdtrc(1, found))


def association(strata: Sequence[Stratum]) -> tuple[float, int, float]:
    """Test whether two groups get all levels equally often inside strata; return statistic, freedom and p-value.

    The generalised Cochran-Mantel-Haenszel test; with one stratum it is Pearson's chi-square by ``(N - 1) / N``. Where
    fewer than 5 people are expected in a cell over all strata, its p-value is the share of random deals, with all
    totals as they are, whose statistic is no smaller.

    References
    ----------
    Landis, Heyman and Koch (1978), "Average partial association in three-way contingency tables".

    Examples
    --------
    >>> statistic, freedom, p_value = association([([30, 20, 10], [10, 20, 30])])
    >>> round(statistic, 2), freedom, round(p_value, 5)
    (19.83, 2, 5e-05)
    """
    counts = _counts(strata)
    if not len(counts):
        return math.nan, 0, math.nan
    sizes, levels = counts.sum(axis=2), counts.sum(axis=1)
    n_all = sizes.sum(axis=1)
    expected = (sizes[:, :1] * levels / n_all[:, None]).sum(axis=0)
    # hypergeometric covariance of the protected group's counts
    covariance = np.zeros((levels.shape[1],) * 2)
    for share, pairs, n in zip(levels / n_all[:, None], sizes.prod(axis=1), n_all, strict=True):
        covariance += pairs / max(n - 1, 1) * (np.diag(share) - np.outer(share, share))
    inverse = np.linalg.pinv(covariance, hermitian=True)
    freedom = int(np.linalg.matrix_rank(covariance, hermitian=True))
    if not freedom:
        return math.nan, 0, math.nan

    def distance(sums: Floats) -> Floats:
        moved = sums - expected
        return np.einsum("...i,ij,...j->...", moved, inverse, moved)

    found = float(distance(counts[:, 0].sum(axis=0)))
    if _is_sparse(counts):
        alike = np.broadcast_to(np.eye(len(expected)), (len(counts), *covariance.shape))
        return found, freedom, _dealt(counts, alike, distance, found)
    return found, freedom, float(special.chdtrc(freedom, found))


def _counts(strata: Sequence[Stratum]) -> Floats:
    """Return counts of the strata with both groups, of shape (n_strata, 2, n_levels)."""
    counts = np.array([(x, y) for x, y in strata], dtype=float)
    return counts[(counts.sum(axis=2) > 0).all(axis=1)] if len(counts) else np.zeros((0, 2, 1))


def _weights(sizes: Floats) -> Floats:
    """Return the weights of strata, whose sum is 1. Shapes: `sizes` (n_strata, 2)."""
    weights = sizes.prod(axis=1) / sizes.sum(axis=1)
    return weights / weights.sum()


def _placements(counts: Floats) -> tuple[Floats, Floats]:
    """Return p, and the sums of squares of the placements of both groups around their means, by stratum."""
    sizes = counts.sum(axis=2)
    # share of the other group placed worse than each level, ties half
    worse = (sizes[:, :, None] - np.cumsum(counts, axis=2) + counts / 2) / sizes[:, :, None]
    of_each = worse[:, ::-1]
    means = (counts * of_each).sum(axis=2) / sizes
    return means[:, 0], (counts * (of_each - means[:, :, None]) ** 2).sum(axis=2)


def _is_sparse(counts: Floats) -> bool:
    """Say whether fewer than 5 people of a group are expected at a level that occurs, over all strata."""
    sizes, levels = counts.sum(axis=2), counts.sum(axis=1)
    expected = np.einsum("sg,sk->gk", sizes / sizes.sum(axis=1, keepdims=True), levels)
    return bool(expected[:, levels.sum(axis=0) > 0].min() < SPARSE_BELOW)


def _dealt(counts: Floats, scores: Floats, distance: Callable[[Floats], Floats], found: float) -> float:
    """Return the share of random deals of levels inside strata that are as far as what was found.

    Shapes: `scores` (n_strata, n_levels, d), by which `distance` has the sums over the protected group.
    """
    random, sums = np.random.default_rng(0), np.zeros((DEALS, scores.shape[2]))
    for levels, n, own in zip(counts.sum(axis=1), counts[:, 0].sum(axis=1), scores, strict=True):
        sums += random.multivariate_hypergeometric(levels.astype(int), int(n), size=DEALS) @ own
    # what was found is one of the deals
    return float((1 + (distance(sums) >= found * (1 - 1e-9)).sum()) / (DEALS + 1))
