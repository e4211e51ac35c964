"""A check: is there a gap between two groups, and does it hold among similar cases."""

from __future__ import annotations

from fairaudit.sections.check.reading import CheckReading, read_check
from fairaudit.sections.check.saying import (
    answer_text,
    answer_words,
    likely_range,
    limit_of,
    next_step,
    say_check,
    say_remedy_caution,
    say_similar,
    sizes,
)

__all__ = [
    "CheckReading",
    "answer_text",
    "answer_words",
    "likely_range",
    "limit_of",
    "next_step",
    "read_check",
    "say_check",
    "say_remedy_caution",
    "say_similar",
    "sizes",
]
