"""Names that are imported when they are first asked for, because what they need takes long to import."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping


def late_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package that finds some of its names in other modules (PEP 562).

    Examples
    --------
    >>> late_names("example", {"sqrt": "math"})("sqrt")(9.0)
    3.0
    """

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(homes[name]), name)

    return find
