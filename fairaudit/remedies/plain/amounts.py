"""Plain models where the decision is an amount, to compare with."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any, Final

import numpy as np
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.pipeline import Pipeline

from fairaudit.estimators.models import iter_fit_model
from fairaudit.estimators.preparation import TablePreparation
from fairaudit.events import Command, Event, Progress
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.amounts.cautions import amount_warnings
from fairaudit.study.amounts.fitting import Making, amount_candidate, amount_judged
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.fitting import FITTED, JUDGING, TOTAL, Course, Known
from fairaudit.study.similar import similar_parts

SMALL_PENALTY: Final = 1e-3
"""Of a linear regression, so that columns that say the same do not make its weights run away."""


N_NEIGHBORS: Final = 10
"""Near rows that people are compared with."""


def make_amount_model(
    name: str, *, random_state: Any = None, min_level_count: int = 10, n_components: int | None = None
) -> Pipeline:
    """Return an unfitted model of an amount with the preparation of its table."""
    preparation = TablePreparation(
        min_level_count=min_level_count, n_components=n_components, random_state=random_state
    )
    model = DummyRegressor(strategy="median") if name == "median" else Ridge(alpha=SMALL_PENALTY)
    return Pipeline([("prepare", preparation), ("model", model)])


def iter_fitted(
    study: AmountStudy, remedy: PlainPlan, known: Known, course: Course, *, end: int
) -> Generator[Event, Command | None, Any]:
    """Fit a plain model to the training rows, or take one that is fitted already."""
    if (model := known(remedy)) is not None:
        return model
    model = make_amount_model(
        remedy.model,
        random_state=study.seed,
        min_level_count=study.models.min_level_count,
        n_components=study.models.n_components,
    )
    rows = study.split.train
    return (yield from course.part(iter_fit_model(model, study.X.iloc[rows], study.y[rows]), start=0, end=end))


def iter_amount_plain(study: AmountStudy, remedy: PlainPlan, name: str, known: Known) -> Making:
    """Fit a model, or take one that is fitted already, and judge it."""
    model = yield from iter_fitted(study, remedy, known, Course(), end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    predicted = np.asarray(model.predict(study.X), dtype=np.float64)
    similar = similar_parts(study, N_NEIGHBORS)
    warnings = amount_warnings(study, predicted[study.split.held_out])
    found = amount_judged(study, remedy, (name, name), (predicted, predicted), similar, warnings)
    uses = bool(study.facts.protected_features) and remedy.model != "median"
    found = replace(found, changes=(), uses_protected_features=uses, beside_decisions=None)
    return amount_candidate(study, found, model, predicted)
