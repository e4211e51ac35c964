"""What the parts of a question are called: as the plan says or, where it says nothing, by its columns and values."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from fairaudit.conditions import Condition
from fairaudit.findings import Argument, Group, Message, Phrase
from fairaudit.findings.names import Names
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.follow_ups import ChangePlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan

YES = frozenset(("yes", "true", "1", "y", "t"))
NO = frozenset(("no", "false", "0", "n", "f"))
_WERE = frozenset((
    "accepted", "admitted", "advanced", "appointed", "approved", "arrested", "awarded", "charged", "convicted",
    "declined", "denied", "detained", "dismissed", "elected", "employed", "expelled", "fined", "fired", "flagged",
    "frisked", "funded", "granted", "hired", "imprisoned", "insured", "interviewed", "invited", "licensed",
    "listed", "moved", "offered", "paid", "paroled", "placed", "prescribed", "promoted", "referred", "refused",
    "rejected", "released", "rewarded", "sanctioned", "searched", "selected", "sentenced", "shortlisted", "stopped",
    "supported", "suspended", "treated", "warned",
))  # fmt: skip
"""What somebody did to people."""
_DID = frozenset((
    "agreed", "appealed", "applied", "attended", "completed", "defaulted", "died", "failed", "finished",
    "graduated", "left", "passed", "recidivated", "recovered", "reoffended", "repaid", "resigned", "returned",
    "stayed", "succeeded", "survived", "voted", "worked",
))  # fmt: skip
"""What people did themselves."""


def names_of(plan: AuditPlan, asked: CheckPlan | ChangePlan, protected: Condition) -> Names:
    """Return what the groups and the decision of a question are called."""
    unsaid = plan.decision.verb is None and not plan.decision.kind.has_good_outcome
    cut = asked.strata_cuts if isinstance(asked, CheckPlan) else ()
    name = asked.protected_name or group_name(plan, protected)
    return Names(
        protected=Group(name) if name else people_whose(protected),
        others=Group(asked.others_name),
        verb=verb_of(plan.decision),
        of_unfavorable=bool(plan.decision.unfavorable_verb),
        what=Phrase(plan.decision.meaning or plan.decision.column if unsaid else ""),
        similar=similar_cases(plan, asked.strata, cut) if asked.strata else None,
    )


def names_of_models(plan: AuditPlan, models: ModelsPlan, protected: Condition) -> Names:
    """Return what the groups that models are judged by are called: as in a question about the same groups."""
    same = (check for check in plan.checks if check.protected.strip() == models.protected.strip())
    check = next(same, None)
    if check is not None:
        asked = check.model_copy(update={"strata": (), "protected_name": models.protected_name or check.protected_name})
    else:
        asked = CheckPlan(protected=models.protected, protected_name=models.protected_name)
    return names_of(plan, asked, protected)


def group_name(plan: AuditPlan, condition: Condition) -> str | None:
    """Return the plural that the plan gives to the one value that a condition names; None where it gives none."""
    if condition.listed is None:
        return None
    column, values = condition.listed
    return plan.names.groups.get(column, {}).get(str(values[0])) if len(values) == 1 else None


def people_whose(condition: Condition) -> Message:
    """Return who meets a condition, as a plural."""
    key = "name-people-whose" if len(condition.columns) == 1 else "name-people-for-whom"
    return Message(key, {"condition": Phrase(condition.in_words())})


def verb_of(decision: OutcomePlan) -> Argument:
    """Return what is said of several people with the result that sentences speak of, as the plan says or proposed."""
    if said := decision.verb or decision.unfavorable_verb:
        return Phrase(said)
    if not decision.kind.has_good_outcome:
        return Message("name-verb-amount")
    proposed = proposed_verb(decision)
    return Phrase(proposed) if proposed else Message("name-verb-value", {"value": Phrase(_value(decision))})


def proposed_verb(decision: OutcomePlan) -> str | None:
    """Return a verb phrase that the value or the column of a decision suggests; None where neither reads as one.

    Examples
    --------
    >>> proposed_verb(OutcomePlan(column="approved", favorable=("yes",)))
    'were approved'
    >>> proposed_verb(OutcomePlan(column="decision", favorable=("Admitted",)))
    'were admitted'
    >>> proposed_verb(OutcomePlan(column="rejected", favorable=(0,)))
    'were not rejected'
    """
    if len(decision.favorable) != 1:
        return None
    value = str(decision.favorable[0]).strip().casefold()
    column = decision.column.strip().casefold().replace("_", " ")
    if value in YES | NO:
        column = re.sub(r"\A(?:was|is|were|got) ", "", column)
        return _did(column) if value in YES else _was_not(column)
    return _did(value)


def similar_cases(plan: AuditPlan, strata: Sequence[str], cut: Collection[str]) -> Argument:
    """Return how cases are alike within strata, as an adverb: as the plan says of all columns, or by their names."""
    said = [Phrase(plan.names.strata[name]) for name in strata if name in plan.names.strata]
    if len(said) == len(strata) == 1:
        return said[0]
    if len(said) == len(strata) == 2:
        return Message("name-similar-both", {"first": said[0], "second": said[1]})
    key = "name-similar-bands" if cut else "name-similar-values"
    return Message(key, {"columns": Phrase(" and ".join(strata))})


def _did(word: str) -> str | None:
    return word if word in _DID else f"were {word}" if word in _WERE else None


def _was_not(word: str) -> str | None:
    return f"were not {word}" if word in _WERE else None


def _value(decision: OutcomePlan) -> str:
    values = map(str, decision.favorable) if decision.favorable else [decision.favorable_when or ""]
    return decision.meaning or ", ".join(values)
