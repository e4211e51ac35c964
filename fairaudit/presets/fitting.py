"""What of a table goes with a preset: columns, settings, and the values that mean not known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from fairaudit.columns import Column
from fairaudit.data.table import Table
from fairaudit.data.unknown_values import number_of, word_key
from fairaudit.errors import InputError, MissingColumnError, near_names, quote
from fairaudit.measure.grouping import is_missing, value_text
from fairaudit.presets.items import check_answer
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset, PresetRole

BLANK = "(blank)"
"""What a text without a letter, digit or sign is called."""


def unknown_text(value: object) -> str:
    """Write a value that was counted as unknown for people.

    Examples
    --------
    >>> unknown_text(3.0), unknown_text("  ")
    ('3', '(blank)')
    """
    return value_text(value) if value_text(value).strip() else BLANK


class UnknownValues:
    """What means unknown in one column.

    Of the words that a form lists, letter case, blanks and punctuation do not matter: "Decline To Self Identify" is
    "decline to self-identify"; a number is that number only, so that -1 is not 1. A person's own values mean just
    themselves, in small or capital letters. A text of blanks always means unknown.

    Parameters
    ----------
    words : iterable of str
        Values that a form lists.
    own : iterable of str
        Values that a plan adds.
    known : iterable of str
        Values that mean a group although they are among the others, spelled as in the column.

    Examples
    --------
    >>> values = UnknownValues(["n/a", "not stated", "3"], ["-1"], known=["NA"])
    >>> [value for value in ("Not-stated", "N/A", "NA", 3.0, " ", "White", -1, 1) if value in values]
    ['Not-stated', 'N/A', 3.0, ' ', -1]
    """

    def __init__(self, words: Iterable[str], own: Iterable[str] = (), known: Iterable[str] = ()) -> None:
        self._keys = {word_key(word.strip()) for word in words}
        self._own = {word.strip().casefold() for word in own}
        self._own_numbers = {number_of(word) for word in self._own} - {None}
        self._known = {text.strip() for text in known}

    def __contains__(self, value: object) -> bool:
        if is_missing(value):
            return False
        text = value_text(value).strip()
        if not text:
            return True
        if text in self._known:
            return False
        # Zeros can make a text differ from another, as 09 and 9; a number has none.
        same_number = not isinstance(value, str) and number_of(text) in self._own_numbers
        return same_number or text.casefold() in self._own or word_key(text) in self._keys


# Suggested columns.

NUMERIC = ("score", "amount")


def suggest_columns(preset: Preset, columns: Mapping[str, Column]) -> dict[str, str]:
    """Suggest a column for each role of a preset."""
    found: dict[str, str] = {}
    for role in preset.roles:
        usable = [
            name
            for name, column in columns.items()
            if name not in found.values() and (role.kind not in NUMERIC or column.kind == "number")
        ]
        ranked = [
            (_match_rank(name, hint), place, order, name)
            for place, hint in enumerate(role.suggest)
            for order, name in enumerate(usable)
        ]
        ranked += [(1, 0, order, name) for order, name in enumerate(usable) if _names_both_sides(name, role)]
        best = min((entry for entry in ranked if entry[0] is not None), default=None)
        if best is not None:
            found[role.role] = best[-1]
    return found


def _match_rank(name: str, hint: str) -> int | None:
    """Return how well a column's name fits a hint, 0 for best; None where it does not."""
    words, wanted = _words(name), _words(hint)
    if words == wanted:
        return 0
    if any(words[i : i + len(wanted)] == wanted for i in range(len(words))):
        return 1
    return 2 if len(hint) > 3 and "".join(wanted) in "".join(words) else None


def _names_both_sides(name: str, role: PresetRole) -> bool:
    """Say whether a column is called after both sides of a role, such as "women or men"."""
    words = set(_words(name))
    return bool(words.intersection(role.compared)) and bool(words.intersection(role.compared_with))


def _words(name: str) -> list[str]:
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return [word for word in re.split(r"[\W_]+", spaced.casefold()) if word]


# Columns and settings of a plan; a setting that the preset ignores is an error.


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
    for role in needed_roles(preset, table):
        if role.role not in plan.columns:
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


RECORD_SETTINGS = ("preset", "title", "answers", "reasons", "file_digest")
"""What a plan may say of a record."""


def check_record(preset: Preset, plan: PresetPlan) -> None:
    """Refuse what a record does not take, and texts that may not stand in it."""
    title = quote(plan.title or preset.title)
    values = {name: getattr(plan, name) for name in type(plan).model_fields if name not in RECORD_SETTINGS}
    lost = next((name for name, value in values.items() if value not in (None, {}, ())), None)
    if lost is not None:
        raise InputError(
            f"{quote(lost)} is given for {title}, which is filled from the other answers of the audit.",
            hint=f"Take {quote(lost)} away.",
        )
    asked = {item.item: item for item in preset.items if item.is_asked}
    for name, texts in (("answers", plan.answers), ("reasons", plan.reasons)):
        for key, text in texts.items():
            if key not in asked:
                raise InputError(f"{quote(name)} of {title} holds {quote(key)}.", hint=near_names(key, asked))
            if asked[key].before != (name == "reasons"):
                other = "reasons" if name == "answers" else "answers"
                raise InputError(
                    f"{quote(key)} of {title} stands under {quote(name)}, and not under {quote(other)}.",
                    hint="What is written before the result is sealed with the plan, and the rest is not.",
                )
            check_answer(asked[key], text)


def needed_roles(preset: Preset, table: Table) -> tuple[PresetRole, ...]:
    """Return the roles without which a form cannot be made of a table; published counts may be by some groups alone."""
    by_counts = table.source.options.counts is not None
    spared = [role.role for role in preset.roles_of("group") if by_counts and role.role not in preset.sided]
    return tuple(role for role in preset.roles if not role.optional and role.role not in spared)


def check_settings(preset: Preset, plan: PresetPlan) -> None:
    """Refuse settings that the preset would pass over."""
    title = quote(plan.title or preset.title)
    for name in ("answers", "reasons"):
        if getattr(plan, name):
            raise InputError(
                f"{quote(name)} of {title} is given, but the form is filled from columns.",
                hint=f"Take {quote(name)} away.",
            )
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
    for name, day in plan.remedied.items():
        if plan.reported is not None and day < plan.reported:
            raise InputError(
                f"'remedied' of {title} says {day} for {quote(name)}, before the report of {plan.reported}.",
                hint="Give the day on which the gap that was reported was remedied.",
            )
        if plan.audit_date is not None and day > plan.audit_date:
            raise InputError(
                f"'remedied' of {title} says {day} for {quote(name)}, after the day of the form, {plan.audit_date}.",
                hint="Name what is still to come among the measures.",
            )
    for name, is_asked, why in (
        ("measures", preset.is_joint, "the rule asks for no measures"),
        ("evaluation", preset.is_joint, "the rule asks for no earlier measures"),
        ("worker", preset.answers_worker, "the form answers no worker"),
    ):
        if getattr(plan, name) and not is_asked:
            raise InputError(f"{quote(name)} of {title} is given, but {why}.", hint=f"Take {quote(name)} away.")
    if not any(check.smallest_share for check in preset.checks):
        for name in ("leave_out_small", "reason"):
            value = getattr(plan, name)
            if value is not None:
                raise InputError(
                    f"{quote(name)} of {title} is {quote(_as_toml(value))}, but the rule calls no group small.",
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


def _as_toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
