"""Files of SPSS, Stata and SAS, with the labels of their codes; values that are said to be missing are missing."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, get_args

import pandas as pd
import pyarrow as pa

from fairaudit.columns import CodeLabels, Labels, ReadOptions, Source, code_text
from fairaudit.data.answers import Answers
from fairaudit.data.engine import connect, reading
from fairaudit.data.frames import to_arrow
from fairaudit.data.limits import Limits, size_text
from fairaudit.data.load import load_typed, one_column
from fairaudit.data.names import check_width, clean_names
from fairaudit.data.prepare import with_labels
from fairaudit.data.table import Table
from fairaudit.disclosure.said import remarks
from fairaudit.errors import DataError, LimitError, NoRowsError, quote
from fairaudit.findings import Message, Phrase

StatisticalFormat = Literal["sav", "por", "dta", "sas7bdat", "xpt"]
STATISTICAL: Final[tuple[StatisticalFormat, ...]] = get_args(StatisticalFormat)
CALLED: Final[dict[str, str]] = {
    "sav": "an SPSS file",
    "por": "an SPSS portable file",
    "dta": "a Stata file",
    "sas7bdat": "a SAS file",
    "xpt": "a SAS transport file",
}
"""What a file of each kind is called, for messages."""

_SAVE = "Open it in the program that made it and save it anew, or as CSV."
_EXACT = 2**53
_MOST_NAMED = 8


def read_statistical(
    data: bytes, kind: StatisticalFormat, *, name: str, options: ReadOptions, limits: Limits, source: Source
) -> Table:
    """Read a file of SPSS, Stata or SAS that is held in memory."""
    facts = _read(data, kind, options, metadataonly=True)[1]
    check_width(len(facts.column_names), limits)
    _check_size(facts, limits)
    frame, facts = _read(data, kind, options)
    names, notes = clean_names(list(facts.column_names), limits)
    if not len(frame):
        raise NoRowsError(names)
    columns = [_typed(frame.iloc[:, place]) for place in range(frame.shape[1])]
    held = pa.table(list(map(to_arrow, columns)), names=[f"c{place}" for place in range(len(columns))])
    connection = connect()
    with reading("The file", _SAVE):
        connection.register("file_rows", held)
        found, more = load_typed(connection, "file_rows", names, in_place=False, missing=options.missing)
        connection.unregister("file_rows")
    table = Table(
        Answers(connection),
        columns=found,
        n_rows=len(frame),
        name=name,
        source=replace(source, format=kind, options=ReadOptions(encoding=options.encoding, missing=options.missing)),
        notes=(*notes, *more, *one_column(len(found))),
    )
    by_place = dict(zip(names, zip(facts.column_names, columns, strict=True), strict=True))
    said = {each for each, _ in options.labels} | {*options.numbers, *options.codes, *options.as_text}
    kinds = {column.name: column.kind for column in found}
    labels: list[tuple[str, CodeLabels]] = []
    partly: list[str] = []
    for each, (raw, values) in by_place.items():
        given = facts.variable_value_labels.get(raw)
        if not given or each in said or kinds.get(each) not in ("number", "text"):
            continue
        codes = _codes_of(given, values)
        if codes is None:
            partly.append(each)
        elif codes:
            labels.append((each, codes))
    table = with_labels(table, tuple(labels), said=()) if labels else table
    table.notes = (*table.notes, *_notes(tuple(labels), partly))
    return table


def _codes_of(given: Mapping[object, object], values: pd.Series) -> CodeLabels | None:
    """Return the codes of a column with labels of their own; None where it holds numbers of which few have a label."""
    held = {code_text(value) for value in values.dropna().unique().tolist()}
    labels = {code_text(code): str(label).strip() for code, label in given.items()}
    labels = {code: label for code, label in labels.items() if label}
    known = held & labels.keys()
    if not known:
        return ()
    if len(known) < len(held - known):
        return None
    taken = [*labels.values()]
    others = held | labels.keys()
    return tuple(
        (code, f"{label} ({code})" if taken.count(label) > 1 or (label in others and label != code) else label)
        for code, label in labels.items()
    )


def _notes(labels: Labels, partly: list[str]) -> tuple[str, ...]:
    said = []
    if labels:
        said.append(Message("read-labels", {"columns": _named([name for name, _ in labels])}))
    if partly:
        said.append(Message("read-labels-partly", {"columns": _named(partly)}))
    return remarks(said, "setting")


def _named(names: list[str]) -> Phrase:
    more = ", …" if len(names) > _MOST_NAMED else ""
    return Phrase(", ".join(quote(name, limit=40) for name in names[:_MOST_NAMED]) + more)


def _typed(values: pd.Series) -> pd.Series:
    """Return whole numbers as such, and empty texts as missing."""
    if pd.api.types.is_float_dtype(values):
        known = values.dropna()
        if len(known) and ((known % 1 == 0) & (known.abs() < _EXACT)).all():
            return values.astype("Int64")
        return values
    if pd.api.types.is_string_dtype(values.dtype) or values.dtype == object:
        return values.mask(values.map(lambda value: isinstance(value, str) and not value.strip()), None)
    return values


def _check_size(facts: Any, limits: Limits) -> None:
    """Refuse a file whose rows would take too much, before they are read; old files do not say how many there are."""
    n_rows = facts.number_rows or 0
    n_bytes = n_rows * sum(max(width or 8, 8) for width in facts.variable_storage_width.values())
    if n_bytes > limits.max_decompressed:
        raise LimitError(
            f"The file holds {n_rows:,} rows, which take {size_text(n_bytes)}; at most "
            f"{size_text(limits.max_decompressed)} are read.",
            hint="Keep fewer rows or columns, or save it as Parquet.",
        )


def _read(
    data: bytes, kind: StatisticalFormat, options: ReadOptions, *, metadataonly: bool = False
) -> tuple[pd.DataFrame, Any]:
    # Imported where it is needed: most tables do without it.
    import pyreadstat

    readers: dict[StatisticalFormat, Callable[..., tuple[pd.DataFrame, Any]]] = {
        "sav": pyreadstat.read_sav,
        "por": pyreadstat.read_por,
        "dta": pyreadstat.read_dta,
        "sas7bdat": pyreadstat.read_sas7bdat,
        "xpt": pyreadstat.read_xport,
    }
    encoded = {} if kind == "por" else {"encoding": options.encoding}
    failed: Exception | None = None
    try:
        return readers[kind](io.BytesIO(data), metadataonly=metadataonly, **encoded)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a file makes of its reader becomes a sentence
        failed = error
    # Raised out here: what the reader says may hold a cell.
    if "allocate memory" in str(failed):
        raise MemoryError
    if isinstance(failed, OverflowError):
        raise DataError(f"The file is {CALLED[kind]} with a date beyond the year 9999.", hint="Correct it.")
    if isinstance(failed, UnicodeError) or "convert string" in str(failed):
        raise DataError(
            f"The file is {CALLED[kind]} whose texts are in another encoding than it says.",
            hint="Name the encoding, such as latin-1 or cp1252, or save the file anew.",
        )
    raise DataError(f"The file is {CALLED[kind]} that cannot be read; it is damaged or unusual.", hint=_SAVE)
