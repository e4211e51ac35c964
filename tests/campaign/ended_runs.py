"""Ctrl-C and ``kill -9`` at moments spread over ``python -m fairaudit run``: no traceback, no half file.

``python -m tests.campaign.ended_runs --ctrl-c 40 --kill 20`` ends so many runs, later and later, and prints how.
With ``--fits`` the runs fit models and remedies of every kind, and are ended before their report is drawn.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.campaign.cases import ROOT
from tests.campaign.injected_faults import EARLIER, PLAN, is_whole, prepared

FITS = """
[[remedies]]
method = "plain"
model = "mlp"
[[remedies]]
method = "relabel"
risk_model = "mlp"
final_model = "logistic_regression"
[[remedies]]
method = "constrain"
model = "mlp"
constraints = ["demographic_parity by sex <= 0.1"]
[[remedies]]
method = "thresholds"
model = "svm"
[[remedies]]
method = "plain"
model = "random_forest"
[[remedies]]
method = "plain"
model = "gradient_boosting"
[[remedies]]
method = "equalize"
[[remedies]]
method = "rules"
max_complexity = 4
time_limit = 0.2
[[remedies]]
method = "trees"
max_depth = 2
time_limit = 0.2
"""
"""Remedies of every kind."""

OWN_START_S = 0.02
"""What passes before the first line of the command line runs: Python's own start."""


class Runs:
    """Runs of one plan in a folder, each on top of an earlier report."""

    def __init__(self, folder: Path, *, fits: bool = False):
        self.folder = folder
        self.command = [sys.executable, "-m", "fairaudit", *prepared(folder)]
        # Remedies and hiding take as long as all the rest.
        plan = PLAN[: PLAN.index("[models]")] + PLAN[PLAN.index("[[presets]]") :].replace("mask = true", "mask = false")
        if fits:
            models = PLAN[PLAN.index("[models]") : PLAN.index("[[remedies]]")]
            plan = PLAN[: PLAN.index("[[errors]]")] + models + FITS
        (folder / "audit.toml").write_text(plan, encoding="utf-8")
        took = [self.whole() for _ in range(2)]
        self.seconds = min(fitted if fits else whole for fitted, whole in took)

    def whole(self) -> tuple[float, float]:
        """Let a run come to its end, and return after how long it said its first answer, and how long it took."""
        prepared(self.folder)
        began = time.monotonic()
        process = self._begun()
        assert process.stdout.readline()
        answered = time.monotonic() - began
        said = process.communicate(timeout=300)[1]
        assert process.returncode == 0 and not said, said
        assert not self._left().items() & EARLIER.items()
        return answered, time.monotonic() - began

    def ended(self, how: signal.Signals, part: float) -> str:
        """End a run when so much of its time has passed, and return how it ended."""
        prepared(self.folder)
        process = self._begun()
        time.sleep(OWN_START_S + part * self.seconds)
        process.send_signal(how)
        said, code = process.communicate(timeout=300)[1], process.returncode
        found = self._left()
        if code == 0:
            assert not said and not found.items() & EARLIER.items(), said
            return "done"
        if how == signal.SIGKILL:
            assert code == -signal.SIGKILL
            return "killed"
        assert not list((self.folder / "out").glob(".*")), "something is left beside"
        if code == -signal.SIGINT or is_of_python_itself(said):
            # Before its first line is run, and after its last, a signal ends a program without a word of its own.
            return "ended by Python itself"
        assert (code, said) == (130, "Stopped.\n"), (code, said)
        return "stopped" if found == EARLIER else "stopped between two files"

    def _begun(self) -> subprocess.Popen[str]:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        pipe = subprocess.PIPE
        return subprocess.Popen(self.command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True)

    def _left(self) -> dict[str, bytes]:
        """Return what is in the folder of the report, all of it whole."""
        found = {path.name: path.read_bytes() for path in (self.folder / "out").iterdir() if path.suffix != ".part"}
        for name, content in found.items():
            assert content == EARLIER.get(name) or is_whole(name, content), f"{name} is not whole"
        assert found.keys() >= EARLIER.keys()
        assert sorted(path.name for path in self.folder.iterdir()) == ["audit.toml", "out", "people.csv"]
        return found


def is_of_python_itself(said: str) -> bool:
    """Say whether a traceback comes from Python's own start, before any line of the command line was run."""
    return "Traceback" in said and "__main__.py" not in said and "fairaudit/cli" not in said


def ends(folder: Path, *, ctrl_c: int, kill: int, fits: bool = False) -> dict[str, Counter[str]]:
    """End so many runs, later and later, and return how they ended; the last one works."""
    runs = Runs(folder, fits=fits)
    found = {"Ctrl-C": Counter(), "kill -9": Counter()}
    for name, how, n in (("Ctrl-C", signal.SIGINT, ctrl_c), ("kill -9", signal.SIGKILL, kill)):
        for moment in range(n):
            found[name][runs.ended(how, 1.05 * moment / n)] += 1
    runs.whole()
    return found


def main() -> None:
    """End runs from the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ctrl-c", type=int, default=40)
    parser.add_argument("--kill", type=int, default=20)
    parser.add_argument("--fits", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, found in ends(Path(folder), ctrl_c=options.ctrl_c, kill=options.kill, fits=options.fits).items():
            sys.stdout.write(f"{name}: {dict(found)}\n")


if __name__ == "__main__":
    main()
