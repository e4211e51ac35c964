"""Settings of the whole process that are changed for some work, also where several threads work at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from typing import Any


class SharedSetting:
    """Change a setting inside a ``with``, which several threads may be in at the same time.

    Where each thread saved the setting and put it back, one that came later would put back what another had changed,
    for good. So the first to come in changes it, and the last to go out puts it back.

    Parameters
    ----------
    changed : callable
        Gives a context in which the setting is changed.

    Examples
    --------
    >>> import warnings
    >>> silence, before = SharedSetting(lambda: warnings.catch_warnings(action="ignore")), list(warnings.filters)
    >>> with silence, silence:
    ...     warnings.warn("not shown", UserWarning)
    >>> warnings.filters == before
    True
    """

    def __init__(self, changed: Callable[[], AbstractContextManager[Any]]):
        self._changed = changed
        self._lock = threading.Lock()
        self._n_inside = 0
        self._context: AbstractContextManager[Any] | None = None

    def __enter__(self) -> None:
        with self._lock:
            if self._n_inside == 0:
                self._context = self._changed()
                self._context.__enter__()
            self._n_inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0 and self._context is not None:
                self._context.__exit__(None, None, None)
                self._context = None


@cache
def _libraries() -> Any:
    """Return the numerical libraries that have threads of their own."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


ONE_THREAD = SharedSetting(lambda: _libraries().limit(limits=1))
"""Sums that several threads share out end in other last bits than those of one."""
