from __future__ import annotations

import json

import jsonschema
import pytest
from test_compose import CHECK, berkeley_like, plan

from fairaudit.audit.running import run
from fairaudit.plan import CheckPlan, ErrorsPlan, ScorePlan, SmallCellsPlan
from fairaudit.report import schema, to_json

ERRORS = {
    "score": ScorePlan(column="score", cut=0.5),
    "errors": (ErrorsPlan(by=("sex",)), ErrorsPlan(by=("sex", "dept"))),
}
REFERENCE = CheckPlan(protected="sex = 'F'", compare=(("dept",),), reference="a")


@pytest.mark.parametrize(
    "options",
    [{}, ERRORS, {"checks": ()}, {"checks": (CHECK, REFERENCE)}],
    ids=["check", "errors", "nothing", "reference"],
)
@pytest.mark.parametrize("minimum", [None, 20, 150, 10_000])
def test_the_export_keeps_its_schema(options, minimum):
    rule = {} if minimum is None else {"small_cells": SmallCellsPlan(mask=True, minimum=minimum)}
    result = run(plan(**options, **rule), table=berkeley_like())
    validator = jsonschema.Draft202012Validator(schema())
    assert not [f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.loads(to_json(result)))]


def test_the_schema_is_a_schema_and_describes_every_field():
    jsonschema.Draft202012Validator.check_schema(schema())
    check = schema()["$defs"]["controlled"]["properties"]
    assert all("description" in field for field in check.values())


def test_the_export_is_stable_and_sorted():
    one, two = (to_json(run(plan(), table=berkeley_like())) for _ in range(2))
    assert one == two
    values = json.loads(one)
    assert list(values) == sorted(values)
    assert values["checks"][0]["result"]["protected"]["ratio"] == 250 / 900
    assert values["checks"][0]["answer"] == "No"
    assert values["checks"][0]["strata"]["reversal"] is True
