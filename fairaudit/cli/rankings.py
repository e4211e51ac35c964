"""What the command ``rankings`` does: compare who stands among the first of lists."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from fairaudit.cli.answers import Answered
from fairaudit.cli.options import add_fail_on, add_field, add_output, part_of
from fairaudit.cli.reading import add_data, add_reading, check_outputs, read_data, source_name
from fairaudit.cli.running import answered, emit_not_known, watched_run
from fairaudit.cli.terminal import emit, one_line, table_lines
from fairaudit.errors import InputError
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.data import record_data
from fairaudit.sections.rankings.finding import RankingsFinding
from fairaudit.sections.rankings.plan import RankingsPlan
from fairaudit.sections.rankings.saying import how_compared, rankings_tables, say_rankings
from fairaudit.sections.rankings.section import RankingsSection


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    add_data(parser)
    for name, metavar in (
        ("rank", "COL"), ("score", "COL"), ("lowest_first", ""), ("first", "K"), ("lists", "COL"), ("merit", "COL"),
        ("strata", "COL"), ("protected", "COND"), ("where", "COND"), ("tolerance", "T"), ("confidence", "C"),
    ):  # fmt: skip
        add_field(parser, RankingsPlan, name, metavar, flag="--list" if name == "lists" else None)
    add_output(parser)
    add_fail_on(parser, RankingsSection.fails)
    add_reading(parser)


def execute(options: Namespace) -> list[Answered]:
    """Compare, and print what was found."""
    if (options.rank is None) == (options.score is None):
        raise InputError("Give either --rank or --score: the column that says who stands first.")
    check_outputs(options.data, plan=options.save_plan)
    table = read_data(options)
    asked: dict[str, Any] = {
        "data": DataPlan(source=source_name(options)).read_by(table.source.options),
        "rankings": (part_of(options, RankingsPlan),),
        "report": ReportPlan(quality=False),
    }
    plan = AuditPlan(**asked)
    if options.save_plan or options.format == "json":
        plan = record_data(plan, table)
    result = watched_run(plan, table)
    [found] = result.rankings
    if options.format == "json":
        from fairaudit.report.json_export import to_json

        emit(to_json(result).rstrip("\n"))
    else:
        emit(finding_text(found))
        emit_not_known(found.not_known)
    if options.save_plan:
        plan.save(options.save_plan)
    return [answered(RankingsSection(), found)]


def finding_text(found: RankingsFinding) -> str:
    """Return an answer as lines: the verdict, both groups, what stands beside the gap, and how lists were compared."""
    said = say_rankings(found)
    gap, beside, _, *more = rankings_tables(found, 1)
    lines = [f"{say(said.verdict)}.", f"{say(said.headline)}.", *map(say, (*said.lead, *said.caution)), ""]
    kinds = [line for table in more[: len(found.result.kinds[:1])] for line in ("", *table_lines(table))]
    lines += [*table_lines(gap), "", *table_lines(beside), *kinds, "", *map(say, how_compared(found))]
    return "\n".join(one_line(line) for line in lines)
