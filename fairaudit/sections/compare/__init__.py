"""The remedies of an audit side by side: which of them meets the limit, and what it costs."""

from __future__ import annotations

from fairaudit.sections.compare.reading import CompareReading, read_comparison
from fairaudit.sections.compare.saying import answer_text, say_comparison

__all__ = ["CompareReading", "answer_text", "read_comparison", "say_comparison"]
