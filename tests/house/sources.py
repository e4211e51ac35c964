"""What the house tests look at: the files of the project and the modules of the package."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "fairaudit"
APP_FILES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py")), *sorted((ROOT / "ui").rglob("*.py"))]
PACKAGE_FILES = sorted(PACKAGE.rglob("*.py"))


def module_name(path: Path) -> str:
    """Return the dotted name of a file of the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported_names(path: Path) -> list[tuple[int, str]]:
    """Return line and full dotted name of everything that a file imports, wherever the import stands."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno} imports relatively; write the full name"
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return found


def project_texts() -> Iterator[tuple[Path, str]]:
    """Yield path and content of each text file that is, or is about to be, under version control."""
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
    for path in paths:
        if path.is_file():
            content = path.read_bytes()
            if b"\0" not in content[:4096]:
                yield path, content.decode("utf-8", errors="replace")
