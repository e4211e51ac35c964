"""What remedies show where small counts are hidden: test cases are counted, hidden and proved as all people are.

The test cases are a ledger of their own (:mod:`fairaudit.disclosure.ledger`): who is held out, by group, protection and
filter, with which outcome, and what each model predicts for them. As one in five is held out, a reader is taken to know
how many test cases of each sort and outcome there are, and which predictions occur together. The ledger of all people
takes the numbers of test cases that are shown as known (:class:`~fairaudit.disclosure.counts.Counts`). All else that
trying remedies found is hidden as a whole; what was asked, and how a search went, stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, Final, Literal

import numpy as np

from fairaudit.disclosure.fields import export_of, shown_remarks
from fairaudit.disclosure.hidden import HIDDEN, replaced, without_counts, without_figures
from fairaudit.disclosure.ledger import Ledger, Mask, hidden_counts
from fairaudit.errors import LimitError, require
from fairaudit.measure.grouping import MISSING
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.study.amounts.findings import AmountRemediesFinding
from fairaudit.study.findings import RemediesFinding, RemedyFinding
from fairaudit.study.judging.results import Change, Evaluation, Measured, Yardstick

Part = Literal["gap", "performance", "groups"]
"""What figures of a model are made of: both sides of the gap, all test cases, or those of each group."""

WORTH: Final[dict[Part, int]] = {"gap": 4, "performance": 3, "groups": 2}
"""What is lost with a part; less with one of a later model, and least with the intervals of changes."""

OF_MEASURE: Final[dict[str, Part]] = {"accuracy": "performance", "balanced_accuracy": "performance", "gap": "gap"}
"""Which part a measure belongs to; each group's, where it is not named."""

OF_SCORES: Final = "auc"
"""The measure that counts nobody, so that no proof holds for it."""

Unit = tuple[Part, tuple[int, ...]]
"""Figures that are shown or hidden together: a part of the decisions, of a model, or of the changes between two."""


class JudgedCases:
    """The test cases by all that figures of remedies depend on, and which of these figures are shown.

    Parameters
    ----------
    finding : RemediesFinding
        What trying remedies found.
    minimum : int
        Counts under it are small.
    """

    def __init__(self, finding: RemediesFinding, minimum: int):
        self.facts, self.minimum = finding.facts, minimum
        self.shown: set[Unit] = set()
        self.models: dict[bytes, int] = {}
        if self.facts.judged is None:
            return
        learned = [remedy for remedy in finding.remedies if remedy.plan.is_learned()]
        models = [model for remedy in learned for model in (remedy.before, remedy.after)]
        self.models |= {key: number for number, key in enumerate(dict.fromkeys(map(_key, models)))}
        pairs = dict.fromkeys((self.number(remedy.before), self.number(remedy.after)) for remedy in learned)
        self._count()
        try:
            self._fill(pairs)
            if all(not self.ledger.small.isdisjoint(counts) for counts in self.units.values()):
                return
            hidden = hidden_counts(self.ledger)
        except LimitError:
            return
        self.shown = {unit for unit, counts in self.units.items() if hidden.isdisjoint(counts)}

    def number(self, model: Evaluation) -> int:
        """Return the number of a model, which those that predict the same share; -1 of one that is left out."""
        return self.models.get(_key(model), -1) if model.prediction is not None else -1

    def shows(self, part: Part, *models: Evaluation) -> bool:
        """Say whether a part is shown: of the decisions, of a model, or of changes from one to another."""
        return (part, tuple(map(self.number, models))) in self.shown

    def shows_any(self, part: Part) -> bool:
        """Say whether a part is shown of any model."""
        return any(shown == part for shown, _ in self.shown)

    def _count(self) -> None:
        """Count the test cases: both outcomes stand beside each combination of who there is and what is predicted."""
        people = require(self.facts.judged)
        said = {str(n): np.frombuffer(key, dtype=bool) for key, n in self.models.items()}
        people = people.assign(**said)
        who = people.groupby([name for name in people if name != "good"], sort=False)["good"]
        counted = who.agg(["sum", "size"]).reset_index()
        good, n = counted["sum"].to_numpy(), counted["size"].to_numpy()
        # Twice the same: with the good outcome, and with the other one.
        self.atoms = {str(name): np.tile(values.to_numpy(), 2) for name, values in counted.items()}
        is_good = np.repeat([True, False], len(n))
        self.outcomes = (is_good, ~is_good)
        self.ledger = Ledger(np.concatenate([good, n - good]), self.minimum, behind=np.tile(n, 2))
        inside, protected = self.atoms["inside"], self.atoms["protected"]
        self.sides = (inside & protected, inside & ~protected)
        self.groups = [self.atoms["group"] == name for name in dict.fromkeys(self.atoms["group"])]
        self.units: dict[Unit, list[int]] = {}

    def _fill(self, pairs: Iterable[tuple[int, int]]) -> None:
        protected = self.atoms["protected"]
        self.ledger.given |= {
            self.ledger.count(group & side & truth)
            for group in self.groups
            for side in (protected, ~protected)
            for truth in self.outcomes
        }
        self._unit("gap", (), [who & truth for who in self.sides for truth in self.outcomes], WORTH["gap"])
        is_whole = self._judges_each_group()
        parts: dict[Part, Sequence[Mask]] = {"gap": self.sides, "performance": self.outcomes}
        parts |= {"groups": [group & truth for group in self.groups for truth in self.outcomes]} if is_whole else {}
        for number in self.models.values():
            said = self._said(number)
            for part, parts_of in parts.items():
                counted = [who & each for who in parts_of for each in (said, ~said)]
                outside = [~self.atoms["inside"]] if part == "gap" and not self.atoms["inside"].all() else []
                self._unit(part, (number,), [*counted, *outside], WORTH[part] / (1 + number))
        for before, after in pairs:
            was, now = self._said(before), self._said(after)
            for part, parts_of in parts.items():
                moved = [who & each for who in parts_of for each in (was & ~now, now & ~was)]
                some = [who for who in moved if self.ledger.people[who].any()]
                # Who is predicted otherwise is no figure itself: where these are few, the intervals are not offered.
                if before != after and all(self.ledger.people[who].sum() >= self.minimum for who in some):
                    self._unit(part, (before, after), some, 1 / (1 + after))

    def _judges_each_group(self) -> bool:
        """Say whether each group that is named has test cases: of others a reader knows that they are few."""
        named = set(self.facts.groups) - (set() if self.facts.group_columns else {MISSING})
        return named <= set(self.atoms["group"])

    def _said(self, number: int) -> Mask:
        return self.atoms[str(number)]

    def _unit(self, part: Part, models: tuple[int, ...], masks: Iterable[Mask], cost: float) -> None:
        """Add figures that are shown or hidden together; that nobody is in one is a small count, too."""
        sizes = [(who, int(self.ledger.people[who].sum())) for who in masks]
        numbers = [self.ledger.count(who, cost=cost, small=n < self.minimum) for who, n in sizes]
        self.ledger.together(*numbers)
        self.units[part, models] = numbers


def _key(model: Evaluation) -> bytes:
    return (np.asarray(model.prediction) == 1).tobytes()


def hidden_remedies(finding: RemediesFinding, cases: JudgedCases) -> RemediesFinding:
    """Return a copy without what is not shown of the test cases."""
    facts = _facts(finding.facts)
    decisions = finding.facts.decisions if cases.shows("gap") else facts.decisions
    n_held_out = finding.facts.n_held_out if cases.shown else None
    not_known = without_counts(finding.facts.not_known)
    facts = replaced(facts, decisions=decisions, n_held_out=n_held_out, not_known=not_known)
    facts = replace(facts, warnings=shown_remarks(finding.facts.warnings, "setting"))
    return RemediesFinding(facts, tuple(_remedy(remedy, cases) for remedy in finding.remedies))


def hidden_amount_remedies(finding: AmountRemediesFinding, cases: None = None) -> AmountRemediesFinding:
    """Return a copy without any figure: which amounts people have is in no count of the test cases."""
    return AmountRemediesFinding(_facts(finding.facts), tuple(map(_without_figures, finding.remedies)))


def _facts(facts: Any) -> Any:
    """Return facts without figures; whether anybody's group is unknown follows from what models learn from."""
    return replaced(without_figures(facts), n_unknown=facts.n_unknown and None, proxies=None)


def hidden_details(details: Any) -> Any:
    """Return what a fit found without any figure; of its sentences those stay that declare to reveal none."""
    values = {field.name: getattr(details, field.name) for field in fields(details) if export_of(field) != "setting"}
    notes = {name: shown_remarks(value, "setting") for name, value in values.items() if isinstance(value, tuple)}
    return replace(without_figures(details), **notes)


def _without_figures(finding: Any) -> Any:
    """Return a remedy without any figure of its own, of its models, and of what a fit found."""
    details = None if finding.details is None else hidden_details(finding.details)
    warnings, is_remedy = shown_remarks(finding.warnings, "setting"), finding.plan.is_remedy
    hidden = replaced(without_figures(finding), details=details, warnings=warnings, predictions_differ=is_remedy)
    return replace(hidden, beside_decisions=None, divisions=None, hit=None)


def _remedy(finding: RemedyFinding, cases: JudgedCases) -> RemedyFinding:
    before, after = finding.before, finding.after
    changes = tuple(
        _change(each, before, after, cases) for each in finding.changes if _is_shown(each, cases, before, after)
    )
    is_said = all(cases.shows("performance", model) for model in (before, after))
    return replaced(
        _without_figures(finding),
        before=_model(before, cases),
        after=_model(after, cases),
        changes=changes,
        yardsticks=tuple(map(_yardstick, finding.yardsticks)),
        predictions_differ=finding.predictions_differ or (finding.plan.is_remedy and not is_said),
    )


def _is_shown(figure: Measured | Change, cases: JudgedCases, *models: Evaluation) -> bool:
    part = OF_MEASURE.get(figure.measure, "groups")
    return figure.measure != OF_SCORES and all(cases.shows(part, model) for model in models)


def _model(model: Evaluation, cases: JudgedCases) -> Evaluation:
    shown: dict[str, Any] = {
        "measures": tuple(each if _is_shown(each, cases, model) else without_figures(each) for each in model.measures)
    }
    shown |= {"n": model.n} if any(cases.shows(part, model) for part in WORTH) else {}
    shown |= {"errors": model.errors} if cases.shows("groups", model) else {}
    shown |= {"fairness": model.fairness} if cases.shows("gap", model) else {}
    return replace(without_figures(model), **shown)


def _change(change: Change, before: Evaluation, after: Evaluation, cases: JudgedCases) -> Change:
    """Return a change with its interval, which tells how many are predicted otherwise, only where that is shown."""
    part = OF_MEASURE.get(change.measure, "groups")
    is_same = cases.number(before) == cases.number(after)
    return change if is_same or cases.shows(part, before, after) else replace(change, interval=HIDDEN)


def _yardstick(yardstick: Yardstick) -> Yardstick:
    """Return what a simple rule is, without any figure."""
    return replace(without_figures(yardstick), measures=tuple(map(without_figures, yardstick.measures)))


HIDING: Final[dict[OutcomeKind, Callable[[Any, Any], Any]]] = {
    SHARES: hidden_remedies,
    AMOUNTS: hidden_amount_remedies,
}
"""What hides what trying remedies found, given its test cases, by the kind of the decision."""
