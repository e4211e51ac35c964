"""The gap that a remedy leaves inside the strata of a question: like cases compared with like, on held-out rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.data.engine import unused_name
from fairaudit.errors import FairauditError
from fairaudit.measure.mean_strata import StratifiedMeans, check_mean_strata
from fairaudit.measure.results import StratifiedFairness
from fairaudit.study.divided import DividedRows
from fairaudit.study.fitting import Candidate
from fairaudit.study.judging.results import STRATA, WithinStrata
from fairaudit.study.strata_rows import StrataRows


def within_strata(study: DividedRows, candidate: Candidate) -> WithinStrata | None:
    """Return the gap that a remedy leaves inside the strata of a question; None where there is no such question.

    What it was fitted and judged with does not depend on the strata, so this can be asked anew at any time.
    """
    strata, before, after = study.inside, candidate.before, candidate.prediction
    if strata is None or before is None or len(after) != len(study.split.held_out):
        return None
    decisions = study.y[study.split.held_out]
    reference = before if study.facts.decision_is_outcome else decisions
    try:
        decided, was, now = (_inside(study, strata, values) for values in (decisions, before, after))
        frame, asked = _asked(study, strata, np.asarray(after, dtype=float) - np.asarray(reference, dtype=float))
        # Only the interval is used, so any tolerance will do.
        moved = check_mean_strata(frame, tolerance=1.0, **asked)
    except FairauditError:
        # That there are too many strata, say, the question itself says: no remedy goes for it.
        return None
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
        change=moved.common_difference,
        change_interval=moved.common_difference_interval,
        tolerance=now.pooled.tolerance,
        strata=pd.DataFrame.from_records(rows, columns=list(STRATA["columns"])),
    )


def _inside(study: DividedRows, strata: StrataRows, values: NDArray[Any]) -> StratifiedFairness | StratifiedMeans:
    """Compare what is decided or predicted for the held-out rows inside the strata.

    Shapes: `values` (n_held_out,).
    """
    frame, asked = _asked(study, strata, values)
    return study.compared_inside(frame, **asked)


def _asked(study: DividedRows, strata: StrataRows, values: NDArray[Any]) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return held-out rows with these values, and what to ask of them: which columns hold what."""
    held = study.split.held_out
    rows = strata.columns.iloc[held].reset_index(drop=True)
    value, protected, looked_at = (unused_name(name, rows.columns) for name in ("value", "protected", "looked_at"))
    sides = {protected: study.protected[held].astype(np.int64), looked_at: study.population[held].astype(np.int64)}
    asked = {
        "decision": value,
        "protected": f"{protected} = 1",
        "where": f"{looked_at} = 1",
        "strata": tuple(strata.columns),
        "strata_cuts": strata.cuts,
        "confidence": study.models.confidence,
    }
    return rows.assign(**{value: values}, **sides), asked
