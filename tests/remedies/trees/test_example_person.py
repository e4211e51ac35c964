"""A made-up person: usual answers, and the way through a tree."""

from __future__ import annotations

import datetime

import pandas as pd
import pytest
from study_data import as_loans, biased_loans, loans_plan

from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.tree import Node, Tree
from fairaudit.remedies.trees.words import asked_columns, way_of
from fairaudit.study.rows import Study

SPLITS = (
    Literal("merit", "at_most", 0.0),
    Literal("since", "at_most", datetime.date(2020, 1, 5)),
    Literal("area", "equals", "north"),
)


def leaf(number: int) -> Node:
    return Node(number, None, float(number % 2), (2,), (1,))


TREE = Tree(
    (
        Node(1, SPLITS[0], 0, (4,), (2,)),
        Node(2, SPLITS[1], 0, (2,), (1,)),
        Node(3, SPLITS[2], 0, (2,), (1,)),
        *(leaf(number) for number in range(4, 8)),
    ),
    outcomes=("refused", "granted"),
)


@pytest.fixture(scope="module")
def study():
    frame = biased_loans(300)
    frame["since"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(frame["number"] % 20, unit="D")
    return Study.of(as_loans(frame), loans_plan(features=("merit", "area", "since")))


def test_what_a_tree_asks_for_has_usual_answers_within_its_range(study):
    merit, since, area = asked_columns(study, TREE)
    assert merit.kind == "number" and merit.low < merit.usual < merit.high and not merit.is_whole
    assert since.kind == "date" and since.low <= since.usual <= since.high
    assert area.kind == "choice" and set(area.choices) == {"north", "south", "west"} and area.usual == area.choices[0]


@pytest.mark.parametrize(
    ("merit", "since", "area", "nodes"),
    [
        (-1.0, datetime.date(2020, 1, 5), "west", (1, 2, 4)),
        (-1.0, datetime.date(2020, 1, 6), "west", (1, 2, 5)),
        (0.5, None, "north", (1, 3, 6)),
        (0.5, None, "nowhere", (1, 3, 7)),
        (None, None, None, (1, 3, 7)),
    ],
)
def test_way_ends_in_the_leaf_that_the_tree_leads_to(study, merit, since, area, nodes):
    way = way_of(study.X, TREE, {"merit": merit, "since": since, "area": area})
    assert way.nodes == nodes and len(way.steps) == 2
    assert way.value == nodes[-1] % 2 and way.prediction == TREE.outcomes[nodes[-1] % 2]


def test_what_is_not_known_is_said_and_goes_where_the_split_does_not_hold(study):
    way = way_of(study.X, TREE, {"merit": None, "since": None, "area": "north"})
    assert way.steps == ("merit is not known", "area is north")


def test_each_row_takes_the_way_that_the_tree_gives_it(study):
    leaves = TREE.apply(study.X)
    for place in range(0, 60, 7):
        row = study.X.iloc[place]
        person = {name: None if pd.isna(row[name]) else row[name] for name in TREE.columns}
        assert way_of(study.X, TREE, person).nodes[-1] == leaves[place]


def test_tree_that_asks_nothing_has_a_way_without_steps(study):
    tree = Tree((leaf(1),), outcomes=("refused", "granted"))
    assert asked_columns(study, tree) == ()
    assert way_of(study.X, tree, {}).steps == () and way_of(study.X, tree, {}).prediction == "granted"
