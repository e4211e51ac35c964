"""The schema of the JSON allows the exports of the samples, with small counts hidden or not, and nothing near them."""

from __future__ import annotations

import copy
import json
from functools import reduce
from operator import getitem

import pytest
from documents import PLANS, exported
from json_schema import against_schema

GONE = object()


@pytest.mark.parametrize("hides", [False, True], ids=["open", "hidden"])
@pytest.mark.parametrize("name", PLANS)
def test_the_schema_allows_each_export(name, hides):
    assert not against_schema(json.loads(exported(name, hides=hides).files["result.json"]))


def planted(values, place, value):
    """Return a document with another value at a place, or without what is there."""
    values = copy.deepcopy(values)
    *way, last = place
    holder = reduce(getitem, way, values)
    if value is GONE:
        del holder[last]
    else:
        holder[last] = value
    return values


@pytest.mark.parametrize("value", ["0.1", GONE, {}], ids=["text", "missing", "object"])
@pytest.mark.parametrize(
    ("document", "place"),
    [
        ("berkeley_1973", ("checks", 0, "result", "difference")),
        ("berkeley_1973", ("checks", 0, "groups", 0, "rows", 0, "comparison", "protected", "n")),
        ("berkeley_1973", ("plan", "checks", 0, "tolerance")),
        ("berkeley_1973", ("counts_hidden_under",)),
        ("municipal_pay", ("amounts", 0, "result", "protected", "interval", "low")),
        ("municipal_pay_tree", ("amount_remedies", "remedies", 0, "after", "groups", 0, "mae")),
        ("municipal_pay_tree", ("amount_remedies", "remedies", 1, "details", "nodes", 0, "depth")),
        ("hiring_tool", ("presets", 0, "rates", 0, "rows", 0, "impact_ratio")),
        ("recidivism", ("errors", 0, "errors", "metrics", 0, "fpr")),
        ("recidivism", ("errors", 0, "scores", "roc", 0, "tpr")),
        ("recidivism_rules", ("remedies", "facts", "n_train")),
        ("recidivism_rules", ("remedies", "remedies", 0, "details", "coverage", 0, "n_covered")),
        ("recidivism_trees", ("remedies", "remedies", 0, "details", "trained_gap")),
    ],
)
def test_the_schema_refuses_a_wrong_value(document, place, value):
    values = json.loads(exported(document).files["result.json"])
    assert against_schema(planted(values, place, value))


@pytest.mark.usual
@pytest.mark.parametrize("place", [(), ("data", "source"), ("checks", 0, "strata"), ("plan", "decision")])
def test_the_schema_refuses_a_key_that_it_does_not_know(place):
    values = json.loads(exported("berkeley_1973").files["result.json"])
    assert against_schema(planted(values, (*place, "surprise"), 1))
