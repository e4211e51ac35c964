"""What is remarkable about the table, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from fairaudit.columns import DayOrder
from fairaudit.data import quality_report
from fairaudit.data.quality import QualityIssue, concerns
from fairaudit.errors import ConnectError, StoppedError, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present.blocks import ColumnSpec, Table
from ui.data.days import offer_days, reads_days
from ui.data.one_spelling import offer_one_spelling, read_so
from ui.errors import show_error
from ui.state import AuditState
from ui.tables import show_table

_MOST = 30
_GRAVEST = 3
_PRESSES = 3
_LABEL = "data_more_label"
# What can change an answer unseen comes first; what is of no use to an audit, such as names, last.
_FIRST = (
    "counts_cases",
    "weights",
    "duplicate_rows",
    "duplicates_unknown",
    "same_but_case",
    "code",
    "not_known",
    "not_decided",
    "typing_errors",
)
_LAST = ("near_unique", "many_values", "constant", "empty")
_MOST_NAMED = 5
_LARGE = 2_000_000
_LARGE_IN_ENGINE = 100_000


def more_label(state: AuditState) -> str:
    """Return what more the page Data tells, with how many things stand out in the table where that is known."""
    with st.container():
        issues = None if _is_large(state) or st.session_state.get(_failed(state), 0) else _issues(state)
    n = len(by_cause(issues)) if issues else 0
    label = say(Message("data-more-issues", {"n": Count(n)}) if n else Message("data-more"))
    # With another label it is another fold, closed under the hand that pressed something in it.
    if st.session_state.get("data_more"):
        source, held = st.session_state.get(_LABEL, ("", label))
        label = held if source == state.source else label
    st.session_state[_LABEL] = (state.source, label)
    return label


def show_quality(state: AuditState) -> None:
    """Draw the quality report of the present table."""
    n_failed = st.session_state.get(_failed(state), 0)
    if (_is_large(state) or n_failed) and not st.checkbox(
        f"Look at every column of all {state.table.n_rows:,} rows (may take minutes)",
        key=f"data_look_{state.data_key}_{n_failed}",
    ):
        return
    issues = _issues(state)
    if issues is None:
        return
    if state.content is not None:
        _offer_presses(state, issues)
    if not issues:
        st.markdown("Nothing stands out: no missing values, no odd codes, no repeated rows.")
        return
    rows = by_cause(sorted(issues, key=_gravity))
    columns = (
        ColumnSpec("column", "Column", "text", "The column or columns, or the whole table."),
        ColumnSpec("message", "What was found", "text", "What stands out."),
        ColumnSpec("advice", "What to do", "text", "What to do about it."),
    )
    table = Table("data_quality", "What stands out in the table", columns, rows)
    if len(rows) <= _GRAVEST + 1:
        show_table(table)
        return
    show_table(replace(table, title="What stands out most in the table", rows=rows[:_GRAVEST]), download=False)
    with st.expander(f"All {len(rows)} things"):
        show_table(table, most=_MOST)


def _issues(state: AuditState) -> list[QualityIssue] | None:
    """Return what stands out in the table; None, and why, where a database does not say."""
    decision = state.decision
    amount = None if decision is None or decision.kind.has_good_outcome else decision.column
    try:
        with st.spinner("Looking at every column …"), state.asking.raised():
            issues = state.remember("quality", amount, lambda: quality_report(state.table, amount=amount)).issues
    except (ConnectError, StoppedError) as error:
        # Not asked again by itself, and what stands below is still drawn.
        st.session_state[_failed(state)] = st.session_state.get(_failed(state), 0) + 1
        show_error(error)
        return None
    return [issue for issue in issues if concerns(issue, None if decision is None else decision.column)]


def _is_large(state: AuditState) -> bool:
    return state.table.n_rows > (_LARGE_IN_ENGINE if state.table.is_connected else _LARGE)


def _failed(state: AuditState) -> str:
    return f"data_quality_failed_{state.data_key}"


def _gravity(issue: QualityIssue) -> int:
    if issue.code in _FIRST:
        return _FIRST.index(issue.code)
    return len(_FIRST) + (issue.code in _LAST)


def _offer_presses(state: AuditState, issues: Sequence[QualityIssue]) -> None:
    """Draw the presses that read the file again; many are folded, below the one that does what they all do."""
    spelled = [issue.column for issue in issues if issue.code == "same_but_case"]
    n_repeated = next((issue.n for issue in issues if issue.code == "duplicate_rows"), 0)
    reading = state.reading
    # What is pressed already counts too: undoing it must not move what stands here.
    orders_days = reads_days(reading) or any(issue.code == "days_as_text" for issue in issues)
    presses = (orders_days, n_repeated > 0 or reading.distinct, *{*spelled, *reading.same_spelling})
    n = sum(map(bool, presses))
    everything = st.container(horizontal=True, vertical_alignment="center")
    if n > _PRESSES:
        everything.markdown(say(Message("data-presses", {"n": Count(n)})))
    with st.expander("One by one") if n > _PRESSES else st.container():
        orders = offer_days(state)
        apart = offer_one_spelling(state, spelled)
        _offer_repetitions(state, n_repeated)
    with everything:
        _offer_all(state, apart, orders, repeated=n_repeated > 0)


def _offer_repetitions(state: AuditState, n: int) -> None:
    """Draw the press that leaves repeated rows out, or the one that takes them in again; the saved audit says so."""
    out = state.reading.distinct
    if not (out or n):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(say(Message("data-repeated-out") if out else Message("data-repeated", {"n": Count(n)})))
        if st.button(
            "Take them in again" if out else "Leave repeated rows out",
            key="data_repeated",
            help="Reads the file again. The saved audit and the report say so, and whoever repeats the audit gets the "
            "same rows. Where columns were left out of the file, equal rows may be different people.",
        ):
            read_so(state, replace(state.reading, distinct=not out))


def _offer_all(state: AuditState, apart: tuple[str, ...], orders: tuple[DayOrder, ...], *, repeated: bool) -> None:
    """Draw the press that does what several presses would do or, where all is done, undoes it.

    It is one button, so that whoever uses the keyboard stays on it.
    """
    reading = state.reading
    # Of two orders that days may have, nobody but the auditor knows the right one.
    known = orders if len(orders) == 1 else ()
    if len(apart) + repeated + len(known) > 1:
        label = "Do all of these, except the days" if len(orders) > 1 else "Do all of these"
        then = replace(
            reading,
            same_spelling=(*reading.same_spelling, *apart),
            distinct=reading.distinct or repeated,
            dates=next(iter(known), reading.dates),
        )
        what = "as the presses would one by one. Each of these can then be undone by itself."
    elif len(reading.same_spelling) + reading.distinct + reads_days(reading) > 1:
        label, then = "Undo all of these", replace(reading, same_spelling=(), distinct=False)
        then = replace(then, dates=None) if reads_days(reading) else then
        what = "as it was before these presses."
    else:
        return
    if st.button(label, key="data_all", help=f"Reads the file again once, {what}"):
        read_so(state, then)


def by_cause(issues: Sequence[QualityIssue]) -> tuple[tuple[str, str, str], ...]:
    """Return one row for each cause, in the order in which they were found: its columns, what was found, what to do.

    Examples
    --------
    >>> said = {"a": 1, "b": 9, "c": 2}
    >>> found = [QualityIssue(name, "missing", f"{n} values are missing.", "Ask why.", n) for name, n in said.items()]
    >>> by_cause(found)
    (('a, b, c', "In 3 columns. The most, in 'b': 9 values are missing.", 'Ask why.'),)
    """
    causes: dict[tuple[str, str], list[QualityIssue]] = {}
    for issue in issues:
        causes.setdefault((issue.code, issue.advice), []).append(issue)
    return tuple(_row(advice, found) for (_, advice), found in causes.items())


def _row(advice: str, found: list[QualityIssue]) -> tuple[str, str, str]:
    names = [issue.column or "whole table" for issue in found]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    named = ", ".join(names[:_MOST_NAMED]) + more
    if len({issue.message for issue in found}) == 1:
        return named, found[0].message, advice
    most = max(found, key=lambda issue: issue.n)
    args = {"n": Count(len(names)), "column": Phrase(quote(most.column, limit=40)), "message": Phrase(most.message)}
    return named, say(Message("quality-most-in", args)), advice
