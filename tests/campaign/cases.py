"""Thousands of cases, one after another in a warm process that may take only so much memory and time for each.

What ends that process, or takes too long, is counted like any other failure, and the next process goes on behind it.
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from fairaudit.data.subprocess_entry import _take_at_most
from fairaudit.errors import FairauditError

ROOT = Path(__file__).parents[2]
MEMORY = 2_000_000_000
"""Bytes that a process may take beyond what it has at its start."""
SECONDS = 120.0
"""Seconds that a case may take, also on a busy machine."""
A_PROCESS = 2_500
"""Cases after which a process is replaced, so that what one of them left behind does not count against others."""
LONGEST = 2_000
"""Characters of a sentence."""

Try = Callable[[Random, Path], str]
"""What a case is: it takes random numbers and a folder of its own, and says what came of it, such as "read"."""


@dataclass
class Counts:
    """What came of the cases of one kind."""

    kind: str
    cases: int = 0
    ends: dict[str, int] = field(default_factory=dict)
    failed: dict[str, list[int]] = field(default_factory=dict)
    slowest: tuple[float, int] = (0.0, 0)
    seconds: float = 0.0

    def note(self, number: int, end: str, why: str, seconds: float) -> None:
        """Count a case."""
        self.cases += 1
        if end == "failed":
            self.failed.setdefault(why, []).append(number)
        else:
            self.ends[end] = self.ends.get(end, 0) + 1
        self.slowest = max(self.slowest, (seconds, number))

    @property
    def n_failed(self) -> int:
        """How many cases ended in any other way than they may."""
        return sum(map(len, self.failed.values()))

    def __str__(self) -> str:
        ends = ", ".join(f"{n:,} {end}" for end, n in sorted(self.ends.items()))
        lines = [
            f"{self.kind}: {self.cases:,} cases, {ends}, {self.n_failed:,} failed "
            f"({self.seconds:,.0f} s; the slowest, {self.slowest[1]}, took {self.slowest[0]:.1f} s)"
        ]
        lines += [f"    {len(numbers):,} x {why}; cases {numbers[:4]}" for why, numbers in sorted(self.failed.items())]
        return "\n".join(lines)


def count(module: str, kind: str, cases: int, seed: int, *, first: int = 0, most_s: float = float("inf")) -> Counts:
    """Try so many cases of a module's kind, each of which is the same at each call."""
    counts, began, number = Counts(kind), time.monotonic(), first
    while number < first + cases and time.monotonic() - began < most_s:
        last = min(number + A_PROCESS, first + cases)
        command = [sys.executable, "-m", module, "--work", kind, str(number), str(last), "--seed", str(seed)]
        environment = os.environ | {
            "PYTHONPATH": f"{ROOT}:{ROOT / 'tests/support'}",
            "OMP_NUM_THREADS": "1",
            "PYTHONFAULTHANDLER": "",
        }
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            number = _listen(process, counts, number, last, began + most_s)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
    counts.seconds = time.monotonic() - began
    return counts


def _listen(process: subprocess.Popen, counts: Counts, number: int, last: int, until: float) -> int:
    """Count what a process says of its cases, and return the number of the first that it has not tried."""
    pending, first = b"", number
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        # The first answer waits for the process to start.
        patience = 2 * SECONDS
        while number < last and time.monotonic() < until:
            if not selector.select(patience):
                counts.note(number, "failed", f"took longer than {SECONDS:.0f} s", SECONDS)
                return number + 1
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                counts.note(number, "failed", f"ended its process with {process.wait()}", 0.0)
                return number + 1
            *lines, pending = (pending + part).split(b"\n")
            for said in map(json.loads, lines):
                if number > first and said[2].startswith(MemoryError.__name__):
                    # What libraries keep of earlier cases counts here: it is tried again by a process of its own.
                    return number
                counts.note(*said)
                number += 1
            patience = SECONDS
    return number


def tried(kind: Try, name: str, seed: int, number: int, folder: Path) -> tuple[str, str]:
    """Return how a case ended, and why where it failed."""
    try:
        return kind(random_of(name, seed, number), folder), ""
    except FairauditError as error:
        return ("refused", "") if is_a_sentence(error) else ("failed", f"says {str(error)[:200]!r}")
    except BaseException as error:
        # Whatever it is, it is counted; a panic of a library in Rust is no Exception.
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return "failed", _place(error)


def random_of(name: str, seed: int, number: int) -> Random:
    """Return the random numbers of a case."""
    return Random(f"{name} {seed} {number}")


def is_a_sentence(error: FairauditError) -> bool:
    """Say whether an error can be shown to a person: a line that ends, and the same with its remedy."""
    parts = [error.message, *([] if error.hint is None else [error.hint])]
    return all(part.strip() and "\n" not in part and len(part) <= LONGEST for part in parts)


def _place(error: BaseException) -> str:
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if "/fairaudit/" in frame.filename]
    where = f"{Path(places[-1].filename).name}:{places[-1].lineno}" if places else "outside fairaudit"
    what = f": {str(error)[:300]}" if isinstance(error, AssertionError) else ""
    return f"{type(error).__name__} at {where}{what}"


def main(module: str, kinds: Mapping[str, Try], *, cases: int) -> None:
    """Try cases from the command line, and print what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", choices=[*kinds, "all"], default="all")
    parser.add_argument("--cases", type=int, default=cases)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="try this case alone, here, and let its error out")
    parser.add_argument("--work", nargs=3, metavar=("KIND", "FIRST", "LAST"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work is not None:
        kind, first, last = options.work
        _work(kinds[kind], kind, options.seed, range(int(first), int(last)))
        return
    for kind in kinds if options.kind == "all" else [options.kind]:
        if options.case is not None:
            with tempfile.TemporaryDirectory() as folder:
                end = kinds[kind](random_of(kind, options.seed, options.case), Path(folder))
            sys.stdout.write(f"{end}\n")
            continue
        sys.stdout.write(f"{count(module, kind, options.cases, options.seed, first=options.first)}\n")
        sys.stdout.flush()


def _work(kind: Try, name: str, seed: int, numbers: range) -> None:
    warnings.simplefilter("error")
    with os.fdopen(os.dup(1), "w", buffering=1) as out, tempfile.TemporaryDirectory() as folder:
        # What libraries print must not come between.
        os.dup2(2, 1)
        # Once without a limit, so that what is imported late does not count.
        tried(kind, name, seed, -1, Path(folder))
        _take_at_most(MEMORY)
        for number in numbers:
            began = time.monotonic()
            end, why = tried(kind, name, seed, number, Path(folder))
            out.write(json.dumps([number, end, why, round(time.monotonic() - began, 3)]) + "\n")
