"""What is remarkable about the table, such as days read as text and several rows of one person; what to do about it."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from fairaudit import Condition
from fairaudit.columns import DayOrder
from fairaudit.conditions.condition import without
from fairaudit.data import ReadOptions, quality_report
from fairaudit.data.quality import DAY, QualityIssue, concerns, days_as_text
from fairaudit.data.roles import MOST_PERIODS, Key, case_of_rows, keys_of, numbers_rows
from fairaudit.disclosure.fields import Field
from fairaudit.errors import ConnectError, FairauditError, StoppedError, quote, require
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock
from ui.asking import Press, Question, show_answer
from ui.check.population import change, narrow
from ui.data.spellings import offer_one_spelling, reread
from ui.frame import next_step
from ui.result import show_table
from ui.state import AuditState
from ui.text import literal, show_error
from ui.values import counts_cases, known_values, value_label

# Days such as 31/12/2024 that were read as text: said where they are missed, and read as days with one press.

_MOST_NAMED = 5
_EXAMPLES = {"day first": "31/12/2024", "month first": "12/31/2024"}


def say_days_as_text(state: AuditState, why: str) -> bool:
    """Say why days are missed, which column looks like days, and how it is read as such; False where none does."""
    looks = _looks(state)
    if not looks:
        return False
    name, value = next(iter(looks.items()))
    key = "data-days-pressed" if _orders(state) else "data-days-read" if state.content is not None else "data-days-kept"
    looking = say(Message("data-looks-like-days", {"column": Phrase(quote(name)), "value": Phrase(value)}))
    st.info(literal(f"{why} {looking} {say(Message(key))}", limit=600))
    next_step("pages/1_Data.py", "Go to Data")
    return True


def offer_days(state: AuditState) -> tuple[DayOrder, ...]:
    """Draw a press for each order that days which were read as text may have, or its undoing; return these orders.

    A press and its undoing are one button: whoever uses the keyboard stays on it.
    """
    orders, now = _orders(state), state.reading.dates
    names = ", ".join(quote(name, limit=40) for name in list(_looks(state))[:_MOST_NAMED])
    said, presses = say(Message("data-days-as-text", {"columns": Phrase(names)})), dict(orders)
    if now is not None and reads_days(state.reading):
        args = {"day": Phrase(_EXAMPLES[now]), "order": Phrase(now)}
        said, presses = say(Message("data-days-read", args)), {now: "Read them as text again"}
    if presses:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(literal(said, limit=300))
            for order, words in presses.items():
                if st.button(
                    literal(words),
                    key=f"data_days_{order}",
                    help="Reads the file again. Days that are read as such can be put in order, and periods be "
                    "compared. The saved audit says how they were read.",
                ):
                    reread(state, replace(state.reading, dates=None if now == order else order))
    return tuple(orders)


def reads_days(options: ReadOptions) -> bool:
    """Say whether days are read in one of the orders for which a press is drawn."""
    return options.dates in _EXAMPLES


def _looks(state: AuditState) -> dict[str, str]:
    return state.remember("days_as_text", "", lambda: days_as_text(state.present_table))


def _orders(state: AuditState) -> dict[DayOrder, str]:
    if state.content is None or state.reading.dates is not None:
        return {}
    return day_orders(
        [str(day) for name in _looks(state) for day in state.present_table.common_values(name) if day is not None]
    )


def day_orders(days: Sequence[str]) -> dict[DayOrder, str]:
    """Return the orders that some days such as 31/12/2024 may be written in, each with one of them in words.

    Examples
    --------
    >>> day_orders(["04/09/2024", "31/12/2024", "unknown"]), day_orders(["04/09/2024"])["month first"]
    ({'day first': 'Read 31/12/2024 as 31 December 2024'}, 'Read 04/09/2024 as 9 April 2024')
    """
    written = [each for each in map(DAY.fullmatch, days) if each is not None]
    parts = [[int(part) for part in each.groups()[:3]] for each in written]
    found: dict[DayOrder, str] = {}
    months: dict[DayOrder, int] = {"day first": 1, "month first": 0}
    for order, month in months.items():
        if parts and all(1 <= each[month] <= 12 for each in parts):
            # One that shows the order, where there is one.
            at = max(range(len(parts)), key=lambda i: (parts[i][1 - month] > 12, parts[i][0] != parts[i][1]))
            named = f"{parts[at][1 - month]} {month_name[parts[at][month]]} {parts[at][2]}"
            found[order] = f"Read {written[at][0].split()[0]} as {named}"
    return found


# The question whether several rows are one case, such as a stop with a row for each violation.


def ask_what_is_a_case(state: AuditState) -> Question | None:
    """Ask whether rows with one case's name are counted once; None where nothing is open."""
    key = _case_of_rows(state)
    if key is None or state.present_table.rows_are_cases:
        return None
    args: dict[str, Argument] = {
        "column": Phrase(key.column), "n": Count(state.present_table.n_rows), "cases": Count(key.n)
    }  # fmt: skip
    return Question(
        Message("data-case-question", args),
        Message("data-case-lead", args),
        (
            Press(Message("data-case-once"), "data_case_once", lambda: _keep_first(state, key.column)),
            Press(Message("data-case-rows"), "data_case_rows", lambda: _take_all_rows(state, are_cases=True)),
        ),
    )


def show_what_is_a_case(state: AuditState) -> None:
    """Say what a case was said to be, with the press that takes it back."""
    column = state.reading.one_row_per
    if column is not None:
        back = Press(Message("data-undo"), "data_case_undo", lambda: _keep_first(state, None))
        show_answer(Message("data-case-answer", {"column": Phrase(column)}), back)
    elif state.present_table.rows_are_cases and _case_of_rows(state) is not None:
        back = Press(Message("data-undo"), "data_case_undo", lambda: _take_all_rows(state, are_cases=False))
        show_answer(Message("data-rows-are-cases"), back)


def _case_of_rows(state: AuditState) -> Key | None:
    """Return the column that names cases of which some have several rows with one decision."""
    if state.decision is None or counts_cases(state) or state.reading.counts is not None or state.reading.one_row_per:
        return None
    column = state.decision.column
    return state.remember("case_of_rows", column, lambda: case_of_rows(state.present_table, column))


def _keep_first(state: AuditState, column: str | None) -> None:
    reread(state, replace(state.reading, one_row_per=column))


def _take_all_rows(state: AuditState, *, are_cases: bool) -> None:
    state.present_table.say_rows_are_cases(are_cases)
    st.rerun()


# The question whether rows of one person, of which each year has one, are compared as they are.

ALL, ONE = "all", "one"
_SAID = {ONE: "data-several-one", ALL: "data-several-all"}
_ANSWER = "several_rows"
_MOST_ROWS = 2_000_000


def ask_what_is_compared(state: AuditState) -> Question | None:
    """Ask whether all rows of a person are compared, or those of the last period; None where nothing is open."""
    key = _repeated_key(state)
    if key is None or _answer(state, key) is not None:
        return None
    args = _of_key(state, key)
    presses = tuple(Press(Message(said, args), *_taking(state, key, answer)) for answer, said in _SAID.items())
    return Question(Message("data-several-rows", args), Message("data-several-lead", args), presses)


def show_what_is_compared(state: AuditState) -> None:
    """Say which rows of a person are compared, with the press that takes the others; it is in the saved audit."""
    key = _repeated_key(state)
    answer = None if key is None else _answer(state, key)
    if key is None or answer is None:
        return
    args, other = _of_key(state, key), ALL if answer == ONE else ONE
    said = Message("data-several-answer", {**args, "answer": Word(answer)})
    show_answer(said, Press(Message(_SAID[other], args), *_taking(state, key, other)))


def _of_key(state: AuditState, key: Key) -> dict[str, Argument]:
    value = Phrase(value_label(_last(state, key)))
    return {"column": Phrase(key.column), "period": Phrase(key.period or ""), "value": value}


def _taking(state: AuditState, key: Key, answer: str) -> tuple[str, Callable[[], None]]:
    """Return the key of the press that says what is compared, and what it does."""
    return f"data_several_{answer}", lambda: _take(state, key, answer)


def _repeated_key(state: AuditState) -> Key | None:
    """Return the first column whose values stand in several rows, which another column tells apart."""
    table = state.table
    if table is None or table.is_connected or table.n_rows > _MOST_ROWS or counts_cases(state):
        return None
    return state.remember("several_rows", "", lambda: _find_repeated_key(state))


def _find_repeated_key(state: AuditState) -> Key | None:
    few: list[str] = []
    many: list[str] = []
    for column in state.present_table.columns.values():
        if column.kind not in ("text", "number", "date"):
            continue
        values, more = known_values(state, column.name)
        (few if not more and 2 <= len(values) <= MOST_PERIODS else many).append(column.name)
    found = keys_of(state.present_table, many, few)
    repeated = (key for key in found.values() if key.is_repeated and key.period is not None)
    return next((key for key in repeated if not numbers_rows(state.present_table, key)), None)


def _last(state: AuditState, key: Key) -> object:
    values, _ = known_values(state, require(key.period))
    return max(values)


def _only_last(state: AuditState, key: Key) -> Condition:
    return Condition.equals(require(key.period), _last(state, key), state.present_table)


def _loosened(state: AuditState, where: str | None, only: Condition) -> str:
    """Return a filter without the condition on the period; one that cannot be read stays as it is written."""
    try:
        present = state.present_table.condition(where or None)
    except FairauditError:
        return where or ""
    left = None if present is None else without(present, only)
    return "" if left is None else str(left)


def _answer(state: AuditState, key: Key) -> str | None:
    """Return what was said, also by a saved audit; a filter of the period says it too."""
    where = None
    with suppress(FairauditError):
        where = state.present_table.condition(state.check.where or None)
    if where is not None and key.period in where.columns:
        return ONE
    if state.check.cluster == key.column or state.drafts.get(_ANSWER) == (state.data_key, ALL):
        return ALL
    return None


def _take(state: AuditState, key: Key, answer: str) -> None:
    """Narrow all questions to the last period, or have their ranges allow for the rows of one person."""
    state.drafts[_ANSWER] = (state.data_key, answer)
    only, selected = _only_last(state, key), state.selected
    # The ranges of amounts cannot allow for that.
    cluster = key.column if state.decision is None or state.decision.kind.has_good_outcome else None
    for place in range(len(state.checks)):
        state.selected, before = place, state.checks[place].plan
        if answer == ONE:
            narrow(state, str(only))
            state.change_check(cluster=None if before.cluster == key.column else before.cluster)
        else:
            change(state, _loosened(state, before.where, only))
            state.change_check(cluster=cluster)
    state.selected = selected
    st.rerun()


# What is remarkable about the table, and what to do about it.

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
        f"Look at every column of all {state.present_table.n_rows:,} rows (may take minutes)",
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
        Field("column", "Column", "text", "The column or columns, or the whole table."),
        Field("message", "What was found", "text", "What stands out."),
        Field("advice", "What to do", "text", "What to do about it."),
    )
    table = TableBlock("data_quality", "What stands out in the table", columns, rows)
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
            issues = state.remember(
                "quality", amount, lambda: quality_report(state.present_table, amount=amount)
            ).issues
    except (ConnectError, StoppedError) as error:
        # Not asked again by itself, and what stands below is still drawn.
        st.session_state[_failed(state)] = st.session_state.get(_failed(state), 0) + 1
        show_error(error)
        return None
    return [issue for issue in issues if concerns(issue, None if decision is None else decision.column)]


def _is_large(state: AuditState) -> bool:
    return state.present_table.n_rows > (_LARGE_IN_ENGINE if state.present_table.is_connected else _LARGE)


def _failed(state: AuditState) -> str:
    return f"data_quality_failed_{state.data_key}"


def _gravity(issue: QualityIssue) -> int:
    if issue.code in _FIRST:
        return _FIRST.index(issue.code)
    return len(_FIRST) + (issue.code in _LAST)


def _offer_presses(state: AuditState, issues: Sequence[QualityIssue]) -> None:
    """Draw the presses that read the file again; many are folded, below the one that does what they all do."""
    spelled = [require(issue.column) for issue in issues if issue.code == "same_but_case"]
    n_repeated = next((issue.n for issue in issues if issue.code == "duplicate_rows"), 0)
    reading = state.reading
    # What is pressed already counts too: undoing it must not move what stands here.
    orders_days = reads_days(reading) or any(issue.code == "days_as_text" for issue in issues)
    presses = (orders_days, n_repeated > 0 or reading.distinct, *{*spelled, *reading.same_spelling})
    n = sum(map(bool, presses))
    everything = st.container(horizontal=True, vertical_alignment="center")
    if n > _PRESSES:
        everything.markdown(say(Message("data-presses", {"n": Count(n)})))
    with st.expander("One by one", key="data_one_by_one") if n > _PRESSES else st.container():
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
            reread(state, replace(state.reading, distinct=not out))


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
        reread(state, then)


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
    column, message = Phrase(quote(most.column, limit=40)), Phrase(most.message)
    said = Message("quality-most-in", {"n": Count(len(names)), "column": column, "message": message})
    return named, say(said), advice
