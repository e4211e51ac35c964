"""Error rates of a prediction by group, and the gaps between groups.

Everything comes from one small table of counts: ``tp, fp, tn, fn`` for each group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE
from fairaudit.errors import InputError
from fairaudit.measure.grouping import as_pandas, group_rows
from fairaudit.measure.intervals import newcombe, ratio
from fairaudit.measure.weighted_shares import WeightedShares

CELLS = ("tp", "fp", "tn", "fn")

PARTS = {
    "base_rate": (("tp", "fn"), CELLS),
    "selection_rate": (("tp", "fp"), CELLS),
    "accuracy": (("tp", "tn"), CELLS),
    "tpr": (("tp",), ("tp", "fn")),
    "fpr": (("fp",), ("fp", "tn")),
    "tnr": (("tn",), ("fp", "tn")),
    "fnr": (("fn",), ("tp", "fn")),
    "ppv": (("tp",), ("tp", "fp")),
    "npv": (("tn",), ("tn", "fn")),
    "fdr": (("fp",), ("tp", "fp")),
    "for_": (("fn",), ("tn", "fn")),
}
"""The cells that each rate divides: numerator and denominator."""

METRIC_PARTS = {name: parts for name, parts in PARTS.items() if name != "base_rate"}
METRIC_PARTS |= {"demographic_parity": PARTS["selection_rate"], "error_rate": (("fp", "fn"), CELLS)}
"""The same of the metrics of constraints that are shares."""


def group_metrics(
    y_true: object,
    y_pred: object,
    *,
    sensitive_features: object,
    sample_weight: object = None,
    pos_label: object = None,
) -> pd.DataFrame:
    """Compute the error rates of a prediction in each group.

    With label y and prediction h, 1 for the positive outcome: ``base_rate`` P(y=1), ``selection_rate`` P(h=1),
    ``accuracy`` P(h=y), ``tpr`` P(h=1|y=1), ``fpr`` P(h=1|y=0), ``tnr`` P(h=0|y=0), ``fnr`` P(h=0|y=1), ``ppv``
    P(y=1|h=1), ``npv`` P(y=0|h=0), ``fdr`` P(y=0|h=1), ``for_`` P(y=1|h=0). For a table too large to hold use
    :func:`fairaudit.measure.check_errors`.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        Labels and predictions: bool, 0 and 1, or two texts, of which the second in order is positive.
    sensitive_features : Series, DataFrame, array, list or None
        One value, or one row of values, a row. Several columns are crossed. Rows without a value form the group
        ``"missing"``. None means one group.
    sample_weight : array_like of float, shape (n,), optional
        Weights of the rows, 0 or above.
    pos_label : value, optional
        The label that is positive, whatever the labels are.

    Returns
    -------
    DataFrame
        One row a group, in ascending order: ``n`` (rows, whatever their weight) and the eleven rates. The index holds
        the values; it is a MultiIndex where there are several columns.

    Raises
    ------
    InputError
        If lengths differ, a label is missing, there are more than two, or a weight is negative.

    Notes
    -----
    A rate whose denominator is empty is NaN, never 0. O(n).

    Examples
    --------
    >>> group_metrics([1, 0, 1, 1], [1, 1, 0, 1], sensitive_features=list("aabb"))[["n", "tpr", "fpr"]]
           n  tpr  fpr
    group
    a      2  1.0  1.0
    b      2  0.5  NaN
    """
    y_true, y_pred = as_positive(y_true, y_pred, pos_label)
    label, prediction = binary_labels(y_true, "y_true"), binary_labels(y_pred, "y_pred")
    if len(label) != len(prediction):
        raise InputError(f"'y_pred' must have {len(label):,} rows like 'y_true', got {len(prediction):,}.")
    if len(label) == 0:
        raise InputError("'y_true' must have at least one row, got 0.")
    weights = None if sample_weight is None else _weights(sample_weight, len(label))
    grouping = group_rows(sensitive_features, len(label))
    codes = grouping.codes * 4 + label * 2 + prediction
    cells = np.bincount(codes, weights=weights, minlength=grouping.n_groups * 4).reshape(-1, 4)
    counts = pd.DataFrame(cells, columns=["tn", "fp", "fn", "tp"], index=grouping.index())
    if weights is not None:
        counts["n"] = np.bincount(grouping.codes, minlength=grouping.n_groups)
    return metrics_from_counts(counts)


def metrics_from_counts(counts: pd.DataFrame) -> pd.DataFrame:
    """Compute the rates of :func:`group_metrics` from a table of counts."""
    missing = [cell for cell in CELLS if cell not in counts]
    if missing:
        raise InputError(f"'counts' must have the columns {', '.join(CELLS)}; {', '.join(missing)} is missing.")
    if "group" in counts:
        counts = counts.set_index("group")
    n = counts["n"] if "n" in counts else rows_in(counts, CELLS)
    rates = {name: ratio(*parts_of(name, counts)) for name in PARTS}
    return pd.DataFrame({"n": n} | rates, index=counts.index)


def parts_of(rate: str, counts: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the numerator and the denominator of a rate, one number a row of `counts`."""
    top, bottom = PARTS[rate]
    return rows_in(counts, top), rows_in(counts, bottom)


def in_cells(cells: Iterable[str], y: NDArray[np.integer], h: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Say which rows are in one of some cells, by label and prediction.

    Shapes: `y` (n,), `h` (n,); returns (n,).

    Examples
    --------
    >>> in_cells(("tp", "fp"), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])).tolist()
    [False, True, False, True]
    """
    held = [cell in cells for cell in ("tn", "fp", "fn", "tp")]
    return np.array(held)[2 * y + h]


def rows_in(counts: pd.DataFrame, cells: tuple[str, ...]) -> NDArray[np.float64]:
    """Add up cells of each row of `counts`."""
    return np.sum([counts[cell].to_numpy() for cell in cells], axis=0)


def average_error_cost(
    rates: pd.DataFrame, cost_false_positive: float = 1.0, cost_false_negative: float = 1.0
) -> pd.DataFrame:
    """Compute the average cost of an error in each group, with costs that you choose.

    ``(cost_false_positive * FP + cost_false_negative * FN) / n``. With both costs 1 it is the share of wrong
    predictions.

    Examples
    --------
    >>> metrics = group_metrics([1, 0, 1, 0], [0, 1, 1, 0], sensitive_features=None)
    >>> average_error_cost(metrics, cost_false_positive=1, cost_false_negative=5)
           average_error_cost
    group
    all                   1.5
    """
    for name, cost in (("cost_false_positive", cost_false_positive), ("cost_false_negative", cost_false_negative)):
        if not (np.isfinite(cost) and cost >= 0):
            raise InputError(f"{name!r} must be a number of 0 or above, got {cost!r}.")
    metrics = rates if "accuracy" in rates else metrics_from_counts(rates)
    wrong, surplus = 1 - metrics["accuracy"], metrics["selection_rate"] - metrics["base_rate"]
    false_positive, false_negative = (wrong + surplus).clip(lower=0) / 2, (wrong - surplus).clip(lower=0) / 2
    cost = cost_false_positive * false_positive + cost_false_negative * false_negative
    return cost.to_frame("average_error_cost")


def as_positive(y_true: object, y_pred: object, pos_label: object = None) -> tuple[object, object]:
    """Return labels and predictions as true where they are positive; those that are no texts as they are.

    Examples
    --------
    >>> [values.tolist() for values in as_positive(["no", "yes"], ["yes", "yes"])]
    [[False, True], [True, True]]
    """
    pair = [pd.Series(np.asarray(as_pandas(values)).ravel()) for values in (y_true, y_pred)]
    if pos_label is None:
        if not all(map(_is_text, pair)):
            return y_true, y_pred
        known = sorted({value for values in pair for value in values.dropna()})
        if len(known) != 2:
            raise InputError(
                f"'y_true' and 'y_pred' must have two labels together, got {len(known):,}.",
                hint="Name the positive one: pos_label=...",
            )
        pos_label = known[1]
    true, predicted = ((values == pos_label).where(values.notna(), other=None) for values in pair)
    return true, predicted


def _is_text(values: pd.Series) -> bool:
    """Say whether all known values are texts."""
    known = values.dropna()
    return len(known) > 0 and bool(known.map(lambda value: isinstance(value, str)).all())


def binary_labels(values: object, name: str) -> NDArray[np.int64]:
    """Read labels that must be bool or 0/1.

    Shapes: `values` (n,); returns (n,).
    """
    array = values.to_numpy() if isinstance(values, pd.Series | pd.Index) else np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(f"{name!r} must have one dimension, got {array.ndim}.")
    if array.dtype == bool:
        return array.astype(np.int64)
    missing = int(pd.isna(array).sum())
    if missing:
        raise InputError(
            f"{name!r} must have no missing values, got {missing:,} in {len(array):,} rows.",
            hint="Leave these rows out, and say how many they were.",
        )
    hint = "Compare with the positive value first, for example y == 'yes'."
    if array.dtype.kind not in "biuf" and not all(
        isinstance(v, bool | int | float | np.number | np.bool_) for v in array
    ):
        raise InputError(f"{name!r} must be bool or 0/1, got values of another kind.", hint=hint)
    numbers = array.astype(float)
    other = int(((numbers != 0) & (numbers != 1)).sum())
    if other:
        raise InputError(f"{name!r} must be bool or 0/1, got {other:,} other values in {len(array):,} rows.", hint=hint)
    return numbers.astype(np.int64)


def _weights(values: object, n: int) -> NDArray[np.float64]:
    weights = np.asarray(values, dtype=float)
    if weights.shape != (n,):
        raise InputError(f"'sample_weight' must have {n:,} rows like 'y_true', got shape {weights.shape}.")
    wrong = int((~(np.isfinite(weights) & (weights >= 0))).sum())
    if wrong:
        raise InputError(f"'sample_weight' must be 0 or above and finite, got {wrong:,} other values.")
    return weights


# How far apart the groups are on each rate.

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
    counts: pd.DataFrame,
    *,
    confidence: float = USUAL_CONFIDENCE,
    min_count: float = ENOUGH,
    sampled: Mapping[str, WeightedShares] | None = None,
) -> pd.DataFrame:
    """Compute the largest gap between groups on each rate, its interval and the rows behind it.

    As :func:`group_gaps`, but a rate that is a share of fewer than `min_count` rows is left out.

    Columns: low, high.

    Notes
    -----
    A combined gap is no plain share: its interval and rows are NaN. The interval is that of a pair named in advance;
    of many groups the largest gap is larger by chance alone. Rates of a sample with weights are given as `sampled`.

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
    rates = metrics if sampled is None else pd.DataFrame({name: sampled[name].value for name in PARTS}, metrics.index)
    gaps = group_gaps(rates[list(PARTS)].mask(few))
    n_few = [int(np.any([few[rate] for rate in COMBINED.get(name, (name,))], axis=0).sum()) for name in gaps["metric"]]
    cells = counts.set_index("group")
    pairs = pd.DataFrame([_pair(row, cells, confidence, sampled) for row in gaps.itertuples()], index=gaps.index)
    gaps = gaps.join(pairs).assign(n_few=n_few)
    return gaps.assign(n_undefined=gaps["n_undefined"] - gaps["n_few"])


def _pair(
    gap: Any, cells: pd.DataFrame, confidence: float, sampled: Mapping[str, WeightedShares] | None
) -> dict[str, float]:
    if gap.metric not in PARTS or gap.worst_pair is None:
        return dict.fromkeys(("low", "high", "n_high", "n_low"), np.nan)
    k, n = parts_of(gap.metric, cells.loc[list(gap.worst_pair)])
    if sampled is None:
        low, high = newcombe(k[0], n[0], k[1], n[1], confidence)
    else:
        first, second = (np.array([cells.index.get_loc(group)]) for group in gap.worst_pair)
        (low,), (high,) = sampled[gap.metric].gaps(first, second, confidence)
    return {"low": float(low), "high": float(high), "n_high": float(n[0]), "n_low": float(n[1])}


def _gap(name: str, rates: pd.Series) -> dict[str, object]:
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


def _combined(name: str, parts: list[dict[str, Any]], undefined: int) -> dict[str, object]:
    differences, ratios = [p["difference"] for p in parts], [p["ratio"] for p in parts]
    known = not np.isnan(differences).any()
    return {
        "metric": name,
        "difference": max(differences) if known else np.nan,
        "ratio": np.nan if np.isnan(ratios).any() else min(ratios),
        "worst_pair": parts[int(np.argmax(differences))]["worst_pair"] if known else None,
        "n_undefined": undefined,
    }
