"""Processes beside this one, a clock for those that are idle, and settings of the whole process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

# Settings of the whole process that are changed for some work, also where several threads work at once.


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

    def __init__(self, changed: Callable[[], AbstractContextManager[object]]):
        self._changed = changed
        self._lock = threading.Lock()
        self._n_inside = 0
        self._context: AbstractContextManager[object] | None = None

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


def start_serving(
    module: str, root: Path, *, env: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a Python that runs the function ``serve`` of a module, and return its process.

    Parameters
    ----------
    module : str
        Its name.
    root : Path
        The folder of its package.
    env : mapping of str to str, optional
        Variables that it has besides.
    **options
        Of ``subprocess.Popen``, such as its standard input.
    """
    path = os.pathsep.join([str(root), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(  # noqa: S603 - the modules are those of this project
        [sys.executable, "-P", "-c", f"from {module} import serve; serve()"],
        # What a library prints may hold cells of the data, so nobody hears it.
        stderr=subprocess.DEVNULL,
        env={**os.environ, **(env or {}), "PYTHONPATH": path},
        **options,
    )


class IdleClock:
    """Calls something once it was not started again for so many seconds.

    Parameters
    ----------
    seconds : float
        For how long.
    end : callable
        Called by a thread of its own, which may have to wait: :attr:`is_due` says whether it is still time.
    """

    def __init__(self, seconds: float, end: Callable[[], None]):
        self._seconds, self._end = seconds, end
        self._since = 0.0
        self._timer: threading.Timer | None = None

    @property
    def is_due(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() - self._since >= self._seconds

    def restart(self) -> None:
        """Begin anew."""
        self._since = time.monotonic()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self._seconds, self._end)
        self._timer.daemon = True
        self._timer.start()
