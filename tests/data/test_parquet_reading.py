"""Parquet: in place from a path, in memory from bytes, refused when damaged."""

from __future__ import annotations

import io

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairaudit.data import Limits, ReadOptions, engine, read_table
from fairaudit.errors import DataError, LimitError


def parquet(table: pa.Table | pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table if isinstance(table, pa.Table) else pa.Table.from_pandas(table), buffer)
    return buffer.getvalue()


@pytest.fixture
def cases(tmp_path):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"n": rng.integers(0, 5, 2_000), "x": rng.random(2_000), "s": rng.choice(["a", "b", None], 2_000)}
    )
    path = tmp_path / "cases.parquet"
    path.write_bytes(parquet(frame))
    return path


def test_a_path_is_read_in_place_and_bytes_are_held(cases):
    placed, held = read_table(cases), read_table(cases.read_bytes())
    assert placed.source.in_place
    assert not held.source.in_place
    assert placed.n_rows == held.n_rows == 2_000
    assert placed.columns == held.columns
    assert placed.fingerprint == held.fingerprint
    by = ["s", placed.condition("x > 0.5")]
    pd.testing.assert_frame_equal(placed.counts(by), held.counts(by))


def test_kinds_come_from_the_types():
    table = pa.table(
        {
            "i8": pa.array([1, None], pa.int8()),
            "u64": pa.array([1, 2], pa.uint64()),
            "f32": pa.array([0.5, float("nan")], pa.float32()),
            "dec": pa.array([1, 2], pa.decimal128(10, 2)),
            "flag": [True, None],
            "day": pa.array([0, 1], pa.date32()),
            "when": pa.array([0, 1], pa.timestamp("ns", tz="Europe/Zurich")),
            "word": pa.array(["x", None]).dictionary_encode(),
            "clock": pa.array([0, 1], pa.time64("us")),
            "list": [[1], [2]],
            "bytes": [b"1", b"2"],
        }
    )
    read = read_table(parquet(table))
    assert {c.name: c.kind for c in read.columns.values()} == {
        "i8": "number",
        "u64": "number",
        "f32": "number",
        "dec": "number",
        "flag": "boolean",
        "day": "date",
        "when": "timestamp",
        "word": "text",
        "clock": "text",
    }
    assert any("'list', 'bytes'" in note for note in read.notes)
    assert read.count("f32 IS NULL") == 1


def test_only_the_file_itself_can_be_reached(cases, tmp_path):
    other = tmp_path / "other.parquet"
    other.write_bytes(cases.read_bytes())
    connection = engine.connect([cases])
    assert connection.execute(f"SELECT count(*) FROM read_parquet('{cases}')").fetchall() == [(2_000,)]
    for query in (
        f"SELECT * FROM read_parquet('{other}')",
        f"SELECT * FROM read_csv('{tmp_path}/*')",
        f"COPY (SELECT 1) TO '{tmp_path}/out.csv'",
        "ATTACH '/tmp/x.db'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SET threads = 1",
    ):
        with pytest.raises(duckdb.Error):
            connection.execute(query)


def test_missing_texts_apply_to_texts_and_numbers(cases):
    table = read_table(cases, options=ReadOptions(missing=("a", "4")))
    assert table.count("s = 'a'") == 0
    assert table.column_range("n") == (0, 3)


@pytest.mark.parametrize("keep", [4, 200, -1, -9])
def test_a_file_cut_short_is_refused(cases, keep):
    data = cases.read_bytes()[:keep]
    cases.write_bytes(data)
    for source in (data, cases):
        with pytest.raises(DataError, match=r"cut short|damaged"):
            read_table(source)


def test_no_rows_are_refused():
    with pytest.raises(DataError, match="1 column name but no rows"):
        read_table(parquet(pa.table({"a": pa.array([], pa.int64())})))


def test_only_nested_columns_are_refused():
    with pytest.raises(DataError, match="No column can be used"):
        read_table(parquet(pa.table({"a": [[1]]})))


def test_repeated_and_empty_names_are_made_unique():
    table = pa.table([pa.array([1]), pa.array([2]), pa.array([3])], names=["a", "A", ""])
    assert list(read_table(parquet(table)).columns) == ["a", "A_2", "column_3"]


def test_a_small_file_with_very_many_rows_is_refused():
    bomb = parquet(pa.table({"a": pa.array(np.zeros(30_000_000, dtype="int64"))}))
    assert len(bomb) < 1_000_000
    with pytest.raises(LimitError, match="when unpacked"):
        read_table(bomb, limits=Limits(max_decompressed=20_000_000))


def test_a_file_that_changes_after_opening_is_an_error_with_a_remedy(cases):
    table = read_table(cases)
    cases.write_bytes(b"PAR1")
    with pytest.raises(DataError, match="moved, changed"):
        table.counts(["s"])


def test_a_path_with_wildcards_is_no_pattern(tmp_path, cases):
    path = tmp_path / "c[a]*.parquet"
    path.write_bytes(cases.read_bytes())
    assert read_table(path).n_rows == 2_000
