"""Who may see a field of what an audit found. A field that does not say so is in no export.

::

    @dataclass(frozen=True)
    class Comparison:
        tolerance: float = setting()      # what was asked, and words for it: always exported
        difference: float = figure()      # made of counts: exported as far as the code that hides small counts shows it
        scratch: Any = None               # not declared: never exported

What a fit found says more, so that only few of its figures need code of their own:

::

    @dataclass(frozen=True, eq=False)
    class RulesDetails:
        coverage: DataFrame = held_out()  # on held-out rows: exported where their counts by group are
        objective: float = learned()      # on rows that were learned from: exported where no small counts are hidden

A field that holds a frame also declares its columns, see :func:`fairaudit.measure.plain.columns`; no other column of
it is exported.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal

NO_COLUMNS: Mapping[str, Any] = MappingProxyType({})

Export = Literal["setting", "figure", "held_out", "learned", "never"]


def setting(columns: Mapping[str, Any] = NO_COLUMNS, *, in_json: bool = True, **options: Any) -> Any:
    """Declare a field that is always exported; one that is not `in_json` repeats what stands there already."""
    return dataclasses.field(metadata={"export": "setting", "in_json": in_json, **columns}, **options)


def figure(columns: Mapping[str, Any] = NO_COLUMNS, *, in_json: bool = True, **options: Any) -> Any:
    """Declare a field made of counts, or of parts that are: where small counts are hidden, their code shows it."""
    return dataclasses.field(metadata={"export": "figure", "in_json": in_json, **columns}, **options)


def held_out(columns: Mapping[str, Any] = NO_COLUMNS, **options: Any) -> Any:
    """Declare a field of figures on held-out rows: where these are hidden, it is hidden."""
    return dataclasses.field(metadata={"export": "held_out", **columns}, **options)


def learned(columns: Mapping[str, Any] = NO_COLUMNS, **options: Any) -> Any:
    """Declare a field of figures on rows that were learned from or chosen by: where counts are hidden, it is hidden."""
    return dataclasses.field(metadata={"export": "learned", **columns}, **options)


class Remark(str):
    """A sentence that says what it reveals, as a field does; a plain text does not, and stays where counts are hidden.

    What is made of one, such as an f-string, is a plain text again.

    Parameters
    ----------
    text : str
        The sentence.
    reveals : {"setting", "figure", "held_out", "learned", "never"}
        ``"setting"`` for what was asked, how a file was read and how a search went, ``"figure"`` for what follows from
        the figures that it stands beside.
    """

    reveals: Export

    def __new__(cls, text: str, reveals: Export = "never") -> Remark:
        """Make a sentence."""
        made = super().__new__(cls, text)
        made.reveals = reveals
        return made

    def __getnewargs__(self) -> tuple[str, Export]:  # type: ignore[override]
        """Return what makes the same again, also in another process."""
        return (str(self), self.reveals)


def remarks(texts: Iterable[str], *, reveals: Export) -> tuple[Remark, ...]:
    """Return sentences that all reveal the same."""
    return tuple(Remark(text, reveals) for text in texts)


def shown_remarks(texts: Iterable[str], *shown: Export) -> tuple[str, ...]:
    """Return the sentences that reveal no more than is shown; none that does not say what it reveals."""
    return tuple(text for text in texts if isinstance(text, Remark) and text.reveals in shown)


def export_of(field: dataclasses.Field[Any]) -> Export:
    """Return who may see a field."""
    return field.metadata.get("export", "never")


def is_in_json(field: dataclasses.Field[Any]) -> bool:
    """Say whether a field of a finding stands in its JSON."""
    return field.metadata.get("in_json", True)


def exported_values(details: Any) -> dict[str, Any] | None:
    """Return the fields that may leave by their names; None where there are no details."""
    if details is None:
        return None
    return {
        field.name: getattr(details, field.name) for field in dataclasses.fields(details) if export_of(field) != "never"
    }
