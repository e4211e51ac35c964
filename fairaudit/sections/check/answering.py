"""Answer a question of a plan, where the decision has a good outcome and where it is an amount."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.conditions import Condition
from fairaudit.data.counting_sql import averaging_sql, counting_sql
from fairaudit.data.table import Table, as_table
from fairaudit.errors import GroupError, InputError, ManyValuesError, quote
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure import (
    check_controlled_fairness,
    check_group_means,
    check_groups,
    check_mean_strata,
    check_means,
    check_similar,
    check_strata,
)
from fairaudit.measure.grouping import MAX_GROUPS
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.not_known import NotKnown, amounts_not_known, columns_not_known, decisions_not_known
from fairaudit.measure.similar import SimilarAmounts
from fairaudit.measure.spellings import apart_warnings
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.names import names_of
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import amount_of, outcome_of, uncounted

# What the answer to any question of a plan is made of, whether shares or means are compared.


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

    def groups(self, compare: Callable[..., Any], **settings: Any) -> tuple[Any, ...]:
        """Compare the groups of each entry of the plan, the first with its reference."""
        found = []
        for position, columns in enumerate(self.check.compare):
            reference = self.check.reference if position == 0 else None
            named: dict[str, Argument] = {"reference": Phrase(quote(reference or ""))}
            named["has_reference"] = Word("no" if reference is None else "yes")
            given: dict[str, Any] = {"columns": columns, "reference": reference, "min_count": self.check.min_count}
            reason = say(Message("check-not-compared-groups", {"columns": _names(columns), **named}))
            found.append(self.tried(compare, columns, reason, **settings, **given))
        return tuple(each for each in found if each is not None)

    def strata(self, compare: Callable[..., Any], **settings: Any) -> Any:
        """Compare inside the strata of the plan; None where it names none, or none holds both groups."""
        if not self.check.strata:
            return None
        names = self.check.strata
        reason = say(Message("check-not-compared-strata", {"columns": _names(names)}))
        asked: dict[str, Any] = {"protected": self.protected, "strata": names, "strata_cuts": self.check.strata_cuts}
        return self.tried(compare, names, reason, remedy="bands", **settings, **asked)

    def tried(
        self,
        compare: Callable[..., Any],
        names: Sequence[str],
        reason: str,
        *,
        remedy: Literal["bands", "classes"] = "classes",
        **settings: Any,
    ) -> Any:
        """Return what a comparison finds; where it has no groups, or too many, note the reason and return None."""
        try:
            return compare(self.table, **settings)
        except GroupError:
            self.not_compared.append(reason)
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

    @property
    def similar_columns(self) -> dict[str, Argument]:
        """In what similar people are alike, as a message names it."""
        return {"columns": _names(self.check.similar_by)}

    @property
    def words(self) -> dict[str, Any]:
        """What any finding says of the question, once all of it was asked."""
        return {
            "where_words": None if self.where is None else self.where.in_words(),
            "protected_words": self.protected.in_words(),
            "not_compared": tuple(self.not_compared),
            "names": names_of(self.plan, self.check, self.protected),
        }


def _names(columns: Sequence[str]) -> Phrase:
    return Phrase(" and ".join(quote(column, limit=60) for column in columns))


def run_check(table: Table, plan: AuditPlan, check: CheckPlan) -> CheckFinding:
    """Answer one controlled-fairness question, with its groups and strata."""
    table = as_table(table)
    outcome = outcome_of(table, plan.decision)
    question = ReadQuestion(table, plan, check)
    protected, where = question.protected, question.where
    settings: dict[str, Any] = {
        "decision": outcome.column,
        "favorable": outcome.condition,
        "where": where,
        "tolerance": check.tolerance,
        "confidence": check.confidence,
        "cluster": check.cluster,
    }
    with uncounted(plan):
        result = check_controlled_fairness(table, **settings, protected=protected)
    apart = apart_warnings(table, (protected, outcome.condition), where=where)
    result = replace(result, warnings=(*result.warnings, *apart))
    return CheckFinding(
        plan=check,
        decision=plan.decision,
        meaning=outcome.meaning,
        result=result,
        groups=question.groups(check_groups, **settings),
        strata=question.strata(check_strata, **settings),
        sql=counting_sql(table, outcome.condition, protected, where),
        not_known=(
            *result.not_known,
            *columns_not_known(table, question.own_columns, where=where, decision=outcome.condition),
        ),
        **question.words,
    )


def run_amount(table: Table, plan: AuditPlan, check: CheckPlan) -> AmountFinding:
    """Compare amounts for one question, with its groups, strata and similar people."""
    table = as_table(table)
    amount = amount_of(table, plan.decision)
    question = ReadQuestion(table, plan, check)
    protected, where = question.protected, question.where
    looked_at = {"decision": amount.column, "where": where}
    settings: dict[str, Any] = {**looked_at, "tolerance": check.amount_tolerance, "confidence": check.confidence}
    with uncounted(plan):
        result = check_means(table, **settings, protected=protected)
    result = replace(result, warnings=(*result.warnings, *apart_warnings(table, (protected,), where=where)))
    return AmountFinding(
        plan=check,
        decision=plan.decision,
        meaning=amount.meaning,
        result=result,
        groups=question.groups(check_group_means, **settings),
        strata=question.strata(_mean_strata, **settings),
        similar=_similar(question, looked_at, plan.seed),
        sql=averaging_sql(table, amount.column, protected, where),
        not_known=(
            *result.not_known,
            *columns_not_known(
                table,
                question.own_columns,
                where=where,
                decision=Condition.equals(amount.column, 0, table.columns),
            ),
        ),
        **question.words,
    )


def _mean_strata(table: Table, **question: Any) -> StratifiedMeans:
    """Compare means inside strata, of which one must hold both groups."""
    found = check_mean_strata(table, **question)
    if not found.strata:
        raise GroupError("No stratum holds both groups.")
    return found


def _similar(question: ReadQuestion, looked_at: dict[str, Any], seed: int) -> SimilarAmounts | None:
    """Compare people who are similar; None where the plan does not say who is, or that cannot be done."""
    columns = question.check.similar_by
    if not columns:
        return None
    if question.table.is_connected:
        question.not_compared.append(say(Message("check-not-compared-stay", question.similar_columns)))
        return None
    reason = say(Message("check-not-compared-similar", question.similar_columns))
    given: dict[str, Any] = {"protected": question.protected, "columns": columns, "random_state": seed}
    return question.tried(check_similar, columns, reason, **looked_at, **given)


def outcome_not_known(table: Table, outcome: OutcomePlan, where: Condition | None) -> tuple[NotKnown, ...]:
    """Return what is not known in the column of a decision, an amount or a prediction."""
    if not outcome.kind.has_good_outcome:
        return amounts_not_known(table, outcome.column, where=where)
    return decisions_not_known(table, outcome_of(table, outcome), where=where)


ANSWERS: dict[OutcomeKind, Callable[[Table, AuditPlan, CheckPlan], CheckFinding | AmountFinding]] = {
    SHARES: run_check,
    AMOUNTS: run_amount,
}
"""Who answers a question, by the kind of the decision."""


def answer_check(table: Table, plan: AuditPlan, check: CheckPlan) -> CheckFinding | AmountFinding:
    """Answer one question of a plan."""
    return ANSWERS[plan.decision.kind](table, plan, check)
