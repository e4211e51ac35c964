"""What is said of rules: which messages, with which figures."""

from __future__ import annotations

import math

import pytest
import remedies_by_hand as by_hand
from rules_by_hand import RULES, chosen_details, rules_details

from fairaudit.disclosure.remedies import hidden_details
from fairaudit.estimators.rules.problem import RATES
from fairaudit.findings import Count, Message, Phrase, Points, Share, Word
from fairaudit.messages import say
from fairaudit.remedies.rules.details import LONGEST_RULE, made, proof, rule_items, rule_marks, rules_head
from fairaudit.sections.remedy.saying import remedy_caveats


def details(**options):
    return rules_details(by_hand.GROUPS, by_hand.AFTER, **options)


def keys(messages) -> list[str]:
    return [message.key for message in messages]


def test_what_is_proven_is_said_to_be_so():
    assert keys(proof(details(status="optimal", bound=1234.0, optimality_gap=0.0))) == ["rules-proof"]
    assert keys(proof(chosen_details(by_hand.GROUPS, by_hand.AFTER))) == ["rules-no-search"]


@pytest.mark.parametrize(("gap", "above"), [(0.0405, 0.043), (0.2, 0.25), (0.00001, 0.001), (0.5, 1.0)])
def test_the_distance_to_the_best_possible_is_a_share_of_it_and_rounded_up(gap, above):
    [said, *_] = proof(details(optimality_gap=gap, bound=1234 * (1 - gap)))
    assert dict(said.args) == {"above": Share(above, 1)}


@pytest.mark.parametrize("gap", [None, math.nan, 1.0])
def test_nothing_proven_is_said_to_be_nothing_proven(gap):
    assert keys(proof(details(optimality_gap=gap, status="gap"))) == ["rules-proof-open"]


@pytest.mark.parametrize("status", ["work_limit", "stopped"])
def test_a_search_that_was_not_through_says_so(status):
    assert keys(proof(details(status=status)))[1:] == [f"rules-ended-{status.replace('_', '-')}"]


def test_a_list_without_rules_says_so():
    facts = by_hand.facts()
    assert rules_head(details(said=()), facts) == say(Message("rules-none"))
    # Of several rules any one is enough, and all are counted.
    for n in (1, 2):
        args = {"outcome": Phrase(facts.positive_meaning), "n": Count(n)}
        assert rules_head(details(said=RULES[:n]), facts) == say(Message("rules-head", args))


def test_rules_are_numbered_and_marked_where_they_reveal_the_groups():
    marks = [keys(rule_marks(row)) for row in details().rules.itertuples()]
    assert marks == [[], ["rules-mark-proxy"], ["rules-mark-group"]]
    assert [text.partition(".")[0] for text in rule_items(details())] == ["1", "2", "3"]


def test_a_very_long_rule_is_still_a_line():
    [long] = rule_items(details(said=((f"name is '{'x' * 5000}'", "a = 1", False, ""),)))
    assert len(long) < LONGEST_RULE + 40 and "…" in long


def test_rules_that_are_hidden_are_not_none_at_all():
    hidden = hidden_details(details())
    assert not rule_items(hidden)
    assert rules_head(hidden, by_hand.facts()) == say(Message("rules-not-shown"))


@pytest.mark.parametrize("fairness", RATES)
def test_how_it_was_made_names_size_rates_and_limit(fairness):
    size, alike = made(details(fairness=fairness, max_complexity=30))
    assert dict(size.args) == {"n": Count(620), "most": Count(30)}
    assert dict(alike.args) == {"alike": Word(fairness.replace("_", "-")), "size": Points(0.05, 0)}


def test_chosen_rules_a_margin_and_groups_that_are_kept_are_said():
    assert keys(made(details(fairness=None))) == ["rules-made"]
    assert keys(made(chosen_details(by_hand.GROUPS, by_hand.AFTER))) == ["rules-made-by-hand", "rules-made-alike"]
    assert keys(made(details(trained_difference=0.02, keeps_groups=True)))[2:] == [
        "rules-made-margin",
        "rules-made-kept",
    ]


def test_caveats_hold_the_notes_and_do_not_repeat_that_a_person_stopped():
    found = details(notes=("Said.",), stopped=True, status="stopped")
    finding = by_hand.remedy("rules", details=found, warnings=("Few rows.",))
    texts = remedy_caveats(finding, by_hand.facts())
    assert {"Said.", "Few rows."} <= set(texts)
    assert not any("stopped" in text for text in texts)
