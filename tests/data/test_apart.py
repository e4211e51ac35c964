"""Files that others send are read in a process apart: the same tables and errors, and nothing ends the caller."""

from __future__ import annotations

import gzip
import io
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from places import SAMPLES

from fairaudit import read_table
from fairaudit.columns import FirstRows
from fairaudit.data import ReadOptions, subprocess_reader
from fairaudit.data.limits import Limits
from fairaudit.errors import DataError, FairauditError, InputError, LimitError, TwoReadingsError, UnsupportedFormatError

MB = 1_000_000


def parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


def workbook(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_excel(buffer, index=False)
    return buffer.getvalue()


KINDS = pd.DataFrame(
    {
        "whole": pd.array([1, None, 2**60], dtype="Int64"),
        "part": [0.1, float("nan"), -1e300],
        "text": ["ä", None, "'; DROP TABLE data"],
        "yes": pd.array([True, None, False], dtype="boolean"),
        "day": pd.to_datetime(["2020-02-29", None, "1890-01-01"]),
        "moment": pd.to_datetime(["2020-02-29 12:34:56.123456", "1999-01-01 00:00:00.000001", None]),
        'a "quoted" name': ["x", "y", "z"],
    }
)
LOANS = (SAMPLES / "loans.csv").read_bytes()


def test_texts_that_a_reader_says_are_in_no_cache_of_the_process():
    reply = subprocess_reader.Reply(message="Zq was read", first_rows=FirstRows(rows=((1, ("Zq one",)),)))
    sent = subprocess_reader.REPLIES.dump_json((reply,))
    (one,), (other,) = (subprocess_reader.REPLIES.validate_json(sent) for _ in range(2))
    assert one == other == reply
    # What is kept is handed out again.
    assert one.message is not other.message
    assert one.first_rows.rows[0][1][0] is not other.first_rows.rows[0][1][0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "content",
    [parquet(KINDS), workbook(KINDS), KINDS.to_csv(index=False).encode(), LOANS, gzip.compress(LOANS)],
    ids=["parquet", "workbook", "text", "loans", "gzip"],
)
def test_the_table_is_the_same(content):
    here, there = read_table(content, name="t"), subprocess_reader.read_apart(content, name="t")
    assert there.fingerprint == here.fingerprint
    for what in ("name", "columns", "n_rows", "source", "notes"):
        assert getattr(there, what) == getattr(here, what)
    pd.testing.assert_frame_equal(there.to_pandas(), here.to_pandas())


@pytest.mark.thorough
def test_a_table_is_taken_only_where_its_size_is_accepted():
    sizes = []
    subprocess_reader.read_apart(LOANS, name="t", accept=sizes.append)
    assert 6_000 * 8 < sizes[0] < 20 * MB

    def refuse(n_bytes: int) -> None:
        raise LimitError(f"There is no room for {n_bytes} bytes.")

    with pytest.raises(LimitError, match="no room"):
        subprocess_reader.read_apart(LOANS, name="t", accept=refuse)
    assert subprocess_reader.read_apart(LOANS, name="t").n_rows == 6_000


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("content", "options", "limits", "kind"),
    [
        (b"", ReadOptions(), Limits(), DataError),
        (b"a,b\n1,2\n3\n", ReadOptions(), Limits(), DataError),
        (b"\x7fELF" + bytes(100), ReadOptions(), Limits(), UnsupportedFormatError),
        (b"a,b\n1,2\n", ReadOptions(), Limits(max_columns=1), LimitError),
        (workbook(KINDS), ReadOptions(sheet="none such"), Limits(), InputError),
        (b"pay;rate\n1.157;0,5\n983;1\n", ReadOptions(), Limits(), TwoReadingsError),
    ],
)
def test_errors_are_the_same(content, options, limits, kind):
    with pytest.raises(kind) as here:
        read_table(content, options=options, limits=limits)
    with pytest.raises(kind) as there:
        subprocess_reader.read_apart(content, name="t", options=options, limits=limits)
    assert type(there.value) is type(here.value)
    assert (there.value.message, there.value.hint) == (here.value.message, here.value.hint)
    assert getattr(there.value, "columns", ()) == getattr(here.value, "columns", ())


@pytest.mark.thorough
def test_a_file_that_asks_for_too_much_memory_is_refused_and_the_next_one_is_read():
    large = b"a,b\n" + b"1,some text that is a little longer\n" * (60 * MB // 36)
    with pytest.raises(LimitError, match="memory"):
        subprocess_reader.read_apart(large, name="t", memory=50 * MB)
    assert subprocess_reader.read_apart(b"a\n1\n", name="t").n_rows == 1


@pytest.mark.thorough
def test_a_file_that_takes_too_long_is_refused():
    large = "\n".join(["a,b", *(f"{number},x" for number in np.arange(2_000_000) / 7)]).encode()
    start = time.monotonic()
    with pytest.raises(LimitError, match="longer than 0"):
        subprocess_reader.read_apart(large, name="t", seconds=0.1)
    assert time.monotonic() - start < 30


@pytest.mark.thorough
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGABRT])
def test_a_reader_that_dies_is_said_in_one_sentence(how):
    subprocess_reader.warm_up()
    (spare,) = subprocess_reader._spare
    os.kill(spare.process.pid, how)
    spare.process.poll = lambda: None  # It dies after it was chosen.
    with pytest.raises(LimitError, match="breaks its reader"):
        subprocess_reader.read_apart(LOANS, name="t")
    assert subprocess_reader.read_apart(LOANS, name="t").n_rows > 1_000


def test_a_reader_that_died_while_it_waited_is_replaced():
    subprocess_reader.warm_up()
    (spare,) = subprocess_reader._spare
    spare.process.kill()
    spare.process.wait()
    assert subprocess_reader.read_apart(LOANS, name="t").n_rows == 6_000
    assert spare.process.pid not in subprocess_reader.readers()


@pytest.mark.thorough
def test_one_reader_is_ready_and_none_is_left_behind():
    before = {spare.process.pid for spare in subprocess_reader._spare}
    threads = [
        threading.Thread(target=subprocess_reader.read_apart, args=(LOANS,), kwargs={"name": "t"}) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (spare,) = subprocess_reader._spare
    assert spare.process.poll() is None
    assert not any(Path(f"/proc/{pid}").exists() for pid in before - {spare.process.pid})


@pytest.mark.parametrize("what", ["pq.ParquetFile.iter_batches", "_Batches.__iter__"])
def test_a_parquet_file_whose_rows_find_no_memory_is_not_called_damaged(monkeypatch, what):
    def no_memory(*_):
        raise pa.lib.ArrowMemoryError("malloc failed")
        yield

    monkeypatch.setattr(f"fairaudit.data.parquet.{what}", no_memory)
    with pytest.raises(FairauditError) as error:
        read_table(parquet(pd.DataFrame({"a": [1, 2, 3]})), name="x")
    answer = subprocess_reader.error_reply(error.value, 10**9)
    assert answer.error == "LimitError" and answer.message.startswith("The file needs more memory than the 1 GB")
