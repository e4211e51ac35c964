"""The small-cell rule for remedies where the decision is an amount.

- Errors and R2 over all held-out rows stay. Where there are few amounts, which a reader may know, nothing does.
- No median and no quartile stays: each is what one person has. What a tree predicts in its leaves can be that, too: it
  is rounded until several people have it, and left out of a leaf that weighs columns. As it would follow from mean
  predictions, no figures by group stay of a tree, nor of a model that predicts one amount for everybody.
- Other figures by group stay only if nothing else of the result is hidden and each group, and each of the protected
  group and the rest, has at least the minimum of held-out rows, and so have, unless they are 0, the rows that do not
  meet the filter, all and of each group; else they are all hidden, with the indices of discrimination. They are hidden,
  too, where few people may have one of two amounts, or one may have more than half of all that the protected group or
  the rest has.
- Of a tree, what it asks and predicts stays but where few held-out rows come to a side of a split: there the split and
  all below it are hidden. Who comes to its nodes is hidden.
- What a remedy does inside strata is hidden.
- What came out on other divisions of the rows is hidden.
- Nothing stays that was counted on training or tuning rows, but their spread, rounded to two digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from fairaudit.audit.result import AmountFinding
from fairaudit.disclosure.details import hidden_details
from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import HIDDEN, replaced, rounded, without_counts, without_figures
from fairaudit.disclosure.means_of_few import reveals_few
from fairaudit.disclosure.outside_filter import sides_of_groups
from fairaudit.errors import sure
from fairaudit.outcomes.registry import AMOUNTS
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.sample import masked_sample
from fairaudit.study.amounts.findings import (
    AmountEvaluation,
    AmountRemediesFinding,
    AmountRemedyFinding,
    AmountStudyFacts,
)

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
    remedies = tuple(_remedy(remedy, minimum, hidden, shared) for remedy in finding.remedies)
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


def _remedy(
    remedy: AmountRemedyFinding, minimum: int, hidden: bool, shared: Callable[[float], float | None]
) -> AmountRemedyFinding:
    models = (remedy.before, remedy.after)
    hidden = hidden or remedy.details is not None or any(map(_predicts_one_amount, models))
    values: dict[str, Any] = {"warnings": shown_remarks(remedy.warnings, "setting"), "divisions": None}
    values["details"] = hidden_details(remedy, minimum, AMOUNTS, hidden=hidden)
    values["within"] = None if remedy.within is None else without_figures(remedy.within)
    values["beside_decisions"] = None
    if remedy.details is not None:
        kind = sure(kind_of(remedy.plan).on_amounts)
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
