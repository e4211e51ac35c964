from __future__ import annotations

import dataclasses

import pytest
import remedies_by_hand as by_hand

from fairaudit.disclosure.remedies import masked_remedies
from fairaudit.measure.results import Interval
from fairaudit.present.numbers import NO_BREAK
from fairaudit.remedies.shared.headlines import gain_chip, short_headline


def spaced(text: str) -> str:
    return text.replace(NO_BREAK, " ")


def moved(before: float, after: float, low: float, high: float):
    """A remedy whose gap went from one value to another, with the interval of that change."""
    found = by_hand.remedy()
    changes = tuple(
        dataclasses.replace(each, before=before, after=after, difference=after - before, interval=Interval(low, high))
        if each.measure == "gap"
        else each
        for each in found.changes
    )
    return dataclasses.replace(found, changes=changes)


def test_the_headline_holds_the_gap_before_and_after_and_for_how_many_it_is_right():
    said = spaced(short_headline(by_hand.remedy()))
    assert said == "The gap went from 16.13 to 2.96 points. Right for 84.8 % of people, 85.1 % before."


def test_an_answer_that_costs_nothing_stands_beside_the_remedy():
    found = by_hand.remedy()
    free = dataclasses.replace(by_hand.yardstick("constant"), is_best=True)
    said = spaced(short_headline(dataclasses.replace(found, yardsticks=(free,))))
    assert said.startswith("The gap went from 16.13 to 2.96 points. Right for ")
    assert said.count("ight for") == 2 and free.name[:20] in said and " before; " in said


def test_the_model_without_the_remedy_is_not_named_twice():
    plain = dataclasses.replace(by_hand.yardstick("plain"), is_best=True)
    assert " before; " not in spaced(short_headline(dataclasses.replace(by_hand.remedy(), yardsticks=(plain,))))


@pytest.mark.parametrize(
    ("figures", "chip"),
    [
        ((-0.16, -0.08, 0.07, 0.09), "Gap smaller"),
        ((-0.05, -0.12, -0.09, -0.05), "Gap larger"),
        ((-0.05, 0.09, 0.12, 0.16), "Gap larger"),
        ((-0.05, -0.04, -0.01, 0.03), "Gap: cannot tell"),
        ((-0.05, -0.06, -0.03, 0.01), "Gap not smaller"),
        ((-0.05, 0.05, 0.0, 0.2), "Gap not smaller"),
        ((-0.05, -0.05, 0.0, 0.0), "Gap not smaller"),
        ((-0.05, -0.04, None, None), "Not shown"),
    ],
)
def test_the_chip_says_what_became_of_the_gap(figures, chip):
    assert gain_chip(moved(*figures)).text == chip


@pytest.mark.parametrize(
    ("gained", "figures", "chip"),
    [
        ((0.001, -0.01, 0.012), (-0.16, -0.08, 0.07, 0.09), "Little gained over a simple answer"),
        ((-0.02, -0.03, -0.01), (-0.16, -0.08, 0.07, 0.09), "Worse than a simple answer"),
        ((0.02, 0.01, 0.03), (-0.16, -0.08, 0.07, 0.09), "Gap smaller"),
        ((0.001, -0.01, 0.012), (-0.16, -0.17, -0.03, 0.01), "Gap not smaller"),
        ((0.001, -0.01, 0.012), (-0.05, -0.12, -0.09, -0.05), "Gap larger"),
    ],
)
def test_a_simple_answer_as_good_comes_before_a_smaller_gap_and_after_one_that_is_not_smaller(gained, figures, chip):
    free = dataclasses.replace(by_hand.yardstick("constant", gained=gained), is_best=True)
    assert gain_chip(dataclasses.replace(moved(*figures), yardsticks=(free,))).text == chip


def test_what_is_hidden_is_in_neither():
    [hidden] = masked_remedies(by_hand.remedies(("relabel",)), 10**6, checks=(), others_hidden=False).remedies
    assert gain_chip(hidden).text == "Not shown"
    assert "gap" not in short_headline(hidden)
