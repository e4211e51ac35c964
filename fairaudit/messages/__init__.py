"""Everything a person reads, as whole sentences in the files of each language, and the small runtime that says them."""

from __future__ import annotations

from fairaudit.messages.catalogue import LANGUAGES, any_of, called, keys, say, say_answer, say_verdicts, say_whole

__all__ = ["LANGUAGES", "any_of", "called", "keys", "say", "say_answer", "say_verdicts", "say_whole"]
