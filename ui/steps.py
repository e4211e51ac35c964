"""The way through an audit, as the sidebar shows it: four numbered steps, and below them what goes deeper.

A new page is one :class:`Deeper` in :data:`DEEPER`, in the order in which the sidebar lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.entries import FitRequest
from ui.remedies.registry import remedy_pages
from ui.state import AuditState
from ui.values import asks_what_rows_are

CHOOSER = "pages/20_Remedies.py"
COMPARE = "pages/40_Compare.py"


def no_table(state: AuditState) -> str:
    """Return what a page waits for that needs a table; empty where it is there."""
    return "bring a table" if state.table is None else ""


def no_decision(state: AuditState) -> str:
    """Return what a page waits for that needs a decision."""
    if said := no_table(state):
        return said
    return "say on Data what was decided" if state.decision is None else ""


def no_cases(state: AuditState) -> str:
    """Return what a page waits for that takes each row for one case."""
    return no_table(state) or ("say on Data what a row is" if asks_what_rows_are(state) else "")


def no_decided_cases(state: AuditState) -> str:
    """Return what a page waits for that needs cases and their decision."""
    return no_decision(state) or no_cases(state)


def no_question(state: AuditState) -> str:
    """Return what the report waits for; searches and rankings need no decision."""
    return no_table(state) if state.inspections or state.rankings else no_decision(state)


def no_groups(state: AuditState) -> str:
    """Return what a page waits for that compares groups."""
    asked = any(entry.plan.protected for entry in state.checks)
    return no_decided_cases(state) or ("" if asked else "say on Groups who is protected")


def is_reported(state: AuditState) -> bool:
    """Whether the report that was made last is of the audit as it stands."""
    return state.made is not None and state.made.digest == state.report_key


def nothing_missing(state: AuditState) -> str:
    """Return that a page waits for nothing."""
    return ""


@dataclass(frozen=True)
class Below:
    """A page that is listed below another, what the sidebar calls it, and where it is."""

    path: str
    label: str
    page: str


def _remedies_tried(state: AuditState) -> Iterator[Below]:
    """Yield the pages of the remedies that are fitted, kept or under way, then of the page that compares them."""
    if no_groups(state):
        return
    methods = {entry.plan.method for entry in state.remedies}
    methods |= {one.candidate.finding.plan.method for one in state.fitted.values()}
    methods |= {job.about.plan.method for job in state.jobs.active if isinstance(job.about, FitRequest)}
    for page in remedy_pages(state.present_decision.kind):
        if page.method in methods:
            yield Below(page.path, page.title, page.key)
    if methods:
        yield Below(COMPARE, say(Message("remedy-way-compare")), "compare")


def _nothing_below(state: AuditState) -> Iterator[Below]:
    """Yield no page."""
    yield from ()


@dataclass(frozen=True, kw_only=True)
class Step:
    """One of the numbered steps: its page and name, whether it has its tick, and what must come first, in words."""

    path: str
    label: str
    is_done: Callable[[AuditState], bool]
    waits_for: Callable[[AuditState], str]


@dataclass(frozen=True, kw_only=True)
class Deeper:
    """A page beside the numbered steps: what must come first, in words, and the pages that are listed below it."""

    path: str
    label: str
    waits_for: Callable[[AuditState], str] = no_groups
    below: Callable[[AuditState], Iterator[Below]] = _nothing_below


STEPS = (
    Step(
        path="pages/1_Data.py",
        label="Data",
        is_done=lambda state: not (no_decided_cases(state) or state.is_asking),
        waits_for=nothing_missing,
    ),
    Step(
        path="pages/2_Groups.py",
        label="Groups",
        is_done=lambda state: not no_groups(state),
        waits_for=no_cases,
    ),
    Step(
        path="pages/3_Check.py",
        label="Check",
        is_done=lambda state: not no_groups(state) and any(e.plan.protected in state.answered for e in state.checks),
        waits_for=no_groups,
    ),
    Step(
        path="pages/4_Report.py",
        label="Report",
        is_done=is_reported,
        waits_for=no_question,
    ),
)

DEEPER = (
    Deeper(path="pages/5_Errors.py", label="Errors", waits_for=no_decided_cases),
    Deeper(path="pages/6_Worst_groups.py", label="Worst groups", waits_for=no_decided_cases),
    Deeper(path="pages/7_Explain.py", label="What explains it"),
    Deeper(path="pages/8_Change.py", label="Change over time"),
    Deeper(path="pages/9_Searches.py", label="Searches and inspections", waits_for=no_table),
    Deeper(path="pages/11_Watch.py", label="Watch"),
    Deeper(path="pages/12_Rankings.py", label="Rankings"),
    Deeper(path=CHOOSER, label="Remedies", below=_remedies_tried),
    Deeper(path="pages/45_Alternatives.py", label="Alternatives"),
    Deeper(path="pages/50_Legal_forms.py", label="Legal forms", waits_for=no_cases),
    Deeper(path="pages/60_Check_a_report.py", label="Check a report", waits_for=nothing_missing),
)
