"""What the present table holds, asked once for all widgets: values, cuts of numbers, and whether rows count cases."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.columns import ByGroup, Counts, Means, SurveyDesign
from fairaudit.data.case_counts import (
    asked_means,
    asks_about_weights,
    counts_caution,
    proposed_counts,
    proposed_designs,
    results_by_group,
    taken_for_cases,
)
from fairaudit.errors import ConnectError, FairauditError, StoppedError
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from ui.state import AuditState
from ui.text import literal, stated
from ui.widgets import start

# What a column of the present table holds, asked once for all widgets.

MOST = 200
GROUPED_FROM = 10_000
"""Numbers below it stand as they are: they may be years or codes."""
_ALL = 10_000
"""Of a column with more values, it is not looked which of them a filter keeps."""


def known_values(state: AuditState, column: str) -> tuple[list, bool]:
    """Return at most ``MOST`` values that can be chosen, the most frequent first, and whether the column has more."""
    values = [v.item() if hasattr(v, "item") else v for v in state.present_table.common_values(column) if v is not None]
    known = [v for v in values if not isinstance(v, float) or math.isfinite(v)]
    return known[:MOST], len(values) > MOST


def value_label(value: Any) -> str:
    """Write a value that is chosen for people: a number without an empty decimal, from 10,000 on with its thousands.

    Examples
    --------
    >>> value_label(38100.0), value_label(2020), value_label(2.5), value_label(True), value_label("12000")
    ('38,100', '2020', '2.5', 'True', '12000')
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        return str(value)
    number = float(value)
    return f"{number:,.15g}" if abs(number) >= GROUPED_FROM else f"{number:.15g}"


def values_left(state: AuditState, column: str, known: list) -> list:
    """Return those of some values of a column of texts or numbers that the filter of the selected question keeps."""
    table, where = state.present_table, state.check.where
    if not where:
        return known
    try:
        kept = state.remember("values_left", (where, column), lambda: table.values(column, where=where, limit=_ALL))
    except FairauditError:
        # What is wrong with the filter is said where it is written.
        return known
    if len(kept) == _ALL:
        return known
    left = set(kept["value"].dropna())
    return [value for value in known if value in left]


def number_range(state: AuditState, column: str) -> tuple[float, float] | None:
    """Return the smallest and the largest number of a column; None where it has none, or endless ones."""
    ends = state.remember("range", column, lambda: state.present_table.column_range(column))
    if any(end is None or not math.isfinite(end) for end in ends):
        return None
    return float(ends[0]), float(ends[1])


# Where a column of numbers is cut into good and bad, as the pages Data and Errors ask for it.

SIDES = {"at or above": ">=", "above": ">", "at or below": "<=", "below": "<"}
"""The sides of a cut that can be good."""
FLAGGED = {
    "below": "from this value on", "at or below": "above this value", "above": "up to this value",
    "at or above": "below this value",
}  # fmt: skip
"""The same sides by what is on the other one."""


@dataclass(frozen=True)
class Cut:
    """The side of a cut that is good, and where the cut is; None while nobody has said it."""

    side: str
    value: float | None

    @property
    def higher_is_favorable(self) -> bool:
        """Whether more speaks for the good outcome."""
        return SIDES[self.side].startswith(">")

    def condition(self, column: str) -> str:
        """Return the good outcome as a condition on a column."""
        name = '"' + column.replace('"', '""') + '"'
        return f"{name} {SIDES[self.side]} {self.value:.15g}"


def cut_of(outcome: OutcomePlan | None) -> Cut | None:
    """Return the cut of a good outcome that is nothing but one."""
    if outcome is None or not outcome.favorable_when:
        return None
    names = (outcome.column, '"' + outcome.column.replace('"', '""') + '"')
    for side, sign in SIDES.items():
        name, _, number = outcome.favorable_when.rpartition(f" {sign} ")
        if name.strip() in names:
            try:
                return Cut(side, float(number))
            except ValueError:
                return None
    return None


def choose_cut(
    left: DeltaGenerator,
    right: DeltaGenerator,
    present: Cut,
    *,
    key: str,
    column: str,
    ends: tuple[float, float] | None,
    flagged: str | None = None,
    sides: Iterable[str] = SIDES,
) -> Cut:
    """Draw a cut of a column that runs between `ends`; with a label `flagged`, the side is named that is not good."""
    side = left.selectbox(
        flagged or "Good is",
        list(sides),
        format_func=FLAGGED.__getitem__ if flagged else str,
        key=start(f"{key}_side_{column}", present.side),
    )
    value = right.number_input(
        "This value" if flagged else "Cut",
        value=None,
        format="%g",
        placeholder="No cut yet",
        key=start(f"{key}_cut_{column}", present.value),
        help=runs(ends),
    )
    return Cut(side, value)


def runs(ends: tuple[float, float] | None) -> str:
    """Say where a column begins and ends."""
    if not ends:
        return say(Message("data-runs-unknown"))
    low, high = (Phrase(value_label(end)) for end in ends)
    return stated("data-runs", low=low, high=high)


# The question whether a row is one case, where a column of the table looks as if it counted cases.


def counts_cases(state: AuditState) -> bool:
    """Whether the table seems to hold counts of cases, and the person has not said that each row is one."""
    return asked_counts(state) is not None and not state.present_table.rows_are_cases


def asks_what_rows_are(state: AuditState) -> bool:
    """Whether the person has still to say what a row or a number in it stands for: cases, means, people weighed."""
    is_open = counts_cases(state) or open_results(state) is not None
    return is_open or bool(open_means(state)) or bool(open_designs(state))


def open_results(state: AuditState) -> ByGroup | None:
    """Return columns that seem to count those of each group with one result; None where a database does not say."""
    try:
        return None if state.table is None else results_by_group(state.table)
    except (ConnectError, StoppedError):
        return None


def open_means(state: AuditState) -> Means:
    """Return the columns of numbers beside counts of which nobody has said whether they are means."""
    table = state.table
    if table is None or table.source.options.means is not None:
        return ()
    decision = state.decision
    asked = None if decision is None or decision.kind.has_good_outcome else decision.column
    try:
        return state.remember("open_means", asked, lambda: asked_means(table, asked))
    except (ConnectError, StoppedError):
        return ()


def open_designs(state: AuditState) -> list[SurveyDesign]:
    """Return how a survey may be weighted, where columns seem to hold weights of which nothing has been said yet."""
    try:
        if state.table is None or not asks_about_weights(state.table):
            return []
        return proposed_designs(state.table)
    except (ConnectError, StoppedError):
        return []


def show_caution_on_rows(state: AuditState) -> None:
    """Say so where each row is counted as one case although a column seems to count cases."""
    try:
        column = None if state.table is None else taken_for_cases(state.table)
    except (ConnectError, StoppedError):
        return
    if column is not None:
        st.warning(literal(counts_caution(column), limit=300))


def asked_counts(state: AuditState) -> Counts | None:
    """Return the columns that seem to count cases; None where a database does not say."""
    try:
        return None if state.table is None else proposed_counts(state.table)
    except (ConnectError, StoppedError):
        return None
