"""The small-cell rule for constraints: a gap stays where it follows from counts that are shown anyway."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import blanked
from fairaudit.disclosure.remedies import GroupCounts
from fairaudit.study.findings import RemedyFinding

ON_TUNING_ROWS = ("multiplier", "tuned_before", "tuned", "met")


def shown_in_part(finding: RemedyFinding, minimum: int, *, hidden: bool) -> dict[str, Any]:
    """Return the pairs of groups whose gaps follow from counts that are shown anyway, and what needs all pairs."""
    details = finding.details
    pairs = details.pairs.iloc[:0] if hidden else _following(finding, details.pairs)
    whole = len(pairs) == len(details.pairs) > 0
    return {
        "pairs": blanked(pairs, ON_TUNING_ROWS),
        "n_pairs": details.n_pairs if whole else None,
        "n_pairs_within": details.n_pairs_within if whole else None,
        "feasible": details.feasible if whole else None,
        "notes": shown_remarks(details.notes, "setting"),
        "conflicts": shown_remarks(details.conflicts, "setting"),
    }


def _following(finding: RemedyFinding, pairs: pd.DataFrame) -> pd.DataFrame:
    before, after = GroupCounts(finding.before.errors), GroupCounts(finding.after.errors)
    follows = [
        after.gives(row.metric, row.first, row.second, row.held_out, (row.n_first, row.n_second))
        and before.gives(row.metric, row.first, row.second, row.held_out_before, None)
        for row in pairs.itertuples()
    ]
    return pairs[np.array(follows, dtype=bool)]
