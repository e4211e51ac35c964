"""The small-cell rule for remedies.

- No count of training or tuning rows stays, only the settings. A reader can then subtract held-out counts from full
  ones only, and not the parts of the rest from each other.
- Rows where it is not known who is protected are not held out, so that no figure counts them: how many is not shown.
- A held-out count is small if it is under the minimum: a cell of a group's confusion table (0 too, as it is true of
  everyone in the group); good and other outcomes, and predictions, of the protected group and the rest; and, unless
  it is 0, the held-out rows that do not meet the filter. Where error rates are shown of the protected group and the
  rest, or of groups that add up to them, with rows that do not meet the filter among them, the
  rest after subtracting these rows must not be small either.
- If a count of a remedy is small, all its figures by group are hidden at once, also without the remedy: overall
  accuracy, balanced accuracy and the area under the curve stay, and these only if no cell of all groups together is
  small, and if the model does not predict the same for all of each group. So are the figures of a simple rule, where
  a count of it or of the remedy beside it is small.
  Figures by group stay of the plain model only: those of one answer for all are 0 or all, and two cuts of one score
  differ by few people. Whether such an answer keeps to a limit on the tuning rows is not shown, only which is best.
- Of the pairs of groups that constraints compare, those stay whose figures on the held-out rows follow from the groups'
  counts that are shown anyway, and only these figures. Only where that is all pairs, the report says whether
  constraints are met, and what makes the model doubtful.
- Of a rule set, the rules stay, as settings do, but for those that hold for few rows; how many rows each concerns
  stays only where it could single out nobody (:mod:`~fairaudit.remedies.rules.details`). Of a tree, what it asks
  stays but where few rows come to a side; the counts of its nodes are shown whole or not at all
  (:mod:`~fairaudit.remedies.trees.disclosure`). Rule sets and trees whose figures are so close that few people make the
  difference are not shown side by side: the later one's figures by group are hidden.
- The interval of a change says how many people gain and how many lose: where few may, it is hidden
  (:mod:`~fairaudit.disclosure.remedies`). Figures of two cuts of one score can be subtracted, and what is left is
  whose score lies between them: where these are few, those of the later one are hidden.
  Of the simple rules, only the best one is shown with the interval of its difference to the remedy.
- What a remedy does inside strata is hidden, and the intervals of what it does beside the decisions, row by row.
- What came out on other divisions of the rows is hidden.
- If a count of the decisions themselves is small, or what is left of a check's count after taking away the held-out one
  is, then so it is for all remedies. Rows are held out at random, a fifth of each group with each outcome: a held-out
  count gives the full one to within four. Where the minimum is so large that this would reveal too much about a count
  that is hidden elsewhere, the groups are hidden, too. So they are where few held-out rows of a side with an outcome do
  not meet the filter, as a check of all rows shows how many of that side are held out.
- Of what makes a remedy doubtful, only that stays which declares to follow from what was asked and how the search went.
- If few of the held-out rows that are on neither side have an outcome, the figures of both sides are hidden, as overall
  figures show the outcomes of all rows; beside a check these are hidden, too, as its full counts give those of both
  sides to within one.
- How many rows were divided, and how many have no decision, is shown only if nothing else is hidden and neither the
  latter nor those of an unknown group are a small count, as they add up to the rows of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from types import NoneType
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.catalog import remedies_on, remedy_of
from fairaudit.conditions import Condition
from fairaudit.disclosure.fields import export_of, shown_remarks
from fairaudit.disclosure.held_out_counts import cells_of, gives_people_away
from fairaudit.disclosure.hidden import HIDDEN, nothing_of, replaced, rounded, without_counts, without_figures
from fairaudit.disclosure.means import reveals_few
from fairaudit.errors import DisclosureError, FairauditError, sure
from fairaudit.estimators.base import TRAIN, TUNE
from fairaudit.measure.grouping import MISSING
from fairaudit.measure.intervals import two_sided_z
from fairaudit.measure.results import ControlledFairness, ControlledMeans
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.remedies.part import RemedyPart
from fairaudit.remedies.section import AnyRemedy
from fairaudit.remedies.shared.learned_rows import masked_sample
from fairaudit.study.amounts.findings import (
    AmountEvaluation,
    AmountRemediesFinding,
    AmountRemedyFinding,
    AmountStudyFacts,
)
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.changes import ADDED
from fairaudit.study.judging.results import GOOD, Change, Evaluation, Yardstick

# The rows outside the filter of a gap, for groups that are counted on all rows.

Side = Literal["protected", "reference"]


def sides_of_groups(
    names: Sequence[str], columns: Sequence[str], compared: ControlledFairness | ControlledMeans
) -> dict[Side, list[str]] | None:
    """Return which groups make up the protected group, and which the rest; others are of no held-out row."""
    if not columns:
        sides: dict[Side, str] = {"protected": compared.protected.name, "reference": compared.reference.name}
        return {side: [name] for side, name in sides.items() if name in names}
    try:
        Condition.parse(compared.protected_condition, columns)
    except FairauditError:
        return {}
    rows = [[None if text == MISSING else text for text in name.split(", ")] for name in names]
    truth = _truth(compared.protected_condition, rows, columns)
    if truth is None:
        return None
    found: dict[Side, list[str]] = {"protected": [], "reference": []}
    for name, met in zip(names, truth, strict=True):
        if not pd.isna(met):
            found["protected" if met else "reference"].append(name)
    return found


def _truth(condition: str, rows: list[list[str | None]], columns: Sequence[str]) -> pd.Series | None:
    """Return who meets a condition, with the values as texts or, where that does not fit, as numbers."""
    if any(len(row) != len(columns) for row in rows):
        return None
    frame = pd.DataFrame(rows, columns=list(columns))
    for values in (frame, frame.apply(pd.to_numeric, errors="coerce").where(frame.notna())):
        if values.notna().equals(frame.notna()):
            try:
                return Condition.parse(condition, values).truth(values)
            except FairauditError:
                continue
    return None


# Models whose figures are so close that the difference counts a few people.
#
# Figures of two remedies that decide by conditions can be subtracted, and what is left is who meets a condition of one
# and not of the other. So it is with two cuts of one score: what is left is whose score lies between them.

ONE_CUT = ("shifted", "shifted_closer")
"""Simple rules that cut a plain model's score at another threshold for all."""


def close_figures(remedies: Iterable[RemedyFinding], minimum: int) -> tuple[set[bytes], set[bytes]]:
    """Return the figures that are too close to those of an earlier remedy that decides by conditions."""
    by_group, overall = set(), set()
    seen: list[pd.DataFrame] = []
    for remedy in remedies:
        if not remedy.plan.by_conditions:
            continue
        cells = cells_of(remedy.after)
        for other in seen:
            apart = cells - other
            if _few_between(apart, minimum):
                by_group.add(figures_key(remedy.after))
            if gives_people_away(abs(apart["tp"].sum()), abs(apart["fp"].sum()), minimum):
                overall.add(figures_key(remedy.after))
        seen.append(cells)
    return by_group, overall


def close_cuts(remedies: Iterable[RemedyFinding], minimum: int) -> tuple[set[bytes], set[bytes]]:
    """Return the figures by group, and those of all groups, that are too close to another cut of the same score."""
    by_group, overall = set(), set()
    seen: dict[str, list[pd.DataFrame]] = {}
    for remedy in remedies:
        score, uncut = _score_of(remedy)
        others = seen.setdefault(score, [uncut])
        cuts = [each.evaluation for each in remedy.yardsticks if each.kind in ONE_CUT]
        cuts += [remedy.after] if _is_cut_anew(remedy) else []
        for cut in cuts:
            cells = cells_of(sure(cut))
            if cut is remedy.after and any(_few_between(cells - other, minimum) for other in others):
                by_group.add(figures_key(cut))
            if any(_few_between((cells - other).sum().to_frame().T, minimum) for other in others):
                overall.add(figures_key(sure(cut)))
            others.append(cells)
    return by_group, overall


def _score_of(remedy: RemedyFinding) -> tuple[str, pd.DataFrame]:
    """Return the name of the score that simple rules cut, and the cells where it is cut as usual."""
    for yardstick in remedy.yardsticks:
        if yardstick.kind == "plain":
            return yardstick.learner or remedy.before.name, cells_of(sure(yardstick.evaluation))
    return remedy.before.name, cells_of(remedy.before)


def _is_cut_anew(remedy: RemedyFinding) -> bool:
    """Say whether a remedy cuts the score of the model before elsewhere, by the same ranking or as a simple rule."""
    if any(change.measure == "auc" and tuple(change.interval) == (0, 0) for change in remedy.changes):
        return True
    cuts = [each.evaluation for each in remedy.yardsticks if each.kind not in ("constant", "plain")]
    return any(cut is not None and figures_key(cut) == figures_key(remedy.after) for cut in cuts)


def _few_between(apart: pd.DataFrame, minimum: int) -> bool:
    return any(gives_people_away(abs(row.tp), abs(row.fp), minimum) for row in apart.itertuples())


def figures_key(evaluation: Evaluation) -> bytes:
    """Return a key that models with the same counts in each group share."""
    return repr(cells_of(evaluation).to_dict("split")).encode()


# Intervals of changes that give few people away.
#
# Both models are judged on the same rows, so the width of an interval says on how many of them they differ, and the
# change how many more people are better off than worse off. Where few may be either, the intervals of all changes of
# the remedy are hidden, but for that of the area under the ROC curve, which counts nobody.

CELLS_OF = {
    "selection_gap": (("tp", "fp", "tn", "fn"), ("tp", "fp")),
    "tpr_gap": (("tp", "fn"), ("tp",)),
    "fpr_gap": (("fp", "tn"), ("fp",)),
}
"""The cells that the rate of a gap is a share of, and those that it counts."""
EQUAL = 1e-6


class Grown(NamedTuple):
    """A share of `n` rows that has `gained` rows more than before; `nets` are what it gained in each part of them."""

    n: int
    gained: int
    nets: tuple[int, ...]


def seen_changes(finding: RemedyFinding, changes: tuple[Change, ...], minimum: int) -> tuple[Change, ...]:
    """Return changes without their intervals where one of them may give few people away."""
    confidence = finding.after.errors.confidence
    pairs = {change.measure: (change.first, change.second) for change in changes if _has_interval(change)}
    for change in changes:
        if change.measure == "auc" or not _has_interval(change):
            continue
        if change.measure in ("fdr_gap", "for_gap"):
            # Who is in these follows from the cells that those of both error rates are about.
            few = {pairs.get(name) for name in ("tpr_gap", "fpr_gap")} != {pairs[change.measure]}
        else:
            few = gives_few_away(change, _shares(finding, change), confidence, minimum)
        if few:
            return tuple(each if each.measure == "auc" else replace(each, interval=HIDDEN) for each in changes)
    return changes


def seen_change(finding: RemedyFinding, change: Change, other: Evaluation | None, minimum: int) -> Change:
    """Return how a remedy's accuracy differs from another's, without an interval that may give few people away."""
    if not _has_interval(change):
        return change
    few = other is None or gives_few_away(
        change, [_of_all(_right(other, finding.after))], finding.after.errors.confidence, minimum
    )
    return replace(change, interval=HIDDEN) if few else change


def gives_few_away(change: Change, shares: Sequence[Grown], confidence: float, minimum: int) -> bool:
    """Say whether the interval of a change may say that a count of people under `minimum` gains or loses.

    Of two `shares`, the change is of their difference, or for balanced accuracy of their mean.
    """
    low, high = change.interval
    if abs((low + high) / 2 - change.difference) > EQUAL * (high - low):
        # An end was cut off.
        return True
    half = (high - low) / 2 * (2 if change.measure == "balanced_accuracy" else 1)
    ways = list(_differing((half / two_sided_z(confidence)) ** 2, shares))
    return not ways or any(
        _gives_few(differing, share, minimum) for way in ways for differing, share in zip(way, shares, strict=True)
    )


def _gives_few(differing: int, share: Grown, minimum: int) -> bool:
    """Say whether few gain or lose where models differ on this many rows; `nets` are known of parts of the rows."""
    if any(0 < (differing + sign * share.gained) // 2 < minimum for sign in (1, -1)):
        return True
    # So many gain, and as many lose, beside those by whom the parts grew: all who gain, where every part grew smaller.
    both = (differing - sum(map(abs, share.nets))) // 2
    return 0 < both < minimum or (both == 0 and any(0 < abs(net) < minimum for net in share.nets))


def _differing(variance: float, shares: Sequence[Grown]) -> Iterator[tuple[int, ...]]:
    """Yield on how many rows of each share models may differ; see :func:`~fairaudit.study.judging.changes`."""
    *others, last = shares
    firsts = np.arange(abs(others[0].gained), others[0].n + 1, 2) if others else np.zeros(1)
    left = variance - (_variance(firsts, others[0]) if others else 0.0)
    rows = last.n + 2 * ADDED
    found = left * rows**2 + last.gained**2 / rows - 2 * ADDED
    whole = np.round(found)
    fits = (np.abs(found - whole) < EQUAL) & (whole >= abs(last.gained)) & ((whole - last.gained) % 2 == 0)
    for first, n in zip(firsts[fits].tolist(), whole[fits].tolist(), strict=True):
        yield (int(first), int(n)) if others else (int(n),)


def _variance(differing: np.ndarray, share: Grown) -> np.ndarray:
    rows = share.n + 2 * ADDED
    return (differing + 2 * ADDED - share.gained**2 / rows) / rows**2


def _shares(finding: RemedyFinding, change: Change) -> list[Grown]:
    """Return the shares that a measure is made of."""
    if change.measure == "gap":
        sides = [
            (getattr(finding.before.fairness, side), getattr(finding.after.fairness, side))
            for side in ("protected", "reference")
        ]
        gained = [after.positives - before.positives for before, after in sides]
        return [Grown(after.n, more, (more,)) for (_, after), more in zip(sides, gained, strict=True)]
    if change.measure in CELLS_OF:
        before, after = cells_of(finding.before), cells_of(finding.after)
        cells, said = CELLS_OF[change.measure]
        grown = (after - before)[list(said)].astype(int)
        return [
            Grown(int(after.loc[group, list(cells)].sum()), int(grown.loc[group].sum()), tuple(grown.loc[group]))
            for group in (str(change.first), str(change.second))
        ]
    classes = _right(finding.before, finding.after)
    return [_of_all(classes)] if change.measure == "accuracy" else classes


def _right(before: Evaluation, after: Evaluation) -> list[Grown]:
    """Return how many of those with either label two models are right for, by group."""
    cells, grown = cells_of(after), (cells_of(after) - cells_of(before)).astype(int)
    return [
        Grown(int(cells[[right, wrong]].sum().sum()), int(grown[right].sum()), tuple(grown[right]))
        for right, wrong in (("tp", "fn"), ("tn", "fp"))
    ]


def _of_all(parts: Sequence[Grown]) -> Grown:
    return Grown(
        sum(part.n for part in parts),
        sum(part.gained for part in parts),
        tuple(net for part in parts for net in part.nets),
    )


def _has_interval(change: Change) -> bool:
    return change.interval.low is not None and bool(np.isfinite(change.interval.low))


# The gate for what a fit found: each field leaves as it declares, and what is not known stays.


def hidden_details(finding: Any, minimum: int, outcome: OutcomeKind = SHARES, *, hidden: bool) -> Any:
    """Return details as they leave where counts under `minimum` are hidden; `hidden` says that groups are, too.

    A kind of remedy may show a part of a field that would be hidden as a whole, or hide more of it. What it does not
    name follows the declaration of the field. What never leaves it cannot show.
    """
    details = finding.details
    kind = _kind(finding.plan, details, outcome)
    if details is None:
        return None
    in_part = dict(kind.hide(finding, minimum, hidden=hidden))
    values = {}
    for field in fields(details):
        export = export_of(field)
        if export == "setting" or (export == "held_out" and not hidden):
            continue
        values[field.name] = nothing_of(getattr(details, field.name))
    never = [field.name for field in fields(details) if export_of(field) == "never" and field.name in in_part]
    if never:
        raise DisclosureError(f"The field {never[0]!r} of {type(details).__name__} is in no export.")
    return replace(details, **(values | in_part))


def _kind(plan: RemedyPart, details: Any, outcome: OutcomeKind) -> AnyRemedy:
    """Return what a kind of remedy does with decisions of a kind; refuse details that it does not know."""
    kind = next((kind for kind in remedies_on(outcome) if isinstance(plan, kind.plan)), None)
    known = NoneType if kind is None or kind.details is None else kind.details
    if kind is None or not isinstance(details, (known, NoneType)):
        raise DisclosureError(f"Details of the class {type(details).__name__} are not known to the gate.")
    return kind


CELLS = ["tp", "fp", "tn", "fn"]
HELD_OUT = round(1 - TRAIN - TUNE, 9)
"""The share of rows that is held out, not a last bit below it: what is left of a count must not look smaller."""
SPREAD = 8
"""A held-out count of a group with an outcome leaves the full count this much room."""


def masked_remedies(
    finding: RemediesFinding,
    minimum: int,
    *,
    checks: Iterable[CheckFinding],
    others_hidden: bool,
    shared: Any = None,
    known_amounts: bool = False,
) -> RemediesFinding:
    """Return a copy of the findings of remedies in which small counts, and what gives them away, are hidden.

    They hold no amounts that would have to be `shared` by several people, or could be known.
    """
    facts, checks = finding.facts, tuple(checks)
    everywhere = _small_sides(facts.decisions, minimum) or _small_remainder(facts, checks, minimum)
    small_rest = _small_rest(finding, minimum)
    everywhere |= small_rest or _small_outside_decisions(finding, checks, minimum)
    everywhere |= others_hidden and (minimum + 1) // 2 > SPREAD
    few = any(0 < n < minimum for n in (facts.n_undecided, facts.n_unknown))
    found = zip(close_figures(finding.remedies, minimum), close_cuts(finding.remedies, minimum), strict=True)
    close = [figures | cuts for figures, cuts in found]
    if small_rest and checks:
        close[1].update(figures_key(model) for remedy in finding.remedies for model in (remedy.before, remedy.after))
    return RemediesFinding(
        _facts(facts, minimum, everywhere, sizes=not others_hidden and not few),
        _counted_once(_remedy(remedy, facts, minimum, everywhere, *close) for remedy in finding.remedies),
    )


def _counted_once(remedies: Iterable[RemedyFinding]) -> tuple[RemedyFinding, ...]:
    """Hide who meets which condition of a remedy beside another one that shows it: the two could be subtracted."""
    remedies = tuple(remedies)
    counting = [each for each in remedies if each.details and remedy_of(each.plan).counts_people(each.details)]
    shown = any(remedy_of(each.plan).keeps_people for each in counting)
    found = []
    for remedy in remedies:
        if remedy in counting and not remedy_of(remedy.plan).keeps_people:
            if shown:
                remedy = replace(remedy, details=remedy_of(remedy.plan).without_people(remedy.details))
            shown = True
        found.append(remedy)
    return tuple(found)


def _facts(facts: StudyFacts, minimum: int, hidden: bool, *, sizes: bool) -> StudyFacts:
    sample = masked_sample(facts.sample, minimum, sizes=sizes and not hidden)
    unknown = without_counts(facts.not_known, facts.plan.protected)
    values: dict[str, Any] = {
        "warnings": shown_remarks(facts.warnings, "setting"),
        "sample": sample,
        "not_known": unknown,
    }
    # A check may count these on other rows; without the numbers nobody can subtract one from the other.
    values |= {"n_filtered_out": None, "n_unknown": facts.n_unknown and None}
    if not sizes:
        values |= dict.fromkeys(("n_rows", "n_undecided", "n_train", "n_tune", "n_held_out"))
    if hidden:
        values["decisions"] = without_figures(facts.decisions)
    return replace(facts, **values)


def _remedy(
    finding: RemedyFinding,
    facts: StudyFacts,
    minimum: int,
    everywhere: bool,
    close: set[bytes],
    close_overall: set[bytes],
) -> RemedyFinding:
    models = (finding.before, finding.after)
    keys = {figures_key(model) for model in models}
    hidden = everywhere or any(_small_model(model, minimum) for model in models) or not keys.isdisjoint(close)
    hidden = hidden or any(_small_outside(model, facts, minimum) for model in models)
    details = hidden_details(finding, minimum, hidden=hidden)
    values: dict[str, Any] = {
        "details": details,
        "plan": remedy_of(finding.plan).hide_plan(finding, details),
        # Other rows are held out on each division: figures on them could be put together with those on these.
        "divisions": None,
        "warnings": shown_remarks(finding.warnings, "setting"),
    }
    overall = not any(map(partial(_small_overall, minimum=minimum), models)) and keys.isdisjoint(close_overall)
    shown = partial(_yardstick, facts=facts, minimum=minimum, hidden=hidden, overall=overall or not hidden)
    yardsticks = (shown(each, close_overall=close_overall) for each in finding.yardsticks)
    # Several intervals beside each other say who is predicted otherwise by several models.
    values["yardsticks"] = tuple(
        replace(
            seen,
            change=seen_change(finding, seen.change, each.evaluation, minimum)
            if seen.is_best
            else replace(seen.change, interval=HIDDEN),
        )
        for seen, each in zip(yardsticks, finding.yardsticks, strict=True)
    )
    # A change with its interval says how many people of one group fare better, and how many worse; so does what is
    # held against the decisions.
    values["beside_decisions"] = None
    values["worse_off"] = None if finding.worse_off is None else without_figures(finding.worse_off)
    # The ledger does not know how many held-out rows each stratum has.
    values["within"] = None if finding.within is None else without_figures(finding.within)
    if hidden:
        values |= {name: _evaluation(getattr(finding, name), overall) for name in ("before", "after")}
        values["predictions_differ"] = finding.predictions_differ or not overall
    changes = tuple(c for c in finding.changes if not hidden or (overall and c.measure in GOOD))
    values["changes"] = seen_changes(finding, changes, minimum)
    return replace(finding, **values)


def _evaluation(evaluation: Evaluation | Yardstick, overall: bool) -> Evaluation | Yardstick:
    measures = tuple(
        measured if overall and measured.measure in GOOD else without_figures(measured)
        for measured in evaluation.measures
    )
    return replace(without_figures(evaluation), measures=measures)


def _yardstick(
    yardstick: Yardstick, *, facts: StudyFacts, minimum: int, hidden: bool, overall: bool, close_overall: set[bytes]
) -> Yardstick:
    """Hide a simple rule: what says how it does on the tuning rows, and most figures by group."""
    model = yardstick.evaluation
    if yardstick.kind != "constant":
        overall = overall and not _small_overall(sure(model), minimum) and figures_key(sure(model)) not in close_overall
    hidden = hidden or yardstick.kind != "plain" or _small_model(sure(model), minimum)
    if hidden or _small_outside(sure(model), facts, minimum):
        measures, fairness = _evaluation(yardstick, overall).measures, without_figures(yardstick.fairness)
    else:
        measures, fairness = yardstick.measures, yardstick.fairness
    change = yardstick.change if overall else without_figures(yardstick.change)
    return replace(without_figures(yardstick), measures=measures, fairness=fairness, change=change)


def _small_rest(finding: RemediesFinding, minimum: int) -> bool:
    """Return whether held-out rows of neither side have a small count: figures of all rows less those of both sides."""
    sides = (finding.facts.decisions.protected, finding.facts.decisions.reference)
    for remedy in finding.remedies[:1]:
        errors = remedy.before.errors
        cells = errors.counts[CELLS].sum()
        good = cells[["tp", "fn"]].sum() if errors.positive == "favorable" else cells[["fp", "tn"]].sum()
        good -= sum(side.positives for side in sides)
        n = cells.sum() - sum(side.n for side in sides)
        if n > 0 and min(good, n - good) < minimum:
            return True
    return False


def _small_overall(model: Evaluation, minimum: int) -> bool:
    return bool((model.errors.counts[CELLS].sum() < minimum).any()) or _is_alike_in_groups(model)


def _is_alike_in_groups(model: Evaluation) -> bool:
    """Say whether all of a group are predicted the same, in each: how often it is right in all then says what."""
    cells, sides = model.errors.counts, (model.fairness.protected, model.fairness.reference)
    by_group = ((cells["tp"] + cells["fp"] == 0) | (cells["tn"] + cells["fn"] == 0)).all()
    return bool(by_group) or all(side.positives in (0, side.n) for side in sides)


def _small_model(model: Evaluation, minimum: int) -> bool:
    cells = model.errors.counts[CELLS].to_numpy()
    return bool((cells < minimum).any()) or _small_sides(model.fairness, minimum)


def _small_sides(fairness: ControlledFairness, minimum: int) -> bool:
    sides = (fairness.protected, fairness.reference)
    parts = [n for side in sides for n in (side.positives, side.n - side.positives)]
    return min(parts) < minimum or 0 < fairness.n_filtered_out < minimum


def _small_outside(model: Evaluation, facts: StudyFacts, minimum: int, *, decided: bool = False) -> bool:
    """Return whether the rows of groups, less those of them that meet the filter, leave a small count.

    Of outcomes alone, if `decided`, and then only where groups make up both sides.
    """
    errors, inside = model.errors, model.fairness
    counts = errors.counts.set_index("group")[CELLS]
    sides = sides_of_groups([str(group) for group in counts.index], facts.group_columns, inside)
    if sides is None:
        return inside.n_filtered_out > 0 and not decided
    good = (["tp", "fp"], ["tp", "fn"]) if errors.positive == "favorable" else (["tn", "fn"], ["tn", "fp"])
    for side, groups in sides.items():
        cells = counts.loc[counts.index.map(str).isin(groups)].sum()
        if not groups or not (outside := cells.sum() - getattr(inside, side).n):
            continue
        for columns, comparison in list(zip(good, (inside, facts.decisions), strict=True))[decided:]:
            outcomes = cells[columns].sum() - getattr(comparison, side).positives
            if min(outcomes, outside - outcomes) < minimum:
                return True
    return False


def _small_outside_decisions(finding: RemediesFinding, checks: Iterable[CheckFinding], minimum: int) -> bool:
    """Return whether held-out rows of a side that do not meet the filter have a small count of an outcome.

    A check of all rows gives how many of the side are held out: one in five of them, with either outcome.
    """
    facts = finding.facts
    inside = facts.decisions
    if any(_small_outside(remedy.before, facts, minimum, decided=True) for remedy in finding.remedies[:1]):
        return True
    for check in checks:
        full = check.result
        if inside.where is None or full.where is not None or full.protected_condition != inside.protected_condition:
            continue
        for side in ("protected", "reference"):
            whole, part = getattr(full, side), getattr(inside, side)
            good = HELD_OUT * whole.positives - part.positives
            bad = HELD_OUT * whole.n - part.n - good
            if max(good, bad) >= 1 and min(good, bad) < minimum + 1:
                return True
    return False


def _small_remainder(facts: StudyFacts, checks: Iterable[CheckFinding], minimum: int) -> bool:
    """Return whether a check of the same groups, less the held-out rows, leaves a small count."""
    held_out = facts.decisions
    for check in checks:
        full = check.result
        if (full.protected_condition, full.where) != (held_out.protected_condition, held_out.where):
            continue
        for side in ("protected", "reference"):
            whole, part = getattr(full, side), getattr(held_out, side)
            good = whole.positives - part.positives
            if min(good, whole.n - part.n - good) < minimum:
                return True
        if 0 < full.n_filtered_out - held_out.n_filtered_out < minimum:
            return True
    return False


# The small-cell rule for remedies where the decision is an amount.
#
# - Errors and R2 over all held-out rows stay. Where there are few amounts, which a reader may know, nothing does. - No
# median and no quartile stays: each is what one person has. What a tree predicts in its leaves can be that, too: it
# is rounded until several people have it, and left out of a leaf that weighs columns. As it would follow from mean
# predictions, no figures by group stay of a tree, nor of a model that predicts one amount for everybody. - Other
# figures by group stay only if nothing else of the result is hidden and each group, and each of the protected   group
# and the rest, has at least the minimum of held-out rows, and so have, unless they are 0, the rows that do not   meet
# the filter, all and of each group; else they are all hidden, with the indices of discrimination. They are hidden,
# too, where few people may have one of two amounts, or one may have more than half of all that the protected group or
# the rest has. - Of a tree, what it asks and predicts stays but where few held-out rows come to a side of a split:
# there the split and   all below it are hidden. Who comes to its nodes is hidden. - What a remedy does inside strata is
# hidden. - What came out on other divisions of the rows is hidden. - Nothing stays that was counted on training or
# tuning rows, but their spread, rounded to two digits.

OVERALL = ("mae", "r2")
ROWS = ("n_rows", "n_undecided", "n_train", "n_tune", "n_held_out")


def masked_amount_remedies(
    finding: AmountRemediesFinding,
    minimum: int,
    *,
    checks: Iterable[AmountFinding] = (),
    others_hidden: bool,
    shared: Callable[[float], float | None] = lambda _: None,
    known_amounts: bool = False,
) -> AmountRemediesFinding:
    """Return a copy of the findings in which small counts, and what gives them away, are hidden.

    The `checks` matter to remedies on shares alone. `shared` rounds an amount until several people have it; by default
    none is shown. `known_amounts` says that there are few amounts, which a reader may know.
    """
    facts = finding.facts
    hidden = others_hidden or known_amounts or _small(finding, minimum)
    sizes_hidden = hidden or any(0 < n < minimum for n in (facts.n_undecided, facts.n_unknown))
    sample = masked_sample(facts.sample, minimum, sizes=not sizes_hidden)
    values: dict[str, Any] = {"deviation": rounded(facts.deviation), "sample": sample}
    # A check may count these on other rows; without the numbers nobody can subtract one from the other.
    values |= {"n_filtered_out": None, "n_unknown": facts.n_unknown and None}
    values["not_known"] = without_counts(facts.not_known, facts.plan.protected)
    if sizes_hidden:
        values |= dict.fromkeys(ROWS)
    values["decisions"] = _without_quartiles(facts.decisions)
    if hidden:
        values["decisions"] = without_figures(values["decisions"])
    remedies = tuple(_amount_remedy(remedy, minimum, hidden, shared) for remedy in finding.remedies)
    if known_amounts:
        remedies = tuple(map(_without_errors, remedies))
    return AmountRemediesFinding(replace(facts, **values), remedies)


def _small(finding: AmountRemediesFinding, minimum: int) -> bool:
    """Say whether few held-out rows are in a group or on a side of the difference, or are left out of it."""
    decisions = finding.facts.decisions
    sizes = [decisions.protected.n, decisions.reference.n]
    sizes += [decisions.n_filtered_out] if decisions.n_filtered_out else []
    for remedy in finding.remedies:
        groups = {str(row.group): int(row.n) for row in remedy.after.groups.itertuples()}
        sizes += [*groups.values(), *_outside(groups, finding.facts)]
    sides = (decisions.protected, decisions.reference)
    return min(sizes) < minimum or any(reveals_few(side, sides, minimum) for side in sides)


def _outside(groups: dict[str, int], facts: AmountStudyFacts) -> list[int]:
    """Return what is left of groups less those of them that meet the filter, where that is not nobody."""
    decisions = facts.decisions
    sides = sides_of_groups(list(groups), facts.group_columns, decisions)
    if sides is None:
        # It cannot be said how many there are.
        return [0] if decisions.n_filtered_out else []
    left = [sum(map(groups.__getitem__, names)) - getattr(decisions, side).n for side, names in sides.items() if names]
    return [n for n in left if n]


def _without_quartiles(comparison: Any) -> Any:
    """Return a comparison of means without what one person has, and with a tolerance as coarse as the spread."""
    sides = {
        name: replaced(getattr(comparison, name), **dict.fromkeys(("quarter", "median", "three_quarters")))
        for name in ("protected", "reference")
    }
    tolerance = comparison.tolerance
    return replaced(comparison, **sides, tolerance=None if tolerance is None else rounded(tolerance))


def _predicts_one_amount(model: AmountEvaluation) -> bool:
    return any(side.deviation == 0 for side in (model.predicted.protected, model.predicted.reference))


def _amount_remedy(
    remedy: AmountRemedyFinding, minimum: int, hidden: bool, shared: Callable[[float], float | None]
) -> AmountRemedyFinding:
    models = (remedy.before, remedy.after)
    hidden = hidden or remedy.details is not None or any(map(_predicts_one_amount, models))
    values: dict[str, Any] = {"warnings": shown_remarks(remedy.warnings, "setting"), "divisions": None}
    values["details"] = hidden_details(remedy, minimum, AMOUNTS, hidden=hidden)
    values["within"] = None if remedy.within is None else without_figures(remedy.within)
    values["beside_decisions"] = None
    if remedy.details is not None:
        kind = remedy_of(remedy.plan, AMOUNTS)
        values["details"] = kind.with_shared_amounts(values["details"], shared)
    if hidden:
        values |= {
            "before": _overall(remedy.before),
            "after": _overall(remedy.after),
            "changes": tuple(change for change in remedy.changes if change.measure in OVERALL),
            "indices": remedy.indices.iloc[:0],
        }
    else:
        for name, model in zip(("before", "after"), models, strict=True):
            values[name] = replace(model, predicted=_without_quartiles(model.predicted))
        values["indices"] = remedy.indices[(remedy.indices["index"] == "didi") & (remedy.indices["part"] == "held_out")]
    return replace(remedy, **values)


def _without_errors(remedy: AmountRemedyFinding) -> AmountRemedyFinding:
    """Hide errors, too: of one amount for all they say how many people have which amount."""
    models = {name: replace(getattr(remedy, name), **_NO_ERRORS) for name in ("before", "after")}
    return replace(remedy, **models, changes=())


_NO_ERRORS: dict[str, Any] = dict.fromkeys(OVERALL) | dict.fromkeys((f"{name}_interval" for name in OVERALL), HIDDEN)


def _overall(model: AmountEvaluation) -> AmountEvaluation:
    stay = {name: getattr(model, name) for name in (*OVERALL, *(f"{name}_interval" for name in OVERALL))}
    return replace(without_figures(model), **stay, predicted=without_figures(_without_quartiles(model.predicted)))
