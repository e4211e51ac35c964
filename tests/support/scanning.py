"""What stands in the memory of a process and of those that it began: texts and numbers that nobody else has."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

_AT_ONCE = 1 << 24
_OVERLAP = 64


class Marks:
    """Made-up texts and numbers, and which of them processes hold.

    Texts are looked for in one byte, two and four a letter, numbers as they are computed with and as text.

    Parameters
    ----------
    n_texts, n_numbers : int
        How many.
    """

    def __init__(self, n_texts: int, n_numbers: int):
        stem = "Zq" + secrets.token_hex(3)
        self.texts = tuple(f"{stem}{number:06x}{secrets.token_hex(5)}" for number in range(n_texts))
        self.numbers = tuple(1000 + secrets.randbits(52) / 2**40 for _ in range(n_numbers))
        self._known = {text.encode(): text for text in self.texts}
        self._digits = {repr(number).encode(): number for number in self.numbers}
        self._bits = np.sort(np.array(self.numbers).view(np.uint64))
        self._patterns = {
            width: re.compile(_spread(stem, width) + b"(?:[0-9a-f]" + b"\\x00" * (width - 1) + b"){16}")
            for width in (1, 2, 4)
        }

    def held(self, *processes: int) -> set[str | float]:
        """Return the marks that are anywhere in the memory of these processes."""
        return {mark for process in processes for mark, *_ in self.places(process)}

    def places(self, process: int) -> Iterator[tuple[str | float, int, str]]:
        """Yield each mark that a process holds, where, and what that part of its memory is called."""
        for begin, name, content in parts_of(process):
            for width, pattern in self._patterns.items():
                for found in pattern.finditer(content):
                    if (text := self._known.get(found[0][::width])) is not None:
                        yield text, begin + found.start(), name
            for found in re.finditer(rb"\d{4}\.\d{9,}", content):
                if (number := self._digits.get(found[0])) is not None:
                    yield number, begin + found.start(), name
            words = np.frombuffer(content[: len(content) // 8 * 8], np.uint64)
            at = np.searchsorted(self._bits, words).clip(max=len(self._bits) - 1)
            for place in np.flatnonzero(self._bits[at] == words):
                yield float(words[place : place + 1].view(np.float64)[0]), begin + 8 * int(place), name


def family(process: int) -> list[int]:
    """Return the number of a process, and of all that it and those began."""
    found = [process]
    for number in found:
        with suppress(OSError):
            for task in Path(f"/proc/{number}/task").iterdir():
                found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


def _spread(text: str, width: int) -> bytes:
    return b"".join(re.escape(letter.encode()) + b"\\x00" * (width - 1) for letter in text)


def parts_of(process: int) -> Iterator[tuple[int, str, bytes]]:
    """Yield where each part begins that a process may write to, its name and content; nothing where it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        maps = Path(f"/proc/{process}/maps").read_text(encoding="utf-8", errors="replace")
        with Path(f"/proc/{process}/mem").open("rb", buffering=0) as memory:
            for line in maps.splitlines():
                place, rights, _, _, _, *name = line.split(maxsplit=5)
                if rights.startswith("rw"):
                    begin, end = (int(edge, 16) for edge in place.split("-"))
                    for at in range(begin, end, _AT_ONCE):
                        # What was given back meanwhile cannot be read.
                        with suppress(OSError):
                            memory.seek(at)
                            yield at, "".join(name), memory.read(min(_AT_ONCE + _OVERLAP, end - at))
