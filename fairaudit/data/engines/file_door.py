"""Ways to a database that is one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairaudit.data.engines.door import Door
from fairaudit.errors import ConnectError, quote


class FileDoor(Door):
    """A way to a file, through a driver whose connections execute, interrupt and close.

    Parameters
    ----------
    path : str
        The file.
    timeout : float
        Seconds that a question may take.

    Raises
    ------
    ConnectError
        If there is no such file.
    """

    def __init__(self, path: str, timeout: float):
        super().__init__(timeout)
        self._path = Path(path).resolve()
        if not path or not self._path.is_file():
            raise ConnectError(
                f"There is no {self.title} file {quote(self._path.name)}.",
                hint=f"Write {self.dialect}:///folder/file.",
            )
        self._opened = self._number()

    def prepare(self, connection: Any) -> None:
        """Refuse a file that was put in the place of the one that was opened first."""
        # A database may change while it is open; another file has other rows.
        if self._number() != self._opened:
            raise ConnectError(
                f"The {self.title} file {quote(self._path.name)} was replaced since it was opened.",
                hint="Open the table again.",
            )

    def answer(self, connection: Any, query: str) -> list[tuple]:
        """Answer a statement."""
        return connection.execute(query).fetchall()

    def interrupt(self, connection: Any) -> None:
        """Stop what a connection is doing."""
        connection.interrupt()

    def close(self, connection: Any) -> None:
        """Close a connection."""
        connection.close()

    def _number(self) -> tuple[int, int] | None:
        """Return where the file lies on its disk; None where it is gone."""
        try:
            facts = self._path.stat()
        except OSError:
            return None
        return facts.st_dev, facts.st_ino
