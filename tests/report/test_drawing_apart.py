"""Charts that are drawn by a process apart: the same to the byte, and whatever becomes of that process, a sentence."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time

import pytest
from processes import has_ended
from sources import ROOT

from fairaudit.errors import ReportError
from fairaudit.report.chart_process import drawers, drawing_apart, forget_drawn, svg_of, warm_up

PATIENCE_S = 120


def bars(names: list[str], values: list[float | None]) -> dict:
    """Return a bar chart."""
    return {
        "data": {"values": [{"name": name, "x": value} for name, value in zip(names, values, strict=True)]},
        "mark": "bar",
        "encoding": {
            "x": {"field": "x", "type": "quantitative"},
            "y": {"field": "name", "type": "nominal", "sort": None},
        },
    }


CHARTS = [
    bars(["a", "b"], [1, 2]),
    bars(["é 中 ع", 'a "b" \\ <c> & \x7f', ""], [0.1 + 0.2, 1e-12, -3.0]),
    bars(["not known", "null"], [math.nan, None]),
]


@pytest.fixture(scope="module")
def apart():
    with drawing_apart():
        yield


def wait_until_ended(pid: int) -> None:
    """Wait until this process has ended."""
    until = time.monotonic() + PATIENCE_S
    while not has_ended(pid):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_chart_is_the_same_to_the_byte_here_and_apart():
    here = [svg_of(chart) for chart in CHARTS]
    assert not drawers()
    with drawing_apart():
        assert [svg_of(chart) for chart in CHARTS] == here
        [pid] = drawers()
    assert not drawers() and not os.path.exists(f"/proc/{pid}")


def test_what_cannot_be_drawn_is_an_error_and_the_next_chart_is_drawn_by_the_same_process(apart):
    warm_up()
    before = drawers()
    with pytest.raises(ReportError, match="could not be drawn"):
        svg_of({"mark": "nothing", "data": {"values": [{"name": "secret"}]}})
    assert svg_of(CHARTS[0]).startswith("<svg") and drawers() == before != ()


def test_one_that_ended_while_it_waited_is_replaced(apart):
    svg_of(CHARTS[0])
    [pid] = drawers()
    os.kill(pid, signal.SIGKILL)
    assert svg_of(CHARTS[0]).startswith("<svg") and drawers() not in ((), (pid,))


def test_one_that_takes_too_long_is_ended_with_a_sentence():
    with drawing_apart(seconds=0.01):
        with pytest.raises(ReportError, match="the process that draws charts ended") as raised:
            svg_of(CHARTS[0])
        assert "again" in raised.value.hint and not drawers()


def test_one_that_is_idle_is_ended():
    with drawing_apart(idle=0.2):
        warm_up()
        [pid] = drawers()
        wait_until_ended(pid)
        assert not drawers()


def test_what_was_drawn_is_forgotten_with_its_process_and_the_next_chart_is_drawn_by_another():
    with drawing_apart():
        forget_drawn()
        svg_of(CHARTS[0])
        [pid] = drawers()
        forget_drawn()
        wait_until_ended(pid)
        assert not drawers() and svg_of(CHARTS[0])
    forget_drawn()


def test_it_ends_with_the_server_and_that_never_loads_what_draws():
    code = (
        "import os, sys\n"
        "from fairaudit.report.chart_process import drawers, drawing_apart, svg_of\n"
        "with drawing_apart():\n"
        "    assert svg_of({'mark': 'bar', 'data': {'values': [{}]}}).startswith('<svg')\n"
        "    print('vl_convert' in sys.modules, *drawers(), flush=True)\n"
        "    os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    loaded, pid = done.stdout.decode().split()
    assert loaded == "False"
    wait_until_ended(int(pid))
