"""What the command ``alternatives`` does: look for models that serve as well with a smaller gap."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from fairaudit.cli.answers import Answered
from fairaudit.cli.options import add_fail_on, add_field, add_output, part_of
from fairaudit.cli.reading import (
    add_data,
    add_decision,
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
from fairaudit.cli.running import answered, watched_run
from fairaudit.cli.terminal import emit, one_line, table_lines
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import pick
from fairaudit.sections.alternatives.finding import AlternativesFinding
from fairaudit.sections.alternatives.plan import AlternativesPlan
from fairaudit.sections.alternatives.saying import PRINTED, alternatives_tables, how_searched, say_alternatives
from fairaudit.sections.alternatives.section import AlternativesSection


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    add_data(parser)
    add_decision(parser, parser.add_mutually_exclusive_group(), amount=False)
    add_field(parser, ModelsPlan, "protected", "COND")
    add_field(parser, ModelsPlan, "where", "COND")
    add_field(parser, ModelsPlan, "learn_from", "WHO")
    add_field(parser, ModelsPlan, "features", "COL", flag="--feature")
    add_field(parser, ModelsPlan, "n_components", "N")
    add_field(parser, ModelsPlan, "min_level_count", "N")
    add_field(parser, ModelsPlan, "sample_rows", "N")
    add_predicted(parser)
    add_score(parser)
    add_field(parser, AlternativesPlan, "in_use", "WHAT")
    add_field(parser, AlternativesPlan, "model", "MODEL")
    add_field(parser, AlternativesPlan, "measure", "HOW")
    add_field(parser, CheckPlan, "strata", "COL")
    add_field(parser, AlternativesPlan, "loss", "SHARE")
    add_field(parser, AlternativesPlan, "by_group", "")
    add_field(parser, ModelsPlan, "tolerance", "T")
    add_field(parser, ModelsPlan, "confidence", "C")
    add_field(parser, AuditPlan, "seed", "N")
    add_output(parser)
    add_fail_on(parser, AlternativesSection.fails)
    add_reading(parser)


def execute(options: Namespace) -> list[Answered]:
    """Search, and print what was found."""
    check_outputs(options.data, plan=options.save_plan)
    table = read_data(options)
    models = part_of(options, ModelsPlan)
    asked = CheckPlan(protected=models.protected, where=models.where, strata=tuple(options.strata))
    checks = (asked,) if asked.strata else ()
    plan = part_of(
        options,
        AuditPlan,
        data=DataPlan(source=source_name(options)).read_by(table.source.options),
        decision=decision_of(options, table),
        prediction=predicted_as(options, table),
        score=score_of(options),
        models=models,
        checks=checks,
        alternatives=(part_of(options, AlternativesPlan, among_similar=bool(checks)),),
        report=ReportPlan(quality=False),
    )
    if options.save_plan or options.format == "json":
        plan = record_data(plan, table)
    result = watched_run(plan, table)
    [found] = result.alternatives
    if options.format == "json":
        from fairaudit.report.json_export import to_json

        emit(to_json(result).rstrip("\n"))
    else:
        emit(finding_text(found))
    if options.save_plan:
        plan.save(options.save_plan)
    return [answered(AlternativesSection(), found)]


def finding_text(found: AlternativesFinding) -> str:
    """Return what a search found as lines: the answer, the models, and how they were searched."""
    [table] = alternatives_tables(found, 1)
    said = say_alternatives(found)
    lines = [
        f"{say(said.verdict)}.",
        f"{say(said.headline)}.",
        *map(say, said.lead),
        "",
        *table_lines(pick(table, PRINTED)),
        "",
    ]
    lines += map(say, (*how_searched(found), *said.caution))
    return "\n".join(one_line(line) for line in lines)
