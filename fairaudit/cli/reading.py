"""How the data of a command are found and read, and never written over."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from fairaudit.cli.terminal import readable
from fairaudit.columns import ReadOptions
from fairaudit.conditions import Condition
from fairaudit.data.engines.named import PREFIX, find_connection, list_tables, open_connection
from fairaudit.data.readers import read_table
from fairaudit.data.table import Table, write_cases_out
from fairaudit.errors import InputError
from fairaudit.files import refuse_overwriting
from fairaudit.plan.outcomes import OutcomePlan

MOST_TABLES = 20
"""Tables that are listed where none is named."""


def read_data(options: Namespace) -> Table:
    """Open the file, or the table in a database, that the arguments name."""
    if options.data.startswith(PREFIX):
        table = open_connection(find_connection(_named(options)), table=_table(options))
        table.say_rows_are_cases(options.rows_are_cases)
        return table if options.counts is None else write_cases_out(table, options.counts)
    how = ReadOptions(
        delimiter=options.delimiter,
        encoding=options.encoding,
        decimal=options.decimal,
        decimal_point=tuple(options.decimal_point),
        decimal_comma=tuple(options.decimal_comma),
        as_text=tuple(options.as_text),
        dates=options.dates,
        sheet=options.sheet,
        names_row=options.names_row,
        name_rows=options.name_rows,
        missing=tuple(options.missing),
        same_spelling=tuple(options.same_spelling),
        rows_are_cases=options.rows_are_cases,
        counts=options.counts,
    )
    name = readable(Path(options.data).stem)
    return read_table(options.data, name=None if options.data.isprintable() else name, options=how)


def decision_of(options: Namespace) -> OutcomePlan:
    """Return the decision that the options name; a command without ``--amount`` asks for shares."""
    of_amounts = hasattr(options, "amount")
    return OutcomePlan(
        column=options.decision,
        favorable=tuple(options.favorable),
        favorable_when=options.favorable_when,
        amount=of_amounts and options.amount,
        # Elsewhere, the option speaks of a score.
        higher_is_favorable=not (of_amounts and getattr(options, "lower_is_better", False)),
        is_outcome=options.is_outcome,
    )


def predicted_as(options: Namespace, table: Table) -> OutcomePlan | None:
    """Return the prediction that an option names as a condition on one column; None without one."""
    if options.predicted is None:
        return None
    columns = Condition.parse(options.predicted, table).columns
    if len(columns) != 1:
        raise InputError(
            f"'--predicted' must be a condition on one column, got {len(columns)}.",
            hint="Write one such as: score >= 5.",
        )
    return OutcomePlan(column=columns[0], favorable_when=options.predicted)


def _named(options: Namespace) -> str:
    return readable(options.data).removeprefix(PREFIX).partition("/")[0]


def _table(options: Namespace) -> str:
    table = readable(options.data).partition("/")[2]
    if not table:
        tables = ", ".join(list_tables(find_connection(_named(options)))[:MOST_TABLES])
        raise InputError(
            f"The data need the name of a table: {PREFIX}{_named(options)}/TABLE.",
            hint=f"There are: {tables}." if tables else "This user may read no table.",
        )
    return table


def source_name(options: Namespace) -> str:
    """Return the path of the data as the plan shall name it: relative to the plan, where that can be."""
    if options.data.startswith(PREFIX):
        return PREFIX + _named(options)
    if options.save_plan is None:
        return readable(options.data)
    try:
        path = Path(os.path.relpath(options.data, options.save_plan.parent))
    except ValueError:
        # On Windows there is no way from one drive to another.
        path = Path(options.data).resolve()
    return readable(path.as_posix())


# No command writes over what it reads: this is looked at before anything is read or computed.

REPORT = ("report.pdf", "annexes.pdf", "tables.zip", "result.json", "plan.toml")
FORMS = ("form_*.html", "form_*.csv")


def check_outputs(*inputs: str | Path | None, out: Path | None = None, plan: Path | None = None) -> None:
    """Refuse a folder or a plan to write to where that would overwrite one of the inputs."""
    outputs = [] if plan is None else [plan]
    if out is not None:
        outputs += [*(out / name for name in REPORT), *(path for form in FORMS for path in out.glob(form))]
    refuse_overwriting(outputs, [Path(path) for path in inputs if path is not None])
