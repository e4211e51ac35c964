"""What the command ``worst`` does: look for the groups that fare worst, answered in lines or as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.cli.answers import Answered
from fairaudit.cli.options import add_fail_on, add_field, add_output, part_of
from fairaudit.cli.reading import (
    add_data,
    add_decision,
    add_predicted,
    add_reading,
    check_outputs,
    decision_of,
    predicted_as,
    read_data,
    source_name,
)
from fairaudit.cli.running import answered, emit_not_known, watched_run
from fairaudit.cli.terminal import aligned, emit, one_line
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.questions import SubgroupsPlan
from fairaudit.present.blocks import row_texts
from fairaudit.sections.worst import say_worst
from fairaudit.sections.worst.saying import how_searched, left_out, worst_tables
from fairaudit.sections.worst.section import WorstSection

SHOWN = ("stands_out", "n", "rate", "rest", "gap", "interval", "p_adjusted", "subgroup")
"""Columns in the order of a line: the group last, where its conditions have room."""


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    add_data(parser)
    add_decision(parser, parser.add_mutually_exclusive_group())
    add_field(parser, SubgroupsPlan, "columns", "COL", flag="--column")
    add_field(parser, SubgroupsPlan, "protected", "COL")
    add_field(parser, SubgroupsPlan, "where", "COND")
    add_predicted(parser)
    add_field(parser, SubgroupsPlan, "measure", "RATE")
    add_field(parser, AuditPlan, "positive", "OUTCOME")
    add_field(parser, SubgroupsPlan, "direction", "SIDE")
    add_field(parser, SubgroupsPlan, "max_conditions", "N")
    add_field(parser, SubgroupsPlan, "min_rows", "N")
    add_field(parser, SubgroupsPlan, "bound_rows", "N")
    add_field(parser, SubgroupsPlan, "confidence", "C")
    add_field(parser, AuditPlan, "seed", "N")
    add_output(parser)
    add_fail_on(parser, WorstSection.fails)
    add_reading(parser)


def execute(options: Namespace) -> list[Answered]:
    """Search, and print what was found."""
    check_outputs(options.data, plan=options.save_plan)
    table = read_data(options)
    for name in (*options.columns, *options.protected):
        table.column(name)
    plan = part_of(
        options,
        AuditPlan,
        data=DataPlan(source=source_name(options)).read_by(table.source.options),
        decision=decision_of(options, table),
        prediction=predicted_as(options, table),
        subgroups=(part_of(options, SubgroupsPlan),),
        report=ReportPlan(quality=False),
    )
    if options.save_plan or options.format == "json":
        plan = record_data(plan, table)
    result = watched_run(plan, table)
    [found] = result.subgroups
    if options.format == "json":
        from fairaudit.report.json_export import to_json

        emit(to_json(result).rstrip("\n"))
    else:
        emit(finding_text(found))
        emit_not_known(result.not_known)
    if options.save_plan:
        plan.save(options.save_plan)
    return [answered(WorstSection(), found)]


def finding_text(found: SubgroupsFinding) -> str:
    """Return what a search found as lines: the answer, the groups, and how far to trust them."""
    table = worst_tables(found, 1)[0]
    names = [column.name for column in table.columns]
    places = [names.index(name) for name in SHOWN]
    cells = [tuple(table.columns[place].label for place in places)]
    cells += [tuple(row[place] for place in places) for row in row_texts(table)]
    said = say_worst(found)
    lines = [f"{say(said.verdict)}.", f"{say(said.headline)}.", *map(say, said.lead), "", *aligned(cells), ""]
    lines += map(say, (*how_searched(found), *left_out(found), *said.caution))
    return "\n".join(one_line(line) for line in lines)
