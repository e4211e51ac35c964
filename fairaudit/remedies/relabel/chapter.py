"""The part of a report on retraining: what was done, whose decisions were changed, and what to doubt."""

from __future__ import annotations

from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present.blocks import Block, Table
from fairaudit.present.printed_tables import pick
from fairaudit.remedies.relabel.details import RelabelDetails
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.shared.number_texts import model_words
from fairaudit.study.findings import RemedyFinding, StudyFacts


def done_sentences(finding: RemedyFinding) -> str:
    """Return which decisions were changed, and what learned from them."""
    plan = as_part(finding.plan, RelabelPlan)
    models: dict[str, Argument] = {
        "risk": Phrase(model_words(plan, "risk_model")),
        "final": Phrase(model_words(plan, "final_model")),
    }
    anew = [Message("retrain-made-anew")] if plan.algorithm == "risk_adjustment" else []
    return say([Message("retrain-made", models), *anew, _changed(finding.details), Message("retrain-final", models)])


def cautions(finding: RemedyFinding) -> tuple[str, ...]:
    """Return why changed decisions do not prove much."""
    return (say(Message("retrain-caution")),)


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return ((say(Message("retrain-term")), say(Message("retrain-term-means"))),)


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return whose decisions were changed."""
    if not len(finding.details.flipped):
        return []
    return [pick(tables["flipped"], ("group", "label_words", "n", "n_flipped"))]


def _changed(details: RelabelDetails) -> Message:
    if details.direction == "none" or details.n_flipped == 0:
        # Where many have the same score, none may be changed although shares are far apart.
        known = details.gap_after is not None and details.n_protected is not None
        is_alike = known and abs(details.gap_after) <= 1 / details.n_protected
        return Message("retrain-unchanged" if is_alike else "retrain-none-changed")
    if details.direction is None or details.n_flipped is None or details.n_protected is None:
        return Message("retrain-changed-some")
    counts = {"n": Count(details.n_flipped), "all": Count(details.n_protected)}
    return Message("retrain-changed", {**counts, "way": Word(details.direction)})
