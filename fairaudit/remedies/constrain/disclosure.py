"""The small-cell rule for constraints: a gap stays where it follows from counts that are shown anyway."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from fairaudit.disclosure.group_counts import GroupCounts
from fairaudit.disclosure.hidden import blanked, harmless
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.study.findings import RemedyFinding

ON_TUNING_ROWS = ("multiplier", "tuned_before", "tuned", "met")


def shown_in_part(finding: RemedyFinding, minimum: int, *, hidden: bool) -> dict[str, Any]:
    """Return the pairs of groups whose gaps follow from counts that are shown anyway, and what needs all pairs."""
    details = finding.details
    pairs = details.pairs.iloc[:0] if hidden else _following(finding, details.pairs)
    whole = len(pairs) == len(details.pairs) > 0
    groups = constrained_groups(details)
    return {
        "pairs": blanked(pairs, ON_TUNING_ROWS),
        "n_pairs": details.n_pairs if whole else None,
        "n_pairs_within": details.n_pairs_within if whole else None,
        "feasible": details.feasible if whole else None,
        "notes": harmless(details.notes, groups) if whole else (),
        "conflicts": harmless(details.conflicts, groups) if whole else (),
    }


def hides_warnings(details: ConstrainDetails) -> bool:
    """Say whether some pairs are hidden: then a warning could speak of them."""
    return details.n_pairs is None


def constrained_groups(details: ConstrainDetails) -> set[str]:
    """Return the names of the groups that constraints compare."""
    return {str(name) for column in ("first", "second") for name in details.pairs[column]}


def _following(finding: RemedyFinding, pairs: pd.DataFrame) -> pd.DataFrame:
    before, after = GroupCounts(finding.before.errors), GroupCounts(finding.after.errors)
    follows = [
        after.gives(row.metric, row.first, row.second, row.held_out, (row.n_first, row.n_second))
        and before.gives(row.metric, row.first, row.second, row.held_out_before, None)
        for row in pairs.itertuples()
    ]
    return pairs[np.array(follows, dtype=bool)]
