"""What people get to see of a result, wherever they meet it: one shape, whatever the result is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from altair.typing import ChartType


class Face(ABC):
    """A result as it is said and drawn."""

    @abstractmethod
    def said(self, language: str) -> tuple[str, ...]:
        """Return verdict, headline, lead and cautions, a sentence each."""

    @abstractmethod
    def text(self) -> str:
        """Return verdict, headline and lead in lines."""

    @abstractmethod
    def html(self) -> str:
        """Return the same with cautions, the picture and its figures, for a notebook."""

    @abstractmethod
    def chart(self) -> ChartType:
        """Return the picture."""

    @abstractmethod
    def frame(self) -> pd.DataFrame:
        """Return the figures of the picture."""


class FaceOfAudit(Face):
    """A whole audit as it is said, drawn and written; all of it passes the gate for small counts."""

    @abstractmethod
    def sections(self) -> tuple[Result, ...]:
        """Return the answers of the audit."""

    @abstractmethod
    def json(self) -> str:
        """Return what was found as JSON."""

    @abstractmethod
    def write(self, folder: str | Path, base: str | Path | None) -> tuple[Path, ...]:
        """Write the report."""


class Result:
    """A result that says, draws and tabulates itself.

    What is said of it stands in modules above that of its class; :func:`show_results_by` brings them.
    """

    def __str__(self) -> str:
        return face_of(self).text()

    def _repr_html_(self) -> str:
        return face_of(self).html()

    def say(self, language: str = "en") -> tuple[str, ...]:
        """Return verdict, headline, lead and cautions.

        Parameters
        ----------
        language : str
            One of :data:`fairaudit.messages.LANGUAGES`.

        Returns
        -------
        tuple of str
            A sentence each, as the app and the report have them.
        """
        return face_of(self).said(language)

    def chart(self) -> ChartType:
        """Return the picture of the result, as the app and the report have it.

        Returns
        -------
        altair.Chart
            It draws itself in a notebook; ``chart().save("gap.svg")`` writes a file.

        Raises
        ------
        InputError
            If there is nothing to draw, as where all people have the same decision.
        """
        return face_of(self).chart()

    def to_frame(self) -> pd.DataFrame:
        """Return the figures, as the first table of the result has them.

        Returns
        -------
        pandas.DataFrame
            In full precision. An interval is two columns, ``..._low`` and ``..._high``.
        """
        return face_of(self).frame()


_finds: list[Callable[[Result], Any]] = []


def show_results_by(find: Callable[[Result], Any]) -> None:
    """Have results shown by what `find` returns for one of them: a :class:`Face`."""
    _finds[:] = [find]


def face_of(result: Result) -> Any:
    """Return how a result is shown."""
    [find] = _finds
    return find(result)
