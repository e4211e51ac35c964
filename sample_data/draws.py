"""Random draws that come out the same everywhere: all made from uniform numbers of one seeded generator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri


class Draws:
    """A seeded source of random columns.

    Only ``Generator.random`` is used, whose stream is stable between releases of NumPy; all else is computed from it.

    Parameters
    ----------
    seed : int
        The same seed gives the same columns.
    """

    def __init__(self, seed: int):
        self._generator = np.random.Generator(np.random.PCG64(seed))

    def uniform(self, n: int, low: float = 0.0, high: float = 1.0) -> np.ndarray:
        """Return `n` numbers spread evenly between `low` and `high`."""
        return low + (high - low) * self._generator.random(n)

    def normal(self, n: int, mean: float = 0.0, sd: float = 1.0) -> np.ndarray:
        """Return `n` numbers of the normal distribution."""
        return mean + sd * ndtri(np.clip(self._generator.random(n), 1e-12, 1 - 1e-12))

    def logistic(self, n: int) -> np.ndarray:
        """Return `n` numbers of the standard logistic distribution."""
        u = np.clip(self._generator.random(n), 1e-12, 1 - 1e-12)
        return np.log(u) - np.log1p(-u)

    def flag(self, probability: np.ndarray | float, n: int) -> np.ndarray:
        """Return `n` booleans, each True with its probability."""
        return self._generator.random(n) < probability

    def pick(self, shares: dict[str, float], n: int) -> np.ndarray:
        """Return `n` names drawn in proportion to their shares."""
        edges = np.cumsum(list(shares.values()))
        place = np.searchsorted(edges / edges[-1], self._generator.random(n), side="right")
        return np.array(list(shares), dtype=object)[place]

    def order(self, n: int) -> np.ndarray:
        """Return the numbers 0 to n - 1 in a random order."""
        return np.argsort(self._generator.random(n), kind="stable")


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + exp(-x))."""
    return 1.0 / (1.0 + np.exp(-x))


def effect(values: np.ndarray, effects: dict[str, float]) -> np.ndarray:
    """Return the effect of each value, 0 for a value that has none."""
    return np.array([effects.get(value, 0.0) for value in values])


def blank(values: Sequence[object], where: np.ndarray, code: str = "") -> list[object]:
    """Return the values with `code` put in their place where `where` is True."""
    return [code if gone else value for value, gone in zip(values, where, strict=True)]
