"""What a finding holds besides what was asked."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import pandas as pd

from fairaudit.disclosure.fields import export_of


def figures_of(value: object) -> list[Any]:
    """Return all that a finding holds besides what was asked."""
    if not is_dataclass(value):
        return [] if value is None or (isinstance(value, tuple) and not value) else [value]
    found: list[Any] = []
    for field in fields(value):
        held = getattr(value, field.name)
        if export_of(field) == "setting":
            continue
        if isinstance(held, pd.DataFrame):
            found += [] if held.empty else [held]
        elif isinstance(held, tuple):
            found += [part for part in held if part is not None]
        else:
            found += figures_of(held)
    return found
