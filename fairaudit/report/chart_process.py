"""Charts as SVG, drawn here or by a process apart: what draws lets nothing else of its process go on meanwhile."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from fairaudit.errors import ReportError
from fairaudit.processes import IdleClock, start_serving

VEGA_LITE = "6.4"

MOST_SECONDS = 180.0
"""Seconds after which a drawing is given up."""

IDLE_SECONDS = 60.0
"""Seconds without a chart after which the process that draws is ended."""

_FIRST = {"data": {"values": [{"x": 1}]}, "mark": "bar", "encoding": {"x": {"field": "x", "type": "quantitative"}}}
"""A chart that is drawn before anybody waits for one: the first takes longest."""


def svg_of(specification: dict[str, object]) -> str:
    """Return a chart of Vega-Lite as SVG: drawn apart while :func:`drawing_apart` lasts, else by this process.

    Raises
    ------
    ReportError
        If the process that draws ended twice over it, or could not draw it.
    """
    return (_draw or _svg)(specification)


def draw_by(draw: Callable[[dict[str, object]], str]) -> None:
    """Let something else draw the charts of this process from now on: a process that asked for its work, say."""
    global _draw
    _draw = draw


@contextmanager
def drawing_apart(*, idle: float = IDLE_SECONDS, seconds: float = MOST_SECONDS) -> Iterator[None]:
    """Let charts be drawn by a process apart while the ``with`` lasts.

    Parameters
    ----------
    idle : float
        Seconds without a chart after which that process is ended, until the next chart.
    seconds : float
        How long one chart may take.
    """
    global _drawer, _draw
    before = _drawer, _draw
    drawer = _Drawer(idle, seconds)
    _drawer, _draw = drawer, drawer.svg
    try:
        yield
    finally:
        _drawer, _draw = before
        drawer.close()


def warm_up() -> None:
    """Have the process ready that draws apart, so that the first chart does not wait for it to start."""
    drawer = _drawer
    if drawer is not None:
        drawer.start()


def forget_drawn() -> None:
    """End the process that draws, with all that it was sent, once it is at rest: a new one draws the next chart."""
    drawer = _drawer
    if drawer is not None:
        drawer.close()


def drawers() -> tuple[int, ...]:
    """Return the number of the process that draws, where there is one."""
    drawer = _drawer
    process = None if drawer is None else drawer.process
    return () if process is None else (process.pid,)


def serve() -> None:
    """Draw each chart that comes on the standard input, and answer on the standard output, until that ends."""
    with os.fdopen(os.dup(1), "wb") as out:
        # What libraries print must not come between.
        os.dup2(2, 1)
        _svg(_FIRST)
        while asked := _received(sys.stdin.buffer):
            try:
                answer = b"+" + _svg(json.loads(asked)).encode()
            except Exception:  # noqa: BLE001 - where this process ends for one chart, the next must wait for a new one
                # Who asked raises a ReportError. The words of the error stay here: they may hold cells of the data.
                answer = b"-"
            _send(out, answer)


class _Drawer:
    """The process that draws: started when it is needed, one chart at a time."""

    def __init__(self, idle: float, seconds: float) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._seconds = seconds
        self._lock = threading.Lock()
        self._clock = IdleClock(idle, self._end_idle)

    def svg(self, specification: dict[str, object]) -> str:
        asked = json.dumps(specification).encode()
        with self._lock:
            # The first may have ended while it waited.
            answer = self._answer(asked) or self._answer(asked)
        if not answer:
            raise ReportError(
                "A chart could not be drawn, because the process that draws charts ended.",
                hint="Make the report again. If that does not help, leave out what was chosen last.",
            )
        if answer == b"-":
            raise ReportError("A chart could not be drawn.", hint="Leave out what was chosen last.")
        return answer[1:].decode()

    def _answer(self, asked: bytes) -> bytes:
        """Ask the process and return what it says: nothing where it ended."""
        with self._at_work() as process:
            late = threading.Timer(self._seconds, process.kill)
            late.start()
            try:
                _send(cast(IO[bytes], process.stdin), asked)
                answer = _received(cast(IO[bytes], process.stdout))
            except OSError:
                answer = b""
            finally:
                late.cancel()
        if not answer:
            self._end()
        return answer

    def start(self) -> None:
        with self._lock, self._at_work():
            pass

    def close(self) -> None:
        with self._lock:
            self._end()

    @contextmanager
    def _at_work(self) -> Iterator[subprocess.Popen[bytes]]:
        """Give the process, a new one where there is none or it has ended; afterwards it waits for so long."""
        if self.process is not None and self.process.poll() is not None:
            self._end()
        if self.process is None:
            self.process = _process()
        try:
            yield self.process
        finally:
            self._clock.restart()

    def _end_idle(self) -> None:
        with self._lock:
            if self._clock.is_due:
                self._end()

    def _end(self) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            # One that has ended leaves what was not yet sent to it.
            with contextlib.suppress(OSError):
                cast(IO[bytes], pipe).close()
        process.wait()


_drawer: _Drawer | None = None
_draw: Callable[[dict[str, Any]], str] | None = None


def _process() -> subprocess.Popen[bytes]:
    root = Path(__file__).parents[2]
    return start_serving("fairaudit.report.chart_process", root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _svg(specification: dict[str, Any]) -> str:
    import vl_convert

    return vl_convert.vegalite_to_svg(specification, vl_version=VEGA_LITE)


def _send(stream: IO[bytes], part: bytes) -> None:
    stream.write(len(part).to_bytes(8, "big") + part)
    stream.flush()


def _received(stream: IO[bytes]) -> bytes:
    """Return the next part; nothing where the stream has ended, also in the middle of one."""
    size = int.from_bytes(stream.read(8), "big")
    part = stream.read(size)
    return part if len(part) == size else b""
