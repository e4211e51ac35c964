"""A file is written whole or stays as it was: on a full disk, and where the process is ended in the middle."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import signal
import stat
import threading

import pytest

from fairaudit.errors import InputError
from fairaudit.files import refuse_overwriting, write_files


@pytest.fixture
def report(tmp_path):
    """Four files of an earlier report, and what is to replace them."""
    before = {tmp_path / name: name.encode() * 10 for name in ("report.pdf", "tables.zip", "result.json", "plan.toml")}
    for path, content in before.items():
        path.write_bytes(content)
    return before, dict.fromkeys(before, b"new " * 50000)


def assert_holds(folder, contents):
    assert {path: path.read_bytes() for path in folder.iterdir() if not path.name.endswith(".part")} == contents


def test_files_are_written_and_replaced_with_nothing_left_beside_them(report, tmp_path):
    _, new = report
    write_files(new)
    assert_holds(tmp_path, new)
    assert len(list(tmp_path.iterdir())) == len(new)


def test_full_disk_leaves_all_files_as_they_were(report, tmp_path):
    before, new = report
    # The last file does not fit any more.
    new[tmp_path / "plan.toml"] *= 4
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, limits[1]))
    try:
        with pytest.raises(OSError) as raised:
            write_files(new)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert raised.value.errno == errno.EFBIG
    assert raised.value.filename == str(tmp_path / "plan.toml")
    assert_holds(tmp_path, before)
    assert len(list(tmp_path.iterdir())) == len(before)


@pytest.mark.parametrize("n_written", range(5))
def test_process_that_is_killed_while_it_writes_leaves_all_files_as_they_were(report, tmp_path, monkeypatch, n_written):
    before, new = report
    left = iter(range(n_written))
    monkeypatch.setattr(os, "fsync", lambda _: next(left, None) is None and os.kill(os.getpid(), signal.SIGKILL))
    child = os.fork()
    if not child:
        write_files(new)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) == (n_written < 4)
    assert_holds(tmp_path, before if n_written < 4 else new)
    monkeypatch.undo()
    write_files(new)
    assert set(tmp_path.iterdir()) == set(new), "the next run clears what was left beside them"


def test_run_leaves_alone_what_another_one_is_writing_into_the_same_folder(report, tmp_path, monkeypatch):
    _, new = report
    other = dict.fromkeys(new, b"other")
    fsync = os.fsync

    def write_another(descriptor):
        monkeypatch.setattr(os, "fsync", fsync)
        child = os.fork()
        if not child:
            # What is held belongs to the writer, not to what it has begun.
            os.closerange(3, 1024)
            write_files(other)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert_holds(tmp_path, other)

    # In the middle of a run, with its first file written, another process writes all of its own.
    monkeypatch.setattr(os, "fsync", write_another)
    write_files(new)
    assert_holds(tmp_path, new)
    assert set(tmp_path.iterdir()) == set(new)


def test_file_that_is_cleared_before_it_is_held_is_begun_again(tmp_path, monkeypatch):
    flock, cleared = fcntl.flock, []

    def late(stream, how):
        if not cleared:
            cleared.append(stream.name)
            os.unlink(stream.name)
        flock(stream, how)

    monkeypatch.setattr(fcntl, "flock", late)
    write_files({tmp_path / "file": b"new"})
    assert cleared
    assert_holds(tmp_path, {tmp_path / "file": b"new"})


def test_rights_of_a_replaced_file_stay_and_a_link_leads_to_the_file_that_is_meant(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_files({link: b"new"})
    assert link.is_symlink() and file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_files({pipe: b"words"})
    reader.join(10)
    assert got == [b"words"] and pipe.is_fifo()


def test_folder_in_the_place_of_a_file_is_an_error_and_nothing_is_written(tmp_path):
    (tmp_path / "b").mkdir()
    with pytest.raises(IsADirectoryError):
        write_files({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_what_is_read_is_not_written_over_whatever_it_is_called(tmp_path):
    data, hard = tmp_path / "data.csv", tmp_path / "hard"
    data.write_bytes(b"a\n1\n")
    os.link(data, hard)
    (tmp_path / "soft").symlink_to(data)
    for output in (data, hard, tmp_path / "soft", tmp_path / "x" / ".." / "data.csv"):
        (tmp_path / "x").mkdir(exist_ok=True)
        with pytest.raises(InputError, match="would be overwritten"):
            refuse_overwriting([output], [data])
    refuse_overwriting([tmp_path / "other", tmp_path / "x"], [data, tmp_path / "no such file"])
