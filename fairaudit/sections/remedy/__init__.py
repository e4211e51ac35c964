"""A remedy: what happens to the gap, at what price, and whether it harms anyone among similar cases."""

from __future__ import annotations

from fairaudit.sections.remedy.reading import RemedyReading, read_remedy
from fairaudit.sections.remedy.saying import remedy_text, say_remedy

__all__ = ["RemedyReading", "read_remedy", "remedy_text", "say_remedy"]
