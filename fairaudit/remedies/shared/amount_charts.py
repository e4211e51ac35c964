"""Charts of remedies where the decision is an amount: mean predictions and mean errors of groups, before and after."""

from __future__ import annotations

from typing import Any, Literal

import altair as alt
import numpy as np

from fairaudit.defaults import ENOUGH
from fairaudit.findings import Message, Phrase
from fairaudit.messages import called, say
from fairaudit.present import brief
from fairaudit.present.blocks import INTERVAL_OF, cell_text
from fairaudit.present.charts import parts
from fairaudit.present.charts.amounts import amount_axis, amount_domain
from fairaudit.present.numbers import finite
from fairaudit.remedies.shared.amount_words import digits_of
from fairaudit.remedies.shared.charts import AFTER, BEFORE, paired
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts


def amount_errors_chart(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> Any:
    """Draw by how much each group is over- or underestimated on average, before and after, with intervals."""
    digits = digits_of(facts)
    names = drawn_groups(finding)
    keys = [parts.numbered(place, label) for place, label in enumerate(brief.unique_labels(map(called, names)))]
    records = []
    for model, evaluation in ((BEFORE, finding.before), (AFTER, finding.after)):
        rows = {str(row.group): row for row in evaluation.groups.itertuples()}
        for key, name in zip(keys, names, strict=True):
            records.append(
                {"label": key, "name": brief.whole(called(name)), "model": model} | _error(rows[name], digits)
            )
    drawn = [v for r in records for v in (r["value"], r["low"], r["high"])]
    x = amount_axis(amount_domain([*drawn, 0.0]), say(Message("remedy-more-off")), digits, signed=True)
    layers = [parts.upright(0.0), *paired(records, keys, x)]
    return parts.finish(alt.layer(*layers), max(2, len(keys)) * 32, amount_errors_alt(finding, facts))


def amount_errors_alt(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
    """Say in words what :func:`amount_errors_chart` shows."""
    digits = digits_of(facts)
    before, after = (
        {str(row.group): cell_text(row.error, "difference", digits=digits) for row in model.groups.itertuples()}
        for model in (finding.before, finding.after)
    )
    said = [Message("remedy-more-off")]
    for name in drawn_groups(finding):
        errors = {"own": Phrase(after[name]), "rest": Phrase(before[name])}
        said.append(Message("amount-errors-row", {"group": Phrase(brief.short(called(name))), **errors}))
    return say(said)


def drawn_groups(finding: AmountRemedyFinding) -> list[str]:
    """Return the groups that a chart has room for, in their own order: the largest, and none with few rows.

    The wide intervals of a group with few rows would set the scale for all. Where every group is as small, all stay.
    """
    sizes = {str(row.group): int(row.n) for row in finding.after.groups.itertuples() if row.n}
    large = [name for name in sizes if sizes[name] >= ENOUGH] or list(sizes)
    kept = sorted(large, key=lambda name: -sizes[name])[: brief.MOST_SERIES]
    return [name for name in large if name in kept]


def _error(row: Any, digits: int) -> dict[str, Any]:
    return _point(row.error, finite(row.error_low), finite(row.error_high), row.n, "difference", digits)


def _point(
    value: Any, low: float | None, high: float | None, n: Any, kind: Literal["amount", "difference"], digits: int
) -> dict[str, Any]:
    ends = (np.nan if end is None else end for end in (low, high))
    return {
        "value": finite(value),
        "low": low,
        "high": high,
        "text": cell_text(value, kind, digits=digits),
        "interval": cell_text(tuple(ends), INTERVAL_OF[kind], digits=digits),
        "n": cell_text(int(n), "count"),
    }
