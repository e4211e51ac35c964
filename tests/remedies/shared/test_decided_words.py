"""What a remedy does beside the decisions: who gets fewer or more good outcomes than there, and a gap that is wider."""

from __future__ import annotations

from dataclasses import replace

import pytest
import remedies_by_hand as by_hand

from fairaudit.disclosure.remedies import masked_remedies
from fairaudit.measure.results import Interval
from fairaudit.present.numbers import NO_BREAK
from fairaudit.remedies.shared.decided_words import (
    FEWER,
    WIDER,
    beside_decided,
    fewer_sentence,
    given_sentence,
    group_lead,
    is_wider,
    more_chip,
    more_sentence,
)
from fairaudit.remedies.shared.headlines import NEARLY_ONE_ANSWER, ONE_ANSWER, gain_chip, short_headline
from fairaudit.remedies.shared.words import certainty_sentences
from fairaudit.remedies.shared.worse_off_words import (
    NO_GROUP,
    harms_no_group,
    worse_off_cell,
    worse_off_chip,
    worse_off_sentences,
)
from fairaudit.study.judging.paired import share_difference
from fairaudit.study.judging.results import NOT_WORSE, WORSE, BesideDecisions, WorseOff

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
        for counts in ((500, 1_000, 580, 1_000), (450, 1_000, 580, 1_000), (450, 1_000, 620, 1_000))
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
    assert said.endswith(
        "(47.0 % in the decisions, 35.0 % with the remedy; change \N{MINUS SIGN}12.0 points, 95 % interval "
        "\N{MINUS SIGN}16.2 to \N{MINUS SIGN}7.7, n = 1,000)."
    )
    assert "the rest" not in said
    assert worse_off_chip(found, facts()) == FEWER
    assert worse_off_sentences(found, facts()).startswith(fewer_sentence(found, facts()))
    assert worse_off_cell(found, facts()) == "fewer good outcomes than decided"
    assert worse_off_chip(remedy((350, 1_000, 720, 1_000), WORSE), facts()).text == "A group is worse off"


def test_fewer_by_chance_alone_is_not_said():
    found = remedy((455, 1_000, 570, 1_000))
    assert fewer_sentence(found, facts()) == ""
    assert worse_off_chip(found, facts()).text == "No group worse off than without it"


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((700, 1_000, 900, 1_000), "27.5 points more good outcomes than in the decisions"),
        ((580, 1_000, 600, 1_000), ""),
        ((560, 1_000, 610, 1_000), ""),
        ((500, 1_000, 550, 1_000), ""),
        ((300, 1_000, 400, 1_000), ""),
    ],
    ids=["clearly more", "more, its interval not", "more, within the tolerance", "the same", "fewer"],
)
def test_clearly_more_good_outcomes_than_decided_are_said(counts, said):
    chip = more_chip(remedy(counts), facts())
    assert ("" if chip is None else chip.text) == said
    assert bool(more_sentence(remedy(counts), facts())) is bool(said)


def beside(**known: tuple[float, float]) -> BesideDecisions:
    around = dict.fromkeys(("compared", "protected", "rest", "gap"), Interval(-0.01, 0.01))
    return BesideDecisions(**around | {name: Interval(*ends) for name, ends in known.items()})


def test_how_many_more_than_decided_has_the_interval_of_a_paired_difference():
    # Of 2,000 rows 250 are given the good outcome against the decision, and it is taken from 30.
    paired = beside(compared=share_difference(250, 30, 2_000, 0.95))
    found = replace(remedy((580, 1_000, 690, 1_000)), beside_decisions=paired)
    low, high = paired.compared
    said = given_sentence(found, facts()).replace(NO_BREAK, " ")
    assert f"11.0 points more (95 % interval {100 * low:+.1f} to {100 * high:+.1f})" in said
    assert more_chip(found, facts()).text.startswith("11.0 points more")


def test_fewer_than_decided_and_a_wider_gap_follow_the_paired_interval_and_not_decisions_taken_as_fixed():
    # 45.0 against 47.0 %, and a gap of 13 for 11 points: clear where few are decided otherwise, and else not.
    counts = (450, 1_000, 580, 1_000)
    few, many = (
        replace(remedy(counts), beside_decisions=beside(protected=ends[0], gap=ends[1]))
        for ends in (((-0.03, -0.01), (0.005, 0.035)), ((-0.06, 0.02), (-0.04, 0.08)))
    )
    assert fewer_sentence(few, facts()) and is_wider(few, facts())
    assert "−3.0 to −1.0" in fewer_sentence(few, facts())
    assert not fewer_sentence(many, facts()) and not is_wider(many, facts())
    # 430 of 1,000 lie below 47 % with their own interval, and are not clearly fewer than 470 of other 1,000.
    far = remedy((430, 1_000, 640, 1_000))
    assert far.after.fairness.protected.interval.high < 0.47
    assert not fewer_sentence(far, facts()) and fewer_sentence(
        replace(far, beside_decisions=few.beside_decisions), facts()
    )


def test_more_good_outcomes_than_decided_are_said_beside_that_no_group_is_worse_off():
    found = remedy((700, 1_000, 900, 1_000))
    assert (more_chip(found, facts()).sort, worse_off_chip(found, facts()).text) == ("open", NO_GROUP.text)
    said = given_sentence(found, facts()).replace(NO_BREAK, " ")
    assert said == (
        "The good outcome goes to 80.0 % of people, where 52.5 % have it in the decisions: 27.5 points more (95 % "
        "interval +24.7 to +30.3), so ask whether so many can have it."
    )
    assert harms_no_group(found, facts())
    assert worse_off_chip(remedy((700, 1_000, 900, 1_000), WORSE), facts()).text == "A group is worse off"
    assert worse_off_cell(found, facts()) == "no group"


def test_a_model_without_a_remedy_is_not_held_against_how_many_the_decisions_gave():
    plain = replace(remedy((700, 1_000, 900, 1_000)), changes=())
    assert more_chip(plain, facts()) is None and more_sentence(plain, facts()) == ""


def test_a_remedy_that_hardly_tells_people_apart_is_called_so_and_has_no_good_chip():
    nearly = remedy((997, 1_000, 998, 1_000))
    high = facts((960, 1_000, 970, 1_000))
    assert gain_chip(nearly, high) == NEARLY_ONE_ANSWER
    assert worse_off_chip(nearly, high) is None
    said = short_headline(nearly, high)[0].replace(NO_BREAK, " ")
    assert said.startswith(
        "This model gives nearly all one answer: the good outcome goes to all but 5 of 2,000 people. It finds "
    )
    assert "% of the people without the good outcome, " in said and "% without the remedy. " in said
    assert worse_off_chip(remedy((960, 1_000, 970, 1_000)), high) == NO_GROUP


def test_a_column_keeps_its_letters_at_the_start_of_a_sentence_and_a_name_takes_a_capital():
    own = facts()
    assert group_lead(replace(own, protected_words="home_language is not German")) == (
        "Where home_language is not German"
    )
    named = replace(own, plan=own.plan.model_copy(update={"protected_name": "women"}))
    assert group_lead(named) == "Women"


def test_how_many_get_the_good_outcome_stands_beside_how_many_have_it():
    said = given_sentence(remedy((500, 1_000, 550, 1_000)), facts()).replace(NO_BREAK, " ")
    assert said == "The good outcome goes to 52.5 % of people; in the decisions, 52.5 % have it."


def test_nothing_is_said_of_hidden_counts():
    hidden = masked_remedies(by_hand.remedies(("relabel",)), 10**6, checks=(), others_hidden=False)
    [found] = hidden.remedies
    assert given_sentence(found, hidden.facts) == fewer_sentence(found, hidden.facts) == ""
    assert more_sentence(found, hidden.facts) == "" and more_chip(found, hidden.facts) is None
    assert not is_wider(found, hidden.facts)


@pytest.mark.parametrize("counts", [(350, 1_000, 720, 1_000), (300, 1_000, 400, 1_000), (900, 1_000, 950, 1_000)])
def test_what_truly_happened_is_no_measure_of_what_a_model_gives(counts):
    found, truth = remedy(counts), replace(facts(), decision_is_outcome=True)
    assert (
        (beside_decided(found, truth), fewer_sentence(found, truth)) == ("", "")
        and more_chip(found, truth) is None
        and not is_wider(found, truth)
    )
    assert any((beside_decided(found, facts()), fewer_sentence(found, facts()), more_chip(found, facts())))
    assert " truly have it." in given_sentence(found, truth)
    assert "in what truly happened" in short_headline(found, truth)[0]
