"""No memory, a full disk, a broken disk and Ctrl-C at any function that ``python -m fairaudit run`` calls.

``python -m tests.campaign.injected_faults --cases 2000`` raises that many, one a run, each at a call of some
function. A run ends with its files or with one sentence; files are whole, and the next run works.
"""

from __future__ import annotations

import errno
import io
import json
import os
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from types import CodeType, FrameType

import numpy as np
import pandas as pd

from fairaudit.cli.main import BAD_INPUT, DONE, INTERRUPTED, main
from fairaudit.plan.audit_plan import AuditPlan
from tests.campaign import cases
from tests.campaign.cases import ROOT, Try

PACKAGE = str(ROOT / "fairaudit")
FAULTS: dict[str, Callable[[], BaseException]] = {
    "no memory": MemoryError,
    "full disk": lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
    "broken disk": lambda: OSError(errno.EIO, os.strerror(errno.EIO)),
    "Ctrl-C": KeyboardInterrupt,
}
CODES = {"no memory": BAD_INPUT, "full disk": BAD_INPUT, "broken disk": BAD_INPUT, "Ctrl-C": INTERRUPTED}
GENEXPR = "<genexpr>"
EARLIER = {
    name: f"an earlier {name}".encode()
    for name in ("report.pdf", "annexes.pdf", "tables.zip", "result.json", "plan.toml")
}
PLAN = """
schema_version = 1
[data]
source = "people.csv"
[decision]
column = "hired"
favorable = ["yes"]
[prediction]
column = "predicted"
favorable = ["yes"]
[[checks]]
protected = "sex = 'woman'"
where = "age > 20"
strata = ["area"]
compare = [["area"]]
[[errors]]
by = ["sex"]
[models]
features = ["area", "age"]
protected = "sex = 'woman'"
[[remedies]]
method = "thresholds"
[[presets]]
preset = "nyc144"
[presets.columns]
sex = "sex"
race = "race"
[small_cells]
mask = true
minimum = 4
"""


def people() -> pd.DataFrame:
    """Return a small table of decisions."""
    rng = np.random.default_rng(0)
    n = 240
    return pd.DataFrame(
        {
            "sex": rng.choice(["woman", "man"], n),
            "race": rng.choice(["a", "b"], n),
            "area": rng.choice(["north", "south"], n),
            "age": rng.integers(18, 70, n),
            "hired": rng.choice(["yes", "no"], n),
            "predicted": rng.choice(["yes", "no"], n),
        }
    )


def prepared(folder: Path) -> list[str]:
    """Write data, plan and an earlier report into a folder, and return the arguments of a run."""
    data, plan, out = folder / "people.csv", folder / "audit.toml", folder / "out"
    if not data.exists():
        data.write_text(people().to_csv(index=False), encoding="utf-8")
        plan.write_text(PLAN, encoding="utf-8")
        out.mkdir()
    for path in out.iterdir():
        path.unlink()
    for name, content in EARLIER.items():
        (out / name).write_bytes(content)
    return ["run", str(plan), "--out", str(out)]


def run(arguments: list[str], look: Callable[[FrameType, str, object], None] | None = None) -> tuple[int, str]:
    """Run a command here, with each call looked at; return its code and what it wrote to stderr."""
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        before = sys.gettrace()
        sys.settrace(look)
        try:
            code = main(arguments)
        finally:
            sys.settrace(before)
    return code, said.getvalue()


@cache
def calls(folder: Path) -> tuple[tuple[CodeType, int], ...]:
    """Return the functions of the package that a run calls, in their order, and how often."""
    arguments = prepared(folder)
    # Once without looking, so that imports and caches do not count.
    assert run(arguments) == (DONE, "")
    found: Counter[CodeType] = Counter()

    def look(frame: FrameType, event: str, _: object) -> None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            found[frame.f_code] += 1

    assert run(prepared(folder), look) == (DONE, "")
    # The arguments are read before a command begins; an error in a generator that is thrown away is nobody's.
    return tuple(
        (code, n) for code, n in found.items() if "cli/main" not in code.co_filename and code.co_name[0] != "<"
    )


def attempt(rng: Random, folder: Path) -> str:
    """Let one call of one function fail."""
    code, often = rng.choice(calls(folder))
    return fail(rng.choice(list(FAULTS)), code, rng.choice([1, rng.randint(1, often)]), folder)


def fail(fault: str, code: CodeType, at: int, folder: Path) -> str:
    """Let a certain call of a function fail, and look at how the run ends."""
    left = at

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal left
        if frame.f_code is code:
            left -= 1
            if not left:
                raise FAULTS[fault]()

    ended, said = run(prepared(folder), look)
    where = f"{fault} at call {at} of {code.co_qualname}"
    out = folder / "out"
    found = {path.name: path.read_bytes() for path in out.iterdir()}
    beside = [path.name for path in folder.iterdir() if path.name not in ("out", "people.csv", "audit.toml")]
    if ended == DONE:
        # It was caught where it does no harm, such as in what is shown while a fit goes on.
        assert not said and found.keys() > EARLIER.keys(), where
        assert all(found[name] != content for name, content in EARLIER.items()), where
    else:
        assert ended in (CODES[fault], BAD_INPUT), f"{where}: {ended}, {said}"
        sentence, _, hint = said.partition("\n")
        assert sentence.endswith(".") and (not hint or (hint.count("\n") == 1 and hint.startswith("Hint: "))), said
        # Ctrl-C between two renamings leaves some files of this run and some of the one before.
        assert found.keys() >= EARLIER.keys(), where
        assert all(content == EARLIER.get(name) or is_whole(name, content) for name, content in found.items()), where
    assert not beside and not [name for name in found if name.endswith(".part")], where
    if at == 1 and len(code.co_name) % 4 == 0:
        assert run(prepared(folder)) == (DONE, ""), f"the run after {where}"
    return "done" if ended == DONE else "refused" if ended == BAD_INPUT else "stopped"


def is_whole(name: str, content: bytes) -> bool:
    """Say whether a file of a report can be read to its end."""
    match Path(name).suffix:
        case ".pdf":
            return content.startswith(b"%PDF") and content.rstrip().endswith(b"%%EOF")
        case ".zip":
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return archive.testzip() is None
        case ".json":
            return bool(json.loads(content))
        case ".toml":
            return bool(AuditPlan.from_toml(content.decode()).checks)
        case ".html":
            return content.rstrip().endswith(b"</html>")
    return content.endswith(b"\n")


KINDS: dict[str, Try] = {"run": attempt}

if __name__ == "__main__":
    cases.main("tests.campaign.injected_faults", KINDS, cases=2_000)
