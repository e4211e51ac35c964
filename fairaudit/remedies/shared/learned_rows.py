"""On the rows that models learn from and are judged on: those that the filter leaves out, and those of unknown people.

Shared by pages, report and JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.measure.not_known import NotKnown
from fairaudit.messages import say
from fairaudit.present.not_known_words import joinable, not_known_lead
from fairaudit.remedies.registry import kind_of
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import StudyFacts


def learned_rows_note(facts: StudyFacts | AmountStudyFacts, remedies: Sequence[Any]) -> str:
    """Return from whom models learn beside those whom the gap is about; empty where there are no others."""
    known_only = [kind_of(remedy.plan).learns_known_groups for remedy in remedies]
    said = (filter_sentence(facts), unknown_sentence(facts, known_only))
    return " ".join(text for text in said if text)


def filter_sentence(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return that models learn from rows that do not meet the filter, too; empty where there are none."""
    if facts.where_words is None or facts.n_filtered_out == 0:
        return ""
    where = Phrase(facts.where_words)
    if facts.n_filtered_out is None:
        return say(Message("learning-filter-hidden", {"where": where}))
    return say(Message("learning-filter", {"where": where, "n": Count(facts.n_filtered_out)}))


def unknown_sentence(facts: StudyFacts | AmountStudyFacts, known_only: Sequence[bool]) -> str:
    """Return whether models learn from people of an unknown group, and that none is judged on them; empty without any.

    `known_only` says of each model whether it learns from people whose group is known alone; empty for any models.
    """
    if facts.n_unknown == 0:
        return ""
    # Where columns make the groups, those that count in learning are others than who is protected.
    learn = not any(known_only) or bool(facts.group_columns)
    who = Word("learn" if learn else "none" if all(known_only) else "some")
    if facts.n_unknown is None:
        return say(Message("learning-unknown-hidden", {"who": who}))
    return say(Message("learning-unknown", {"who": who, "n": Count(facts.n_unknown)}))


def undecided_sentence(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return how many rows have no outcome to learn from; empty where there are none."""
    if not facts.n_undecided:
        return ""
    return say(Message("learning-undecided", {"n": Count(facts.n_undecided), "what": Phrase(facts.outcome.a_noun)}))


def learned_not_known_sentences(facts: StudyFacts | AmountStudyFacts) -> tuple[str, ...]:
    """Return a caution for each column whose values say that a group or decision is not known, but are counted."""
    return tuple(f"{not_known_lead(part)} {say(_counted(part))}" for part in facts.not_known)


def _counted(part: NotKnown) -> Message:
    if part.counted == "group":
        # A filter leaves them out of the gap alone.
        return Message("learning-counts-group")
    good = Word("yes" if part.counted == "good" else "no")
    return Message("learning-counts-decision", {"good": good, "leave_out": Phrase(joinable(part.leave_out))})
