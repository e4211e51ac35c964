"""Measure the models of an audit on 100,000 rows: time, silence between two events, two fits at once.

Run from the folder of the project::

    OMP_NUM_THREADS=1 python -m benchmarks.luskin_scale                 # minutes
    OMP_NUM_THREADS=1 python -m benchmarks.luskin_scale --rows 5000     # quick

A page shows the last event, and a stop is heard at the next one: the longest silence is how long a person may see
nothing move.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.common import SEED, in_fresh_process, markdown, peak_mb, say, setting

MODULE = "benchmarks.luskin_scale"
N_NUMBERS, N_TEXTS = 38, 12
LEVELS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50)
"""Values of the text columns."""

REMEDIES = ("plain", "relabel", "thresholds", "equalize")
PAUSE_S = 0.05
"""Between two small tasks."""

SILENCE_S = 1.0
"""More silence than this is stated below the table."""


@dataclass
class Course:
    """When the events of one piece of work came.

    Parameters
    ----------
    steps : list of (float, float, str)
        For each event the seconds since the one before, those of the processor among them, and the step that they were
        spent in. The rest is waiting: for a turn, or for a processor that others use.
    """

    steps: list[tuple[float, float, str]] = field(default_factory=list)

    def watch(self, events: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Pass events on, a command back, and note the time between them."""
        from fairaudit.events import Finished

        before, what, command = (time.perf_counter(), time.thread_time()), "before the first event", None
        while True:
            event = events.send(command)
            now = (time.perf_counter(), time.thread_time())
            self.steps.append((now[0] - before[0], now[1] - before[1], what))
            before, what = now, getattr(event, "what", "")
            command = yield event
            if isinstance(event, Finished):
                return

    def figures(self) -> dict[str, Any]:
        """Return the seconds, the number of events and the longest silences."""
        seconds, processor, _ = zip(*self.steps, strict=True)
        longest = sorted(self.steps, reverse=True)[:5]
        sums = {"seconds": sum(seconds), "processor": sum(processor)}
        return {**sums, "n_events": len(self.steps), "silences": longest}


def make_rows(path: Path, n_rows: int) -> None:
    """Write made rows: 38 numbers and 12 texts that the decision hangs on a little, and the decision itself."""
    random = np.random.default_rng(SEED)
    columns: dict[str, Any] = {}
    logit = np.zeros(n_rows)
    for number in range(N_NUMBERS):
        columns[f"amount {number}"] = values = random.normal(size=n_rows)
        logit += random.normal(scale=0.15) * values
    for number, n_levels in enumerate(LEVELS):
        codes = random.integers(n_levels, size=n_rows)
        columns[f"kind {number}"] = np.array([f"kind {code}" for code in range(n_levels)])[codes]
        logit += random.normal(scale=0.2, size=n_levels)[codes]
    protected = columns["kind 0"] == "kind 1"
    logit += -0.5 * protected + 0.4 * columns["amount 0"] * columns["amount 1"]
    columns["decision"] = np.where(random.random(n_rows) < 1 / (1 + np.exp(-logit)), "yes", "no")
    pd.DataFrame(columns).to_parquet(path, index=False)


def read_plan(path: str) -> tuple[Any, Any]:
    """Return the table and a plan whose features are all 50 columns, the protected one among them."""
    from fairaudit import read_table
    from fairaudit.plan.audit_plan import AuditPlan

    table = read_table(path)
    features = [name for name in table.columns if name != "decision"]
    plan = AuditPlan.model_validate(
        {
            "data": {"source": path},
            "decision": {"column": "decision", "favorable": ["yes"]},
            "models": {"features": features, "protected": "\"kind 0\" = 'kind 1'", "where": '"amount 2" > -1'},
        }
    )
    return table, plan


def remedy_plan(name: str) -> Any:
    """Return the plan of a remedy with its own settings."""
    from fairaudit.remedies.equalize.plan import EqualizePlan
    from fairaudit.remedies.plain.plan import PlainPlan
    from fairaudit.remedies.relabel.plan import RelabelPlan
    from fairaudit.remedies.thresholds.plan import ThresholdsPlan

    return {"plain": PlainPlan(), "relabel": RelabelPlan(), "thresholds": ThresholdsPlan(), "equalize": EqualizePlan()}[
        name
    ]


def alone(path: str) -> dict[str, Any]:
    """Read the study, then try each remedy; the thresholds build on the plain model, as in an audit."""
    from fairaudit.audit.trying import iter_remedy
    from fairaudit.events import Finished
    from fairaudit.study.findings import plan_key
    from fairaudit.study.rows import Study

    start = (time.perf_counter(), time.process_time())
    table, plan = read_plan(path)
    study = Study.of(table, plan)
    step = (time.perf_counter() - start[0], time.process_time() - start[1], "all of it")
    found = {"study": {"seconds": step[0], "processor": step[1], "n_events": 0, "silences": [step]}}
    known: dict[str, Any] = {}
    for name in REMEDIES:
        remedy, course = remedy_plan(name), Course()
        for event in course.watch(iter_remedy(study, remedy, known=known)):
            if isinstance(event, Finished) and name == "plain":
                known[plan_key(remedy)] = event.result
        found[name] = course.figures()
    return {"parts": found, "peak_mb": peak_mb()}


def together(path: str) -> dict[str, Any]:
    """Fit in two sessions at once, as the pages do, while a third thread makes one small check after another."""
    from fairaudit.audit.trying import iter_remedy
    from fairaudit.study.rows import Study
    from ui.runtime.jobs import Jobs

    study = Study.of(*read_plan(path))
    task = small_task()
    before = [task() for _ in range(100)]
    sessions = {name: (Jobs(), Course()) for name in ("relabel", "equalize")}
    jobs = []
    start = time.perf_counter()
    for name, (session, course) in sessions.items():
        remedy = remedy_plan(name)
        jobs.append(session.start(name, name, lambda r=remedy, c=course: c.watch(iter_remedy(study, r))))
    waits: list[float] = []
    page = threading.Thread(target=lambda: waits.extend(_while(jobs, task)))
    page.start()
    ends = {}
    for job in jobs:
        job.wait()
        ends[job.key] = job.status
    page.join()
    seconds = time.perf_counter() - start
    if set(ends.values()) != {"finished"}:
        raise SystemExit(f"not all jobs finished: {ends}")
    parts = {name: course.figures() for name, (_, course) in sessions.items()}
    return {"parts": parts, "seconds": seconds, "alone": before, "meanwhile": waits, "peak_mb": peak_mb()}


def small_task() -> Callable[[], float]:
    """Return what a page does for a small check: 5,000 rows are counted in two groups. It gives its seconds."""
    from fairaudit import check_controlled_fairness

    random = np.random.default_rng(SEED)
    rows = pd.DataFrame({"side": random.choice(["a", "b"], 5000), "good": random.integers(2, size=5000)})

    def task() -> float:
        time.sleep(PAUSE_S)
        start = time.perf_counter()
        check_controlled_fairness(rows, decision="good", favorable=1, protected="side = 'a'")
        return time.perf_counter() - start

    task()
    return task


def _while(jobs: list[Any], task: Callable[[], float]) -> Iterator[float]:
    while not all(job.ended for job in jobs):
        yield task()


def table(n_rows: int) -> None:
    """Make the rows, measure in fresh processes, and write the tables."""
    names = {
        "study": "reading the file and the study",
        "plain": "plain logistic regression",
        "relabel": "relabelling, logistic regression to perceptron",
        "thresholds": "thresholds by group, exact; plain model given",
        "equalize": "equalized distributions, with sweep",
    }
    say(setting("numpy", "pandas", "scikit-learn", "duckdb") + f" {n_rows:,} rows, {N_NUMBERS + N_TEXTS} features.\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        make_rows(path, n_rows)
        one = in_fresh_process(MODULE, "alone", str(path))
        _say_parts(one, names, "alone")
        two = in_fresh_process(MODULE, "together", str(path))
    say(f"Two sessions at once, sharing turns; {two['seconds']:.1f} s until both were done:\n")
    _say_parts(two, names, "two at once")
    say("A small check in a third thread, meanwhile:\n")
    rows = []
    for what, waits in (("alone", two["alone"]), ("while both fit", two["meanwhile"])):
        high = float(np.quantile(waits, 0.95))
        figures = [f"{1000 * value:.0f}" for value in (statistics.median(waits), high, max(waits))]
        rows.append((what, len(waits), *figures))
    say(markdown(("", "checks", "median ms", "95 of 100 within, ms", "longest ms"), rows))


def _say_parts(found: dict[str, Any], names: dict[str, str], where: str) -> None:
    parts = found["parts"]
    header = ("what", "seconds", "of the processor", "events", "longest silence, s", "of the processor", "in the step")
    say(markdown(header, [_row(names[name], part) for name, part in parts.items()]))
    say(f"\nMost memory of one process: {found['peak_mb']:,.0f} MB.\n")
    for name, part in parts.items():
        for seconds, processor, what in part["silences"]:
            if seconds > SILENCE_S:
                text = f"{seconds:.1f} s of silence, {processor:.1f} s of the processor, in {what!r}"
                say(f"- {where}, {names[name]}: {text}.")
    say()


def _row(name: str, part: dict[str, Any]) -> list[object]:
    silence, processor, what = part["silences"][0]
    sums = (f"{part['seconds']:.1f}", f"{part['processor']:.1f}", part["n_events"])
    return [name, *sums, f"{silence:.1f}", f"{processor:.1f}", what]


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--worker", nargs=2, metavar=("WHAT", "PATH"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        what, path = arguments.worker
        say(json.dumps({"alone": alone, "together": together}[what](path)))
    else:
        table(arguments.rows)


if __name__ == "__main__":
    main()
