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


def headline(found, facts=None) -> str:
    return spaced(" ".join(short_headline(found, facts or by_hand.facts())).rstrip())


def decided(before: int, n: int = 10_000):
    """Facts in which so many more of the protected group than of the rest were granted it, in ten-thousandths."""
    return dataclasses.replace(by_hand.facts(), decisions=by_hand.fairness(5_000 + before, n, 5_000, n))


def same_model(shift: int, **changed):
    """A remedy that changed nothing: with and without it the gap is so many ten-thousandths."""
    found = by_hand.remedy(**changed)
    model = dataclasses.replace(found.before, fairness=by_hand.fairness(5_000 + shift, 10_000, 5_000, 10_000))
    return dataclasses.replace(found, before=model, after=model, predictions_differ=False)


def test_the_headline_holds_the_gap_in_the_decisions_with_and_without_the_remedy_each_with_its_direction():
    found = by_hand.remedy()
    said = headline(found)
    assert said == (
        "Where race is not White: 12.9 points fewer good outcomes in the decisions, 3.0 fewer with the remedy, 16.1 "
        "fewer without it (another kind of model). "
        "The good outcome goes to 27.8 % of people; in the decisions, 27.4 % have it. It agrees with the table's "
        "outcomes for 84.8 % of people (85.1 % without the remedy)."
    )


@pytest.mark.parametrize(
    ("decisions", "model", "said"),
    [
        (
            -660,
            140,
            "1.4 more with the remedy. The remedy changed nothing: a model that does not see who is ",
        ),
        (-660, -600, "6.0 fewer with the remedy. The remedy changed nothing. The good outcome"),
        (-660, -400, "4.0 fewer with the remedy. The remedy changed nothing. The good outcome"),
        (-100, 140, "1.4 more with the remedy. The remedy changed nothing. The good outcome"),
        (-660, 0, "0.0 with the remedy. The remedy changed nothing: a model that does not see who is protected does "),
    ],
)
def test_a_remedy_that_changed_nothing_says_why_where_the_model_does_not_repeat_the_gap(decisions, model, said):
    facts = dataclasses.replace(decided(decisions), protected_features=())
    assert said in headline(same_model(model), facts)


def test_a_model_that_may_see_who_is_protected_is_not_said_not_to():
    facts = dataclasses.replace(decided(-660), protected_features=("race",))
    assert "changed nothing: the model without it does not repeat the gap." in headline(same_model(140), facts)
    differs = dataclasses.replace(same_model(140), predictions_differ=True)
    assert (
        "without it (another kind of model). The model without it does not repeat the gap. The good outcome"
        in headline(differs, facts)
    )


def test_an_answer_that_costs_nothing_stands_beside_the_remedy():
    found = by_hand.remedy()
    free = dataclasses.replace(by_hand.yardstick("constant"), is_best=True)
    said = headline(dataclasses.replace(found, yardsticks=(free,)))
    assert f" without the remedy; 85.1 % with one answer for all, {free.name})." in said
    shifted = dataclasses.replace(by_hand.yardstick("shifted"), is_best=True)
    said = headline(dataclasses.replace(found, yardsticks=(shifted,)))
    assert f"; 85.1 % with a simple answer, {shifted.name})." in said
    nearly = dataclasses.replace(shifted, fairness=by_hand.fairness(998, 1_000, 999, 1_000))
    said = headline(dataclasses.replace(found, yardsticks=(nearly,)))
    assert f"; 85.1 % with one answer for nearly all, {nearly.name})." in said


def test_the_model_without_the_remedy_is_not_named_twice():
    plain = dataclasses.replace(by_hand.yardstick("plain"), is_best=True)
    assert " without the remedy" not in headline(dataclasses.replace(by_hand.remedy(), yardsticks=(plain,)))


@pytest.mark.parametrize(
    ("figures", "chip"),
    [
        ((-0.16, -0.08, 0.07, 0.09), "Gap smaller than without it"),
        ((-0.05, -0.12, -0.09, -0.05), "Gap larger than without it"),
        ((-0.05, 0.09, 0.12, 0.16), "Gap larger than without it"),
        ((-0.05, -0.04, -0.01, 0.03), "Gap: cannot tell"),
        ((-0.05, -0.06, -0.03, 0.01), "Gap not smaller than without it"),
        ((-0.05, 0.05, 0.0, 0.2), "Gap not smaller than without it"),
        ((-0.05, -0.05, 0.0, 0.0), "Gap not smaller than without it"),
        ((-0.05, -0.04, None, None), "Not shown"),
    ],
)
def test_the_chip_says_what_became_of_the_gap(figures, chip):
    assert gain_chip(moved(*figures), by_hand.facts()).text == chip


@pytest.mark.parametrize(
    ("gained", "figures", "chip"),
    [
        ((0.001, -0.01, 0.012), (-0.05, -0.04, -0.01, 0.03), "Little gained over a simple answer"),
        ((-0.02, -0.03, -0.01), (-0.05, -0.04, -0.01, 0.03), "Worse than a simple answer"),
        ((0.001, -0.01, 0.012), (-0.16, -0.08, 0.07, 0.09), "Gap smaller than without it"),
        ((-0.02, -0.03, -0.01), (-0.16, -0.08, 0.07, 0.09), "Worse than a simple answer"),
        ((0.02, 0.01, 0.03), (-0.16, -0.08, 0.07, 0.09), "Gap smaller than without it"),
        ((0.001, -0.01, 0.012), (-0.16, -0.17, -0.03, 0.01), "Gap not smaller than without it"),
        ((0.001, -0.01, 0.012), (-0.05, -0.12, -0.09, -0.05), "Gap larger than without it"),
    ],
)
def test_a_simple_answer_as_good_comes_first_only_where_it_is_not_clear_what_became_of_the_gap(gained, figures, chip):
    free = dataclasses.replace(by_hand.yardstick("shifted", gained=gained), is_best=True)
    assert gain_chip(dataclasses.replace(moved(*figures), yardsticks=(free,)), by_hand.facts()).text == chip


@pytest.mark.parametrize(
    ("gained", "counts", "chip"),
    [
        ((-0.02, -0.03, -0.01), (1_000, 1_000, 1_000, 1_000), "Less accurate than one answer for all"),
        ((0.001, -0.01, 0.012), (1_000, 1_000, 1_000, 1_000), "Not clearly more accurate than one answer for all"),
        ((-0.02, -0.03, -0.01), (0, 1_000, 3, 1_000), "Less accurate than one answer for nearly all"),
    ],
)
def test_a_simple_answer_that_is_one_for_all_is_called_so(gained, counts, chip):
    free = by_hand.yardstick("shifted", gained=gained, is_best=True, fairness=by_hand.fairness(*counts))
    found = dataclasses.replace(moved(-0.05, -0.04, -0.01, 0.03), yardsticks=(free,))
    assert gain_chip(found, by_hand.facts()).text == chip


def test_a_gap_smaller_than_without_it_is_no_good_news_where_it_is_no_smaller_than_in_the_decisions():
    found = moved(-0.16, -0.08, 0.07, 0.09)
    after = dataclasses.replace(found.after, fairness=by_hand.fairness(365, 1_000, 500, 1_000))
    found = dataclasses.replace(found, after=after)
    assert "The gap is not smaller than in the decisions." in headline(found)
    assert gain_chip(found, by_hand.facts()).text == "Gap not smaller than in the decisions"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (((94, 70, 300, 106), (940, 700, 5000, 1060)), ((44, 20, 350, 156), (440, 200, 5500, 1560)), "22.0"),
        (((94, 70, 300, 106), (940, 700, 5000, 1060)), ((90, 70, 300, 110), (920, 700, 5000, 1080)), ""),
        (((9, 7, 300, 11), (10, 7, 500, 11)), ((7, 7, 300, 13), (8, 7, 500, 13)), ""),
        (((44, 20, 350, 156), (440, 200, 5500, 1560)), ((94, 70, 300, 106), (940, 700, 5000, 1060)), ""),
    ],
    ids=["clearly fewer", "within the tolerance", "chance", "more"],
)
def test_outcomes_that_a_remedy_no_longer_finds_are_said_beside_its_price(before, after, said):
    found = by_hand.remedy("thresholds", before=before, after=after)
    text = headline(found)
    assert ("% without the remedy. " in text or text.endswith("% without the remedy.")) is bool(said)
    assert not said or (f"It finds {said} % of the people with" in text and ", 47.0 % without the remedy." in text)


def test_what_is_hidden_is_in_neither():
    [hidden] = masked_remedies(by_hand.remedies(("relabel",)), 10**6, checks=(), others_hidden=False).remedies
    assert gain_chip(hidden, by_hand.facts()).text == "Not shown"
    assert "good outcomes" not in headline(hidden)


def test_only_a_model_of_another_kind_is_named_beside_the_gap_without_the_remedy():
    plan = by_hand.remedy().plan.model_copy(update={"final_model": "logistic_regression"})
    assert "without it. The" in headline(dataclasses.replace(by_hand.remedy(), plan=plan))
    assert "without it. The" in headline(by_hand.remedy("thresholds"))


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ((300, 1_000, 500, 1_000), "The gap is wider than in the decisions."),
        ((375, 1_000, 500, 1_000), "The gap is not smaller than in the decisions."),
        ((400, 1_000, 500, 1_000), ""),
        ((470, 1_000, 500, 1_000), ""),
    ],
)
def test_a_gap_no_smaller_than_in_the_decisions_is_said_first(after, said):
    found = by_hand.remedy()
    found = dataclasses.replace(found, after=dataclasses.replace(found.after, fairness=by_hand.fairness(*after)))
    facts = decided(-1_200)
    assert headline(found, facts).startswith(said)
    assert ("in the decisions." in headline(found, facts).split(": ")[0]) is bool(said)
