"""The data of a plan: open what it names, record what it was made for, compare the two, and salt the fingerprint."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from fairaudit.columns import ConnectionFacts, ReadOptions, Source, count_columns, mean_columns
from fairaudit.data.case_counts import counts_caution, taken_for_cases
from fairaudit.data.engines.named import PREFIX, find_connection, has_rules, open_connection
from fairaudit.data.given import as_table
from fairaudit.data.readers import leads_out, read_table
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import AS_ABOVE, Remark, figure, setting
from fairaudit.disclosure.said import remark
from fairaudit.errors import DataError, FingerprintError, InputError, TwoReadingsError, near_names, quote, require
from fairaudit.files import SAMPLE_FOLDER
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.plain import Hideable
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.settings import SALT


@dataclass(frozen=True)
class DataFacts:
    """The data that an audit was made on."""

    name: str = setting("The table's name.")
    n_rows: Hideable[int] = figure("Its size, before any filter. In an exported copy the rows may be hidden (None).")
    n_columns: int = setting(AS_ABOVE)
    fingerprint: Hideable[str] = figure(
        'SHA-256, 64 hexadecimal digits; beside hidden counts "salted:" and that many, or none without a salt.'
    )
    source: Source = setting("The kind of file and how it was read.")
    notes: tuple[str, ...] = figure("What was found while reading.", default=())
    mismatch: str | None = figure(
        "In words, how these data differ from those that the plan was saved with; None if they do not, or if the "
        "plan names no data. A result has one only where the caller chose to go on.",
        default=None,
    )
    fingerprint_kind: Literal["content", "aggregates"] = setting(
        "What the fingerprint is of: every cell, or, where the rows stay in an engine, the names and kinds of the "
        "columns, the number of rows and sums over each column, which is weaker.",
        default="content",
    )
    connection: ConnectionFacts | None = setting("Where the rows stay; None where they were read.", default=None)


# The fingerprint beside hidden counts: salted, so that nobody can try out what is hidden.
#
# Who knows all rows but a few could try values for these until the fingerprint fits. So an export with hidden counts
# has one only where the office sets a salt of its own, which it keeps: then it can show that the data were these.

SALTED = "salted:"


def salted(fingerprint: str) -> str | None:
    """Return a fingerprint as it may stand beside hidden counts; None where no salt is set."""
    if fingerprint.startswith(SALTED):
        return fingerprint
    salt = SALT.value
    if salt is None:
        return None
    return SALTED + hmac.new(salt.encode(), fingerprint.encode(), hashlib.sha256).hexdigest()


def fits(recorded: str, fingerprint: str) -> bool | None:
    """Say whether data have the fingerprint that a plan records; None where it is salted and no salt is set."""
    if not recorded.startswith(SALTED):
        return recorded == fingerprint
    own = salted(fingerprint)
    return None if own is None else own == recorded


SAMPLE_PREFIX = "sample:"


def open_data(plan: AuditPlan, *, base: str | Path | None = None, data: str | Path | bytes | None = None) -> Table:
    """Open the data that a plan names, or the file or its content that is given, read the way the plan says.

    With `base`, the folder of the plan's file, it may only name files in there. Without, it may name any path that the
    caller may read: do not call this so on the plan of a stranger.
    """
    source = plan.data.source
    if data is None and (plan.data.connection is not None or source.startswith(PREFIX)):
        return open_named(plan.data.connection or source.removeprefix(PREFIX), plan.data)
    if data is None and (plan.data.table is not None or plan.data.query is not None):
        raise DataError(
            "The data of the plan stay in a database that was opened without the name of a connection.",
            hint="Open it with connect_table and give it: run(plan, table=...).",
        )
    if isinstance(data, bytes):
        return as_planned(plan.data, lambda options: read_table(data, name=plan.data.name, options=options))
    if data is not None:
        path = Path(data)
    elif source.startswith(SAMPLE_PREFIX):
        path = _sample(source.removeprefix(SAMPLE_PREFIX))
    elif base is not None and leads_out(source):
        raise DataError(
            f"The plan names data outside its own folder: {quote(source)}.",
            hint="If they are the ones you mean, name them yourself: --data PATH, or table=read_table(PATH) in Python.",
        )
    else:
        path = Path(base or ".") / source
    if not path.is_file():
        raise DataError(
            f"There is no data file {quote(path)}.",
            hint="Put it there, or say where it is: --data PATH, or data=... in Python.",
        )
    return as_planned(plan.data, lambda options: read_table(path, name=plan.data.name, options=options))


def open_named(name: str, place: DataPlan) -> Table:
    """Open the table or query of a plan on a connection that an administrator named."""
    named = find_connection(name)

    def read(options: ReadOptions) -> Table:
        return open_connection(named, table=place.table, query=place.query, options=options)

    table = as_planned(place, read) if has_rules(named) else read(place.options)
    table.name = place.name or table.name
    return table


def as_planned(record: DataPlan, read: Callable[[ReadOptions], Table]) -> Table:
    """Read data as a plan says; those of a plan of an earlier version by its rules, where only so they are the same.

    Numbers of which these rules took one of two readings unasked are asked about, and so is a decimal mark that such a
    plan holds: that version wrote down what it had found.
    """
    options = replace(record.options, rules=record.options.rules or 2)
    may_be_found = record.options.rules is None and record.fingerprint is not None
    table: Table | None = None
    asked: TwoReadingsError | None = None
    try:
        table = read(replace(options, decimal=None) if may_be_found else options)
    except TwoReadingsError as error:
        if record.fingerprint is None or options.rules == 1:
            raise
        asked = error
    if table is not None and (record.fingerprint is None or fits(record.fingerprint, table.fingerprint) is not False):
        return table
    # What is said of single columns, earlier versions did not know.
    said = options.decimal_point or options.decimal_comma or options.as_text
    if options.rules == 2 and not said:
        for other in (*((options,) if may_be_found else ()), replace(options, rules=1)):
            before = read(other)
            numbers = {name for name, column in before.columns.items() if column.kind == "number"}
            chosen = asked is not None and any(each.column in numbers for each in asked.columns)
            if not chosen and fits(require(record.fingerprint), before.fingerprint):
                return before
    if asked is not None:
        raise asked
    return require(table)


def read_alike(options: ReadOptions, read: Callable[[ReadOptions], Table]) -> Table:
    """Read a second table: what was said of the columns of the first holds for those that it has, too.

    Counts of cases and sampling weights of the first it must have.
    """
    named = ReadOptions(
        decimal=options.decimal,
        rules=options.rules,
        decimal_point=options.decimal_point,
        decimal_comma=options.decimal_comma,
        as_text=options.as_text,
        counts=options.counts,
        means=options.means,
        rounded_to=options.rounded_to,
        hidden=options.hidden,
        rows_are_cases=options.rows_are_cases,
        unweighted=options.unweighted,
        all_closed=options.all_closed,
        not_known=options.not_known,
        left_out=options.left_out,
        real_values=options.real_values,
        labels=options.labels,
        derived=options.derived,
        numbers=options.numbers,
        codes=options.codes,
    )
    try:
        table = read(named)
    except (InputError, TwoReadingsError):
        # Which columns it has shows without a question about numbers: any mark will do.
        columns = read(ReadOptions(decimal=options.decimal or ".", rules=options.rules)).columns
        absent = [
            name for name in (*count_columns(options.counts), *mean_columns(options.means)) if name not in columns
        ]
        if absent:
            raise InputError(
                f"The second table has no column {quote(absent[0])}, by which the cases of the first are counted.",
                hint="Bring a table that counts its cases in the same columns.",
            ) from None
        table = read(_of_columns(named, columns))
    return table.with_design(options.design)


def _of_columns(options: ReadOptions, columns: Collection[str]) -> ReadOptions:
    """Return options without what is said of columns that a table lacks."""
    return replace(
        options,
        decimal_point=tuple(name for name in options.decimal_point if name in columns),
        decimal_comma=tuple(name for name in options.decimal_comma if name in columns),
        as_text=tuple(name for name in options.as_text if name in columns),
        numbers=tuple(name for name in options.numbers if name in columns),
        codes=tuple(name for name in options.codes if name in columns),
        not_known=tuple(said for said in options.not_known if said[0] in columns),
        left_out=tuple(said for said in options.left_out if said[0] in columns),
        real_values=tuple(said for said in options.real_values if said[0] in columns),
        labels=tuple(said for said in options.labels if said[0] in columns),
        derived=tuple(made for made in options.derived if set(made[1]) <= set(columns)),
    )


def record_data(plan: AuditPlan, table: Table) -> AuditPlan:
    """Return the plan with a record of a table: fingerprint, rows, columns and how it was read."""
    table = as_table(table)
    record = {
        "name": table.name,
        "fingerprint": table.fingerprint,
        "n_rows": table.n_rows,
        "columns": tuple(table.columns),
    }
    if table.connection is not None:
        facts = table.connection
        record |= {"connection": facts.connection, "table": facts.table, "query": facts.query}
        record |= {} if facts.connection is None else {"source": f"{PREFIX}{facts.connection}"}
    return plan.model_copy(update={"data": plan.data.model_copy(update=record).read_by(table.source.options)})


def compare_data(plan: AuditPlan, table: Table, *, ignore_fingerprint: bool = False) -> DataFacts:
    """Compare a table with the plan's record of its data and return the facts about it."""
    mismatch = _mismatch(table, plan)
    if mismatch is not None and not ignore_fingerprint:
        raise FingerprintError(
            mismatch,
            hint="Give the data that the plan was saved with. To go on with these and have the result say so: "
            "--ignore-fingerprint, or ignore_fingerprint=True in Python.",
        )
    columns = tuple(table.columns)
    return DataFacts(
        name=table.name,
        n_rows=table.n_rows,
        n_columns=len(columns),
        fingerprint=table.fingerprint,
        source=table.source,
        notes=table.notes + _one_case_a_row(table) + _not_compared(table, plan),
        mismatch=mismatch,
        fingerprint_kind="aggregates" if table.is_connected else "content",
        connection=table.connection,
    )


def _one_case_a_row(table: Table) -> tuple[str, ...]:
    column = taken_for_cases(table)
    return () if column is None else (Remark(counts_caution(column), "setting"),)


def _not_compared(table: Table, plan: AuditPlan) -> tuple[str, ...]:
    recorded = plan.data.fingerprint
    if recorded is None or fits(recorded, table.fingerprint) is not None:
        return ()
    return (remark(Message("differs-salted", {"variable": Phrase(SALT.variable)}), "setting"),)


def _mismatch(table: Table, plan: AuditPlan) -> str | None:
    """Say how a table differs from a plan's record of its data; None if it does not."""
    record = plan.data
    fingerprint = record.fingerprint
    known = None if fingerprint is None else fits(fingerprint, table.fingerprint)
    same = known is True
    changes: list[Message] = []
    # Rows may come between opening a table in a database and its fingerprint, which counts them itself.
    counted_alike = same and table.is_connected
    if record.n_rows is not None and record.n_rows != table.n_rows and not counted_alike:
        sizes = {"n": Count(table.n_rows), "recorded": Count(record.n_rows)}
        changes.append(Message("differs-rows", sizes))
    columns = tuple(table.columns)
    if record.columns is not None and record.columns != columns:
        added = [quote(c, limit=40) for c in columns if c not in record.columns]
        gone = [quote(c, limit=40) for c in record.columns if c not in columns]
        changes += [Message("differs-new", {"columns": _some(added)})] if added else []
        changes += [Message("differs-gone", {"columns": _some(gone)})] if gone else []
        changes += [] if added or gone else [Message("differs-order")]
    if fingerprint is None or known is None:
        return say(Message("differs-record", {"changes": _joined(changes)})) if changes else None
    if same:
        if not changes:
            return None
        # The fingerprint covers names and cells, so equal fingerprints leave only the plan's own record to be wrong.
        return say(Message("differs-plan", {"changes": _joined(changes)}))
    in_database = record.table is not None or record.query is not None
    if in_database != table.is_connected:
        known_by = {"recorded": Word("database" if in_database else "file")}
        more: dict[str, Argument] = {"has_changes": Word("yes" if changes else "no"), "changes": _joined(changes)}
        return say((Message("differs-kind", known_by), Message("differs-kind-more", more)))
    if not changes:
        same_size = record.columns and record.n_rows is not None
        changes += [Message("differs-same-size" if same_size else "differs-same-name"), Message("differs-cells")]
    prints = {"given": Phrase(table.fingerprint[:12]), "recorded": Phrase(fingerprint[:12])}
    what = {"what": Word("table" if table.is_connected else "file")}
    return say((Message("differs-data", {"changes": _joined(changes), **prints}), Message("differs-since", what)))


def _joined(changes: Sequence[Message]) -> Phrase:
    return Phrase(", ".join(map(say, changes)))


def _some(names: list[str]) -> Argument:
    named, more = Phrase(", ".join(names[:5])), len(names) - 5
    return Message("names-more", {"names": named, "n": Count(more)}) if more > 0 else named


def _sample(name: str) -> Path:
    names = sorted(path.stem for path in SAMPLE_FOLDER.glob("*.csv"))
    if name not in names:
        raise DataError(f"There is no sample data set {quote(name)}.", hint=near_names(name, names))
    return SAMPLE_FOLDER / f"{name}.csv"
