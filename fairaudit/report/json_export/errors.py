"""What is exported of a question about errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from fairaudit.audit.result import ErrorsFinding
from fairaudit.measure.verdicts import ShownVerdict
from fairaudit.report.json_export.added import extended
from fairaudit.sections.errors import read_errors
from fairaudit.sections.errors.saying import answer_text


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedErrors(ErrorsFinding):
    """One question about the errors of a prediction or score, and its answer.

    Parameters
    ----------
    flagged : str
        The verdict on who is wrongly flagged, allowing for all groups.
    missed : str
        The verdict on who is wrongly missed.
    sentence : str
        The answer as a paragraph.
    """

    flagged: ShownVerdict
    missed: ShownVerdict
    sentence: str

    @classmethod
    def of(cls, finding: ErrorsFinding) -> Self:
        """Add the answer in words."""
        flagged, missed = read_errors(finding).verdicts
        return extended(cls, finding, flagged=flagged, missed=missed, sentence=answer_text(finding))
