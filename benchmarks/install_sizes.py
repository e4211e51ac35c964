"""What is downloaded and installed, which packages are large and who needs them, and what it takes to start the app.

Installs a wheelhouse (`make wheelhouse`) into a new environment without a network, as its README says, opens the front
page of the app twice, and installs what `make run` does, with a network. `make sizes` does all of it. The figures stand
in docs/install.md.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common import ROOT, markdown, say, setting
from benchmarks.visitor import PATIENCE_S, Visitor

LARGE_MB = 10
"""Packages from this size on have a row of their own."""

# Runs in the environment that is measured: each distribution, its size and what it says that it needs.
LOOK = """
import json, re
from importlib.metadata import distributions
from pathlib import Path
found = {}
for each in distributions():
    files = {Path(file.locate()) for file in each.files or ()}
    size = sum(path.stat().st_blocks * 512 for path in files if path.is_file())
    needs = [text for text in each.requires or () if "extra ==" not in text]
    names = [re.match(r"[\\w.-]+", text)[0] for text in needs]
    found[each.name] = [size, names]
print(json.dumps(found))
"""


@dataclass
class Server:
    """Where the app is served."""

    port: int


def taken_mb(folder: Path) -> float:
    """Return what a folder takes on the disk, in megabytes."""
    return sum(path.lstat().st_blocks * 512 for path in [folder, *folder.rglob("*")]) / 1e6


def packages(python: Path) -> list[tuple[str, float, list[str]]]:
    """Return name, megabytes and who needs it of each package, the largest first."""
    done = subprocess.run([python, "-c", LOOK], check=True, capture_output=True, text=True)
    found = {_normal(name): (size, names) for name, (size, names) in json.loads(done.stdout).items()}
    rows = []
    for name, (size, _) in found.items():
        by = [other for other, (_, needs) in found.items() if name in map(_normal, needs)]
        rows.append((name, size / 1e6, sorted(by)))
    return sorted(rows, key=lambda row: -row[1])


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def processor_s(process: int) -> float:
    """Return the processor seconds of a process and of those below it."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        below = Path(f"/proc/{process}/task").glob("*/children")
        return own + sum(processor_s(int(each)) for path in below for each in path.read_text(encoding="ascii").split())
    except OSError:
        return 0.0


def start(environment: Path) -> tuple[float, float]:
    """Serve the app, open its front page, and return seconds and processor seconds until it is there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [environment / "bin" / "fairaudit", "serve", "--headless", "--port", str(port)]
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        served = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while True:
                if served.poll() is not None or time.monotonic() > began + PATIENCE_S:
                    raise SystemExit("The app did not start.")
                try:
                    urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=5).close()
                    break
                except OSError:
                    time.sleep(0.05)
            visitor = Visitor(Server(port))
            visitor.draw("")
            if visitor.errors or not visitor.texts:
                raise SystemExit(f"The front page was not drawn: {visitor.errors}")
            took = time.monotonic() - began, processor_s(served.pid)
            visitor.leave()
            return took
        finally:
            served.terminate()
            served.wait(PATIENCE_S)


def measure(wheelhouse: Path) -> None:
    """Install the wheelhouse and write what was seen."""
    (own,) = wheelhouse.glob("fairaudit-*.whl")
    wheels = sum(path.stat().st_size for path in wheelhouse.glob("*.whl")) / 1e6
    say(f"Wheel: {own.stat().st_size / 1e6:.1f} MB. Wheels of the wheelhouse: {wheels:.0f} MB.\n")
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "environment"
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        install = ["-m", "pip", "--isolated", "install", "--quiet", "--no-index", "--no-deps", "--find-links", "."]
        python = environment / "bin" / "python"
        before = os.times()
        subprocess.run([python, *install, "--require-hashes", "-r", "fairaudit.lock"], cwd=wheelhouse, check=True)
        after = os.times()
        took = after.children_user + after.children_system - before.children_user - before.children_system
        say(f"Installed: {taken_mb(environment):,.0f} MB, with {took:.0f} processor seconds.\n")
        found = packages(python)
        rows = [(name, f"{size:.0f}", ", ".join(by)) for name, size, by in found if size >= LARGE_MB]
        small = [size for _, size, _ in found if size < LARGE_MB]
        rows.append((f"{len(small)} others", f"{sum(small):.0f}", ""))
        say(markdown(("package", "MB", "which of the others need it"), rows))
        say()
        for what in ("first", "second"):
            seconds, work = start(environment)
            say(f"The {what} start took {seconds:.1f} s and {work:.1f} processor seconds, with the front page.")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["make", f"VENV={folder}", f"{folder}/.ready-to-run"], cwd=ROOT, check=True)
        say(f"What `make run` installs: {taken_mb(Path(folder)):,.0f} MB.")


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheelhouse", type=Path, nargs="?", default=ROOT / "dist" / "wheelhouse")
    say(setting())
    measure(parser.parse_args().wheelhouse)


if __name__ == "__main__":
    main()
