"""Brute-force answers to compare with: slow, short and written from the definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np


def rate(top: float, bottom: float) -> float:
    """Divide, undefined for nothing."""
    return top / bottom if bottom else math.nan


def metrics(y: Sequence[int], h: Sequence[int]) -> dict[str, float]:
    """Count the rates of one group row by row."""
    pairs = list(zip(y, h, strict=True))
    tp, fp = pairs.count((1, 1)), pairs.count((0, 1))
    tn, fn = pairs.count((0, 0)), pairs.count((1, 0))
    n = len(pairs)
    return {
        "n": n,
        "base_rate": rate(sum(y), n),
        "selection_rate": rate(sum(h), n),
        "accuracy": rate(sum(a == b for a, b in pairs), n),
        "tpr": rate(tp, tp + fn),
        "fpr": rate(fp, fp + tn),
        "tnr": rate(tn, fp + tn),
        "fnr": rate(fn, tp + fn),
        "ppv": rate(tp, tp + fp),
        "npv": rate(tn, tn + fn),
        "fdr": rate(fp, tp + fp),
        "for_": rate(fn, tn + fn),
    }


def wilson(k: int, n: int, z: float) -> tuple[float, float]:
    """Solve |k/n - p| = z sqrt(p (1 - p) / n) for p."""
    a, b, c = 1 + z * z / n, -(2 * k / n + z * z / n), (k / n) ** 2
    root = math.sqrt(max(b * b - 4 * a * c, 0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def didi(y: Sequence, groups: Sequence, task: str) -> float:
    """Sum the gaps of DIDI cell by cell."""
    total = 0.0
    for group in set(groups):
        inside = [label for label, g in zip(y, groups, strict=True) if g == group]
        if task == "regression":
            total += abs(sum(inside) / len(inside) - sum(y) / len(y))
        else:
            total += sum(abs(list(y).count(c) / len(y) - inside.count(c) / len(inside)) for c in set(y))
    return total


def dtdi(x: np.ndarray, y: Sequence, groups: Sequence, k: int, task: str) -> tuple[float, dict]:
    """Sum the gaps of DTDI over all rows j; all rows tied with the k-th neighbour count. `x` is used as it is."""
    total, alone = 0.0, dict.fromkeys(set(groups), 0)
    for j in range(len(y)):
        distance = np.sqrt(((x - x[j]) ** 2).sum(axis=1))
        near = np.flatnonzero(distance <= np.sort(distance)[k - 1] + 1e-6).tolist()
        for group in alone:
            inside = [i for i in near if groups[i] == group]
            if not inside:
                alone[group] += 1
            elif task == "regression":
                total += float(abs(np.mean([y[i] for i in near]) - np.mean([y[i] for i in inside])))
            else:
                for c in set(y):
                    total += float(abs(np.mean([y[i] == c for i in near]) - np.mean([y[i] == c for i in inside])))
    return total, alone


def auc(scores: Sequence[float], labels: Sequence[int]) -> float:
    """Compare every positive with every negative."""
    pos = [s for s, t in zip(scores, labels, strict=True) if t]
    neg = [s for s, t in zip(scores, labels, strict=True) if not t]
    wins = sum((p > q) + (p == q) / 2 for p in pos for q in neg)
    return rate(wins, len(pos) * len(neg))


def delong_variance(scores: Sequence[float], labels: Sequence[int]) -> float:
    """Compute DeLong's variance from all pairs."""
    pos = np.array([s for s, t in zip(scores, labels, strict=True) if t], dtype=float)
    neg = np.array([s for s, t in zip(scores, labels, strict=True) if not t], dtype=float)
    wins = (pos[:, None] > neg) + (pos[:, None] == neg) / 2
    return wins.mean(axis=1).var(ddof=1) / len(pos) + wins.mean(axis=0).var(ddof=1) / len(neg)


def mantel_haenszel(tables: Sequence[tuple[int, int, int, int]]) -> dict[str, float]:
    """Sum over strata of (positives_p, n_p, positives_r, n_r)."""
    num = den = observed = expected = variance = weight = gap = 0.0
    for a, n1, c, n0 in tables:
        n, m = n1 + n0, a + c
        num += a * (n0 - c) / n
        den += (n1 - a) * c / n
        observed += a
        expected += n1 * m / n
        variance += n1 * n0 * m * (n - m) / (n * n * (n - 1))
        weight += n1 * n0 / n
        gap += (a / n1 - c / n0) * n1 * n0 / n
    delta = abs(observed - expected)
    return {
        "odds_ratio": rate(num, den),
        "cmh": rate(delta**2, variance),
        "cmh_corrected": rate(max(delta - 0.5, 0) ** 2, variance),
        "difference": rate(gap, weight),
    }


def constrained_thresholds(
    x: Sequence[float], y: Sequence[int], weights: Sequence[float]
) -> tuple[float, int, list[int]]:
    """Try every rule "x is at least t", and its opposite; return the t, the side and the predictions that weigh most.

    The weighted accuracy of each is added up from the definition, row by row; of equally good ones the first counts.
    """
    best: tuple[float, float, int, list[int]] = (-math.inf, 0.0, 1, [])
    for t in [*sorted(set(x)), math.inf]:
        for side in (1, -1):
            h = [int((value >= t) == (side == 1)) for value in x]
            right = sum(w for w, a, b in zip(weights, h, y, strict=True) if a == b)
            if right > best[0] + 1e-9:
                best = (right, t, side, h)
    return best[1:]
