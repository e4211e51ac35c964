"""A search for alternatives written by hand: plausible numbers, no model is fitted."""

from __future__ import annotations

from typing import Any

import pandas as pd
import remedies_by_hand as by_hand
from findings_by_hand import fairness

from fairaudit.measure.results import Interval
from fairaudit.sections.alternatives.finding import (
    SPREAD,
    Alternative,
    AlternativesFinding,
    DecidedOtherwise,
    Kind,
    ModelInUse,
    NearlyBest,
    Origin,
)
from fairaudit.sections.alternatives.plan import AlternativesPlan


def alternative(kind: Kind = "model", *, protected: int = 130, change: float = -0.04, p: float = 0.01) -> Alternative:
    """Return a model that was judged."""
    return Alternative(
        origin=Origin(kind, "" if kind in ("tree", "list") else "logistic_regression", ""),
        cut="",
        quality=0.8,
        quality_change=-0.004,
        quality_interval=Interval(-0.012, 0.004),
        fairness=(shares := fairness(protected, 525, 2600, 9244)),
        gap=shares.difference,
        gap_interval=shares.difference_interval,
        size_change=change,
        size_interval=Interval(change - 0.02, change + 0.02),
        p_adjusted=p,
        tuned_quality=0.81,
        tuned_gap=-0.04,
    )


def in_use() -> ModelInUse:
    """Return the model in use."""
    shares = fairness(80, 525, 2600, 9244)
    return ModelInUse(0.804, shares, shares.difference, shares.difference_interval, 0.81, -0.12)


def finding(**options) -> AlternativesFinding:
    """Return what a search found: one model for certain, one perhaps, and sets of small trees."""
    values: dict[str, Any] = {
        "plan": AlternativesPlan(),
        "facts": by_hand.facts(judged=None),
        "used": "model",
        "n_tried": 240,
        "n_as_good": 90,
        "n_unclear": 20,
        "in_use": in_use(),
        "alternatives": (alternative(), alternative("tree", protected=100, change=-0.01, p=0.4)),
        "otherwise": DecidedOtherwise(0.3, 0.35, 0.29, 0.12),
        "spread": pd.DataFrame([("model", 0.8, -0.1, True), ("tree", 0.7, 0.02, False)], columns=list(SPREAD)),
        "nearly_best": (NearlyBest("tree", 2, 120, 1200, True, 0.03, 0.03, 0.14, 0.4),),
    }
    return AlternativesFinding(**(values | options))
