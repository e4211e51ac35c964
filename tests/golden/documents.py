"""What is exported of the sample audits: a text and numbers of each, which a person reviews in a diff.

`make golden` writes them anew; `test_golden_documents.py` compares them, each sentence and each figure in one place:

- `texts/` holds what people read: what the command line prints, report, annexes, forms;
- `numbers/` the values of the JSON, and `tables/` all tables, which are files of their own in an export;
- `columns.csv` what the dictionaries of all exports say of columns.

Each audit is run once and exported twice: as its plan says, and with small counts hidden. The latter is held to laws
about the former, in `test_hidden_exports.py`.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from unittest import mock

from fluent.runtime import FluentBundle
from golden_numbers import columns_in, columns_text, numbers_of, rows_of, tables_of

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
SAMPLES = ROOT / "sample_data"
COLUMNS = FOLDER / "columns.csv"

PLANS = {path.stem: path for path in sorted([*SAMPLES.glob("*.toml"), *(FOLDER / "plans").glob("*.toml")])}
"""The audits by name: those of the samples, and those for what no sample asks for."""


@dataclass(frozen=True)
class Exported:
    """All files of an export as texts, and the keys of the messages that were said for them."""

    files: Mapping[str, str]
    said: frozenset[str]


@cache
def result_of(name: str):
    """Run an audit, once for all that is asked of it."""
    from fairaudit import AuditPlan, run

    return run(AuditPlan.load(PLANS[name]), base=SAMPLES)


def hiding(result):
    """Return a result that is exported with small counts hidden."""
    small_cells = result.plan.small_cells.model_copy(update={"mask": True})
    return replace(result, plan=result.plan.model_copy(update={"small_cells": small_cells}))


@cache
def exported(name: str, *, hides: bool = False) -> Exported:
    """Return all that is exported of an audit, once for all that is asked of it."""
    result = hiding(result_of(name)) if hides else result_of(name)
    get_message, said = FluentBundle.get_message, set()

    def noted(bundle, key):
        said.add(key)
        return get_message(bundle, key)

    with mock.patch.object(FluentBundle, "get_message", noted):
        files = dict(_exported(result))
    return Exported(files, frozenset(said))


def reviewed_of(name: str) -> dict[str, str]:
    """Return what is reviewed of an audit, by path below this folder."""
    files = exported(name).files
    return {
        f"texts/{name}.txt": _text_of(files),
        f"numbers/{name}.txt": numbers_of(files, exported(name, hides=True).files),
        f"tables/{name}.csv": tables_of(files),
    }


def _text_of(files: Mapping[str, str]) -> str:
    texts = [path for path in files if path.endswith((".txt", ".html"))]
    return "\n".join(f"=== {path} ===\n{files[path]}" for path in texts)


def _exported(result) -> Iterator[tuple[str, str]]:
    """Yield what the command line prints and writes for an audit that is run already."""
    from fairaudit.audit import running
    from fairaudit.cli.main import main
    from fairaudit.events import Finished
    from fairaudit.report.crate import CRATE
    from fairaudit.report.manifest import MANIFEST

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
            if path.name not in (MANIFEST, CRATE, "result.schema.json"):
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
    """Write what is reviewed of these audits anew; of all of them, the columns that no table has are left out, too."""
    columns = [] if set(names) == set(PLANS) else list(map(tuple, rows_of(COLUMNS.read_text(encoding="utf-8"))))
    for name in names:
        columns += columns_in(exported(name).files)
        for path, text in reviewed_of(name).items():
            _write(FOLDER / path, text)
    _write(COLUMNS, columns_text(columns))


def _write(path: Path, text: str) -> None:
    """Write a text; of as many lines as before, those stay that differ by rounding, as on another processor."""
    from same_figures import same

    lines = text.split("\n")
    before = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    if len(before) == len(lines):
        lines = [old if same(old, new) else new for old, new in zip(before, lines, strict=True)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]
    write(sys.argv[1:] or list(PLANS))
