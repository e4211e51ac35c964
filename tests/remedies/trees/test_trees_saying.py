"""What is said of a tree: its lines, how good it can be, who is treated alike, and what to doubt."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
import remedies_by_hand as by_hand
from trees_by_hand import NODES, nodes, trees_details

from fairaudit.disclosure.fields import Remark
from fairaudit.disclosure.remedies import hidden_details
from fairaudit.findings import Message, Share
from fairaudit.messages import say
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.section import TreesSection
from fairaudit.remedies.trees.words import (
    best,
    cautions,
    made,
    similar,
    tree_lines,
    tree_text,
    warnings,
)


def details(**options) -> TreesDetails:
    return trees_details(by_hand.GROUPS, by_hand.AFTER, **options)


def args(message) -> dict:
    return dict(message.args)


def keys(messages) -> list[str]:
    return [message.key for message in messages]


def test_a_tree_reads_as_indented_lines():
    assert tree_lines(nodes()) == (
        "if age is at most 25",
        "  then predict not: income is >50K",
        "  otherwise if prior offences is more than 3",
        "    then predict income is >50K",
        "    otherwise predict not: income is >50K",
    )
    assert tree_lines(nodes()[:1].assign(is_leaf=True, words="b")) == ("predict b",)


def test_questions_that_are_hidden_are_said_to_be():
    assert tree_text(hidden_details(details())) == (say(Message("tree-not-shown")),)


def test_the_end_of_a_search_says_what_is_proven():
    assert best(details()).key == "tree-best-proven"
    assert best(details(status="infeasible")).key == "tree-best-infeasible"
    ahead = {"search": "look_ahead", "method": "look_ahead"}
    for status in ("grown", "work_limit", "infeasible"):
        assert best(details(status=status, **ahead)).key == "tree-best-open"


def test_the_distance_to_the_best_possible_is_rounded_up():
    message = best(details(status="work_limit", objective=0.2, bound=0.15009, optimality_gap=0.24955))
    # 0.24955 of 0.2 is 33.254 % of the bound.
    assert args(message)["above"] == Share(0.333, 1)


@pytest.mark.parametrize("gap", [1.0, 0.9905, math.nan, None])
def test_a_bound_that_says_little_is_not_said_as_a_percentage(gap):
    assert best(details(status="stopped", optimality_gap=gap)).key == "tree-best-open"


def test_how_it_was_made_names_the_search():
    ahead = {"search": "look_ahead", "method": "look_ahead"}
    ways = [args(made(details(**each))[0])["way"].name for each in ({}, {"status": "gap"}, {"method": "scip"}, ahead)]
    assert ways == ["all", "some", "program", "grown"]
    assert "tree-made-keeps" in keys(made(details(keeps_groups=True)))


def test_similar_people_are_compared_before_and_after():
    said = args(similar(details()))
    assert (round(said["own"].value, 9), round(said["rest"].value, 9)) == (0.85, 0.75)
    empty = details()
    assert similar(replace(empty, alike=empty.alike.iloc[:0])) is None
    assert similar(replace(empty, alike=empty.alike.assign(n=0, n_alike=0))) is None


def test_questions_that_reveal_the_groups_or_nearly_do_are_said_once():
    [close] = cautions(details())
    assert close.key == "tree-caution-close" and args(close)["columns"].text == "prior_offences"
    uses = replace(details(), nodes=nodes().assign(uses_protected=[True, False, False, False, False], proxies=""))
    assert keys(cautions(uses)) == ["tree-caution-reveals"]
    assert cautions(replace(details(), nodes=nodes().assign(proxies=""))) == ()


def test_what_to_doubt_ends_with_what_the_search_says():
    found = SimpleNamespace(details=details(notes=("A note.",)))
    assert TreesSection().cautions(found, by_hand.facts())[-1] == "A note."


def test_only_what_follows_from_settings_is_said_where_counts_are_hidden():
    found = warnings(details(status="work_limit", n_leaves=1), kept=False, unseen=("age",), components=True)
    assert [isinstance(text, Remark) and text.reveals for text in found[:3]] == ["setting"] * 3
    assert not any(isinstance(text, Remark) for text in found[3:]) and len(found) > 4


def test_a_terminal_gets_the_tree_and_how_many_of_several_pairs_keep_to_the_limit():
    one, facts = details(), by_hand.facts()
    assert not any("1 of 1" in line for line in TreesSection().command_lines(SimpleNamespace(details=one), facts))
    two = replace(one, gaps=pd.concat([one.gaps, one.gaps]))
    lines = TreesSection().command_lines(SimpleNamespace(details=two), facts)
    assert all("\n" not in line for line in lines)
    assert f"    then predict {NODES[1][1]}" in lines
    assert lines[-1].strip() == say(best(details())) and "2 of 2 pairs" in lines[-2]
