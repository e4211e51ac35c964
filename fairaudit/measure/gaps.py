"""How far apart the groups are on each rate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE
from fairaudit.errors import InputError
from fairaudit.measure.intervals import newcombe
from fairaudit.measure.rates import PARTS, metrics_from_counts, parts_of

COMBINED = {"equalized_odds": ("tpr", "fpr"), "predictive_parity": ("fdr", "for_")}
"""Gaps over two rates at once."""

COLUMNS = ["metric", "difference", "ratio", "worst_pair", "n_undefined"]


def group_gaps(metrics: pd.DataFrame) -> pd.DataFrame:
    """Compute the largest gap between groups on each rate.

    ``difference`` is max - min and ``ratio`` is min / max over the groups where the rate is defined.
    ``equalized_odds`` takes the larger difference and the smaller ratio of tpr and fpr, ``predictive_parity`` those of
    fdr and ``for_`` (equal false discovery and false omission rates).

    Parameters
    ----------
    metrics : DataFrame
        From :func:`group_metrics`; a further column ``average_error_cost`` is compared too.

    Returns
    -------
    DataFrame
        One row a rate: ``metric, difference, ratio, worst_pair, n_undefined``; also indexed by the rate's name.
        ``worst_pair`` holds the groups with the highest and the lowest rate, ``n_undefined`` counts the groups that
        were left out.

    Raises
    ------
    InputError
        If there is no rate in the frame.

    Notes
    -----
    With fewer than two groups where a rate is defined there is no gap: NaN, and None for the pair. Where the highest
    rate is 0 the ratio is NaN. A combined gap is NaN when one of its two is.

    Examples
    --------
    >>> from fairaudit.measure import group_metrics
    >>> metrics = group_metrics([1, 1, 0, 1], [1, 1, 0, 0], sensitive_features=list("aabb"))
    >>> group_gaps(metrics).loc["selection_rate", "worst_pair"]
    ('a', 'b')
    """
    names = [name for name in (*PARTS, "average_error_cost") if name in metrics]
    if not names:
        raise InputError(f"'metrics' must have at least one of the columns {', '.join(PARTS)}.")
    records = [_gap(name, metrics[name]) for name in names]
    found = {record["metric"]: record for record in records}
    for name, parts in COMBINED.items():
        if all(part in found for part in parts):
            undefined = int(metrics[list(parts)].isna().any(axis=1).sum())
            records.append(_combined(name, [found[part] for part in parts], undefined))
    frame = pd.DataFrame.from_records(records, columns=COLUMNS)
    frame.index = pd.Index(frame["metric"].to_list())
    return frame


def gaps_from_counts(
    counts: pd.DataFrame, *, confidence: float = USUAL_CONFIDENCE, min_count: float = ENOUGH
) -> pd.DataFrame:
    """Compute the largest gap between groups on each rate, its interval and the rows behind it.

    As :func:`group_gaps`, but a rate that is a share of fewer than `min_count` rows is left out.

    Columns: low, high.

    Notes
    -----
    A combined gap is no plain share: its interval and rows are NaN. The interval is that of a pair named in advance;
    of many groups the largest gap is larger by chance alone.

    Examples
    --------
    >>> counts = pd.DataFrame({"group": ["a", "b", "c"], "tp": [40, 30, 1], "fp": 0, "tn": 0, "fn": [10, 20, 4]})
    >>> gap = gaps_from_counts(counts).loc["tpr"]
    >>> print(f"{gap['difference']:.2f} {gap['low']:.2f} {gap['high']:.2f} {gap['n_high']:.0f} {gap['n_few']}")
    0.20 0.02 0.36 50 1
    """
    metrics = metrics_from_counts(counts)
    sizes = pd.DataFrame({name: parts_of(name, counts)[1] for name in PARTS}, index=metrics.index)
    few = (sizes > 0) & (sizes < min_count)
    gaps = group_gaps(metrics[list(PARTS)].mask(few))
    n_few = [int(np.any([few[rate] for rate in COMBINED.get(name, (name,))], axis=0).sum()) for name in gaps["metric"]]
    cells = counts.set_index("group")
    pairs = pd.DataFrame([_pair(row, cells, confidence) for row in gaps.itertuples()], index=gaps.index)
    gaps = gaps.join(pairs).assign(n_few=n_few)
    return gaps.assign(n_undefined=gaps["n_undefined"] - gaps["n_few"])


def _pair(gap: Any, cells: pd.DataFrame, confidence: float) -> dict[str, float]:
    if gap.metric not in PARTS or gap.worst_pair is None:
        return dict.fromkeys(("low", "high", "n_high", "n_low"), np.nan)
    k, n = parts_of(gap.metric, cells.loc[list(gap.worst_pair)])
    low, high = newcombe(k[0], n[0], k[1], n[1], confidence)
    return {"low": float(low), "high": float(high), "n_high": float(n[0]), "n_low": float(n[1])}


def _gap(name: str, rates: pd.Series) -> dict[str, Any]:
    known = rates.dropna()
    record = {"metric": name, "n_undefined": len(rates) - len(known)}
    if len(known) < 2:
        return record | {"difference": np.nan, "ratio": np.nan, "worst_pair": None}
    high, low = int(known.to_numpy().argmax()), int(known.to_numpy().argmin())
    if high == low:
        low = 1 if high == 0 else 0
    top, bottom = float(known.iloc[high]), float(known.iloc[low])
    return record | {
        "difference": top - bottom,
        "ratio": bottom / top if top else np.nan,
        "worst_pair": (known.index[high], known.index[low]),
    }


def _combined(name: str, parts: list[dict[str, Any]], undefined: int) -> dict[str, Any]:
    differences, ratios = [p["difference"] for p in parts], [p["ratio"] for p in parts]
    known = not np.isnan(differences).any()
    return {
        "metric": name,
        "difference": max(differences) if known else np.nan,
        "ratio": np.nan if np.isnan(ratios).any() else min(ratios),
        "worst_pair": parts[int(np.argmax(differences))]["worst_pair"] if known else None,
        "n_undefined": undefined,
    }
