"""What searches found in the shape of all results: verdict, headline, lead, caution; and what stands under *More*."""

from __future__ import annotations

import math

from fairaudit.audit.result import InspectionFinding
from fairaudit.defaults import USUAL_TOLERANCE
from fairaudit.errors import require
from fairaudit.findings import Amount, Argument, Count, Message, Points, Said, Share, Word
from fairaudit.measure.inspections.results import HitRateGap, VeilGap
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.verdicts import GAPS
from fairaudit.messages import say, say_whole
from fairaudit.plan.questions import InspectionPlan
from fairaudit.sections.searches.reading import (
    Basis,
    Model,
    SearchesReading,
    Within,
    called,
    digits_of,
    find_rows,
    is_hidden,
    levels,
    rate_of,
    read_searches,
    tolerance_of,
    veil_gap,
)

Args = dict[str, Argument]
_OUTCOME, _THRESHOLDS, _VEIL = ("outcome",), ("outcome", "thresholds"), ("veil",)
HEADLINES: dict[tuple[Basis, str], str] = {
    ("thresholds", "clear_gap"): "searches-headline-weaker",
    ("thresholds", "gap_size_unclear"): "searches-headline-weaker-perhaps",
    ("thresholds", "no_gap_above_tolerance"): "searches-headline-same",
    ("thresholds", "too_few_to_tell"): "searches-headline-grounds-open",
    ("finds", "clear_gap"): "searches-headline-finds",
    ("finds", "gap_size_unclear"): "searches-headline-finds-perhaps",
    ("finds", "no_gap_above_tolerance"): "searches-headline-finds-same",
    ("finds", "too_few_to_tell"): "searches-headline-finds-open",
}
"""By what is compared, and verdict."""
VERDICTS_WITHIN: dict[Within, str] = {
    "both": "verdict-turns-around-within",
    "turned": "verdict-turns-around-within",
    "gone": "verdict-gap-overall-none-within",
    "only": "verdict-gap-only-within",
}
LEADS_WITHIN: dict[Within, str] = {
    "both": "check-lead-within-both",
    "turned": "searches-lead-turned",
    "gone": "searches-lead-gone",
    "only": "searches-lead-only",
    "open": "check-lead-within-few",
}
"""Where similar cases say otherwise than all."""
MODELS: dict[Model, str] = {
    "fits": "searches-model-fits",
    "rough": "searches-model-rough",
    "does_not_fit": "searches-model-unfit",
}
NOT_SAID = ("searches-not-meant", "searches-not-written", "searches-not-alike")
MISLEADS = ("searches-misleads-average", "searches-misleads-apart", "searches-misleads-grounds")
ASSUMES = ("searches-assumes-looks", "searches-assumes-places", "searches-assumes-kinds")
VEIL_ASSUMES = ("searches-veil-darkness", "searches-veil-breaks", "searches-veil-not-why")
"""What answers rest on, and what they do not say."""


def say_searches(finding: InspectionFinding) -> Said:
    """Say whether one group was searched on weaker grounds; where small counts are hidden, that it is not shown."""
    reading = read_searches(finding)
    if reading.verdict == "not_shown":
        hidden = (Message("searches-not-shown-few"), Message("searches-not-shown-leave"))
        return Said(Message("verdict-not-shown"), Message("check-headline-not-shown"), hidden)
    if reading.verdict == "nothing_to_compare":
        verdict = Message("verdict-nothing-to-compare", reveals=_OUTCOME)
        return Said(verdict, Message("searches-headline-nothing", reveals=_OUTCOME), (), _caution(reading))
    args = _args(finding, reading)
    reveals = _THRESHOLDS if reading.basis == "thresholds" else _OUTCOME
    headline = Message(_headline(reading), args, reveals=reveals)
    lead = _grounds(finding, reading, args) if reading.basis == "thresholds" else _finds(finding, reading, args)
    return Said(_verdict(reading, args), headline, lead, _caution(reading))


def answer_text(finding: InspectionFinding) -> str:
    """Return verdict, headline and lead as a paragraph."""
    return say_whole(say_searches(finding))


def line(finding: InspectionFinding) -> str:
    """Return the answer as `run` prints it."""
    said = say_searches(finding)
    begun = Message("searches-line", {"verdict": said.verdict, "headline": said.headline})
    return say((begun, *said.lead))


def say_model(finding: InspectionFinding) -> tuple[Message, ...]:
    """Say whether the model of grounds fits, and by how much it misses."""
    checks, reading = require(finding.thresholds).checks, read_searches(finding)
    args: Args = {
        "looks": Points(checks.search_rate_error, 1),
        "finds": Points(checks.hit_rate_error, 1),
        "share": Share(checks.search_rates_within),
        "rest": Share(checks.hit_rates_within),
    }
    keys = [MODELS[require(reading.model)], "searches-model-off", "searches-model-within"]
    if checks.placebo is not None:
        placebo = checks.placebo
        args |= {
            "shuffles": Count(placebo.n_shuffles),
            "n": Count(placebo.n_different),
            "total": Count(placebo.n_comparisons),
            "largest": Points(placebo.largest, 1),
        }
        keys += ["searches-model-placebo", "searches-model-placebo-none"]
    return tuple(Message(each, args, "note", _THRESHOLDS) for each in keys)


def say_places(finding: InspectionFinding) -> tuple[Message, ...]:
    """Say in how many places the group that the answer is about was searched on weaker grounds."""
    reading = read_searches(finding)
    if reading.basis != "thresholds" or reading.leading is None:
        return ()
    row = next(row for row in require(finding.thresholds).gaps.itertuples() if row.group == reading.leading.group)
    args: Args = {
        "group": called(finding, row.group),
        "n": Count(row.n_lower),
        "total": Count(row.n_locations),
        "lower": Count(row.n_clearly_lower),
        "higher": Count(row.n_clearly_higher),
    }
    return (Message("searches-places", args, "note", _THRESHOLDS),)


def say_veil(finding: InspectionFinding) -> tuple[Message, ...]:
    """Say whether a group was stopped more where it could be seen; nothing where that is not asked or hidden."""
    if finding.veil is None or is_hidden(finding):
        return ()
    veil, gap, args = finding.veil, veil_gap(finding), _veil_args(finding)
    key = f"searches-veil-{_veil_side(gap)}"
    said = [Message(key, args, reveals=_VEIL), say_veil_shares(finding), *_veil_ratio(gap)]
    counts: Args = {"n": Count(veil.n_light), "dark": Count(veil.n_dark), "rows": Count(veil.n_rows)}
    only = require(finding.plan.veil).acted_only
    said.append(Message("searches-veil-acted" if only else "searches-veil-rows", counts, reveals=_VEIL))
    return tuple(said)


def say_veil_alone(finding: InspectionFinding) -> Said:
    """Say the same where nothing else was asked."""
    gap, args = veil_gap(finding), _veil_args(finding)
    verdict = Message(f"verdict-{gap.verdict.replace('_', '-')}", reveals=_VEIL)
    headline = Message(f"searches-veil-headline-{_veil_side(gap)}", args, reveals=_VEIL)
    lead = [say_veil_shares(finding), *_veil_ratio(gap)]
    return Said(verdict, headline, tuple(lead), tuple(Message(each, severity="note") for each in VEIL_ASSUMES[:2]))


def say_veil_shares(finding: InspectionFinding) -> Message:
    """Say which share a group has of those stopped in light, and in darkness."""
    return Message("searches-veil-shares", _veil_args(finding), reveals=_VEIL)


def _veil_args(finding: InspectionFinding) -> Args:
    gap = veil_gap(finding)
    return {
        "group": called(finding, gap.name),
        "others": called(finding, require(require(finding.veil).reference)),
        "verb": finding.verb,
        "light": Share(gap.share_light),
        "dark": Share(gap.share_dark),
    }


def _veil_side(gap: VeilGap) -> str:
    """Return which of the sentences on light and darkness holds."""
    if gap.verdict in GAPS:
        return "more" if gap.odds_ratio > 1 else "less"
    return "alike" if gap.verdict == "no_gap_above_tolerance" else "open"


def _veil_ratio(gap: VeilGap) -> tuple[Message, ...]:
    if not (math.isfinite(gap.odds_ratio) and all(map(math.isfinite, gap.interval))):
        return ()
    low, high = gap.interval
    ratio: Args = {"ratio": Amount(gap.odds_ratio, 2), "low": Amount(low, 2), "high": Amount(high, 2)}
    return (Message("searches-veil-ratio", ratio, reveals=_VEIL),)


def pair_of(finding: InspectionFinding) -> Args:
    """Return what the two groups are called that the answer is about, the second one that others are compared with."""
    row, reference = require(read_searches(finding).leading), require(finding.outcome.reference)
    return {"group": called(finding, row.group), "other": called(finding, reference)}


def limit_of(finding: InspectionFinding) -> Argument:
    """Return the tolerance by which the answer is judged."""
    return Quantity("share", 0).limit(tolerance_of(finding, read_searches(finding).basis))


def say_range(finding: InspectionFinding) -> Message | None:
    """Say how large the gap is and may be; nothing where no range is known, or it may be none."""
    reading = read_searches(finding)
    row, quantity = require(reading.leading), Quantity("share", 0)
    if not all(map(math.isfinite, (row.difference, row.low, row.high))) or row.low <= 0 <= row.high:
        return None
    limit = tolerance_of(finding, reading.basis)
    low, high = (quantity.end_beside(end, limit) for end in sorted((abs(row.low), abs(row.high))))
    level, digits = levels(finding, reading.basis), digits_of(finding, reading)
    pair = [round(100 * level[name][0], digits) for name in (row.group, require(finding.outcome.reference))]
    states = math.isclose(abs(pair[0] - pair[1]), round(100 * abs(row.difference)))
    args: Args = {"quantity": Word("share"), "gap": quantity.size(row.difference), "low": low, "high": high}
    reveals = _THRESHOLDS if reading.basis == "thresholds" else _OUTCOME
    return Message("check-range", args | {"states_gap": Word("yes" if states else "no")}, reveals=reveals)


def notes(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return sentences that hold for all searches."""
    return tuple(say(Message(key, severity="note")) for key in keys)


def _headline(reading: SearchesReading) -> str:
    if reading.within == "both":
        return "searches-headline-both"
    return "searches-headline-only" if _is_within_only(reading) else HEADLINES[reading.basis, reading.verdict]


def _is_within_only(reading: SearchesReading) -> bool:
    """Say whether the answer is about a gap that similar cases alone have."""
    return reading.within == "only" or (reading.within == "turned" and reading.verdict not in GAPS)


def _verdict(reading: SearchesReading, args: Args) -> Message:
    if reading.within in VERDICTS_WITHIN:
        return Message(VERDICTS_WITHIN[reading.within], args, reveals=_OUTCOME)
    reveals = _THRESHOLDS if reading.basis == "thresholds" else _OUTCOME
    return Message(f"verdict-{reading.verdict.replace('_', '-')}", reveals=reveals)


def _args(finding: InspectionFinding, reading: SearchesReading) -> Args:
    row, reference = require(reading.leading), require(finding.outcome.reference)
    lower, higher = (row.group, reference) if row.difference < 0 else (reference, row.group)
    level, digits = levels(finding, reading.basis), digits_of(finding, reading)
    tolerance = tolerance_of(finding, reading.basis)
    default = InspectionPlan.model_fields["threshold_tolerance"].default
    is_set = tolerance != (default if reading.basis == "thresholds" else USUAL_TOLERANCE)
    ends = sorted((abs(row.low), abs(row.high)))
    args: Args = {
        "lower": called(finding, lower),
        "higher": called(finding, higher),
        "verb": finding.verb,
        "share": Share(level[lower][0], digits),
        "rest": Share(level[higher][0], digits),
        "groups": Word("two" if len(reading.rows) == 1 else "many"),
        "n": Count(len(reading.rows)),
        "quantity": Word("share"),
        "limit": Quantity("share", 0).limit(tolerance),
        "allowed": Word("set" if is_set else "proposed"),
        "low": Points(ends[0] if row.low * row.high > 0 else abs(row.low)),
        "high": Points(ends[1] if row.low * row.high > 0 else abs(row.high)),
        "both": Word("yes" if row.low * row.high <= 0 else "no"),
        "direction": Word("less" if row.high <= 0 else "more"),
        "group": called(finding, row.group),
        "reference": called(finding, reference),
    }
    if reading.basis == "finds" and math.isfinite(inside := _gap(finding, row.group).common_difference):
        side = row.group if inside < 0 else reference
        args |= {"lower_inside": called(finding, side), "size": Points(abs(inside))}
        args |= {"side": Word("less" if inside < 0 else "more")}
    return args if finding.similar is None else args | {"similar": finding.similar}


def _gap(finding: InspectionFinding, group: str) -> HitRateGap:
    return next(gap for gap in finding.outcome.gaps if gap.name == group)


def _grounds(finding: InspectionFinding, reading: SearchesReading, args: Args) -> tuple[Message, ...]:
    lead = [Message("searches-lead-grounds", args, reveals=_THRESHOLDS)]
    found = {row.group: row.verdict for row in find_rows(finding.outcome)}
    row, reference = require(reading.leading), require(finding.outcome.reference)
    if reading.verdict in GAPS and found[row.group] not in GAPS:
        pair_of = (row.group, reference) if row.difference < 0 else (reference, row.group)
        rates = (rate_of(finding, name).hits.ratio for name in pair_of)
        pair = dict(zip(("share", "rest"), map(Share, rates), strict=True))
        lead.append(Message("searches-lead-hidden", args | pair, reveals=_OUTCOME))
    return (*lead, _how_sure(reading, args, _THRESHOLDS))


def _finds(finding: InspectionFinding, reading: SearchesReading, args: Args) -> tuple[Message, ...]:
    lead = [Message("searches-lead-finds", args, reveals=_OUTCOME)]
    if reading.within is not None:
        key = LEADS_WITHIN["only" if _is_within_only(reading) else reading.within]
        return (*lead, _how_sure(reading, args, _OUTCOME), Message(key, args, reveals=_OUTCOME))
    if reading.verdict in GAPS:
        lead.append(Message("searches-lead-suggests", args, reveals=_OUTCOME))
    elif finding.outcome.rates_disagree:
        # Then finds do not answer the question, however sure they are.
        return (*lead, Message("searches-lead-disagree", args, reveals=_OUTCOME))
    return (*lead, _how_sure(reading, args, _OUTCOME))


def _how_sure(reading: SearchesReading, args: Args, reveals: tuple[str, ...]) -> Message:
    match reading.verdict:
        case "clear_gap":
            return Message("check-sure-clear", args, reveals=reveals)
        case "gap_size_unclear":
            return Message("check-sure-perhaps-small", args, reveals=reveals)
        case "no_gap_above_tolerance":
            return Message("check-sure-no-gap", args, reveals=reveals)
    key = "searches-sure-open-grounds" if reading.basis == "thresholds" else "searches-sure-open-finds"
    return Message(key, args, reveals=reveals)


def _caution(reading: SearchesReading) -> tuple[Message, ...]:
    if reading.basis == "thresholds":
        caution = [Message("searches-caution-model", severity="caution")]
    elif reading.model is not None:
        rough = reading.model == "rough"
        caution = [Message("searches-caution-rough" if rough else "searches-caution-unfit", severity="caution")]
    else:
        caution = [Message("searches-caution-finds", severity="caution")]
    if len(reading.rows) > 1:
        caution.append(Message("searches-caution-many", {"n": Count(len(reading.rows))}, "note"))
    return tuple(caution)
