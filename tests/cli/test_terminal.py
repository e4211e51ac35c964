"""What is written to a terminal is safe, and progress shows only where someone watches."""

from __future__ import annotations

import io

import pytest

from fairaudit.cli.terminal import ProgressLine, one_line, readable


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_progress_shows_on_a_terminal_and_leaves_no_trace():
    screen = Screen()
    line = ProgressLine(screen)
    line.show("Check 1 of 2")
    line.clear()
    assert "Check 1 of 2" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[2K")


def test_progress_is_silent_elsewhere():
    stream = io.StringIO()
    ProgressLine(stream).show("Check 1 of 2")
    assert stream.getvalue() == ""


@pytest.mark.parametrize("character", ["\x1b", "\x9b", "\n", "\r", "\u202e", "\x00"])
def test_control_characters_are_replaced(character):
    assert one_line(f"a{character}b") == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize("text", ["95\u00a0%", "Prüfung 性別", "</style><script>", ""])
def test_other_text_stays_as_it_is(text):
    assert one_line(text) == text
    assert readable(text) == text
