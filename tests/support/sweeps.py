"""Which part of a sweep `make test` runs; `make campaign` runs the rest."""

from __future__ import annotations

from collections.abc import Container, Iterable

import pytest


def part_of(values: Iterable, usual: Container) -> list:
    """Parameters of which only the usual ones belong to `make test`."""
    return [value if value in usual else _for_the_campaign(value) for value in values]


def seeds(n: int, usual: int = 10) -> list:
    """Seeds from 0 on, of which the first ones belong to `make test`."""
    return part_of(range(n), range(usual))


def _for_the_campaign(value: object):
    """Return a parameter, or a tuple of several, that only `make campaign` tries."""
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.campaign)
