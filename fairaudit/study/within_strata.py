"""The gap that a remedy leaves inside the strata of a question: like cases compared with like, on held-out rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.data.engine import unused_name
from fairaudit.errors import FairauditError
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import StratifiedFairness
from fairaudit.study.divided import DividedRows
from fairaudit.study.fitting import Candidate
from fairaudit.study.judging.results import STRATA, WithinStrata
from fairaudit.study.strata_rows import StrataRows


def within_strata(study: DividedRows, candidate: Candidate) -> WithinStrata | None:
    """Return the gap that a remedy leaves inside the strata of a question; None where there is no such question.

    What it was fitted and judged with does not depend on the strata, so this can be asked anew at any time.
    """
    strata, before = study.inside, candidate.before
    if strata is None or before is None:
        return None
    predictions = (study.y[study.split.held_out], before, candidate.prediction)
    try:
        sides = [_inside(study, strata, values) for values in predictions]
    except FairauditError:
        # More strata than can be compared: the question itself says so.
        return None
    decided, was, now = sides
    rows = [
        (
            one.name,
            one.comparison.protected.n,
            one.comparison.reference.n,
            one.difference,
            other.difference,
            last.difference,
            *last.comparison.difference_interval,
        )
        for one, other, last in zip(decided.strata, was.strata, now.strata, strict=True)
    ]
    return WithinStrata(
        columns=decided.columns,
        cut=tuple(strata.cuts),
        decisions=decided.common_difference,
        before=was.common_difference,
        after=now.common_difference,
        decisions_interval=decided.common_difference_interval,
        before_interval=was.common_difference_interval,
        after_interval=now.common_difference_interval,
        tolerance=now.pooled.tolerance,
        strata=pd.DataFrame.from_records(rows, columns=list(STRATA["columns"])),
    )


def _inside(study: DividedRows, strata: StrataRows, values: NDArray[Any]) -> StratifiedFairness | StratifiedMeans:
    """Compare what is decided or predicted for the held-out rows inside the strata.

    Shapes: `values` (n_held_out,).
    """
    held = study.split.held_out
    rows = strata.columns.iloc[held].reset_index(drop=True)
    value, protected, looked_at = (unused_name(name, rows.columns) for name in ("value", "protected", "looked_at"))
    sides = {protected: study.protected[held].astype(np.int64), looked_at: study.population[held].astype(np.int64)}
    return study.compared_inside(
        rows.assign(**{value: values}, **sides),
        decision=value,
        protected=f"{protected} = 1",
        where=f"{looked_at} = 1",
        strata=tuple(strata.columns),
        strata_cuts=strata.cuts,
        confidence=study.models.confidence,
    )
