"""What chance shows where amounts are dealt out at random: a few rows of skewed amounts do not follow Student's t."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

STEPS: Final = 200
"""Newton steps at most; a dozen do."""

NEAR: Final = 1e-3
"""Closer to the middle than this, in standard deviations, the formula divides zero by zero; there, p is a half."""

CLOSE: Final = 1e-9
"""So little of all rows may be missing from the sums at the saddlepoint."""


def dealt_p_value(value: Floats, n: NDArray[np.int64], inside: NDArray[np.bool_], sign: int) -> float:
    """Return how often a subgroup of as many rows, drawn at random, has a mean as high (sign 1) or as low (-1).

    Shapes: all (n_cells,); `n` counts rows with this value. The permutation distribution of the sum, by a double
    saddlepoint approximation: a row belongs to the subgroup with chance ``rows / all``, given that so many do.

    References
    ----------
    Robinson (1982), "Saddlepoint approximations for permutation tests and confidence intervals"; Skovgaard (1987),
    "Saddlepoint expansions for conditional distributions".
    """
    rows, drawn = float(n.sum()), float(n[inside].sum())
    x = sign * (value - float((n * value).sum()) / rows)
    spread = math.sqrt(float((n * x**2).sum()) / rows)
    if not 0 < drawn < rows or not spread:
        return math.nan
    x, share = x / spread, drawn / rows
    total, among = float((n * x)[inside].sum()), rows * share * (1 - share)
    away = total / math.sqrt(among)
    if abs(away) < NEAR:
        return 0.5
    if away < 0:
        return 1 - dealt_p_value(value, n, inside, -sign)
    at, height, slope, curve = np.zeros(2), *_tilted(np.zeros(2), x, n, share, drawn, total)
    for _ in range(STEPS):
        if np.abs(slope).max() < CLOSE * rows:
            break
        step, size = np.linalg.solve(curve + np.eye(2) * 1e-12, slope), 1.0
        while size > CLOSE and not _tilted(at - size * step, x, n, share, drawn, total)[0] < height:
            size /= 2
        at = at - size * step
        height, slope, curve = _tilted(at, x, n, share, drawn, total)
    w = math.sqrt(max(-2 * height, 0.0))
    v = at[1] * math.sqrt(max(float(np.linalg.det(curve)), 0.0) / among)
    if not (w > 0 and v > 0):
        return 0.0
    tail = special.ndtr(-w) + math.exp(-(w**2) / 2) / math.sqrt(2 * math.pi) * (1 / v - 1 / w)
    return float(min(max(tail, 0.0), 1.0))


def _tilted(
    at: Floats, x: Floats, n: NDArray[np.int64], share: float, drawn: float, total: float
) -> tuple[float, Floats, Floats]:
    """Return K(u, t) - u m - t s, which the saddlepoint makes least, with its gradient and its curvature.

    K = sum of n log(1 - share + share exp(u + t x)), for rows that are in the subgroup each with the same share.
    """
    logit = math.log(share / (1 - share)) + at[0] + at[1] * x
    grown = np.logaddexp(0.0, logit) + math.log1p(-share)
    chance = special.expit(logit)
    height = float((n * grown).sum()) - at[0] * drawn - at[1] * total
    slope = np.array([(n * chance).sum() - drawn, (n * chance * x).sum() - total])
    both = n * chance * (1 - chance)
    cross = (both * x).sum()
    return height, slope, np.array([[both.sum(), cross], [cross, (both * x**2).sum()]])
