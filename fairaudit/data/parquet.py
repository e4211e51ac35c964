"""Parquet: read in place from a path, or held in memory from bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from fairaudit.columns import ReadOptions, Source
from fairaudit.data.answers import Answers
from fairaudit.data.engine import connect, literal, reading
from fairaudit.data.fingerprint import FileStamp
from fairaudit.data.formats import refused
from fairaudit.data.frames import bridged, bridged_type
from fairaudit.data.limits import Limits, size_text
from fairaudit.data.load import load_typed, one_column
from fairaudit.data.names import clean_names
from fairaudit.data.table import Table
from fairaudit.errors import DataError, LimitError, NoRowsError

_MAGIC = b"PAR1"
_BATCH = 65_536
_DAMAGED = "Download or copy it again, or save it as Parquet anew."


def read_parquet_file(path: Path, *, name: str, options: ReadOptions, limits: Limits, source: Source) -> Table:
    """Open a Parquet file in place: nothing but its description is read now."""
    path = path.resolve()
    stamp = FileStamp.of(path)
    with path.open("rb") as stream:
        stream.seek(max(path.stat().st_size - 4, 0))
        _check_end(stream.read(4))
    connection = connect([path])
    facts = _metadata(path, connection)
    if not facts.num_rows:
        raise NoRowsError(pq.read_schema(path).names)
    # By itself the database makes a column of a folder named like year=2020, and renames what differs in case only.
    relation = f"read_parquet({literal(str(path))}, hive_partitioning = false)"
    with _decoding():
        found = facts.schema.to_arrow_schema().names
    names, notes = clean_names(found, limits)
    with reading("The Parquet file", _DAMAGED):
        columns, more = load_typed(connection, relation, names, in_place=True, missing=options.missing)
    return Table(
        Answers(connection, stamp),
        columns=columns,
        n_rows=facts.num_rows,
        name=name,
        source=replace(
            source, format="parquet", in_place=True, options=ReadOptions(trim=False, missing=options.missing)
        ),
        notes=(*notes, *more, *one_column(len(columns))),
    )


def read_parquet_bytes(data: bytes, *, name: str, options: ReadOptions, limits: Limits, source: Source) -> Table:
    """Read a Parquet file that is held in memory."""
    _check_end(data[-4:])
    with _decoding():
        file = pq.ParquetFile(pa.BufferReader(data))
        schema, n_rows = file.schema_arrow, file.metadata.num_rows
    names, notes = clean_names(schema.names, limits)
    if not n_rows:
        raise NoRowsError(names)
    batches = _Batches(file, pa.schema([(f"c{i}", bridged_type(field.type)) for i, field in enumerate(schema)]), limits)
    connection = connect()
    try:
        with reading("The Parquet file", _DAMAGED):
            connection.register("parquet_schema", batches.schema.empty_table())
            connection.register("parquet_rows", pa.RecordBatchReader.from_batches(batches.schema, batches))
            columns, more = load_typed(
                connection,
                "parquet_rows",
                names,
                in_place=False,
                missing=options.missing,
                described_by="parquet_schema",
            )
            connection.unregister("parquet_rows")
            connection.unregister("parquet_schema")
    except DataError as error:
        failure = batches.failure or error
        # What it comes from says whether memory was short.
        raise failure from failure.__cause__
    if batches.n_rows != n_rows:
        raise DataError("The Parquet file is damaged: it does not hold as many rows as it says.", hint=_DAMAGED)
    return Table(
        Answers(connection),
        columns=columns,
        n_rows=n_rows,
        name=name,
        source=replace(source, format="parquet", options=ReadOptions(trim=False, missing=options.missing)),
        notes=(*notes, *more, *one_column(len(columns))),
    )


class _Batches:
    """The rows in batches, counted; what goes wrong is kept, as the database hides it."""

    def __init__(self, file: pq.ParquetFile, schema: pa.Schema, limits: Limits):
        self.schema = schema
        self.n_rows = 0
        self.failure: DataError | None = None
        self._file = file
        self._limits = limits

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        size = 0
        try:
            with _decoding():
                for batch in self._file.iter_batches(_BATCH):
                    size += batch.nbytes
                    self.n_rows += batch.num_rows
                    if size > self._limits.max_decompressed:
                        raise LimitError(
                            f"The Parquet file is over {size_text(self._limits.max_decompressed)} when unpacked.",
                            hint="Keep fewer rows or columns, or have it read in place from a folder.",
                        )
                    yield pa.RecordBatch.from_arrays([bridged(c) for c in batch.columns], schema=self.schema)
        except DataError as error:
            self.failure = error
            raise


@contextmanager
def _decoding() -> Iterator[None]:
    try:
        yield
    except DataError:
        raise
    except MemoryError as error:
        raise DataError("The Parquet file is damaged, or needs more memory than there is.", hint=_DAMAGED) from error
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, OverflowError):
        raise DataError("The Parquet file is damaged.", hint=_DAMAGED) from None


def _metadata(path: Path, connection: duckdb.DuckDBPyConnection) -> pq.FileMetaData:
    with _decoding():
        facts = pq.read_metadata(path)
    # Some descriptions of columns end the whole process where pyarrow is asked for them; the database refuses these.
    groups = f"SELECT any_value(row_group_num_rows), min(num_values) FROM parquet_metadata({literal(str(path))})"
    with reading("The Parquet file", _DAMAGED):
        counts = connection.execute(f"{groups} GROUP BY row_group_id").fetchall()
    # A column has as many values as its group has rows; lists may have more.
    if facts.num_rows != sum(rows for rows, _ in counts) or not all(values >= rows for rows, values in counts):
        raise DataError("The Parquet file is damaged: it contradicts itself on how many rows it holds.", hint=_DAMAGED)
    return facts


def _check_end(end: bytes) -> None:
    if end == b"PARE":
        raise refused("an encrypted Parquet file", "Save it without encryption.")
    if end != _MAGIC:
        raise DataError("The Parquet file is cut short: its end is missing.", hint=_DAMAGED)
