"""Check that the columns and settings of a plan go with a preset; a setting that the preset ignores is an error."""

from __future__ import annotations

from collections.abc import Iterable

from fairaudit.data.table import Table
from fairaudit.errors import InputError, MissingColumnError, quote
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset


def check_columns(preset: Preset, plan: PresetPlan, table: Table) -> None:
    """Refuse columns that are missing, of the wrong kind, or not what the preset takes."""
    known = {role.role: role for role in preset.roles}
    for name, columns in plan.columns.items():
        if name not in known:
            raise InputError(
                f"{quote(preset.key)} has no role {quote(name)}.", hint=f"Its roles are: {', '.join(known)}."
            )
        if len(columns) > 1 and known[name].kind != "amount":
            raise InputError(
                f"The role {quote(name)} of {quote(preset.key)} takes one column, got {len(columns)}.",
                hint="Name the one that holds it.",
            )
        for column in columns:
            if column not in table.columns:
                raise MissingColumnError(column, table.columns)
            if known[name].kind != "group" and table.column(column).kind != "number":
                raise InputError(
                    f"Column {quote(column)} must hold numbers to be the {known[name].label}.",
                    hint="Choose a column of numbers.",
                )
    for role in preset.roles:
        if not role.optional and role.role not in plan.columns:
            raise InputError(
                f"{quote(preset.title)} needs a column for {quote(role.label)}.",
                hint=f"Name it under columns, as {role.role} = ...",
            )
    groups = [role.role for role in preset.roles_of("group")]
    used = [plan.columns[role][0] for role in groups if role in plan.columns]
    if not used:
        raise InputError(
            f"{quote(preset.title)} needs at least one column that makes groups.",
            hint=f"Name one for: {', '.join(groups)}.",
        )
    if len(set(used)) < len(used):
        raise InputError(
            f"{quote(preset.title)} needs different columns for different roles.", hint="Name another for one of them."
        )


def check_settings(preset: Preset, plan: PresetPlan) -> None:
    """Refuse settings that the preset would pass over."""
    title = quote(plan.title or preset.title)
    for role, value in plan.references.items():
        if role not in open_references(preset):
            raise InputError(
                f"'references' of {title} names {quote(value)} for {quote(role)}, but the rule compares with the group "
                "with the highest rate.",
                hint=f"Take {role} out of 'references'.",
            )
    for role in plan.references:
        if role not in used_references(preset, plan.references):
            with_it = next(roles for roles in _open_tables(preset) if role in roles)
            others = [name for name in with_it if name not in plan.references]
            raise InputError(
                f"'references' of {title} names {quote(plan.references[role])} for {quote(role)}, but no table is by "
                f"{quote(role)} alone.",
                hint=f"Name a group for {' and '.join(others)}, too, or take {role} out of 'references'.",
            )
    groups = {role.role for role in preset.roles_of("group")}
    for name, values in (("unknown", plan.unknown), ("known", plan.known)):
        lost = next((role for role in values if role not in groups), None)
        if lost is not None:
            raise InputError(
                f"{quote(name)} of {title} holds {quote(values[lost][0])} for {quote(lost)}, which makes no groups.",
                hint=f"Name it for one of: {', '.join(sorted(groups))}.",
            )
    for name in ("compared", "compared_with"):
        lost = next((role for role in getattr(plan, name) if role not in preset.sided), None)
        if lost is not None:
            raise InputError(
                f"{quote(name)} of {title} names values for {quote(lost)}, which has no two sides.",
                hint=f"Take it away. Roles with two sides: {', '.join(preset.sided) or 'none'}.",
            )
    lost = next((role for role in plan.counted if preset.role(role).counted is None), None)
    if lost is not None:
        counted = [role.role for role in preset.roles if role.counted is not None]
        raise InputError(
            f"'counted' of {title} says who counts for {quote(lost)}, but the rule counts all who are looked at.",
            hint=f"Take it away. Roles for which it is known: {', '.join(counted) or 'none'}.",
        )
    if not any(check.mark_from is not None for check in preset.checks):
        for name in ("justified", "remedied", "reported"):
            if getattr(plan, name):
                raise InputError(
                    f"{quote(name)} of {title} is given, but the rule marks no category.",
                    hint=f"Take {quote(name)} away.",
                )
    if not any(check.smallest_share for check in preset.checks):
        for name in ("leave_out_small", "reason"):
            value = getattr(plan, name)
            if value is not None:
                raise InputError(
                    f"{quote(name)} of {title} is {quote(_written(value))}, but the rule calls no group small.",
                    hint=f"Take {quote(name)} away.",
                )
    if plan.reason is not None and not leaves_out_small(preset, plan):
        raise InputError(
            f"'reason' of {title} is {quote(plan.reason)}, but no small group is left out.",
            hint="Set leave_out_small = true, or take 'reason' away.",
        )


def open_references(preset: Preset) -> tuple[str, ...]:
    """Return the roles for which a plan may name the group that others are compared with."""
    return tuple(dict.fromkeys(role for roles in _open_tables(preset) for role in roles))


def used_references(preset: Preset, named: Iterable[str]) -> tuple[str, ...]:
    """Return those of some roles with a reference that a table goes by: one all of whose roles have a reference."""
    found = set(named)
    complete = [roles for roles in _open_tables(preset) if found.issuperset(roles)]
    return tuple(dict.fromkeys(role for roles in complete for role in roles))


def leaves_out_small(preset: Preset, plan: PresetPlan) -> bool:
    """Say whether small groups are left out of the ratios of any table."""
    usual = any(check.leave_out_small for check in preset.checks)
    return usual if plan.leave_out_small is None else plan.leave_out_small


def _open_tables(preset: Preset) -> list[tuple[str, ...]]:
    """Return the roles of each table for which a plan may name the group that others are compared with."""
    return [
        roles
        for check in preset.checks
        if check.measure == "means" or check.reference == "largest"
        for roles in check.by
    ]


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
