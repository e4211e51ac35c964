"""Charts of amounts: the means of both groups, and the differences of all groups and strata; each with its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from fairaudit.audit.result import AmountFinding
from fairaudit.findings import Group, Message, Phrase
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import GroupMeans, MeanComparison
from fairaudit.messages import say
from fairaudit.present import brief, theme
from fairaudit.present.amount_words import digits_of, tolerance_text
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import parts
from fairaudit.present.charts.gap_texts import named_reference
from fairaudit.present.natural_order import in_natural_order
from fairaudit.present.numbers import finite, interval_ends
from fairaudit.present.words import verdict_words

Named = Sequence[tuple[str, MeanComparison, str]]
"""Names, comparisons, and what the data support there."""


def group_means_chart(finding: AmountFinding, comparison: GroupMeans) -> Any:
    """Draw each group's difference to its reference, the worst off first, and the tolerance band around none."""
    title = [say(Message("axis-means", {"others": named_reference(comparison.reference)})), "(right: mean, rows)"]
    ordered = parts.worst_first(comparison, more_is_better=finding.decision.higher_is_favorable)
    return _difference_rows(finding, known_groups(ordered), title, group_means_alt(finding, comparison))


def group_means_alt(finding: AmountFinding, comparison: GroupMeans) -> str:
    """Say in words what :func:`group_means_chart` shows."""
    lead = Message("alt-group-means", {"others": Group(comparison.reference)})
    return _in_words(finding, known_groups(comparison), lead)


def mean_strata_chart(finding: AmountFinding, strata: StratifiedMeans) -> Any:
    """Draw the difference inside each stratum with interval, and that in all rows together as a dashed line."""
    title = ["Difference of means, protected minus others", "(right: mean, protected rows)"]
    named = known_strata(strata)
    pooled = finite(strata.pooled.difference)
    return _difference_rows(finding, named, title, mean_strata_alt(finding, strata), pooled=pooled)


def mean_strata_alt(finding: AmountFinding, strata: StratifiedMeans) -> str:
    """Say in words what :func:`mean_strata_chart` shows."""
    lead = Message("alt-mean-values", {"columns": Phrase(brief.short(", ".join(strata.columns)))})
    pooled = cell_text(strata.pooled.difference, "difference", digits=digits_of(finding))
    said = _in_words(finding, known_strata(strata), lead)
    return f"{said} {say(Message('alt-overall', {'gap': Phrase(pooled)}))}"


def known_groups(comparison: GroupMeans) -> Named:
    """Return the groups that can be drawn."""
    words = verdict_words(comparison.rows)
    return _known((row.name, row.means, word) for row, word in zip(comparison.rows, words, strict=True))


def known_strata(strata: StratifiedMeans) -> Named:
    """Return the strata that can be drawn."""
    rows = in_natural_order(strata.strata)
    return _known((row.name, row.means, word) for row, word in zip(rows, verdict_words(rows), strict=True))


def _known(named: Iterable[tuple[str, MeanComparison, str]]) -> Named:
    """Return the comparisons that can be drawn: those that are defined and not hidden."""
    return [row for row in named if finite(row[1].difference) is not None]


def _difference_rows(
    finding: AmountFinding, named: Named, title: list[str], description: str, *, pooled: float | None = None
) -> Any:
    digits, tolerance = digits_of(finding), finding.result.tolerance
    sizes = [-((c.protected.n or 0) + (c.reference.n or 0)) for _, c, _ in named]
    largest = sorted(sorted(range(len(named)), key=sizes.__getitem__)[: brief.MOST_GROUPS])
    rows = [named[i] for i in largest]
    labels = brief.row_labels([name for name, *_ in rows])
    records: list[dict[str, Any]] = []
    for label, (name, c, word) in zip(labels, rows, strict=True):
        mean, n = cell_text(c.protected.mean, "amount", digits=digits), cell_text(c.protected.n, "count")
        records.append(
            {
                "label": label,
                "name": brief.whole(name),
                "value": finite(c.difference),
                "low": interval_ends(c.difference_interval)[0],
                "high": interval_ends(c.difference_interval)[1],
                "difference": cell_text(c.difference, "difference", digits=digits),
                "interval": cell_text(c.difference_interval, "difference_interval", digits=digits),
                "mean": mean,
                "rest": cell_text(c.reference.mean, "amount", digits=digits),
                "n": n,
                "text": f"{mean}  ({n})",
                "reading": word,
            }
        )
    ends = amount_domain(
        [v for r in records for v in (r["value"], r["low"], r["high"])] + [-tolerance, tolerance, pooled]
    )
    x = amount_axis(ends, title, digits, signed=True)
    shown = [
        ("name", "Group"), ("difference", "Difference"), ("interval", "Interval"), ("mean", "Mean"),
        ("rest", "Mean of others"), ("n", "Rows"), ("reading", "Reading"),
    ]  # fmt: skip
    layers = [parts.band(-tolerance, tolerance, ends), parts.upright(0.0)]
    layers += [
        parts.line_label(0.0, say(Message("line-no-difference", {"limit": Phrase(tolerance_text(finding))})), ends)
    ]
    if pooled is not None:
        layers += [parts.upright(pooled, dash=(4, 3), color=theme.TEXT)]
        text = cell_text(pooled, "difference", digits=digits)
        layers += [parts.line_label(pooled, f"all together: {text}", ends, level=1)]
    layers += [
        *parts.interval_rows(records, labels, x, shown, **parts.by_reading(records)),
        parts.right_labels(records, labels),
    ]
    return parts.finish(alt.layer(*layers), parts.height_of(labels), description)


def _in_words(finding: AmountFinding, named: Named, lead: Message) -> str:
    if not named:
        return say((lead, Message("alt-none")))
    digits = digits_of(finding)
    ordered = sorted(named, key=lambda row: row[1].difference)
    shown = "; ".join(
        f"{brief.short(name)} {cell_text(c.difference, 'difference', digits=digits)} ({word})"
        for name, c, word in brief.some(ordered)
    )
    return say((lead, Message("alt-rows", {"rows": Phrase(shown)})))


def amount_domain(values: Iterable[float | None]) -> list[float]:
    """Return the ends of an axis that holds all values with a little room."""
    known_values = [v for v in map(finite, values) if v is not None]
    if not known_values:
        return [0.0, 1.0]
    low, high = min(known_values), max(known_values)
    room = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
    return [low - room, high + room]


def amount_axis(span: Sequence[float], title: str | list[str], digits: int, *, signed: bool = False) -> alt.X:
    """Return an x channel on field ``value`` with amounts, or signed differences, as labels."""
    sign = (
        "(datum.value > 0 ? '+' : datum.value < 0 ? '\u2212' : '')" if signed else "(datum.value < 0 ? '\u2212' : '')"
    )
    expression = f"{sign} + format(abs(datum.value), ',.{digits}~f')"
    return alt.X(
        "value:Q",
        scale=alt.Scale(domain=list(span), nice=False, zero=False),
        axis=alt.Axis(title=title, labelExpr=expression, tickCount=6, labelSeparation=6),
    )
