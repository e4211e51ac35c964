"""The steps of making any remedy where the decision is an amount."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairaudit.events import Command, Event
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.study.amounts.findings import AmountRemedyFinding
from fairaudit.study.amounts.judging import beside_amounts, changes, evaluate, index_table
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.fitting import Candidate
from fairaudit.study.similar import SimilarRows

Making = Generator[Event, Command | None, Candidate]
"""The making of one remedy."""


def amount_judged(
    study: AmountStudy,
    remedy: RemedyPlan,
    names: tuple[str, str],
    predicted: tuple[NDArray[np.float64], NDArray[np.float64]],
    similar: Mapping[str, SimilarRows],
    warnings: tuple[str, ...],
) -> AmountRemedyFinding:
    """Judge the models before and after, in this order in each pair; the finding has no details.

    Shapes: each of `predicted` (n_rows,).
    """
    held = study.split.held_out
    before, after = (values[held] for values in predicted)
    return AmountRemedyFinding(
        name=names[1],
        plan=remedy,
        before=evaluate(study, names[0], before),
        after=evaluate(study, names[1], after),
        changes=changes(study, before, after),
        indices=index_table(*predicted, similar),
        details=None,
        uses_protected_features=False,
        warnings=warnings,
        predictions_differ=not np.array_equal(before, after),
        beside_decisions=beside_amounts(study, after),
    )


def amount_candidate(
    study: AmountStudy,
    finding: AmountRemedyFinding,
    model: Any,
    predicted: NDArray[np.float64],
    before: NDArray[np.float64] | None = None,
) -> Candidate:
    """Return what is kept of a remedy that was tried, and what is predicted with and without it.

    Shapes: `predicted` (n_rows,), `before` (n_rows,).
    """
    held = study.split.held_out
    return Candidate(finding, model, predicted[held], None, before=None if before is None else before[held])
