"""Days such as 31/12/2024 that were read as text: said where they are missed, and read as days with one press."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from fairaudit.columns import DayOrder, ReadOptions
from fairaudit.data.quality import DAY, days_as_text
from fairaudit.errors import quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from ui.data.one_spelling import read_so
from ui.frame import next_step
from ui.state import AuditState
from ui.text import literal

_MOST_NAMED = 5
_EXAMPLES = {"day first": "31/12/2024", "month first": "12/31/2024"}


def say_days_as_text(state: AuditState, why: str) -> bool:
    """Say why days are missed, which column looks like days, and how it is read as such; False where none does."""
    looks = _looks(state)
    if not looks:
        return False
    name, value = next(iter(looks.items()))
    way = "Write its days as 2025-07-30 where the table is kept."
    if _orders(state):
        way = "A press under “Is the table sound?” on the page Data reads it as days."
    elif state.content is not None:
        way = "Open “How the file was read” on the page Data, choose how “Days are written”, and read the file again."
    looking = say(Message("data-looks-like-days", {"column": Phrase(quote(name)), "value": Phrase(value)}))
    st.info(literal(f"{why} {looking} {way}", limit=600))
    next_step("pages/1_Data.py", "Go to Data")
    return True


def offer_days(state: AuditState) -> tuple[DayOrder, ...]:
    """Draw a press for each order that days which were read as text may have, or its undoing; return these orders.

    A press and its undoing are one button: whoever uses the keyboard stays on it.
    """
    orders, now = _orders(state), state.reading.dates
    names = ", ".join(quote(name, limit=40) for name in list(_looks(state))[:_MOST_NAMED])
    said, presses = say(Message("data-days-as-text", {"columns": Phrase(names)})), dict(orders)
    if reads_days(state.reading):
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
                    read_so(state, replace(state.reading, dates=None if now == order else order))
    return tuple(orders)


def reads_days(options: ReadOptions) -> bool:
    """Say whether days are read in one of the orders for which a press is drawn."""
    return options.dates in _EXAMPLES


def _looks(state: AuditState) -> dict[str, str]:
    return state.remember("days_as_text", "", lambda: days_as_text(state.table))


def _orders(state: AuditState) -> dict[DayOrder, str]:
    if state.content is None or state.reading.dates is not None:
        return {}
    return day_orders(
        [str(day) for name in _looks(state) for day in state.table.common_values(name) if day is not None]
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
    for order, month in (("day first", 1), ("month first", 0)):
        if parts and all(1 <= each[month] <= 12 for each in parts):
            # One that shows the order, where there is one.
            at = max(range(len(parts)), key=lambda i: (parts[i][1 - month] > 12, parts[i][0] != parts[i][1]))
            named = f"{parts[at][1 - month]} {month_name[parts[at][month]]} {parts[at][2]}"
            found[order] = f"Read {written[at][0].split()[0]} as {named}"
    return found
