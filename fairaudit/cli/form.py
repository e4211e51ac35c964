"""What the command ``form`` does: the form of a rule from a file, without writing a plan."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path

from fairaudit.cli import help_texts
from fairaudit.cli.answers import Answered
from fairaudit.cli.options import MANY, add_field, add_output
from fairaudit.cli.reading import (
    add_data,
    add_decision,
    add_reading,
    check_outputs,
    read_data,
    source_name,
    with_decision_made,
)
from fairaudit.cli.running import answered, watched_run
from fairaudit.cli.terminal import aligned, emit, one_line, readable
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.table import Table
from fairaudit.disclosure.gate import exported
from fairaudit.errors import InputError, PlanError, quote, require
from fairaudit.files import write_files
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import open_data, record_data
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.roles import outcome_in_labels
from fairaudit.present.blocks import TableBlock, row_texts
from fairaudit.present.naming import listed
from fairaudit.presets.asked import with_suggested_columns
from fairaudit.presets.document import shown_table
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.fitting import open_references
from fairaudit.presets.plan import PresetPlan, as_day
from fairaudit.presets.preset import Preset, find_presets, forms_beside, open_preset
from fairaudit.presets.tables import figure_tables
from fairaudit.report.composing import write_report
from fairaudit.report.json_export import to_json
from fairaudit.sections.forms import answer_text
from fairaudit.sections.forms.details import own_notes, undecided_notes
from fairaudit.sections.forms.records import answers as record_answers
from fairaudit.sections.forms.section import FormsSection

PAIRS = {
    "--justified": ("CATEGORY=REASON", '"grade 3=scarce skills, by the agreement of 2026"'),
    "--counted": ("ROLE=COND", "\"pay=full_pay = 'yes'\""),
    "--answer": ("ITEM=TEXT", '"interest=who can do the job"'),
    "--remedied": ("CATEGORY=DAY", '"grade 3=2027-09-01"'),
    "--measures": ("CATEGORY=TEXT", '"grade 3=one pay band for all from 2027 on"'),
}
"""How the value of an option is written, and an example, where it is no role and value."""


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("--list", action="store_true", help="list the forms, their rules and their roles")
    parser.add_argument("form", metavar="KEY", nargs="?", help="which form: a key, or a file that ends in .toml")
    add_data(parser, nargs="?")
    parser.add_argument(
        "--column",
        **MANY,
        metavar="ROLE=COL",
        help="the column for a role; may be repeated. Without it, a column of groups is found by its name",
    )
    add_decision(parser, parser.add_mutually_exclusive_group(), amount=False)
    add_field(parser, PresetPlan, "where", "COND")
    for option, metavar, text in help_texts.FORM_PAIRS:
        parser.add_argument(option, **MANY, metavar=metavar, help=text)
    parser.add_argument(
        "--answer", **MANY, metavar="ITEM=TEXT", help="of a record, which is filled from a saved audit: what you write"
    )
    add_field(parser, PresetPlan, "reported", "DAY")
    add_field(parser, PresetPlan, "evaluation", "TEXT")
    add_field(parser, PresetPlan, "worker", "COND")
    small = parser.add_mutually_exclusive_group()
    small.add_argument(
        "--leave-out-small", action="store_true", help="leave groups that the rule calls small out of the ratios"
    )
    small.add_argument("--keep-small", action="store_true", help="keep them in, where the form leaves them out")
    for name, metavar in (
        ("reason", "TEXT"),
        ("data_words", "TEXT"),
        ("audit_date", "DAY"),
        ("distribution_date", "DAY"),
    ):
        add_field(parser, PresetPlan, name, metavar)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write PDF, HTML, CSV tables, JSON and the saved audit there"
    )
    add_output(parser)
    add_reading(parser)


def execute(options: Namespace) -> list[Answered]:
    """Fill the form of a rule from a file, or list the forms."""
    if options.list or options.form is None:
        emit(listing(as_json=options.format == "json"))
        return []
    if options.data is None:
        raise InputError("'form' needs the data, after the key of the form.", hint="See: form --help")
    if open_preset(readable(options.form)).preset.is_record:
        return _fill_record(options)
    if options.answer:
        raise InputError("--answer is for records, and this form is filled from columns.", hint="Take it away.")
    check_outputs(options.data, options.form, out=options.out, plan=options.save_plan)
    table = read_data(options)
    plan = preset_plan(with_decision_made(options, table), table, source_name(options))
    result = watched_run(plan, table)
    [finding] = result.presets
    emit(to_json(result).rstrip("\n") if options.format == "json" else preset_text(finding))
    if options.out:
        for path in write_report(result, options.out):
            emit(f"wrote {one_line(path)}")
    if options.save_plan:
        place = options.save_plan
        parts, forms = forms_beside(plan.presets, place.parent, reserved=(place.name,))
        saved = plan.model_copy(update={"presets": parts})
        write_files({place: saved.to_toml().encode()} | forms)
    return [answered(FormsSection(), finding)]


def _fill_record(options: Namespace) -> list[Answered]:
    """Fill a record from a saved audit, whose other questions are answered first."""
    file, place = open_preset(readable(options.form)), Path(options.data)
    if place.suffix != ".toml":
        raise InputError(
            f"{quote(file.preset.title)} is filled from a saved audit, got {quote(place.name)}.",
            hint=f"Write: form {file.preset.key} audit.toml --answer ITEM=TEXT",
        )
    check_outputs(place, options.form, out=options.out, plan=options.save_plan)
    plan = AuditPlan.load(place)
    key = readable(options.form)
    kept = next((part for part in plan.presets if part.preset == key), PresetPlan(preset=key, file_digest=file.digest))
    said = dict(_pairs(options.answer, "--answer"))
    before = {item.item for item in file.preset.items if item.before}
    part = kept.model_copy(
        update={
            "answers": kept.answers | {name: text for name, text in said.items() if name not in before},
            "reasons": kept.reasons | {name: text for name, text in said.items() if name in before},
        }
    )
    others = tuple(each for each in plan.presets if each.preset != key)
    plan = plan.model_copy(update={"presets": (*others, part)})
    if options.save_plan:
        write_files({options.save_plan: plan.to_toml().encode()})
    result = exported(watched_run(plan, open_data(plan, base=place.parent), base=place.parent))
    finding = result.presets[-1]
    emit(to_json(result).rstrip("\n") if options.format == "json" else record_text(finding))
    if options.out:
        for path in write_report(result, options.out, base=place.parent):
            emit(f"wrote {one_line(path)}")
    return [answered(FormsSection(), finding)]


def record_text(finding: PresetFinding) -> str:
    """Return a record as lines for a terminal; what nobody states yet is named last."""
    lines = [answer_text(finding), ""]
    lines += [f"{item.label}: {text}" for item, _, text in record_answers(finding) if text]
    lines += [
        say(Message("cli-form-open", {"label": Phrase(finding.preset.item(name).label), "item": Phrase(name)}))
        for name in require(finding.record).open
    ]
    lines += ["", f"{finding.preset.rule}, {finding.preset.section}.", finding.preset.notice]
    return "\n".join(map(one_line, lines))


def listing(*, as_json: bool) -> str:
    """Return all presets: key, title and section, or everything as JSON; files that cannot be read are named."""
    files, errors = find_presets()
    presets = [file.preset for file in files]
    notes = [f"Not read: {error.message} {error.hint or ''}".rstrip() for error in errors]
    if as_json:
        sys.stderr.writelines(f"{one_line(sentence)}\n" for sentence in notes)
        return json.dumps([preset.model_dump(mode="json") for preset in presets], ensure_ascii=False, indent=2)
    lines = []
    for preset in presets:
        roles = ", ".join(f"[{role.role}]" if role.optional else role.role for role in preset.roles)
        asked = ", ".join(item.item if item.needed else f"[{item.item}]" for item in preset.items if item.is_asked)
        taken = f"  answers: {asked}" if preset.is_record else f"  roles: {roles}"
        lines += [f"{preset.key}: {preset.title}", f"  {preset.section}; {preset.date}", taken, ""]
    lines.append("A role or answer in brackets may be left out. What takes answers is filled from a saved audit.")
    lines += notes
    return "\n".join(map(one_line, lines))


def preset_plan(options: Namespace, table: Table, source: str) -> AuditPlan:
    """Return the plan that the arguments of the command stand for."""
    file = open_preset(readable(options.form))
    preset = file.preset
    columns = _columns(options, preset, table)
    references, unknown, known, counted, compared, compared_with = (
        _by_role(getattr(options, name), f"--{name.replace('_', '-')}", columns)
        for name in ("reference", "unknown", "known", "counted", "compared", "compared_with")
    )
    part = PresetPlan(
        preset=readable(options.form),
        columns=columns,
        where=options.where,
        references={role: values[-1] for role, values in references.items()},
        unknown=unknown,
        known=known,
        counted={role: texts[-1] for role, texts in counted.items()},
        compared=compared,
        compared_with=compared_with,
        justified=dict(_pairs(options.justified, "--justified")),
        remedied={name: require(_day(day, "--remedied")) for name, day in _pairs(options.remedied, "--remedied")},
        reported=_day(options.reported, "--reported"),
        measures=dict(_pairs(options.measures, "--measures")),
        evaluation=options.evaluation,
        worker=options.worker,
        leave_out_small=options.leave_out_small or (False if options.keep_small else None),
        reason=options.reason,
        data_words=options.data_words,
        audit_date=_day(options.audit_date, "--audit-date"),
        distribution_date=_day(options.distribution_date, "--distribution-date"),
        file_digest=file.digest,
    )
    plan = AuditPlan(data=DataPlan(source=source), decision=_decision(options, preset, columns, table), presets=(part,))
    return record_data(plan, table)


def preset_text(finding: PresetFinding) -> str:
    """Return a filled form as lines for a terminal."""
    columns = ", ".join(f"{role} = {' and '.join(names)}" for role, names in finding.plan.columns.items())
    lines = [answer_text(finding)]
    lines += [*undecided_notes(finding, where="command"), "", f"Columns: {columns}."]
    for table in figure_tables(finding):
        lines += _table_lines(table)
    lines += [
        "",
        *_asked(finding),
        *own_notes(finding),
        f"{finding.preset.rule}, {finding.preset.section}.",
        finding.preset.notice,
    ]
    return "\n".join(map(one_line, lines))


def _asked(finding: PresetFinding) -> list[str]:
    """Return what the rule asks to publish and is not given, and which group others could be compared with."""
    plan, lines = finding.plan, []
    if finding.preset.publishes:
        lacking = [
            option
            for option, value in (
                ("--reason" if finding.left_out else None, plan.reason),
                ("--data-words", plan.data_words),
                ("--audit-date", plan.audit_date),
                ("--distribution-date", plan.distribution_date),
            )
            if option is not None and value is None
        ]
        lines += [say(Message("cli-form-lacks", {"options": Phrase(", ".join(lacking))}))] if lacking else []
    left = [role for role in open_references(finding.preset) if role in plan.columns and role not in plan.references]
    if left:
        lines.append(say(Message("cli-form-reference", {"roles": Phrase(", ".join(left)), "role": Phrase(left[0])})))
    return lines


def _day(text: str | None, option: str) -> str | None:
    """Return the day of an option; the sentence on one that is none begins with the option."""
    try:
        return as_day(text)
    except InputError as error:
        raise InputError(f"{option} {error.message}.", hint=error.hint) from None


def _by_role(texts: Iterable[str], option: str, columns: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the values of an option by role; each role must have a column."""
    given: dict[str, tuple[str, ...]] = {}
    for role, value in _pairs(texts, option):
        if role not in columns:
            raise InputError(
                f"{option} names the role {quote(role)}, which has no column.",
                hint=f"Roles with a column: {', '.join(columns)}.",
            )
        given[role] = (*given.get(role, ()), value)
    return given


def _columns(options: Namespace, preset: Preset, table: Table) -> dict[str, tuple[str, ...]]:
    """Return the columns by role: those that are given, and for groups those that their names suggest."""
    given: dict[str, tuple[str, ...]] = {}
    for role, column in _pairs(options.column, "--column"):
        given[role] = (*given.get(role, ()), column)
    return with_suggested_columns(preset, given, table)


def _decision(options: Namespace, preset: Preset, columns: dict[str, tuple[str, ...]], table: Table) -> OutcomePlan:
    if options.decision is not None:
        if not options.favorable and not options.favorable_when:
            raise InputError("--decision needs --favorable, the value that is a favourable result.")
        said = tuple(options.favorable), options.favorable_when
        named = OutcomePlan(column=options.decision, favorable=said[0], favorable_when=said[1])
        return outcome_in_labels(named, table)
    numbers = [role.role for role in preset.roles if role.kind != "group" and role.role in columns]
    needed = [role for role in preset.roles if not role.optional and role.role not in columns]
    lacks_column = any(role.kind != "group" for role in needed)
    if lacks_column or not numbers:
        # Of numbers of cases, it is asked first what they are.
        as_weighted(table)
    if lacks_column:
        raise InputError(
            f"{quote(preset.title)} needs a column for {listed([quote(role.label) for role in needed])}.",
            hint=f"Name it: {' '.join(f'--column {role.role}=COL' for role in needed)}. Each row is one person.",
        )
    if not numbers:
        hint = "Or name a column of numbers, as --column score=COL." if preset.roles_of("score") else None
        raise InputError("--decision and --favorable say which column holds the decision.", hint=hint)
    return OutcomePlan(column=columns[numbers[0]][0], amount=True)


def _pairs(texts: Iterable[str], option: str) -> list[tuple[str, str]]:
    pairs = []
    for text in texts:
        role, mark, value = text.partition("=")
        if not mark or not role.strip() or not value:
            what = PAIRS.get(option, ("ROLE=VALUE", "sex=gender"))
            raise PlanError(f"{option} must be {what[0]}, got {quote(text)}.", hint=f"Write {option} {what[1]}.")
        pairs.append((role.strip(), value))
    return pairs


def _table_lines(table: TableBlock) -> list[str]:
    shown = shown_table(table)
    cells = [tuple(column.label for column in shown.columns), *map(tuple, row_texts(shown))]
    return ["", f"{table.title}:", *aligned(cells), *([table.note] if table.note else [])]
