"""Reading what a constrained classifier is given: constraints, the columns they name, and the rows to choose on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from fairaudit.errors import InputError, quote, sure
from fairaudit.estimators.base import boolean_rows
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows
from fairaudit.estimators.constraints.spec import FairnessSpec, read_specs
from fairaudit.estimators.splitting import divide
from fairaudit.measure.native_frames import as_pandas


def optional_specs(specs: Any) -> tuple[FairnessSpec, ...]:
    """Return constraints, of which there may be none."""
    is_empty = specs is None or (isinstance(specs, Sequence) and not isinstance(specs, str) and not specs)
    return () if is_empty else read_specs(specs)


def read_sensitive(sensitive_features: Any, specs: Sequence[FairnessSpec], n_rows: int) -> pd.DataFrame:
    """Return the columns that constraints name as a frame."""
    if sensitive_features is None:
        named = dict.fromkeys(name for spec in specs for name in spec.columns or ())
        texts = dict.fromkeys(text for spec in specs for _, text in spec.conditions or ())
        needed = [*map(quote, named), *(f"those of {quote(text)}" for text in texts)]
        raise InputError(
            f"'sensitive_features' is needed, with the columns that the constraints name: {', '.join(needed)}.",
            hint="Pass a DataFrame that has them.",
        )
    sensitive_features = as_pandas(sensitive_features)
    if isinstance(sensitive_features, pd.DataFrame):
        frame = sensitive_features
    elif isinstance(sensitive_features, pd.Series) and sensitive_features.name is not None:
        frame = sensitive_features.to_frame()
    else:
        frame = _one_column(sensitive_features, specs)
    if len(frame) != n_rows:
        raise InputError(f"'sensitive_features' must have {n_rows:,} rows, as 'X' has, got {len(frame):,}.")
    return frame.reset_index(drop=True)


def _one_column(values: Any, specs: Sequence[FairnessSpec]) -> pd.DataFrame:
    names = {spec.columns for spec in specs}
    values = values.to_numpy() if isinstance(values, pd.Series) else np.asarray(values)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or len(names) != 1 or len(next(iter(names)) or ()) != 1:
        raise InputError(
            f"'sensitive_features' must be a DataFrame where constraints name conditions or several columns, got "
            f"values of the shape {values.shape} without names.",
            hint="Pass a DataFrame with the columns that the constraints name.",
        )
    return pd.DataFrame({sure(next(iter(names)))[0]: values})


def divide_rows(
    rows: ConstrainedRows, validation: Any, fraction: float, random_state: Any
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows to learn from and those to choose multipliers on.

    Shapes: `validation` (n,).
    """
    n = len(rows.y)
    if validation is not None:
        chosen = boolean_rows(validation, n, "validation", default=False)
        if chosen.all() or (not chosen.any() and rows.specs):
            raise InputError(
                f"'validation' must be true for some rows and false for others, got {int(chosen.sum()):,} of {n:,}.",
                hint="Leave it out to have rows set aside at random.",
            )
        return np.flatnonzero(~chosen), np.flatnonzero(chosen)
    if not rows.specs:
        return np.arange(n), np.arange(0)
    strata = _strata(rows)
    # Rows of which there is only one of a kind are divided together: alone, each would have to be learned from.
    alone = np.bincount(strata)[strata] == 1
    return _two_parts(np.where(alone, strata.max() + 1 + rows.y, strata), fraction, check_random_state(random_state))


def _strata(rows: ConstrainedRows) -> NDArray[np.int64]:
    """Return a code for each row that says its label and all groups that it is in."""
    random = np.random.default_rng(0)
    keys = random.integers(2**62, size=2, dtype=np.uint64)[rows.y]
    for groups in rows.members:
        for members in groups:
            keys[members] ^= random.integers(2**62, dtype=np.uint64)
    return np.unique(keys, return_inverse=True)[1]


def _two_parts(
    strata: NDArray[np.int64], fraction: float, random: np.random.RandomState
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Divide each stratum; both parts have each one that has two rows."""
    second = np.zeros(len(strata), dtype=bool)
    second[divide(strata, (1 - fraction, fraction), random_state=random)[1]] = True
    sizes = np.bincount(strata)
    counts = np.bincount(strata, weights=second)
    for stratum in np.flatnonzero((sizes > 0) & ((counts == 0) | (counts == sizes))):
        rows = np.flatnonzero(strata == stratum)
        if len(rows) == 1:
            second[rows] = False
        else:
            second[random.choice(rows)] ^= True
    return np.flatnonzero(~second), np.flatnonzero(second)
