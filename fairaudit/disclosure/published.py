"""What was published before on the same data: counts that a reader knows, and those that stay hidden beside them.

The earlier audit is hidden again as it was, which gives whom each of its counts is of. All of that goes into the ledger
of the new one: what was shown cannot be taken back, and what was hidden is hidden in both. Where the two together
cannot be proved to leave it open, the new audit shows no count at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from fairaudit.audit.result import AuditResult
from fairaudit.disclosure.ledger import Ledger
from fairaudit.errors import DisclosureError


class Unproved(Exception):
    """What two audits tell together is too much to prove."""


@dataclass(frozen=True)
class SaidGap:
    """A common gap that was published beside hidden counts: of which counts it is, and what agrees with it."""

    numbers: np.ndarray
    agrees: Callable[[np.ndarray], bool]


@dataclass(frozen=True, eq=False)
class Published:
    """An audit that was published, hidden as it was.

    Parameters
    ----------
    ledger : Ledger
        Its counts.
    hidden : set of int
        Those that are hidden; all, where `shows` is False.
    frame : DataFrame
        Its people, a row for each combination of what its figures depend on.
    shows : bool
        Whether any count is shown.
    gaps : tuple of SaidGap
        What it says of hidden counts besides.
    """

    ledger: Ledger
    hidden: set[int]
    frame: pd.DataFrame
    shows: bool
    gaps: tuple[SaidGap, ...]

    def put_into(self, ledger: Ledger, frame: pd.DataFrame) -> list[SaidGap]:
        """Put what is known and what is hidden into the ledger of another audit; return its gaps by the counts there.

        Parameters
        ----------
        ledger : Ledger
            That of the other audit.
        frame : DataFrame
            The people of the other audit, who are divided by all that this one depends on, too.

        Returns
        -------
        list of SaidGap
            What any table of people must agree with.

        Raises
        ------
        Unproved
            If its people are not divided so.
        """
        own, place = self.ledger, self._place(frame)
        numbers = {number: ledger.count(mask[place], small=False) for number, mask in enumerate(own.masks)}
        shown = set(own.cost) - self.hidden if self.shows else set()
        ledger.out |= {numbers[n] for n in shown}
        ledger.small |= {numbers[n] for n in (own.small | set(own.cost)) - shown}
        ledger.facts += [({numbers[n]: w for n, w in weights.items()}, least) for weights, least in own.facts]
        ledger.tables += [{numbers[one]: numbers[other] for one, other in table.items()} for table in own.tables]
        ledger.known |= {numbers[n] for n in own.known}
        there = np.array([numbers[n] for n in range(len(own.masks))], dtype=int)
        return [SaidGap(there[gap.numbers], gap.agrees) for gap in self.gaps]

    def _place(self, frame: pd.DataFrame) -> np.ndarray:
        """Return in which row of these people each row of other people is."""
        names = [name for name in self.frame if name not in ("n", "everyone")]
        if not set(names) <= set(frame):
            raise Unproved
        places = {key: at for at, key in enumerate(_keys(self.frame, names))}
        try:
            found = np.array([places[key] for key in _keys(frame, names)], dtype=int)
        except KeyError:
            raise Unproved from None
        if not np.array_equal(np.bincount(found, weights=frame["n"], minlength=len(self.frame)), self.frame["n"]):
            raise Unproved
        return found


def _keys(frame: pd.DataFrame, names: list[str]) -> list[tuple[object, ...]]:
    return list(frame[names].itertuples(index=False, name=None)) if names else [()] * len(frame)


def refuse_unprovable(earlier: AuditResult, result: AuditResult) -> None:
    """Refuse what no ledger proves beside another audit: amounts, other decisions, and counts that are out already."""
    least, before = result.plan.small_cells.minimum, earlier.plan.small_cells.minimum
    both = (earlier, result)
    if not earlier.plan.small_cells.mask:
        raise DisclosureError("What was published hides no small counts, so nothing can be hidden beside it.")
    if not all(each.plan.names_decision and each.plan.decision.kind.has_good_outcome for each in both):
        raise DisclosureError("A published report can be taken into account only on a decision, not on an amount.")
    if _asked(earlier) != _asked(result):
        raise DisclosureError("What was published is about another decision or prediction.")
    if any(form.means or form.pay for each in both for form in each.presets):
        raise DisclosureError("A published report cannot be taken into account where a form has means.")
    if least > before:
        raise DisclosureError(
            f"What was published shows counts from {before} on, and this report hides those under {least}.",
            hint=f"Hide counts under {before}.",
        )


def _asked(result: AuditResult) -> list[tuple[object, ...] | None]:
    parts = (result.plan.decision, result.plan.prediction)
    return [None if part is None else (part.column, part.favorable, part.favorable_when) for part in parts]
