"""What training with constraints would have found, made from counts, without fitting anything."""

from __future__ import annotations

import math
from itertools import combinations

import pandas as pd

from fairaudit.errors import require
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.remedies.constrain.details import ConstrainDetails

SPECS = ("fpr by race <= 0.03", "fnr by race <= 0.05")
COLUMNS = [
    "spec", "metric", "metric_words", "first", "second", "max_difference", "multiplier", "tuned_before", "tuned", "met",
    "n_first", "n_second", "held_out_before", "held_out", "low", "high", "reading",
]  # fmt: skip


def rate(metric: str, cells) -> tuple[float, int]:
    """Return a metric of a group from its tp, fp, tn and fn, and the rows that it is a share of."""
    tp, fp, tn, fn = (int(cell) for cell in cells)
    everyone = tp + fp + tn + fn
    top, n = {
        "demographic_parity": (tp + fp, everyone),
        "error_rate": (fp + fn, everyone),
        "fpr": (fp, fp + tn),
        "fnr": (fn, tp + fn),
        "for_": (fn, tn + fn),
        "fdr": (fp, tp + fp),
        "aec(1, 5)": (fp + 5 * fn, everyone),
    }[metric]
    return (top / n if n else math.nan), n


def pairs(specs, groups, before, after) -> pd.DataFrame:
    rows: list[tuple[object, ...]] = []
    for text in specs:
        spec = FairnessSpec.parse(text)
        metric, allowed = spec.measure.name, require(spec.max_difference)
        for i, j in combinations(range(len(groups)), 2):
            one, two, was, wos = (rate(metric, counts[k]) for counts in (after, before) for k in (i, j))
            gap, gap_before = one[0] - two[0], was[0] - wos[0]
            half = math.sqrt(sum(r * max(1 - r, 0) / n if n else math.nan for r, n in (one, two))) * 1.96
            tuned = 0.9 * gap
            rows.append(
                (
                    text, metric, spec.measure.words, groups[i], groups[j], allowed, round(0.05 * len(rows) - 0.1, 3),
                    0.95 * gap_before, tuned, bool(abs(tuned) <= allowed), one[1], two[1], gap_before, gap,
                    gap - half, gap + half, reading(gap, gap - half, gap + half, allowed),
                )
            )  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def reading(gap: float, low: float, high: float, allowed: float) -> str:
    if not math.isfinite(gap):
        return "not defined"
    side = "within" if abs(gap) <= allowed else "outside"
    clear = max(abs(low), abs(high)) <= allowed if side == "within" else (low > allowed or high < -allowed)
    return side if clear else f"{side}, not clear"


def path(n: int = 14) -> pd.DataFrame:
    """Return a search for one multiplier: doubling until the gap is met, then halving the bracket."""
    multipliers = [0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 0.6, 0.5, 0.45, 0.475, 0.4875, 0.48125, 0.484375, 0.4828125][:n]
    ratios = [max(3.1 - 4.4 * m, 0.05) + 0.02 * (i % 2) for i, m in enumerate(multipliers)]
    accuracy = [0.851 - 0.03 * m**1.2 for m in multipliers]
    met = [ratio <= 1 for ratio in ratios]
    picked = max((i for i in range(len(ratios)) if met[i]), key=lambda i: accuracy[i], default=0)
    best = [
        not any(
            (r <= ratios[i] and a >= accuracy[i]) and (r, a) != (ratios[i], accuracy[i])
            for r, a in zip(ratios, accuracy, strict=True)
        )
        for i in range(len(ratios))
    ]
    return pd.DataFrame(
        {
            "fit": range(1, len(ratios) + 1), "multiplier": multipliers, "threshold": math.nan,
            "accuracy": accuracy, "ratio": ratios, "met": met, "frontier": best,
            "picked": [i == picked for i in range(len(ratios))],
        }
    )  # fmt: skip


def constrain_details(groups, before, after, *, specs=SPECS, **options) -> ConstrainDetails:
    found, fits = pairs(specs, groups, before, after), path()
    gaps = [
        (fit, math.nan, spec, ratio * FairnessSpec.parse(spec).max_difference)
        for fit, ratio in zip(fits["fit"], fits["ratio"], strict=True)
        for spec in specs
    ]
    values = {
        "pairs": found,
        "n_pairs": len(found),
        "n_pairs_met": int(found["met"].sum()),
        "n_pairs_within": int(found["reading"].str.startswith("within").sum()),
        "feasible": bool(found["met"].all()),
        "scale": 1.0,
        "accuracy_before": 0.8509,
        "accuracy": 0.8473,
        "path": fits,
        "path_gaps": pd.DataFrame(gaps, columns=["fit", "threshold", "spec", "gap"]),
        "n_fits": len(fits),
    }
    return ConstrainDetails(**(values | options))
