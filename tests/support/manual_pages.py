"""The documents that people read, and the blocks of code in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from places import ROOT

TOP = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
MANUAL = sorted((ROOT / "docs").rglob("*.md"))
CARDS = sorted((ROOT / "sample_data").rglob("*.md"))
DOCUMENTS = [*TOP, *MANUAL, *CARDS]

_BLOCK = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A block of code: its language, what stands in it, and the line that it begins on."""

    language: str
    text: str
    line: int


def name_of(path: Path) -> str:
    """Return the path of a document below the project's folder."""
    return path.relative_to(ROOT).as_posix()


def blocks_of(path: Path) -> list[Block]:
    """Return the blocks of a document in their order; without directives of the site."""
    text = path.read_text(encoding="utf-8")
    found = (Block(hit[1], hit[2], text.count("\n", 0, hit.start()) + 1) for hit in _BLOCK.finditer(text))
    return [block for block in found if not block.language.startswith("{")]


def commands_of(block: Block) -> list[str]:
    """Return the commands of a block for a shell, without what follows a #."""
    lines = [" ".join(line.split(" #")[0].split()) for line in block.text.replace("\\\n", " ").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]
