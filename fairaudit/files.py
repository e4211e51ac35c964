"""Where the app and its samples lie, and files that are written whole or not at all, never over what is read."""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fairaudit import interrupts
from fairaudit.errors import InputError, quote

# Where the app and its samples lie: beside this package in a clone, in ``fairaudit_app`` where it was installed.

_BESIDE = Path(__file__).resolve().parents[1]
_INSTALLED = _BESIDE / "fairaudit_app"

APP_FOLDER = _INSTALLED if _INSTALLED.is_dir() else _BESIDE
"""The folder of ``app.py``, ``pages/``, ``ui/`` and what the server is set to."""

SAMPLE_FOLDER = APP_FOLDER / "sample_data"
"""The samples and their ready audits."""


# Files that are written whole or not at all, and never over what is read; folders that are made for them.

if sys.platform != "win32":
    import fcntl


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write files: first all of them beside their places, then each to its place at once.

    A file that is there is replaced. Where one cannot be written, such as on a full disk, or Ctrl-C was pressed, all
    are as they were.
    """
    # A link leads to the file that is meant. What is no file, such as a pipe, cannot be replaced.
    places = {Path(os.path.realpath(path)): content for path, content in contents.items()}
    streams = [path for path in places if path.exists() and not path.is_file()]
    files = [path for path in places if path not in streams]
    beside = {path: path.with_name(_beside(path.name[:80], secrets.token_hex(6))) for path in files}
    for place in beside:
        _clear(place)
    path = None
    opened: dict[Path, BinaryIO] = {}
    try:
        for path, written in beside.items():
            stream = opened[path] = _open_held(written)
            stream.write(places[path])
            stream.flush()
            os.fsync(stream.fileno())
        interrupts.check()
        for path in streams:
            path.write_bytes(places[path])
        for path, written in beside.items():
            if path.exists():
                written.chmod(path.stat().st_mode)
        for path, written in beside.items():
            if sys.platform == "win32":
                # What is open stays where it is there, so nobody removes it, and it cannot be renamed either.
                opened[path].close()
            written.replace(path)
    except OSError as error:
        # The name of the file that was asked for, which a person knows.
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        for stream in opened.values():
            with contextlib.suppress(OSError):
                stream.close()
        for written in beside.values():
            with contextlib.suppress(OSError):
                written.unlink()


def _beside(name: str, mark: str) -> str:
    return f".{name}.{mark}.part"


def _open_held(path: Path) -> BinaryIO:
    """Open a new file to write to and hold it, so that no other run clears it while this one is there."""
    while True:
        stream = path.open("xb")
        # Where a folder knows no locks, nobody gets one, and so nobody clears what is there.
        with contextlib.suppress(OSError):
            if sys.platform != "win32":
                fcntl.flock(stream, fcntl.LOCK_EX)
        # Another run may have cleared it before it was held.
        if os.fstat(stream.fileno()).st_nlink:
            return stream
        stream.close()


def _clear(path: Path) -> None:
    """Remove what an earlier run that was ended has left beside the place of a file, and nobody holds any more."""
    for left in path.parent.glob(_beside(glob.escape(path.name[:80]), "?" * 12)):
        with contextlib.suppress(OSError), left.open("r+b") as stream:
            if sys.platform != "win32":
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            else:
                # There, what another run holds open cannot be removed in any case.
                stream.close()
            left.unlink()


@contextmanager
def folder_for(path: Path) -> Iterator[None]:
    """Make a folder and those above it; where what it is made for fails, remove those of them that are empty."""
    made = [each for each in (path, *path.parents) if not each.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for each in made:
            with contextlib.suppress(OSError):
                each.rmdir()
        raise


def refuse_overwriting(outputs: Iterable[Path], inputs: Iterable[Path]) -> None:
    """Raise `InputError` where a file that is to be written is one that is read."""
    inputs = list(inputs)
    for output in outputs:
        if any(_is_same(output, read) for read in inputs):
            raise InputError(
                f"{quote(output.name)} would be overwritten, and it is what is read.",
                hint="Choose another place to write to.",
            )


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
