"""Names that are imported when they are first asked for, because what they need takes long to import."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any


def late_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package that finds some of its names in other modules (PEP 562).

    Examples
    --------
    >>> late_names("example", {"sqrt": "math"})("sqrt")(9.0)
    3.0
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(homes[name]), name)

    return find


@dataclass(frozen=True)
class Late:
    """A function or class by its path, ``module:name``, imported when it is first called: models take seconds."""

    path: str

    def find(self) -> Any:
        """Import it."""
        module, _, name = self.path.partition(":")
        return attrgetter(name)(importlib.import_module(module))

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call it."""
        return self.find()(*arguments, **options)
