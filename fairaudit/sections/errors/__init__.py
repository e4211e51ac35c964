"""Errors: who is wrongly flagged, and who is wrongly missed."""

from __future__ import annotations

from fairaudit.sections.errors.reading import ErrorsReading, read_errors
from fairaudit.sections.errors.saying import errors_chips, errors_title, say_errors

__all__ = ["ErrorsReading", "errors_chips", "errors_title", "read_errors", "say_errors"]
