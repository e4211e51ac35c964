"""What the command ``errors`` does: who is wrongly flagged and wrongly missed, in lines or as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from fairaudit.audit.result import ErrorsFinding
from fairaudit.cli.answers import Answered
from fairaudit.cli.options import add_fail_on, add_field, add_output, part_of
from fairaudit.cli.reading import (
    add_data,
    add_decision,
    add_levels,
    add_predicted,
    add_reading,
    add_score,
    check_outputs,
    decision_of,
    predicted_as,
    read_data,
    score_of,
    source_name,
)
from fairaudit.cli.running import answered, emit_not_known, watched_run
from fairaudit.cli.terminal import aligned, emit, one_line, table_lines
from fairaudit.errors import InputError
from fairaudit.messages import say, say_verdicts
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.questions import ErrorsPlan
from fairaudit.present.blocks import row_texts
from fairaudit.present.cases import say_weighted
from fairaudit.sections.errors import read_errors, say_errors
from fairaudit.sections.errors.answering import run_errors
from fairaudit.sections.errors.levels import level_tables
from fairaudit.sections.errors.saying import say_calibration, say_ranking, standing_table
from fairaudit.sections.errors.section import ErrorsSection


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    add_data(parser)
    add_decision(parser, parser.add_mutually_exclusive_group(), amount=False)
    add_levels(parser)
    add_field(parser, ErrorsPlan, "where", "COND")
    add_predicted(parser)
    add_score(parser)
    add_field(parser, ErrorsPlan, "by", "COL")
    add_field(parser, ErrorsPlan, "strata", "COL")
    add_field(parser, AuditPlan, "positive", "OUTCOME")
    add_field(parser, ErrorsPlan, "tolerance", "T")
    add_field(parser, ErrorsPlan, "confidence", "C")
    add_output(parser)
    add_fail_on(parser, ErrorsSection.fails)
    add_reading(parser)


def execute(options: Namespace) -> list[Answered]:
    """Answer, and print it."""
    if options.predicted is None and options.score is None:
        raise InputError(
            "Name the prediction or the score.", hint='Such as: --predicted "risk <= 5", or: --score risk --cut 6.'
        )
    check_outputs(options.data, plan=options.save_plan)
    table = read_data(options)
    asked = part_of(options, ErrorsPlan)
    plan = part_of(
        options,
        AuditPlan,
        data=DataPlan(source=source_name(options)),
        decision=decision_of(options, table),
        prediction=predicted_as(options, table),
        score=score_of(options),
        errors=(asked,),
    )
    if options.save_plan or options.format == "json":
        plan = record_data(plan, table)
    if options.format == "json":
        # Here, because the export knows every remedy and form, which an answer in lines does without.
        from fairaudit.report.json_export import to_json

        result = watched_run(plan, table)
        emit(to_json(result).rstrip("\n"))
        [finding] = result.errors
    else:
        finding = run_errors(table, plan, asked)
        emit(finding_text(finding))
        emit_not_known(finding.not_known)
    if options.save_plan:
        plan.save(options.save_plan)
    return [answered(ErrorsSection(), finding)]


def finding_text(finding: ErrorsFinding) -> str:
    """Return an answer as lines: the verdicts, both errors of each group, and what a score means."""
    said = say_errors(finding)
    lines = [f"{say_verdicts(said)}.", f"{say(said.headline)}.", *map(say, said.lead), *map(say, said.caution)]
    if read_errors(finding).state == "compared":
        table = standing_table(finding, 1)
        lines += ["", *aligned([tuple(column.label for column in table.columns), *map(tuple, row_texts(table))])]
        lines += ["", table.note or ""]
    for table in level_tables(finding, 1)[:-1]:
        # All but who is predicted which level, which is long.
        lines += ["", *table_lines(table)]
    lines += map(say, say_weighted(finding.design))
    lines += [] if finding.errors is None else finding.errors.warnings
    if finding.scores is not None:
        lines += ["", *map(say, (*say_calibration(finding), *say_ranking(finding))), *finding.scores.warnings]
    return "\n".join(one_line(line) for line in lines)
