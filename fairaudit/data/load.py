"""Fill a table's database: text cells with their types found from all rows, or typed columns as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import duckdb
import pyarrow as pa

from fairaudit.columns import Column, DecimalMark, Kind
from fairaudit.data.engine import RELATION, literal, quoted
from fairaudit.data.kinds import (
    DAYS,
    GROUPS,
    MARKED,
    MIRRORED,
    NUMBER,
    TWO_WAYS,
    WITH_COMMA,
    CellRules,
    Form,
    cell,
    converted,
    first_fit,
    kind_of,
    mark_of_form,
    misfit,
    sign_sql,
    trimmed,
)  # fmt: skip
from fairaudit.data.limits import Limits
from fairaudit.disclosure.said import remark, remarks
from fairaudit.errors import (
    DataError,
    FairauditError,
    InputError,
    LimitError,
    TwoReadings,
    TwoReadingsError,
    near_names,
    quote,
)  # fmt: skip
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say

RAW = "raw_rows"
_HEAD, _HEAD_CELLS = 1_000, 300_000
# One query looks at this many columns at a time: planning grows faster than their number, but a text that is not held
# is parsed again for each query.
_WIDE = 30
_WIDE_STREAMED = 200

_EXAMPLES = 3
_LOOKED_AT = 300

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")


class CellRows(Protocol):
    """Rows of text cells in columns ``c0``, ``c1`` and so on, that can be read more than once.

    Both give None where the database has the relation ``raw_rows`` already, as a view of a file.
    """

    def batches(self) -> pa.Table | pa.RecordBatchReader | None:
        """Return all rows."""

    def head(self, n: int) -> pa.Table | None:
        """Return the first `n` rows."""


@dataclass(frozen=True)
class ArrowRows:
    """Text cells that are already held.

    Parameters
    ----------
    table : pyarrow.Table
        String columns ``c0``, ``c1`` and so on.
    """

    table: pa.Table

    def batches(self) -> pa.Table:
        """Return all rows."""
        return self.table

    def head(self, n: int) -> pa.Table:
        """Return the first `n` rows."""
        return self.table.slice(0, n)


class FileRows:
    """Text cells that stay in their file, seen through the view ``raw_rows``."""

    def batches(self) -> None:
        """Return nothing: the view exists."""

    def head(self, n: int) -> None:
        """Return nothing: the view exists."""


@dataclass(frozen=True)
class Loaded:
    """What came of filling a database.

    Parameters
    ----------
    columns : tuple of Column
        Names and kinds in order.
    n_rows : int
        Rows.
    notes : tuple of str
        What was changed or dropped.
    forms : tuple of str
        For text cells, the form found in each column.
    """

    columns: tuple[Column, ...]
    n_rows: int
    notes: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()


def load_cells(
    connection: duckdb.DuckDBPyConnection, rows: CellRows, names: Sequence[str], rules: CellRules, limits: Limits
) -> Loaded:
    """Make the table from text cells, the kind of each column found from all its rows."""
    _check_named(names, rules)
    raw = [f"c{position}" for position in range(len(names))]
    called = dict(zip(raw, names, strict=True))
    n_head = min(_HEAD, max(_HEAD_CELLS // len(raw), 1))
    with _registered(connection, rows.head(n_head)):
        plausible = _plausible_forms(connection, called, n_head, rules)
    allowed = {name: rules.forms_of(called[name]) for name in raw}
    forms = {name: tuple(form for form in plausible[name] if form in allowed[name]) for name in raw}
    # Nearly always the first form that fits the first rows fits all; only what fails is looked at again.
    facts = _passes(connection, rows, {name: forms[name][:1] for name in raw}, called, rules)
    for position, name in enumerate(raw):
        if facts[name].longest > limits.max_cell:
            raise _too_long(connection, rows, name, names[position], facts[name].longest, limits)
    open_ones = {name: forms[name][1:] for name in raw if facts[name].form == "text" and forms[name][1:]}
    open_ones = {name: rest for name, rest in open_ones.items() if facts[name].known}
    found = {name: fact.form for name, fact in facts.items()}
    found |= {name: fact.form for name, fact in _passes(connection, rows, open_ones, called, rules).items()}
    judged = _WrittenNumbers(connection, rows, called, rules)
    found |= judged.without_groups(found)
    found |= (unsure := judged.of_several_signs(found))
    mirrored: dict[str, tuple[Form, ...]] = {
        name: (MIRRORED[form],)
        for name, form in found.items()
        if form in MIRRORED and MIRRORED[form] in forms[name] and rules.mark_of(called[name]) is None
    }
    both = [name for name, fact in _passes(connection, rows, mirrored, called, rules).items() if fact.form != "text"]
    if two_ways := judged.two_ways(both, found):
        raise TwoReadingsError(two_ways)
    select = ", ".join(
        f"{converted('(' + cell(name, rules.of_column(shown)) + ')', found[name])} AS {quoted(shown)}"
        for name, shown in zip(raw, names, strict=True)
    )
    batches = rows.batches()
    what = "VIEW" if batches is None else "TABLE"
    with _registered(connection, batches):
        connection.execute(f"CREATE {what} {RELATION} AS SELECT {select} FROM {_kept(called, rules)}")
    columns = tuple(Column(shown, kind_of(found[name])) for shown, name in zip(names, raw, strict=True))
    notes = (*_trim_notes(names, [facts[name] for name in raw]), *judged.notes(found, unsure))
    return Loaded(columns, facts[raw[0]].n_rows, notes, tuple(found[name] for name in raw))


def load_typed(
    connection: duckdb.DuckDBPyConnection,
    relation: str,
    names: Sequence[str],
    *,
    in_place: bool,
    missing: Sequence[str] = (),
    described_by: str | None = None,
) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Make the table from columns that have types.

    Whole numbers stay whole; decimals become floating-point numbers, not-a-number becomes missing, time zones become
    UTC. Lists, structures and bytes are left out with a note.
    """
    described = connection.execute(f"DESCRIBE SELECT * FROM {described_by or relation}").fetchall()
    columns: list[Column] = []
    parts: list[str] = []
    dropped: list[str] = []
    for (raw, type_name, *_), name in zip(described, names, strict=True):
        how = exposed(quoted(raw), type_name)
        if how is None:
            dropped.append(name)
            continue
        expression, kind = how
        columns.append(Column(name, kind))
        parts.append(f"{_null_where_missing(expression, kind, missing)} AS {quoted(name)}")
    if not columns:
        raise DataError("No column can be used: all hold lists, structures or bytes.", hint="Add plain columns.")
    what = "VIEW" if in_place else "TABLE"
    connection.execute(f"CREATE {what} {RELATION} AS SELECT {', '.join(parts)} FROM {relation}")
    if not dropped:
        return tuple(columns), ()
    shown = ", ".join(quote(name, limit=40) for name in dropped[:8])
    return tuple(columns), (say(Message("read-lists", {"columns": Phrase(shown)})),)


class _WrittenNumbers:
    """Look at columns of numbers that are not plain: few in most files, so each is asked about by itself."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, rows: CellRows, called: dict[str, str], rules: CellRules):
        self._connection, self._rows, self._called, self._rules = connection, rows, called, rules
        self._signs: dict[str, dict[str, int]] = {}

    def without_groups(self, found: dict[str, Form]) -> dict[str, Form]:
        """Return as text the columns with decimal commas alone, where these are rare."""
        if not self._rules.rare_comma:
            return {}
        return {
            name: "text"
            for name, form in found.items()
            if form == "grouped_comma"
            and self._rules.mark_of(self._called[name]) is None
            and not self._ask(name, f"SELECT v FROM cells WHERE regexp_matches(v, {literal(GROUPS)}) LIMIT 1")
        }

    def of_several_signs(self, found: dict[str, Form]) -> dict[str, Form]:
        """Return as text the columns with signs of several currencies, or with some percentages."""
        for name, form in found.items():
            if form in MARKED:
                self._signs[name] = dict(self._ask(name, f"SELECT {sign_sql('v')}, count(*) FROM cells GROUP BY 1"))
        return {name: "text" for name, signs in self._signs.items() if _are_several(signs)}

    def two_ways(self, both: Sequence[str], found: dict[str, Form]) -> tuple[TwoReadings, ...]:
        """Return, of columns that fit a form and its mirrored one, those in which the two differ."""
        asked = {name: cells for name in both if (cells := self._examples(name, self._rows.batches()))}
        if not asked:
            return ()
        marks: dict[DecimalMark, str] = {}
        for name, form in found.items():
            mark = mark_of_form(form)
            if (
                mark is not None
                and name not in both
                and mark not in marks
                and self._examples(name, self._rows.head(_HEAD))
            ):
                marks[mark] = self._called[name]
        likely, shown_by = next(iter(marks.items())) if len(marks) == 1 else (None, None)
        return tuple(
            TwoReadings(self._called[name], cells, *self._readings(cells[0], found[name]), likely, shown_by)
            for name, cells in asked.items()
        )

    def notes(self, found: dict[str, Form], unsure: dict[str, Form]) -> Iterator[str]:
        """Say what was done with signs of money and percent."""
        taken = [
            say(Message("read-sign", {"signs": _signs(signs), "column": self._named(name)}))
            for name, signs in self._signs.items()
            if found[name] in MARKED
        ]
        if taken:
            yield remark(Message("read-signs", {"columns": Phrase("; ".join(taken))}), "setting")
        for name in unsure:
            signs = _signs(sign or say(Message("read-no-sign")) for sign in self._signs[name])
            yield say(Message("read-several-signs", {"column": self._named(name), "signs": signs}))

    def _named(self, name: str) -> Phrase:
        return Phrase(quote(self._called[name], limit=40))

    def _examples(self, name: str, rows: pa.Table | pa.RecordBatchReader | None) -> tuple[str, ...]:
        """Return some cells in which a mark stands between digits."""
        query = f"SELECT v FROM cells WHERE regexp_matches(v, {literal(TWO_WAYS)}) LIMIT {_LOOKED_AT}"
        return tuple(dict.fromkeys(v for [v] in self._ask(name, query, rows)))[:_EXAMPLES]

    def _readings(self, text: str, form: Form) -> tuple[float, float]:
        """Return a cell as a number with a decimal point, and with a decimal comma."""
        point, comma = sorted((form, MIRRORED[form]), key=lambda each: each in WITH_COMMA)
        query = f"SELECT {converted('v', point)}, {converted('v', comma)} FROM (SELECT ? AS v)"
        as_point, as_comma = self._connection.execute(query, [text]).fetchall()[0]
        return float(as_point), float(as_comma)

    def _ask(self, name: str, query: str, rows: pa.Table | pa.RecordBatchReader | None = None) -> list[tuple]:
        text = cell(name, self._rules.of_column(self._called[name]))
        kept = _kept(self._called, self._rules)
        cells = f"WITH cells AS (SELECT {text} AS v FROM {kept} WHERE {text} IS NOT NULL)"
        with _registered(self._connection, self._rows.batches() if rows is None else rows):
            return self._connection.execute(f"{cells} {query}").fetchall()


def _are_several(signs: dict[str, int]) -> bool:
    """Say whether numbers stand with several signs; some with a sign of money and some without are of one currency."""
    n = len(signs.keys() - {""})
    return n > 1 or ("%" in signs and "" in signs)


def _check_named(names: Sequence[str], rules: CellRules) -> None:
    """Refuse columns that are not there, and a column of which two things are said."""
    said: dict[str, str] = {}
    for option in ("decimal_point", "decimal_comma", "as_text"):
        for name in getattr(rules, option):
            if name not in names:
                raise InputError(
                    f"{option!r} must name columns of the table, got {quote(name)}.", hint=near_names(name, names)
                )
            if name in said:
                raise InputError(f"Column {quote(name)} stands in {said[name]!r} and in {option!r}; one is possible.")
            said[name] = option


@dataclass(frozen=True)
class _CellFacts:
    n_rows: int
    longest: int
    changed: int
    known: int
    form: Form


class _registered:
    """Lend rows to a database under one name for a while."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, rows: pa.Table | pa.RecordBatchReader | None):
        self._connection, self._rows = connection, rows

    def __enter__(self) -> None:
        if self._rows is not None:
            self._connection.register(RAW, self._rows)

    def __exit__(self, *_: object) -> None:
        if self._rows is not None:
            self._connection.unregister(RAW)


def _plausible_forms(
    connection: duckdb.DuckDBPyConnection, called: dict[str, str], n_rows: int, rules: CellRules
) -> dict[str, tuple[Form, ...]]:
    """Return the forms that the first rows allow for each column: most are ruled out cheaply."""
    # All columns as one: planning a question about many columns takes longer than answering it.
    head, raw, own = f"(SELECT * FROM {_kept(called, rules)} LIMIT {n_rows})", list(called), dict(rules.not_known)
    parts = [cell(name, rules.of_column(shown)) if shown in own else name for name, shown in called.items()]
    cells = f"SELECT unnest(range({len(raw)})) AS place, unnest([{', '.join(parts)}]) AS raw FROM {head}"
    sums = ", ".join(f"count(*) FILTER ({misfit('text', form)})" for form in rules.forms)
    inner = f"SELECT place, {cell('raw', rules)} AS text FROM ({cells})"
    counted = connection.execute(f"SELECT place, {sums} FROM ({inner}) GROUP BY place").fetchall()
    misfits = {place: counts for place, *counts in counted}
    return {
        name: tuple(
            form for form, n in zip(rules.forms, misfits.get(place, [0] * len(rules.forms)), strict=True) if not n
        )
        for place, name in enumerate(raw)
    }


def _passes(
    connection: duckdb.DuckDBPyConnection,
    rows: CellRows,
    forms: dict[str, tuple[Form, ...]],
    called: dict[str, str],
    rules: CellRules,
) -> dict[str, _CellFacts]:
    facts: dict[str, _CellFacts] = {}
    names = list(forms)
    while len(facts) < len(names):
        batches = rows.batches()
        start, wide = len(facts), _WIDE if isinstance(batches, pa.Table) else _WIDE_STREAMED
        with _registered(connection, batches):
            facts |= _facts(connection, names[start : start + wide], forms, called, rules)
    return facts


def _facts(
    connection: duckdb.DuckDBPyConnection,
    raw: Sequence[str],
    forms: dict[str, tuple[Form, ...]],
    called: dict[str, str],
    rules: CellRules,
) -> dict[str, _CellFacts]:
    inner = ", ".join(f"{name}, {cell(name, rules.of_column(called[name]))} AS v{name}" for name in raw)
    outer = ["count(*)"]
    for name in raw:
        changed = f"count(*) FILTER ({name} <> {trimmed(name, rules.blanks)})" if rules.blanks else "0"
        outer += [f"coalesce(max(strlen({name})), 0)", changed, f"count(v{name})"]
        outer += [f"count(*) FILTER ({misfit('v' + name, form)})" for form in forms[name]]
    values = iter(
        connection.execute(f"SELECT {', '.join(outer)} FROM (SELECT {inner} FROM {_kept(called, rules)})").fetchall()[0]
    )
    n_rows = next(values)
    facts = {}
    for name in raw:
        longest, changed, known = next(values), next(values), next(values)
        misfits = [next(values) for _ in forms[name]]
        # A column without values is text.
        form = first_fit(forms[name], misfits) if known else "text"
        facts[name] = _CellFacts(n_rows, longest, changed, known, form)
    return facts


def _kept(called: dict[str, str], rules: CellRules) -> str:
    """Return the rows whose cells are not among those that leave them out."""
    raw_of = {shown: name for name, shown in called.items()}
    left_out = [
        f"coalesce({cell(raw_of[column], rules)} IN ({', '.join(map(literal, texts))}), FALSE)"
        for column, texts in rules.left_out
        if column in raw_of
    ]
    return f"(SELECT * FROM {RAW} WHERE NOT ({' OR '.join(left_out)}))" if left_out else RAW


def _too_long(
    connection: duckdb.DuckDBPyConnection, rows: CellRows, raw: str, name: str, longest: int, limits: Limits
) -> FairauditError:
    inner = f"SELECT row_number() OVER () AS i, strlen({raw}) AS n FROM {RAW}"
    with _registered(connection, rows.batches()):
        row = connection.execute(f"SELECT min(i) FROM ({inner}) WHERE n > {limits.max_cell}").fetchall()[0][0]
    return LimitError(
        f"Column {quote(name)} has a cell of {longest:,} bytes in row {row:,}; at most {limits.max_cell:,} are read.",
        hint="Remove the column or shorten the cell.",
    )


def _signs(signs: Iterable[str | None]) -> Phrase:
    return Phrase(", ".join(sorted(filter(None, signs))))


def _trim_notes(names: Sequence[str], facts: Sequence[_CellFacts]) -> tuple[str, ...]:
    touched = [name for name, fact in zip(names, facts, strict=True) if fact.changed]
    if not touched:
        return ()
    shown = ", ".join(quote(name, limit=40) for name in touched[:5])
    more = ", …" if len(touched) > 5 else ""
    columns: dict[str, Argument] = {"n": Count(len(touched)), "columns": Phrase(shown + more)}
    return (remark(Message("read-trimmed", columns), "setting"),)


def _null_where_missing(expression: str, kind: Kind, missing: Sequence[str]) -> str:
    if kind == "number":
        texts = [text.strip() for text in missing if re.fullmatch(NUMBER, text.strip())]
    else:
        texts = [literal(text) for text in missing] if kind == "text" else []
    return f"CASE WHEN {expression} IN ({', '.join(texts)}) THEN NULL ELSE {expression} END" if texts else expression


def exposed(column: str, type_name: str) -> tuple[str, Kind] | None:
    """Return how a column of some type of the database is read and what it then holds; None where it is not."""
    base = type_name.split("(")[0]
    if type_name.endswith("]"):
        return None
    if base in _WHOLE:
        return f"CAST({column} AS BIGINT)", "number"
    if base == "FLOAT":
        # Through its text: 0.1 of single precision is shown, filtered and fingerprinted as 0.1.
        return f"CASE WHEN isnan({column}) THEN NULL ELSE CAST(CAST({column} AS VARCHAR) AS DOUBLE) END", "number"
    if base == "DOUBLE":
        return f"CASE WHEN isnan({column}) THEN NULL ELSE CAST({column} AS DOUBLE) END", "number"
    if base == "DECIMAL":
        whole = type_name.endswith(",0)") and int(type_name[8:].split(",")[0]) <= 18
        return f"CAST({column} AS {'BIGINT' if whole else 'DOUBLE'})", "number"
    if base in ("UBIGINT", "HUGEINT", "UHUGEINT"):
        return f"CAST({column} AS DOUBLE)", "number"
    if base == "BOOLEAN":
        return column, "boolean"
    if base == "DATE":
        return column, "date"
    if base.startswith("TIMESTAMP"):
        zoned = "TZ" in base or "ZONE" in base
        moment = f"CAST({column} AS TIMESTAMPTZ)" if zoned else column
        return f"CAST({moment} AS TIMESTAMP)", "timestamp"
    if base == "VARCHAR":
        return column, "text"
    if base in ("TIME", "TIME WITH TIME ZONE", "INTERVAL", "UUID", "ENUM", '"NULL"', "NULL", "TIME_NS"):
        return f"CAST({column} AS VARCHAR)", "text"
    return None


# Sentences that all readers share.


def one_column(n_columns: int) -> tuple[str, ...]:
    """Return a note where a table has a single column."""
    if n_columns > 1:
        return ()
    return (remark(Message("read-one-column"), "setting"),)


def written_notes(names: Sequence[str], loaded: Loaded) -> tuple[str, ...]:
    """Return which columns were read as days by their dots, and which numbers could have been meant otherwise."""
    by_form: dict[Form, list[str]] = {}
    for name, form in zip(names, loaded.forms, strict=True):
        by_form.setdefault(form, []).append(name)
    dotted = [name for form in DAYS[None] for name in by_form.get(form, ())]
    notes = []
    if dotted:
        notes.append(Message("read-days", {"columns": _listed(dotted)}))
    marks: dict[DecimalMark | None, list[str]] = {}
    for name, form in zip(names, loaded.forms, strict=True):
        marks.setdefault(mark_of_form(form), []).append(name)
    if "." in marks and "," in marks:
        notes.append(Message("read-marks", {"commas": _listed(marks[","]), "points": _listed(marks["."])}))
    return remarks(notes, "setting")


def _listed(names: list[str]) -> Argument:
    named, more = Phrase(", ".join(quote(name, limit=40) for name in names[:8])), len(names) - 8
    return Message("names-more", {"names": named, "n": Count(more)}) if more > 0 else named
