"""A copy of the tree with something added: files of its own, and lines in the lists that name it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

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
