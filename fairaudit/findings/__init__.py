"""What an audit found, as data: readings and messages. Nothing here is a sentence."""

from __future__ import annotations

from fairaudit.findings.message import (
    REST,
    Amount,
    Argument,
    Count,
    Group,
    Message,
    Phrase,
    Points,
    Said,
    Severity,
    Share,
    Word,
)

__all__ = [
    "REST",
    "Amount",
    "Argument",
    "Count",
    "Group",
    "Message",
    "Phrase",
    "Points",
    "Said",
    "Severity",
    "Share",
    "Word",
]
