"""The gate fails closed: what is not declared, and what it does not know, does not leave."""

from __future__ import annotations

import dataclasses

import pandas as pd
import pytest

from fairaudit.catalog import REMEDIES
from fairaudit.disclosure.fields import export_of, exported_values
from fairaudit.disclosure.hidden import only_declared
from fairaudit.disclosure.remedies import hidden_details
from fairaudit.errors import DisclosureError
from fairaudit.remedies.part import RemedyPart

KINDS = [pytest.param(kind, id=type(kind).__name__) for kind in REMEDIES if kind.details is not None]


def filled(kind: type):
    """Return details that hold something in every field."""
    details = object.__new__(kind)
    for field in dataclasses.fields(kind):
        value = pd.DataFrame({"a": [1]}) if "DataFrame" in str(field.type) else "something"
        object.__setattr__(details, field.name, value)
    return details


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_says_who_may_see_it(kind):
    declared = {field.name: export_of(field) for field in dataclasses.fields(kind.details)}
    assert set(declared.values()) <= {"setting", "fitted"}, declared


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_that_is_not_declared_does_not_leave(kind):
    wide = dataclasses.make_dataclass(
        "Wide", [("diary", str, dataclasses.field(default="SECRET"))], bases=(kind.details,), frozen=True, eq=False
    )
    details = filled(wide)
    assert details.diary is not None
    for shown in (only_declared(details), hidden_details(details)):
        assert shown.diary is None and "diary" not in exported_values(shown)


@pytest.mark.parametrize("kind", KINDS)
def test_where_counts_are_hidden_only_settings_stay(kind):
    hidden = hidden_details(filled(kind.details))
    for field in dataclasses.fields(hidden):
        value = getattr(hidden, field.name)
        is_there = len(value) > 0 if isinstance(value, pd.DataFrame) else value is not None
        assert is_there is (export_of(field) == "setting"), field.name


def test_details_that_declare_nothing_do_not_leave():
    @dataclasses.dataclass(frozen=True)
    class Stranger:
        status: str = "optimal"

    assert hidden_details(Stranger()).status is None
    with pytest.raises(DisclosureError, match="Stranger"):
        only_declared(Stranger())


def test_a_kind_that_says_nothing_shows_no_figure_beside_hidden_counts():
    assert not RemedyPart(method="new").is_learned()
