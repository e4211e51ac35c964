"""The documents of the sample audits, as texts that a person reviews in a diff.

`make golden` writes them anew; `test_golden_documents.py` compares them. Each audit is run once and exported twice: as
its plan says, and with small counts hidden (the folders that end in ``_hidden``). Their numbers stand by themselves in
`numbers/`, too: those files stay as they are where only words change.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest import mock

from golden_numbers import numbers_of

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
SAMPLES = ROOT / "sample_data"

PLANS = {path.stem: path for path in sorted([*SAMPLES.glob("*.toml"), *(FOLDER / "plans").glob("*.toml")])}
"""The audits by name: those of the samples, and those for what no sample asks for."""


@cache
def result_of(name: str):
    """Run an audit, once for all that is asked of it."""
    from fairaudit import AuditPlan, run

    return run(AuditPlan.load(PLANS[name]), base=SAMPLES)


def documents_of(name: str) -> dict[str, str]:
    """Run an audit and return all that is exported of it, by path below this folder."""
    from fairaudit import AuditPlan

    plan = AuditPlan.load(PLANS[name])
    result = result_of(name)
    hiding = plan.model_copy(update={"small_cells": plan.small_cells.model_copy(update={"mask": True})})
    texts = {}
    for folder, asked in ((name, plan), (f"{name}_hidden", hiding)):
        exported = dict(_exported(replace(result, plan=asked)))
        texts |= {f"{folder}/{path}": text for path, text in exported.items()}
        texts[numbers_file(folder)] = numbers_of(exported)
    return texts


def numbers_file(folder: str) -> str:
    """Return the path of the numbers of an export below this folder."""
    return f"numbers/{folder}.txt"


def _exported(result) -> Iterator[tuple[str, str]]:
    """Yield what the command line prints and writes for an audit that is run already."""
    from fairaudit.cli import running
    from fairaudit.cli.main import main
    from fairaudit.events import Finished

    with tempfile.TemporaryDirectory() as folder:
        plan, out = Path(folder) / "audit.toml", Path(folder) / "report"
        result.plan.save(plan)
        printed = io.StringIO()
        data = SAMPLES / result.plan.data.source
        with (
            mock.patch.object(running, "iter_run", return_value=iter([Finished(result)])),
            contextlib.redirect_stdout(printed),
        ):
            code = main(["run", str(plan), "--data", str(data), "--out", str(out), "--debug"])
        lines = [line for line in printed.getvalue().splitlines() if not line.startswith("wrote ")]
        yield "printed.txt", "\n".join([*lines, f"exit code {code}", ""])
        for path in sorted(out.iterdir()):
            yield from _texts(path)


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    if path.suffix == ".pdf":
        yield f"{path.stem}.txt", _without_versions(_pdf_text(path))
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path) as bundle:
            for name in bundle.namelist():
                yield f"tables/{name}", _without_versions(bundle.read(name).decode("utf-8-sig").replace("\r\n", "\n"))
    elif path.suffix == ".json":
        values = json.loads(path.read_text(encoding="utf-8")) | {"versions": {}}
        yield path.name, json.dumps(values, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    else:
        yield path.name, _without_versions(path.read_text(encoding="utf-8-sig"))


def _pdf_text(path: Path) -> str:
    """Return the text of a report, page by page in reading order."""
    from pypdf import PdfReader

    pages = PdfReader(path).pages
    return (
        "\n".join(f"--- page {n} of {len(pages)} ---\n{page.extract_text()}" for n, page in enumerate(pages, 1)) + "\n"
    )


def _without_versions(text: str) -> str:
    """Return a text without the versions of the software, which change with every lock."""
    return re.sub(
        r"\b(fairaudit|python|duckdb|pandas|numpy|scipy|sqlglot|scikit-learn|pyscipopt|pyswarms)"
        r"(\s+)\d+(?:\.\d+)+",
        r"\1\2*",
        text,
    )


def write(names: list[str]) -> None:
    """Write the documents of these audits anew."""
    for name in names:
        texts = documents_of(name)
        for folder in (name, f"{name}_hidden"):
            shutil.rmtree(FOLDER / folder, ignore_errors=True)
        for path, text in texts.items():
            target = FOLDER / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    write(sys.argv[1:] or list(PLANS))
