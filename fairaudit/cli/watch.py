"""What the command ``watch`` does: take new batches, and give an alarm where the gap is beyond the tolerance."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

import pandas as pd

from fairaudit.cli.answers import Answered
from fairaudit.cli.options import add_fail_on, add_field, add_output, filled, part_of, path
from fairaudit.cli.reading import (
    add_data,
    add_decision,
    add_reading,
    check_outputs,
    decision_of,
    read_data,
    source_name,
)
from fairaudit.cli.running import answered, emit_not_known
from fairaudit.cli.terminal import emit, one_line
from fairaudit.data.table import Table
from fairaudit.errors import InputError, NoRowsError
from fairaudit.measure.plain import plain
from fairaudit.measure.watching import GapWatch
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import record_data
from fairaudit.sections.watch.answering import run_watch
from fairaudit.sections.watch.finding import WatchFinding
from fairaudit.sections.watch.plan import WatchPlan
from fairaudit.sections.watch.saying import how_watched, say_watch
from fairaudit.sections.watch.section import ExportedWatch, WatchSection


def add_options(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    add_data(parser)
    add_decision(parser, parser.add_mutually_exclusive_group(), amount=False)
    add_field(parser, WatchPlan, "protected", "COND")
    parser.add_argument("--batches", type=filled, metavar="COL", help="the column that says which batch a row is of")
    parser.add_argument("--batch", type=filled, metavar="NAME", help="instead: what the batch is called, if all is one")
    parser.add_argument(
        "--state", type=path, metavar="FILE",
        help="the watch so far: read where it is there, and written with the new batches; it holds sums, and no row",
    )  # fmt: skip
    for name, metavar in (("where", "COND"), ("tolerance", "T"), ("confidence", "C")):
        add_field(parser, WatchPlan, name, metavar)
    add_output(parser)
    add_fail_on(parser, WatchSection.fails)
    add_reading(parser)


def execute(options: Namespace) -> list[Answered]:
    """Take the batches, print what is known after them, and keep it for the next."""
    if (options.batches is None) == (options.batch is None):
        raise InputError(
            "Give either --batches, a column, or --batch, what all rows are called.",
            hint="Such as: --batch 2026-03-01.",
        )
    if options.save_plan is not None and options.batches is None:
        raise InputError("--save-plan goes with --batches.", hint="A saved audit asks of all batches of its table.")
    check_outputs(options.data, plan=options.state)
    check_outputs(options.data, options.state, plan=options.save_plan)
    before = GapWatch.load(options.state) if options.state is not None and options.state.exists() else None
    try:
        table = read_data(options)
    except NoRowsError as error:
        if before is None:
            raise
        # A night on which nothing was decided: what is left out must not depend on results.
        table = Table.from_pandas(pd.DataFrame(columns=list(error.columns), dtype=object))
    # Where all rows are one batch, no column says so.
    asked = part_of(options, WatchPlan, batches=options.batches or next(iter(table.columns)))
    plan = AuditPlan(data=DataPlan(source=source_name(options)), decision=decision_of(options, table), watches=(asked,))
    if options.save_plan is not None:
        plan = record_data(plan, table)
    finding = run_watch(table, plan, asked, batch=options.batch, before=before)
    if options.format == "json":
        emit(json.dumps(plain(ExportedWatch.of(finding)), indent=2, ensure_ascii=False))
    else:
        emit(finding_text(finding))
        emit_not_known(finding.not_known)
    if options.save_plan is not None:
        plan.save(options.save_plan)
    # Last: a run that fails must not use its batches up.
    if options.state is not None:
        finding.result.save(options.state)
    return [answered(WatchSection(), finding)]


def finding_text(finding: WatchFinding) -> str:
    """Return an answer as lines: verdict, headline, what is known, and how."""
    said = say_watch(finding)
    lines = [f"{say(said.verdict)}.", f"{say(said.headline)}.", *map(say, said.lead), ""]
    return "\n".join(one_line(line) for line in (*lines, *map(say, (*how_watched(finding), *said.caution))))
