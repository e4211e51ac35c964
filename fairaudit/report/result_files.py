"""The files of a report, as somebody hands them over: a folder or a zip, which a stranger may have made.

Nothing is unpacked onto a disk, no link is followed, and what is read has bounds: in a zip by its own size and by what
comes out of it.
"""

from __future__ import annotations

import hashlib
import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Final

from fairaudit.errors import ReportError, quote

MOST_FILES: Final = 500
MOST_FILE_BYTES: Final = 200_000_000
MOST_BYTES: Final = 1_000_000_000
"""The most of all files together, as they come out of a zip."""
CHUNK: Final = 1 << 20
NOT_OURS: Final = (".DS_Store", "Thumbs.db", "desktop.ini")
"""What systems put into folders by themselves."""
MACOS: Final = "__MACOSX"


@dataclass(frozen=True)
class ResultFiles:
    """The files of a report by name: what opens each, and what is there and cannot be a file of a report.

    Parameters
    ----------
    openers : dict
        By name, what opens a file to be read.
    others : tuple of str
        Links, folders, and names that lead elsewhere.
    """

    openers: dict[str, Callable[[], IO[bytes]]]
    others: tuple[str, ...]

    def read(self, name: str, most: int = MOST_FILE_BYTES) -> bytes:
        """Return the content of a file, up to a size."""
        return b"".join(self._chunks(name, most))

    def digest(self, name: str) -> str:
        """Return the SHA-256 of a file."""
        found = hashlib.sha256()
        for chunk in self._chunks(name, MOST_FILE_BYTES):
            found.update(chunk)
        return found.hexdigest()

    def _chunks(self, name: str, most: int) -> Iterator[bytes]:
        left = most
        try:
            with self.openers[name]() as stream:
                while chunk := stream.read(min(CHUNK, left + 1)):
                    left -= len(chunk)
                    if left < 0:
                        raise ReportError(f"File {quote(name)} is larger than a file of a report can be.")
                    yield chunk
        except ReportError:
            raise
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
            # A zip that is damaged or locked says so with any of these.
            raise ReportError(f"File {quote(name)} cannot be read.", hint="Ask for the files again.") from None


def open_results(source: str | Path | bytes) -> ResultFiles:
    """Return the files of a folder, of a zip, or of the content of a zip.

    Raises
    ------
    ReportError
        If there is no such folder or zip, or it is larger than a report can be.
    """
    if isinstance(source, bytes):
        return _of_zip(io.BytesIO(source))
    path = Path(source)
    if path.is_dir():
        return _of_folder(path)
    if path.is_file():
        return _of_zip(path)
    raise ReportError(f"There is no folder or zip {quote(path)}.", hint="Name a folder that a report was written into.")


def _of_folder(folder: Path) -> ResultFiles:
    openers: dict[str, Callable[[], IO[bytes]]] = {}
    others, size = [], 0
    for number, path in enumerate(sorted(folder.iterdir())):
        if number >= MOST_FILES:
            raise _too_much()
        if path.name in NOT_OURS:
            continue
        if path.is_symlink() or not path.is_file():
            others.append(path.name)
            continue
        size += path.stat().st_size
        openers[path.name] = partial(_opened, path)
    if size > MOST_BYTES:
        raise _too_much()
    return ResultFiles(openers, tuple(others))


def _opened(path: Path) -> IO[bytes]:
    return path.open("rb")


def _of_zip(source: Path | BinaryIO) -> ResultFiles:
    try:
        archive = zipfile.ZipFile(source)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise ReportError(
            "This is neither a folder nor a zip with the files of a report.", hint="Name the zip that was handed over."
        ) from None
    entries = [each for each in archive.infolist() if not each.is_dir() and not _is_of_system(each.filename)]
    if len(entries) > MOST_FILES or sum(each.file_size for each in entries) > MOST_BYTES:
        raise _too_much()
    # A folder that was zipped as a whole has its name before each of its files.
    tops = {PurePosixPath(each.filename).parts[0] for each in entries if PurePosixPath(each.filename).parts}
    top = f"{tops.pop()}/" if len(tops) == 1 else ""
    openers: dict[str, Callable[[], IO[bytes]]] = {}
    others = []
    for each in entries:
        name = each.filename.removeprefix(top) if each.filename != top.rstrip("/") else each.filename
        is_link = stat.S_ISLNK(each.external_attr >> 16)
        if is_link or name in openers or not is_plain(name):
            others.append(each.filename)
        else:
            openers[name] = partial(archive.open, each)
    return ResultFiles(openers, tuple(others))


def is_plain(name: str) -> bool:
    """Say whether a name is that of a file in a folder, and leads nowhere else."""
    return bool(name) and name not in (".", "..") and not set(name) & set("/\\:\0") and name.isprintable()


def _is_of_system(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and (parts[0] == MACOS or parts[-1] in NOT_OURS)


def _too_much() -> ReportError:
    return ReportError("There is more in it than a report can hold.", hint="Name the folder of one report.")
