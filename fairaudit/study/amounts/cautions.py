"""What makes the judgement of a model of an amount doubtful, in plain sentences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.cautions import group_warnings


def amount_warnings(study: AmountStudy, prediction: NDArray[np.float64]) -> tuple[str, ...]:
    """Say what makes the judgement of a model doubtful.

    Shapes: `prediction` (n_held_out,).
    """
    found = list(group_warnings(study))
    if np.ptp(prediction) == 0:
        found.append(
            "The model predicts the same amount for every held-out row. Where everyone is treated alike, there is no "
            "gap; but the amounts of the groups still differ from it by different sums."
        )
    return tuple(found)
