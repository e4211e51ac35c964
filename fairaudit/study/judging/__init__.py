"""Judge models on rows that they have not seen."""

from fairaudit.study.judging.frontier import non_dominated
from fairaudit.study.judging.held_out import HeldOut, JudgeWords
from fairaudit.study.judging.results import GOOD, MEASURES, Change, Evaluation, Judged, Measured

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
