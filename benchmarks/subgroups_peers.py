"""Peers that look for subgroups, on the same rows and judged by the same scores.

Each peer is installed in a folder of its own name, which is put on the path while it runs, so that what it needs
besides does not meet what others need. A peer that cannot be run is a row that says why.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.common import markdown, say
from fairaudit import Condition, find_subgroups

LEAST = 0.01
"""The least share of the rows of a subgroup."""


def sliceline(frame: pd.DataFrame, y: np.ndarray) -> np.ndarray:
    """Return who is in the best slice, where the bad outcome is the error."""
    from sliceline.slicefinder import Slicefinder

    codes = frame.apply(lambda column: pd.factorize(column)[0] + 1).to_numpy()
    found = Slicefinder(alpha=0.95, k=1, max_l=3, min_sup=int(LEAST * len(y)), verbose=False).fit(codes, y)
    if not len(found.top_slices_):
        return np.zeros(len(y), dtype=bool)
    inside = np.ones(len(y), dtype=bool)
    for column, value in zip(codes.T, found.top_slices_[0], strict=True):
        if value is not None:
            inside &= column == value
    return inside


def bias_scan(frame: pd.DataFrame, y: np.ndarray) -> np.ndarray:
    """Return who is in the subset of AIF360's scan: a set of values for each of some columns."""
    from aif360.detectors.mdss_detector import bias_scan as scan

    subset, _ = scan(frame, pd.Series(y), overpredicted=False, favorable_value=1)
    inside = np.ones(len(y), dtype=bool)
    for name, values in subset.items():
        inside &= frame[name].isin(values).to_numpy()
    return inside


def humancompatible(frame: pd.DataFrame, y: np.ndarray) -> np.ndarray:
    """Return who is in the subgroup of the largest discrepancy."""
    from humancompatible.detect.detect_bias import most_biased_subgroup

    # Its `n_min` counts different rows, of which there are few here, and not people.
    rule = most_biased_subgroup(frame, pd.DataFrame({"y": y}), seed=0, verbose=0, method_kwargs={"time_limit": 60})
    inside = np.ones(len(y), dtype=bool)
    for place, part in rule:
        inside &= np.asarray(part.evaluate(frame.iloc[:, place]), dtype=bool)
    return inside


def clustering(frame: pd.DataFrame, y: np.ndarray) -> np.ndarray:
    """Return who is in the cluster that stands out most, of Algorithm Audit's clustering on indicators."""
    from unsupervised_bias_detection.cluster import BiasAwareHierarchicalKMeans

    least = max(int(LEAST * len(y)), 2)
    indicators = pd.get_dummies(frame).to_numpy(dtype=float)
    found = BiasAwareHierarchicalKMeans(50, least, n_clusters=2, random_state=0, n_init=1).fit(indicators, y)
    return np.asarray(found.labels_) == int(np.argmax(np.abs(found.scores_)))


PEERS: dict[str, tuple[str, Callable[[pd.DataFrame, np.ndarray], np.ndarray]]] = {
    "sliceline": ("sliceline", sliceline),
    "AIF360, bias scan": ("aif360", bias_scan),
    "humancompatible-detect": ("humancompatible-detect", humancompatible),
    "Algorithm Audit, clustering": ("unsupervised-bias-detection", clustering),
    "certifi-learn": ("certifi-learn", lambda frame, y: np.zeros(len(y), dtype=bool)),
}


def ours(frame: pd.DataFrame, y: np.ndarray) -> np.ndarray:
    """Return who is in our subgroup of the clearest gap, searched on all rows as peers do."""
    found = find_subgroups(
        frame.assign(outcome=y), decision="outcome", favorable=1, search_fraction=1, min_rows=int(LEAST * len(y))
    )
    return Condition.parse(found.leading("evidence")[0].condition, frame).mask(frame)


def scores(y: np.ndarray, inside: np.ndarray) -> tuple[float, float, float]:
    """Return rows x gap, gap and evidence of a subgroup."""
    n, total = int(inside.sum()), len(y)
    if not 0 < n < total:
        return 0.0, 0.0, 0.0
    gap = float(y[inside].mean() - y[~inside].mean())
    error = float(y.std()) * np.sqrt(1 / n + 1 / (total - n))
    return n * float(y[inside].mean() - y.mean()) / total, gap, gap / error


def peers(folder: Path | None, frame: pd.DataFrame, y: np.ndarray, tables: int) -> None:
    """Run all on the same rows, and on tables of shuffled outcomes; print what each finds."""
    rng = np.random.default_rng(0)
    shuffled = [rng.permutation(y) for _ in range(tables)]
    rows = [_row("ours", ours, frame, y, shuffled)]
    for name, (package, find) in PEERS.items():
        place = None if folder is None else folder / package
        if place is None or not any(place.glob("*")):
            rows.append([name, *[""] * 5, "could not be run: it is not installed"])
            continue
        sys.path.insert(0, str(place))
        try:
            rows.append(_row(name, find, frame, y, shuffled))
        except Exception as error:  # noqa: BLE001 - a row says why it could not be run
            rows.append([name, *[""] * 5, f"could not be run: {type(error).__name__}: {str(error)[:90]}"])
        finally:
            sys.path.remove(str(place))
    alarms = sum(
        find_subgroups(frame.assign(outcome=each), decision="outcome", favorable=1).n_standing_out > 0
        for each in shuffled
    )
    header = ["tool", "seconds", "rows", "rows x gap", "gap", "evidence", "names a subgroup in shuffled outcomes"]
    say(markdown(header, rows))
    say(f"\nOurs with its judging half: something stands out in {alarms} of {tables} tables of shuffled outcomes.")


def _row(
    name: str,
    find: Callable[[pd.DataFrame, np.ndarray], np.ndarray],
    frame: pd.DataFrame,
    y: np.ndarray,
    shuffled: list[np.ndarray],
) -> list[object]:
    start = time.perf_counter()
    inside = find(frame, y)
    seconds = time.perf_counter() - start
    people, gap, evidence = scores(y, inside)
    named = sum(0 < find(frame, each).sum() < len(y) for each in shuffled)
    figures = [f"{seconds:.2f}", int(inside.sum()), f"{people:.4f}", f"{gap:.3f}", f"{evidence:.2f}"]
    return [name, *figures, f"{named} of {len(shuffled)}"]
