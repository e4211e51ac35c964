"""Judge models on rows that they have not seen."""

from fairaudit.study.judging.results import GOOD, MEASURES, Change, Evaluation, Judged, Measured, non_dominated

__all__ = [
    "GOOD",
    "MEASURES",
    "Change",
    "Evaluation",
    "Judged",
    "Measured",
    "non_dominated",
]
