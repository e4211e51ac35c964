"""Kinds of decisions: those with a good outcome, of which shares are compared, and amounts, of which means are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairaudit.defaults import USUAL_TOLERANCE

if TYPE_CHECKING:
    from fairaudit.measure.quantity import QuantityKind
    from fairaudit.subgroups.kinds import Measure


@dataclass(frozen=True, kw_only=True)
class OutcomeKind:
    """What is particular to a kind of decision, as data; who does something with it keeps a table by kind.

    Parameters
    ----------
    name : str
        What is compared: "shares" or "amounts".
    label : str
        What stands before its meaning: "Good outcome", "Amount".
    noun, a_noun : str
        What a row may lack, for sentences: "decision", "a decision".
    gap : str
        What is between two groups, for sentences: "gap", "difference".
    has_good_outcome : bool
        Whether some decisions are good and the others not, so that predictions can be right or wrong.
    quantity : {"share", "amount"}
        What two groups are compared in.
    searched : {"selection", "mean"}
        By what the worst groups are searched for where nobody says otherwise.
    usual_tolerance : float or None
        The tolerance where nobody says otherwise; None where the amounts themselves propose one.
    answers : str
        The key of a JSON export under which the answers to its questions stand.
    remedies : str
        The field of an `AuditResult` with what trying remedies found.
    """

    name: str
    label: str
    noun: str
    a_noun: str
    gap: str
    has_good_outcome: bool
    quantity: QuantityKind
    searched: Measure
    usual_tolerance: float | None
    answers: str
    remedies: str


SHARES = OutcomeKind(
    name="shares",
    label="Favourable result",
    noun="decision",
    a_noun="a decision",
    gap="gap",
    has_good_outcome=True,
    quantity="share",
    searched="selection",
    usual_tolerance=USUAL_TOLERANCE,
    answers="checks",
    remedies="remedies",
)

AMOUNTS = OutcomeKind(
    name="amounts",
    label="Amount",
    noun="amount",
    a_noun="an amount",
    gap="difference",
    has_good_outcome=False,
    quantity="amount",
    searched="mean",
    usual_tolerance=None,
    answers="amounts",
    remedies="amount_remedies",
)

OUTCOMES = (SHARES, AMOUNTS)
