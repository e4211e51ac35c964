"""What the benchmarks share: made data, a fresh process for each measurement, and Markdown tables."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parent.parent
SEED = 20_240_501

# five values by two values: ten cells; the smallest holds about 1 % of the rows
ROWS_SQL = """
SELECT
    CASE WHEN r < 60 THEN 'Amber' WHEN r < 80 THEN 'Blue' WHEN r < 92 THEN 'Coral' WHEN r < 98 THEN 'Dune'
         ELSE 'Ebony' END AS origin,
    CASE WHEN hash(i, {seed}, 2) % 100 < 48 THEN 'woman' ELSE 'man' END AS sex,
    (18 + hash(i, {seed}, 3) % 60)::TINYINT AS age,
    (100 * (120 + hash(i, {seed}, 4) % 900))::INTEGER AS income,
    good::TINYINT AS decision,
    (hash(i, {seed}, 6) % 1000 < CASE WHEN good THEN 700 ELSE 250 END)::TINYINT AS prediction
FROM (
    SELECT i, r, hash(i, {seed}, 5) % 1000 < 300 + 2 * (100 - r) AS good
    FROM (SELECT range AS i, (hash(range, {seed}, 1) % 100)::INTEGER AS r FROM range({n}))
)
"""


def make_table(path: Path, n_rows: int) -> None:
    """Write `n_rows` made rows as Parquet or CSV, by the ending of `path`; the same rows each time."""
    form = "(FORMAT parquet)" if path.suffix == ".parquet" else "(FORMAT csv, HEADER)"
    with duckdb.connect() as connection:
        connection.execute("SET memory_limit = '3GB'")
        connection.execute("SET enable_progress_bar = false")
        connection.execute(f"COPY ({ROWS_SQL.format(n=n_rows, seed=SEED)}) TO '{path}' {form}")


def timed(work: Callable[[], Any], repeats: int) -> tuple[list[float], Any]:
    """Return the seconds of each repeat and what the last one gave."""
    seconds, value = [], None
    for _ in range(repeats):
        value = None
        start = time.perf_counter()
        value = work()
        seconds.append(time.perf_counter() - start)
    return seconds, value


def processor(work: Callable[[], Any], repeats: int) -> tuple[list[float], Any]:
    """Return the processor seconds of this process, all threads together, in each repeat and what the last one gave."""
    seconds, value = [], None
    for _ in range(repeats):
        value = None
        start = time.process_time()
        value = work()
        seconds.append(time.process_time() - start)
    return seconds, value


def peak_mb() -> float:
    """Return the most memory that this process has held so far, in megabytes (1e6 bytes)."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux ru_maxrss begins with what the process that started this one held
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def in_fresh_process(module: str, *arguments: str) -> dict[str, Any]:
    """Run a worker of a benchmark by itself, so that its memory is its own; return what it reported as JSON."""
    command = [sys.executable, "-m", module, "--worker", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def median(seconds: Sequence[float]) -> float:
    """Return the median."""
    return statistics.median(seconds)


def markdown(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def say(text: str = "") -> None:
    """Write one line of the result, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def setting(*packages: str, seed: int = SEED) -> str:
    """Return one line on the machine, the versions and the seed."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    load = os.getloadavg()[0]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    return (
        f"{os.cpu_count()} cores, {memory:.0f} GB of memory, load {load:.1f} at the start, {platform.system()}, "
        f"Python {platform.python_version()}, {versions}; seed {seed}."
    )
