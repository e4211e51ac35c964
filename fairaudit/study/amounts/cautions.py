"""What makes the judgement of a model of an amount doubtful, in plain sentences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.cautions import group_warnings


def amount_warnings(study: AmountStudy, prediction: NDArray[np.float64]) -> tuple[str, ...]:
    """Say what makes the judgement of a model doubtful.

    Shapes: `prediction` (n_held_out,).
    """
    found = list(group_warnings(study))
    if np.ptp(prediction) == 0:
        found.append(say(Message("doubt-same-amount")))
    return tuple(found)
