"""What a job does to fit a remedy: the plain model first, where the remedy builds on one. No page, no state."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

from fairaudit.audit.trying import Candidate, iter_divisions, iter_remedy, lacks_divisions, search_key
from fairaudit.errors import FairauditError, StoppedError
from fairaudit.events import STOP, Command, Event, Finished
from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.study.cautions import was_stopped
from fairaudit.study.divided import DividedRows
from fairaudit.study.findings import plan_key
from ui.runtime.jobs import Events
from ui.runtime.processes import apart


def iter_fit(
    study: DividedRows,
    plan: RemedyPlan,
    known: dict[str, Candidate],
    fitted: Candidate | None = None,
    *,
    divisions: bool = False,
) -> Events:
    """Fit the plain model of a remedy, unless it is known, then the remedy; the result is a tuple of what was made.

    One that is `fitted` is not fitted again. With `divisions` it is then judged on all that the study asks for. It is
    done in a process apart, where the server has one; `known` gets what later fits can build on as soon as it is there.
    """
    made, command = [], None
    with closing(apart(partial(_iter_made, study, plan, dict(known), fitted, divisions))) as events:
        while True:
            event = events.send(command)
            command = None
            if isinstance(event, _Learnt):
                known[event.key] = event.candidate
                made += [event.candidate] if event.is_plain else []
            elif isinstance(event, Finished):
                yield Finished((*made, event.result))
                return
            else:
                command = yield event


@dataclass(frozen=True)
class _Learnt:
    """A model that later fits can build on; the plain one is a remedy of its own."""

    key: str
    candidate: Candidate
    is_plain: bool = False


Fitting = Generator[Event | _Learnt, Command | None, Any]


def _iter_made(
    study: DividedRows, plan: RemedyPlan, known: dict[str, Candidate], fitted: Candidate | None, divisions: bool
) -> Fitting:
    """Yield the events of a fit and what others can build on, and finish with what was made."""
    if fitted is None:
        fitted = yield from _fit(study, plan, known)
    if divisions and lacks_divisions(fitted.finding, study.models.divisions) and not was_stopped(fitted.finding):
        fitted, _ = yield from _through(iter_divisions(study, fitted, {}))
    yield Finished(fitted)


def _fit(study: DividedRows, plan: RemedyPlan, known: dict[str, Candidate]) -> Fitting:
    plain = plain_of(plan, study.facts.outcome)
    if plain is not None and plan_key(plain) not in known:
        candidate, stopped = yield from _through(iter_remedy(study, plain))
        if stopped:
            raise StoppedError(
                "Stopped while the model without the remedy was made, so there is nothing to show yet.",
                hint="Start it again and let it run longer.",
            )
        known[plan_key(plain)] = candidate
        yield _Learnt(plan_key(plain), candidate, is_plain=True)
    candidate, stopped = yield from _through(iter_remedy(study, plan, known=known))
    # Of a search that was stopped, the model that it was to be compared with may be complete.
    if plan.keeps_model and (not stopped or candidate.plain is not None):
        yield _Learnt(search_key(plan), candidate)
    return candidate


def plain_of(plan: RemedyPlan, outcome: OutcomeKind = SHARES) -> PlainPlan | None:
    """Return the plain model that a remedy is put on or compared with; None if none."""
    model = plan.plain_model(outcome)
    return None if model is None else PlainPlan(model=model)


def fail(error: FairauditError) -> Events:
    """Do nothing but say why nothing can be done, where a fit would say it."""
    yield from ()
    raise error


def _through(events: Generator[Event, Command | None, object]) -> Generator[Event, Command | None, tuple[Any, bool]]:
    """Pass events and commands on, up to the end; return the result, and whether a stop was asked for."""
    command: Command | None = None
    stopped = False
    with closing(events):
        while True:
            event = events.send(command)
            if isinstance(event, Finished):
                return event.result, stopped
            command = yield event
            stopped = stopped or command is STOP
