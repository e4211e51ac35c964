"""The threshold test: how likely a find must seem before a group is searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairaudit.conditions import Condition
from fairaudit.measure.inspections.results import ThresholdTest


def threshold_test(
    table: Any,
    *,
    group: Condition | str | Sequence[str],
    location: str | Sequence[str],
    stopped: Condition | str | None = None,
    searched: Condition | str,
    found: Condition | str,
    random_state: int = 0,
    confidence: float = 0.95,
    tolerance: float = 0.05,
    where: Condition | str | None = None,
    reference: Any = None,
    n_placebo: int = 0,
) -> ThresholdTest:
    """Infer how likely a find must seem before each group is searched in each place."""
    raise NotImplementedError
