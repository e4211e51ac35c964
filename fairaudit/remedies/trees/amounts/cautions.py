"""What makes a model of an amount doubtful, in plain sentences."""

from __future__ import annotations

from fairaudit.remedies.trees.amounts.details import AmountTreeDetails, is_beyond
from fairaudit.remedies.trees.fit import NO_COMPONENTS, unseen_columns
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.cautions import STOPPED, UNKNOWN_GROUPS, named_groups

NOT_WEIGHED = (
    "Weighted columns were allowed in the leaves, but within the work allowed the search found none that are better "
    "than one amount for each leaf. With more work it may."
)

FEWER = "On the training rows no tree was found that keeps mean amounts as close together as was asked."


def tree_warnings(
    study: AmountStudy, remedy: TreesPlan, details: AmountTreeDetails, columns: tuple[str, ...]
) -> tuple[str, ...]:
    """Say what makes a tree of amounts doubtful."""
    found: list[str] = [STOPPED] if details.stopped else []
    if not study.group_known.all():
        found.append(UNKNOWN_GROUPS)
    if study.models.n_components is not None:
        found.append(NO_COMPONENTS)
    if details.n_leaves == 1 and details.leaf_kind == "constant":
        found.append("The tree is one leaf: what was asked, or too few rows, left nothing to tell people apart by.")
    if remedy.leaves == "linear" and details.leaves["prediction"].map(_is_amount).all():
        found.append(NOT_WEIGHED)
    if is_beyond(details.trained_gap, details, study.facts):
        found.append(FEWER)
    elif is_beyond(details.held_out_gap, details, study.facts):
        found.append(
            "Mean predictions are within what was asked on the training rows, but not on the held-out rows: a limit "
            "that is kept on the rows learned from is no promise for others."
        )
    if unseen := unseen_columns(study, columns):
        found.append(f"Held-out rows have values that were never seen in learning, in {named_groups(list(unseen))}.")
    return tuple(found)


def _is_amount(words: str) -> bool:
    """Say whether a leaf predicts one amount, and weighs no columns."""
    try:
        float(words.replace(",", ""))
    except ValueError:
        return False
    return True
