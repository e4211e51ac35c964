"""Random tables and conditions, for laws that must hold for all of them."""

from __future__ import annotations

import atexit
import datetime
import math
from dataclasses import dataclass
from functools import cache

import duckdb
import numpy as np
import pandas as pd
from hypothesis import strategies as st

KINDS = {
    "age": "number",
    "capital gain": "number",
    "race": "text",
    'Größe "x"': "text",
    "order": "boolean",
    "née_le": "date",
    "seen": "timestamp",
}
_SQL_TYPES = {
    "age": "BIGINT",
    "capital gain": "DOUBLE",
    "race": "VARCHAR",
    'Größe "x"': "VARCHAR",
    "order": "BOOLEAN",
    "née_le": "DATE",
    "seen": "TIMESTAMP",
}
_SPELLINGS = {
    "age": ("age", "AGE", '"age"'),
    "capital gain": ('"capital gain"', '"Capital Gain"'),
    "race": ("race", "Race"),
    'Größe "x"': ('"Größe ""x"""',),
    "order": ("order", '"order"'),
    "née_le": ("née_le", "NÉE_LE"),
    "seen": ("seen",),
}
WHOLE = st.one_of(st.integers(-3, 6), st.integers(-(2**53), 2**53), st.sampled_from([2**53 + 1, -(2**62), 2**63 - 1]))
REAL = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, -0.5, 1.5, 2.5, 1.005, 0.1, 1e-7, 1e300, math.inf, -math.inf]),
    st.floats(allow_nan=False),
)
TEXT = st.one_of(
    st.sampled_from(["", "White", "white", "Black", "Amer-Indian", "a%b", "a_b", " a ", "O'Neil", "ß", "İ", "ǅ"]),
    st.text("aAbB%_ '\"\\\n\té\u00a0ßẞΣς😀", max_size=5),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3),
)
DAY = st.one_of(
    st.sampled_from([datetime.date(2014, 1, 31), datetime.date(2000, 2, 29)]),
    st.dates(datetime.date(1700, 1, 1), datetime.date(2200, 1, 1)),
)
MOMENT = st.one_of(
    st.sampled_from([datetime.datetime(2014, 1, 31), datetime.datetime(2014, 1, 31, 10, 30)]),
    st.datetimes(datetime.datetime(1700, 1, 1), datetime.datetime(2200, 1, 1)),
)
_CELLS = {
    "age": WHOLE,
    "capital gain": REAL,
    "race": TEXT,
    'Größe "x"': TEXT,
    "order": st.booleans(),
    "née_le": DAY,
    "seen": MOMENT,
}
_DTYPES = {
    "age": ("Int64", "object"),
    "capital gain": ("float64", "Float64", "object"),
    "race": ("object", "str", "category"),
    'Größe "x"': ("str", "string"),
    "order": ("boolean", "object"),
    "née_le": ("object", "datetime64[us]", "datetime64[s]"),
    "seen": ("datetime64[us]", "object"),
}


@dataclass(frozen=True)
class Rows:
    """The same rows as a DataFrame and in a DuckDB table named ``rows``."""

    frame: pd.DataFrame
    connection: duckdb.DuckDBPyConnection

    def in_sql(self, condition: str) -> list[bool | None]:
        """The answers of the database, row by row."""
        return [row[0] for row in self.connection.execute(f"SELECT ({condition}) FROM rows ORDER BY rowid").fetchall()]


@st.composite
def frames(draw: st.DrawFn, *, max_rows: int = 6) -> pd.DataFrame:
    """A DataFrame with a column for each of `KINDS`, with missing values and the dtypes that pandas knows."""
    return _frame(draw, _rows(draw, max_rows))


@st.composite
def rows(draw: st.DrawFn, *, max_rows: int = 6) -> Rows:
    """The same random rows twice, see `Rows`; the table is that of the last rows drawn."""
    cells = _rows(draw, max_rows)
    connection = _database()
    names = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}" {kind}' for name, kind in _SQL_TYPES.items())
    connection.execute(f"CREATE OR REPLACE TABLE rows ({names})")
    connection.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(KINDS))})", [list(row) for row in cells])
    return Rows(_frame(draw, cells), connection)


@cache
def _database() -> duckdb.DuckDBPyConnection:
    # Opening a database takes longer than all questions to it.
    return duckdb.connect()


# Before the interpreter ends: DuckDB complains of what is left open then.
atexit.register(_database.cache_clear)


def _rows(draw: st.DrawFn, max_rows: int) -> list[tuple]:
    row = st.tuples(*(st.none() | cell for cell in _CELLS.values()))
    return draw(st.lists(row, min_size=1, max_size=max_rows))


def _frame(draw: st.DrawFn, cells: list[tuple]) -> pd.DataFrame:
    columns = {}
    for (name, dtypes), drawn in zip(_DTYPES.items(), zip(*cells, strict=True), strict=True):
        values = list(drawn)
        dtype = draw(st.sampled_from(dtypes))
        if name == "age" and None not in values:
            dtype = draw(st.sampled_from(("int64", dtype)))
        if dtype == "float64":
            values = [np.nan if value is None else value for value in values]
        columns[name] = pd.Series(values, dtype=dtype)
    return pd.DataFrame(columns)


def text_literal(value: str) -> str:
    """A text between single quotes."""
    return "'" + value.replace("'", "''") + "'"


def _name(*names: str) -> st.SearchStrategy[str]:
    return st.sampled_from([spelling for name in names for spelling in _SPELLINGS[name]])


def _finite(value: float) -> bool:
    return math.isfinite(value)


NUMBER_LITERAL = st.one_of(
    WHOLE.map(str), REAL.filter(_finite).map(repr), st.sampled_from(["1e2", "007", "2.", "1E-3"])
)
TEXT_LITERAL = TEXT.map(text_literal)
DATE_LITERAL = st.one_of(DAY.map(lambda day: f"DATE '{day}'"), MOMENT.map(lambda at: f"timestamp '{at}'"))
PATTERN = st.lists(st.sampled_from(["%", "_", "a", "A", "b", "é", "White", " ", "\\", "."]), max_size=5).map("".join)

TEXTS = st.recursive(
    st.one_of(_name("race", 'Größe "x"'), TEXT_LITERAL),
    lambda inner: st.one_of(
        st.builds("{}({})".format, st.sampled_from(["lower", "UPPER", "trim"]), inner),
        st.builds("coalesce({}, {})".format, inner, inner),
    ),
    max_leaves=3,
)
DATES = st.one_of(_name("née_le", "seen"), DATE_LITERAL, st.builds("coalesce(née_le, {})".format, DATE_LITERAL))
NUMBERS = st.recursive(
    st.one_of(_name("age", "capital gain"), NUMBER_LITERAL),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(list("+-*/%")), inner),
        st.builds("{} {} {}".format, inner, st.sampled_from(list("+-*/%")), inner),
        st.builds("- ({})".format, inner),
        st.builds("abs({})".format, inner),
        st.builds("round({}, {})".format, inner, st.integers(-2, 3)),
        st.builds("round({})".format, inner),
        st.builds("coalesce({}, {})".format, inner, inner),
        st.builds("length({})".format, TEXTS),
        st.builds("extract({} from {})".format, st.sampled_from(["year", "MONTH", "day"]), DATES),
    ),
    max_leaves=4,
)
_NOT = st.sampled_from(["", " NOT", " not"])
_SIGN = st.sampled_from(["=", "==", "<>", "!=", "<", "<=", ">", ">="])


def _atoms(values: st.SearchStrategy[str], literals: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    items = st.lists(literals, min_size=1, max_size=4).map(", ".join)
    return st.one_of(
        st.builds("{} {} {}".format, values, _SIGN, values),
        st.builds("{}{} IN ({})".format, values, _NOT, items),
        st.builds("{}{} BETWEEN {} AND {}".format, values, _NOT, values, values),
        st.builds("{} IS{} NULL".format, values, _NOT),
    )


ATOMS = st.one_of(
    _atoms(NUMBERS, NUMBER_LITERAL),
    _atoms(TEXTS, TEXT_LITERAL),
    _atoms(DATES, DATE_LITERAL),
    st.builds("{} {} '{}'".format, st.just("seen"), _SIGN, st.one_of(DAY, MOMENT)),
    st.builds("née_le {} '{}'".format, _SIGN, DAY),
    st.builds("{}{} {} {}".format, TEXTS, _NOT, st.sampled_from(["LIKE", "ilike"]), PATTERN.map(text_literal)),
    st.sampled_from(["order", '"order" = TRUE', "order <> false", "order IS NULL", "coalesce(order, false)", "TRUE"]),
)


def condition_texts(*, max_leaves: int = 5) -> st.SearchStrategy[str]:
    """Conditions that are right for the columns of `KINDS`, as text."""
    return st.recursive(
        ATOMS,
        lambda inner: st.one_of(
            st.builds("{} AND {}".format, inner, inner),
            st.builds("{} or {}".format, inner, inner),
            st.builds("NOT {}".format, inner),
            st.builds("({})".format, inner),
            st.builds("not ({})".format, inner),
        ),
        max_leaves=max_leaves,
    )
