"""Where the other tables of a plan are, for questions that need them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fairaudit.data.table import Table


@dataclass(frozen=True)
class Sources:
    """Where the other tables of a plan are.

    Parameters
    ----------
    base : str or Path, optional
        The folder that their paths are relative to.
    seconds : mapping of str to Table
        Those that are open already, by the names that the plan has for them.
    ignore_fingerprint : bool
        Whether to go on where one is not that of the plan.
    """

    base: str | Path | None = None
    seconds: Mapping[str, Table] = field(default_factory=dict)
    ignore_fingerprint: bool = False
