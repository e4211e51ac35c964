"""A check: is there a gap between two groups, and does it hold among similar cases."""

from __future__ import annotations

from fairaudit.sections.check.reading import CheckReading, read_check
from fairaudit.sections.check.saying import answer_words, say_check

__all__ = ["CheckReading", "answer_words", "read_check", "say_check"]
