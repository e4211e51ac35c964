"""A copy of the tree with something added: files of its own, and lines in the lists that name it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
from pypdf import PdfReader
from sources import ROOT


def copy_of_the_tree(house: Path, packages: Mapping[str, str], lists: Mapping[str, Sequence[tuple[str, str]]]) -> Path:
    """Copy what runs to a folder, with files added, and to each list what comes before a place in it."""
    for name in ("fairaudit", "ui", "pages", "sample_data", ".streamlit"):
        shutil.copytree(ROOT / name, house / name)
    shutil.copy(ROOT / "app.py", house)
    for path, text in packages.items():
        (house / path).parent.mkdir(exist_ok=True)
        (house / path).write_text(text.lstrip(), encoding="utf-8")
    for path, additions in lists.items():
        text = (house / path).read_text(encoding="utf-8")
        for place, added in additions:
            assert place in text, f"{path} has no {place!r}"
            text = text.replace(place, added + place, 1)
        (house / path).write_text(text, encoding="utf-8")
    return house


def in_house(house: Path, *arguments: str) -> str:
    """Run Python there and return what it prints."""
    environment = os.environ | {"PYTHONPATH": str(house), "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=house, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@dataclass(frozen=True)
class Written:
    """What a command printed there, and what it wrote."""

    printed: str
    result: dict[str, Any]
    tables: dict[str, str]
    annexes: str

    @property
    def all_text(self) -> str:
        """Return all of it as one text."""
        return "\n".join([self.printed, json.dumps(self.result), *self.tables.values(), self.annexes])


def written(house: Path, sample: str, asked: str, *, before: str, hide: bool) -> Written:
    """Run the audit of a sample there up to a line of its plan, with what is asked then; its JSON meets its schema."""
    folder = f"hide_{hide}"
    plan = (house / "sample_data" / f"{sample}.toml").read_text(encoding="utf-8")
    plan = plan[: plan.index(before)].replace(f'source = "{sample}.csv"', f'source = "sample:{sample}"')
    hidden = "\n[small_cells]\nmask = true\nminimum = 10\n" if hide else ""
    (house / f"{folder}.toml").write_text(plan + asked + hidden, encoding="utf-8")
    data = str(house / "sample_data" / f"{sample}.csv")
    program = """
import json, sys
from fairaudit.cli.main import main
from fairaudit.report.json_schema import schema

assert not main(["run", *sys.argv[1:]])
with open("schema.json", "w", encoding="utf-8") as file:
    json.dump(schema(), file)
"""
    printed = in_house(house, "-c", program, f"{folder}.toml", "--data", data, "--out", folder)
    out = house / folder
    result = json.loads((out / "result.json").read_text(encoding="utf-8"))
    schema = json.loads((house / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(result)
    with zipfile.ZipFile(out / "tables.zip") as bundle:
        tables = {name: bundle.read(name).decode() for name in bundle.namelist()}
    annexes = " ".join(" ".join(page.extract_text() for page in PdfReader(out / "annexes.pdf").pages).split())
    return Written(printed, result, tables, annexes)
