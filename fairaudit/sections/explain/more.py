"""What stands under the answer: who was compared and how, whether a check agrees, and what could overturn it."""

from __future__ import annotations

import math

from fairaudit.audit.follow_up_results import ExplanationFinding
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Share, Word
from fairaudit.measure.explain.results import Estimate
from fairaudit.messages import say
from fairaudit.present.blocks import INTERVAL_OF, ColumnSpec, Kind, Table
from fairaudit.present.numbers import confidence_text, finite
from fairaudit.sections.explain.reading import can_be_overturned, methods_differ

_FINDING = ("result",)
_CHECKS = {
    "agrees": "explain-check-agrees",
    "disagrees": "explain-check-disagrees",
    "too_imprecise": "explain-check-imprecise",
}
_OVERTURNED = {
    (True, False): "explain-overturn-ratio",
    (True, True): "explain-overturn-not-by-ratio",
    (False, False): "explain-overturn-share",
    (False, True): "explain-overturn-not-by-share",
}
"""By whether shares are compared, and whether no column that is tried is strong enough."""
NOT_SAID = (
    Message("explain-not-said-columns", severity="caution"),
    Message("explain-not-said-right", severity="caution"),
    Message("explain-not-said-chance", severity="caution"),
)
NOT_SHOWN = Message("explain-not-shown-few", severity="caution")


def say_people(finding: ExplanationFinding) -> tuple[Message, ...]:
    """Say how many people of each group were compared."""
    found = finding.result
    is_hidden: bool = None in (found.n_protected, found.n_reference)
    if is_hidden:
        return ()
    sizes = {"n_protected": Count(found.n_protected), "n_others": Count(found.n_reference)}
    return (Message("explain-people", sizes | _groups(finding), "note", _FINDING),)


def say_method(finding: ExplanationFinding) -> tuple[Message, ...]:
    """Say how the gap was divided, and what the ranges allow for."""
    found = finding.result
    said = [Message("explain-method", {"model": Word(found.model)}, "note")]
    if found.model == "strata" and len(found.controls) > 1:
        said.append(Message("explain-method-orders", severity="note"))
    if found.reference == "similar":
        said.append(Message("explain-method-similar", severity="note"))
    else:
        valued = _groups(finding) | {"reference": Word(found.reference)}
        said += [
            Message("explain-method-reference", valued, "note"),
            Message("explain-other-average", severity="note"),
        ]
    if found.adjusted_gap.cluster is not None:
        said.append(Message("explain-clustered", {"column": Phrase(found.adjusted_gap.cluster)}, "note"))
    return tuple(said)


def methods_table(finding: ExplanationFinding, number: int) -> Table:
    """Return what is left by this method and by others, a row each."""
    found, held = finding.result, finding.result.adjusted_gap
    kind: Kind = "points" if finding.decision.kind.has_good_outcome else "difference"
    columns = (
        ColumnSpec("method", "method", "text", "How it is worked out."),
        ColumnSpec("left", "what is left", kind, "Of the gap, the protected group first.", turns=True),
        ColumnSpec(
            "interval", f"likely range ({confidence_text(found.confidence)})", INTERVAL_OF[kind], "Of that.", turns=True
        ),
    )
    names = [Message("explain-method-here", {"model": Word(found.model)})]
    names.append(Message("explain-method-model", {"model": Word(held.model)}))
    figures = [found.unexplained, Estimate(held.value, held.interval)]
    if held.doubly_robust is not None:
        names.append(Message("explain-method-crossed"))
        figures.append(held.doubly_robust)
    rows = tuple(
        (say(name), finite(each.value), tuple(each.interval)) for name, each in zip(names, figures, strict=True)
    )
    return Table(
        f"explanation_{number}_methods",
        say(Message("explain-methods")),
        columns,
        rows,
        is_turned=finding.names.of_unfavorable,
    )


def say_agreement(finding: ExplanationFinding) -> tuple[Message, ...]:
    """Say whether a second computation agrees with the model that is held against the answer."""
    key = _CHECKS.get(finding.result.adjusted_gap.check or "")
    return () if key is None else (Message(key, severity="note", reveals=_FINDING),)


def say_overturning(finding: ExplanationFinding) -> tuple[Message, ...]:
    """Say how strong a missing column would have to be to take away what is left."""
    found = finding.result
    sensitivity, held = found.sensitivity, found.adjusted_gap
    is_hidden: bool = held.value is None
    if is_hidden:
        return (NOT_SHOWN,)
    if methods_differ(found):
        return (Message("explain-overturn-differ", severity="note", reveals=_FINDING),)
    if not can_be_overturned(found):
        return (Message("explain-overturn-nothing", severity="note", reveals=_FINDING),)
    is_share = finding.decision.kind.has_good_outcome
    is_beyond = math.isinf(sensitivity.touches_zero)
    strength = float(sensitivity.curve["strength"].iloc[-1]) if is_beyond else sensitivity.touches_zero
    written: Argument = Amount(strength, 1) if is_share else Share(strength)
    said = [Message(_OVERTURNED[is_share, is_beyond], {"strength": written}, "note", _FINDING)]
    if sensitivity.strongest is not None and math.isfinite(sensitivity.times):
        times: dict[str, Argument] = {"times": Amount(sensitivity.times, 1)}
        times["column"] = Phrase(sensitivity.strongest)
        said.append(Message("explain-overturn-times", times, "note", _FINDING))
    return tuple(said)


def _groups(finding: ExplanationFinding) -> dict[str, Argument]:
    return {"protected": finding.names.protected, "others": finding.names.others}
