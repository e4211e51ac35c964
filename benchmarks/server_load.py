"""Many sessions at one server: how fast pages answer while fits run, what memory they take, and that none sees others.

Starts the app as ``make run`` does, on a free port of this machine. Each session talks the browser's protocol, without
a browser, so that the server is what is measured. It opens a saved audit, brings a table of its own, reads the check,
fits a remedy while it goes to other pages, makes the report and fetches its files, and begins again with another table
until time is up. Each table has a marker of its own, and whatever comes to a session is searched for those of others.
"""

from __future__ import annotations

import argparse
import io
import itertools
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.common import ROOT, SEED, markdown, say, setting
from benchmarks.visitor import PATIENCE_S, Visitor

MARKER = re.compile(rb"mk[0-9a-f]{12}")
SIZES = (2_000, 5_000, 10_000, 20_000)
"""Rows of the tables, in turn."""

REMEDIES = {
    "Thresholds": '[[remedies]]\nmethod = "thresholds"\n',
    "Retrain": '[[remedies]]\nmethod = "relabel"\n',
    "Equalize": '[[remedies]]\nmethod = "equalize"\n',
    "Constraints": '[[remedies]]\nmethod = "constrain"\nconstraints = ["demographic_parity by sex <= 0.05"]\n',
    "Rules": '[[remedies]]\nmethod = "rules"\ntime_limit = 10\n',
}
"""From the page of a remedy to what a plan says of it."""

PLAN = """schema_version = 1
protected_columns = ["sex"]
[data]
source = "{name}.csv"
name = "{name}"
columns = ["place_{marker}", "sex", "age", "income", "granted"]
[decision]
column = "granted"
favorable = ["yes"]
[models]
features = ["place_{marker}", "age", "income"]
protected = "sex = 'woman'"
divisions = {divisions}
[report]
title = "Report of {marker}"
[[checks]]
protected = "sex = 'woman'"
strata = ["place_{marker}"]
compare = [["sex"], ["place_{marker}"]]
"""
PAGES = ("Data", "Groups", "Check", "Compare", "Report")
FILES = ("report_download_pdf", "report_download_zip", "report_download_json", "report_download_annexes")
THINK_S = 1.5
"""What a person takes to read a page."""

DROPPED_S = 50.0
"""After this, all that a session held is dropped: the grace in which it may come back, and a last look."""

BACK_WITHIN_S = 300.0
LOOK_S = 0.5


@dataclass
class Server:
    """The app, served.

    Parameters
    ----------
    process : Popen
        Its process.
    port : int
        Where it answers.
    log : Path
        What it prints.
    """

    process: subprocess.Popen
    port: int
    log: Path

    def held_mb(self) -> float:
        """Return the memory of the server itself, in megabytes."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def apart_mb(self) -> float:
        """Return the memory of the processes that read files, draw charts, fit and make reports for it.

        What several share is counted once.
        """
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=False).stdout
        parents = dict(map(int, line.split()) for line in listed.splitlines())
        return sum(shared_mb(each) for each in parents if self.process.pid in ancestors(each, parents))


def ancestors(process: int, parents: dict[int, int]) -> Iterator[int]:
    """Yield the parent of a process, its parent, and so on."""
    while process := parents.get(process, 0):
        yield process


def shared_mb(process: int) -> float:
    """Return the memory of a process, and of what it shares with others its part; 0 where it has ended."""
    try:
        said = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
        return int(said.partition("\nPss:")[2].split()[0]) * 1024 / 1e6
    except (OSError, ValueError, IndexError):
        return 0.0


@dataclass
class Seen:
    """What all sessions have seen."""

    answers: list[float] = field(default_factory=list)
    alone: list[float] = field(default_factory=list)
    polls: list[float] = field(default_factory=list)
    uploads: list[float] = field(default_factory=list)
    fits: list[float] = field(default_factory=list)
    reports: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    lines: set[str] = field(default_factory=set)
    n_fitting: int = 0
    n_own: int = 0
    n_messages: int = 0
    n_downloads: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def fitting(self) -> Iterator[None]:
        """Count one fit as under way."""
        with self.lock:
            self.n_fitting += 1
        began = time.monotonic()
        try:
            yield
        finally:
            with self.lock:
                self.n_fitting -= 1
            self.fits.append(time.monotonic() - began)


@contextmanager
def serving(**environment: str) -> Iterator[Server]:
    """Serve the app as ``make run`` does, on a free port; of tabs that are closed it holds nothing."""
    surroundings = {**os.environ, "FAIRAUDIT_HOLD_MINUTES": "0", **environment}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("w", encoding="utf-8") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}",
                 "--server.address=localhost", "--server.headless=true"],
                cwd=ROOT, env=surroundings, stdout=out, stderr=subprocess.STDOUT,
            )  # fmt: skip
        try:
            until = time.monotonic() + PATIENCE_S
            while True:
                if time.monotonic() > until or process.poll() is not None:
                    raise SystemExit(f"The app did not start:\n{log.read_text(encoding='utf-8')}")
                try:
                    urllib.request.urlopen(f"http://localhost:{port}/health", timeout=5).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield Server(process, port, log)
        finally:
            process.kill()
            process.wait(PATIENCE_S)


class Session:
    """One person at work.

    Parameters
    ----------
    number : int
        Which one.
    server : Server
        Where.
    seen : Seen
        Where figures go.
    divisions : int
        On how many divisions of the rows a report judges a remedy.
    """

    def __init__(self, number: int, server: Server, seen: Seen, divisions: int):
        self.number, self.seen, self.divisions = number, seen, divisions
        self.random = np.random.default_rng([SEED, number])
        self.own: set[bytes] = set()
        self.visitor = Visitor(server, on_message=lambda content: self.search(content, "a page"))

    def work(self, goes_on: Callable[[], bool]) -> None:
        """Go through one audit after another while time lasts; the first one is done to its end."""
        self.audit(0)
        for turn in itertools.count(1):
            if not goes_on():
                return
            self.audit(turn, goes_on)

    def audit(self, turn: int, goes_on: Callable[[], bool] = lambda: True) -> None:
        """Do one audit, from the table to the files of its report, or until time is up."""
        marker = "mk" + self.random.bytes(6).hex()
        self.own.add(marker.encode())
        fitting = list(REMEDIES)[(self.number + turn) % len(REMEDIES)]
        plan = PLAN.format(marker=marker, name=f"table_{marker}", divisions=self.divisions) + REMEDIES[fitting]
        self.draw("")
        self.bring("home_plan", f"{marker}.toml", plan.encode())
        self.draw("Data")
        self.seen.uploads.append(self.bring("data_upload", f"table_{marker}.csv", self.table(marker, turn)))
        self.draw("Check")
        if not any(marker in text for text in self.visitor.texts):
            self.seen.errors.append("The check does not show the table that was brought.")
        self.draw(fitting)
        with self.seen.fitting():
            self.draw(fitting, press="remedies_fit_kept")
            for page in itertools.chain(PAGES, itertools.repeat(fitting)):
                if not self.is_fitting() or not goes_on():
                    break
                self.stay(THINK_S)
                self.draw(page)
        if not goes_on():
            return
        self.draw("Report")
        earlier = set(self.visitor.downloads.values())
        began = time.monotonic()
        with self.seen.fitting():
            self.draw("Report", press="report_make")
            while not self.offers_other_than(earlier) and goes_on() and time.monotonic() < began + 5 * PATIENCE_S:
                self.stay(THINK_S)
                self.draw("Report")
        if not goes_on():
            return
        self.seen.reports.append(time.monotonic() - began)
        for button in FILES:
            content = self.visitor.download(button)
            self.search(opened(content), f"a download, {button}")
            self.seen.n_downloads += 1
            if marker.encode() not in opened(content):
                self.seen.errors.append(f"{button} lacks the marker of its own table.")

    def offers_other_than(self, earlier: set[str]) -> bool:
        """Whether the files of another report can be fetched than the one before."""
        fresh = [key for key, address in self.visitor.downloads.items() if address not in earlier]
        return all(any(button in key for key in fresh) for button in FILES)

    def is_fitting(self) -> bool:
        """Whether the sidebar shows that something is being fitted; it is what draws itself anew on each page."""
        return bool(self.visitor.polled)

    def table(self, marker: str, turn: int) -> bytes:
        """Return a table of its own."""
        return table_of(marker, SIZES[(self.number + turn) % len(SIZES)], self.random)

    def draw(self, page: str, *, press: str | None = None) -> None:
        """Draw a page, and note how long that took."""
        fitting = self.seen.n_fitting > 0
        took = self.visitor.draw(page, press=press)
        (self.seen.answers if fitting else self.seen.alone).append(took)
        self.note()

    def bring(self, uploader: str, name: str, content: bytes) -> float:
        """Bring a file."""
        took = self.visitor.bring(uploader, name, content)
        self.note()
        return took

    def stay(self, seconds: float) -> None:
        """Look at the page, whose parts draw themselves anew meanwhile."""
        until = time.monotonic() + seconds
        due = {part: time.monotonic() + every for part, every in self.visitor.polled.items()}
        while due and min(due.values()) < until:
            part = min(due, key=lambda each: due[each])
            time.sleep(max(due[part] - time.monotonic(), 0))
            before = self.visitor.polled
            self.seen.polls.append(self.visitor.poll(part))
            self.note()
            if self.visitor.polled is not before:
                # The page was drawn anew, as a fit has ended.
                return
            due[part] = time.monotonic() + self.visitor.polled[part]
        time.sleep(max(until - time.monotonic(), 0))

    def note(self) -> None:
        """Keep what the page says went wrong, and where it says that one waits."""
        self.seen.errors += self.visitor.errors
        self.visitor.errors = []
        self.seen.lines |= {text for text in self.visitor.texts if "yours" in text.lower() and "computing" in text}

    def search(self, content: bytes, where: str) -> None:
        """Look for markers of others."""
        found = set(MARKER.findall(content))
        self.seen.n_messages += 1
        self.seen.n_own += bool(found & self.own)
        for marker in found - self.own:
            self.seen.foreign.append(f"{marker.decode()} in {where} of session {self.number}")


def table_of(marker: str, n: int, random: np.random.Generator) -> bytes:
    """Return a table of `n` people as CSV, whose places bear a marker."""
    sex, place = random.integers(0, 2, n), random.integers(0, 4, n)
    age, income = random.integers(18, 80, n), random.normal(40_000, 12_000, n).round(-2).astype(int)
    good = random.random(n) < 0.3 + 0.1 * sex + 0.2 * (income > 40_000)
    rows = zip(place.tolist(), sex.tolist(), age.tolist(), income.tolist(), good.tolist(), strict=True)
    lines = [f"{marker}_{p},{'man' if s else 'woman'},{a},{i},{'yes' if g else 'no'}" for p, s, a, i, g in rows]
    return "\n".join([f"place_{marker},sex,age,income,granted", *lines]).encode()


def opened(content: bytes) -> bytes:
    """Return the text of a downloaded file: of a PDF by ``pdftotext``, of a zip of all its files."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as bundle:
            return b"\n".join([*map(str.encode, bundle.namelist()), *(bundle.read(name) for name in bundle.namelist())])
    if content.startswith(b"%PDF") and shutil.which("pdftotext"):
        done = subprocess.run(["pdftotext", "-", "-"], input=content, capture_output=True, check=True)
        # A name may be broken at the end of a line.
        return done.stdout + re.sub(rb"\s+", b"", done.stdout)
    return content


@dataclass
class Load:
    """What a run came to; memory in megabytes."""

    seen: Seen
    n_sessions: int
    start_mb: float
    warm_mb: float
    loaded_mb: float
    peak_mb: float
    peak_apart_mb: float
    after_mb: float
    after_apart_mb: float
    back_s: float | None
    server_s: float
    clients_s: float
    lasted_s: float
    log: str

    @property
    def session_mb(self) -> float:
        """Memory for each session while all are at work, over that of the warm server."""
        return (self.loaded_mb - self.warm_mb) / self.n_sessions


def measure(
    n_sessions: int,
    minutes: float,
    *,
    divisions: int = 2,
    dropped_s: float = DROPPED_S,
    back_within_s: float = BACK_WITHIN_S,
) -> Load:
    """Serve the app, let sessions work, and return what was seen.

    Parameters
    ----------
    n_sessions : int
        How many are at work at once.
    minutes : float
        How long they begin new audits.
    divisions : int
        On how many divisions of the rows a remedy is judged.
    dropped_s : float
        How long after the end of sessions memory is looked at, at least.
    back_within_s : float
        How long it is waited for memory to be back.
    """
    with serving() as server:
        start = server.held_mb()
        # One of each kind, so that what is loaded on first use is no session's.
        warming = Session(10_000, server, Seen(), divisions)
        for turn in range(len(REMEDIES)):
            warming.audit(turn)
        warming.visitor.leave()
        time.sleep(dropped_s)
        warm = server.held_mb()
        seen, samples, apart = Seen(), [], []
        ended = threading.Event()

        def sample() -> None:
            while not ended.wait(LOOK_S):
                samples.append(server.held_mb())
                if len(samples) % 4 == 0:
                    apart.append(server.apart_mb())

        threading.Thread(target=sample, daemon=True).start()
        began, until = time.monotonic(), time.monotonic() + 60 * minutes
        before = os.times()
        sessions = [Session(number, server, seen, divisions) for number in range(n_sessions)]
        threads = [
            threading.Thread(target=at_work, args=(each, seen, lambda: time.monotonic() < until), daemon=True)
            for each in sessions
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60 * minutes + 10 * PATIENCE_S)
        if any(thread.is_alive() for thread in threads):
            seen.errors.append("A session did not come to its end.")
        lasted, loaded = time.monotonic() - began, statistics.median(samples[len(samples) // 2 :])
        after_times = os.times()
        clients = sum(after_times[:2]) - sum(before[:2])
        for session in sessions:
            session.visitor.leave()
        left, back = time.monotonic(), None
        # At least until all that sessions held is dropped.
        while (took := time.monotonic() - left) < (back_within_s if back is None else min(back_within_s, dropped_s)):
            after = server.held_mb()
            if back is None and after <= 1.2 * warm:
                back = took
            time.sleep(LOOK_S)
        ended.set()
        return Load(
            seen, n_sessions, start, warm, loaded, max(samples), max(apart, default=0.0), after,
            server.apart_mb(), back,
            processor_s(server.process.pid), clients, lasted, server.log.read_text(encoding="utf-8"),
        )  # fmt: skip


def at_work(session: Session, seen: Seen, goes_on: Callable[[], bool]) -> None:
    """Let a session work, and note what stops it."""
    try:
        session.work(goes_on)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a figure
        seen.errors.append(f"Session {session.number}: {type(error).__name__}: {error}")


def processor_s(pid: int) -> float:
    """Return the processor seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def quantiles(seconds: list[float]) -> tuple[str, str, str, str]:
    """Return how many there are, their median, 95th percentile and the largest."""
    if not seconds:
        return "0", "", "", ""
    found = np.quantile(seconds, [0.5, 0.95, 1.0])
    return (f"{len(seconds):,}", *(f"{value:.2f} s" for value in found))


def report(load: Load) -> None:
    """Write what was seen."""
    seen = load.seen
    say(f"\n{load.n_sessions} sessions, {load.lasted_s / 60:.1f} minutes.\n")
    rows = [
        ("page while fits run", *quantiles(seen.answers)),
        ("page while none runs", *quantiles(seen.alone)),
        ("progress of a fit, drawn anew", *quantiles(seen.polls)),
        ("upload, until the table is shown", *quantiles(seen.uploads)),
        ("fit of a remedy, with its wait", *quantiles(seen.fits)),
        ("report, with its fits and their wait", *quantiles(seen.reports)),
    ]
    say(markdown(("answer", "how many", "median", "95 %", "worst"), rows))
    back = "not within the time" if load.back_s is None else f"after {load.back_s:.0f} s"
    say()
    say(
        markdown(
            ("memory of the server", "MB"),
            [
                ("at its start", f"{load.start_mb:.0f}"),
                ("after one session that did all and left (warm)", f"{load.warm_mb:.0f}"),
                ("with all sessions, median of the second half", f"{load.loaded_mb:.0f}"),
                ("of that for each session", f"{load.session_mb:.0f}"),
                ("at its peak", f"{load.peak_mb:.0f}"),
                ("processes apart besides, at their peak", f"{load.peak_apart_mb:.0f}"),
                (f"after all have left, back to within 20 % of the warm one {back}", f"{load.after_mb:.0f}"),
                ("processes apart besides, then", f"{load.after_apart_mb:.0f}"),
            ],
        )
    )
    say(
        f"\nProcessor seconds: {load.server_s:.0f} of the server since its start, {load.clients_s:.0f} of the "
        f"sessions' side. Messages and files searched: {seen.n_messages:,}, {seen.n_own:,} with a marker of their own, "
        f"{len(seen.foreign)} with one of others. Downloads: {seen.n_downloads}. Errors: {len(seen.errors)}. "
        f"Places in the line that were read: {len(seen.lines)}."
    )
    for text in [*seen.foreign[:10], *seen.errors[:10], *sorted(seen.lines)[:3]]:
        say(f"- {text}")


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--divisions", type=int, default=2)
    given = parser.parse_args()
    say(setting("streamlit", "duckdb", "scikit-learn"))
    report(measure(given.sessions, given.minutes, divisions=given.divisions))


if __name__ == "__main__":
    main()
