"""Whether two documents hold the same figures; and sums as another processor adds them up."""

from __future__ import annotations

import math
import re
from itertools import zip_longest
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from threadpoolctl import threadpool_info

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
CLOSE = {"rel_tol": 1e-6, "abs_tol": 1e-9}
"""Machines add up in another order; a figure that is printed does not change by that."""

WIDE = {"SkylakeX", "Cooperlake", "SapphireRapids"}
"""Kernels of OpenBLAS for processors with the widest registers."""


def same(line: str, other: str) -> bool:
    """Return whether two lines hold the same words, and numbers that differ by rounding at most."""
    if line == other:
        return True
    if NUMBER.sub("#", line) != NUMBER.sub("#", other):
        return False
    pairs = zip(NUMBER.findall(line), NUMBER.findall(other), strict=True)
    return all(math.isclose(float(one), float(two), **CLOSE) for one, two in pairs)


def differences(path: str, golden: str, text: str) -> list[str]:
    """Return the lines in which a text differs from the reviewed one, both ways."""
    lines = zip_longest(golden.splitlines(), text.splitlines(), fillvalue="(no line)")
    return [
        f"{path}, line {number}:\n  reviewed {line}\n  now      {other}"
        for number, (line, other) in enumerate(lines, start=1)
        if not same(line, other)
    ]


def other_processor() -> dict[str, str]:
    """Return variables of the environment under which sums and functions come out as on another processor."""
    processor = Path("/proc/cpuinfo")
    known = processor.read_text() if processor.exists() else ""
    kernel = "SkylakeX" if " avx512f " in known else "Nehalem"
    if WIDE & {library.get("architecture") for library in threadpool_info()}:
        kernel = "Haswell"
    found = " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name))
    return {"OPENBLAS_CORETYPE": kernel, "NPY_DISABLE_CPU_FEATURES": found}
