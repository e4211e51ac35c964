"""What models are called on the pages."""

from __future__ import annotations

from collections import Counter

from fairaudit.plan.audit_plan import goes_with
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.study.trying import plan_key, remedy_name
from ui.state import AuditState
from ui.text import literal, shortened

LONGEST = 120


def plans_of(state: AuditState) -> dict[str, RemedyPlan]:
    """Return what is fitted, in the order of the fits, then what is kept and not fitted, of the kind of decision."""
    plans = {key: one.candidate.finding.plan for key, one in state.fitted.items()}
    plans |= {plan_key(entry.plan): entry.plan for entry in state.remedies}
    return {key: plan for key, plan in plans.items() if goes_with(plan, state.decision.kind)}


def numbers_of(state: AuditState) -> dict[str, str]:
    """Return the numbers that models have in the report, by their ``plan_key``: on every page they have the same."""
    kind = state.decision.kind
    shown = [entry.plan for entry in state.remedies if entry.in_report and goes_with(entry.plan, kind)]
    return {plan_key(plan): str(number) for number, plan in enumerate(shown, start=1)}


def all_numbers_of(state: AuditState) -> dict[str, int]:
    """Return the numbers of :func:`numbers_of`, and after them those of models that are not in the report."""
    numbered = numbers_of(state)
    others = [key for key in plans_of(state) if key not in numbered]
    return {key: number for number, key in enumerate([*numbered, *others], start=1)}


def names_of(state: AuditState) -> dict[str, str]:
    """Return the names of all models that are fitted or kept, by their ``plan_key``, no two alike."""
    names, times = {}, Counter()
    for key, plan in plans_of(state).items():
        name = shortened(remedy_name(plan, state.decision.kind), LONGEST)
        times[name] += 1
        names[key] = name if times[name] == 1 else f"{name} ({times[name]})"
    return names


def numbered_name(state: AuditState, plan: RemedyPlan) -> str:
    """Return the name that a model has on every page and in the report, after its number where it is in the report."""
    key = plan_key(plan)
    name = names_of(state).get(key) or remedy_name(plan, state.decision.kind)
    number = numbers_of(state).get(key)
    return name if number is None else f"{number}. {name}"


def in_bold(name: str) -> str:
    """Return a name from :func:`names_of` as Markdown."""
    return f"**{literal(name, limit=LONGEST + 10)}**"
