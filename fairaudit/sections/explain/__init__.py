"""What explains a gap: how much of it comes from some columns, and what is left."""

from __future__ import annotations

from fairaudit.sections.explain.reading import ExplainReading, can_be_overturned, read_explanation
from fairaudit.sections.explain.saying import (
    NOT_SAID,
    NOT_SHOWN,
    answer_line,
    methods_table,
    other_methods,
    printed_line,
    say_agreement,
    say_explanation,
    say_method,
    say_overturning,
    say_people,
    say_stand_ins,
)

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
    "say_stand_ins",
]
