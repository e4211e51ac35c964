"""The small-cell rule for rule sets.

- What rules say is a setting, as a threshold for all groups is, and stays. But rules are learned from training rows,
  and one that holds for hardly anybody could reveal them: a rule that holds for fewer held-out rows than the minimum
  is hidden. So are rules that a person chose: they may be learned ones of which others were changed. A text that is no
  rule stands in its place, in the plan and everywhere else.
- How many rows each rule concerns, by group, stays only if no part of the rows that rules divide a group into is small:
  those that a rule holds for, that it alone holds for, that it shares with others, that only others hold for, and that
  several hold for; each by true outcome, and also if it is 0 while the part is not, as that says it of everyone in it.
  Otherwise only the whole rule set is shown, which the confusion tables of the groups give anyway.
- Gaps stay where they follow from these tables, on held-out rows only. Nothing stays that was counted on training or
  tuning rows: the loss, the bounds, the rounds of the search, other settings, accuracy and gaps there, and which
  conditions go against their column. How the search ended, and its distance to the bound, rounded up, are no counts.
- Figures of two rule sets can be subtracted, and what is left is who meets one and not the other. Where the
  rows of a group that are left so are few with either outcome, the figures by group of the later one are hidden,
  wherever they stand, and its overall figures where they are few in all groups together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import blanked, rounded_up
from fairaudit.disclosure.remedies import cells_of, following_gaps, gives_people_away
from fairaudit.plan.parts import as_part
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.rules.plan import HIDDEN_RULE, RulesPlan
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.rates_alike import METRICS

TEXTS = ("text", "condition", "n_literals", "cost", "uses_protected", "proxies", "contrary")


def shown_in_part(finding: RemedyFinding, minimum: int, *, hidden: bool) -> dict[str, Any]:
    """Return what stays of the rules, of whom they concern and of the gaps."""
    details = finding.details
    gaps = details.gaps.iloc[:0] if hidden else following_gaps(finding.after.errors, details.gaps, METRICS)
    return {
        "rules": _seen_rules(details, minimum),
        "coverage": details.coverage.iloc[:0] if hidden else _seen_coverage(finding, details.coverage, minimum),
        "gaps": blanked(gaps, ("trained", "tuned")),
        "optimality_gap": rounded_up(details.optimality_gap),
        "notes": shown_remarks(details.notes, "setting"),
    }


def counts_people(details: RulesDetails) -> bool:
    """Say whether it is shown how many each rule holds for."""
    return len(details.coverage) > 0


def shown_plan(finding: RemedyFinding, shown: RulesDetails) -> RulesPlan:
    """Return what was asked, without the rules that are hidden."""
    plan = as_part(finding.plan, RulesPlan)
    hidden = shown.rules["text"].isna().tolist()
    if not plan.rules or not any(hidden):
        return plan
    # Rules are shown in the order in which the plan has them. If ever they were not as many, none of them is shown.
    hidden = hidden if len(hidden) == len(plan.rules) else [True] * len(plan.rules)
    rules = tuple(HIDDEN_RULE if few else rule for rule, few in zip(plan.rules, hidden, strict=True))
    return plan.model_copy(update={"rules": rules})


def _seen_rules(details: RulesDetails, minimum: int) -> pd.DataFrame:
    covered = details.coverage.groupby("rule")["n_covered"].sum()
    few = (details.rules["rule"].map(covered).fillna(0) < minimum).to_numpy()
    seen = details.rules.astype(dict.fromkeys(TEXTS, object))
    seen.loc[few, list(TEXTS)] = None
    seen["contrary"] = None
    return seen


def _seen_coverage(finding: RemedyFinding, coverage: pd.DataFrame, minimum: int) -> pd.DataFrame:
    """Return all of it, only the rows of the whole rule set, or nothing."""
    whole = coverage[coverage["rule"] == 0]
    cells = cells_of(finding.after)
    counts = whole.set_index(whole["group"].astype(str))
    expected = pd.DataFrame(
        {"n": cells.sum(axis=1), "n_covered": cells["tp"] + cells["fp"], "n_right": cells["tp"]}
    ).reindex(counts.index)
    if not (counts[list(expected)] == expected).to_numpy().all():
        return coverage.iloc[:0]
    parts = [part for _, group in coverage.groupby("group", sort=False) for part in _parts(group)]
    return whole if any(gives_people_away(*part, minimum) for part in parts) else coverage


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
