"""Where a column of numbers is cut into good and bad, as the pages Data and Errors ask for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from streamlit.delta_generator import DeltaGenerator

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan import OutcomePlan
from ui.text import literal
from ui.values import value_label
from ui.widgets import start

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
        format_func=FLAGGED.get if flagged else str,
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
    return literal(say(Message("data-runs", {"low": low, "high": high})))
