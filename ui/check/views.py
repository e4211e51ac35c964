"""What the page Check draws, by the kind of the decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fairaudit.audit.result import CheckFinding
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from ui.check import amounts, tabs, verdict
from ui.state import AuditState


@dataclass(frozen=True, kw_only=True)
class CheckViews:
    """What the page draws of an answer about decisions of one kind.

    Parameters
    ----------
    more : str
        What its third tab is called.
    show_settings : callable
        Draws tolerance and confidence, given the state.
    show_more : callable
        Draws the third tab, given the state and the answer.
    both, groups, strata : tuple of str
        The columns that tables of both groups, of all groups and of strata show; all where none is named.
    """

    more: str
    show_settings: Callable[[AuditState], None]
    show_more: Callable[[AuditState, CheckFinding], None]
    both: tuple[str, ...]
    groups: tuple[str, ...]
    strata: tuple[str, ...]


BOUNDS = ("n", "most_n", "share_interval", "gap_bounds", "gap_interval", "reading")
"""The columns that tables of all groups show where counts are rounded or hidden."""
STRATA_BOUNDS = ("protected_share_interval", "reference_share_interval", "gap_bounds", "gap_interval", "reading")
"""The same of strata."""
CHECK_VIEWS: dict[OutcomeKind, CheckViews] = {
    SHARES: CheckViews(
        more="Explore",
        show_settings=verdict.show_settings,
        show_more=tabs.show_explorer,
        both=(),
        groups=("n", "share", "gap", "gap_interval", "adjusted_p_value", "reading"),
        strata=(
            "protected_n", "protected_share", "reference_n", "reference_share", "gap", "gap_interval", "reading",
        ),
    ),
    AMOUNTS: CheckViews(
        more="Similar people",
        show_settings=amounts.show_settings,
        show_more=amounts.show_similar,
        both=("role", "n", "n_open", "mean", "mean_interval", "quarter", "median", "median_interval", "three_quarters"),
        groups=("n", "mean", "median", "difference", "difference_interval", "adjusted_p_value", "reading"),
        strata=(
            "protected_n", "protected_mean", "reference_n", "reference_mean",
            "difference", "difference_interval", "reading",
        ),
    ),
}  # fmt: skip
