"""The gate decides what is said by the figures that messages declare, not by their words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from findings_by_hand import finding

from fairaudit.disclosure.hidden import without_figures
from fairaudit.disclosure.said import has_figures, is_shown, said_as_shown
from fairaudit.findings import Count, Message, Said, Share
from fairaudit.sections.check import say_check

ONE = finding(623, 1945, 6132, 13827)
FEW = replace(ONE, result=replace(ONE.result, unknown=None))
HIDDEN = replace(ONE, result=without_figures(ONE.result))


@pytest.mark.parametrize("value", [Count(2), Count(1)])
def test_a_message_leaves_by_the_figure_that_it_declares_however_it_is_worded(value):
    message = Message("check-left-out", {"n": value}, "caution", ("result.unknown",))
    assert is_shown(message, ONE) and not is_shown(message, FEW)


def test_what_a_message_says_inside_another_one_is_revealed_by_that_one_too():
    inner = Message("check-chart-figure", {"figure": Share(0.3)}, reveals=("result.protected",))
    assert is_shown(Message("x", {"inner": inner}), ONE) and not is_shown(Message("x", {"inner": inner}), HIDDEN)


def test_of_what_is_said_the_messages_that_reveal_what_is_hidden_are_left_out():
    open_, closed = Message("a"), Message("b", {"n": Count(3)}, reveals=("result.unknown",))
    said = Said(Message("verdict-clear-gap"), Message("headline"), (open_, closed), (closed,))
    assert said_as_shown(said, ONE) == said
    assert said_as_shown(said, FEW) == Said(said.verdict, said.headline, (open_,), ())


def test_a_verdict_that_reveals_what_is_hidden_is_not_shown():
    said = Said(Message("verdict-clear-gap", reveals=("result",)), Message("headline"), (Message("a"),))
    assert said_as_shown(said, HIDDEN).verdict == Message("verdict-not-shown")
    assert say_check(HIDDEN).verdict.key == "verdict-not-shown" and not say_check(HIDDEN).lead


@pytest.mark.parametrize("one", [ONE, finding(5, 10, 5, 10), finding(500, 1000, 502, 1000), finding(10, 10, 10, 10)])
def test_every_message_of_a_check_with_a_figure_declares_what_it_reveals(one):
    said = say_check(one)
    messages = (said.verdict, said.headline, *said.lead, *said.caution)
    assert any(map(has_figures, messages)) or one.result.has_one_decision
    assert all(each.reveals for each in messages if has_figures(each))
