"""Judge models on rows that they have not seen."""

from typing import TYPE_CHECKING

from fairaudit.late import late_names
from fairaudit.study.judging.results import GOOD, MEASURES, Change, Evaluation, Judged, Measured, non_dominated

if TYPE_CHECKING:
    from fairaudit.study.judging.held_out import HeldOut, JudgeWords

__all__ = [
    "GOOD",
    "MEASURES",
    "Change",
    "Evaluation",
    "HeldOut",
    "JudgeWords",
    "Judged",
    "Measured",
    "non_dominated",
]

# What judges needs scikit-learn; what it found does not.
__getattr__ = late_names(
    __name__, {"HeldOut": "fairaudit.study.judging.held_out", "JudgeWords": "fairaudit.study.judging.held_out"}
)
