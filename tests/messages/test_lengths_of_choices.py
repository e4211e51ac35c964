"""What can be chosen from is short enough to be read whole in its field."""

from __future__ import annotations

import pytest

from fairaudit.findings import Message, Word
from fairaudit.messages import say

MOST = 30
"""Letters that a field of a third of the page has room for."""


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
@pytest.mark.parametrize("rate", ["selected", "ratio", "missed", "flagged", "both", "wrong", "mean", "nothing"])
def test_what_must_be_alike_is_read_whole(rate, positive):
    assert len(say(Message("limits-alike-rate", {"rate": Word(rate), "positive": Word(positive)}))) <= MOST
