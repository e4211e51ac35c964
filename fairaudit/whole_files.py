"""Files that are written whole or not at all, and never over what is read; folders that are made for them."""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from fairaudit.errors import InputError, quote


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write files: first all of them beside their places, then each to its place at once.

    A file that is there is replaced. Where one cannot be written, such as on a full disk, all are as they were.
    """
    # A link leads to the file that is meant. What is no file, such as a pipe, cannot be replaced.
    places = {Path(os.path.realpath(path)): content for path, content in contents.items()}
    streams = [path for path in places if path.exists() and not path.is_file()]
    files = [path for path in places if path not in streams]
    beside = {path: path.with_name(_beside(path.name[:80], secrets.token_hex(6))) for path in files}
    for place in beside:
        _clear(place)
    path = None
    try:
        for path, written in beside.items():
            with written.open("xb") as stream:
                stream.write(places[path])
                stream.flush()
                os.fsync(stream.fileno())
            if path.exists():
                written.chmod(path.stat().st_mode)
        for path in streams:
            path.write_bytes(places[path])
        for path, written in beside.items():
            written.replace(path)
    except OSError as error:
        # The name of the file that was asked for, which a person knows.
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        for written in beside.values():
            with contextlib.suppress(OSError):
                written.unlink()


def _beside(name: str, mark: str) -> str:
    return f".{name}.{mark}.part"


def _clear(path: Path) -> None:
    """Remove what an earlier run that was ended has left beside the place of a file."""
    with contextlib.suppress(OSError):
        for left in path.parent.glob(_beside(glob.escape(path.name[:80]), "?" * 12)):
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
