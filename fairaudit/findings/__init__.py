"""What an audit found, as data: readings and messages. Nothing here is a sentence."""

from __future__ import annotations

from fairaudit.findings.message import (
    Amount,
    Argument,
    Count,
    Group,
    Message,
    Phrase,
    Points,
    Said,
    Share,
    Word,
)

__all__ = ["Amount", "Argument", "Count", "Group", "Message", "Phrase", "Points", "Said", "Share", "Word"]
