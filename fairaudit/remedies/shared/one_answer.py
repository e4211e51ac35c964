"""Models that give everybody, or nearly everybody, the same answer: what that means, and why they look accurate."""

from __future__ import annotations

from typing import Final, Literal

from fairaudit.measure.intervals import newcombe
from fairaudit.measure.results import ControlledFairness, ErrorComparison
from fairaudit.remedies.shared.beside_decisions import given_share
from fairaudit.study.judging.results import Evaluation, Yardstick

NEARLY_CONSTANT: Final = 0.01
"""A model is called nearly constant where it predicts otherwise for a smaller share of people."""
FEW: Final = 0.1
FEW_OF_DECIDED: Final = 0.25
"""Or for fewer than this share, where that is a smaller part than this of those who have that answer so far."""

Alike = Literal["all", "nearly all"]


def alike(fairness: ControlledFairness, decided: ControlledFairness) -> Alike | None:
    """Return whether all, or nearly all, of the compared rows get the same answer; None where not, or it is hidden.

    `decided` is what was decided, or what happened: few may have an answer that few had before.
    """
    if fairness.has_one_decision:
        return "all"
    given, had = _shares_given(fairness), _shares_given(decided)
    if given is None:
        return None
    few = min(given)
    other = given.index(few)
    if few < NEARLY_CONSTANT:
        return "nearly all"
    return "nearly all" if had is not None and few < FEW and few < FEW_OF_DECIDED * had[other] else None


def _shares_given(fairness: ControlledFairness) -> tuple[float, float] | None:
    """Return the shares with the favourable result and without it, of all compared rows; None where it is hidden."""
    given = given_share(fairness)
    return None if given is None else (given, 1 - given)


def is_one_answer(model: Evaluation | Yardstick, decided: ControlledFairness) -> bool:
    """Say whether a model gives all, or nearly all, the same answer."""
    return getattr(model, "kind", "") == "constant" or alike(model.fairness, decided) is not None


def lost_shares(after: Evaluation, before: Evaluation) -> tuple[float, float] | None:
    """Return which share of the positive outcomes a model finds with and without the remedy, where it clearly loses.

    None where it loses no more than the tolerance, where that may be chance, or where a count is hidden.
    """
    good = after.errors.positive == "favorable"
    own, other = (_found_counts(each.errors, good=good) for each in (after, before))
    if own is None or other is None or not own[1] or not other[1]:
        return None
    _, high = newcombe(*own, *other, after.fairness.confidence)
    found, had = own[0] / own[1], other[0] / other[1]
    return None if had - found <= after.fairness.tolerance or high >= 0 else (found, had)


def _found_counts(errors: ErrorComparison, *, good: bool) -> tuple[float, float] | None:
    """Return for how many of the rows with an outcome a model predicts it, and how many there are; or None."""
    counts = _counts(errors)
    if counts is None:
        return None
    right, missed = ("tp", "fn") if good == (errors.positive == "favorable") else ("tn", "fp")
    return counts[right], counts[right] + counts[missed]


def _counts(errors: ErrorComparison) -> dict[str, float] | None:
    """Return how often predictions are right and wrong over all groups; None where a count is hidden."""
    cells = errors.counts[["tp", "fp", "tn", "fn"]]
    return None if cells.isna().to_numpy().any() else {str(name): float(n) for name, n in cells.sum().items()}
