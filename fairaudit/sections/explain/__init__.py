"""What explains a gap: how much of it comes from some columns, and what is left."""

from __future__ import annotations

from fairaudit.sections.explain.more import (
    NOT_SAID,
    NOT_SHOWN,
    methods_table,
    say_agreement,
    say_method,
    say_overturning,
    say_people,
)
from fairaudit.sections.explain.reading import ExplainReading, can_be_overturned, read_explanation
from fairaudit.sections.explain.saying import answer_line, other_methods, printed_line, say_explanation

__all__ = [
    "NOT_SAID",
    "NOT_SHOWN",
    "ExplainReading",
    "answer_line",
    "can_be_overturned",
    "methods_table",
    "other_methods",
    "printed_line",
    "read_explanation",
    "say_agreement",
    "say_explanation",
    "say_method",
    "say_overturning",
    "say_people",
]
