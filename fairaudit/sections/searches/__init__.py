"""Searches and inspections: was one group searched on weaker grounds than another."""

from __future__ import annotations

from fairaudit.sections.searches.reading import SearchesReading, read_searches
from fairaudit.sections.searches.saying import answer_text, line, say_searches

__all__ = ["SearchesReading", "answer_text", "line", "read_searches", "say_searches"]
