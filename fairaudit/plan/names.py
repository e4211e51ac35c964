"""What the parts of a question and groups of people are called: as the plan says, else by columns and values."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import reduce

from fairaudit.conditions import Condition
from fairaudit.conditions.tree import And
from fairaudit.errors import ConditionError
from fairaudit.findings import Argument, Group, Message, Phrase
from fairaudit.findings.names import ErrorNames, GroupName, Names
from fairaudit.measure.grouping import value_text
from fairaudit.messages import any_of
from fairaudit.messages.verbs import did, had_done, marked, opposite_verb, was_not
from fairaudit.plan.audit_plan import AuditPlan, NamesPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan
from fairaudit.sections.rankings.plan import RankingsPlan

YES = frozenset(("yes", "true", "1", "y", "t"))
NO = frozenset(("no", "false", "0", "n", "f"))
_SAID_YES, _SAID_NO = frozenset(("yes", "true")), frozenset(("no", "false"))
_PLURALS = frozenset(("boys", "females", "girls", "males", "men", "women"))
_CASES = frozenset(("applicants", "candidates", "cases", "people", "persons"))
"""First words of what two columns of counts say of cases, as in applicants hired."""
_BEFORE = frozenset(("was", "is", "were", "got"))
_AFTER = frozenset(("flag", "indicator", "ind", "yn"))
_UNTELLING = frozenset((
    "answer", "approval", "class", "column", "decision", "flag", "indicator", "label", "outcome", "prediction",
    "result", "said", "score", "status", "target", "value",
))  # fmt: skip
"""Last words of names that do not say what is true of people."""
_SHORTEST = 2
_UNREADABLE = re.compile(r"\A[^aeiouy]+\Z|[^aeiouy]{4}")
"""Nobody reads a word without a vowel, or with so many other letters in a row."""


def names_of(plan: AuditPlan, asked: CheckPlan | ChangePlan, protected: Condition) -> Names:
    """Return what the groups and the decision of a question are called."""
    unsaid = plan.decision.verb is None and not plan.decision.kind.has_good_outcome
    cut = asked.strata_cuts if isinstance(asked, CheckPlan) else ()
    return Names(
        protected=protected_of(plan.names, asked, protected),
        others=Group(asked.others_name),
        verb=verb_of(plan.decision),
        of_unfavorable=speaks_of_unfavorable(plan.decision),
        what=amount_of(plan.decision) if unsaid else Phrase(""),
        similar=similar_cases(plan.names, asked.strata, cut) if asked.strata else None,
    )


def amount_of(decision: OutcomePlan) -> Argument:
    """Return what an amount is: its phrase or, without one, the column that it stands in, which is no English."""
    if decision.meaning:
        return Phrase(decision.meaning)
    return Message("name-amount-of-column", {"column": Phrase(decision.column)})


def names_of_models(
    plan: AuditPlan, models: ModelsPlan, protected: Condition, inside: CheckPlan | None = None
) -> Names:
    """Return what the groups that models are judged by are called: as in a question about the same groups.

    `inside` is the question whose strata say which cases are similar; None where there is none.
    """
    same = (check for check in plan.checks if check.protected.strip() == models.protected.strip())
    check = inside or next(same, None) or CheckPlan(protected=models.protected)
    asked = check.model_copy(update={"protected_name": models.protected_name or check.protected_name})
    return names_of(plan, asked if inside is not None else asked.model_copy(update={"strata": ()}), protected)


def protected_of(names: NamesPlan, asked: CheckPlan | ChangePlan | RankingsPlan, protected: Condition) -> Argument:
    """Return what the protected group of a question is called."""
    name = asked.protected_name or named_group(names, protected)
    return Group(name) if name else people_whose(protected)


def named_group(names: NamesPlan, condition: Condition) -> str | None:
    """Return the plural that a plan gives to the one value that a condition names, or that is one; else None."""
    if condition.listed is None:
        return None
    column, values = condition.listed
    if len(values) != 1:
        return None
    value = str(values[0])
    # A column that is made of one for each group is called after them, such as men or women.
    made = {f"{one} or {other}" for group in _PLURALS for one, other in ((group, value), (value, group))}
    is_made = value in _PLURALS and column in made
    return names.groups.get(column, {}).get(value) or (value if is_made else None)


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
    if proposed and speaks_of_unfavorable(decision):
        return Phrase(opposite_verb(proposed) or proposed)
    return Phrase(proposed) if proposed else Message("name-verb-value", {"value": Phrase(_value(decision))})


def speaks_of_unfavorable(decision: OutcomePlan) -> bool:
    """Say whether sentences speak of people without the favourable result, as they do where that is a "not".

    Examples
    --------
    >>> speaks_of_unfavorable(OutcomePlan(column="searched", favorable=("no",)))
    True
    """
    if decision.verb is not None or not decision.kind.has_good_outcome:
        return False
    if decision.unfavorable_verb is not None:
        return True
    proposed = proposed_verb(decision)
    return proposed is not None and " not " in proposed and opposite_verb(proposed) is not None


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
    >>> proposed_verb(OutcomePlan(column="applications granted", favorable=("applications granted",)))
    'had their application granted'
    >>> proposed_verb(OutcomePlan(column="is_search_conducted", favorable=(True,)))
    'were marked search conducted'
    >>> proposed_verb(OutcomePlan(column="women", favorable=("women",)))
    'were women'
    >>> proposed_verb(OutcomePlan(column="crmvct", favorable=("No",)))
    """
    if (known := known_verb(decision)) is not None or len(decision.favorable) != 1:
        return known
    value, words = str(decision.favorable[0]).strip().casefold(), _said_of_people(decision.column)
    if value not in _SAID_YES | _SAID_NO or not words or words[-1] in _UNTELLING or not all(map(_is_readable, words)):
        return None
    verb = marked(" ".join(words))
    return verb if value in _SAID_YES else opposite_verb(verb)


def known_verb(decision: OutcomePlan) -> str | None:
    """Return the verb phrase that the value or the column of a decision is; None where neither is one."""
    if len(decision.favorable) != 1:
        return None
    value = str(decision.favorable[0]).strip().casefold()
    if value in YES | NO:
        column = " ".join(_said_of_people(decision.column))
        return did(column) if value in YES else was_not(column)
    if value in _PLURALS:
        return f"were {value}"
    first, _, rest = value.partition(" ")
    if first == "applications" and (done := did(rest)) is not None and done != rest:
        return had_done("application", rest)
    return did(rest if first in _CASES else value)


def _is_readable(word: str) -> bool:
    """Say whether a word of a column's name is one that people read, and no code such as crmvct."""
    return len(word) >= _SHORTEST and word.isalpha() and not _UNREADABLE.search(word)


def _said_of_people(column: str) -> list[str]:
    """Return the words of a column's name that say something of people, without those that mark a yes or no."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column.strip()).casefold().replace("_", " ").split()
    begin = 1 if len(words) > 1 and words[0] in _BEFORE else 0
    end = len(words) - (1 if len(words) > begin + 1 and words[-1] in _AFTER else 0)
    return words[begin:end]


def similar_cases(names: NamesPlan, strata: Sequence[str], cut: Collection[str]) -> Argument:
    """Return how cases are alike within strata, as an adverb: as the plan says of all columns, or by their names."""
    said = [Phrase(names.strata[name]) for name in strata if name in names.strata]
    if len(said) == len(strata) == 1:
        return said[0]
    if len(said) == len(strata) == 2:
        return Message("name-similar-both", {"first": said[0], "second": said[1]})
    key = "name-similar-bands" if cut else "name-similar-values"
    return Message(key, {"columns": Phrase(" and ".join(strata))})


def row_noun(plan: AuditPlan) -> str:
    """Return what is known or not of a row: "decision", "outcome" or "amount"."""
    return "outcome" if plan.decision_is_outcome else plan.decision.kind.noun


def error_names(
    plan: AuditPlan,
    by: Sequence[str],
    groups: Sequence[str],
    *,
    meanings: tuple[str, str],
    prediction: Condition | None,
    strata: Sequence[str] = (),
) -> ErrorNames:
    """Return what outcomes, predictions and groups are called.

    `meanings` are the good outcome and the other one; `prediction` says for whom the good one is predicted.
    """
    happened, not_happened = _happened(plan.decision, meanings)
    named, protected = _named_groups(plan, by, groups)
    return ErrorNames(
        happened=happened,
        not_happened=not_happened,
        flagged=_flagged(plan.prediction),
        groups=tuple((group, named[group]) for group in groups if group in named),
        protected=tuple(group for group in groups if group in protected),
        when="" if prediction is None else (~prediction).in_words(),
        similar=similar_cases(plan.names, strata, ()) if strata else None,
    )


def _happened(decision: OutcomePlan, meanings: tuple[str, str]) -> tuple[Argument, Argument]:
    """Return what is said of people with the outcome that is not good, and of those with the good one."""
    good = decision.verb or (None if decision.unfavorable_verb else proposed_verb(decision))
    bad = decision.unfavorable_verb or (good and opposite_verb(good))
    good = good or (bad and opposite_verb(bad))
    said = [Phrase(verb) if verb else Message("name-verb-value", {"value": Phrase(meaning)})
            for verb, meaning in zip((good, bad), meanings, strict=True)]  # fmt: skip
    return said[1], said[0]


def _flagged(prediction: OutcomePlan | None) -> Argument:
    if prediction is None:
        return Message("errors-flagged")
    said = prediction.unfavorable_verb or (prediction.verb and opposite_verb(prediction.verb))
    return Phrase(said) if said else Message("errors-flagged")


def _named_groups(plan: AuditPlan, by: Sequence[str], groups: Sequence[str]) -> tuple[dict[str, str], set[str]]:
    """Return groups of one column by their plurals, and those that questions call protected."""
    if len(by) != 1:
        return {}, set()
    # As in the questions themselves; of several, the first holds.
    named = dict(plan.names.groups.get(by[0], {}))
    protected: set[str] = set()
    for check in reversed(plan.checks):
        try:
            listed = Condition.parse(check.protected, by).listed
        except ConditionError:
            # Other columns say who is protected.
            continue
        own = [value_text(value) for value in listed[1]] if listed else []
        protected |= set(own)
        if len(own) != 1:
            continue
        if check.protected_name:
            named[own[0]] = check.protected_name
        others = [group for group in groups if group not in own]
        if check.others_name and len(others) == 1:
            named[others[0]] = check.others_name
    return named, protected


def _value(decision: OutcomePlan) -> str:
    return decision.meaning or any_of(decision.favorable or [decision.favorable_when or ""])


# What the people who meet several conditions are called: by the names that the plan gives, or by column and value.

_SHORT = 3
_BELOW = re.compile(r"(?:under|below|up to|less than|<=?) ?(\d+)", re.IGNORECASE)
_FROM = re.compile(
    r"(?:over|above|more than|>=?|from) ?(\d+)|(\d+) ?(?:\+|and (?:over|older|above|more))", re.IGNORECASE
)
_BETWEEN = re.compile(r"(\d+) ?(?:to|-|\N{EN DASH}) ?(\d+)", re.IGNORECASE)
Range = tuple[int | None, int | None]


def group_name(names: NamesPlan, condition: Condition) -> GroupName:
    """Return what the people who meet a condition are called."""
    parts = condition.tree.parts if isinstance(condition.tree, And) else (condition.tree,)
    who: Argument | None = None
    after: list[Argument] = []
    clauses: list[Argument] = []
    labels: list[Argument] = []
    for part in map(Condition, parts):
        if part.listed is None or None in part.listed[1]:
            clauses.append(Phrase(part.in_words()))
            labels.append(clauses[-1])
            continue
        column, values = part.listed
        labels.append(_label(column, values))
        plurals = [names.groups.get(column, {}).get(str(value)) for value in values]
        behind = [names.values.get(column, {}).get(str(value)) for value in values]
        joined = joined_range(values)
        if who is None and all(plurals):
            who = _either([Group(name) for name in plurals if name])
        elif all(behind):
            after.append(joined or _either([Phrase(text) for text in behind if text]))
        else:
            value = joined or _either([Phrase(value_text(value)) for value in values])
            clauses.append(Message("name-is", {"column": _column(column), "value": value}))
    if clauses:
        after.append(Message("name-whose", {"conditions": reduce(_both, clauses)}))
    said = reduce(_followed, after, who or Message("name-people"))
    return GroupName(said, reduce(_beside, labels), len(clauses))


def joined_range(values: Sequence[object]) -> Message | None:
    """Return two texts that are ranges of whole numbers, one after the other, as one range; None for any other values.

    Examples
    --------
    >>> joined_range(["25 to 45", "under 25"]).key
    'name-range-to'
    """
    ranges = [_range(value) for value in values]
    if len(ranges) != 2 or None in ranges:
        return None
    (low, end), (start, high) = sorted((r for r in ranges if r), key=lambda r: -1 if r[0] is None else r[0])
    if end is None or start is None or start - end not in (0, 1):
        return None
    ends = {"low": Phrase(str(low)), "high": Phrase(str(high))}
    return Message("name-range-to" if low is None else "name-range-from" if high is None else "name-range", ends)


def _range(value: object) -> Range | None:
    if not isinstance(value, str):
        return None
    text = value.strip()
    if found := _BELOW.fullmatch(text):
        return None, int(found[1])
    if found := _FROM.fullmatch(text):
        return int(found[1] or found[2]), None
    if found := _BETWEEN.fullmatch(text):
        return int(found[1]), int(found[2])
    return None


def _label(column: str, values: Sequence[object]) -> Argument:
    """Return values as they stand, after the column where these say little, as a grade does."""
    texts = [value_text(value) for value in values]
    value = joined_range(values) or _either([Phrase(text) for text in texts])
    if all(len(text) > _SHORT for text in texts):
        return value
    return Message("name-label-value", {"column": _column(column), "value": value})


def _column(name: str) -> Phrase:
    return Phrase(name.replace("_", " ").strip() or name)


def _either(values: Sequence[Argument]) -> Argument:
    return reduce(lambda first, second: Message("name-either", {"first": first, "second": second}), values)


def _both(first: Argument, second: Argument) -> Argument:
    return Message("name-both", {"first": first, "second": second})


def _beside(first: Argument, second: Argument) -> Argument:
    return Message("name-beside", {"first": first, "second": second})


def _followed(who: Argument, by: Argument) -> Argument:
    return Message("name-followed", {"who": who, "by": by})
