"""What a remedy changed in one short sentence, and as a chip; shared by pages and report."""

from __future__ import annotations

import math

from fairaudit.present import brief
from fairaudit.present.chips import Chip
from fairaudit.present.numbers import points_text, share_text
from fairaudit.present.words import ALIKE, evidence_word
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.number_texts import change_digits
from fairaudit.remedies.shared.words import NOTHING, change_of, change_word, moved_texts, predicts_the_same
from fairaudit.remedies.shared.yardstick_words import beside_simple, best_yardstick
from fairaudit.study.amounts.findings import AmountRemedyFinding
from fairaudit.study.findings import RemedyFinding

_LONGEST_NAME = 80


def short_headline(finding: RemedyFinding) -> str:
    """Return the gap before and after, for how many people the model is right, and what costs nothing beside it."""
    return " ".join(part for part in (_gap_part(finding), _right_part(finding)) if part)


def _gap_part(finding: RemedyFinding) -> str:
    gaps = [side.fairness.difference for side in (finding.before, finding.after)]
    if any(gap is None or not math.isfinite(gap) for gap in gaps):
        return ""
    if not finding.changes:
        return f"The gap is {moved_texts((gaps[1],) * 2, _size, 'fewer', ' good outcomes for the protected group')[0]}."
    if predicts_the_same(finding):
        return f"The gap stays at {_size(abs(gaps[1]))}."
    digits = change_digits(finding, *gaps)

    def size(gap: float) -> str:
        return points_text(gap, signed=False, digits=digits)

    before, after = moved_texts((gaps[0], gaps[1]), size, "fewer", " for the protected group")
    if (gaps[0] < 0) == (gaps[1] < 0):
        before, after = size(abs(gaps[0])).removesuffix(" points"), size(abs(gaps[1]))
    return f"The gap went from {before} to {after}."


def _size(gap: float) -> str:
    return points_text(gap, signed=False)


def _right_part(finding: RemedyFinding) -> str:
    best = best_yardstick(finding)
    own, before = (side.measure("accuracy").value for side in (finding.after, finding.before))
    if own is None:
        return ""
    if best is None or best.change.before is None:
        digits = change_digits(finding, before, own)
        was = f", {share_text(before, digits=digits)} before" if finding.changes else ""
        return f"Right for {share_text(own, digits=digits)} of people{was}."
    other = best.measure("accuracy").value
    digits = change_digits(finding, other, own)
    own_text, other_text, before_text = (share_text(share, digits=digits) for share in (own, other, before))
    was = "" if best.kind == "plain" else f", {before_text} before"
    simple = brief.whole(best.name, _LONGEST_NAME)
    return f"Right for {own_text} of people{was}; a simple answer, {simple}, is right for {other_text}."


def gain_chip(finding: RemedyFinding | AmountRemedyFinding) -> Chip:
    """Return what a remedy gained as a chip: "Gap smaller", "Gap not smaller", "Gap: cannot tell", "Gap larger", ...

    Where the gap got smaller, and a simple answer may be as good, it says that.
    """
    change = change_of(finding, "gap")
    if change is None or change.interval.low is None:
        return Chip("Not shown" if kind_of(finding.plan).is_remedy else "No remedy", "quiet")
    if predicts_the_same(finding):
        return Chip("Nothing changed", "quiet")
    word = change_word(change)
    if math.isfinite(change.difference) and abs(change.after) >= abs(change.before):
        return Chip("Gap larger", "gap") if word.startswith("clearly") else Chip("Gap not smaller", "open")
    if isinstance(finding, RemedyFinding) and (said := beside_simple(finding)):
        return Chip(said, "quiet")
    if word == NOTHING or not math.isfinite(change.difference):
        # Where shares are compared, a chip on who is worse off stands beside it.
        return Chip("Gap: cannot tell" if isinstance(finding, RemedyFinding) else "Cannot tell", "open")
    if isinstance(finding, RemedyFinding) and evidence_word(finding.after.fairness) == ALIKE:
        return Chip("Alike now", "alike")
    return Chip("Gap smaller", "alike")
