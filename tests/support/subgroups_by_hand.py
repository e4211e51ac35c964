"""Subgroups counted one by one, with pandas, and small tables to search."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pandas as pd

LEAST_SHARE = 0.01


def made_table(seed: int, *, rows: int = 300, amounts: bool = False, numbers: bool = False) -> pd.DataFrame:
    """Make a table with three or four columns of a few values, some of them missing; one may be of few numbers."""
    rng = np.random.default_rng(seed)
    n_columns = int(rng.integers(3, 5))
    columns = {}
    for place in range(n_columns):
        values = [f"{chr(97 + place)}{level}" for level in range(int(rng.integers(2, 5)))]
        columns[f"c{place}"] = rng.choice(values, rows)
    frame = pd.DataFrame(columns)
    if seed % 2:
        frame.loc[rng.random(rows) < 0.1, "c0"] = None
    tilt = rng.normal(0, 0.2, 4)[rng.integers(0, 4, rows)] + 0.2 * (frame["c1"] == "b0")
    if amounts:
        frame["y"] = np.round(rng.lognormal(3, 0.6, rows) * (1 + tilt), 1)
    else:
        frame["y"] = (rng.random(rows) < 0.4 + tilt).astype(int)
    if numbers:
        frame[f"c{n_columns - 1}"] = rng.integers(0, 2 + seed % 4, rows)
    return frame


def conditions_on(series: pd.Series, joined: int) -> list[pd.Series]:
    """Return all conditions on a column of texts, or of few numbers, as masks."""
    values = sorted(series.dropna().unique())
    if pd.api.types.is_numeric_dtype(series):
        cuts = [mask for cut in values[:-1] for mask in (series <= cut, series > cut)]
        return [series == value for value in values] + [mask for mask in cuts if series[mask].nunique() > 1]
    sizes = range(1, min(joined, len(values) - 1) + 1) if len(values) <= 6 else (1,)
    masks = [series.isin(each) for size in sizes for each in combinations(values, size)]
    return [*masks, series.isna()] if series.isna().any() else masks


def best_scores(
    frame: pd.DataFrame, *, min_rows: int, max_conditions: int, joined: int = 2, protected: tuple[str, ...] = ()
) -> tuple[dict[str, float], int]:
    """Return the best score of each ranking, in either direction, and how many subgroups are large enough."""
    y, n_all = frame["y"].to_numpy(dtype=float), len(frame)
    deviation, mean = y.std(), y.mean()
    shares = bool(np.isin(y, (0, 1)).all())
    few = math.ceil(5 / min(mean, 1 - mean)) if shares else 30
    columns = [name for name in frame if name != "y"]
    on = {name: [mask.to_numpy() for mask in conditions_on(frame[name], joined)] for name in columns}
    best, considered = {"people": 0.0, "gap": 0.0, "evidence": 0.0}, 0
    for size in range(1, max_conditions + 1):
        for chosen in combinations(columns, size):
            if protected and not set(protected) & set(chosen):
                continue
            for masks in product(*(on[name] for name in chosen)):
                inside = np.logical_and.reduce(masks)
                n = int(inside.sum())
                if n < min_rows or n == n_all:
                    continue
                considered += 1
                gap = y[inside].mean() - y[~inside].mean()
                best["people"] = max(best["people"], abs(n * (y[inside].mean() - mean)) / n_all)
                if n >= LEAST_SHARE * n_all:
                    best["gap"] = max(best["gap"], abs(gap))
                if n >= few:
                    error = deviation * math.sqrt(1 / n + 1 / (n_all - n))
                    best["evidence"] = max(best["evidence"], abs(gap) / error)
    return best, considered
