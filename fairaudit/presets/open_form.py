"""A form of a rule beside the table that it is filled from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.measure.grouping import plain_value
from fairaudit.presets.fitting import UnknownValues, unknown_text
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset, PresetCheck

Seen = dict[str, list[object]]
"""The values that were counted as unknown, by column."""


@dataclass(frozen=True)
class OpenForm:
    """A form and what it is filled from."""

    preset: Preset
    plan: PresetPlan
    table: Table
    where: Condition | None

    @property
    def groups(self) -> dict[str, str]:
        """The columns that make groups, by role."""
        named = (role.role for role in self.preset.roles_of("group"))
        return {role: self.plan.columns[role][0] for role in named if role in self.plan.columns}

    def sets(self, check: PresetCheck) -> list[tuple[str, ...]]:
        """Return the roles that make the groups of each table, without those that have no column."""
        return [roles for roles in check.by if all(role in self.groups for role in roles)]

    @property
    def amounts(self) -> list[str]:
        """The columns of amounts."""
        return [name for role in self.preset.roles_of("amount") for name in self.plan.columns.get(role.role, ())]

    def used(self, measure: str) -> list[str]:
        """Return the roles that make the groups of any table of this measure."""
        checks = [check for check in self.preset.checks if check.measure == measure]
        return [role for role in self.groups if any(role in roles for check in checks for roles in self.sets(check))]

    def terms(self, roles: Sequence[str]) -> dict[str, str]:
        """Return the columns of these roles by names of their own, which no figure has."""
        return {f"by {role}": self.groups[role] for role in roles}

    def names(self, roles: Sequence[str]) -> list[str]:
        """Return the columns of these roles."""
        return [self.groups[role] for role in roles]

    def unknown(self, role: str) -> UnknownValues:
        """Return what means unknown in the column of a role."""
        said = dict(self.table.source.options.real_values).get(self.groups[role], ())
        known = (*self.plan.known.get(role, ()), *said)
        return UnknownValues(self.preset.unknown_words, self.plan.unknown.get(role, ()), known)

    def chosen(self, roles: Sequence[str], check: PresetCheck) -> list[str] | None:
        """Return the values of the reference group, where the plan names one for each of the roles."""
        fixed = check.measure == "rates" and check.reference == "highest"
        if fixed or not all(role in self.plan.references for role in roles):
            return None
        return [self.plan.references[role] for role in roles]


def unknown_as_missing(form: OpenForm, frame: pd.DataFrame, roles: Sequence[str]) -> tuple[pd.DataFrame, Seen]:
    """Return counts with a missing value where a value means unknown, and these values by column."""
    frame, seen = frame.copy(), {}
    for role, key in zip(roles, form.terms(roles), strict=True):
        values, meant = frame[key], form.unknown(role)
        unknown = values.map(lambda value, meant=meant: value in meant).fillna(False).astype(bool)
        seen[form.groups[role]] = sorted({plain_value(value) for value in values[unknown].tolist()}, key=unknown_text)
        frame[key] = values.astype(object).where(~unknown & values.notna(), None)
    return frame, seen


def add_seen(seen: Seen, values: Seen) -> None:
    """Add values that were counted as unknown."""
    for column, unknown in values.items():
        seen[column] = list(dict.fromkeys([*seen.get(column, ()), *unknown]))


def role_labels(form: OpenForm, roles: Sequence[str]) -> Argument:
    """Return the labels of roles as a part of a message."""
    first, *more = (Phrase(form.preset.role(role).label) for role in roles)
    said: Argument = first
    for role in more:
        said = Message("form-no-table-and", {"roles": said, "role": role})
    return said
