"""The gate for what a fit found: each field leaves as it declares, and what is not known stays."""

from __future__ import annotations

from dataclasses import fields, replace
from types import NoneType
from typing import Any

from fairaudit.disclosure.fields import export_of
from fairaudit.disclosure.hidden import nothing_of
from fairaudit.errors import DisclosureError
from fairaudit.outcomes.kind import OutcomeKind
from fairaudit.outcomes.registry import SHARES
from fairaudit.remedies.kind import OnAmounts, RemedyKind
from fairaudit.remedies.registry import RemedyPlan, kind_of


def hidden_details(finding: Any, minimum: int, outcome: OutcomeKind = SHARES, *, hidden: bool) -> Any:
    """Return details as they leave where counts under `minimum` are hidden; `hidden` says that groups are, too.

    A kind of remedy may show a part of a field that would be hidden as a whole, or hide more of it. What it does not
    name follows the declaration of the field. What never leaves it cannot show.
    """
    details = finding.details
    kind = _kind(finding.plan, details, outcome)
    if details is None:
        return None
    in_part = dict(kind.hide(finding, minimum, hidden=hidden))
    values = {}
    for field in fields(details):
        export = export_of(field)
        if export == "setting" or (export == "held_out" and not hidden):
            continue
        values[field.name] = nothing_of(getattr(details, field.name))
    never = [field.name for field in fields(details) if export_of(field) == "never" and field.name in in_part]
    if never:
        raise DisclosureError(f"The field {never[0]!r} of {type(details).__name__} is in no export.")
    return replace(details, **(values | in_part))


def _kind(plan: RemedyPlan, details: Any, outcome: OutcomeKind) -> RemedyKind | OnAmounts:
    """Return what a kind of remedy does with decisions of a kind; refuse details that it does not know."""
    kind = outcome.on(kind_of(plan))
    known = NoneType if kind is None or kind.details is None else kind.details.find()
    if kind is None or not isinstance(details, (known, NoneType)):
        raise DisclosureError(f"Details of the class {type(details).__name__} are not known to the gate.")
    return kind
