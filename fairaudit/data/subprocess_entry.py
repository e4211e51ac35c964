"""The process that reads one file for :mod:`fairaudit.data.subprocess_reader`, and ends."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import IO

import pyarrow as pa

from fairaudit.data.answers import Answers
from fairaudit.data.readers import read_table
from fairaudit.data.subprocess_reader import REPLIES, REQUESTS, Reply, Request, error_reply, table_reply


def serve() -> None:
    """Take one request from the standard input, and reply on the standard output."""
    # The first table takes longest: the database and the types of columns are got ready before a person waits for them.
    read_table(b"first\n1\n")
    with os.fdopen(os.dup(1), "wb") as out:
        # What libraries print must not come between.
        os.dup2(2, 1)
        size = int.from_bytes(sys.stdin.buffer.read(8), "big")
        if size:
            _read(sys.stdin.buffer, REQUESTS.validate_json(sys.stdin.buffer.read(size)), out)


def _read(source: IO[bytes], request: Request, out: IO[bytes]) -> None:
    _take_at_most(request.memory)
    try:
        table = read_table(source.read(request.size), name=request.name, options=request.options, limits=request.limits)
    except Exception as error:  # noqa: BLE001 - whatever a file makes of its reader is a reply
        _say(out, error_reply(error, request.memory))
        return
    answers = table._answers
    assert isinstance(answers, Answers)  # noqa: S101 - it was read from bytes
    _say(out, table_reply(table, answers.n_bytes))
    with answers.batches() as rows, pa.ipc.new_stream(out, rows.schema) as stream:
        for batch in rows:
            stream.write_batch(batch)


def _say(out: IO[bytes], reply: Reply) -> None:
    text = REPLIES.dump_json((reply,))
    out.write(len(text).to_bytes(8, "big") + text)
    out.flush()


def _take_at_most(memory: int) -> None:
    # Systems other than Linux have no such limit, or do not hold to it.
    with contextlib.suppress(ImportError, OSError):
        import resource

        held = next(int(line.split()[1]) for line in _status() if line.startswith("VmData"))
        most = held * 1024 + memory
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _status() -> list[str]:
    return Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
