"""Which part of a sweep `make test` runs; `make thorough` or `make campaign` runs the rest."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Literal

import pytest

Rest = Literal["thorough", "campaign"]


def part_of(values: Iterable, usual: Container, rest: Rest = "campaign") -> list:
    """Parameters of which only the usual ones belong to `make test`, and the others to a longer run."""
    return [value if value in usual else _left_to(rest, value) for value in values]


def seeds(n: int, usual: int = 10, rest: Rest = "campaign") -> list:
    """Seeds from 0 on, of which the first ones belong to `make test`."""
    return part_of(range(n), range(usual), rest)


def _left_to(run: Rest, value: object):
    """Return a parameter, or a tuple of several, that only a longer run tries."""
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=getattr(pytest.mark, run))
