"""What a remedy changed in one short sentence, and as a chip; shared by pages and report."""

from __future__ import annotations

import math

from fairaudit.present import brief
from fairaudit.present.chips import Chip
from fairaudit.present.numbers import are_known, points_text, share_text
from fairaudit.present.words import ALIKE, evidence_word
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.number_texts import change_digits
from fairaudit.remedies.shared.words import NOTHING, change_of, change_word, moved_texts, predicts_the_same
from fairaudit.remedies.shared.yardstick_words import beside_simple, best_yardstick
from fairaudit.study.amounts.findings import AmountRemedyFinding
from fairaudit.study.findings import RemedyFinding, StudyFacts

_LONGEST_NAME = 80


def short_headline(finding: RemedyFinding, facts: StudyFacts) -> tuple[str, str]:
    """Return the gap in the decisions, before and after, and for how many people the model and a simple answer agree.

    Where a gap is hidden, the second is said first, and nothing beside it.
    """
    gap = " ".join(part for part in (gap_sentence(finding, facts), unrepeated_sentence(finding, facts)) if part)
    agrees = _agrees_part(finding)
    return (gap, agrees) if gap else (agrees, "")


def gap_sentence(finding: RemedyFinding, facts: StudyFacts, *, change: str = "") -> str:
    """Return the gap in the decisions, without the remedy and with it, with its direction; empty where hidden.

    `change` is said of the last one, in parentheses.
    """
    gaps = [side.fairness.difference for side in (finding.before, finding.after)]
    if not are_known(*gaps):
        return ""
    last = "with the remedy" if kind_of(finding.plan).is_remedy else "with this model"
    said = [(gaps[1], f"{last}{f' ({change})' if change else ''}")]
    if finding.changes:
        said = [(gaps[0], f"with “{brief.whole(finding.before.name, _LONGEST_NAME)}”"), *said]
    if are_known(facts.decisions.difference):
        said = [(facts.decisions.difference, "in the decisions"), *said]
    digits = change_digits(finding, *gaps)
    texts = moved_texts(
        [gap for gap, _ in said], lambda gap: points_text(gap, signed=False, digits=digits), "fewer", " good outcomes"
    )
    texts = [texts[0], *(text.replace(" points", "", 1) for text in texts[1:])]
    name = brief.whole(facts.plan.protected_name or facts.protected_words, _LONGEST_NAME)
    listed = ", ".join(f"{text} {where}" for text, (_, where) in zip(texts, said, strict=True))
    return f"{brief.capital(name)}: {listed}."


def unrepeated_sentence(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return that nothing changed, and that what the remedy is compared with does not repeat the gap of the decisions.

    It does where its gap is outside the tolerance, or more than half as large, to the same side.
    """
    decided, before = facts.decisions, finding.before.fairness
    same = "The remedy changed nothing" if predicts_the_same(finding) else ""
    gaps = (decided.difference, before.difference)
    is_shown = finding.changes and are_known(*gaps) and not before.has_one_decision
    if not is_shown or decided.fair or not before.fair or gaps[0] * gaps[1] > gaps[0] ** 2 / 2:
        return same and f"{same}."
    sees = facts.protected_features or getattr(finding.plan, "model", None) == "score"
    who = "the model without it" if sees else "a model that does not see who is protected"
    return f"{same}: {who} does not repeat the gap." if same else f"{brief.capital(who)} does not repeat the gap."


def _agrees_part(finding: RemedyFinding) -> str:
    best = best_yardstick(finding)
    own, before = (side.measure("accuracy").value for side in (finding.after, finding.before))
    if own is None:
        return ""
    lead = "Agrees with the table's outcomes for"
    if best is None or best.change.before is None:
        digits = change_digits(finding, before, own)
        was = f", {share_text(before, digits=digits)} before" if finding.changes else ""
        return f"{lead} {share_text(own, digits=digits)} of people{was}."
    other = best.measure("accuracy").value
    digits = change_digits(finding, other, own)
    own_text, other_text, before_text = (share_text(share, digits=digits) for share in (own, other, before))
    was = "" if best.kind == "plain" else f", {before_text} before"
    simple = brief.whole(best.name, _LONGEST_NAME)
    return f"{lead} {own_text} of people{was}; a simple answer, {simple}, for {other_text}."


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
