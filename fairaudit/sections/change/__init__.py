"""Change over time: is a gap smaller or larger than in another period."""

from __future__ import annotations

from fairaudit.sections.change.reading import ChangeReading, ChangeVerdict, read_change
from fairaudit.sections.change.saying import (
    change_line,
    not_said,
    recording_sentences,
    say_change,
    say_clustered,
    say_recording,
)

__all__ = [
    "ChangeReading",
    "ChangeVerdict",
    "change_line",
    "not_said",
    "read_change",
    "recording_sentences",
    "say_change",
    "say_clustered",
    "say_recording",
]
