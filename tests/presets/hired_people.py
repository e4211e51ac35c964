"""People with groups, a score, an amount and a decision, drawn from a seed."""

from __future__ import annotations

import numpy as np
import pandas as pd


def drawn(seed: int = 3, n: int = 900) -> pd.DataFrame:
    """Return people with two groups, a few unknown values, a score, an amount and a decision."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "gender": draw.choice(["F", "M", "unknown", None], n, p=[0.46, 0.48, 0.03, 0.03]),
            "race": draw.choice(["A", "B", "C", "tiny"], n, p=[0.6, 0.25, 0.14, 0.01]),
            "score": draw.integers(0, 101, n).astype(float),
            "pay": np.round(draw.normal(100, 15, n), 2),
            "hired": draw.choice(["yes", "no", None], n, p=[0.4, 0.55, 0.05]),
            "area": draw.choice(["north", "south"], n),
        }
    )
    frame.loc[draw.choice(n, 20, replace=False), "score"] = np.nan
    return frame
