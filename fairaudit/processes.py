"""Processes beside this one: how one is started, and a clock that says when one was idle for long."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


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
