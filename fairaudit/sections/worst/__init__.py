"""Worst groups: which groups that a few conditions make stand out by more than chance."""

from __future__ import annotations

from fairaudit.sections.worst.reading import WorstReading, WorstVerdict, read_worst
from fairaudit.sections.worst.saying import answer_text, line, say_worst, title

__all__ = ["WorstReading", "WorstVerdict", "answer_text", "line", "read_worst", "say_worst", "title"]
