"""Sentences about a model that was trained to meet constraints, shared by pages and report."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from fairaudit.errors import quote
from fairaudit.estimators.constraints import TOP, FairnessSpec, read_specs
from fairaudit.estimators.constraints.fits import DECIMALS
from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.plan.parts import as_part
from fairaudit.present.numbers import count_text, number_text, share_text
from fairaudit.remedies.constrain.asking_words import promise_words, spec_words
from fairaudit.remedies.constrain.chart_texts import alike_words, allowed_text, gap_text, interval_words
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.study.findings import RemedyFinding

MOST_LISTED = 4
"""Constraints that a sentence lists one by one."""


def constrained_sentences(finding: RemedyFinding) -> str:
    """Return how a model was trained to meet constraints, and whether it meets them on the tuning rows."""
    details = finding.details
    plan = as_part(finding.plan, ConstrainPlan)
    model = MODEL_WORDS.get(plan.model, plan.model)
    n = len(plan.constraints)
    asked = "a constraint" if n == 1 else f"{n} constraints"
    fits = "1 fit was" if details.n_fits == 1 else f"{count_text(details.n_fits)} fits were"
    texts = [
        f"A model ({model}) was trained to meet {asked}: rows counted more or less, by their group and their outcome, "
        "each time it was fitted, to bring the gaps on the tuning rows down to what is allowed.",
        f"{fits} made on the training rows; which of them is the model was chosen on the tuning rows.",
    ]
    return " ".join([*texts, *_picked(details), *_threshold(details), *_met(details)])


def asked_sentences(finding: RemedyFinding, *, positive_meaning: str) -> tuple[str, ...]:
    """Return what each constraint of a plan asks for, in words."""
    constraints = as_part(finding.plan, ConstrainPlan).constraints
    return tuple(spec_words(FairnessSpec.parse(text), positive_meaning=positive_meaning) for text in constraints)


def kept_sentence(details: ConstrainDetails) -> str:
    """Return whether the constraints hold on the held-out rows, and how clear that is; nothing where it is hidden."""
    if details.n_pairs_within is None or not len(details.pairs):
        return ""
    reading = details.pairs["reading"]
    n, within = details.n_pairs, details.n_pairs_within
    clear, undefined = int((reading == "within").sum()), int((reading == "not defined").sum())
    outside = int((reading == "outside").sum())
    sure = ", also allowing for chance" if clear or outside else ", but that is not clear with this many rows"
    if n == 1:
        [row] = details.pairs.itertuples()
        if undefined:
            return "On the held-out rows the gap is not defined: a rate is a share of no rows."
        if row.second == TOP:
            rates = [share_text(1 + gap) for gap in (row.held_out_before, row.held_out)]
            moved = f"stays at {rates[1]}" if rates[0] == rates[1] else f"went from {rates[0]} to {rates[1]}"
            side, floor = "reaches" if within else "is below", share_text(1 - row.max_difference)
            ends = " to ".join(share_text(1 + end) for end in (row.low, row.high))
            interval = f", interval {ends}" if interval_words(row) else ""
            whose = f"{quote(row.first, limit=60)} ({count_text(row.n_first)} rows{interval})"
            return f"On the held-out rows the rate of {whose} {moved} and {side} its floor of {floor}{sure}."
        side = "is within" if within else "is larger than"
        # With its sign: a gap can also turn round.
        limit = row.max_difference
        gaps = [gap_text(gap, row.metric, beside=limit) for gap in (row.held_out_before, row.held_out)]
        whose = f"{quote(row.first, limit=60)} minus {quote(row.second, limit=60)}"
        rows = f"{count_text(row.n_first)} and {count_text(row.n_second)} rows"
        interval = f", interval {words}" if (words := interval_words(row)) else ""
        moved = f"went from {gaps[0].removesuffix(' points')} to {gaps[1]}"
        if gaps[0] == gaps[1]:
            moved = f"stays at {gaps[1]}"
        allowed = f"{side} what is allowed ({allowed_text(row.max_difference, row.metric)}){sure}"
        return f"On the held-out rows the gap {moved} ({whose}, {rows}{interval}) and {allowed}."
    ratios = details.pairs["held_out_before"].abs() / details.pairs["max_difference"]
    before = int((ratios.round(DECIMALS) <= 1).sum())
    said = _words_of_kind(details)
    lead = f"On the held-out rows {_of(within, n)} {said.kept}, against {before:,} without constraints."
    if clear or outside:
        lead += f" Allowing for chance in each by itself, {clear:,} are clearly {said.clear} and {outside:,} clearly "
        lead += f"{said.not_clear}." if clear + outside == n else f"{said.not_clear}; for the others it is not clear."
    else:
        lead += f" With this many rows none of that is clear: each {said.one} could be on the other side by chance."
    if undefined:
        lacking = "1 gap is" if undefined == 1 else f"{undefined:,} gaps are"
        lead += f" {lacking} not defined: a rate is a share of no rows."
    return lead


def constraint_caveats(finding: RemedyFinding) -> tuple[str, ...]:
    """Return why constraints that are met do not prove much."""
    details, plan = finding.details, as_part(finding.plan, ConstrainPlan)
    texts = list(promise_words(read_specs(plan.constraints)))
    if details.feasible is False and details.scale <= 1 and not details.stopped:
        fewer = ", and that no group may be worse off leaves fewer to choose from"
        texts.append(
            "Not all constraints are met on the tuning rows. That does not prove that no model can meet them: this "
            f"search, with this kind of model, found none{fewer if plan.no_group_worse_off else ''}."
        )
    if details.constant:
        texts.append(
            f"The model says the same of everyone: the positive outcome for {details.constant}. That treats all groups "
            "alike because it looks at no one. It was chosen because nothing that this search found within the limits "
            "agreed with the outcomes more often on the tuning rows; a wider limit, other columns or another kind of "
            "model may leave more room."
        )
    return (*texts, *details.conflicts, *details.notes)


def _picked(details: ConstrainDetails) -> list[str]:
    if details.feasible is None:
        return []
    if details.scale != 1:
        return [
            f"A person chose another limit for that: {details.scale:.3g} times what the constraints allow. "
            "The model is the most accurate fit of the search within it or, where there is none, the closest to it."
        ]
    if details.feasible is False:
        return ["The model is the fit whose largest gap is smallest beside what is allowed."]
    return ["The model is the most accurate of the fits that meet what was asked."]


def _threshold(details: ConstrainDetails) -> list[str]:
    if details.constant:
        return [
            f"It is a constant: it predicts the positive outcome for {details.constant}, whoever is asked about. No "
            "fit within the limits was more accurate on the tuning rows."
        ]
    if details.threshold is None or not math.isfinite(details.threshold):
        return []
    return [
        f"It predicts the positive outcome where its score is at least {number_text(details.threshold)}, the same for "
        "everybody. That threshold was chosen on the tuning rows, among all."
    ]


def _met(details: ConstrainDetails) -> list[str]:
    if details.feasible is None:
        return []
    pairs = details.pairs
    texts = []
    n = pairs["spec"].nunique()
    if n and not pairs["met"].isna().any() and n <= MOST_LISTED:
        sentences = [_spec(spec, rows) for spec, rows in pairs.groupby("spec", sort=False)]
        texts.append(f"On the tuning rows: {'; '.join(sentences)}.")
    elif details.n_pairs_met is not None:
        met = _of(details.n_pairs_met, details.n_pairs)
        texts.append(f"On the tuning rows {met} {_words_of_kind(details).kept}.")
    else:
        texts.append(f"On the tuning rows {'all constraints are met' if details.feasible else 'not all are met'}.")
    shares = (details.accuracy_before, details.accuracy)
    if all(share is not None and math.isfinite(share) for share in shares):
        texts.append(f"Accuracy there went from {share_text(shares[0])} to {share_text(shares[1])}.")
    return texts


def _spec(spec: str, pairs: pd.DataFrame) -> str:
    first = pairs.iloc[0]
    gaps = [pairs[name].astype(float).abs().max() for name in ("tuned_before", "tuned")]
    words = alike_words(spec)
    verdict = f"{words[:1].lower()}{words[1:]}, {'met' if bool(pairs['met'].all()) else 'not met'}"
    if first["second"] == TOP:
        lowest = [share_text(1 - gap) for gap in gaps]
        return f"{verdict} (lowest {lowest[0]} before, {lowest[1]} after)"
    sizes = [gap_text(gap, first["metric"], beside=first["max_difference"]).lstrip("+") for gap in gaps]
    return (
        f"{verdict} (largest gap {sizes[0].removesuffix(' points')} before, {sizes[1]} "
        f"after, {allowed_text(first['max_difference'], first['metric'])} allowed)"
    )


@dataclass(frozen=True)
class _Words:
    """What is said of constraints that hold: of several, of those that surely do and surely do not, and of one."""

    kept: str
    clear: str
    not_clear: str
    one: str


def _words_of_kind(details: ConstrainDetails) -> _Words:
    """Return the words for distances of pairs, for floors under groups, or for both."""
    floors = details.pairs["second"] == TOP
    if len(floors) and floors.all():
        return _Words("groups reach their floor", "above it", "below", "group")
    if floors.any():
        return _Words("limits are kept", "kept", "not", "group or pair")
    return _Words("pairs of groups are within what is allowed", "within", "outside", "pair")


def _of(some: int, n: int) -> str:
    return f"all {n:,}" if some == n else f"none of the {n:,}" if not some else f"{some:,} of {n:,}"
