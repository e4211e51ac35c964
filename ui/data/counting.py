"""What a row stands for on the page Data: one case, or as many as one or two columns or one for each group say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from fairaudit.columns import (
    ByGroup,
    Counts,
    HiddenCells,
    PartialReading,
    WideCounts,
    column_values,
    count_columns,
    mean_columns,
)
from fairaudit.data.case_counts import proposed_means
from fairaudit.data.count_columns import (
    are_named,
    columns_of_counts,
    doubted_counts,
    find_results_by_group,
    find_sums,
    possible_counts,
)
from fairaudit.data.counted_rows import count_cases, counts_said, decision_made
from fairaudit.errors import ConnectError, StoppedError, quote
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.present.naming import listed
from ui.asking import Press, Question, show_answer
from ui.data import printed
from ui.data.loading import read_again
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import columns_named, labels
from ui.values import asked_counts, counts_cases, open_results

_CHOOSING = "counts_chosen"
"""Under which of the session's drafts it stands that a person chooses the columns that count cases."""


def ask_what_rows_are(state: AuditState) -> Question | None:
    """Ask what a row is, where columns seem to count cases or a person says so; None where nothing is open."""
    if state.reading.counts is not None:
        return _ask_what_two_count(state)
    said = printed.said_counts(state)
    if said is not None and (reading := printed.proposed(state, said)) is not None:
        return printed.ask(state, reading, partial(_count, state, said))
    counts = asked_counts(state) if counts_cases(state) else None
    if _is_choosing(state) or (isinstance(counts, WideCounts) and not are_named(counts)):
        return _ask_which_columns(state, counts)
    if counts is not None:
        return _ask_whether(state, counts)
    results = open_results(state)
    return None if results is None else _ask_for_a_row_each(state, results)


def _ask_for_a_row_each(state: AuditState, results: ByGroup) -> Question:
    """Say that groups with their results in columns need a row each, unless each row is one case."""
    groups: dict[str, Argument] = {"groups": Phrase(listed(list(results.groups)))}
    leave = Press(Message("data-counts-leave"), "data_counts_leave", lambda: _take_rows(state, are_cases=True))
    return Question(Message("data-ask-results", groups), Message("data-lead-results"), (leave,))


def _ask_whether(state: AuditState, counts: Counts) -> Question:
    """Ask whether columns count cases, as their names or numbers say."""
    asked, lead, use = _of_counts("data-ask-counts", counts), Message("data-lead-cases"), Message("data-counts-use")
    if isinstance(counts, ByGroup):
        means = mean_columns(proposed_means(state.present_table, counts))
        named: dict[str, Argument] = {
            "groups": Phrase(listed(list(counts.groups))),
            "columns": Phrase(columns_named(counts.columns)),
            "means": Phrase(columns_named(means)),
            "has_means": Word("yes" if means else "no"),
        }
        asked, lead = Message("data-ask-group-counts", named), Message("data-lead-group-counts", named)
        use = Message("data-group-counts-use", named)
    elif printed.proposed(state, counts) is None and (empty := printed.without_number(state, counts))[1]:
        columns, n = empty
        lead = Message("data-lead-cases-empty", {"columns": Phrase(columns_named(columns)), "n": Count(n)})
    presses = [Press(use, "data_counts_use", lambda: _use(state, counts))]
    if len(_columns(state)) > 1:
        presses.append(Press(Message("data-counts-choose"), "data_counts_choose", lambda: _choose(state, True)))
    presses.append(Press(Message("data-counts-leave"), "data_counts_leave", lambda: _take_rows(state, are_cases=True)))
    return Question(asked, lead, tuple(presses))


# Which columns count whom, chosen by hand: those with the favourable result, and all or the others.


def _ask_which_columns(state: AuditState, counts: Counts | None) -> Question:
    """Ask which of two columns counts the favourable cases, and whether the other counts all or the others."""
    names = _columns(state)
    some, second = (st.session_state.get(key, first) for key, first in _fields(state, counts))
    presses = [
        Press(_are("data-counts-are", each), f"data_counts_are_{_role(each)}", partial(_use, state, each))
        for each in _possible(state, some, second)
    ]
    if _is_choosing(state):
        presses.append(Press(Message("data-undo"), "data_counts_unchosen", lambda: _choose(state, False)))
    else:
        leave = partial(_take_rows, state, are_cases=True)
        presses.append(Press(Message("data-counts-leave"), "data_counts_leave", leave))
    sums = find_sums(state.present_table)
    # A sum is said of the columns that are chosen.
    summed = next((each for each in sums if some in each.parts and second in (*each.parts, each.whole)), None)
    lead = Message("data-lead-which")
    if summed is not None:
        parts = {"columns": Phrase(columns_named(summed.parts)), "whole": Phrase(quote(summed.whole, limit=40))}
        lead = Message("data-lead-sum", parts)
    return Question(Message("data-ask-which"), lead, tuple(presses), lambda: _draw_which(state, names, counts))


def _possible(state: AuditState, some: str | None, second: str | None) -> tuple[str | WideCounts, ...]:
    if second is None or some == second:
        return ()
    return (second,) if some is None else possible_counts(state.present_table, some, second)


def _draw_which(state: AuditState, names: Sequence[str], counts: Counts | None) -> None:
    labelled = ("data-counts-some", "data-counts-second")
    for place, label, (key, first) in zip(st.columns(2), labelled, _fields(state, counts), strict=True):
        options: list[str | None] = [None, *names] if label == "data-counts-some" else [*names]
        shown = labels(names)
        place.selectbox(
            say(Message(label)),
            options,
            index=None if first is None and label != "data-counts-some" else options.index(first),
            format_func=lambda name, shown=shown: say(Message("data-counts-none")) if name is None else shown(name),
            placeholder=say(Message("data-counts-column")),
            key=key,
        )


def _fields(state: AuditState, counts: Counts | None) -> tuple[tuple[str, str | None], tuple[str, str | None]]:
    """Return the key of both fields, and the column that each begins with."""
    names = _columns(state)
    some: str | None = None
    second: str | None = counts if isinstance(counts, str) else None
    if isinstance(counts, WideCounts):
        some, second = counts.columns
    elif isinstance(counts, ByGroup):
        first = next((each for each in find_sums(state.present_table) if set(each.parts) <= set(counts.columns)), None)
        some, second = counts.columns[0], counts.columns[1] if first is None else first.whole
    found = [name if name in names else None for name in (some, second)]
    return (f"data_counts_{state.data_key}_some", found[0]), (f"data_counts_{state.data_key}_second", found[1])


def _columns(state: AuditState) -> tuple[str, ...]:
    """Return the columns that can count cases; none where a database does not say."""
    try:
        return state.remember("columns_of_counts", "", lambda: columns_of_counts(state.present_table))
    except (ConnectError, StoppedError):
        return ()


def offer_counting(state: AuditState) -> None:
    """Draw the press that opens the choice of columns that count cases, where nothing is asked about them.

    A database is asked which can only once it is pressed: that is a question over all rows.
    """
    table = state.present_table
    if table.design is not None or state.reading.counts is not None or ask_what_rows_are(state) is not None:
        return
    if not (table.is_connected or _columns(state)):
        return
    if st.button(say(Message("data-counts-begin")), key="data_counts_begin"):
        _choose(state, True)


def _is_choosing(state: AuditState) -> bool:
    return state.drafts.get(_CHOOSING) == state.data_key


def _choose(state: AuditState, is_begun: bool) -> None:
    state.drafts[_CHOOSING] = state.data_key if is_begun else None
    st.rerun()


# Two columns that seem to count other cases than was said.


def _ask_what_two_count(state: AuditState) -> Question | None:
    """Ask what the second of two columns counts, where its name or a sum says another thing than was said."""
    said = state.reading.counts
    if not isinstance(said, WideCounts) or state.reading.counts_confirmed:
        return None
    rows = state.present_table.without_counts
    likely = state.remember("doubted_counts", said, lambda: doubted_counts(rows, said))
    if likely is None:
        return None
    takes = (
        partial(_count, state, likely, state.reading.rounded_to, state.reading.hidden),
        partial(_confirm, state),
    )
    presses = tuple(
        Press(_are("data-counts-are", each), f"data_doubted_{_role(each)}", take)
        for each, take in zip((likely, said), takes, strict=True)
    )
    return Question(_are("data-ask-doubted", likely), _are("data-lead-doubted", likely), presses)


def _are(key: str, counts: str | WideCounts) -> Message:
    """Say what the column counts that is no column of favourable cases."""
    column = counts if isinstance(counts, str) else counts.all or counts.others or ""
    return Message(key, {"column": Phrase(quote(column, limit=40)), "role": Word(_role(counts))})


def _role(counts: str | WideCounts) -> str:
    return "one" if isinstance(counts, str) else "others" if counts.all is None else "all"


def _confirm(state: AuditState) -> None:
    state.present_table.say_counts_confirmed()
    st.rerun()


# What was answered, and how it is taken.


def show_what_rows_are(state: AuditState) -> None:
    """Say what was answered of rows, with the press that takes it back."""
    if (said := counts_said(state.present_table)) is not None:
        back = Press(Message("data-counts-back"), "data_counts_back", lambda: _take_rows(state, are_cases=False))
        show_answer(said, back)
    elif state.present_table.rows_are_cases and _looks_counted(state):
        back = Press(Message("data-undo"), "data_counts_undo", lambda: _take_rows(state, are_cases=False))
        show_answer(Message("data-rows-are-cases"), back)


def _looks_counted(state: AuditState) -> bool:
    rows = state.present_table
    return asked_counts(state) is not None or state.remember(
        "looks_counted", "", lambda: find_results_by_group(rows) is not None
    )


def _take_rows(state: AuditState, *, are_cases: bool) -> None:
    """Take each row for one case, or ask anew what it is."""
    if state.reading.counts is not None:
        printed.say_they_count(state, None)
        state.put_table(state.present_table.without_counts, source=state.source, content=state.content)
    state.present_table.say_rows_are_cases(are_cases)
    st.rerun()


def _use(state: AuditState, counts: Counts) -> None:
    """Count cases, or first ask how their numbers are printed where some seem to be rounded or hidden."""
    if printed.proposed(state, counts) is None:
        _leave_out_without_number(state, counts)
        _count(state, counts)
        return
    printed.say_they_count(state, counts)
    st.rerun()


def _leave_out_without_number(state: AuditState, counts: Counts) -> None:
    """Read the table again without the rows that hold no number of cases, as was said beside the question."""
    columns = () if isinstance(counts, ByGroup) else printed.without_number(state, counts)[0]
    if columns:
        empty = ((name, ("",)) for name in columns)
        with errors_shown(go_on=True):
            read_again(state, replace(state.reading, left_out=column_values((*state.reading.left_out, *empty))))


def _count(state: AuditState, counts: Counts, rounded_to: int | None = None, hidden: HiddenCells = ()) -> None:
    """Count cases; two columns of them say what is decided, and which result is favourable. Of means there is a gap."""
    with errors_shown(go_on=True):
        rows = state.present_table.without_counts
        is_exact = PartialReading(1 if rounded_to is None else rounded_to, hidden).is_exact
        means = proposed_means(rows, counts) if isinstance(counts, ByGroup) and is_exact else None
        table = count_cases(rows, counts, means or None, rounded_to=rounded_to, hidden=hidden)
        state.put_table(table, source=state.source, content=state.content)
        state.drafts.pop(_CHOOSING, None)
        decided = decision_made(table)
        if decided is not None:
            state.decision = OutcomePlan(column=decided.column, favorable=(decided.favorable,))
        elif averaged := [name for name, column in table.columns.items() if column.is_mean]:
            state.decision = OutcomePlan(column=averaged[0], amount=True)
        st.rerun()


def _of_counts(key: str, counts: Counts) -> Message:
    names = count_columns(counts)
    return Message(key, {"columns": Phrase(columns_named(names)), "n": Count(len(names))})
