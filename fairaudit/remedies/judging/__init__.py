"""Judge models on rows that they have not seen."""

from fairaudit.remedies.judging.frontier import non_dominated
from fairaudit.remedies.judging.held_out import HeldOut, JudgeWords
from fairaudit.remedies.judging.results import GOOD, MEASURES, Change, Evaluation, Judged, Measured

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
