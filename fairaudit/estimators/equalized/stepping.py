"""From work that reports through a callback to a generator that can be stopped after any report."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from queue import SimpleQueue
from typing import TypeVar

Report = TypeVar("Report")
Result = TypeVar("Result")


def iter_reports(
    work: Callable[[Callable[[Report], None]], Result],
) -> Generator[Report, bool | None, Result]:
    """Run work in a thread of its own, one report at a time: between two of them either it runs or the caller.

    Examples
    --------
    >>> list(iter_reports(lambda report: [report(n) for n in (1, 2, 3)]))
    [1, 2, 3]
    """
    reports: SimpleQueue = SimpleQueue()
    orders: SimpleQueue = SimpleQueue()

    def report(value: Report) -> None:
        reports.put((True, value))
        if orders.get():
            raise StopIteration

    def run() -> None:
        outcome: tuple[Result | None, BaseException | None]
        try:
            outcome = work(report), None
        except BaseException as error:  # noqa: BLE001 - raised again where the work was asked for
            outcome = None, error
        reports.put((False, outcome))

    thread = threading.Thread(target=run, name="fairaudit-steps", daemon=True)
    thread.start()
    try:
        while True:
            more, value = reports.get()
            if not more:
                result, error = value
                if error is not None:
                    raise error
                return result
            orders.put((yield value) is True)
    finally:
        orders.put(True)
        thread.join()
