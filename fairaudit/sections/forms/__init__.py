"""A legal form: the table that a rule prescribes, and what it comes to in the words of the rule."""

from __future__ import annotations

from fairaudit.sections.forms.reading import FormReading, read_form
from fairaudit.sections.forms.saying import answer_text, say_form

__all__ = ["FormReading", "answer_text", "read_form", "say_form"]
