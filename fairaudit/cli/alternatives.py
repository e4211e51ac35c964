"""What the command ``alternatives`` does: look for models that serve as well with a smaller gap."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from fairaudit.cli.options import add_field, add_output, part_of
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
from fairaudit.cli.running import watched_run
from fairaudit.cli.terminal import aligned, emit, one_line, readable
from fairaudit.errors import InputError
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import ScorePlan
from fairaudit.present.blocks import row_texts
from fairaudit.sections.alternatives.finding import AlternativesFinding
from fairaudit.sections.alternatives.plan import AlternativesPlan
from fairaudit.sections.alternatives.saying import alternatives_tables, how_searched, say_alternatives

SHOWN = ("accuracy", "gap", "gap_interval", "smaller", "p", "reading", "model")
"""Columns in the order of a line: the model last, where its name has room."""


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    add_data(parser)
    add_decision(parser, parser.add_mutually_exclusive_group(), amount=False)
    add_field(parser, ModelsPlan, "protected", "COND")
    add_field(parser, ModelsPlan, "where", "COND")
    add_field(parser, ModelsPlan, "features", "COL", flag="--feature")
    add_predicted(parser)
    parser.add_argument("--score", type=readable, metavar="COL", help="the column of a score")
    add_field(parser, ScorePlan, "cut", "V", help="with --score: the prediction changes at this value")
    parser.add_argument("--lower-is-better", action="store_true", help="with --score: a higher score warns of people")
    add_field(parser, AlternativesPlan, "in_use", "WHAT")
    add_field(parser, AlternativesPlan, "model", "MODEL")
    add_field(parser, AlternativesPlan, "loss", "SHARE")
    add_field(parser, AlternativesPlan, "by_group", "")
    add_field(parser, ModelsPlan, "tolerance", "T")
    add_field(parser, ModelsPlan, "confidence", "C")
    add_field(parser, AuditPlan, "seed", "N")
    add_output(parser)
    add_reading(parser)


def execute(options: Namespace) -> None:
    """Search, and print what was found."""
    if options.score is None and (options.cut is not None or options.lower_is_better):
        raise InputError("--cut and --lower-is-better go with --score.", hint="Name it, such as: --score risk.")
    check_outputs(options.data, plan=options.save_plan)
    table = read_data(options)
    plan = part_of(
        options,
        AuditPlan,
        data=DataPlan(source=source_name(options)).read_by(table.source.options),
        decision=decision_of(options, table),
        prediction=predicted_as(options, table),
        score=None
        if options.score is None
        else ScorePlan(column=options.score, higher_is_favorable=not options.lower_is_better, cut=options.cut),
        models=part_of(options, ModelsPlan),
        alternatives=(part_of(options, AlternativesPlan),),
        report=ReportPlan(quality=False),
    )
    if options.save_plan or options.json:
        plan = record_data(plan, table)
    result = watched_run(plan, table)
    if options.json:
        from fairaudit.report.json_export import to_json

        emit(to_json(result).rstrip("\n"))
    else:
        emit(finding_text(result.alternatives[0]))
    if options.save_plan:
        plan.save(options.save_plan)


def finding_text(found: AlternativesFinding) -> str:
    """Return what a search found as lines: the answer, the models, and how they were searched."""
    [table] = alternatives_tables(found, 1)
    names = [column.name for column in table.columns]
    places = [names.index(name) for name in SHOWN]
    cells = [tuple(table.columns[place].label for place in places)]
    cells += [tuple(row[place] for place in places) for row in row_texts(table)]
    said = say_alternatives(found)
    lines = [f"{say(said.verdict)}.", f"{say(said.headline)}.", *map(say, said.lead), "", *aligned(cells), ""]
    lines += map(say, (*how_searched(found), *said.caution))
    return "\n".join(one_line(line) for line in lines)
