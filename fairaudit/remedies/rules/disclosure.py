"""The small-cell rule for rule sets.

- What rules say is a setting, as a threshold for all groups is, and stays. But rules are learned from training rows,
  and one that holds for hardly anybody could tell of them: a rule that holds for fewer held-out rows than the minimum
  is not told. That goes for rules that a person chose, too: they may be learned ones of which others were changed. In
  the plan, and wherever else it stands, a text stands in its place that is no rule.
- How many rows each rule concerns, by group, stays only if no part of the rows that rules divide a group into is small:
  those that a rule holds for, that it alone holds for, that it shares with others, that only others hold for, and that
  several hold for; each by true outcome, and also if it is 0 while the part is not, as that tells about everyone in it.
  Otherwise only the whole rule set is told, which the confusion tables of the groups give anyway.
- Gaps stay where they follow from these tables, on held-out rows only. Nothing stays that was counted on training or
  tuning rows: the loss, the rounds of the search, other settings, accuracy and gaps there. How the search ended, and
  its distance to the bound, rounded up, are no counts.
- Figures of two rule sets can be taken from each other, and what is left is who meets one and not the other. Where the
  rows of a group that are left so are few with either outcome, the figures by group of the later one are hidden,
  wherever they stand, and its overall figures where they are few in all groups together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from fairaudit.remedies.constrain.disclosure import CELLS, GroupCounts, harmless
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.rules.plan import UNTOLD_RULE, RulesPlan
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.results import Evaluation

NAMES = [name for name, _, _ in CELLS]
METRICS = {"fnr": "fnr", "fpr": "fpr", "selection_rate": "sp", "error_rate": "mr"}
"""The metric whose gap has the size of each rate's."""
TRAINED = ("objective", "lp_bound", "bound", "trained_gap", "tuned_gap", "trained_accuracy", "tuned_accuracy")
TEXTS = ("text", "condition", "n_literals", "cost", "uses_protected", "proxies")


def masked_rules(finding: RemedyFinding, details: RulesDetails, minimum: int, *, hidden: bool) -> RulesDetails:
    """Return what stays of a rule set where small counts are hidden."""
    groups = {str(name) for name in finding.after.errors.groups}
    gaps = details.gaps.iloc[:0] if hidden else _told_gaps(finding, details.gaps)
    gaps = gaps.astype({"trained": object, "tuned": object}).assign(trained=None, tuned=None)
    return replace(
        details,
        rules=_told_rules(details, minimum),
        coverage=details.coverage.iloc[:0] if hidden else _told_coverage(finding, details.coverage, minimum),
        gaps=gaps,
        gap=_rounded_up(details.gap),
        path=details.path.iloc[:0],
        frontier=details.frontier.iloc[:0],
        notes=() if hidden else harmless(details.notes, groups),
        **dict.fromkeys(TRAINED),
    )


def told_plan(finding: RemedyFinding, told: RulesDetails) -> RulesPlan:
    """Return what was asked, without the rules that are hidden."""
    plan = finding.plan
    hidden = told.rules["text"].isna().tolist()
    if not plan.rules or not any(hidden):
        return plan
    # Rules are told in the order in which the plan has them. If ever they were not as many, none of them is shown.
    hidden = hidden if len(hidden) == len(plan.rules) else [True] * len(plan.rules)
    rules = tuple(UNTOLD_RULE if few else rule for rule, few in zip(plan.rules, hidden, strict=True))
    return plan.model_copy(update={"rules": rules})


def close_figures(remedies: Iterable[RemedyFinding], minimum: int) -> tuple[set[bytes], set[bytes]]:
    """Return which rule sets' and trees' figures must not stand beside those of an earlier one: they are too close."""
    by_group, overall = set(), set()
    seen: list[pd.DataFrame] = []
    for remedy in remedies:
        if not isinstance(remedy.details, RulesDetails | TreesDetails):
            continue
        cells = _cells(remedy.after)
        for other in seen:
            apart = cells - other
            if any(_is_small(abs(row.tp), abs(row.fp), minimum) for row in apart.itertuples()):
                by_group.add(figures_key(remedy.after))
            if _is_small(abs(apart["tp"].sum()), abs(apart["fp"].sum()), minimum):
                overall.add(figures_key(remedy.after))
        seen.append(cells)
    return by_group, overall


def figures_key(evaluation: Evaluation) -> bytes:
    """Return what is the same for models with the same counts in each group."""
    return repr(_cells(evaluation).to_dict("split")).encode()


def _told_rules(details: RulesDetails, minimum: int) -> pd.DataFrame:
    covered = details.coverage.groupby("rule")["n_covered"].sum()
    few = (details.rules["rule"].map(covered).fillna(0) < minimum).to_numpy()
    told = details.rules.astype(dict.fromkeys(TEXTS, object))
    told.loc[few, list(TEXTS)] = None
    return told


def _told_coverage(finding: RemedyFinding, coverage: pd.DataFrame, minimum: int) -> pd.DataFrame:
    """Return the whole of it, only what it tells of the whole rule set, or nothing."""
    whole = coverage[coverage["rule"] == 0]
    cells = _cells(finding.after)
    counts = whole.set_index(whole["group"].astype(str))
    expected = pd.DataFrame(
        {"n": cells.sum(axis=1), "n_covered": cells["tp"] + cells["fp"], "n_right": cells["tp"]}
    ).reindex(counts.index)
    if not (counts[list(expected)] == expected).to_numpy().all():
        return coverage.iloc[:0]
    parts = [part for _, group in coverage.groupby("group", sort=False) for part in _parts(group)]
    return whole if any(_is_small(*part, minimum) for part in parts) else coverage


def _parts(group: pd.DataFrame) -> Iterator[tuple[int, int]]:
    """Yield the rows with and without the outcome of each part that the rules divide a group into."""
    right = group["n_right"].to_numpy(dtype=int)
    wrong = group["n_covered"].to_numpy(dtype=int) - right
    only_wrong = group["n_only_wrong"].to_numpy(dtype=int)
    only_right = group["n_only"].to_numpy(dtype=int) - only_wrong
    is_rule = (group["rule"] != 0).to_numpy()
    for part in (right, wrong), (only_right, only_wrong), (right - only_right, wrong - only_wrong):
        yield from zip(*(side[is_rule].tolist() for side in part), strict=True)
    all_right, all_wrong = int(right[~is_rule][0]), int(wrong[~is_rule][0])
    yield from zip((all_right - right[is_rule]).tolist(), (all_wrong - wrong[is_rule]).tolist(), strict=True)
    yield all_right - int(only_right[is_rule].sum()), all_wrong - int(only_wrong[is_rule].sum())


def _told_gaps(finding: RemedyFinding, gaps: pd.DataFrame) -> pd.DataFrame:
    counts = GroupCounts(finding.after.errors)
    follows = [
        counts.gives(METRICS[row.rate], row.first, row.second, row.held_out, (row.n_first, row.n_second))
        for row in gaps.itertuples()
    ]
    return gaps[np.array(follows, dtype=bool)]


def _rounded_up(gap: float) -> float:
    return math.ceil(round(1000 * gap, 6)) / 1000 if math.isfinite(gap) else gap


def _cells(evaluation: Evaluation) -> pd.DataFrame:
    counts = evaluation.errors.counts
    return counts.set_index(counts["group"].astype(str))[NAMES]


def _is_small(right: float, wrong: float, minimum: int) -> bool:
    """Say whether a part of the rows gives people away: it is not empty, and one outcome is rare in it."""
    return max(right, wrong) > 0 and min(right, wrong) < minimum
