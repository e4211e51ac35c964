"""Keep a kind of warning quiet while models are fitted, also where several threads fit at once."""

from __future__ import annotations

import threading
import warnings


class SharedSilence:
    """Ignore one kind of warning inside a ``with``, which several threads may be in at the same time.

    Which warnings are shown is a setting of the whole process. Where each thread saved it and put it back, one that
    came later would put back what another had changed, for good. So the first to come in saves it, and the last to go
    out puts it back.

    Parameters
    ----------
    category : type
        The kind of warning.

    Examples
    --------
    >>> silence, before = SharedSilence(UserWarning), list(warnings.filters)
    >>> with silence, silence:
    ...     warnings.warn("not shown", UserWarning)
    >>> warnings.filters == before
    True
    """

    def __init__(self, category: type[Warning]):
        self._category = category
        self._lock = threading.Lock()
        self._n_inside = 0
        self._saved: warnings.catch_warnings | None = None

    def __enter__(self) -> None:
        with self._lock:
            if self._n_inside == 0:
                self._saved = warnings.catch_warnings(action="ignore", category=self._category)
                self._saved.__enter__()
            self._n_inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0 and self._saved is not None:
                self._saved.__exit__(None, None, None)
                self._saved = None
