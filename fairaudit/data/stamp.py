"""Whether a file that is read in place is still the one that was opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fairaudit.errors import DataError


@dataclass(frozen=True)
class FileStamp:
    """What distinguishes a file from its later versions.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    facts : tuple of int
        Its size, time of change and place on the disk.
    """

    path: Path
    facts: tuple[int, ...]

    @classmethod
    def of(cls, path: Path) -> FileStamp:
        """Return the stamp of a file as it is now."""
        return cls(path, _facts(path))

    def check(self) -> None:
        """Refuse to go on with a file that is not the one that was opened."""
        try:
            same = _facts(self.path) == self.facts
        except OSError:
            same = False
        if not same:
            raise DataError("The data file was moved, changed or removed since it was opened.", hint="Open it again.")


def _facts(path: Path) -> tuple[int, ...]:
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns, facts.st_ino
