"""Who searches for a tree is chosen in a plan and on the page, and said in the result."""

from __future__ import annotations

import pytest
import remedies_by_hand as by_hand
from trees_by_hand import trees_details

from fairaudit.catalog import remedy_of
from fairaudit.errors import PlanError
from fairaudit.outcomes import SHARES
from fairaudit.remedies.trees.details import lookup_table
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.words import solved
from ui.remedies.trees.form import amount_plan_of, plan_of


def details(**options):
    """Return a tree that was made by hand."""
    return trees_details(by_hand.GROUPS, by_hand.AFTER, **options)


@pytest.mark.parametrize(
    "asked",
    [
        {"solver": "scip", "search": "look_ahead"},
        {"solver": "published", "branching": "linear"},
        {"solver": "search", "leaves": "linear"},
        {"solver": "search", "max_features": 2},
        {"solver": "published", "max_loss": 0.01},
    ],
)
def test_a_solver_that_has_no_such_trees_is_refused_and_the_page_leaves_it_out(asked):
    with pytest.raises(PlanError, match="solver"):
        TreesPlan(**asked)
    draft = TreesPlan.model_construct(**TreesPlan().model_dump() | asked)
    form = amount_plan_of if "leaves" in asked else plan_of
    assert form(draft).solver == "auto"


@pytest.mark.parametrize("solver", ["search", "scip", "published"])
def test_a_solver_is_in_the_plan_and_the_name_of_a_tree(solver):
    plan = TreesPlan(solver=solver)
    assert plan_of(plan).solver == solver
    assert plan.baseline().solver == solver
    names = {remedy_of(each, SHARES).name(each) for each in (plan, TreesPlan())}
    assert len(names) == 2


def test_one_line_says_who_found_a_tree_and_whether_scip_confirms_it():
    found = solved(details(method="published", confirmed="yes"))
    assert [each.key for each in found] == ["tree-solved", "tree-confirmed"]
    assert [dict(found[0].args)["method"].name, dict(found[1].args)["confirmed"].name] == ["published", "yes"]
    assert [each.key for each in solved(details(method="look_ahead"))] == ["tree-solved"]


def test_the_table_for_a_spreadsheet_has_a_row_for_each_answer():
    tree = details()
    table = lookup_table(tree, 1)
    leaves = tree.nodes[tree.nodes["is_leaf"]].sort_values("x")
    assert [row[0] for row in table.rows] == leaves["node"].tolist()
    assert all(row[-1] for row in table.rows)
