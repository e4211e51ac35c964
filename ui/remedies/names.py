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
    """Return what is fitted, in the order of the fits, then what is kept and not fitted, of the kind of decision."""
    plans = {key: one.candidate.finding.plan for key, one in state.fitted.items()}
    plans |= {plan_key(entry.plan): entry.plan for entry in state.remedies}
    return {key: plan for key, plan in plans.items() if goes_with(plan, state.decision.kind)}


def names_of(state: AuditState) -> dict[str, str]:
    """Return the names of all models that are fitted or kept, by their ``plan_key``, no two alike."""
    names, times = {}, Counter()
    for key, plan in plans_of(state).items():
        name = shortened(remedy_name(plan, state.decision.kind), LONGEST)
        times[name] += 1
        names[key] = name if times[name] == 1 else f"{name} ({times[name]})"
    return names


def in_bold(name: str) -> str:
    """Return a name from :func:`names_of` as Markdown."""
    return f"**{literal(name, limit=LONGEST + 10)}**"
