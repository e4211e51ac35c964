"""What the house tests look at: the files of the project and the modules of the package."""

from __future__ import annotations

import ast
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from places import ROOT

PACKAGE = ROOT / "fairaudit"
APP_FILES = [
    ROOT / "app.py",
    *sorted((ROOT / "pages").glob("*.py")),
    *sorted((ROOT / "ui").rglob("*.py")),
]
PACKAGE_FILES = sorted(PACKAGE.rglob("*.py"))


def module_name(path: Path) -> str:
    """Return the dotted name of a file of the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_name(path: Path) -> str:
    """Return the subpackage that a file of the package belongs to, or `fairaudit`."""
    return ".".join(path.relative_to(ROOT).parent.parts[:2])


# Examples and docstrings are looked at package by package: two workers can share them, and each names its offenders.
PACKAGES = {name: list(files) for name, files in groupby(sorted(PACKAGE_FILES, key=package_name), package_name)}


def short_name(path: Path) -> str:
    """Return a path as a person in the project would say it."""
    return path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Code:
    """What several tests ask about a file: what it imports, by line and full dotted name, and what it defines."""

    imports: tuple[tuple[int, str], ...]
    classes: tuple[str, ...]
    functions: tuple[str, ...]


@cache
def code_of(path: Path) -> Code:
    """Read a file once, wherever in it imports and definitions stand; the syntax trees would take much memory."""
    imports, classes, functions = [], [], []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imports += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno} imports relatively; write the full name"
            imports += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.ClassDef):
            classes.append(node.name)
        elif isinstance(node, ast.FunctionDef):
            functions.append(node.name)
    return Code(tuple(imports), tuple(classes), tuple(functions))


@cache
def project_texts() -> tuple[tuple[Path, str], ...]:
    """Return path and content of each text file that is, or is about to be, under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:  # an unpacked archive
        paths = [p for p in ROOT.rglob("*") if not any(part.startswith(".v") for part in p.relative_to(ROOT).parts)]
    contents = [(path, path.read_bytes()) for path in paths if path.is_file()]
    return tuple((path, text.decode("utf-8", errors="replace")) for path, text in contents if b"\0" not in text[:4096])


def normal(name: str) -> str:
    """Return the name of a distribution as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


DECLARE = ("setting", "figure", "fitted", "never")


def meanings_in(tree: ast.AST) -> list[ast.expr]:
    """Return what fields of plans and findings say that they hold: words of the JSON schema, on no page."""
    nodes = list(ast.walk(tree))
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) in DECLARE]
    described = [node.value for node in nodes if isinstance(node, ast.keyword) and node.arg == "description"]
    return [*described, *(meaning for call in calls for meaning in call.args[:1])]
