"""On the rows that models learn from and are judged on: those that the filter leaves out, and those of unknown people.

Shared by pages, report and JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairaudit.measure.not_known import NotKnown
from fairaudit.present.not_known_words import joinable, not_known_lead, places
from fairaudit.present.numbers import count_text
from fairaudit.present.words import listed
from fairaudit.remedies.registry import kind_of
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import StudyFacts


def learned_rows_note(facts: StudyFacts | AmountStudyFacts, remedies: Sequence[Any]) -> str:
    """Return from whom models learn beside those whom the gap is about; empty where there are no others.

    `remedies` are what was found of each model, in the order of their numbers.
    """
    known_only = [kind_of(remedy.plan).learns_known_groups for remedy in remedies]
    said = (filter_sentence(facts), unknown_sentence(facts, known_only))
    return " ".join(text for text in said if text)


def filter_sentence(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return that models learn from rows that do not meet the filter, too; empty where there are none."""
    if facts.where_words is None or facts.n_filtered_out == 0:
        return ""
    if facts.n_filtered_out is None:
        rows = (
            f"all rows with {facts.outcome.a_noun} are learned from, tuned on or judged on, whether they meet it or not"
        )
    else:
        one = facts.n_filtered_out == 1
        rows = f"{count_text(facts.n_filtered_out)} row{' that does' if one else 's that do'} not meet it "
        rows += f"{'is' if one else 'are'} learned from, tuned on or judged on, too"
    part = "" if facts.outcome_where_words is None else f", but for its part on the {facts.outcome.noun} itself"
    return f"The filter of the question ({facts.where_words}) does not apply to what models learn from{part}: {rows}."


def unknown_sentence(facts: StudyFacts | AmountStudyFacts, known_only: Sequence[bool]) -> str:
    """Return which models learn from people of an unknown group, and that none is judged on them; empty without any.

    `known_only` says of each model whether it learns from people whose group is known alone; empty for any models.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> one = SimpleNamespace(n_unknown=1, group_columns=())
    >>> unknown_sentence(one, [False])
    'In 1 row it is not known who is protected: models learn from it. No model is judged on it.'
    >>> unknown_sentence(one, [True])
    'In 1 row it is not known who is protected: this remedy does not learn from it. No model is judged on it.'
    """
    if facts.n_unknown == 0:
        return ""
    rows = "some rows" if facts.n_unknown is None else f"{count_text(facts.n_unknown)} rows"
    rows, it = ("1 row", "it") if facts.n_unknown == 1 else (rows, "them")
    who = _who_learns(facts, known_only, it)
    return f"In {rows} it is not known who is protected: {who}. No model is judged on {it}."


def _who_learns(facts: StudyFacts | AmountStudyFacts, known_only: Sequence[bool], it: str) -> str:
    numbers = [str(number) for number, only in enumerate(known_only, start=1) if only]
    if known_only and not numbers:
        return f"models learn from {it}"
    if facts.group_columns or not known_only:
        # Where columns make the groups, those that count in learning are others than who is protected.
        return f"models may learn from {it}"
    if len(numbers) < len(known_only):
        lead = f"number {numbers[0]} does" if len(numbers) == 1 else f"numbers {listed(numbers)} do"
        return f"{lead} not learn from {it}, other models do"
    return f"{'this remedy does' if len(numbers) == 1 else 'these remedies do'} not learn from {it}"


def undecided_sentence(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return how many rows have no outcome to learn from; empty where there are none."""
    if not facts.n_undecided:
        return ""
    where = facts.outcome_where_words
    kept = "" if where is None else f", or with one that the filter leaves out ({where}),"
    left_out = "is left out" if facts.n_undecided == 1 else "are left out"
    return f"{count_text(facts.n_undecided)} without {facts.outcome.a_noun}{kept} {left_out}."


def learned_not_known_sentences(facts: StudyFacts | AmountStudyFacts) -> tuple[str, ...]:
    """Return a caution for each column whose values say that a group or decision is not known, but are counted."""
    return tuple(_sentence(part, facts) for part in facts.not_known)


def _sentence(part: NotKnown, facts: StudyFacts | AmountStudyFacts) -> str:
    one, filtered = part.n == 1, facts.where_words is not None
    it, them = ("It is", "it") if one else ("They are", "them")
    if part.counted == "group":
        where = places(part) if part.groups else "in one of both groups"
        several = len(part.groups) > 1 and part.n is not None
        # Where columns make the groups, only rows that the filter keeps are counted here.
        gap = "in the gap that models are judged by"
        if not facts.group_columns:
            kept = f", where the filter keeps {them}," if filtered else ""
            gap = f"in all figures by group and{kept} {gap}"
        counted = f"{it} counted{':' if several else ''} {where}{',' if several else ''} {gap}."
        return f"{not_known_lead(part)} {counted} {_out_of_both(part)}"
    good = "" if part.counted == "good" else "not "
    counted = (
        f"{it} counted as {good}reaching the good outcome in what models learn from and in their accuracy "
        "and error rates."
    )
    return f"{not_known_lead(part)} {counted} To leave {them} out, add to the filter: {joinable(part.leave_out)}."


def _out_of_both(part: NotKnown) -> str:
    # A filter leaves them out of the gap alone.
    value = "this value" if len(part.values) == 1 else "these values"
    rows = "this row" if part.n == 1 else "these rows"
    return f"In neither group are rows with a missing value: read {value} as missing, or bring a table without {rows}."
