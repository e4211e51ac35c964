"""What models are called on the pages."""

from __future__ import annotations

from collections import Counter

from fairaudit.plan.goes_with import goes_with
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.study.trying import plan_key, remedy_name
from ui.state import AuditState
from ui.text import literal, shortened

LONGEST = 120


def plans_of(state: AuditState) -> dict[str, RemedyPlan]:
    """Return what is in the report, in its order, then what else is kept, then what else was fitted.

    So a model has the same number on every page and in the report: its place here.
    """
    kept = sorted(state.remedies, key=lambda entry: not entry.in_report)
    plans = {plan_key(entry.plan): entry.plan for entry in kept}
    plans = {**plans, **{key: one.candidate.finding.plan for key, one in state.fitted.items() if key not in plans}}
    return {key: plan for key, plan in plans.items() if goes_with(plan, state.decision.kind)}


def numbers_of(state: AuditState) -> dict[str, str]:
    """Return the numbers of all models that are fitted or kept, by their ``plan_key``."""
    return {key: str(number) for number, key in enumerate(plans_of(state), start=1)}


def names_of(state: AuditState) -> dict[str, str]:
    """Return the names of all models that are fitted or kept, by their ``plan_key``, no two alike."""
    names, times = {}, Counter()
    for key, plan in plans_of(state).items():
        name = shortened(remedy_name(plan, state.decision.kind), LONGEST)
        times[name] += 1
        names[key] = name if times[name] == 1 else f"{name} ({times[name]})"
    return names


def numbered_name(state: AuditState, plan: RemedyPlan) -> str:
    """Return the number and the name that a model has on every page and in the report."""
    key, names = plan_key(plan), names_of(state)
    return f"{numbers_of(state)[key]}. {names[key]}" if key in names else remedy_name(plan, state.decision.kind)


def in_bold(name: str) -> str:
    """Return a name from :func:`names_of` as Markdown."""
    return f"**{literal(name, limit=LONGEST + 10)}**"
