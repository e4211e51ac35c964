"""What the command ``change`` does: the same question on two tables, or on the periods of one."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from fairaudit.audit.result import ChangeFinding
from fairaudit.cli.answers import Answered
from fairaudit.cli.options import add_fail_on, add_field, add_output, part_of
from fairaudit.cli.reading import (
    STANDARD_INPUT,
    add_data,
    add_decision,
    add_reading,
    check_outputs,
    decision_of,
    read_data,
    source_name,
)
from fairaudit.cli.running import answered, emit_not_known, watched_run
from fairaudit.cli.terminal import emit, one_line, readable, table_lines
from fairaudit.errors import InputError
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.questions import ChangePlan
from fairaudit.sections.change import recording_sentences, say_change, say_clustered, say_recording
from fairaudit.sections.change.answering import run_change
from fairaudit.sections.change.section import ChangeSection
from fairaudit.sections.change.tables import change_table, periods_table


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    add_data(parser, "BEFORE")
    parser.add_argument("later", metavar="AFTER", nargs="?", help="the table of the later period")
    add_field(parser, ChangePlan, "column", "COL", flag="--cut-by")
    add_field(parser, ChangePlan, "cuts", "VALUE", flag="--cut")
    add_decision(parser, parser.add_mutually_exclusive_group())
    parser.add_argument("--lower-is-better", action="store_true", help="with --amount: less is better")
    for name, metavar in (("protected", "COND"), ("where", "COND"), ("strata", "COL"), ("tolerance", "T")):
        add_field(parser, ChangePlan, name, metavar)
    for name, metavar in (("amount_tolerance", "T"), ("cluster", "COL"), ("confidence", "C")):
        add_field(parser, ChangePlan, name, metavar)
    add_output(parser)
    add_fail_on(parser, ChangeSection.fails)
    add_reading(parser)


def execute(options: Namespace) -> list[Answered]:
    """Answer whether a gap changed, and print it."""
    if (options.later is None) == (options.column is None):
        raise InputError(
            "Give either the table of the later period, or --cut-by with --cut.",
            hint="Such as: change 2023.csv 2024.csv, or: change all.csv --cut-by day --cut 2024-01-01.",
        )
    if (options.column is None) != (not options.cuts):
        raise InputError("--cut-by and --cut go together.", hint="Such as: --cut-by day --cut 2024-01-01.")
    if options.strata and len(options.cuts) > 1:
        raise InputError("--strata needs two periods, not more.", hint="Give one --cut.")
    if options.cluster is not None and len(options.cuts) > 1:
        raise InputError("--cluster needs two periods, not more.", hint="Give one --cut.")
    if options.cluster is not None and options.amount:
        raise InputError("--cluster does not go with --amount.", hint="Leave it out, or compare a favourable result.")
    if options.amount_tolerance is not None and not options.amount:
        raise InputError("--amount-tolerance goes with --amount.", hint="Without it, give --tolerance.")
    if options.data == options.later == STANDARD_INPUT:
        raise InputError("Standard input holds one table, got '-' twice.", hint="Name a file for one of them.")
    check_outputs(options.data, *([options.later] if options.later else []), plan=options.save_plan)
    table = read_data(options)
    later = None if options.later is None else read_data(Namespace(**vars(options) | {"data": options.later}))
    second = None if options.later is None else _beside_plan(options)
    asked = part_of(options, ChangePlan, second=second, second_fingerprint=None if later is None else later.fingerprint)
    decision = decision_of(options, table)
    plan = AuditPlan(data=DataPlan(source=source_name(options)), decision=decision, changes=(asked,))
    if options.save_plan or options.format == "json":
        plan = record_data(plan, table)
    if options.format == "json":
        # Here, because the export knows every remedy and form, which an answer in lines does without.
        from fairaudit.report.json_export import to_json

        base = None if options.save_plan is None else options.save_plan.parent
        result = watched_run(plan, table, base=base)
        emit(to_json(result).rstrip("\n"))
        [finding] = result.changes
    else:
        finding = run_change(table, plan, asked, second=later)
        emit(finding_text(finding))
        emit_not_known(finding.not_known)
    if options.save_plan:
        plan.save(options.save_plan)
    return [answered(ChangeSection(), finding)]


def finding_text(finding: ChangeFinding) -> str:
    """Return an answer as lines: the verdict, how the periods were recorded, and the gap of each period."""
    said, recording = say_change(finding), say_recording(finding)
    lines = [f"{say(said.verdict)}.", f"{say(said.headline)}.", *map(say, said.lead), *map(say, said.caution), ""]
    if recording is not None and recording.key not in {message.key for message in said.caution}:
        lines.append(say(recording))
    lines += [f"  {sentence}" for sentence in recording_sentences(finding)]
    tables = [periods_table(finding, 1), *([] if finding.result is None else [change_table(finding, 1)])]
    for table in tables:
        lines += ["", *table_lines(table)]
    lines += [*map(say, say_clustered(finding)), *finding.compared.warnings]
    return "\n".join(one_line(line) for line in lines)


def _beside_plan(options: Namespace) -> str:
    """Return the path of the later table as the plan shall name it."""
    if options.save_plan is None:
        return readable(options.later)
    return readable(Path(os.path.relpath(options.later, options.save_plan.parent)).as_posix())
