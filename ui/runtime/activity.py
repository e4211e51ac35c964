"""What people do here, for a log and for Prometheus: who, when, what kind of work, how long, and how it ended.

Nothing of their data is known here: no name of a file, a column or a group, no value, no condition, no result.
"""

from __future__ import annotations

import glob
import json
import logging
import os
import re
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import TextIOWrapper
from logging.handlers import TimedRotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args
from urllib.parse import unquote

from fairaudit.errors import InputError, quote
from fairaudit.settings import LOG, LOG_DAYS, METRICS
from ui.runtime import memory
from ui.runtime.turns import REPORTS, TURNS

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

Work = Literal[
    "visit", "table", "check", "errors", "worst", "explain", "change", "searches", "form", "alternatives", "remedy",
    "report", "download",
]  # fmt: skip
"""All kinds of work there are; a visit is a page of the browser that is connected."""

ANSWERS: dict[str, Work] = {
    "check": "check", "errors": "errors", "explain": "explain", "change": "change", "inspection": "searches",
    "veil": "searches", "preset": "form",
}  # fmt: skip
"""By what a session calls the answer that it keeps: the kind of work."""

Ending = Literal["begun", "done", "stopped", "failed", "cancelled"]

PERSON = "x-fairaudit-person"
"""Names for Streamlit who is signed on; what a browser sends under this name itself is dropped."""

USUAL_DAYS = 90
"""For how many days the log is kept."""

SECONDS = (0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600)
"""Ends of the classes of the histogram."""

_NOT_WORK = {"visit", "download"}
"""Kinds that take no work of the server."""

_LONGEST_NAME = 200

_LOG = logging.getLogger("fairaudit.activity")
_LOG.propagate = False
_LOG.setLevel(logging.INFO)


def person_here() -> str:
    """Return who is signed on at the page that is being drawn; empty where nobody says so."""
    # Processes that work know no pages.
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    said = None if context is None else context.user_info.get(PERSON)
    return unquote(said) if isinstance(said, str) else ""


def note(work: Work, person: str, seconds: float, ending: Ending = "done") -> None:
    """Write into the log, and count, that a piece of work has ended, or a visit begun."""
    if _LOG.handlers:
        line = {
            "time": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "person": person[:_LONGEST_NAME] or None,
            "work": work,
            "seconds": round(seconds, 1),
            "ending": ending,
        }
        _LOG.info(json.dumps(line))
    if _numbers is not None and ending != "begun":
        _numbers.count(work, seconds, ending)


@contextmanager
def noted(work: Work, person: str | None = None) -> Iterator[None]:
    """Note the work of the ``with``, of the person who looks at the page unless another one is named."""
    person = person_here() if person is None else person
    began = time.monotonic()
    # Where a person goes on to another page, Streamlit ends this one with what is no Exception.
    ending: Ending = "stopped"
    try:
        yield
        ending = "done"
    except Exception:
        ending = "failed"
        raise
    finally:
        note(work, person, time.monotonic() - began, ending)


@contextmanager
def visiting(person: str) -> Iterator[None]:
    """Note the begin and the end of a visit, and count those that go on."""
    note("visit", person, 0, "begun")
    with _VISITS.one_more(), noted("visit", person):
        yield


class _Counted:
    """How many there are of something."""

    def __init__(self) -> None:
        self.n = 0
        self._lock = threading.Lock()

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Count one more while the ``with`` lasts."""
        with self._lock:
            self.n += 1
        try:
            yield
        finally:
            with self._lock:
                self.n -= 1


_VISITS = _Counted()


class _Kept(TimedRotatingFileHandler):
    """A file for each day, which nobody else may read; it goes after so many days, also where no day makes one."""

    def __init__(self, path: Path, days: int):
        super().__init__(path, when="midnight", backupCount=days, encoding="utf-8", utc=True)
        for old in self.getFilesToDelete():
            Path(old).unlink(missing_ok=True)

    def getFilesToDelete(self) -> list[str]:
        """Return the files of days that are longer ago."""
        first = (datetime.now(UTC) - timedelta(days=self.backupCount)).date().isoformat()
        kept = Path(self.baseFilename)
        dated = {
            path: path.name.removeprefix(f"{kept.name}.") for path in kept.parent.glob(f"{glob.escape(kept.name)}.*")
        }
        return [str(path) for path, day in dated.items() if re.fullmatch(r"\d{4}-\d\d-\d\d", day) and day < first]

    def _open(self) -> TextIOWrapper:
        opened = open(  # noqa: SIM115 - the handler closes it
            self.baseFilename, self.mode, encoding=self.encoding, opener=lambda path, flags: os.open(path, flags, 0o600)
        )
        assert isinstance(opened, TextIOWrapper)  # noqa: S101 - so opened, it is one
        return opened


@contextmanager
def recording() -> Iterator[None]:
    """Write the log and answer Prometheus while the ``with`` lasts, where the administrator wants that."""
    global _numbers
    with ExitStack() as ending:
        if (path := LOG.value) is not None:
            handler = _Kept(path, LOG_DAYS.value or USUAL_DAYS)
            handler.setFormatter(logging.Formatter("%(message)s"))
            _LOG.addHandler(handler)
            ending.callback(handler.close)
            ending.callback(_LOG.removeHandler, handler)
        if (place := METRICS.value) is not None:
            _numbers = _Numbers(*place)
            ending.callback(_numbers.close)
        try:
            yield
        finally:
            _numbers = None


class _Numbers:
    """Numbers for Prometheus, on a port of their own; no label comes from data or names a person."""

    def __init__(self, address: str, port: int):
        from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server

        registry = CollectorRegistry()
        self._seconds = Histogram(
            "fairaudit_work_seconds", "How long work took, by its kind.", ["work"], registry=registry, buckets=SECONDS
        )
        self._audits = Counter("fairaudit_audits", "Audits whose report was made.", registry=registry)
        for kind in {*get_args(Work)} - _NOT_WORK:
            self._seconds.labels(kind)
        registry.register(_State())
        try:
            self._server, self._thread = start_http_server(port, address, registry)
        except OSError as error:
            raise InputError(
                f"{quote(METRICS.name)} cannot listen on port {port} of {quote(address)}: {error.strerror}.",
                hint=METRICS.remedy,
            ) from None

    def count(self, work: Work, seconds: float, ending: Ending) -> None:
        """Count a piece of work that has ended."""
        if work not in _NOT_WORK:
            self._seconds.labels(work).observe(seconds)
        if work == "report" and ending == "done":
            self._audits.inc()

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


_numbers: _Numbers | None = None


@dataclass(frozen=True)
class _State:
    """What is so as Prometheus asks."""

    def collect(self) -> Iterable[Metric]:
        """Return a number each."""
        from prometheus_client.metrics_core import GaugeMetricFamily

        n_running = len(TURNS.working) + len(REPORTS.working)
        n_waiting = len(TURNS.waiting) + len(REPORTS.waiting)
        found = {
            ("sessions", "Pages of browsers that are connected."): _VISITS.n,
            ("jobs_running", "Fits, searches and reports that are being made."): n_running,
            ("jobs_waiting", "Those that wait for their turn."): n_waiting,
            ("memory_bytes", "Memory that the server and its processes hold."): memory.used(),
            ("memory_limit_bytes", "Memory that they may take."): memory.most(),
        }
        return [GaugeMetricFamily(f"fairaudit_{name}", meaning, value) for (name, meaning), value in found.items()]
