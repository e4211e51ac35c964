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
        accuracy=0.8,
        accuracy_change=-0.004,
        accuracy_interval=Interval(-0.012, 0.004),
        fairness=fairness(protected, 525, 2600, 9244),
        size_change=change,
        size_interval=Interval(change - 0.02, change + 0.02),
        p_adjusted=p,
        tuned_accuracy=0.81,
        tuned_gap=-0.04,
    )


def finding(**options) -> AlternativesFinding:
    """Return what a search found: one model for certain, one perhaps, and sets of small trees."""
    values: dict[str, Any] = {
        "plan": AlternativesPlan(),
        "facts": by_hand.facts(judged=None),
        "used": "model",
        "n_tried": 240,
        "n_as_good": 90,
        "n_unclear": 20,
        "in_use": ModelInUse(0.804, fairness(80, 525, 2600, 9244), 0.81, -0.12),
        "alternatives": (alternative(), alternative("tree", protected=100, change=-0.01, p=0.4)),
        "otherwise": DecidedOtherwise(0.3, 0.35, 0.29, 0.12),
        "spread": pd.DataFrame([("model", 0.8, -0.1, True), ("tree", 0.7, 0.02, False)], columns=list(SPREAD)),
        "nearly_best": (NearlyBest("tree", 120, 1200, True, 0.03, 0.03, 0.14, 0.4),),
    }
    return AlternativesFinding(**(values | options))
