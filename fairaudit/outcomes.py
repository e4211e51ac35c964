"""Kinds of decisions: those with a good outcome, of which shares are compared, and amounts, of which means are."""

from __future__ import annotations

from dataclasses import dataclass


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
    answers, remedies : str
        The fields of an `AuditResult` with the answers to its questions, and with what trying remedies found.
    """

    name: str
    label: str
    noun: str
    a_noun: str
    gap: str
    has_good_outcome: bool
    answers: str
    remedies: str


SHARES = OutcomeKind(
    name="shares",
    label="Favourable result",
    noun="decision",
    a_noun="a decision",
    gap="gap",
    has_good_outcome=True,
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
    answers="amounts",
    remedies="amount_remedies",
)

OUTCOMES = (SHARES, AMOUNTS)
