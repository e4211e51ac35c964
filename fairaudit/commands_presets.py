"""What the command ``preset`` does: the form of a rule from a file, without writing a plan."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterable

from fairaudit.data.table import Table
from fairaudit.errors import InputError, PlanError, quote
from fairaudit.plan import AuditPlan, DataPlan, OutcomePlan
from fairaudit.plan_data import record_data
from fairaudit.plan_presets import PresetPlan
from fairaudit.presets import Preset, PresetFinding, list_presets, load_preset, suggest_columns
from fairaudit.report.blocks import Table as Block
from fairaudit.report.blocks import cell_text
from fairaudit.report.chapters.presets import shown_table
from fairaudit.report.preset_words import preset_verdict
from fairaudit.report.tables_presets import means_table, rates_table
from fairaudit.terminal import aligned, one_line, readable


def listing(*, as_json: bool) -> str:
    """Return all presets: key, title and section, or everything as JSON."""
    presets = list_presets()
    if as_json:
        return json.dumps([preset.model_dump(mode="json") for preset in presets], ensure_ascii=False, indent=2)
    lines = []
    for preset in presets:
        roles = ", ".join(f"[{role.role}]" if role.optional else role.role for role in preset.roles)
        lines += [f"{preset.key}: {preset.title}", f"  {preset.section}; {preset.date}", f"  roles: {roles}", ""]
    lines.append("A role in brackets may be left out.")
    return "\n".join(map(one_line, lines))


def preset_plan(options: Namespace, table: Table, source: str) -> AuditPlan:
    """Return the plan that the arguments of the command stand for.

    Parameters
    ----------
    options : Namespace
        Of the command.
    table : Table
        The data.
    source : str
        What the plan calls them.

    Returns
    -------
    AuditPlan
        With one form and no question; it knows the data.

    Raises
    ------
    PlanError
        If there is no such preset.
    InputError
        If the arguments do not go together or name what is not there.
    """
    preset = load_preset(readable(options.preset))
    columns = _columns(options, preset, table)
    references = dict(_pairs(options.reference, "--reference"))
    lost = [role for role in references if role not in columns]
    if lost:
        raise InputError(
            f"--reference names the role {quote(lost[0])}, which has no column.",
            hint=f"Roles with a column: {', '.join(columns)}.",
        )
    part = PresetPlan(
        preset=readable(options.preset),
        columns=columns,
        where=options.where,
        references=references,
        leave_out_small=True if options.leave_out_small else None,
        reason=options.reason,
        data_words=options.data_words,
        dates=options.dates,
    )
    plan = AuditPlan(data=DataPlan(source=source), decision=_decision(options, preset, columns), presets=(part,))
    return record_data(plan, table)


def preset_text(finding: PresetFinding) -> str:
    """Return a filled form as lines for a terminal."""
    columns = ", ".join(f"{role} = {' and '.join(names)}" for role, names in finding.plan.columns.items())
    lines = [" ".join(part for part in preset_verdict(finding) if part), "", f"Columns: {columns}."]
    for position, told in enumerate(finding.rates, start=1):
        lines += _table_lines(rates_table(finding, told, 1, position))
    for position, told in enumerate(finding.means, start=1):
        lines += _table_lines(means_table(finding, told, 1, position))
    lines += ["", *finding.notes, f"{finding.preset.rule}, {finding.preset.section}.", finding.preset.notice]
    return "\n".join(map(one_line, lines))


def _columns(options: Namespace, preset: Preset, table: Table) -> dict[str, tuple[str, ...]]:
    """Return the columns by role: those that are given, and for groups those that their names suggest."""
    given: dict[str, tuple[str, ...]] = {}
    for role, column in _pairs(options.column, "--column"):
        given[role] = (*given.get(role, ()), column)
    kinds = {role.role: role.kind for role in preset.roles}
    for role, column in suggest_columns(preset, table.columns).items():
        # A score takes the place of the decision, and amounts are many: neither is guessed.
        if role not in given and kinds[role] == "group" and column not in {name for c in given.values() for name in c}:
            given[role] = (column,)
    return given


def _decision(options: Namespace, preset: Preset, columns: dict[str, tuple[str, ...]]) -> OutcomePlan:
    if options.decision is not None:
        if not options.favorable and not options.favorable_when:
            raise InputError("--decision needs --favorable, the value that is a good outcome.")
        return OutcomePlan(
            column=options.decision, favorable=tuple(options.favorable), favorable_when=options.favorable_when
        )
    numbers = [role.role for role in preset.roles if role.kind != "group" and role.role in columns]
    if not numbers:
        hint = "Or name a column of numbers, as --column score=COL." if preset.roles_of("score") else None
        raise InputError("--decision and --favorable say which column holds the decision.", hint=hint)
    return OutcomePlan(column=columns[numbers[0]][0], amount=True)


def _pairs(texts: Iterable[str], option: str) -> list[tuple[str, str]]:
    pairs = []
    for text in texts:
        role, mark, value = text.partition("=")
        if not mark or not role.strip() or not value:
            raise PlanError(f"{option} must be ROLE=VALUE, got {quote(text)}.", hint=f"Write {option} sex=gender.")
        pairs.append((role.strip(), value))
    return pairs


def _table_lines(table: Block) -> list[str]:
    shown = shown_table(table)
    cells = [tuple(column.label for column in shown.columns)]
    for row in shown.rows:
        values = zip(shown.columns, row, strict=True)
        cells.append(tuple(cell_text(value, column.kind, digits=column.digits) for column, value in values))
    return ["", f"{table.title}:", *aligned(cells), *([table.note] if table.note else [])]
