"""What a remedy does inside the strata of a question: a sentence, a chip, a table."""

from __future__ import annotations

from functools import partial
from typing import Final

from fairaudit.measure.bands import named_strata
from fairaudit.measure.results import Interval
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.chips import Chip
from fairaudit.present.numbers import are_known, confidence_text, number_text, points_text, shown
from fairaudit.present.words import listed
from fairaudit.remedies.shared.amount_words import digits_of
from fairaudit.remedies.shared.decided_words import decided_place, group_lead
from fairaudit.remedies.shared.words import moved_texts
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.judging.results import WithinStrata

TITLE: Final = "Inside each stratum, on the held-out rows"
NOT_SHOWN: Final = "What it does inside strata is not shown where small counts are hidden."


def within_chip(finding: RemedyFinding | AmountRemedyFinding, facts: StudyFacts | AmountStudyFacts) -> Chip | None:
    """Return that a remedy opens, turns around or widens the gap inside strata; else, or where hidden, None."""
    noun = facts.outcome.gap
    said = {
        "opens": f"A {noun} opens within strata",
        "turned": f"The {noun} turns around within strata",
        "wider": f"Wider {noun} within strata",
    }.get("" if finding.within is None else _standing(finding.within, facts))
    return None if said is None else Chip(said, "gap")


def within_sentence(finding: RemedyFinding | AmountRemedyFinding, facts: StudyFacts | AmountStudyFacts) -> str:
    """Return what gap is left inside strata on average, with the remedy, without it and in the decisions.

    Empty where no question about these groups has strata.
    """
    found = finding.within
    if found is None:
        return ""
    if found.after is None:
        return NOT_SHOWN
    where, noun = listed(named_strata(found.columns, found.cut)), facts.outcome.gap
    other = "without it" if facts.decision_is_outcome else decided_place(facts)
    standing = _standing(found, facts)
    lead = {
        "alike": f"With the remedy the groups are alike within {where}, on average",
        "gone": f"With the remedy no clear {noun} is left within {where}, on average",
        "open": f"Whether the remedy leaves a {noun} within {where}, the data cannot tell",
        "opens": f"With the remedy a {noun} opens within {where}",
        "turned": f"With the remedy the {noun} turns around within {where}",
        "as before": f"Within {where} the {noun} points the other way than {other}, with the remedy as without it",
        "wider": f"With the remedy the {noun} within {where} is wider than {other}",
        "smaller": f"With the remedy the {noun} within {where} is smaller than {other}",
        "stays": f"With the remedy there is a {noun} within {where}; that it differs from that {other} may be chance",
        "unknown": f"Within {where} there are too few held-out rows to say what the remedy does",
    }[standing]
    return f"{lead}." if standing == "unknown" else f"{lead}. {_figures(facts, found)}"


def _standing(found: WithinStrata, facts: StudyFacts | AmountStudyFacts) -> str:
    """Return what becomes of the gap inside strata, a key of the leads above.

    It is held against that of the decisions, or against that without the remedy where these are what truly happened.
    It opens, widens or shrinks only where the change is no chance; it turns around where neither of both may be zero,
    and the model without the remedy does not turn it already.
    """
    side = "before" if facts.decision_is_outcome else "decisions"
    other, (other_low, other_high) = getattr(found, side), getattr(found, f"{side}_interval")
    low, high = found.after_interval
    if not are_known(found.after, low, high, other, other_low, other_high, found.change, *found.change_interval):
        return "unknown"
    if -found.tolerance <= low and high <= found.tolerance:
        return "alike"
    was_clear = not other_low <= 0 <= other_high
    if low <= 0 <= high:
        return "gone" if was_clear else "open"
    if was_clear and found.after * other < 0:
        return "as before" if _is_clear(found.before_interval) and found.before * found.after > 0 else "turned"
    if found.change_interval.low <= 0 <= found.change_interval.high:
        return "stays"
    if abs(found.after) < abs(other):
        return "smaller"
    return "wider" if was_clear else "opens"


def _is_clear(interval: Interval) -> bool:
    return are_known(*interval) and not interval.low <= 0 <= interval.high


def _figures(facts: StudyFacts | AmountStudyFacts, found: WithinStrata) -> str:
    text, less, what = _points, "fewer", " good outcomes"
    if not isinstance(facts, StudyFacts):
        text, less, what = partial(number_text, digits=digits_of(facts)), "less", ""
    gaps = moved_texts((found.after, found.before, found.decisions), text, less, what)
    ends = " to ".join(moved_texts(found.after_interval, text, less, ""))
    span = f"{confidence_text(facts.plan.confidence)} interval: {ends}"
    places = (f"with the remedy ({span})", "without it", decided_place(facts))
    listing = ", ".join(f"{gap} {place}" for gap, place in zip(gaps, places, strict=True))
    return f"{group_lead(facts)}, on average over the strata: {listing}."


def _points(size: float) -> str:
    return points_text(size, signed=False)


def within_tables(finding: RemedyFinding | AmountRemedyFinding, number: int, digits: int | None = None) -> list[Table]:
    """Return the gap of each stratum; no table where no question has strata, no rows where it is hidden.

    `digits` are those of amounts; None where shares are compared.
    """
    found = finding.within
    if found is None:
        return []
    kind: Kind = "points" if digits is None else "difference"
    interval: Kind = "points_interval" if digits is None else "difference_interval"
    held, unit = ("decisions", ", points") if digits is None else ("amounts", "")
    columns = (
        ColumnSpec("stratum", listed(named_strata(found.columns, found.cut)), "text", "The values that make it."),
        ColumnSpec("n_protected", "protected rows", "count", "Held-out rows of the protected group."),
        ColumnSpec("n_rest", "other rows", "count", "Held-out rows of the rest."),
        ColumnSpec("decisions", f"{held}{unit}", kind, "Protected minus the rest in the decisions.", digits=digits),
        ColumnSpec("before", f"before{unit}", kind, "The same without the remedy.", digits=digits),
        ColumnSpec("after", f"after{unit}", kind, "The same with the remedy.", digits=digits),
        ColumnSpec(
            "after_interval", "after, interval", interval,
            "Of the gap with the remedy; it does not allow for the number of strata.", digits=digits,
        ),
    )  # fmt: skip
    rows = tuple(
        (row.stratum, shown(row.n_protected), shown(row.n_rest), row.decisions, row.before, row.after,
         (row.after_low, row.after_high))
        for row in found.strata.itertuples(index=False)
    )  # fmt: skip
    note = "Protected minus the rest, among held-out rows alone: where few are left, chance moves these figures much."
    return [Table(f"remedy_{number}_strata", TITLE, columns, rows, note=note)]
