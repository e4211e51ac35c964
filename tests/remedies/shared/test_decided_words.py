"""What a remedy does beside the decisions: who gets fewer good outcomes than there, and a gap that is wider."""

from __future__ import annotations

from dataclasses import replace

import pytest
import remedies_by_hand as by_hand

from fairaudit.disclosure.remedies import masked_remedies
from fairaudit.present.numbers import NO_BREAK
from fairaudit.remedies.shared.decided_words import FEWER, WIDER, fewer_sentence, given_sentence, is_wider
from fairaudit.remedies.shared.headlines import ONE_ANSWER, gain_chip, short_headline
from fairaudit.remedies.shared.words import certainty_sentences
from fairaudit.remedies.shared.worse_off_words import NO_GROUP, worse_off_cell, worse_off_chip, worse_off_sentences
from fairaudit.study.judging.results import NOT_WORSE, WORSE, WorseOff

DECIDED = (470, 1_000, 580, 1_000)
"""Of how many of both groups how many have the good outcome in the decisions."""


def facts(counts=DECIDED):
    return replace(by_hand.facts(), decisions=by_hand.fairness(*counts))


def remedy(counts, standing=NOT_WORSE):
    found = by_hand.remedy()
    group = by_hand.group_change("women", standing, 0.3, 0.35 if standing == NOT_WORSE else 0.2)
    judged = WorseOff(asked=False, kept=None, groups=(group,))
    return replace(found, after=replace(found.after, fairness=by_hand.fairness(*counts)), worse_off=judged)


@pytest.mark.parametrize(
    ("counts", "wider"),
    [
        ((350, 1_000, 720, 1_000), True),
        ((720, 1_000, 350, 1_000), True),
        ((450, 1_000, 580, 1_000), False),
        ((530, 1_000, 580, 1_000), False),
        ((600, 1_000, 580, 1_000), False),
    ],
)
def test_a_gap_is_wider_where_its_whole_interval_is_to_either_side(counts, wider):
    assert is_wider(remedy(counts), facts()) is wider
    assert (gain_chip(remedy(counts), facts()) == WIDER) is wider


def test_that_nobody_is_worse_off_than_without_it_is_no_good_news_beside_a_gap_wider_than_decided():
    smaller, not_smaller, wider = (
        worse_off_chip(remedy(counts), facts())
        for counts in ((500, 1_000, 580, 1_000), (450, 1_000, 580, 1_000), (500, 1_000, 900, 1_000))
    )
    assert smaller == NO_GROUP
    assert not_smaller == wider == replace(NO_GROUP, sort="quiet")


def test_a_model_that_gives_everybody_the_same_answer_is_called_so_first_and_its_gap_has_no_interval():
    found = remedy((1_000, 1_000, 1_000, 1_000))
    assert gain_chip(found, facts()) == ONE_ANSWER
    said = short_headline(found, facts())[0]
    assert said.startswith("This model gives one answer for all: the good outcome goes to everybody, so that no gap")
    same = replace(found, predictions_differ=False)
    assert "no gap to judge" in certainty_sentences(same) and "may change by" not in certainty_sentences(same)


def test_a_group_with_fewer_good_outcomes_than_decided_is_named_though_it_has_more_than_without_the_remedy():
    found = remedy((350, 1_000, 720, 1_000))
    said = fewer_sentence(found, facts()).replace(NO_BREAK, " ")
    assert said.endswith("(47.0 % in the decisions, 35.0 % with the remedy, 95 % interval 32.1 to 38.0, n = 1,000).")
    assert "the rest" not in said
    assert worse_off_chip(found, facts()) == FEWER
    assert worse_off_sentences(found, facts()).startswith(fewer_sentence(found, facts()))
    assert worse_off_cell(found, facts()) == "fewer good outcomes than decided"
    assert worse_off_chip(remedy((350, 1_000, 720, 1_000), WORSE), facts()).text == "A group is worse off"


def test_fewer_by_chance_alone_is_not_said():
    found = remedy((455, 1_000, 570, 1_000))
    assert fewer_sentence(found, facts()) == ""
    assert worse_off_chip(found, facts()).text == "No group worse off than without it"


def test_how_many_get_the_good_outcome_stands_beside_how_many_have_it():
    said = given_sentence(remedy((700, 1_000, 900, 1_000)), facts()).replace(NO_BREAK, " ")
    assert said == "The good outcome goes to 80.0 % of people; in the decisions, 52.5 % have it."


def test_nothing_is_said_of_hidden_counts():
    hidden = masked_remedies(by_hand.remedies(("relabel",)), 10**6, checks=(), others_hidden=False)
    [found] = hidden.remedies
    assert given_sentence(found, hidden.facts) == fewer_sentence(found, hidden.facts) == ""
    assert not is_wider(found, hidden.facts)
