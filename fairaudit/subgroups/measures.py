"""What is compared: which rows a measure looks at, and what it counts or averages in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import InputError
from fairaudit.subgroups.kinds import Measure


@dataclass(frozen=True)
class RateOf:
    """A share that takes the decision and its prediction.

    Parameters
    ----------
    among : {"decision", "prediction"} or None
        What says which rows are looked at; None for all rows.
    being : bool
        What it must be there.
    """

    among: Literal["decision", "prediction"] | None
    being: bool = True


RATES: Final = {
    "fpr": RateOf("decision", False),
    "fnr": RateOf("decision", True),
    "fdr": RateOf("prediction", True),
    "for": RateOf("prediction", False),
    "accuracy": RateOf(None),
}
"""The shares that need a prediction; the outcome that counts as good is "positive". All but accuracy count errors."""

KNOWN: Final = get_args(Measure)


def check_measure(measure: str, *, has_prediction: bool, has_good_outcome: bool) -> None:
    """Refuse a measure that is not known, or that lacks what it needs."""
    if measure not in KNOWN:
        raise InputError(f"'measure' must be one of {', '.join(map(repr, KNOWN))}, got {measure!r}.")
    if measure in RATES and not has_prediction:
        raise InputError(
            f"The measure {measure!r} needs 'prediction', got none.",
            hint="Write a condition such as: score >= 5; or choose measure='selection'.",
        )
    if (measure == "mean") == has_good_outcome:
        wanted = "none: it compares amounts" if has_good_outcome else "at least one value or a condition"
        raise InputError(
            f"'favorable' must be {wanted} for the measure {measure!r}, got {'one' if has_good_outcome else 'none'}.",
            hint="Choose measure='mean' for a decision that is an amount, and no favourable result.",
        )


def values_of(measure: str, counted: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return what each row of a table of counts is worth to a measure, and which rows it looks at.

    `counted` has the column ``good`` or ``amount``, and ``predicted`` where there is a prediction.
    """
    if measure == "mean":
        amount = counted["amount"].to_numpy(dtype=float, na_value=np.nan)
        return amount, np.isfinite(amount)
    good, known = _truth(counted["good"])
    if measure == "selection":
        return good.astype(float), known
    predicted, foretold = _truth(counted["predicted"])
    rate, known = RATES[measure], known & foretold
    if rate.among is None:
        return (good == predicted).astype(float), known
    side = good if rate.among == "decision" else predicted
    return (good != predicted).astype(float), known & (side == rate.being)


def _truth(answers: pd.Series) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    return answers.fillna(False).to_numpy(dtype=bool), answers.notna().to_numpy()
