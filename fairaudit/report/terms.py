"""The words of a report and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.measure.means import TOLERATED_DEVIATIONS
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present.numbers import confidence_text, share_text, tolerance_text

if TYPE_CHECKING:
    from fairaudit.remedies.section import AnyRemedy

Terms = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class TermNames:
    """The keys of the words of a kind of decision, by what a report holds."""

    usual: tuple[str, ...]
    models: tuple[str, ...]
    strata: tuple[str, ...]
    similar: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    deviations: float | None = None
    """Deviations that are tolerated where no tolerance is set; None where one always is."""


TERMS = {
    SHARES: TermNames(
        usual=("favourable", "gap", "ratio", "tolerance", "range", "verdict", "p"),
        strata=("strata",),
        errors=("counts", "rates", "discoveries", "auc", "calibration"),
        models=("split", "accuracy", "indices", "similar", "change"),
    ),
    AMOUNTS: TermNames(
        usual=(
            "mean", "quartiles", "difference", "standardised", "tolerance-amount", "range-amount", "verdict",
            "p-amount", "didi",
        ),
        similar=("dtdi",),
        strata=("strata-amount",),
        models=("split", "error", "r2", "bias", "change"),
        deviations=TOLERATED_DEVIATIONS,
    ),
}  # fmt: skip


def definitions(
    outcome: OutcomeKind = SHARES,
    *,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    strata: bool = False,
    similar: bool = False,
    errors: bool = False,
    kinds: Sequence[AnyRemedy] = (),
) -> Terms:
    """Return words and their meanings for a kind of decision; `kinds` are the remedies that were tried."""
    names, has_models = TERMS[outcome], bool(kinds)
    said = (
        *names.usual,
        *(names.similar if similar or has_models else ()),
        *(names.strata if strata else ()),
        *(names.errors if errors or has_models else ()),
        *(names.models if has_models else ()),
    )
    limit = tolerance_text(tolerance) if names.deviations is None else share_text(names.deviations, digits=0)
    args: dict[str, Argument] = {
        "limit": Phrase(limit),
        "level": Phrase(confidence_text(confidence)),
        "inner": Phrase(confidence_text(max(2 * confidence - 1, 0.0))),
    }
    words = [(say(Message(f"term-{name}")), say(Message(f"term-{name}-means", args))) for name in said]
    return tuple(dict.fromkeys([*words, *(word for kind in kinds for word in kind.definitions())]))
