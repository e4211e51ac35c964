"""How the data of a command are found and read, and never written over."""

from __future__ import annotations

import csv
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final, get_args

from fairaudit.cli.help_texts import CODEBOOK_HELP, DATA_HELP, LABELS_HELP, LEVELS_HELP
from fairaudit.cli.options import COLUMNS, MANY, OptionGroup, add_field, whole
from fairaudit.cli.terminal import readable
from fairaudit.columns import (
    SAID_OF_VALUES,
    ByGroup,
    Column,
    Counts,
    DayOrder,
    DecimalMark,
    Labels,
    Means,
    ReadOptions,
    column_values,
    labels_of,
    number_text,
)
from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.codebook import labels_for, read_codebook
from fairaudit.data.counted_rows import as_counts, decision_made
from fairaudit.data.engines.named import PREFIX, find_connection, list_tables, open_connection
from fairaudit.data.limits import Limits
from fairaudit.data.readers import read_table
from fairaudit.data.said_values import says_values
from fairaudit.data.table import Table
from fairaudit.errors import InputError, near_names, quote
from fairaudit.files import refuse_overwriting
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.roles import outcome_in_labels

STANDARD_INPUT: Final = "-"
"""What stands for standard input in the place of a file."""
MOST_TABLES = 20
"""Tables that are listed where none is named."""


def add_data(options: OptionGroup, metavar: str = "DATA", **settings: Any) -> None:
    """Add the table that a command is about."""
    options.add_argument("data", metavar=metavar, help=DATA_HELP, **settings)


def add_reading(parser: ArgumentParser) -> None:
    """Add how its file is read."""
    how = parser.add_argument_group("how to read the file (without these, found out and shown by `describe`)")
    how.add_argument("--delimiter", metavar="CHAR", help="the character between cells")
    how.add_argument("--encoding", metavar="NAME", help="such as utf-8, latin-1, utf-16")
    how.add_argument("--decimal", choices=get_args(DecimalMark), metavar="MARK", help="the decimal mark, . or ,")
    how.add_argument(
        "--decimal-point",
        **COLUMNS,
        help="a column whose decimal mark is the point: its commas stand between thousands",
    )
    how.add_argument(
        "--decimal-comma",
        **COLUMNS,
        help="a column whose decimal mark is the comma: its points stand between thousands",
    )
    how.add_argument("--as-text", **COLUMNS, help="a column that is kept as text, though it looks like numbers or days")
    how.add_argument(
        "--numbers", **COLUMNS, help="a column of few whole numbers that are numbers and no codes, labels or not"
    )
    how.add_argument(
        "--codes", **COLUMNS, help="a column of few whole numbers that are codes without labels: it becomes text"
    )
    how.add_argument("--labels", **MANY, metavar="COL:CODE=LABEL,...", help=LABELS_HELP)
    how.add_argument("--codebook", **MANY, metavar="FILE", help=CODEBOOK_HELP)
    how.add_argument(
        "--dates", choices=get_args(DayOrder), metavar="ORDER",
        help="how days are written: year first (2024-12-31), day first (31/12/2024), month first (12/31/2024)",
    )  # fmt: skip
    how.add_argument(
        "--derive", **MANY | {"type": _derived, "metavar": "NAME=COL,COL,..."},
        help="a new column made of several, such as boxes of which several may be ticked: the one that is ticked, such "
        "as 'Black only', or 'several'",
    )  # fmt: skip
    how.add_argument("--sheet", metavar="NAME", help="the sheet of a workbook")
    row = whole(1)
    how.add_argument(
        "--names-row", type=row, metavar="N", help="the line or row in which the names of the columns stand"
    )
    how.add_argument(
        "--name-rows", type=row, metavar="N", help="how many rows the names stand in, those of a column joined"
    )
    how.add_argument(
        "--leave-out-row", dest="rows_out", metavar="N", action="append", default=[], type=row,
        help="a line or row that is left out, such as a title, a note or a total; counted from 1",
    )  # fmt: skip
    how.add_argument(
        "--fill-down", dest="filled_down", **COLUMNS,
        help="a column whose empty cells have the value above them, as where cells are merged",
    )  # fmt: skip
    how.add_argument(
        "--leave-empty", dest="left_empty", **COLUMNS, help="a column with merged cells in which empty cells stay empty"
    )
    how.add_argument("--missing", metavar="TEXT", action="append", help="a cell text that means missing, such as ?")
    how.add_argument(
        "--same-spelling", **COLUMNS,
        help="a column whose values are one where they differ by letter case or by how many blanks they have alone",
    )  # fmt: skip
    how.add_argument(
        "--one-row-per", metavar="COL", type=readable,
        help="the column that names cases of which some have several rows, such as one for each charge: the first is "
        "kept",
    )  # fmt: skip
    how.add_argument(
        "--rows-are-cases", action="store_true",
        help="each row is one case, although a column looks as if it counted cases",
    )  # fmt: skip
    how.add_argument(
        "--counts", metavar="COL", type=readable, action="append",
        help="the column that says how many cases each row stands for; or two columns, which make a decision: "
        "--counts favorable=COL --counts all=COL, or others=COL; or one for each group: --counts women=COL --counts "
        "men=COL",
    )  # fmt: skip
    how.add_argument(
        "--counts-confirmed", action="store_true",
        help="two columns of --counts hold what is said of them, although they look otherwise",
    )  # fmt: skip
    said = how.add_mutually_exclusive_group()
    said.add_argument(
        "--means", metavar="COL", type=readable, action="append",
        help="a column whose number is the mean of the people that a row stands for; of --counts by group, one for "
        "each: --means women=COL --means men=COL. Forms on pay take it",
    )  # fmt: skip
    said.add_argument(
        "--no-means", action="store_true", help="each person of a row has its number, although it looks like a mean"
    )
    how.add_argument(
        "--rounded-to", metavar="N", type=whole(1),
        help="the counts were rounded to multiples of this number; 1 says that they are exact, although they look "
        "rounded",
    )  # fmt: skip
    how.add_argument(
        "--hidden", **MANY | {"type": _hidden, "metavar": "TEXT=LOW-HIGH"},
        help="what a text in the place of a count stands for, such as '<5=1-4'; a check of two groups then gives "
        "bounds",
    )  # fmt: skip
    how.add_argument(
        "--weights", metavar="COL", type=readable,
        help="the column of sampling weights: how many people each row of a survey speaks for",
    )  # fmt: skip
    how.add_argument(
        "--design-strata", metavar="COL", type=readable, help="the column of the strata that the survey was drawn from"
    )
    how.add_argument(
        "--design-clusters", metavar="COL", type=readable,
        help="the column of what the survey drew first, such as schools or districts",
    )  # fmt: skip
    how.add_argument(
        "--unweighted", action="store_true", help="each row counts once, although a column looks like weights"
    )
    how.add_argument(
        "--all-closed", action="store_true",
        help="no case waits any more, although a column looks as if some did: each time is final",
    )  # fmt: skip
    how.add_argument(
        "--leave-out", dest="left_out", **VALUES,
        help="leave out the rows with this value, such as a total of other rows; COL= leaves out those without one",
    )  # fmt: skip
    how.add_argument("--not-known", **VALUES, help="this value says that something is not known: it is read as missing")
    how.add_argument(
        "--real-value", dest="real_values", **VALUES,
        help="this value is like others, though it looks like a total, or like something that is not known",
    )  # fmt: skip


def _derived(text: str) -> tuple[str, tuple[str, ...]]:
    """Read a new column and those that it is made of."""
    name, _, columns = readable(text).partition("=")
    named = tuple(each.strip() for each in columns.split(",") if each.strip())
    if not name or len(named) < 2:
        raise ArgumentTypeError(f"must be a new column, =, and two columns or more, got {text!r}")
    return name, named


def _hidden(text: str) -> tuple[str, tuple[int, int]]:
    """Read a text in the place of a count, and the numbers that it may stand for."""
    hidden, sign, ends = readable(text).rpartition("=")
    low, _, high = ends.partition("-")
    if not sign or not low.strip().isdecimal() or not (high or low).strip().isdecimal():
        raise ArgumentTypeError(f"must be a text, =, and the numbers that it may stand for, as <5=1-4, got {text!r}")
    return hidden, (int(low), int(high or low))


def _column_value(text: str) -> tuple[str, str]:
    """Read a value of a column."""
    column, sign, value = readable(text).partition("=")
    if not (column and sign):
        raise ArgumentTypeError(f"must be a column, =, and a value, got {text!r}")
    return column, value


VALUES: Final[dict[str, Any]] = MANY | {"type": _column_value, "metavar": "COL=VALUE"}
"""What makes an option of values by column, which may be repeated."""


def add_decision(options: OptionGroup, choice: OptionGroup, *, amount: bool = True) -> None:
    """Add the decision and, to a choice of one of them, what is favourable in it, or that it is an amount."""
    options.add_argument(
        "--decision", type=readable, metavar="COL",
        help="the column that holds the decision; two columns of --counts make one",
    )  # fmt: skip
    choice.add_argument("--favorable", **MANY, metavar="VALUE", help="a favourable result; may be repeated")
    choice.add_argument(
        "--favorable-when", metavar="COND", help="instead: a condition on the decision, such as score >= 5"
    )
    if amount:
        choice.add_argument(
            "--amount", action="store_true", help="instead: the decision is a number, such as pay; means are compared"
        )
    options.add_argument(
        "--is-outcome", action="store_true", default=None,
        help="the decision column holds what happened later, not what somebody decided",
    )  # fmt: skip


def add_predicted(options: OptionGroup) -> None:
    """Add the prediction, as a condition."""
    options.add_argument(
        "--predicted",
        type=readable,
        metavar="COND",
        help="when a favourable result is predicted, such as score >= 5; with --levels, the column of predicted levels",
    )


def read_data(options: Namespace) -> Table:
    """Open the file, or the table in a database, that the arguments name."""
    if not options.codebook:
        return _read(options, labels_of(_labels(options)))
    # Which of the columns that a codebook describes are there is known once the table is read.
    columns = tuple(_read(options, ()).columns)
    labels, said = _labels(options), []
    for text in options.codebook:
        found, absent = labels_for(_codebook(text), columns)
        for name, codes in found:
            had = labels.setdefault(name, {})
            for code, label in codes:
                if had.setdefault(code, label) != label:
                    raise InputError(
                        f"Code {quote(code)} of column {quote(name)} has two labels: {quote(had[code])} and, in the "
                        f"codebook, {quote(label)}.",
                        hint="Keep one of them.",
                    )
        if absent:
            names = Phrase(", ".join(quote(name, limit=40) for name in absent[:MOST_TABLES]))
            said.append(say(Message("read-codebook-more", {"columns": names, "n": Count(len(absent))})))
    table = _read(options, labels_of(labels))
    table.notes = (*table.notes, *said)
    return table


def _read(options: Namespace, labels: Labels) -> Table:
    given = {each.name: getattr(options, each.name, None) for each in fields(ReadOptions)}
    given["counts"] = counts_of(options.counts or [])
    given["means"] = None
    if options.means or options.no_means:
        given["means"] = _means_of(options.means or [], given["counts"])
    said: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in given.items()
        if value not in (None, [])
    }
    how = ReadOptions(**said | _said_of_values(options) | {"labels": labels, "derived": tuple(options.derive)})
    if options.data.startswith(PREFIX):
        _check_for_connection(options)
        return open_connection(find_connection(_named(options)), table=_table(options), options=how)
    source, name = options.data, None if options.data.isprintable() else readable(Path(options.data).stem)
    if options.data == STANDARD_INPUT:
        source, name = standard_input(options), "standard input"
    table = read_table(source, name=name, options=how)
    if says_values(how) and getattr(options, "later", None) is None:
        # Of two tables, one may lack a value. What became missing, or was left out, is there as the file has it.
        _check_values_occur(read_table(source, options=_as_it_stands(how)), how)
    return table


def standard_input(options: Namespace) -> bytes:
    """Return what stands on standard input, which is read once and kept with the options."""
    if getattr(options, "standard_input", None) is None:
        options.standard_input = sys.stdin.buffer.read(Limits().max_bytes + 1)
    return options.standard_input


def _as_it_stands(options: ReadOptions) -> ReadOptions:
    """Return options that read the same rows before anything is said of their values."""
    return replace(
        options.before_counting,
        not_known=(), left_out=(), real_values=(), same_spelling=(), labels=(), codes=(), derived=(), distinct=False,
        one_row_per=None,
    )  # fmt: skip


def _check_values_occur(table: Table, options: ReadOptions) -> None:
    """Refuse values of which something is said and that a table, as it stands, does not have; by code or label."""
    for said in (getattr(options, name) for name in SAID_OF_VALUES):
        for column, values in said:
            described = table.columns.get(column)
            if described is None or described.kind not in ("text", "number"):
                continue
            codes = dict(options.labels).get(column, ())
            for value in filter(None, values):
                alike = {value, str(described.labelled(value)), *(code for code, label in codes if label == value)}
                if not _occurs(table, described, alike):
                    there = [str(each) for each in table.common_values(column) if each is not None]
                    raise InputError(
                        f"Column {quote(column)} has no value {quote(value)}.", hint=near_names(value, there)
                    )


def _occurs(table: Table, column: Column, texts: Iterable[str]) -> bool:
    """Say whether a column has one of some values; numbers in any spelling."""
    numbers = {number for text in texts if (number := number_text(text)) is not None}
    values: list[float] | list[str] = list(map(float, numbers)) if column.kind == "number" else list(texts)
    if values and table.count(Condition.one_of(column.name, values, table.columns)):
        return True
    return any(number_text(each) in numbers for each in table.common_values(column.name) if isinstance(each, str))


OF_FILES: Final = {
    "delimiter": "--delimiter", "encoding": "--encoding", "decimal": "--decimal", "decimal_point": "--decimal-point",
    "decimal_comma": "--decimal-comma", "as_text": "--as-text", "dates": "--dates",
    "sheet": "--sheet", "names_row": "--names-row", "name_rows": "--name-rows", "rows_out": "--leave-out-row",
    "filled_down": "--fill-down", "left_empty": "--leave-empty", "missing": "--missing",
    "same_spelling": "--same-spelling", "one_row_per": "--one-row-per",
}  # fmt: skip
"""Options that say how the cells of a file are read, by field."""


def _check_for_connection(options: Namespace) -> None:
    """Refuse what cannot be said of a table in a database."""
    for name, option in OF_FILES.items():
        if getattr(options, name, None):
            raise InputError(
                f"'{option}' says how a file is read, and {quote(readable(options.data))} is in a database.",
                hint="Leave it out.",
            )


def _said_of_values(options: Namespace) -> dict[str, Any]:
    """Return what is said of values, by column."""
    said = {name: [(column, (value,)) for column, value in getattr(options, name)] for name in SAID_OF_VALUES}
    return {name: column_values(tuple(pairs)) for name, pairs in said.items()}


def counts_of(written: list[str]) -> Counts | None:
    """Return the columns of counts that ``--counts`` names: one, or two as ROLE=COL."""
    if len(written) < 2:
        return written[0] if written else None
    named = {role: column for role, _, column in (text.partition("=") for text in written)}
    return as_counts(named if len(named) == len(written) else {})


def _means_of(written: list[str], counts: Counts | None) -> Means:
    """Return the columns of means that ``--means`` names: one each, or as GROUP=COL where counts are by group."""
    if not isinstance(counts, ByGroup):
        return tuple(written)
    by_group: dict[str, list[str]] = {}
    for group, _, column in (text.partition("=") for text in written):
        by_group.setdefault(group, []).append(column)
    several = max(map(len, by_group.values()), default=0)
    return tuple(
        ByGroup(tuple((group, columns[place]) for group, columns in by_group.items() if place < len(columns)))
        for place in range(several)
    )


def _labels(options: Namespace) -> dict[str, dict[str, str]]:
    """Return the labels of ``--labels`` by column and code."""
    found: dict[str, dict[str, str]] = {}
    for text in options.labels:
        head, sign, rest = text.partition("=")
        column, colon, code = head.rpartition(":")
        if not (sign and colon and column):
            raise InputError(
                f"'--labels' must hold a column, a colon, and codes with their labels, got {quote(text)}.",
                hint="Such as: --labels sex:1=man,2=woman",
            )
        codes = found.setdefault(column, {})
        last: str | None = None
        for part in f"{code}={rest}".split(","):
            code, sign, label = part.partition("=")
            if sign:
                last = code.strip()
                if last in codes and codes[last] != label:
                    raise InputError(
                        f"Code {quote(last)} of column {quote(column)} has two labels.", hint="Keep one of them."
                    )
                codes[last] = label
            elif last is not None:
                # A comma may stand in a label.
                codes[last] = f"{codes[last]},{part}"
    return found


def _codebook(text: str) -> Labels:
    """Return what a codebook holds: a file, or a column, =, and the file of two columns that is about it."""
    column, sign, path = text.partition("=")
    if not sign or Path(text).is_file():
        return read_codebook(text)
    return read_codebook(path, column=column)


def with_decision_made(options: Namespace, table: Table) -> Namespace:
    """Return the options with the decision that two columns of counts made, where they name none."""
    made = decision_made(table)
    if made is None or options.decision not in (None, made.column):
        return options
    said = options.favorable or options.favorable_when or getattr(options, "amount", False)
    decided = {"decision": made.column} | ({} if said else {"favorable": [made.favorable]})
    return Namespace(**vars(options) | decided)


def decision_of(options: Namespace, table: Table) -> OutcomePlan:
    """Return the decision that the options name, or the one that counts made; without ``--amount`` it asks shares."""
    of_amounts = hasattr(options, "amount")
    options = with_decision_made(options, table)
    levels = _levels(options)
    if levels and not options.favorable and options.favorable_when is None:
        options.favorable = [levels[0]]
    column = options.decision
    if column is None:
        if table.partial_counts is None:
            # Of numbers of cases, it is asked first what they are.
            as_weighted(table)
        raise InputError("The command needs '--decision'.", hint="Name the column that holds the decision.")
    if not (options.favorable or options.favorable_when or (of_amounts and options.amount)):
        ways = "'--favorable', '--favorable-when'" + (", '--amount'" if of_amounts else "")
        raise InputError(
            f"The command needs one of {ways}.", hint=f"Say which result in column {quote(column)} is favourable."
        )
    decision = OutcomePlan(
        column=column,
        levels=levels,
        ordered=bool(levels) and options.ordered,
        favorable=tuple(options.favorable),
        favorable_when=options.favorable_when,
        amount=of_amounts and options.amount,
        # Elsewhere, the option speaks of a score.
        higher_is_favorable=not (of_amounts and getattr(options, "lower_is_better", False)),
        is_outcome=options.is_outcome,
    )
    return outcome_in_labels(decision, table)


def add_levels(options: OptionGroup) -> None:
    """Add what names the levels of a decision."""
    options.add_argument("--levels", type=readable, metavar="A,B,C", help=LEVELS_HELP)
    options.add_argument("--ordered", action="store_true", help="the first of --levels is the best, the last the worst")


def _levels(options: Namespace) -> tuple[str, ...]:
    """Read the levels, divided by commas; one that holds a comma stands in double quotes."""
    if getattr(options, "levels", None) is None:
        if getattr(options, "ordered", False):
            raise InputError("'--ordered' needs --levels, the best first.", hint="Such as: --levels A,B,C --ordered")
        return ()
    [levels] = csv.reader([options.levels], skipinitialspace=True)
    named = tuple(level.strip() for level in levels)
    if len(named) < 2 or not all(named):
        raise InputError("'--levels' must name at least two, divided by commas.", hint="Such as: --levels A,B,C")
    if twice := next((level for level in named if named.count(level) > 1), None):
        raise InputError(f"The level {quote(twice)} is named twice.", hint="Name each level once.")
    return named


def predicted_as(options: Namespace, table: Table) -> OutcomePlan | None:
    """Return the prediction that an option names as a condition on one column; None without one."""
    if options.predicted is None:
        return None
    if (levels := _levels(options)) and options.predicted in table.columns:
        said = {"levels": levels, "ordered": options.ordered, "favorable": tuple(options.favorable) or levels[:1]}
        return outcome_in_labels(OutcomePlan(column=options.predicted, **said), table)
    columns = Condition.parse(options.predicted, table).columns
    if len(columns) != 1:
        raise InputError(
            f"'--predicted' must be a condition on one column, got {len(columns)}.",
            hint="Write one such as: score >= 5.",
        )
    return outcome_in_labels(OutcomePlan(column=columns[0], favorable_when=options.predicted), table)


def add_score(parser: ArgumentParser) -> None:
    """Add what names a score."""
    parser.add_argument("--score", type=readable, metavar="COL", help="the column of a score")
    add_field(parser, ScorePlan, "cut", "V", help="with --score: the prediction changes at this value")
    parser.add_argument("--lower-is-better", action="store_true", help="with --score: a higher score warns of people")


def score_of(options: Namespace) -> ScorePlan | None:
    """Return the score that the options name; None without one."""
    if options.score is not None:
        return ScorePlan(column=options.score, higher_is_favorable=not options.lower_is_better, cut=options.cut)
    if options.cut is not None or options.lower_is_better:
        raise InputError("--cut and --lower-is-better go with --score.", hint="Name it, such as: --score risk.")
    return None


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
    if options.data == STANDARD_INPUT:
        raise InputError("A saved audit must name its data, got '-'.", hint="Save the table as a file, and name that.")
    try:
        path = Path(os.path.relpath(options.data, options.save_plan.parent))
    except ValueError:
        # On Windows there is no way from one drive to another.
        path = Path(options.data).resolve()
    return readable(path.as_posix())


# No command writes over what it reads: this is looked at before anything is read or computed.

REPORT = (
    *("report.pdf", "annexes.pdf", "tables.zip", "result.json", "result.schema.json", "plan.toml"),
    *("manifest.json", "ro-crate-metadata.json", "report.signed.pdf", "annexes.signed.pdf", "manifest.json.p7s"),
)
FORMS = ("form_*.html", "form_*.csv")


def check_outputs(*inputs: str | Path | None, out: Path | None = None, plan: Path | None = None) -> None:
    """Refuse a folder or a plan to write to where that would overwrite one of the inputs."""
    outputs = [] if plan is None else [plan]
    if out is not None:
        outputs += [*(out / name for name in REPORT), *(path for form in FORMS for path in out.glob(form))]
    refuse_overwriting(outputs, [Path(path) for path in inputs if path is not None])
