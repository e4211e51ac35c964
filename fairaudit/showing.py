"""Have every result show itself: what is said and drawn of it stands above the row of its class."""

from __future__ import annotations

from typing import Any

from fairaudit.findings.result import Result, show_results_by


def face_of_result(result: Result) -> Any:
    """Return how a result is shown; what that takes is imported when it is first asked for."""
    from fairaudit.faces import face_of

    return face_of(result)


show_results_by(face_of_result)
