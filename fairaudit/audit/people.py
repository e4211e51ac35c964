"""The people of an audit, counted by everything that its figures depend on.

Every count that an export shows is a sum over the rows of this one table. It stays inside: it only decides what has to
be hidden, see :mod:`fairaudit.disclosure.ledger`.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.engine import quoted
from fairaudit.data.table import Table
from fairaudit.errors import require
from fairaudit.measure.bands import Bands, Part, counted
from fairaudit.measure.grouping import plain_value, value_text
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.roles import outcome_of, prediction_of
from fairaudit.presets.findings import MeansFinding, PayFinding, PresetFinding, RatesFinding

DECISION, PREDICTION = "decision", "prediction"
"""Whether a row has the good outcome (or an amount), and whether it is predicted to have it."""

LEVEL = "level"
"""Which level a row has, where the decision has levels: whether it has the good outcome follows from it."""

LEARNED = "learned from"
"""Whether the filter of the models keeps the decision of a row, where it names the decision itself."""

AMOUNT = "amount"
"""The name under which the numbers of a column stand in :meth:`People.amounts`."""

MOST_ATOMS = 200_000
"""Above this, combinations that do not occur are not added."""


def column_key(column: str) -> str:
    """Return the name under which the values of a column stand in :attr:`People.counts`."""
    return f"column {column}"


def truth_key(condition: Condition) -> str:
    """Return the name under which it stands whether a condition is met: one for all texts that are read the same."""
    return f"truth {condition}"


def number_key(column: str) -> str:
    """Return the name under which it stands whether a column has a number."""
    return f"number {column}"


@dataclass(frozen=True, eq=False)
class People:
    """The people of an audit by all that its figures depend on; they are counted when first asked for.

    Parameters
    ----------
    table : Table
        The data.
    attributes : mapping of str to str, Condition or Bands
        What says who a person is: columns, also cut into bands, protected conditions and filters.
    outcomes : mapping of str to Condition or str
        What happened to them: the decision, its level, the prediction, whether a score is above the median.
    """

    table: Table
    attributes: Mapping[str, Part]
    outcomes: Mapping[str, Condition | str]

    @property
    def columns(self) -> list[str]:
        """The columns among the attributes; one that is cut into bands under the name of these."""
        parts = self.attributes.values()
        return [part if isinstance(part, str) else part.name for part in parts if isinstance(part, str | Bands)]

    @cached_property
    def counts(self) -> pd.DataFrame:
        """One row a combination: the attributes, the outcomes, and ``n``.

        All outcomes stand beside all attributes that occur, also where nobody has them: a reader who knows who there is
        does not know what happened to them.
        """
        found = self._counted(self.outcomes)
        if not self.attributes:
            found.insert(0, "everyone", True)
        who = list(self.attributes) or ["everyone"]
        groups = found[who].drop_duplicates()
        # Who has a level has the good outcome or has not: no other combination of both is possible.
        free = [name for name in self.outcomes if not (name == DECISION and LEVEL in self.outcomes)]
        states = [_states(name, found[name]) for name in free]
        n_states = int(np.prod([len(values) for values in states]))
        if self.outcomes and len(groups) * n_states <= MOST_ATOMS:
            every = pd.DataFrame(list(itertools.product(*states)), columns=free, dtype=object)
            if len(free) < len(self.outcomes):
                is_good = dict(zip(found[LEVEL], found[DECISION], strict=True))
                every[DECISION] = pd.Series([is_good[level] for level in every[LEVEL]], dtype=object)
            every = every[list(self.outcomes)]
            crossed = groups.merge(every, how="cross")
            key = [*who, *self.outcomes]
            counted = dict(zip(map(tuple, found[key].to_numpy().tolist()), found["n"], strict=True))
            crossed["n"] = [counted.get(tuple(row), 0) for row in crossed[key].to_numpy().tolist()]
            found = crossed
        return found.astype({"n": "int64"}).reset_index(drop=True)

    def truth_key(self, text: str) -> str:
        """Return the name under which it stands whether a condition is met, however it is written."""
        return truth_key(require(self.table.condition(text)))

    def amounts(self, column: str) -> pd.DataFrame:
        """Return one row a combination of attributes and of a number in a column: the attributes, it, and ``n``."""
        found = self._counted({AMOUNT: column})
        found = found[found[AMOUNT].notna()]
        return found.astype({AMOUNT: float, "n": "int64"}).reset_index(drop=True)

    def _counted(self, others: Mapping[str, Part]) -> pd.DataFrame:
        """Return how many people there are by all attributes and by others, where None is missing."""
        found = counted(self.table.counts, {**self.attributes, **others})
        for name in {**self.attributes, **others}:
            part = self.attributes.get(name)
            values = part.texts(found[name]) if isinstance(part, Bands) else found[name].astype(object)
            found[name] = values.where(values.notna(), None)
        if LEVEL in others:
            found[LEVEL] = [None if level is None else value_text(plain_value(level)) for level in found[LEVEL]]
        return found


def people_of(
    table: Table, plan: AuditPlan, presets: Collection[PresetFinding], *, beside: Collection[People] = ()
) -> People:
    """Return the people of an audit by all that its checks, errors and forms depend on, and audits `beside` it."""
    columns = [name for check in plan.checks for names in (*check.compare, check.whole_strata) for name in names]
    columns += [name for errors in plan.errors for name in errors.by]
    columns += plan.models.by if plan.remedies and plan.models else ()
    texts = [text for check in plan.checks for text in (check.protected, check.where)]
    texts += [errors.where for errors in plan.errors]
    texts += (plan.models.protected, plan.models.where) if plan.remedies and plan.models else ()
    outcomes: dict[str, Condition | str] = {}
    if not plan.names_decision:
        pass
    elif plan.decision.kind.has_good_outcome:
        outcomes[DECISION] = outcome_of(table, plan.decision).condition
        if plan.decision.levels and plan.checks:
            outcomes[LEVEL] = plan.decision.column
    else:
        outcomes[number_key(plan.decision.column)] = _is_there(table, plan.decision.column)
    if plan.errors and (prediction := prediction_of(table, plan)) is not None:
        outcomes[PREDICTION] = prediction
    for form in presets:
        parts: tuple[RatesFinding | MeansFinding | PayFinding, ...] = (*form.rates, *form.means, *form.pay)
        columns += [name for part in parts for name in part.table.columns]
        texts += [form.where, *form.plan.counted.values()]
        for means in form.means:
            outcomes[number_key(means.table.column)] = _is_there(table, means.table.column)
        # Who receives a component stands with the attributes: then what they have can be taken from what all have.
        texts += [receives_text(pay.table.column) for pay in form.pay if asks_who_receives(pay)]
        if form.median is not None:
            above = require(table.condition(above_median(form)))
            outcomes[truth_key(above)] = above
    attributes: dict[str, str | Condition | Bands] = {column_key(name): name for name in columns}
    bands = [Bands.of(table, name, cuts) for check in plan.checks for name, cuts in check.strata_cuts.items()]
    attributes |= {column_key(each.name): each for each in bands}
    conditions = filter(None, map(table.condition, texts))
    attributes |= {truth_key(condition): condition for condition in conditions}
    if plan.remedies and plan.models and (where := table.condition(plan.models.where)) is not None:
        learned = where.about(table.column(plan.decision.column).name)
        attributes |= {} if learned is None else {LEARNED: learned}
    # Pay is the sum of its parts: who has a number in one column of it often is who has one in another. A reader may
    # know that, so it stands with the attributes, of which the combinations that occur are taken as known.
    paid = dict.fromkeys(pay.table.column for form in presets for pay in form.pay)
    attributes |= {number_key(column): _is_there(table, column) for column in paid}
    for other in beside:
        attributes |= other.attributes
        outcomes |= other.outcomes
    outcomes = {key: condition for key, condition in outcomes.items() if key not in attributes}
    return People(table, attributes, outcomes)


def score_of(form: PresetFinding) -> str:
    """Return the column of the score whose median a form is cut at."""
    [role] = [role.role for role in form.preset.roles_of("score") if role.role in form.plan.columns][:1]
    return form.plan.columns[role][0]


def asks_who_receives(pay: PayFinding) -> bool:
    """Say whether a table of pay depends on who has more than 0."""
    return not pay.of_means and (pay.check.measure == "receiving" or pay.check.among == "receiving")


def receives_text(column: str) -> str:
    """Return the condition under which somebody receives a component of pay."""
    return f"{quoted(column)} > 0"


def above_median(form: PresetFinding) -> str:
    """Return the condition under which somebody's score is above the median of a form."""
    return f"{quoted(score_of(form))} > {form.median!r}"


def _is_there(table: Table, column: str) -> Condition:
    return require(table.condition(f"{quoted(column)} IS NOT NULL"))


def _states(outcome: str, values: pd.Series) -> list[object]:
    if outcome == LEVEL:
        return sorted(set(values), key=lambda level: (level is None, str(level)))
    if outcome.startswith(number_key("")):
        # Who reads that nobody in one group lacks a number may take it that nobody does.
        return sorted(set(values), reverse=True)
    return [True, False, None] if values.isna().any() else [True, False]
