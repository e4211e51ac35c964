"""The gate fails closed: what is not declared, and what it does not know, does not leave."""

from __future__ import annotations

import dataclasses

import pandas as pd
import pytest

from fairaudit.disclosure.fields import export_of, exported_values, held_out, learned, setting
from fairaudit.disclosure.hidden import only_declared
from fairaudit.disclosure.remedies import hidden_details
from fairaudit.errors import DisclosureError
from fairaudit.late import Late
from fairaudit.outcomes import OUTCOMES
from fairaudit.plan.parts import Part
from fairaudit.remedies.kind import OnAmounts, RemedyKind, no_change
from fairaudit.remedies.registry import REMEDIES

ON_RATES = [(kind, kind, False) for kind in REMEDIES]
ON_AMOUNTS = [(kind, kind.on_amounts, True) for kind in REMEDIES if kind.on_amounts is not None]
KINDS = [
    pytest.param(*each, id=f"{each[0].method}{' of amounts' * each[2]}")
    for each in (*ON_RATES, *ON_AMOUNTS)
    if each[1].details is not None
]


@dataclasses.dataclass(frozen=True)
class Finding:
    """As much of a finding as the gate asks for."""

    plan: object
    details: object


@dataclasses.dataclass(frozen=True)
class Home:
    """Where the class of details is found."""

    kind: type

    def find(self) -> type:
        return self.kind


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

    def widen(kind, on, amount, hide=no_change):
        field = ("diary", str, dataclasses.field(default="SECRET"))
        wide = dataclasses.make_dataclass("Wide", [field], bases=(on.details.find(),), frozen=True, eq=False)
        changed = dataclasses.replace(on, details=Home(wide), hide=hide)
        changed = dataclasses.replace(kind, on_amounts=changed) if amount else changed
        monkeypatch.setattr("fairaudit.disclosure.remedies.kind_of", lambda _: changed)
        return Finding(kind.plan.model_construct(), _with_diary(filled(wide)))

    return widen


def _with_diary(details):
    object.__setattr__(details, "diary", "SECRET")
    return details


@pytest.mark.parametrize(("kind", "on", "amount"), KINDS)
def test_every_field_says_who_may_see_it(kind, on, amount):
    declared = {field.name: export_of(field) for field in dataclasses.fields(on.details.find())}
    assert set(declared.values()) <= {"setting", "held_out", "learned"}, declared


@pytest.mark.parametrize(("kind", "on", "amount"), KINDS)
def test_a_field_that_is_not_declared_does_not_leave(kind, on, amount, wider):
    finding = wider(kind, on, amount)
    shown = only_declared(finding.details)
    masked = [hidden_details(finding, 10, OUTCOMES[amount], hidden=hidden) for hidden in (False, True)]
    assert all(details.diary is None for details in (shown, *masked))
    assert all("diary" not in exported_values(details) for details in (shown, *masked))


@pytest.mark.parametrize(("kind", "on", "amount"), KINDS)
def test_a_field_that_never_leaves_cannot_be_shown_in_part(kind, on, amount, wider):
    finding = wider(kind, on, amount, hide=lambda *_, **__: {"diary": "SECRET"})
    with pytest.raises(DisclosureError, match="'diary'"):
        hidden_details(finding, 10, OUTCOMES[amount], hidden=False)


@pytest.mark.parametrize(("kind", "on", "amount"), KINDS)
def test_fields_are_hidden_as_they_declare(kind, on, amount, wider):
    finding = wider(kind, on, amount)
    for hidden, stay in ((False, {"setting", "held_out"}), (True, {"setting"})):
        masked = hidden_details(finding, 10, OUTCOMES[amount], hidden=hidden)
        for field in dataclasses.fields(masked):
            value = getattr(masked, field.name)
            is_there = len(value) > 0 if isinstance(value, pd.DataFrame) else value is not None
            assert is_there is (export_of(field) in stay), field.name


@pytest.mark.parametrize(("kind", "on", "amount"), KINDS)
def test_details_of_a_class_that_the_kind_does_not_know_do_not_leave(kind, on, amount):
    @dataclasses.dataclass(frozen=True)
    class Stranger:
        status: str = "optimal"

    plan = kind.plan.model_construct()
    with pytest.raises(DisclosureError, match="Stranger"):
        only_declared(Stranger())
    with pytest.raises(DisclosureError, match="Stranger"):
        hidden_details(Finding(plan, Stranger()), 10, OUTCOMES[amount], hidden=False)


def test_a_kind_without_details_shows_none():
    bare = [kind for kind in REMEDIES if kind.details is None]
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
    kind = RemedyKind(method="new", plan=Part, noun="model", fit=Late("a:b"), name=Late("a:b"), done=Late("a:b"))
    on_amounts = OnAmounts(fit=Late("a:b"), name=Late("a:b"), done=Late("a:b"))
    assert kind.by_conditions
    assert kind.counts_people(details)
    for hidden in (kind.without_people(details), on_amounts.with_shared_amounts(details, float)):
        assert dataclasses.astuple(hidden) == ("age > 30", None, None)
