"""Plain models of an amount, to compare with."""

from __future__ import annotations

from typing import Any, Final

from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.pipeline import Pipeline

from fairaudit.estimators.preparation import TablePreparation

SMALL_PENALTY: Final = 1e-3
"""Of a linear regression, so that columns that say the same do not make its weights run away."""


def make_amount_model(
    name: str, *, random_state: Any = None, min_level_count: int = 10, n_components: int | None = None
) -> Pipeline:
    """Return an unfitted model of an amount with the preparation of its table."""
    preparation = TablePreparation(
        min_level_count=min_level_count, n_components=n_components, random_state=random_state
    )
    model = DummyRegressor(strategy="median") if name == "median" else Ridge(alpha=SMALL_PENALTY)
    return Pipeline([("prepare", preparation), ("model", model)])
