"""What the words of tables and annexes mean: those that an audit uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.measure.means import TOLERATED_DEVIATIONS
from fairaudit.messages import say
from fairaudit.present.numbers import confidence_text, share_text, tolerance_text

if TYPE_CHECKING:
    from fairaudit.remedies.kind import OnAmounts, RemedyKind

Terms = tuple[tuple[str, str], ...]

SHARES = ("favourable", "gap", "ratio", "tolerance", "range", "verdict", "p")
ERRORS = ("counts", "rates", "discoveries", "auc", "calibration")
MODELS = ("split", "accuracy", "indices", "similar", "change")
AMOUNTS = (
    "mean", "quartiles", "difference", "standardised", "tolerance-amount", "range-amount", "verdict", "p-amount",
    "didi",
)  # fmt: skip
AMOUNT_MODELS = ("split", "error", "r2", "bias", "change")


def definitions(
    *,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    strata: bool = False,
    errors: bool = False,
    kinds: Sequence[RemedyKind] = (),
) -> Terms:
    """Return words and their meanings where shares are compared; `kinds` are the remedies that were tried."""
    names = (*SHARES, *(["strata"] if strata else []), *(ERRORS if errors or kinds else []))
    return _explained((*names, *(MODELS if kinds else [])), tolerance_text(tolerance), confidence, kinds)


def amount_definitions(
    *,
    tolerance: float | None = None,
    confidence: float = USUAL_CONFIDENCE,
    strata: bool = False,
    similar: bool = False,
    errors: bool = False,
    kinds: Sequence[OnAmounts] = (),
) -> Terms:
    """Return words and their meanings where amounts are compared; `kinds` are the remedies that were tried."""
    names = (*AMOUNTS, *(["dtdi"] if similar or kinds else []), *(["strata-amount"] if strata else []))
    limit = share_text(TOLERATED_DEVIATIONS, digits=0)
    return _explained((*names, *(AMOUNT_MODELS if kinds else [])), limit, confidence, kinds)


def _explained(names: Sequence[str], limit: str, confidence: float, kinds: Sequence[RemedyKind | OnAmounts]) -> Terms:
    args: dict[str, Argument] = {
        "limit": Phrase(limit),
        "level": Phrase(confidence_text(confidence)),
        "inner": Phrase(confidence_text(max(2 * confidence - 1, 0.0))),
    }
    words = [(say(Message(f"term-{name}")), say(Message(f"term-{name}-means", args))) for name in names]
    return tuple(dict.fromkeys([*words, *(word for kind in kinds for word in kind.definitions())]))
