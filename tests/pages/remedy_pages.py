"""What the tests of the remedy pages share: the loans, fits that end, and a search that is seen while it goes on."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pandas as pd
from shown import shows
from study_data import as_loans, loans_plan

from fairaudit.audit.trying import Candidate
from fairaudit.errors import StoppedError
from fairaudit.events import Incumbent, Progress
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.outcomes import ScorePlan
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.sections.remedy import say_remedy
from fairaudit.study.findings import plan_key
from ui.entries import FitRequest, Fitted
from ui.remedies.registry import page_of
from ui.text import literal

PATIENCE_S = 60
NARROWED = "area <> 'west'"
"""Leaves held-out rows out of the gap."""


def bring_loans(app, frame: pd.DataFrame, *, score: ScorePlan | None = None, **models):
    """Give a session loans, a question, and what models learn from."""
    plan = loans_plan(**models)
    state = app.state
    state.put_table(as_loans(frame), source="loans.csv")
    state.decision, state.protected_columns, state.score = plan.decision, ("sex",), score
    state.change_check(protected="sex = 'woman'")
    state.change_check(protected_name="women")
    state.models = plan.models
    return app


def with_sex(frame: pd.DataFrame, *, missing: bool) -> pd.DataFrame:
    """The same rows, where the sex of all is known or that of every eighth is missing."""
    known = frame["sex"].fillna("man").astype(object)
    return frame.assign(sex=known.where(~(frame.index % 8 == 0), None) if missing else known)


def assert_names_rows(app) -> None:
    """Check that the page says on how many cases the gap was measured, where a filter leaves some out."""
    study = app.state.study[1]
    held = study.split.held_out
    assert study.population[held].all() and not study.in_filter.all() and not study.known.all()
    assert f"on {len(held)} test cases" in app.text


def has_answer(app) -> bool:
    """Whether the page begins with what a remedy did, and holds the rest out of sight."""
    return any(expander.label == literal(say(Message("remedy-more"))) for expander in app.expander)


def said_of(app, method: str):
    """What the answer of the page is: the remedy of this kind that was made last."""
    fitted = [one for one in app.state.fitted.values() if one.candidate.finding.plan.method == method]
    return say_remedy(fitted[-1].candidate.finding, fitted[-1].facts)


def finish(app):
    """Wait for the fits that are under way and draw the page again."""
    for job in app.state.jobs.active:
        assert job.wait(PATIENCE_S), job.status
    return app.run()


def put(app, candidate: Candidate):
    """Show a remedy that was found before, as if it had been found here."""
    state = app.state
    plan = candidate.finding.plan
    state.fitted[plan_key(plan)] = Fitted(candidate, state.study_key, state.study[1].facts)
    state.keep(plan)
    return app.run()


def asked(app, key: str) -> RemedyPlan:
    """What a press of the button that fits asks for."""
    app.click(key)
    [job] = app.state.jobs.all
    app.state.jobs.cancel_all()
    return job.about.plan


def has(app, key: str) -> bool:
    """Whether the page has a button with this key."""
    return any(button.key == key for button in app.button)


def figures(app) -> dict[str, str]:
    """The figures that are drawn, by their labels."""
    return {metric.label: metric.value for metric in app.metric}


def trees_found(*steps: tuple[float, float]) -> list[Incumbent]:
    """What a search for a tree shows: a proven bound and the best so far, step by step; NaN where there is none."""
    return [
        Incumbent("tree", {"objective": best, "bound": bound, "share": 0.1 * place}, best=math.isfinite(best))
        for place, (bound, best) in enumerate(steps, start=1)
    ]


@contextmanager
def search_in_sight(app, plan: RemedyPlan, found: Sequence[Incumbent]) -> Iterator[None]:
    """Draw the page while a made-up search goes on that has found something; at the end of the block, stop it."""
    shown, seen, state = threading.Event(), threading.Event(), app.state

    def search():
        yield from found
        shown.set()
        seen.wait(PATIENCE_S)
        command = yield Progress("One step more", 50, 100)
        raise StoppedError(f"It was {command.value}ped.")

    about = FitRequest(plan, state.study_key, state.study[1].facts, True)
    job = state.jobs.start("made up", page_of(plan.method).work, search, about=about)
    assert shown.wait(PATIENCE_S)
    app.run()
    yield
    app.click(f"job_stop_{job.number}")
    assert shows(app.text, "page-stopping")
    seen.set()
    finish(app)
    assert "It was stopped." in app.text
