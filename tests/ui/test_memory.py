"""A limit on memory is a sentence for whoever would go over it, and nothing for the others."""

from __future__ import annotations

import http.client
import io
import re
import threading

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from serving import served

from benchmarks.visitor import Visitor
from fairaudit.errors import InputError, LimitError
from fairaudit.events import Finished, Progress, Started
from fairaudit.settings import MEMORY
from ui.runtime import memory
from ui.runtime.doors import show_spent
from ui.runtime.jobs import Jobs
from ui.runtime.turns import Turns

MB = 1_000_000
PATIENCE_S = 20


def most_is(monkeypatch, n_bytes: int) -> None:
    """Let the server take so much, and no more."""
    monkeypatch.setenv(MEMORY.variable, f"{n_bytes / MB:.6f}MB")


@pytest.mark.parametrize(
    ("said", "n_bytes"), [("6GB", 6e9), ("1.5 gb", 1.5e9), ("800 MB", 8e8), ("900kb", 9e5), ("123456789", 123456789)]
)
def test_the_administrator_says_how_much(monkeypatch, said, n_bytes):
    monkeypatch.setenv(MEMORY.variable, said)
    assert memory.most() == n_bytes


@pytest.mark.parametrize("said", ["much", "-1GB", "0", "6 TB", "1e9", "GB"])
def test_what_is_no_size_is_refused(monkeypatch, said):
    monkeypatch.setenv(MEMORY.variable, said)
    with pytest.raises(InputError, match="must be a size"):
        memory.most()


def test_without_a_word_it_is_most_of_the_machine_or_of_its_container(monkeypatch, tmp_path):
    monkeypatch.delenv(MEMORY.variable, raising=False)
    limit, none = tmp_path / "limit", tmp_path / "none"
    limit.write_text("1000000000\n", encoding="ascii")
    none.write_text("max\n", encoding="ascii")
    memory._usual.cache_clear()
    monkeypatch.setattr(memory, "_CGROUP", (none, limit, tmp_path / "not there"))
    assert memory.most() == 800 * MB
    memory._usual.cache_clear()


def test_what_the_process_holds_is_counted():
    before = memory.used()
    held = bytearray(b"x" * (60 * MB))
    assert before + 40 * MB < memory.used() < before + 90 * MB
    del held


def test_more_than_is_left_is_refused_with_size_limit_and_remedy(monkeypatch):
    most_is(monkeypatch, memory.used() + 30 * MB)
    memory.ask_for(1 * MB, "This table")
    with pytest.raises(LimitError) as refused:
        memory.ask_for(500 * MB, "This table")
    assert re.search(r"takes about 500 MB, and the server holds \d.* [MG]B of the \d.* [MG]B", refused.value.message)
    assert "others have finished" in refused.value.hint


def never():
    raise AssertionError("it began")
    yield


def long_work(goes_on: threading.Event):
    """Work of two steps; the test says when the second may be."""
    yield Started("work", 2)
    goes_on.wait(PATIENCE_S)
    yield Progress("second", 1, 2)
    yield Finished("done")


def test_fit_is_counted_by_its_rows_and_texts_count_more():
    n = 1_000_000
    X = pd.DataFrame({"age": np.arange(n), "member": np.zeros(n, dtype=bool), "area": pd.Categorical(["a"] * n)})
    assert memory.fit_bytes(X[["age"]]) == memory.fit_bytes(X[["member"]]) == 350 * MB
    assert memory.fit_bytes(X) - memory.fit_bytes(X[["age", "member"]]) == 400 * MB


def test_fit_that_needs_more_than_is_left_does_not_begin_and_the_next_one_does(monkeypatch):
    most_is(monkeypatch, memory.used() + 100 * MB)
    jobs = Jobs(Turns(1))
    large = jobs.start("large", "Retraining", never, n_bytes=10_000 * MB)
    assert large.wait(PATIENCE_S) and large.status == "failed"
    assert "Retraining takes about 10 GB" in large.error.message
    goes_on = threading.Event()
    goes_on.set()
    small = jobs.start("small", "Retraining", lambda: long_work(goes_on), n_bytes=1 * MB)
    assert small.wait(PATIENCE_S) and small.result == "done"


def test_fit_that_grows_over_the_limit_ends_at_its_next_step(monkeypatch):
    most_is(monkeypatch, memory.used() + 500 * MB)
    goes_on = threading.Event()
    jobs = Jobs(Turns(1))
    job = jobs.start("a", "Retraining", lambda: long_work(goes_on))
    most_is(monkeypatch, 1 * MB)
    goes_on.set()
    assert job.wait(PATIENCE_S) and job.status == "failed" and isinstance(job.error, LimitError)
    assert "Retraining ended, as it takes too much" in job.error.message


def test_memory_error_of_a_fit_is_a_sentence():
    def wrong():
        yield Started("work", 1)
        raise MemoryError

    jobs = Jobs(Turns(1))
    job = jobs.start("a", "Retraining", wrong)
    assert job.wait(PATIENCE_S) and isinstance(job.error, LimitError) and "the server holds" in job.error.message


@pytest.mark.parametrize("error", [MemoryError(), LimitError("The question needs more memory than there is.")])
def test_page_that_runs_out_of_memory_is_a_sentence(monkeypatch, error):
    shown = []
    monkeypatch.setattr("ui.runtime.doors.show_error", shown.append)
    assert show_spent(error) is True and isinstance(shown[0], LimitError)
    assert show_spent(ZeroDivisionError()) is False and len(shown) == 1


@pytest.fixture(scope="module")
def small_server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("served"), FAIRAUDIT_MEMORY="900MB") as started:
        yield started


def test_server_with_little_memory_refuses_with_a_sentence_and_others_go_on(small_server):
    staying, coming = Visitor(small_server), Visitor(small_server)
    staying.draw()
    staying.draw(press="home_sample_loans")
    coming.draw("Data")
    status, said = send_length(coming, 400 * MB)
    assert status == 507 and "This upload takes about 800 MB" in said and "of the 900 MB" in said
    assert any("files of up to" in text and "900 MB" in text for text in coming.texts)
    coming.bring("data_upload", "many.parquet", small_file_of_much())
    [error] = coming.errors
    assert "needs more memory than the" in error and "others have finished" in error
    assert small_server.process.poll() is None
    staying.draw("Check")
    assert not staying.errors and staying.texts


def small_file_of_much() -> bytes:
    """Return a file of some kB whose table takes more than half a gigabyte."""
    column = np.zeros(20_000_000, dtype=np.int64)
    out = io.BytesIO()
    pq.write_table(pa.table(dict.fromkeys("abcd", column)), out)
    return out.getvalue()


def send_length(visitor: Visitor, n_bytes: int) -> tuple[int, str]:
    """Say that an upload of this size follows, and return status and text of the answer."""
    connection = http.client.HTTPConnection("localhost", visitor.server.port, timeout=PATIENCE_S)
    connection.putrequest("PUT", f"/_stcore/upload_file/{visitor.session}/file")
    connection.putheader("Cookie", visitor.cookie)
    connection.putheader("Content-Length", str(n_bytes))
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text
