"""Who bears the errors, in the shape of all results; its table, what errors cost, and what a score means."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from fairaudit.audit.result import CheckFinding, ErrorsFinding
from fairaudit.disclosure.fields import Field
from fairaudit.errors import require
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Points, Said, Share, Word
from fairaudit.measure.limits import digits_beside
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.results import ScoreComparison
from fairaudit.measure.scores import points_the_wrong_way
from fairaudit.measure.strata import common_difference
from fairaudit.measure.verdicts import GAPS, ShownVerdict, Verdict, verdict_by_intervals
from fairaudit.messages import say, say_verdicts, say_whole
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.cases import say_weighted
from fairaudit.present.errors import with_group
from fairaudit.present.numbers import NOT_SHOWN
from fairaudit.present.verdicts import Chip
from fairaudit.sections.errors.levels import say_level_errors
from fairaudit.sections.errors.reading import (
    ErrorReading,
    ErrorsReading,
    GroupRate,
    group_name,
    levels_of,
    metric_of,
    read_errors,
)

Args = dict[str, Argument]
_ERRORS = ("errors",)
_LONGEST = 40
HEADLINES = {
    "repeats": "errors-headline-repeats",
    "one_group": "errors-headline-one-group",
    "no_prediction": "errors-headline-no-prediction",
    "not_shown": "errors-headline-not-shown",
}
"""Where nothing is compared, by why."""
_STRONGEST: tuple[ShownVerdict, ...] = (*GAPS, "no_gap_above_tolerance", "too_few_to_tell")
LEADS = {"repeats": "errors-lead-repeats", "no_prediction": "errors-lead-no-prediction"}
FIGURES = {"flagged": "errors-lead-flagged", "missed": "errors-lead-missed"}
RANGES = {"flagged": "errors-lead-flagged-range", "missed": "errors-lead-missed-range"}


def say_errors(finding: ErrorsFinding) -> Said:
    """Say who is wrongly flagged and wrongly missed; of one whose small counts are hidden, what is left of it."""
    reading = read_errors(finding)
    if reading.state != "compared":
        verdict = "verdict-not-shown" if reading.state == "not_shown" else "verdict-nothing-to-compare"
        why = tuple(Message(LEADS[state]) for state in (reading.state,) if state in LEADS)
        return Said(Message(verdict, reveals=_ERRORS), Message(HEADLINES[reading.state], reveals=_ERRORS), why)
    if (levels := levels_of(finding)) is not None:
        return say_level_errors(finding, levels, reading)
    verdicts = _verdicts(reading)
    lead = (*_figures(finding, reading), *_how_sure(finding, reading))
    return Said(verdicts[0], _headline(finding, reading), lead, _caution(finding, reading), also=verdicts[1:])


def answer_text(finding: ErrorsFinding) -> str:
    """Return the answer as one paragraph."""
    return say_whole(say_errors(finding))


def errors_title(finding: ErrorsFinding) -> str:
    """Return what a question is about, in short."""
    return say(Message("errors-title", {"by": Phrase(", ".join(finding.plan.by))}))


def has_clear_gap(finding: ErrorsFinding) -> bool:
    """Say whether either error has a clear gap."""
    return "clear_gap" in read_errors(finding).verdicts


def errors_chips(answer: CheckFinding, judged: Sequence[ErrorsFinding]) -> tuple[Chip, ...]:
    """Return what stands beside the verdict of an answer: clear gaps in the errors made among the same rows."""
    clear = [
        found
        for found in judged
        if found.errors is not None and found.errors.where == answer.result.where and has_clear_gap(found)
    ]
    names = dict.fromkeys(naming.shorten(", ".join(found.plan.by)) for found in clear)
    return tuple(Chip(say(Message("errors-beside", {"by": Phrase(name)})), "gap") for name in names)


def say_alone(plan: AuditPlan, *, has_errors: bool) -> tuple[Message, ...]:
    """Say that an answer compares the outcome itself, where the audit has a prediction or a score; else nothing."""
    if not plan.decision_is_outcome or (plan.prediction or plan.score) is None:
        return ()
    return (Message("errors-alone-see" if has_errors else "errors-alone", severity="note"),)


def how_computed(finding: ErrorsFinding, least: int) -> tuple[Message, ...]:
    """Say how the answer is computed."""
    if levels_of(finding) is not None:
        return (
            Message("level-errors-computed", severity="note"),
            Message("level-errors-computed-test", severity="note"),
            Message("level-errors-computed-levels", severity="note"),
            Message("errors-computed-few", {"n": Count(least)}, "note"),
        )
    return (
        *say_weighted(finding.design),
        Message("errors-computed-rates", severity="note"),
        Message("errors-computed-missed", severity="note"),
        Message("errors-computed-few", {"n": Count(least)}, "note"),
        Message("errors-computed-test", severity="note"),
        Message("errors-computed-names", severity="note"),
    )


def _verdicts(reading: ErrorsReading) -> tuple[Message, ...]:
    """Return one verdict for both errors where they agree, else one for each."""
    if len(set(reading.verdicts)) == 1:
        return (Message(f"verdict-{_dashed(reading.verdicts[0])}", reveals=_ERRORS),)
    return tuple(
        Message(
            "errors-verdict",
            {"error": Word(error.kind), "verdict": Message(_reading_key(error.verdict))},
            reveals=_ERRORS,
        )
        for error in reading.errors
    )


def say_reading(error: ErrorReading) -> Message:
    """Say in a word or two what may be read of an error."""
    return Message(_reading_key(error.verdict), reveals=_ERRORS)


def say_range(finding: ErrorsFinding, error: ErrorReading) -> Message | None:
    """Say how large the gap between the named groups is and may be; nothing where it may be none."""
    if error.gap is None or error.interval is None or error.interval[0] <= 0:
        return None
    quantity = Quantity("share", 0)
    low, high = (quantity.end_beside(end, finding.plan.tolerance) for end in error.interval)
    own, rest = (error.rate_of(group or "").share or 0.0 for group in (error.worst, error.other))
    states = round(100 * own) - round(100 * rest) == round(100 * error.gap)
    args: Args = {"error": Word(error.kind), "quantity": Word("share"), "gap": quantity.size(error.gap)}
    args |= {"low": low, "high": high, "states_gap": Word("yes" if states else "no")}
    return Message("errors-likely", args, reveals=_ERRORS)


def _dashed(verdict: ShownVerdict) -> str:
    return verdict.replace("_", "-")


def _reading_key(verdict: ShownVerdict) -> str:
    return f"reading-{_dashed(verdict)}"


def _headline(finding: ErrorsFinding, reading: ErrorsReading) -> Message:
    # The stronger claim is made, and the other error has its own chip.
    strongest: ShownVerdict = next(each for each in _STRONGEST if each in reading.verdicts)
    said = [error for error in reading.errors if error.verdict == strongest]
    named = [error for error in said if error.worst is not None]
    if strongest == "too_few_to_tell":
        return Message("errors-headline-too-few", reveals=_ERRORS)
    if strongest == "no_gap_above_tolerance":
        return _alike(finding, said)
    if len(said) == 2 and len(named) == 2 and strongest == "clear_gap" and (both := _both(finding, said)) is not None:
        return both
    if not named:
        return Message("errors-headline-unequal", {"error": Word(said[0].kind)}, reveals=_ERRORS)
    return _one(finding, named[0], strongest)


def _both(finding: ErrorsFinding, said: Sequence[ErrorReading]) -> Message | None:
    """Return one sentence for clear gaps in both errors; None where none says both."""
    flagged, missed = said
    many = len(flagged.compared) > 2 or len(missed.compared) > 2
    same, turned = flagged.worst == missed.worst, flagged.worst == missed.other and flagged.other == missed.worst
    if not many:
        key = "errors-headline-more-both" if same else "errors-headline-more-less"
        return _named_message(finding, key, flagged)
    if same and flagged.is_most and missed.is_most:
        return _named_message(finding, "errors-headline-most-both", flagged)
    if flagged.is_most and flagged.worst == missed.other and missed.is_least:
        return _named_message(finding, "errors-headline-most-least", flagged)
    if missed.is_most and missed.worst == flagged.other and flagged.is_least:
        return _named_message(finding, "errors-headline-most-least", missed)
    if same and flagged.other == missed.other:
        return _named_message(finding, "errors-headline-more-both", flagged)
    if turned:
        return _named_message(finding, "errors-headline-more-less", flagged)
    if flagged.is_most and missed.is_most:
        names = {"first": _name(finding, flagged.worst), "second": _name(finding, missed.worst)}
        return Message("errors-headline-two", names, reveals=_ERRORS)
    return None


def _one(finding: ErrorsFinding, error: ErrorReading, verdict: ShownVerdict) -> Message:
    if verdict == "gap_size_unclear":
        return _named_message(finding, "errors-headline-more-perhaps-small", error)
    is_most = error.is_most and len(error.compared) > 2
    return _named_message(finding, "errors-headline-most" if is_most else "errors-headline-more", error)


def _alike(finding: ErrorsFinding, said: Sequence[ErrorReading]) -> Message:
    of_two = len(said[0].compared) == 2
    if len(said) == 2:
        key = "errors-headline-alike-two" if of_two else "errors-headline-alike"
    else:
        key = "errors-headline-alike-two-one" if of_two else "errors-headline-alike-one"
    return _named_message(finding, key, said[0])


def _named_message(finding: ErrorsFinding, key: str, error: ErrorReading) -> Message:
    args: Args = {"error": Word(error.kind)}
    if error.worst is not None:
        args |= {"group": _name(finding, error.worst), "other": _name(finding, error.other)}
    return Message(key, args, reveals=_ERRORS)


def _name(finding: ErrorsFinding, group: str | None) -> Argument:
    return group_name(finding, group or "")


def _figures(finding: ErrorsFinding, reading: ErrorsReading) -> tuple[Message, ...]:
    flagged, missed = reading.errors
    pair = {flagged.worst, flagged.other}
    if any(pair == {*other} for other in missed.apart):
        # The same two groups, in the same order in both sentences.
        return (
            _shares(finding, flagged, flagged.worst, flagged.other),
            _shares(finding, missed, flagged.worst, flagged.other, key="errors-lead-missed-same"),
        )
    return tuple(_figure(finding, error) for error in reading.errors)


def _figure(finding: ErrorsFinding, error: ErrorReading) -> Message:
    if error.worst is not None:
        return _shares(finding, error, error.worst, error.other)
    shares = [rate.share for rate in error.compared if rate.share is not None]
    args = _people(finding, error)
    if len(shares) < 2:
        return Message("errors-lead-few", args | {"error": Word(error.kind)}, reveals=_ERRORS)
    fewer, more = min(shares), max(shares)
    digits = next((d for d in range(2) if round(100 * fewer, d) != round(100 * more, d)), None)
    ends: Args = {
        "fewer": Share(fewer, digits or 0),
        "more": Share(more, digits or 0),
        "spread": Word("none" if digits is None else "some"),
    }
    return Message(RANGES[error.kind], args | ends, reveals=_ERRORS)


def _shares(
    finding: ErrorsFinding, error: ErrorReading, group: str | None, other: str | None, *, key: str | None = None
) -> Message:
    own, rest = error.rate_of(group or "").share or 0.0, error.rate_of(other or "").share or 0.0
    # Near the tolerance, figures have the digits that show the side.
    digits = digits_beside(100 * abs(own - rest), [100 * finding.plan.tolerance], digits=0)
    digits = 1 if digits is None else digits
    args: Args = {
        "group": _name(finding, group),
        "other": _name(finding, other),
        "share": Share(own, digits),
        "rest": Share(rest, digits),
    }
    return Message(key or FIGURES[error.kind], _people(finding, error) | args, reveals=_ERRORS)


def _people(finding: ErrorsFinding, error: ErrorReading) -> Args:
    names = finding.names
    happened = names.not_happened if error.kind == "flagged" else names.happened
    return {"happened": happened, "flagged": names.flagged}


def _how_sure(finding: ErrorsFinding, reading: ErrorsReading) -> tuple[Message, ...]:
    args: Args = {"limit": Quantity("share", 0).limit(finding.plan.tolerance)}
    match set(reading.verdicts):
        case found if found == {"clear_gap"}:
            return ()
        case found if "clear_gap" in found:
            key = "errors-sure-clear-one"
        case found if "gap_size_unclear" in found and len(found) > 1:
            key = "errors-sure-small-one"
        case found if found == {"gap_size_unclear"}:
            key = "errors-sure-small"
        case found if found == {"no_gap_above_tolerance"}:
            key = "errors-sure-alike"
        case found if found == {"too_few_to_tell"} and any(len(error.compared) > 1 for error in reading.errors):
            key = "errors-sure-open"
        case found if found == {"no_gap_above_tolerance", "too_few_to_tell"}:
            [few] = [error for error in reading.errors if error.verdict == "too_few_to_tell"]
            args |= {"error": Word(few.kind)}
            key = "errors-sure-open-one"
        case _:
            return ()
    return (Message(key, args, reveals=_ERRORS),)


def _caution(finding: ErrorsFinding, reading: ErrorsReading) -> tuple[Message, ...]:
    found: list[Message] = []
    if finding.scores is not None and points_the_wrong_way(finding.scores.auc):
        return (Message("errors-wrong-way", {}, "caution", ("scores",)),)
    if not finding.is_outcome:
        found.append(Message("errors-against-decision", severity="caution"))
    elif set(reading.verdicts) & set(GAPS):
        found.append(Message("errors-not-why", severity="note"))
    if reading.has_hidden:
        found.append(Message("errors-hidden", severity="caution"))
    if finding.levels is not None:
        found.append(Message("level-errors-not-shown", severity="note"))
    return tuple(found)


def line(finding: ErrorsFinding) -> str:
    """Return the answer as `run` prints it."""
    said = say_errors(finding)
    args: Args = {"by": Phrase(", ".join(finding.plan.by)), "verdict": Phrase(say_verdicts(said))}
    return say((Message("errors-line", {**args, "headline": said.headline}), *said.lead))


# Both errors of each group with their ranges, and what may be read there.


def standing_table(finding: ErrorsFinding, number: int) -> TableBlock:
    """Return how often each group is wrongly flagged and wrongly missed, against the group that is named."""
    errors, has_hidden = read_errors(finding).errors, read_errors(finding).has_hidden
    columns = [Field("group", say(Message("errors-column-group")), "text")]
    for error in errors:
        kind = {
            "error": Word(error.kind),
            "has_worst": Word("yes" if error.is_worst_known(has_hidden=has_hidden) else "no"),
        }
        columns += [
            Field(error.kind, say(Message("errors-column-share", kind)), "share"),
            Field(f"{error.kind}_range", say(Message("errors-column-range", kind)), "share_interval"),
            Field(f"{error.kind}_n", say(Message("errors-column-of", kind)), "count"),
            Field(f"{error.kind}_reading", say(Message("errors-column-reading", kind)), "text"),
        ]
    groups = [rate.group for rate in errors[0].groups]
    rows = tuple(
        (group, *(cell for error in errors for cell in _cells(error, group, has_hidden=has_hidden))) for group in groups
    )
    of_levels = levels_of(finding) is not None
    return TableBlock(
        f"errors_{number}_standing",
        say(Message("level-errors-table" if of_levels else "errors-table")),
        tuple(columns),
        rows,
        note=say(Message("level-errors-note" if of_levels else "errors-table-note")),
    )


def _cells(error: ErrorReading, group: str, *, has_hidden: bool) -> tuple[object, ...]:
    rate = error.rate_of(group)
    hidden = rate.n is None
    return (
        NOT_SHOWN if hidden else _or_nan(rate.share),
        (None, None) if hidden else (_or_nan(rate.low), _or_nan(rate.high)),
        NOT_SHOWN if hidden else rate.n,
        _reading(error, rate, has_hidden=has_hidden),
    )


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value


def _reading(error: ErrorReading, rate: GroupRate, *, has_hidden: bool) -> str:
    if rate.n is None:
        return say(Message("reading-not-shown"))
    if rate.is_few:
        return say(Message("reading-too-few-to-tell"))
    if rate.group == error.worse_off:
        known = error.is_worst_known(has_hidden=has_hidden)
        return say(Message("errors-reading-worst" if known else "errors-reading-reference"))
    return "" if rate.verdict is None else say(Message(f"reading-{rate.verdict.replace('_', '-')}"))


# What errors cost a person on average, by group, with the costs that the audit sets.

_COST = "average_error_cost"
_MOST_DIGITS = 5


def say_costs(finding: ErrorsFinding) -> tuple[Message, ...]:
    """Say which group errors cost most, where none is hidden and chance explains it of no other; else what they cost.

    It is about groups that are compared; nothing is said where that is hidden.
    """
    errors, costs = finding.errors, finding.costs
    if errors is None or costs is None:
        return ()
    reading = read_errors(finding)
    frame = with_group(costs).dropna(subset=[_COST])
    compared = {rate.group for error in reading.errors for rate in error.compared}
    shown = frame[frame["group"].map(str).isin(compared)]
    if shown.empty:
        return ()
    asked = finding.plan
    by_rate = {"fpr": asked.cost_false_positive, "fnr": asked.cost_false_negative}
    values = {str(row["group"]): float(row[_COST]) for _, row in shown.iterrows()}
    top, least, most = max(values, key=values.__getitem__), min(values.values()), max(values.values())
    digits = next((d for d in range(2, _MOST_DIGITS) if round(least, d) != round(most, d)), 2)
    args: dict[str, Argument] = {
        "one": Amount(by_rate[metric_of(errors, "flagged")], _digits(by_rate[metric_of(errors, "flagged")])),
        "another": Amount(by_rate[metric_of(errors, "missed")], _digits(by_rate[metric_of(errors, "missed")])),
        "group": group_name(finding, top),
        "fewer": Amount(least, digits),
        "first": Amount(most, digits),
        "spread": Word("none" if round(least, digits) == round(most, digits) else "some"),
        "hidden": Word("yes" if reading.has_hidden else "no"),
    }
    if reading.has_hidden:
        key = "errors-costs-range"
    elif least == most:
        key = "errors-costs-alike"
    else:
        key = "errors-costs" if _is_most(finding, top, list(values)) else "errors-costs-range"
    return (Message(key, args, reveals=("costs",)),)


BY_GROUP: Final[Mapping[str, Callable[[ErrorsFinding], tuple[Message, ...]]]] = {
    "costs": say_costs,
}


def say_by_group(finding: ErrorsFinding, name: str) -> tuple[Message, ...]:
    """Say what one of the frames by group comes to; nothing of one that speaks for itself."""
    return BY_GROUP[name](finding) if name in BY_GROUP else ()


def _is_most(finding: ErrorsFinding, top: str, groups: list[str]) -> bool:
    """Say whether errors cost a group more than each other one, beyond chance and allowing for all pairs of groups."""
    errors, asked = require(finding.errors), finding.plan
    mean, spread = {}, {}
    for place, row in enumerate(errors.counts.itertuples()):
        fp, fn, n = row.fp, row.fn, row.tp + row.fp + row.tn + row.fn
        if str(row.group) not in groups or not n:
            continue
        if errors.sampled is not None:
            # As many rows as the share of right predictions is worth.
            rates = {name: shares.value[place] for name, shares in errors.sampled.items()}
            n = errors.sampled["accuracy"].n[place]
            wrong, surplus = 1 - rates["accuracy"], rates["selection_rate"] - rates["base_rate"]
            fp, fn = n * (wrong + surplus) / 2, n * (wrong - surplus) / 2
        one, another = asked.cost_false_positive * fp, asked.cost_false_negative * fn
        mean[str(row.group)] = (one + another) / n
        squares = (asked.cost_false_positive * one + asked.cost_false_negative * another) / n
        spread[str(row.group)] = (squares - mean[str(row.group)] ** 2) / n
    n_pairs = len(groups) * (len(groups) - 1) / 2
    limit = NormalDist().inv_cdf(1 - (1 - errors.confidence) / (2 * max(n_pairs, 1)))
    others = [group for group in mean if group != top]
    return all(mean[top] - mean[group] > limit * math.sqrt(spread[top] + spread[group]) for group in others)


def _digits(cost: float) -> int:
    """Return the decimals that a cost was set with, at most three."""
    return next((digits for digits in range(3) if abs(round(cost, digits) - cost) < 1e-9), 3)


# Whether a score means the same in two groups, and how well it ranks people in each.

_SCORES = ("scores",)


@dataclass(frozen=True)
class ScoreReading:
    """What a score means in two groups.

    Parameters
    ----------
    group, other : str
        The two groups.
    verdict : Verdict
        On how many people have the outcome that is warned of, among people with the same score.
    gap : float
        The common difference of these shares over the bins of the score, the first group minus the other.
    ranked : tuple of float or None
        The area under the ROC curve in both groups; None where it is not defined.
    """

    group: str
    other: str
    verdict: Verdict
    gap: float
    ranked: tuple[float | None, float | None]


def read_score(finding: ErrorsFinding) -> ScoreReading | None:
    """Read what a score means in the two groups that the errors name, else in the two largest; None where hidden."""
    scores = finding.scores
    if scores is None or scores.calibration["group"].nunique() < 2:
        return None
    group, other = _pair(finding, scores)
    verdict, gap = _same_score(finding, scores, group, other)
    area = dict(zip(scores.auc["group"].map(str), scores.auc["auc"], strict=True))
    ranked = tuple(None if area.get(name) is None or math.isnan(area[name]) else float(area[name])
                   for name in (group, other))  # fmt: skip
    return ScoreReading(group, other, verdict, gap, (ranked[0], ranked[1]))


def say_calibration(finding: ErrorsFinding) -> tuple[Message, ...]:
    """Say whether the score means the same in two groups."""
    reading = read_score(finding)
    if reading is None:
        return ()
    said = Message(f"errors-score-{_means(reading)}", _score_args(finding, reading), reveals=_SCORES)
    return (said, Message("errors-score-name", severity="note"))


def say_score_alone(finding: ErrorsFinding) -> Said:
    """Say the same, and how well the score ranks, where nothing is flagged by it."""
    reading = read_score(finding)
    if reading is None:
        return say_errors(finding)
    args, means = _score_args(finding, reading), _means(reading)
    verdict = Message(f"verdict-{reading.verdict.replace('_', '-')}", reveals=_SCORES)
    headline = Message(f"errors-score-headline-{means}", args, reveals=_SCORES)
    by = (Message("errors-score-by", args, reveals=_SCORES),) if means == "differs" else ()
    ranking = tuple(message for message in say_ranking(finding) if message.severity != "note")
    return Said(verdict, headline, (*by, *ranking))


def _means(reading: ScoreReading) -> str:
    """Return which of the sentences on what a score means holds."""
    return {"no_gap_above_tolerance": "same", "too_few_to_tell": "open"}.get(reading.verdict, "differs")


def _score_args(finding: ErrorsFinding, reading: ScoreReading) -> dict[str, Argument]:
    return {
        "group": group_name(finding, reading.group),
        "other": group_name(finding, reading.other),
        "happened": finding.names.happened,
        "size": Points(abs(reading.gap)),
        "direction": Word("more" if reading.gap > 0 else "less"),
    }


def say_ranking(finding: ErrorsFinding) -> tuple[Message, ...]:
    """Say how well the score tells the outcomes apart in two groups."""
    reading = read_score(finding)
    if reading is None:
        return ()
    pairs = zip((reading.group, reading.other), reading.ranked, strict=True)
    known = [(group_name(finding, name), Count(round(100 * area))) for name, area in pairs if area is not None]
    said: list[Message] = []
    if len(known) == 2:
        (group, first), (other, second) = known
        named: dict[str, Argument] = {"group": group, "first": first, "other": other, "second": second}
        said.append(Message("errors-ranking", named, reveals=_SCORES))
    elif known:
        [(group, first)] = known
        said.append(Message("errors-ranking-alone", {"group": group, "first": first}, reveals=_SCORES))
    return (*said, Message("errors-ranking-name", severity="note"))


def _pair(finding: ErrorsFinding, scores: ScoreComparison) -> tuple[str, str]:
    named = [(error.worst, error.other) for error in read_errors(finding).errors if error.worst is not None]
    if named and {*named[0]} <= {*scores.groups}:
        return str(named[0][0]), str(named[0][1])
    sizes = scores.calibration.groupby("group", sort=False)["n"].sum()
    largest = [str(group) for group in sizes.sort_values(ascending=False, kind="stable").index]
    asked = [group for group in finding.names.protected if group in largest]
    first = next(iter([*asked, *largest]))
    return first, next(group for group in largest if group != first)


def _same_score(finding: ErrorsFinding, scores: ScoreComparison, group: str, other: str) -> tuple[Verdict, float]:
    frame = scores.calibration
    if scores.worth is not None:
        worth = np.array(scores.worth)
        frame = frame.assign(n=worth, positives=frame["observed"] * worth)
    wide = frame.assign(group=frame["group"].map(str)).pivot_table(
        index="bin", columns="group", values=["n", "positives"], aggfunc="sum", sort=False
    )
    if any((part, name) not in wide.columns for part in ("n", "positives") for name in (group, other)):
        return "too_few_to_tell", 0.0
    both = wide[[(part, name) for name in (group, other) for part in ("positives", "n")]].dropna()
    if both.empty:
        return "too_few_to_tell", 0.0
    own, own_n, rest, rest_n = both.to_numpy(dtype=float).T
    if scores.positive == "favorable":
        own, rest = own_n - own, rest_n - rest
    cells = np.stack([own, own_n, rest, rest_n], axis=1)
    confidence, limit = finding.plan.confidence, finding.plan.tolerance
    gap, ends = common_difference(cells, confidence)
    _, narrow = common_difference(cells, max(2 * confidence - 1, 0.0))
    if not all(map(math.isfinite, (gap, *ends, *narrow))):
        return "too_few_to_tell", 0.0
    return verdict_by_intervals(gap, ends, narrow, limit), gap
