"""Answer a question of a plan about a gap between two groups."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, TypeVar

from fairaudit.audit.result import CheckFinding
from fairaudit.conditions import Condition
from fairaudit.data.case_counts import count_warnings, refuse_partial
from fairaudit.data.code_columns import refuse_open_codes
from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.disclosure.said import remarks
from fairaudit.errors import GroupError, InputError, ManyValuesError, quote
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.gaps import GapQuestion, gap_question
from fairaudit.measure.grouping import MAX_GROUPS
from fairaudit.measure.levels import ControlledLevels, check_levels
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.not_known import (
    NotKnown,
    amounts_not_known,
    columns_not_known,
    decisions_not_known,
    find_not_known,
    refuse_open,
)
from fairaudit.measure.open_cases import find_open_cases, open_times_error
from fairaudit.measure.partial_counts import PartialQuestion, PrintedTable
from fairaudit.measure.results import GroupComparison, StratifiedFairness
from fairaudit.measure.similar import SimilarAmounts, check_similar
from fairaudit.measure.spellings import apart_warnings
from fairaudit.measure.waiting import check_waiting, waiting_sql
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.names import names_of
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import Decision, decision_of, outcome_of, uncounted
from fairaudit.study.families import Family, boxes_named

T = TypeVar("T")


class ReadQuestion:
    """A question of a plan, read for a table, and what of it the rows do not allow.

    Parameters
    ----------
    table : Table
        The data.
    plan : AuditPlan
        The audit.
    check : CheckPlan
        The question.
    """

    def __init__(self, table: Table, plan: AuditPlan, check: CheckPlan):
        self.table = table
        self.plan = plan
        self.check = check
        protected = self.table.condition(check.protected)
        if protected is None:
            raise InputError(
                "'protected' of a check is empty.", hint="Write a condition that says who is in the protected group."
            )
        self.protected: Condition = protected
        self.where = self.table.condition(check.where)
        self.not_compared: list[str] = []

    @property
    def own_columns(self) -> tuple[str, ...]:
        """The columns that make groups of their own, beside those of the protected condition."""
        names = dict.fromkeys(name for columns in self.check.compare for name in columns)
        return tuple(name for name in names if name not in self.protected.columns)

    @property
    def used_columns(self) -> tuple[str, ...]:
        """The columns of strata and of what makes people similar, beside those that make groups."""
        names = dict.fromkeys((*self.check.strata, *self.check.similar_by))
        return tuple(name for name in names if name not in (*self.protected.columns, *self.own_columns))

    def groups(self, asked: GapQuestion | PartialQuestion) -> tuple[GroupComparison, ...]:
        """Compare the groups of each entry of the plan, the first with its reference."""
        found = []
        for position, columns in enumerate(self.check.compare):
            if (sentence := self._overlapping(columns)) is not None:
                self.not_compared.append(sentence)
                continue
            reference = self.check.reference if position == 0 else None
            named: dict[str, Argument] = {"reference": Phrase(quote(reference or ""))}
            named["has_reference"] = Word("no" if reference is None else "yes")
            reason = Message("check-not-compared-groups", {"columns": _names(columns), **named})
            compare = partial(asked.all_groups, reference=reference, min_count=self.check.min_count)
            found.append(self.tried(partial(compare, self.table, columns), columns, reason))
        return tuple(each for each in found if each is not None)

    def _overlapping(self, columns: Sequence[str]) -> str | None:
        """Say that the groups of some columns overlap: each holds one of several boxes that a person may tick."""
        for family in boxes_named(self.table, set(columns)):
            for name in set(columns).intersection(family.columns):
                if len(self.table.values(name, limit=4).dropna(subset="value")) > 2:
                    return say(
                        Message("check-not-compared-boxes", {"column": _names([name]), "made": _names([family.name])})
                    )
        return None

    def strata(self, asked: GapQuestion | PartialQuestion) -> StratifiedFairness | StratifiedMeans | None:
        """Compare inside the strata of the plan; None where it names none, or none holds both groups."""
        names = self.check.strata
        if not names:
            return None
        reason = Message("check-not-compared-strata", {"columns": _names(names)})
        compare = partial(asked.within_strata, self.table, self.protected, names, self.check.strata_cuts)
        return self.tried(compare, names, reason, remedy="bands")

    def similar(self, decision: str) -> SimilarAmounts | None:
        """Compare people who are similar; None where the plan does not say who is, or that cannot be done."""
        columns = self.check.similar_by
        if not columns:
            return None
        called: dict[str, Argument] = {"columns": _names(columns)}
        if self.table.is_connected:
            self.not_compared.append(say(Message("check-not-compared-stay", called)))
            return None
        refuse_open_codes(self.table, columns)
        compare = partial(
            check_similar,
            self.table,
            decision=decision,
            protected=self.protected,
            columns=columns,
            where=self.where,
            random_state=self.plan.seed,
        )
        return self.tried(compare, columns, Message("check-not-compared-similar", called))

    def tried(
        self,
        compare: Callable[[], T],
        names: Sequence[str],
        reason: Message,
        *,
        remedy: Literal["bands", "classes"] = "classes",
    ) -> T | None:
        """Return what a comparison finds; where it has no groups, or too many, note the reason and return None."""
        try:
            return compare()
        except GroupError:
            self.not_compared.append(say(reason))
        except ManyValuesError:
            # The number is a figure of the rows, and this sentence is also in documents that hide small counts.
            many: dict[str, Argument] = {
                "columns": _names(names),
                "most": Count(MAX_GROUPS),
                "several": Word("yes" if len(names) > 1 else "no"),
                "remedy": Word(remedy),
            }
            self.not_compared.append(say(Message("check-not-compared-many", many)))
        return None


def _names(columns: Sequence[str]) -> Phrase:
    return Phrase(" and ".join(quote(column, limit=60) for column in columns))


def answer_check(table: Table, plan: AuditPlan, check: CheckPlan) -> CheckFinding:
    """Answer one question of a plan: compare both groups, all groups, strata, and similar people."""
    table = as_table(table)
    decision = decision_of(table, plan.decision)
    question = ReadQuestion(table, plan, check)
    protected, where = question.protected, question.where
    if table.partial_counts is not None:
        return _answer_partial(question, decision)
    refuse_uncounted_open_cases(table, plan, check)
    boxes = boxes_named(table, {*protected.columns, *question.own_columns})
    if check.counts_open and not plan.decision.kind.has_good_outcome:
        return _answer_waiting(question, decision.meaning)
    asked = gap_question(
        decision=decision.column,
        favorable=decision.favorable,
        where=where,
        tolerance=check.limit(plan.decision.kind),
        confidence=check.confidence,
        cluster=check.cluster,
    )
    with uncounted(plan):
        result = asked.two_groups(table, protected)
    result = replace(
        result,
        warnings=(
            *result.warnings,
            *apart_warnings(table, (protected, *asked.decided), where=where),
            *_overlaps(boxes, protected),
        ),
    )
    known = decision.favorable
    if known is None:
        # Whatever it is held against, an amount is known where there is one.
        known = Condition.equals(decision.column, 0, table.columns)
    used = [name for name in question.used_columns if name != decision.column]
    refuse_open(
        (
            *columns_not_known(table, question.own_columns, where=where, decision=known),
            *columns_not_known(table, used, where=where, decision=known, says="value"),
        )
    )
    groups, strata = question.groups(asked), question.strata(asked)
    return CheckFinding(
        plan=check,
        decision=plan.decision,
        meaning=decision.meaning,
        result=result,
        groups=groups,
        strata=strata,
        levels=_levels(question, groups, has_strata=strata is not None) if plan.decision.levels else None,
        similar=question.similar(decision.column),
        sql=asked.sql(table, protected),
        not_known=result.not_known,
        where_words=None if where is None else where.in_words(),
        protected_words=protected.in_words(),
        not_compared=tuple(question.not_compared),
        names=names_of(plan, check, protected),
    )


def _levels(question: ReadQuestion, groups: Sequence[GroupComparison], *, has_strata: bool) -> ControlledLevels:
    """Compare who gets which level, in the same groups and strata."""
    check, decision = question.check, question.plan.decision
    with uncounted(question.plan):
        return check_levels(
            question.table,
            decision=decision.column,
            protected=question.protected,
            levels=decision.levels,
            ordered=decision.ordered,
            strata=check.strata if has_strata else (),
            strata_cuts=check.strata_cuts if has_strata else None,
            by=[each.columns for each in groups],
            where=question.where,
            tolerance=check.tolerance,
            confidence=check.confidence,
        )


def _overlaps(boxes: Sequence[Family], protected: Condition) -> tuple[str, ...]:
    """Say that who ticked several boxes counts in this group, and could count in another."""
    said = [
        Message("doubt-overlap", {"columns": _names(each.columns), "made": Phrase(each.name)})
        for each in boxes
        if set(protected.columns).intersection(each.columns)
    ]
    return remarks(said, "setting")


def refuse_uncounted_open_cases(table: Table, plan: AuditPlan, check: CheckPlan) -> None:
    """Refuse times of which some seem to be open, where nobody has said how these count."""
    if plan.decision.kind.has_good_outcome or check.counts_open or table.source.options.all_closed:
        return
    found = find_open_cases(table, plan.decision.column, where=check.where)
    if found is None or (check.open_left_out and not found.stays_timed):
        return
    how = [] if found.open_when is None else [f'--open-when "{found.open_when}"']
    if not found.is_timed:
        how.append(f"--open-since {quote(found.since) if found.since else 'COLUMN'}")
        how += [] if found.until is None else [f"--open-until {found.until.isoformat()}"]
    leave = f'--where "{found.closed_when}"' if found.stays_timed else "--closed-only"
    raise open_times_error(
        found,
        plan.decision.column,
        hint=f"Say how they count: {' '.join(how)} compares medians; {leave} leaves them out; --all-closed takes all "
        "times for final. In a plan these are open_when, open_since, open_until, open_left_out and where of a check, "
        "and all_closed under [data.reading].",
    )


def _answer_waiting(question: ReadQuestion, meaning: str) -> CheckFinding:
    """Answer a question about times of which some are open: medians of two groups, and a test among similar cases."""
    table, check, plan = question.table, question.check, question.plan
    compare = partial(
        check_waiting,
        table,
        decision=plan.decision.column,
        protected=question.protected,
        open_when=check.open_when,
        open_since=check.open_since,
        open_until=None if check.open_until is None else datetime.date.fromisoformat(check.open_until),
        where=question.where,
        tolerance=check.amount_tolerance,
        confidence=check.confidence,
    )
    question.not_compared += [_only_two(names) for names in check.compare]
    result = None
    if check.strata:
        called: dict[str, Argument] = {"columns": _names(check.strata)}
        within = partial(compare, strata=check.strata, strata_cuts=check.strata_cuts)
        reason = Message("check-not-compared-strata", called)
        result = question.tried(within, check.strata, reason, remedy="bands")
        if result is not None:
            question.not_compared.append(say(Message("check-not-compared-open-strata", called)))
    if result is None:
        with uncounted(plan):
            result = compare()
    question.not_compared += [_only_two(names) for names in (check.similar_by,) if names]
    result = replace(
        result, warnings=(*result.warnings, *apart_warnings(table, (question.protected,), where=question.where))
    )
    return CheckFinding(
        plan=check,
        decision=plan.decision,
        meaning=meaning,
        result=result,
        groups=(),
        strata=None,
        sql=waiting_sql(table, result),
        not_known=result.not_known,
        where_words=None if question.where is None else question.where.in_words(),
        protected_words=question.protected.in_words(),
        not_compared=tuple(question.not_compared),
        names=names_of(plan, check, question.protected),
    )


def _only_two(columns: Sequence[str]) -> str:
    return say(Message("check-not-compared-open", {"columns": _names(columns)}))


def _answer_partial(question: ReadQuestion, decision: Decision) -> CheckFinding:
    """Answer a question where counts are rounded or hidden: bounds of two groups, of all groups, and within strata."""
    table, check, plan, favorable = question.table, question.check, question.plan, decision.favorable
    if check.cluster is not None:
        refuse_partial(table, say(Message("question-name-cluster")))
    if favorable is None:
        refuse_partial(table, say(Message("question-name-amount")))
    if plan.decision.levels:
        refuse_partial(table, say(Message("question-name-levels")))
    with uncounted(plan):
        asked = PrintedTable.of(table, decision=decision.column, favorable=favorable)
        result = asked.compare(question.protected, question.where, check.tolerance, check.confidence)
    found = find_not_known(
        table,
        asked.outcome,
        where=question.where,
        protected=question.protected,
        sizes=(result.protected.n, result.reference.n),
    )
    used = [name for name in question.used_columns if name != decision.column]
    refuse_open(
        (
            *columns_not_known(table, question.own_columns, where=question.where, decision=favorable),
            *columns_not_known(table, used, where=question.where, decision=favorable, says="value"),
        )
    )
    # How many people have such a value is not known exactly.
    not_known = tuple(replace(part, n=None) for part in refuse_open(found))
    asked_of = (question.protected, asked.outcome.condition) if asked.is_long else (question.protected,)
    warnings = (*count_warnings(table), *apart_warnings(table, asked_of, where=question.where))
    result = replace(result, not_known=not_known, warnings=warnings)
    bounded = PartialQuestion(asked, question.where, check.tolerance, check.confidence)
    return CheckFinding(
        plan=check,
        decision=plan.decision,
        meaning=decision.meaning,
        result=result,
        groups=question.groups(bounded),
        strata=question.strata(bounded),
        sql=asked.counted_sql([question.protected], question.where),
        not_known=not_known,
        where_words=None if question.where is None else question.where.in_words(),
        protected_words=question.protected.in_words(),
        not_compared=tuple(question.not_compared),
        names=names_of(plan, check, question.protected),
    )


def outcome_not_known(table: Table, outcome: OutcomePlan, where: Condition | None) -> tuple[NotKnown, ...]:
    """Return what is not known in the column of a decision, an amount or a prediction."""
    if not outcome.kind.has_good_outcome:
        return amounts_not_known(table, outcome.column, where=where)
    return decisions_not_known(table, outcome_of(table, outcome), where=where)
