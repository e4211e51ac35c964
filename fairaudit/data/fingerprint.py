"""One name for the content of a table, whatever its file's name, kind or compression.

The fingerprint is the SHA-256 of the column names and then, for each block of 65,536 rows and each column in it, the
lengths and the UTF-8 bytes of the cells' canonical texts. The canonical text of a whole number has no decimals, a date
is ISO, a timestamp at midnight is its date, a boolean is ``true`` or ``false``, blanks around a text are gone, and a
missing cell is empty. A text that reads as a short number is written as that number, so that it does not matter whether
a file keeps types.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairaudit.columns import Column
from fairaudit.data.engine import RELATION, literal, quoted
from fairaudit.data.kinds import NUMBER, trimmed
from fairaudit.errors import DataError

_BLOCK = 65_536
_EXACT = 15
_RARE_BLANK = "[\t\r\n\u00a0]"


def fingerprint(cursor: duckdb.DuckDBPyConnection, columns: Iterable[Column]) -> str:
    """Compute the fingerprint of a table.

    Notes
    -----
    Rows stream through: memory does not grow with their number.
    """
    columns = list(columns)
    digest = hashlib.sha256(json.dumps([c.name for c in columns], ensure_ascii=False).encode())
    texts = ", ".join(f"coalesce({canonical(c)}, '')" for c in columns)
    reader = cursor.sql(f"SELECT {texts} FROM {RELATION}").to_arrow_reader(_BLOCK)
    for block in _blocks(reader):
        for column in block.columns:
            digest.update(_lengths(column))
            digest.update(_bytes(column))
    return digest.hexdigest()


def canonical(column: Column) -> str:
    """Return SQL for the canonical text of a cell."""
    name = quoted(column.name)
    match column.kind:
        case "number":
            return _number(name)
        case "boolean" | "date":
            return f"CAST({name} AS VARCHAR)"
        case "timestamp":
            return f"replace(CAST({name} AS VARCHAR), ' 00:00:00', '')"
    # Removing any kind of blank is slow, and nearly no cell has other than plain ones.
    text = f"(CASE WHEN regexp_matches({name}, {literal(_RARE_BLANK)}) THEN {trimmed(name)} ELSE trim({name}) END)"
    short = f"strlen({text}) <= {_EXACT} AND regexp_full_match({text}, '{NUMBER}')"
    return (
        f"CASE WHEN {short} THEN {_number(f'TRY_CAST({text} AS DOUBLE)')}"
        f" WHEN strlen({text}) IN (4, 5) AND lower({text}) IN ('true', 'false') THEN lower({text}) ELSE {text} END"
    )


def _number(expression: str) -> str:
    return (
        f"CASE WHEN {expression} = trunc({expression}) AND abs({expression}) < 9e18"
        f" THEN CAST(CAST({expression} AS BIGINT) AS VARCHAR) ELSE CAST({expression} AS VARCHAR) END"
    )


def _blocks(reader: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    held: list[pa.RecordBatch] = []
    n_held = 0
    for batch in reader:
        held.append(batch)
        n_held += batch.num_rows
        while n_held >= _BLOCK:
            table = pa.Table.from_batches(held)
            yield table.slice(0, _BLOCK).combine_chunks()
            held = table.slice(_BLOCK).to_batches()
            n_held -= _BLOCK
    if n_held:
        yield pa.Table.from_batches(held).combine_chunks()


def _lengths(column: pa.ChunkedArray) -> bytes:
    return pc.binary_length(column).to_numpy().astype("<u4").tobytes()


def _bytes(column: pa.ChunkedArray) -> bytes:
    parts = []
    for chunk in column.chunks:
        if not len(chunk):
            continue
        _, offsets, data = chunk.buffers()
        width = np.int64 if pa.types.is_large_string(chunk.type) else np.int32
        edges = np.frombuffer(offsets, dtype=width, count=chunk.offset + len(chunk) + 1)
        start, stop = int(edges[chunk.offset]), int(edges[chunk.offset + len(chunk)])
        parts.append(b"" if data is None else memoryview(data)[start:stop])
    return b"".join(parts)


# Whether a file that is read in place is still the one that was opened.


@dataclass(frozen=True)
class FileStamp:
    """What distinguishes a file from its later versions.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    facts : tuple of int
        Its size, time of change and place on the disk.
    """

    path: Path
    facts: tuple[int, ...]

    @classmethod
    def of(cls, path: Path) -> FileStamp:
        """Return the stamp of a file as it is now."""
        return cls(path, _facts(path))

    def check(self) -> None:
        """Refuse to go on with a file that is not the one that was opened."""
        try:
            same = _facts(self.path) == self.facts
        except OSError:
            same = False
        if not same:
            raise DataError("The data file was moved, changed or removed since it was opened.", hint="Open it again.")


def _facts(path: Path) -> tuple[int, ...]:
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns, facts.st_ino
