"""Which columns of a table may stand for what a preset needs, by their names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairaudit.columns import Column
from fairaudit.presets.preset import Preset

NUMERIC = ("score", "amount")


def suggest_columns(preset: Preset, columns: Mapping[str, Column]) -> dict[str, str]:
    """Suggest a column for each role of a preset."""
    found: dict[str, str] = {}
    for role in preset.roles:
        usable = [
            name
            for name, column in columns.items()
            if name not in found.values() and (role.kind not in NUMERIC or column.kind == "number")
        ]
        ranked = [
            (_closeness(name, hint), place, order, name)
            for place, hint in enumerate(role.suggest)
            for order, name in enumerate(usable)
        ]
        best = min((entry for entry in ranked if entry[0] is not None), default=None)
        if best is not None:
            found[role.role] = best[-1]
    return found


def _closeness(name: str, hint: str) -> int | None:
    words, wanted = _words(name), _words(hint)
    if words == wanted:
        return 0
    if any(words[i : i + len(wanted)] == wanted for i in range(len(words))):
        return 1
    return 2 if len(hint) > 3 and "".join(wanted) in "".join(words) else None


def _words(name: str) -> list[str]:
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return [word for word in re.split(r"[\W_]+", spaced.casefold()) if word]
