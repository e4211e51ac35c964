"""What a search for alternatives found in the shape of all results, and its tables."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Self

from fairaudit.disclosure.fields import figure, setting
from fairaudit.disclosure.said import said_as_shown
from fairaudit.findings import Argument, Count, Message, Phrase, Points, Said, Share, Word
from fairaudit.measure.results import ControlledFairness, Interval
from fairaudit.messages import say, say_whole
from fairaudit.messages.verbs import would_verb
from fairaudit.plan.models import MODEL_WORDS
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import declared_by, record_table
from fairaudit.sections.alternatives.finding import (
    Alternative,
    AlternativesFinding,
    Cut,
    ModelInUse,
    NearlyBest,
    Origin,
)
from fairaudit.sections.alternatives.reading import (
    AlternativesReading,
    RowReading,
    is_hidden,
    quantity_of,
    read_alternatives,
)

Args = dict[str, Argument]
_FOUND = ("n_tried", "n_as_good", "n_unclear")
"""Of no answer all of these are None but where it is hidden: that nothing was found is an answer, too."""

READINGS: dict[RowReading, str] = {
    "smaller": "alternatives-reading-smaller",
    "chance": "alternatives-reading-chance",
    "no_smaller": "alternatives-reading-no-smaller",
    "less_good": "alternatives-reading-less-good",
}
VERDICTS = {
    "gap_smaller": "verdict-gap-smaller",
    "gap_may_not_have_changed": "verdict-gap-may-not-have-changed",
    "none_found": "verdict-none-found",
    "too_few_to_tell": "verdict-too-few-to-tell",
}
HEADLINES = {
    "gap_smaller": "alternatives-headline-smaller",
    "gap_may_not_have_changed": "alternatives-headline-chance",
    "none_found": "alternatives-headline-none",
    "too_few_to_tell": "alternatives-headline-few",
}


def say_alternatives(finding: AlternativesFinding) -> Said:
    """Say whether an equally good model has a smaller gap, or that it is not shown."""
    return said_as_shown(_say(finding), finding)


def _say(finding: AlternativesFinding) -> Said:
    reading = read_alternatives(finding)
    if reading.verdict == "not_shown":
        return Said(Message("verdict-not-shown"), Message("check-headline-not-shown"))
    args = shared_args(finding) | {"n": Count(len(reading.clear))}
    verdict = Message(VERDICTS[reading.verdict], reveals=_FOUND)
    key = HEADLINES[reading.verdict] if finding.in_use.tuned_gap else "alternatives-headline-no-gap"
    headline = Message(key, args, reveals=_FOUND)
    return Said(verdict, headline, _lead(finding, reading, args), _caution(finding, reading, args))


def _lead(finding: AlternativesFinding, reading: AlternativesReading, args: Args) -> tuple[Message, ...]:
    tried: Args = {"tried": Count(finding.n_tried), "good": Count(finding.n_as_good), "few": Count(finding.n_unclear)}
    best, in_use = reading.best, finding.in_use
    if reading.verdict == "too_few_to_tell":
        return (Message("alternatives-lead-few", args | tried, reveals=_FOUND),)
    if best is None:
        unclear = (Message("alternatives-lead-unclear", args | tried, reveals=_FOUND),) if finding.n_unclear else ()
        return (Message("alternatives-lead-none", args | tried, reveals=_FOUND), *unclear)
    quantity = quantity_of(finding)
    gap: Args = {
        "name": name_of(finding, best.origin, best.cut),
        "size": quantity.size(best.gap),
        "before": quantity.size(in_use.gap),
        "turned": Word("yes" if quantity.is_other_way(best.gap, in_use.gap) else "no"),
    }
    right: Args = {name: Share(said_quality(finding, value)) for name, value in _qualities(best, in_use)}
    key: str = finding.plan.measure
    if key == "accuracy":
        key = "outcome" if finding.facts.decision_is_outcome else "decision"
    return (
        Message("alternatives-lead-gap", args | gap, reveals=_FOUND),
        _range(finding, best, args),
        Message(f"alternatives-lead-right-{key}", args | right, reveals=_FOUND),
    )


def _qualities(best: Alternative, in_use: ModelInUse) -> tuple[tuple[str, float], ...]:
    return ("right", best.quality), ("without", in_use.quality)


def _range(finding: AlternativesFinding, best: Alternative, args: Args) -> Message:
    """Say how large the gap of the one that is spoken of may be: it was picked among several."""
    sizes, quantity = sorted(map(abs, best.gap_interval)), quantity_of(finding)
    is_either = best.gap_interval.low < 0 < best.gap_interval.high
    ends: Args = {"low": quantity.size(sizes[0]), "high": quantity.size(sizes[1])}
    key = "alternatives-lead-range-both" if is_either else "alternatives-lead-range"
    return Message(key, args | ends, reveals=_FOUND)


def said_quality(finding: AlternativesFinding, quality: float) -> float:
    """Return how good a model is as sentences have it: of those it picks, the share of whom the verb is said."""
    return quantity_of(finding).said(quality) if finding.plan.measure == "approvals" else quality


def _caution(finding: AlternativesFinding, reading: AlternativesReading, args: Args) -> tuple[Message, ...]:
    found: list[Message] = []
    best = reading.best
    if best is not None and best.cut:
        is_outcome = finding.facts.decision_is_outcome
        # What a model predicts is said of the favourable result, whichever one decisions are read by.
        said = float if is_outcome else quantity_of(finding).said
        given, before = (Share(said(given_share(each.fairness))) for each in (best, finding.in_use))
        about = "outcome" if is_outcome else "decision"
        key = f"alternatives-caution-given-{about}"
        found.append(Message(key, args | {"given": given, "before": before}, "caution", _FOUND))
    if finding.used != "model":
        found.append(Message("alternatives-caution-in-use", args, "caution"))
    if any(row.origin.by_group for row, _ in reading.rows):
        found.append(Message("alternatives-caution-group", args, "caution"))
    return tuple(found)


def shared_args(finding: AlternativesFinding) -> Args:
    """Return what messages about alternatives speak of."""
    names, quantity = finding.facts.names, quantity_of(finding)
    return {
        "protected": names.protected,
        "others": names.others,
        "verb": names.verb,
        "would": would_verb(names.verb),
        "quantity": Word("share"),
        "limit": quantity.limit(finding.facts.decisions.tolerance),
        "allowed": Word("set" if finding.facts.is_limit_set else "proposed"),
        "used": Word(finding.used),
        "measure": Word(finding.plan.measure),
        "among": Word("similar" if finding.plan.among_similar else "all"),
        "similar": names.similar or Phrase(""),
        "loss": Points(finding.plan.loss, 0 if round(100 * finding.plan.loss, 6) % 1 == 0 else 1),
    }


def name_of(finding: AlternativesFinding, origin: Origin, cut: Cut) -> Message:
    """Return what a model is called, as a noun."""
    learner = Phrase(MODEL_WORDS[origin.learner or "score"])
    args: Args = {"learner": learner, "column": Phrase(origin.column), "used": Word(finding.used)}
    name = Message(f"alternatives-name-{origin.kind.replace('_', '-')}", args)
    return Message("alternatives-name-cut", {"name": name, "cut": Word(cut)}) if cut else name


def in_use_name(finding: AlternativesFinding) -> Message:
    """Return what the model in use is called."""
    return Message("alternatives-in-use", {"used": Word(finding.used)})


def given_share(fairness: ControlledFairness) -> float:
    """Return the share of all compared rows with the good outcome."""
    sides = (fairness.protected, fairness.reference)
    return float(sum(side.positives for side in sides) / sum(side.n for side in sides))


def answer_text(finding: AlternativesFinding) -> str:
    """Return verdict, headline and lead as a paragraph."""
    return say_whole(say_alternatives(finding))


def how_searched(finding: AlternativesFinding) -> tuple[Message, ...]:
    """Say what was tried, what counts as equally good, and for whom an equally good model decides otherwise."""
    args = shared_args(finding) | {
        "tried": Count(finding.n_tried),
        "good": Count(finding.n_as_good),
        "judged": Count(len(finding.alternatives)),
        "tune": Count(finding.facts.n_tune),
        "held": Count(finding.facts.n_held_out),
        "confidence": Share(finding.facts.plan.confidence),
        "share": Share(finding.otherwise.share),
        "own": Share(finding.otherwise.protected),
        "rest": Share(finding.otherwise.others),
    }
    keys = [f"alternatives-how-{part}" for part in ("tried", "measure", "judged", "otherwise")]
    if len(finding.alternatives) > 1:
        keys.insert(3, "alternatives-how-ranges")
    said = [Message(key, args, "note", _FOUND) for key in keys]
    for each in finding.nearly_best:
        said += _say_nearly_best(each)
    if finding.n_skipped:
        said.append(Message("alternatives-how-skipped", {"n": Count(finding.n_skipped)}, "note", _FOUND))
    return (*said, Message("alternatives-how-stopped", severity="note")) if finding.stopped else tuple(said)


def _say_nearly_best(found: NearlyBest) -> list[Message]:
    ends = [found.smallest_gap, found.largest_gap, found.smallest_bound]
    if not all(map(math.isfinite, ends)):
        return []
    args: Args = {
        "form": Word(found.form),
        "rules": Count(found.n_rules),
        "n": Count(found.n or 0),
        "questions": Count(found.n_questions),
        **dict(zip(("low", "high", "bound"), (Points(end, 1) for end in ends), strict=True)),
        "share": Share(found.decided_both_ways),
    }
    is_proven = found.is_proven and found.n is not None
    if not is_proven and found.smallest_bound <= 0:
        return []
    return [Message("alternatives-how-proven" if is_proven else "alternatives-how-not-proven", args, "note", _FOUND)]


# The tables.

Ends = Interval | tuple[str, str]
NO_ENDS: Final = ("", "")


@dataclass(frozen=True, kw_only=True)
class AlternativeRow:
    """A model, as tables have it."""

    model: str = setting("What decides.", label="model")
    quality: float = figure("By the measure that was asked for.", label="quality", kind="share")
    change: float | str = figure("Against the model in use.", label="change, points", kind="points", default="")
    change_interval: Ends = figure("Paired.", label="change, range", kind="points_interval", default=NO_ENDS)
    given: float = figure("Of those compared.", label="favourable", kind="share", turns=True)
    gap: float = figure("Protected minus others.", label="gap, points", kind="points", turns=True)
    gap_interval: Interval = figure("Of the gap.", label="gap, range", kind="points_interval", turns=True)
    smaller: float | str = figure("Against the model in use.", label="gap change, points", kind="points", default="")
    smaller_interval: Ends = figure("Paired.", label="gap change, range", kind="points_interval", default=NO_ENDS)
    p: float | str = figure(
        "That it is no smaller, or the model too much worse; by Holm.", label="p", kind="p", default=""
    )
    tuned_quality: float = figure("On tuning cases.", label="quality, tuning", kind="share")
    tuned_gap: float = figure("On tuning cases.", label="gap, tuning", kind="points", turns=True)
    reading: str = figure("In a word.", label="reading", default="")

    @classmethod
    def of(cls, name: Message, found: Alternative | ModelInUse, reading: RowReading | None = None) -> Self:
        """Return the figures of a model."""
        row = cls(
            model=say(Message("alternatives-row", {"name": name})),
            quality=found.quality,
            given=given_share(found.fairness),
            gap=found.gap,
            gap_interval=found.gap_interval,
            tuned_quality=found.tuned_quality,
            tuned_gap=found.tuned_gap,
            reading="" if reading is None else say(Message(READINGS[reading])),
        )
        if not isinstance(found, Alternative):
            return row
        return replace(
            row,
            change=found.quality_change,
            change_interval=found.quality_interval,
            smaller=found.size_change,
            smaller_interval=found.size_interval,
            p=found.p_adjusted,
        )


PRINTED = ("model", "quality", "change", "gap", "gap_interval", "smaller", "smaller_interval", "p", "reading")
"""Columns that a page and a report have room for."""


def alternatives_tables(finding: AlternativesFinding, number: int) -> list[TableBlock]:
    """Return the models that were judged, beside the one in use, and all that was tried; empty where hidden."""
    if is_hidden(finding):
        return []
    rows = [AlternativeRow.of(in_use_name(finding), finding.in_use)]
    for each, reading in read_alternatives(finding).rows:
        rows.append(AlternativeRow.of(name_of(finding, each.origin, each.cut), each, reading))
    turned = finding.facts.names.of_unfavorable
    return [
        record_table(
            f"alternatives_{number}", "Models that serve as well", rows, declared_by(AlternativeRow), is_turned=turned
        )
    ]
