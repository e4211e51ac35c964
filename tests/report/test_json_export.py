from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import jsonschema
import pandas as pd
import pytest
from json_schema import against_schema, validator
from pydantic import ValidationError
from test_composing import CHECK, berkeley_like, plan

from fairaudit.audit.running import run
from fairaudit.disclosure.fields import AS_ABOVE, column, columns, figure, fitted, setting
from fairaudit.measure.plain import Hideable
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.plan.outcomes import ScorePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan
from fairaudit.report.json_export import to_json
from fairaudit.report.json_schema import described, model_of, summary
from fairaudit.sections.check import read_check, say_check

SAMPLES = Path(__file__).parents[2] / "sample_data"
SCHEMA = validator().schema


ERRORS = {
    "score": ScorePlan(column="score", cut=0.5),
    "errors": (ErrorsPlan(by=("sex",)), ErrorsPlan(by=("sex", "dept"))),
}
REFERENCE = CheckPlan(protected="sex = 'F'", compare=(("dept",),), reference="a")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "options",
    [{}, ERRORS, {"checks": ()}, {"checks": (CHECK, REFERENCE)}],
    ids=["check", "errors", "nothing", "reference"],
)
@pytest.mark.parametrize("minimum", [None, 20, 150, 10_000])
def test_the_export_keeps_its_schema(options, minimum):
    rule = {} if minimum is None else {"small_cells": SmallCellsPlan(mask=True, minimum=minimum)}
    result = run(plan(**options, **rule), table=berkeley_like())
    assert not against_schema(json.loads(to_json(result)))


def test_the_verdict_that_is_exported_is_that_of_the_chip_and_of_the_exit_code():
    """Berkeley: a clear gap of all, which is gone within departments; what similar cases say is no second verdict."""
    result = run(SAMPLES / "berkeley_1973.toml")
    [finding, *_] = result.checks
    [check, *_] = json.loads(to_json(result))["checks"]
    assert check["verdict"] == "clear_gap" and check["answer"] == "gap_overall_none_within"
    assert say_check(finding).verdict.key == f"verdict-{check['answer'].replace('_', '-')}"
    assert read_check(finding).fails_on is None


def parts_of(node, place="#"):
    """Yield each part of a schema and where it stands."""
    yield place, node
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, part in inner:
        yield from parts_of(part, f"{place}/{key}")


@pytest.mark.thorough
def test_the_schema_describes_every_property_and_is_closed():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    objects = [
        (place, part)
        for place, part in parts_of(SCHEMA)
        if isinstance(part, dict) and "object" in str(part.get("type"))
    ]
    bare = [
        f"{place}/{name}"
        for place, part in objects
        for name, field in part.get("properties", {}).items()
        if not field.get("description")
    ]
    assert len(objects) > 50 and not bare, bare
    # An object either names its keys, or has keys that are data and says what stands under them.
    loose = [place for place, part in objects if part.get("additionalProperties", True) is True]
    assert not loose, loose


@dataclass(frozen=True)
class Below:
    """First line."""

    first: float = figure("Shared.")
    second: float = figure(AS_ABOVE)
    third: Literal["a", "b"] = setting("Its own.")


@dataclass(frozen=True)
class Above(Below):
    """Another.

    Notes
    -----
    Not of its fields.
    """

    first: float = figure("Said again.")
    third: Literal["a", "b"] = setting()
    fourth: int = setting("New.")


def test_a_field_is_described_where_it_is_declared_first():
    shared = "Shared."
    assert described(Above) == {"first": shared, "second": shared, "third": "Its own.", "fourth": "New."}
    assert (summary(Below), summary(Above)) == ("First line.", "Another.")


NUMBERS = columns(group=column(str, "The group."), n=column(Hideable[int], "Rows."))


@dataclass(frozen=True)
class Found:
    """What was found."""

    asked: int = setting("A number.")
    seen: int = fitted("A number.")
    rows: pd.DataFrame = fitted("One row a group.", NUMBERS)
    undeclared: int = 0


def test_details_leave_as_their_fields_declare():
    right = {"asked": 1, "seen": None, "rows": [{"group": "a", "n": None}]}
    model = model_of(Found, undeclared="never")
    model.model_validate(right)
    for other in ({"asked": None}, {"rows": None}, {"rows": [{"group": None, "n": 1}]}, {"undeclared": 1}):
        with pytest.raises(ValidationError):
            model.model_validate(right | other)


@dataclass(frozen=True)
class Bare:
    """A frame of whose columns nothing is known."""

    rows: pd.DataFrame = setting("Rows.")


@dataclass(frozen=True)
class Silent:
    """A field of which nothing is said."""

    number: int


def test_a_field_that_nothing_is_said_of_has_no_schema():
    with pytest.raises(TypeError, match="declare its columns"):
        model_of(Bare)
    with pytest.raises(TypeError, match="'number'"):
        model_of(Silent)


def test_the_export_is_stable_and_sorted():
    one, two = (to_json(run(plan(), table=berkeley_like())) for _ in range(2))
    assert one == two
    values = json.loads(one)
    assert list(values) == sorted(values)
    assert values["checks"][0]["result"]["protected"]["ratio"] == 250 / 900
    assert values["checks"][0]["verdict"] == "clear_gap"
    assert values["checks"][0]["strata"]["reversal"] is True
