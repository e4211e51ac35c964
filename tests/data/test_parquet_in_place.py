"""A Parquet file on disk is the same table as its bytes, wherever it lies and whatever its columns are called."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairaudit import read_table
from fairaudit.data.engine import asking
from fairaudit.data.limits import Limits
from fairaudit.errors import DataError


def test_a_folder_named_like_a_value_makes_no_column(tmp_path):
    path = tmp_path / "year=2020" / "loans.parquet"
    path.parent.mkdir()
    pd.DataFrame({"area": [1, 2]}).to_parquet(path)
    table = read_table(path)
    assert list(table.columns) == ["area"]
    assert table.fingerprint == read_table(path.read_bytes()).fingerprint


def test_names_that_differ_in_case_only_are_the_same_from_disk_and_from_bytes(tmp_path):
    path = tmp_path / "loans.parquet"
    pd.DataFrame({"a": [1, 2], "A": [3, 4], " b ": [5, 6]}).to_parquet(path)
    stays, held = read_table(path), read_table(path.read_bytes())
    assert list(stays.columns) == list(held.columns) == ["a", "A_2", "b"]
    assert stays.notes == held.notes != ()
    assert stays.fingerprint == held.fingerprint
    assert stays.to_pandas().to_numpy().tolist() == [[1, 3, 5], [2, 4, 6]]


def test_damage_found_when_asked_is_the_fault_of_the_file(tmp_path):
    path = tmp_path / "loans.parquet"
    pd.DataFrame({"area": [f"area {i}" for i in range(500)]}).to_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + b"\0" * 200 + whole[204:])
    with pytest.raises(DataError):
        _ = read_table(path).fingerprint


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_file_that_is_replaced_gives_no_answer(tmp_path, ending):
    path = tmp_path / f"loans.{ending}"
    old, new = pd.DataFrame({"area": [1, 2], "y": [0, 1]}), pd.DataFrame({"area": [1, 2], "y": [1, 0]})

    def write(frame):
        frame.to_parquet(path) if ending == "parquet" else frame.to_csv(path, index=False)

    write(old)
    table = read_table(path, limits=Limits(in_place_bytes=1))
    assert table.source.in_place
    assert table.count("y = 1") == 1
    later = path.stat().st_mtime_ns + 1_000_000
    write(new)
    os.utime(path, ns=(later, later))
    for ask in (lambda: table.count("y = 1"), lambda: table.fingerprint, lambda: table.aggregate(["count(*)"])):
        with pytest.raises(DataError, match="moved, changed"):
            ask()
    path.unlink()
    with pytest.raises(DataError, match="moved, changed"):
        table.to_pandas()


def test_a_footer_that_lies_about_the_rows_is_refused(tmp_path):
    buffer = io.BytesIO()
    pd.DataFrame({"a": range(60)}).to_parquet(buffer)
    data = buffer.getvalue()
    size = int.from_bytes(data[-8:-4], "little")
    footer = data[-8 - size : -8]
    # In the footer's notation: the third field, sixty; after it the list of the parts of the file.
    lie = footer.replace(b"\x16\x78\x19", b"\x16\x80\xa8\xd6\xb9\x07\x19", 1)
    assert lie != footer
    path = tmp_path / "lie.parquet"
    path.write_bytes(data[: -8 - size] + lie + len(lie).to_bytes(4, "little") + b"PAR1")
    for source in (path, path.read_bytes()):
        with pytest.raises(DataError, match="damaged"):
            read_table(source)


def test_a_date_beyond_all_calendars_is_an_error_that_names_its_column(tmp_path):
    path = tmp_path / "dates.parquet"
    pq.write_table(pa.table({"born": pa.array([0, 2**31 - 1], pa.int32()).cast(pa.date32()), "a": [1, 2]}), path)
    table = read_table(path)
    assert table.count("a = 1") == 1
    with pytest.raises(DataError, match="'born'"):
        table.head()


def test_a_description_of_columns_that_ends_the_process_of_its_reader_is_refused(tmp_path):
    path = tmp_path / "numbers.parquet"
    pq.write_table(pa.table({"a": range(60)}), path)
    # The column is said to have no missing values, which its histogram of them contradicts.
    lie = path.read_bytes().replace(b"\x25\x02\x18\x01a", b"\x25\x00\x18\x01a")
    assert lie != path.read_bytes()
    path.write_bytes(lie)
    code = f"from fairaudit import read_table; read_table({str(path)!r}).fingerprint"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode in (0, 1) and (ended.returncode == 0 or "DataError" in ended.stderr), ended.stderr


def test_batches_that_cannot_be_decoded_are_the_fault_of_the_file():
    with pytest.raises(DataError, match="damaged"), asking():
        raise OSError("Invalid Error: Out of buffer")
