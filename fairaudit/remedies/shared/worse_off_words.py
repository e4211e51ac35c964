"""Whether a group is worse off with a remedy than without it, or than in the decisions: a chip, sentences, a table."""

from __future__ import annotations

from typing import Final

from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.numbers import (
    shown,
)
from fairaudit.remedies.shared.decided_words import get_fewer
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.judging.results import CANNOT_TELL, NOT_WORSE, WORSE, GroupChange

TITLE: Final = "Is a group worse off than without the remedy?"
PRINTED: Final = ("rate_words", "group", "n", "before", "after", "change", "change_interval", "standing")
"""The columns that are printed."""
WISH: Final = (
    "It was asked that no group is worse off than without the remedy: of what was tried, only what keeps to that on "
    "the tuning rows was chosen, where there was any."
)
NOTE: Final = (
    "Before: the model that the remedy is compared with. Worse off: the whole interval of the change is on the worse "
    "side of zero. Not worse off: none of it is, or no row of the group fares worse. A group as a whole is meant; "
    "single people in it may still fare worse."
)


def worse_off_cell(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return who is worse off, for a cell; empty for a model that is no remedy."""
    if finding.worse_off is None:
        return ""
    standing = finding.worse_off.standing
    if standing != WORSE:
        if any(get_fewer(finding, facts)):
            return "fewer than decided"
        return {NOT_WORSE: "no group", CANNOT_TELL: "cannot tell", None: "not shown"}[standing]
    names = list(dict.fromkeys(each.group for each in finding.worse_off.groups if each.standing == WORSE))
    return ", ".join(map(brief.short, names)) if len(names) <= 2 else f"{len(names)} groups"


def worse_off_table(finding: RemedyFinding, number: int) -> list[Table]:
    """Return one row for each rate and group; no table of a plain model, no rows where small counts are hidden."""
    if finding.worse_off is None:
        return []
    groups = finding.worse_off.groups
    shares = all(_is_share(each) for each in groups)
    rate: Kind = "share" if shares else "number"
    change: Kind = "points" if shares else "number"
    interval: Kind = "points_interval" if shares else "number_interval"
    columns = (
        ColumnSpec("rate", "field", "code", "Which rate."),
        ColumnSpec("rate_words", "rate", "text", "The same in words."),
        ColumnSpec("better", "better", "text", "Whether more or less of it is better for the group."),
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n", "rows", "count", "Held-out rows of the group that the rate is a share of."),
        ColumnSpec("before", "before", rate, "Without the remedy."),
        ColumnSpec("after", "after", rate, "With the remedy, on the same rows."),
        ColumnSpec("change", "change, points" if shares else "change", change, "After minus before."),
        ColumnSpec("change_interval", "its interval", interval, "Of the change; both judged on the same rows."),
        ColumnSpec("lost", "fare worse", "count", "Rows of the group for which the remedy is worse."),
        ColumnSpec("standing", "reading", "text", "Whether the group is worse off, or whether that is not clear."),
    )
    rows = tuple(
        (
            each.rate, brief.capital(each.rate_words), "more" if each.more_is_better else "less", each.group,
            shown(each.n), shown(each.before), shown(each.after), shown(each.difference), tuple(each.interval),
            shown(each.n_lost), shown(each.standing),
        )
        for each in groups
    )  # fmt: skip
    return [Table(f"remedy_{number}_worse_off", TITLE, columns, rows, note=NOTE)]


def _is_share(each: GroupChange) -> bool:
    """Say whether a rate is a share, and not a cost."""
    return not each.rate.startswith("aec(")
