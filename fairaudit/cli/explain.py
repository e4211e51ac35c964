"""What the command ``explain`` does: what explains a gap, what is left, and what could overturn that."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from fairaudit.audit.result import ExplanationFinding
from fairaudit.cli.answers import Answered
from fairaudit.cli.options import MANY, add_fail_on, add_field, add_output, part_of
from fairaudit.cli.reading import (
    add_data,
    add_decision,
    add_reading,
    check_outputs,
    decision_of,
    read_data,
    source_name,
)
from fairaudit.cli.running import answered, emit_not_known, watched_run
from fairaudit.cli.terminal import emit, one_line, table_lines
from fairaudit.errors import InputError, quote
from fairaudit.messages import say, say_whole
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.questions import ControlPlan, ExplanationPlan
from fairaudit.sections.explain import (
    answer_line,
    other_methods,
    say_agreement,
    say_method,
    say_overturning,
    say_people,
    say_stand_ins,
)
from fairaudit.sections.explain.answering import run_explanation
from fairaudit.sections.explain.section import ExplainSection
from fairaudit.sections.explain.tables import controls_table, parts_table, stand_in_tables


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    add_data(parser)
    add_decision(parser, parser.add_mutually_exclusive_group())
    parser.add_argument("--lower-is-better", action="store_true", help="with --amount: less is better")
    add_field(parser, ExplanationPlan, "protected", "COND")
    add_field(parser, ExplanationPlan, "where", "COND")
    parser.add_argument(
        "--control",
        **MANY | {"required": True},
        metavar="COL=REASON",
        help="a column, and why it may rightly count; may be repeated",
    )
    add_field(parser, ExplanationPlan, "method", "HOW")
    add_field(parser, ExplanationPlan, "reference", "WHOSE")
    add_field(parser, ExplanationPlan, "model", "MODEL")
    add_field(parser, ExplanationPlan, "cluster", "COL")
    add_field(parser, ExplanationPlan, "confidence", "C")
    add_field(parser, ExplanationPlan, "proxies", "")
    add_output(parser)
    add_fail_on(parser, ExplainSection.fails)
    add_reading(parser)


def execute(options: Namespace) -> list[Answered]:
    """Answer what explains a gap, and print it."""
    check_outputs(options.data, plan=options.save_plan)
    table = read_data(options)
    asked = part_of(options, ExplanationPlan, controls=tuple(map(_control, options.control)))
    decision = decision_of(options, table)
    plan = AuditPlan(data=DataPlan(source=source_name(options)), decision=decision, explanations=(asked,))
    if options.save_plan or options.format == "json":
        plan = record_data(plan, table)
    if options.format == "json":
        # Here, because the export knows every remedy and form, which an answer in lines does without.
        from fairaudit.report.json_export import to_json

        result = watched_run(plan, table)
        emit(to_json(result).rstrip("\n"))
        [finding] = result.explanations
    else:
        finding = run_explanation(table, plan, asked)
        emit(finding_text(finding))
        emit_not_known(finding.not_known)
    if options.save_plan:
        plan.save(options.save_plan)
    return [answered(ExplainSection(), finding)]


def finding_text(finding: ExplanationFinding) -> str:
    """Return an answer as lines: the parts of the gap, the columns with their reasons, and what could overturn it."""
    more = (*other_methods(finding), *say_agreement(finding), *say_people(finding), *say_method(finding))
    lines = [answer_line(finding), "", *map(say, more), *finding.result.warnings]
    for table in (parts_table(finding, 1), controls_table(finding, 1)):
        lines += ["", *table_lines(table)]
    lines += ["", *map(say, say_overturning(finding))]
    if (stand_in := say_stand_ins(finding)) is not None:
        lines += ["", say_whole(stand_in), *map(say, stand_in.caution)]
        for table in stand_in_tables(finding, 1):
            lines += ["", *table_lines(table)]
    return "\n".join(one_line(line) for line in lines)


def _control(text: str) -> ControlPlan:
    column, _, reason = text.partition("=")
    if not reason.strip():
        raise InputError(
            f"The column {quote(column)} needs a reason.",
            hint="Say why it may rightly count: --control 'department=people choose where they apply'.",
        )
    return ControlPlan(column=column.strip(), reason=reason.strip())
