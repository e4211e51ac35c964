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
  stays only where it could single out nobody (:mod:`~fairaudit.remedies.rules.disclosure`). Of a tree, what it asks
  stays but where few rows come to a side; the counts of its nodes are shown whole or not at all
  (:mod:`~fairaudit.remedies.trees.disclosure`). Rule sets and trees whose figures are so close that few people make the
  difference are not shown side by side: the later one's figures by group are hidden.
- The interval of a change says how many people gain and how many lose: where few may, it is hidden
  (:mod:`~fairaudit.disclosure.changed_people`). Figures of two cuts of one score can be subtracted, and what is left is
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

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from fairaudit.audit.result import CheckFinding
from fairaudit.disclosure.changed_people import seen_change, seen_changes
from fairaudit.disclosure.close_figures import close_cuts, close_figures, figures_key
from fairaudit.disclosure.details import hidden_details
from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import HIDDEN, without_counts, without_figures
from fairaudit.disclosure.outside_filter import sides_of_groups
from fairaudit.errors import sure
from fairaudit.estimators.splitting import TRAIN, TUNE
from fairaudit.measure.results import ControlledFairness
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.sample import masked_sample
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import GOOD, Evaluation, Yardstick

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
    counting = [each for each in remedies if each.details and kind_of(each.plan).counts_people(each.details)]
    shown = any(kind_of(each.plan).without_people is None for each in counting)
    found = []
    for remedy in remedies:
        if remedy in counting and (without := kind_of(remedy.plan).without_people) is not None:
            if shown:
                remedy = replace(remedy, details=without(remedy.details))
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
    kind, details = kind_of(finding.plan), hidden_details(finding, minimum, hidden=hidden)
    values: dict[str, Any] = {
        "details": details,
        # Other rows are held out on each division: figures on them could be put together with those on these.
        "divisions": None,
        "warnings": shown_remarks(finding.warnings, "setting"),
    }
    if kind.hide_plan is not None:
        values["plan"] = kind.hide_plan(finding, details)
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
