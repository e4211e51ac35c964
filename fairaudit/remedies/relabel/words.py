"""Sentences about retraining on changed decisions."""

from __future__ import annotations

from fairaudit.plan.parts import as_part
from fairaudit.present.numbers import count_text, number_text, points_text
from fairaudit.remedies.relabel.details import RelabelDetails
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.shared.held_out_words import FILTERED, KNOWN
from fairaudit.remedies.shared.number_texts import model_words
from fairaudit.study.findings import RemedyFinding


def done_sentences(finding: RemedyFinding) -> str:
    """Return which decisions were changed, and what learned from them."""
    plan, details = as_part(finding.plan, RelabelPlan), finding.details
    final = f"Then a new model ({model_words(plan, 'final_model')}) learned from that half."
    if details.weight_ratio not in (None, 1):
        final += (
            " While it learned, protected rows with the good outcome counted more, or less, than those without, as "
            "long as its own decisions on the learning rows left a gap."
        )
    if details.threshold is not None:
        final += f" It predicts the good outcome from a score of {number_text(details.threshold, digits=3)} on."
    final += " The model without the remedy learned from all training rows, as they are."
    lead = (
        f"A first model ({model_words(plan, 'risk_model')}) learned from one half of the learning rows and stated how "
        "likely the good outcome is in the other half."
    )
    if plan.algorithm == "risk_adjustment":
        lead += " Its predictions took the place of the decisions there."
    if details.direction is None:
        return (
            f"{lead} Decisions about protected rows were changed, so that the groups got the good one as often. {final}"
        )
    if details.direction == "none" or details.n_flipped == 0:
        return f"{lead} The shares of the good one were as near as they could be, so no decision was changed. {final}"
    ways = {"raised": ("not good", "good", "highest"), "lowered": ("good", "not good", "lowest")}
    start, end, chance = ways[details.direction]
    which = f"those with the {chance} chance of the good outcome"
    if details.n_flipped is None or details.n_protected is None:
        changed = f"Decisions about protected rows were changed from {start} to {end}, {which}."
    else:
        kept = f" {FILTERED}" if is_filtered(finding, details) else ""
        changed = (
            f"Decisions about {count_text(details.n_flipped)} of {count_text(details.n_protected)} protected "
            f"rows{kept} were changed from {start} to {end}, {which}"
        )
        gaps = [points_text(gap).removesuffix(" points") for gap in (details.gap_before, details.gap_after)]
        among = f" of rows{kept}" if kept else ""
        changed += f"; the gap in the decisions{among} went from {gaps[0]} to {gaps[1]} points."
    return f"{lead} {changed} {final}"


def is_filtered(finding: RemedyFinding, details: RelabelDetails) -> bool:
    """Whether decisions are counted, and changed, among rows that the filter keeps only; False where that is hidden."""
    return finding.after.fairness.where is not None and bool(relabelled_note(finding, details))


def relabelled_note(finding: RemedyFinding, details: RelabelDetails) -> str:
    """Return a sentence on which rows decisions are counted, and changed, among; empty where that is all, or hidden."""
    n, sides = details.n_relabeled, (details.n_protected, details.n_reference)
    if n is None or None in sides or sum(sides) == n:
        return ""
    which = KNOWN if finding.after.fairness.where is None else f"{FILTERED} and {KNOWN}"
    return (
        f"Counted are the {count_text(sum(sides))} of {count_text(n)} rows of that half {which}; no other "
        "decision is changed."
    )


def cautions(finding: RemedyFinding) -> tuple[str, ...]:
    """Return why changed decisions do not prove much."""
    return (
        "What is changed are the decisions that the model learns from, not the past. Accuracy is measured against the "
        "decisions as they were.",
        "Decisions are made alike in the rows that the model learns from. On other rows, such as the held-out "
        "ones, the model need not keep to that.",
    )
