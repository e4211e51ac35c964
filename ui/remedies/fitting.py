"""What a job does to fit a remedy: the plain model first, where the remedy builds on one. No page, no state."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any

from fairaudit.errors import FairauditError, StoppedError
from fairaudit.events import STOP, Command, Event, Finished
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.amounts.trying import iter_amount_remedy
from fairaudit.study.rows import Study
from fairaudit.study.trying import Candidate, iter_remedy, plan_key, search_key
from ui.jobs import Events


def iter_fit(study: Study | AmountStudy, plan: RemedyPlan, known: dict[str, Candidate]) -> Events:
    """Fit the plain model of a remedy, unless it is known, then the remedy; the result is a tuple of what was made."""
    made = []
    amount = isinstance(study, AmountStudy)
    make = iter_amount_remedy if amount else iter_remedy
    plain = plain_of(plan, amount=amount)
    if plain is not None and plan_key(plain) not in known:
        candidate, stopped = yield from _through(make(study, plain))
        if stopped:
            raise StoppedError(
                "Stopped while the model without the remedy was fitted, so there is nothing to show yet.",
                hint="Fit it again and give it more time.",
            )
        known[plan_key(plain)] = candidate
        made.append(candidate)
    candidate, stopped = yield from _through(make(study, plan, known=known))
    # What a stopped rule set or tree was to be compared with may be complete.
    if isinstance(plan, RulesPlan | TreesPlan) or (isinstance(plan, PlainPlan | ConstrainPlan) and not stopped):
        known[search_key(plan)] = candidate
    yield Finished((*made, candidate))


def plain_of(plan: RemedyPlan, *, amount: bool = False) -> PlainPlan | None:
    """Return the plain model that a remedy is put on or, as a rule set or tree, compared with; None if none."""
    match plan:
        case ThresholdsPlan() if plan.model != "score":
            return PlainPlan(model=plan.model)
        case RulesPlan() if plan.rules or plan.fairness is None:
            return PlainPlan()
        case TreesPlan() if plan.is_free:
            return PlainPlan(model="linear_regression") if amount else PlainPlan()
    return None


def fail(error: FairauditError) -> Events:
    """Do nothing but say why nothing can be done, where a fit would say it."""
    raise error
    yield


def _through(events: Events) -> Generator[Event, Command | None, tuple[Any, bool]]:
    """Pass events and commands on, up to the end; return the result, and whether a stop was asked for."""
    command = None
    stopped = False
    with closing(events):
        while True:
            event = events.send(command)
            if isinstance(event, Finished):
                return event.result, stopped
            command = yield event
            stopped = stopped or command is STOP
