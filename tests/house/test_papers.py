"""The page on the five papers names what there is: pages, keys of plans with their values, classes and functions."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter
from sources import ROOT

import fairaudit
from fairaudit.catalog import REMEDIES
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.parts import Part
from ui.remedies.registry import remedy_pages
from ui.steps import DEEPER, STEPS

TEXT = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line[1:-1].split("|")] for line in TEXT.splitlines() if line.startswith("| ")]
HEAD = ["in the paper", "app; in a saved audit", "in Python", "theirs; ours", "what differs, or is missing, and why"]
PAPERS = 5

SETTING = re.compile(r"`(\w+)\.(\w+) = ([^`]+)`")
NAME = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)*)`")


def parts_in(annotation: object) -> Iterator[type[Part]]:
    """Yield the parts of a plan that a field may hold."""
    if isinstance(annotation, type) and issubclass(annotation, Part):
        yield annotation
    for inner in get_args(annotation):
        yield from parts_in(inner)


def part_of(name: str) -> type[Part]:
    """Return the part of a plan that a name stands for: a kind of remedy, or a table of the plan."""
    for remedy in REMEDIES:
        if remedy.plan.model_fields["method"].default == name:
            return remedy.plan
    return next(parts_in(AuditPlan.model_fields[name].annotation))


def found(name: str) -> Any:
    """Return what a dotted name stands for: what the package exports, what lies below it, or a benchmark."""
    base: Any = fairaudit
    path = name.split(".")
    if path[0] == "benchmarks":
        assert (ROOT.joinpath(*path)).with_suffix(".py").exists(), name
        return name
    for place, part in enumerate(path):
        module = ".".join(["fairaudit", *path[: place + 1]])
        if place < len(path) - 1 and importlib.util.find_spec(module):
            base = importlib.import_module(module)
        else:
            base = getattr(base, part)
    return base


def test_each_row_has_all_its_cells():
    assert {len(row) for row in ROWS} == {len(HEAD)}
    assert ROWS.count(HEAD) == PAPERS
    assert all(row[0] for row in ROWS)


@pytest.mark.parametrize(("part", "key", "value"), sorted(set(SETTING.findall(TEXT))))
def test_each_key_is_in_a_plan_and_takes_the_value(part, key, value):
    field = part_of(part).model_fields[key]
    given = tomllib.loads(f"value = {value}")["value"]
    TypeAdapter(field.rebuild_annotation()).validate_python(given)


@pytest.mark.parametrize("name", sorted({name for row in ROWS for name in NAME.findall(row[2])}))
def test_each_class_and_function_is_there(name):
    assert found(name) is not None


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(tests/[^`]+)`", TEXT))))
def test_each_file_is_there(path):
    assert (ROOT / path).exists()


def test_each_page_is_one_of_the_app():
    titles = {page.title for page in remedy_pages()} | {say(Message("remedy-way-compare"))}
    titles |= {page.label for page in (*STEPS, *DEEPER)}
    named = set(re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", TEXT))
    assert named and named <= titles, named - titles
