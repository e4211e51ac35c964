"""The gate fails closed: what is not declared, and what it does not know, does not leave."""

from __future__ import annotations

import dataclasses

import pandas as pd
import pytest

from fairaudit.catalog import REMEDIES, remedies_on
from fairaudit.disclosure.fields import export_of, exported_values, held_out, learned, setting
from fairaudit.disclosure.hidden import only_declared
from fairaudit.disclosure.remedies import hidden_details
from fairaudit.errors import DisclosureError
from fairaudit.outcomes import SHARES
from fairaudit.remedies.part import RemedyPart
from fairaudit.remedies.section import AnyRemedy, RemedySection

KINDS = [pytest.param(kind, id=type(kind).__name__) for kind in REMEDIES if kind.details is not None]


@dataclasses.dataclass(frozen=True)
class Finding:
    """As much of a finding as the gate asks for."""

    plan: object
    details: object


def filled(kind: type):
    """Return details that hold something in every field."""
    details = object.__new__(kind)
    for field in dataclasses.fields(kind):
        value = pd.DataFrame({"a": [1]}) if "DataFrame" in str(field.type) else "something"
        object.__setattr__(details, field.name, value)
    return details


@pytest.fixture
def wider(monkeypatch):
    """Return a function that gives a kind details with one more field, a diary that declares nothing."""

    def widen(kind: AnyRemedy, shown: dict[str, str] | None = None) -> Finding:
        field = ("diary", str, dataclasses.field(default="SECRET"))
        wide = dataclasses.make_dataclass("Wide", [field], bases=(kind.details,), frozen=True, eq=False)
        changed = type("Wider", (type(kind),), {"details": wide, "hide": lambda *_, **__: shown or {}})()
        monkeypatch.setattr("fairaudit.disclosure.remedies.remedies_on", lambda _: (changed,))
        return Finding(kind.plan.model_construct(), _with_diary(filled(wide)))

    return widen


def _with_diary(details):
    object.__setattr__(details, "diary", "SECRET")
    return details


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_says_who_may_see_it(kind):
    declared = {field.name: export_of(field) for field in dataclasses.fields(kind.details)}
    assert set(declared.values()) <= {"setting", "held_out", "learned"}, declared


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_that_is_not_declared_does_not_leave(kind, wider):
    finding = wider(kind)
    shown = only_declared(finding.details)
    masked = [hidden_details(finding, 10, kind.outcome, hidden=hidden) for hidden in (False, True)]
    assert all(details.diary is None for details in (shown, *masked))
    assert all("diary" not in exported_values(details) for details in (shown, *masked))


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_that_never_leaves_cannot_be_shown_in_part(kind, wider):
    finding = wider(kind, {"diary": "SECRET"})
    with pytest.raises(DisclosureError, match="'diary'"):
        hidden_details(finding, 10, kind.outcome, hidden=False)


@pytest.mark.parametrize("kind", KINDS)
def test_fields_are_hidden_as_they_declare(kind, wider):
    finding = wider(kind)
    for hidden, stay in ((False, {"setting", "held_out"}), (True, {"setting"})):
        masked = hidden_details(finding, 10, kind.outcome, hidden=hidden)
        for field in dataclasses.fields(masked):
            value = getattr(masked, field.name)
            is_there = len(value) > 0 if isinstance(value, pd.DataFrame) else value is not None
            assert is_there is (export_of(field) in stay), field.name


@pytest.mark.parametrize("kind", KINDS)
def test_details_of_a_class_that_the_kind_does_not_know_do_not_leave(kind):
    @dataclasses.dataclass(frozen=True)
    class Stranger:
        status: str = "optimal"

    plan = kind.plan.model_construct()
    with pytest.raises(DisclosureError, match="Stranger"):
        only_declared(Stranger())
    with pytest.raises(DisclosureError, match="Stranger"):
        hidden_details(Finding(plan, Stranger()), 10, kind.outcome, hidden=False)


def test_a_kind_without_details_shows_none():
    bare = [kind for kind in remedies_on(SHARES) if kind.details is None]
    assert bare
    for kind in bare:
        plan = kind.plan.model_construct()
        with pytest.raises(DisclosureError):
            hidden_details(Finding(plan, object()), 10, hidden=False)
        assert hidden_details(Finding(plan, None), 10, hidden=False) is None


def test_a_kind_that_says_nothing_hides_most():
    @dataclasses.dataclass(frozen=True)
    class Details:
        rule: str = setting(default="age > 30")
        n: int = held_out(default=3)
        loss: float = learned(default=0.5)

    details = Details()
    new = type("New", (RemedySection,), {"plan": RemedyPart, "fit": None, "name": None, "done": None})()
    assert new.plan.by_conditions
    assert new.counts_people(details) and not new.keeps_people
    for hidden in (new.without_people(details), new.with_shared_amounts(details, float)):
        assert dataclasses.astuple(hidden) == ("age > 30", None, None)
