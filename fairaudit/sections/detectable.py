"""How large a gap must be to be seen with the rows there are, and how many rows it takes."""

from __future__ import annotations

import math

from fairaudit.audit.result import CheckFinding
from fairaudit.disclosure.fields import Field, Kind
from fairaudit.errors import require
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Points, Said, Share, Word
from fairaudit.measure.clusters import design_effect
from fairaudit.measure.detectable import DetectableGap, detectable_gap, detectable_mean_gap, detectable_of
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.results import Comparison
from fairaudit.measure.verdicts import verdict_of
from fairaudit.messages import say
from fairaudit.present.blocks import Chart, TableBlock

_FINDING = ("result",)
TIMES = (0.25, 0.5, 1, 2, 4, 8, 16)
"""How many rows a table of gaps is made for, as a multiple of those there are."""


def say_more_rows(finding: CheckFinding) -> tuple[Message, ...]:
    """Say, where there are too few rows to tell, what these rows let one see and how many it would take."""
    if verdict_of(finding.result) != "too_few_to_tell":
        return ()
    found = detectable_of(finding.result)
    if found is None:
        return ()
    cluster, design = getattr(finding.result, "cluster", None), finding.result.design
    if cluster is None and design is None:
        return say_detectable(found)
    # These numbers are of independent rows that weigh alike, and pairs take fewer.
    if not (isinstance(finding.result, Comparison) and design_effect(finding.result) > 1):
        return ()
    if cluster is None:
        return (*say_detectable(found), Message("detectable-weighted", severity="note", reveals=_FINDING))
    return (*say_detectable(found), Message("detectable-clustered", {"column": Phrase(cluster)}, "note", _FINDING))


def say_detectable(found: DetectableGap) -> tuple[Message, ...]:
    """Say what a number of rows lets one see."""
    args = _rows(found)
    if not math.isfinite(found.gap):
        return (Message("detectable-nothing", args, "note", _FINDING),)
    seen = args | _size(found) | {"power": Share(found.power, 0 if (100 * found.power).is_integer() else 1)}
    said = [Message("detectable-found", seen, "note", _FINDING)]
    if found.n_needed is not None:
        needed, others = found.n_needed
        if needed <= found.n_protected and others <= found.n_reference:
            said.append(Message("detectable-enough", severity="note", reveals=_FINDING))
        else:
            counts: dict[str, Argument] = {"needed": Count(_about(needed)), "others_needed": Count(_about(others))}
            said.append(Message("detectable-needed", counts, "note", _FINDING))
    return tuple(said)


def say_detectable_alone(found: DetectableGap) -> Said:
    """Say the same in the shape of all results."""
    is_finite = math.isfinite(found.gap)
    enough = is_finite and found.gap <= found.tolerance
    verdict = Message("detectable-verdict", {"enough": Word("yes" if enough else "no")})
    headline = Message("detectable-headline", _size(found)) if is_finite else Message("detectable-headline-nothing")
    return Said(verdict, headline, say_detectable(found))


def detectable_table(found: DetectableGap) -> TableBlock:
    """Return which gaps these numbers of rows, and fewer and more of both groups, let one see."""
    declared = {"rows": "all rows", "n_protected": "protected", "n_reference": "others"}
    columns = tuple(Field(name, label, "count") for name, label in declared.items())
    kind: Kind = "number" if found.rate is None else "size"
    rows = ((n + others, n, others, gap) for n, others, gap in _by_size(found))
    title = say(Message("detectable-title"))
    return TableBlock("detectable", title, (*columns, Field("gap", "smallest gap seen", kind)), tuple(rows))


def detectable_picture(found: DetectableGap) -> Chart:
    """Return the same as a picture, with the tolerance."""
    import altair as alt

    from fairaudit.present.charts import theme

    records: list[theme.Datum] = [
        {"x": n + others, "y": gap, "now": (n, others) == (found.n_protected, found.n_reference)}
        for n, others, gap in _by_size(found)
        if math.isfinite(gap)
    ]
    title = say(Message("detectable-title"))
    label = "datum.label" if found.rate is None else "format(datum.value * 100, '.2~f')"
    y = alt.Y("y:Q", axis=alt.Axis(title=say(Message("detectable-axis")), labelExpr=label), scale=alt.Scale(zero=True))
    x = alt.X("x:Q", axis=alt.Axis(title=say(Message("detectable-rows"))), scale=alt.Scale(type="log", nice=False))
    base = theme.Layer(theme.values(records))
    now = theme.Layer(theme.values([record for record in records if record["now"]]))
    limit = theme.Layer(theme.values([{"y": found.tolerance}])).mark_rule(color=theme.TEXT, strokeDash=[4, 3])
    layers = (
        base.mark_line(color=theme.UNCLEAR).encode(x=x, y=y),
        now.mark_point(filled=True, size=110, opacity=1, color=theme.GAP).encode(x=x, y=y),
        limit.encode(y=y),
    )
    alt_text = say(say_detectable(found))
    return Chart("detectable", title, alt_text, theme.finish(alt.layer(*layers), 240, alt_text), "detectable")


def _by_size(found: DetectableGap) -> list[tuple[int, int, float]]:
    """Return rows of both groups in their proportion, from a quarter to sixteen times as many, with the gap seen."""
    shared = {"tolerance": found.tolerance, "confidence": found.confidence, "power": found.power}
    sizes = []
    for factor in TIMES:
        n, others = (max(1, round(factor * each)) for each in (found.n_protected, found.n_reference))
        if found.rate is None:
            gap = detectable_mean_gap(n, others, deviation=require(found.deviation), **shared).gap
        else:
            gap = detectable_gap(n, others, rate=found.rate, **shared).gap
        sizes.append((n, others, gap))
    return sizes


def say_seen_before(n_protected: int, n_reference: int, *, confidence: float, of_shares: bool) -> Message:
    """Say which gaps groups of these sizes let one see, without looking at any decision."""
    # Where half of the people have the favourable result, it takes the largest gap.
    if of_shares:
        found = detectable_gap(n_protected, n_reference, rate=0.5, confidence=confidence)
    else:
        found = detectable_mean_gap(n_protected, n_reference, deviation=1.0, tolerance=0.1, confidence=confidence)
    if not math.isfinite(found.gap):
        return Message("detectable-nothing", _rows(found), "note")
    deviations: dict[str, Argument] = {"quantity": Word("deviation"), "size": Amount(found.gap, 2)}
    return Message("detectable-before", _rows(found) | (_size(found) if of_shares else deviations), "note")


def _rows(found: DetectableGap) -> dict[str, Argument]:
    return {"n": Count(found.n_protected), "others_n": Count(found.n_reference)}


def _size(found: DetectableGap) -> dict[str, Argument]:
    if found.rate is None:
        return {"quantity": Word("amount"), "size": Amount(found.gap, amount_digits(found.deviation))}
    is_whole = round(1000 * found.gap) % 10 == 0
    return {"quantity": Word("share"), "size": Points(found.gap, 0 if is_whole else 1)}


def _about(n: int) -> int:
    """Return a count with three digits, rounded up."""
    digits = max(len(str(n)) - 3, 0)
    return -(-n // 10**digits) * 10**digits
