"""Who may see a field of what a fit found. A field that does not say so is in no export.

::

    @dataclass(frozen=True, eq=False)
    class RulesDetails:
        status: str = setting()           # how the fit was made: always exported
        coverage: DataFrame = held_out()  # on held-out rows: exported where their counts by group are
        objective: float = learned()      # on rows that were learned from: exported where no small counts are hidden
        pool: Any = None                  # not declared: never exported

A field that holds a frame also declares its columns, see :func:`fairaudit.measure.plain.columns`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

NO_COLUMNS: Mapping[str, Any] = MappingProxyType({})

Export = Literal["setting", "held_out", "learned", "never"]


def setting(columns: Mapping[str, Any] = NO_COLUMNS, **options: Any) -> Any:
    """Declare a field that is always exported."""
    return dataclasses.field(metadata={"export": "setting", **columns}, **options)


def held_out(columns: Mapping[str, Any] = NO_COLUMNS, **options: Any) -> Any:
    """Declare a field of figures on held-out rows: where these are hidden, it is hidden."""
    return dataclasses.field(metadata={"export": "held_out", **columns}, **options)


def learned(columns: Mapping[str, Any] = NO_COLUMNS, **options: Any) -> Any:
    """Declare a field of figures on rows that were learned from or chosen by: where counts are hidden, it is hidden."""
    return dataclasses.field(metadata={"export": "learned", **columns}, **options)


def export_of(field: dataclasses.Field[Any]) -> Export:
    """Return who may see a field."""
    return field.metadata.get("export", "never")


def exported_values(details: Any) -> dict[str, Any] | None:
    """Return the fields that may leave by their names; None where there are no details."""
    if details is None:
        return None
    return {
        field.name: getattr(details, field.name) for field in dataclasses.fields(details) if export_of(field) != "never"
    }
