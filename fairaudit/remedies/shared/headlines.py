"""What a remedy changed in one short sentence, and as a chip; shared by pages and report."""

from __future__ import annotations

import math
from typing import Final

from fairaudit.measure.near_limits import digits_beside
from fairaudit.present import brief
from fairaudit.present.chips import Chip
from fairaudit.present.numbers import are_known, points_text, share_text
from fairaudit.present.words import ALIKE, verdict_word
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.decided_words import (
    LONGEST_NAME,
    WIDER,
    beside_decided,
    decided_place,
    given_sentence,
    group_lead,
    is_wider,
)
from fairaudit.remedies.shared.limit_words import misses_limit
from fairaudit.remedies.shared.number_texts import change_digits
from fairaudit.remedies.shared.one_answer_words import alike, lost_words, one_answer
from fairaudit.remedies.shared.words import (
    NOTHING,
    begins_with_simple,
    change_of,
    change_word,
    constant_sentences,
    moved_texts,
    predicts_the_same,
)
from fairaudit.remedies.shared.yardstick_words import beside_simple, best_yardstick, rare_sentence
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts

ONE_ANSWER: Final = Chip("One answer for all", "open")
NEARLY_ONE_ANSWER: Final = Chip("One answer for nearly all", "open")
SMALLER: Final = Chip("Gap smaller than without it", "alike")
NOT_SMALLER: Final = Chip("Gap not smaller than without it", "open")
LARGER: Final = Chip("Gap larger than without it", "gap")
NOT_SMALLER_THAN_DECIDED: Final = Chip("Gap not smaller than in the decisions", "open")
LIMIT_MISSED: Final = Chip("Limit not met", "gap")


def short_headline(finding: RemedyFinding, facts: StudyFacts) -> tuple[str, str]:
    """Return the gap in the decisions, after and before; then who gets the good outcome, and how often a model agrees.

    That a model gives everybody one answer, or leaves a gap as wide as in the decisions, comes first.
    Where a gap is hidden, the rest is said first, and nothing beside it.
    """
    said = (
        *constant_sentences(finding),
        beside_decided(finding, facts),
        gap_sentence(finding, facts),
        unrepeated_sentence(finding, facts),
    )
    gap = " ".join(part for part in said if part)
    agrees = (given_sentence(finding, facts), _agrees_part(finding), rare_sentence(finding))
    beside = " ".join(part for part in agrees if part)
    return (gap, beside) if gap else (beside, "")


def gap_sentence(finding: RemedyFinding, facts: StudyFacts, *, change: str = "") -> str:
    """Return the gap in the decisions, with the remedy and without it, with its direction; empty where hidden.

    `change` is said of that with the remedy, in parentheses; what it changed from then stands before it.
    """
    gaps = [side.fairness.difference for side in (finding.before, finding.after)]
    if not are_known(*gaps):
        return ""
    own = "with the remedy" if kind_of(finding.plan).is_remedy else "with this model"
    said = [(gaps[1], f"{own}{f' ({change})' if change else ''}")]
    if finding.changes and not predicts_the_same(finding):
        other = " (another kind of model)" if kind_of(finding.plan).changes_model(finding.plan) else ""
        said.append((gaps[0], f"without it{other}"))
        if change:
            said = [(gaps[0], f"without the remedy{other}"), (gaps[1], f"with it ({change})")]
    if are_known(facts.decisions.difference):
        said = [(facts.decisions.difference, decided_place(facts)), *said]
    digits = _digits(finding, subtract=bool(change))
    texts = moved_texts(
        [gap for gap, _ in said], lambda gap: points_text(gap, signed=False, digits=digits), "fewer", " good outcomes"
    )
    texts = [texts[0], *(text.replace(" points", "", 1) for text in texts[1:])]
    listed = ", ".join(f"{text} {where}" for text, (_, where) in zip(texts, said, strict=True))
    return f"{group_lead(facts)}: {listed}."


def unrepeated_sentence(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return that nothing changed, and that what the remedy is compared with does not repeat the gap of the decisions.

    It does where its gap is outside the tolerance, or more than half as large, to the same side.
    """
    decided, before = facts.decisions, finding.before.fairness
    same = "The remedy changed nothing" if predicts_the_same(finding) and not before.has_one_decision else ""
    gaps = (decided.difference, before.difference)
    is_shown = finding.changes and are_known(*gaps) and not before.has_one_decision
    if not is_shown or decided.within_tolerance or not before.within_tolerance or gaps[0] * gaps[1] > gaps[0] ** 2 / 2:
        return same and f"{same}."
    sees = facts.protected_features or getattr(finding.plan, "model", None) == "score"
    who = "the model without it" if sees else "a model that does not see who is protected"
    return f"{same}: {who} does not repeat the gap." if same else f"{brief.capital(who)} does not repeat the gap."


def _digits(finding: RemedyFinding, *, subtract: bool) -> int:
    """Return with how many decimals gaps are on their side of the tolerance in print, and subtract where asked for."""
    before, after = (side.fairness.difference for side in (finding.before, finding.after))
    digits = change_digits(finding, before, after) if subtract else 1
    limit = 100 * finding.after.fairness.tolerance
    return digits_beside(100 * abs(after), [limit], digits=digits, most=2) or digits


def _agrees_part(finding: RemedyFinding) -> str:
    best = best_yardstick(finding)
    own, before = (side.measure("accuracy").value for side in (finding.after, finding.before))
    if own is None:
        return ""
    beside = [f"{share_text(before)} without the remedy"] if finding.changes else []
    if best is not None and best.change.before is not None:
        other = share_text(best.measure("accuracy").value)
        simple = f"{other} with {one_answer(best) or 'a simple answer'}, {brief.whole(best.name, LONGEST_NAME)}"
        beside = [simple] if best.kind == "plain" else [*beside, simple]
    others = f" ({'; '.join(beside)})" if beside else ""
    agrees = f"It agrees with the table's outcomes for {share_text(own)} of people{others}."
    lost = lost_words(finding.after, finding.before) if finding.changes else ""
    return f"{agrees} It {lost}." if lost and alike(finding.after.fairness) is None else agrees


def simple_chip(finding: RemedyFinding | AmountRemedyFinding) -> Chip | None:
    """Return that a simple answer may be, or surely is, as good within the same limit; None where not, or hidden."""
    said = beside_simple(finding) if isinstance(finding, RemedyFinding) else ""
    return Chip(said, "quiet") if said else None


def gain_chip(finding: RemedyFinding | AmountRemedyFinding, facts: StudyFacts | AmountStudyFacts) -> Chip:
    """Return what a remedy gained as a chip: "Gap smaller than without it", "Gap: cannot tell", "Alike now", ...

    That everybody, or nearly so, gets the same answer comes first, then that a limit is missed that the person has set,
    then a gap wider than that of the decisions: no remedy is wanted then. Then comes that a simple answer is better, or
    where the gap did not clearly shrink as good.
    """
    change = change_of(finding, "gap")
    if isinstance(finding, RemedyFinding) and (same := alike(finding.after.fairness)):
        return ONE_ANSWER if same == "all" else NEARLY_ONE_ANSWER
    if isinstance(finding, RemedyFinding) and misses_limit(finding.details):
        return LIMIT_MISSED
    if finding.changes and not predicts_the_same(finding) and is_wider(finding, facts):
        return WIDER
    if change is None or change.interval.low is None:
        return Chip("Not shown" if kind_of(finding.plan).is_remedy else "No remedy", "quiet")
    if predicts_the_same(finding):
        return Chip("Nothing changed", "quiet")
    word = change_word(change)
    if math.isfinite(change.difference) and abs(change.after) >= abs(change.before):
        return LARGER if word.startswith("clearly") else NOT_SMALLER
    if begins_with_simple(finding) and (chip := simple_chip(finding)):
        return chip
    if word == NOTHING or not math.isfinite(change.difference):
        # Where shares are compared, a chip on who is worse off stands beside it.
        return Chip("Gap: cannot tell" if isinstance(finding, RemedyFinding) else "Cannot tell", "open")
    if isinstance(finding, RemedyFinding) and verdict_word(finding.after.fairness) == ALIKE:
        return Chip("Alike now", "alike")
    if isinstance(finding, RemedyFinding) and isinstance(facts, StudyFacts) and beside_decided(finding, facts):
        return NOT_SMALLER_THAN_DECIDED
    return SMALLER
