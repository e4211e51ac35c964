"""Fill the form of a rule from counts and moments, and an audit from what the form found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases, refuse_open_means
from fairaudit.data.engine import quoted
from fairaudit.data.roles import Outcome
from fairaudit.data.said_values import named_values
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError, near_names, quote, require
from fairaudit.findings import Argument, Message, Phrase, Word
from fairaudit.measure.grouping import is_missing, plain_value, value_text
from fairaudit.measure.impact import ImpactRow, impact_table
from fairaudit.measure.means import check_finite
from fairaudit.measure.not_known import (
    NotKnown,
    columns_not_known,
    decisions_not_known,
    left_out_as_unknown,
    refuse_open,
)
from fairaudit.measure.open_cases import refuse_open_times
from fairaudit.measure.pay import PayTable, pay_gaps, pay_quarters, receiving, without_rows
from fairaudit.measure.standardized import MeanRow, standardized_means
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import outcome_of, uncounted
from fairaudit.presets.findings import MeansFinding, PayFinding, PaySides, PresetFinding, RatesFinding
from fairaudit.presets.fitting import UnknownValues, check_columns, check_settings, unknown_text
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset, PresetCheck, open_preset
from fairaudit.presets.status import today
from fairaudit.study.families import boxes_named

Seen = dict[str, list[object]]
"""The values that were counted as unknown, by column."""


@dataclass(frozen=True)
class _Form:
    """A form and what it is filled from."""

    preset: Preset
    plan: PresetPlan
    table: Table
    where: Condition | None

    @property
    def groups(self) -> dict[str, str]:
        """The columns that make groups, by role."""
        named = (role.role for role in self.preset.roles_of("group"))
        return {role: self.plan.columns[role][0] for role in named if role in self.plan.columns}

    def sets(self, check: PresetCheck) -> list[tuple[str, ...]]:
        """Return the roles that make the groups of each table, without those that have no column."""
        return [roles for roles in check.by if all(role in self.groups for role in roles)]

    @property
    def amounts(self) -> list[str]:
        """The columns of amounts."""
        return [name for role in self.preset.roles_of("amount") for name in self.plan.columns.get(role.role, ())]

    def used(self, measure: str) -> list[str]:
        """Return the roles that make the groups of any table of this measure."""
        checks = [check for check in self.preset.checks if check.measure == measure]
        return [role for role in self.groups if any(role in roles for check in checks for roles in self.sets(check))]

    def terms(self, roles: Sequence[str]) -> dict[str, str]:
        """Return the columns of these roles by names of their own, which no figure has."""
        return {f"by {role}": self.groups[role] for role in roles}

    def names(self, roles: Sequence[str]) -> list[str]:
        """Return the columns of these roles."""
        return [self.groups[role] for role in roles]

    def unknown(self, role: str) -> UnknownValues:
        """Return what means unknown in the column of a role."""
        said = dict(self.table.source.options.real_values).get(self.groups[role], ())
        known = (*self.plan.known.get(role, ()), *said)
        return UnknownValues(self.preset.unknown_words, self.plan.unknown.get(role, ()), known)

    def chosen(self, roles: Sequence[str], check: PresetCheck) -> list[str] | None:
        """Return the values of the reference group, where the plan names one for each of the roles."""
        fixed = check.measure == "rates" and check.reference == "highest"
        if fixed or not all(role in self.plan.references for role in roles):
            return None
        return [self.plan.references[role] for role in roles]


def _in_labels(part: PresetPlan, table: Table) -> PresetPlan:
    """Return the part with labels in place of the codes that it names."""

    def labelled(role: str, value: str) -> str:
        return table.columns[part.columns[role][0]].labelled(value)

    fields = ("unknown", "known", "compared", "compared_with")
    said: dict[str, object] = {
        name: {role: tuple(labelled(role, value) for value in values) for role, values in getattr(part, name).items()}
        for name in fields
    }
    said["references"] = {role: labelled(role, value) for role, value in part.references.items()}
    return part.model_copy(update=said)


def run_preset(table: Table, plan: AuditPlan, part: PresetPlan, *, base: str | Path | None = None) -> PresetFinding:
    """Fill the form of one rule."""
    table = as_cases(table, decision=plan.decision.column)
    file = open_preset(part.preset, base=base)
    for role in file.preset.roles:
        for column in part.columns.get(role.role, ()) if role.kind != "group" else ():
            refuse_open_means(table, column)
    check_columns(file.preset, part, table)
    check_settings(file.preset, part)
    form = _Form(file.preset, _in_labels(part, table), table, table.condition(part.where))
    for column in form.amounts:
        refuse_open_times(table, column, form.where)
    notes: list[str] = []
    if part.file_digest not in (None, file.digest):
        notes.append(say(Message("form-other-file", {"name": Phrase(quote(file.name or part.preset))})))
    median: float | None = None
    good: Condition | None = None
    rate: Literal["selection", "scoring"] = "selection"
    meaning = plan.decision.meaning or plan.decision.column
    outcome: Outcome | None = None
    score = next((role.role for role in form.preset.roles_of("score") if role.role in part.columns), None)
    if score is not None:
        median = _median(form, part.columns[score][0])
        good = Condition.parse(f"{quoted(part.columns[score][0])} > {median!r}", table.columns)
        rate, meaning = "scoring", say(Message("form-above-median", {"column": Phrase(part.columns[score][0])}))
    elif plan.decision.kind.has_good_outcome:
        outcome = outcome_of(table, plan.decision)
        good, meaning = outcome.condition, outcome.meaning
    asks_rates = any(check.measure == "rates" for check in form.preset.checks)
    if good is None and asks_rates:
        need = Word("score" if form.preset.roles_of("score") else "decision")
        notes.append(say(Message("form-no-rates", {"need": need})))
    rates: list[RatesFinding] = []
    population, undecided = None, 0
    seen: Seen = {}
    not_known: tuple[NotKnown, ...] = ()
    with uncounted(plan):
        if good is not None and asks_rates:
            rates, population, undecided, seen = _rates(form, good)
            if outcome is not None:
                not_known = decisions_not_known(table, outcome, where=form.where)
        means = _means(form, plan, notes, seen)
        pay, sides = _pay(form, notes, seen)
    not_known = refuse_open((*not_known, *_groups_not_known(form, seen)))
    if not rates and not means and not pay:
        reasons = " ".join(notes) or "no column is named for what it needs."
        raise InputError(
            f"{quote(form.preset.title)} cannot be filled: {reasons}",
            hint="Name its columns, and a decision with a favourable result.",
        )
    lacking = [
        tuple(roles)
        for check in form.preset.checks
        for roles in check.by
        if roles not in form.sets(check) and check.about != "pay"
    ]
    of_counts = table.source.options.counts is not None
    key = "form-no-table-of-counts" if of_counts else "form-no-table"
    notes += [say(Message(key, {"roles": _role_labels(form, roles)})) for roles in dict.fromkeys(lacking)]
    notes += _not_found(form, seen)
    notes += _left_out(table) if of_counts else []
    notes += [
        say(Message("form-overlap", {"columns": Phrase(_quoted(each.columns)), "made": Phrase(quote(each.name))}))
        for each in boxes_named(table, set(form.groups.values()))
    ]
    return PresetFinding(
        plan=part,
        preset=form.preset,
        rate=rate,
        meaning=meaning,
        median=median,
        where=None if form.where is None else str(form.where),
        where_words=None if form.where is None else form.where.in_words(),
        n_population=table.count(form.where) if population is None else population,
        undecided=undecided,
        rates=tuple(rates),
        means=tuple(means),
        pay=tuple(pay),
        sides=tuple(sides),
        counted_words=tuple(
            (role, condition.in_words())
            for role, text in part.counted.items()
            if (condition := table.condition(text)) is not None
        ),
        unknown_texts=tuple((column, _texts(values)) for column, values in seen.items() if values),
        unknown_values=tuple((column, tuple(values)) for column, values in seen.items() if values),
        file_name=file.name,
        notes=tuple(notes),
        not_known=not_known,
        of_counts=of_counts,
        day=today().isoformat(),
    )


def _left_out(table: Table) -> list[str]:
    """Say which rows of a table of counts were left out: groups may stand in them."""
    return [
        say(Message("read-left-out", {"column": Phrase(quote(column)), "values": Phrase(named_values(values))}))
        for column, values in table.source.options.left_out
    ]


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(map(quote, names))


def with_file_digests(plan: AuditPlan, *, base: str | Path | None = None) -> AuditPlan:
    """Return a plan that records the office's own preset files as they are, where it records none yet."""
    parts = tuple(
        part
        if part.file_digest is not None
        else part.model_copy(update={"file_digest": open_preset(part.preset, base=base).digest})
        for part in plan.presets
    )
    return plan if parts == plan.presets else plan.model_copy(update={"presets": parts})


def _median(form: _Form, column: str) -> float:
    found = form.table.moments(column, {}, where=form.where)
    if found.empty or is_missing(found["median"].iloc[0]) or pd.isna(found["median"].iloc[0]):
        message = f"Nobody among the people looked at has a score in {quote(column)}."
        raise GroupError(message, uncounted=message, hint="Choose another column or a wider filter.")
    return float(found["median"].iloc[0])


def _rates(form: _Form, good: Condition) -> tuple[list[RatesFinding], int, int, Seen]:
    """Return the tables of rates, the people looked at, those without a decision, and the values that mean unknown."""
    used = form.used("rates")
    counts = form.table.counts(form.terms(used) | {"selected": good}, where=form.where)
    counts, seen = _unknown_as_missing(form, counts, used)
    decided = counts["selected"].notna()
    undecided = int(counts.loc[~decided, "n"].sum())
    counts = counts[decided].copy()
    counts["positives"] = counts["n"].where(counts["selected"].astype(bool), 0)
    everyone = int(counts["n"].sum())
    complete = counts[counts[list(form.terms(used))].notna().all(axis=1)] if form.preset.unknown == "any" else counts
    rates = []
    for check in form.preset.checks:
        if check.measure != "rates":
            continue
        leave_out = check.leave_out_small if form.plan.leave_out_small is None else form.plan.leave_out_small
        for roles in form.sets(check):
            made = impact_table(
                complete,
                list(form.terms(roles)),
                names=form.names(roles),
                reference=check.reference,
                chosen=form.chosen(roles, check),
                threshold=check.threshold,
                smallest_share=check.smallest_share,
                leave_out_small=leave_out,
                significance=check.significance,
                one_person=check.one_person,
                deviations=check.deviations,
                level=check.level,
            )
            rates.append(RatesFinding(check, roles, made, everyone - made.n))
    return rates, everyone + undecided, undecided, seen


def _means(form: _Form, plan: AuditPlan, notes: list[str], seen: Seen) -> list[MeansFinding]:
    amounts = form.amounts
    checks = [check for check in form.preset.checks if check.measure == "means"]
    if checks and not amounts:
        notes.append(say(Message("form-no-amounts")))
    used = form.used("means")
    means = []
    for column in amounts if checks else ():
        found = form.table.moments(column, form.terms(used), where=form.where)
        found, values = _unknown_as_missing(form, found, used)
        _add_seen(seen, values)
        everyone = int(found["n"].sum())
        complete = found[found[list(form.terms(used))].notna().all(axis=1)] if form.preset.unknown == "any" else found
        for check in checks:
            for roles in form.sets(check):
                made = standardized_means(
                    complete,
                    list(form.terms(roles)),
                    column=column,
                    names=form.names(roles),
                    chosen=form.chosen(roles, check),
                )
                means.append(MeansFinding(check, roles, made, everyone - made.n, _is_better(plan, column)))
    return means


def _pay(form: _Form, notes: list[str], seen: Seen) -> tuple[list[PayFinding], list[PaySides]]:
    """Return the tables of pay and who is compared in them; note what is not made, and what means unknown."""
    checks = [check for check in form.preset.checks if check.about == "pay"]
    sides = {role: _sides(form, role, seen) for role in form.preset.sided if role in form.groups} if checks else {}
    found = []
    not_made: dict[tuple[str, ...], dict[str, None]] = {}
    for check in checks:
        of = require(check.of)
        columns = form.plan.columns.get(of, ())
        for roles in check.by:
            lacking = [role for role in roles if role not in form.groups] + ([] if columns else [of])
            if lacking:
                not_made.setdefault(tuple(lacking), {})[check.article or check.measure] = None
                continue
            found += [_pay_table(form, check, roles, column, sides[roles[0]], seen) for column in columns]
    for missing, tables in not_made.items():
        args = {"table": Phrase(", ".join(tables)), "roles": _role_labels(form, missing)}
        notes.append(say(Message("form-no-table-as", args)))
    marked = [row.name for pay in found if pay.check.mark_from is not None for row in pay.table.rows]
    for name in (*form.plan.justified, *form.plan.remedied):
        if name not in marked:
            message = f"There is no category {quote(name)} among the people looked at."
            raise GroupError(message, uncounted=message, hint=near_names(name, marked))
    return found, [side for role, side in sides.items() if any(pay.roles[0] == role for pay in found)]


def _sides(form: _Form, role: str, seen: Seen) -> PaySides:
    """Return who is on which side of the gaps in pay, and who on none."""
    part, column = form.preset.role(role), form.groups[role]
    counts, values = _unknown_as_missing(form, form.table.counts(form.terms([role]), where=form.where), [role])
    _add_seen(seen, values)
    is_known = counts[f"by {role}"].notna()
    there = [(plain_value(value), int(n)) for value, n in counts[is_known][[f"by {role}", "n"]].to_numpy().tolist()]
    sides = []
    for name, usual in (("compared", part.compared), ("compared_with", part.compared_with)):
        own = getattr(form.plan, name).get(role)
        meant = UnknownValues(usual) if own is None else UnknownValues((), own)
        sides.append([value for value, n in there if n and value in meant])
        if not sides[-1]:
            words, listed = getattr(form.preset.words, name), ", ".join(quote(value_text(v)) for v, _ in there[:8])
            message = f"Nobody among the people looked at is counted as {words} by column {quote(column)}."
            hint = f"Say which values mean {words} (in a plan: {name} = {{ {role} = [...] }}). "
            hint += f"Values there: {listed or 'none'}."
            raise GroupError(message, uncounted=message, hint=hint)
    both = [value for value in sides[0] if value in sides[1]]
    if both:
        message = f"{quote(value_text(both[0]))} of column {quote(column)} is on both sides of the gaps in pay."
        raise GroupError(message, uncounted=message, hint="Name each value on one side only.")
    n_sides = [sum(n for value, n in there if value in side) for side in sides]
    return PaySides(
        role,
        column,
        tuple(map(value_text, sides[0])),
        tuple(map(value_text, sides[1])),
        others=tuple(value_text(value) for value, n in there if n and value not in sides[0] + sides[1]),
        n_protected=n_sides[0],
        n_reference=n_sides[1],
        n_others=sum(n for _, n in there) - sum(n_sides),
        n_unknown=int(counts.loc[~is_known, "n"].sum()),
        protected_values=tuple(sides[0]),
        reference_values=tuple(sides[1]),
    )


def _pay_table(
    form: _Form, check: PresetCheck, roles: tuple[str, ...], column: str, sides: PaySides, seen: Seen
) -> PayFinding:
    table, names = form.table, form.names(roles)
    protected = Condition.one_of(sides.column, sides.protected_values, table.columns)
    where = Condition.one_of(sides.column, (*sides.protected_values, *sides.reference_values), table.columns)
    for condition in (form.where, table.condition(form.plan.counted.get(require(check.of)))):
        where = where if condition is None else condition & where
    receives = Condition.parse(f"{quoted(column)} > 0", table.columns)
    made: PayTable
    unknown, of_means = 0, table.column(column).is_mean
    if of_means and not (check.measure == "pay_gap" and check.statistic == "mean" and check.among == "all"):
        return PayFinding(check, roles, without_rows(check.pay_statistic, column, names), unknown, of_means=True)
    if check.measure == "receiving":
        made = receiving(
            table.counts({"protected": protected, "receives": receives}, where=where), column=column, columns=names
        )
    elif check.measure == "quarters":
        there = Condition.parse(f"{quoted(column)} IS NOT NULL", table.columns)
        counts = table.counts({"pay": column, "protected": protected}, where=where & there)
        missing = table.count(where) - int(counts["n"].sum())
        made = pay_quarters(counts, column=column, columns=names, missing=missing)
    else:
        where = where & receives if check.among == "receiving" else where
        by: dict[str, str | Condition] = {"protected": protected, **form.terms(roles[1:])}
        if of_means:
            found = table.means(column, by, where=where).assign(variance=math.nan, median=math.nan)
        else:
            found = table.moments(column, by, where=where)
        check_finite(found, column)
        found, values = _unknown_as_missing(form, found, roles[1:])
        _add_seen(seen, values)
        category = next(iter(form.terms(roles[1:])), None)
        if category is not None:
            unknown = int(found.loc[found[category].isna(), "n"].sum())
        made = pay_gaps(found, check.statistic, column=column, columns=names, category=category)
    return PayFinding(check, roles, made, unknown, of_means=of_means)


def _is_better(plan: AuditPlan, column: str) -> bool | None:
    """Return whether more of a column is better for people; None where the audit does not say so."""
    if plan.score is not None and plan.score.column == column:
        return plan.score.higher_is_favorable
    # A form alone takes its first amount for the decision: that more of it is better is then nobody's word.
    said = bool(plan.checks) or not plan.decision.higher_is_favorable
    if said and plan.decision.column == column and not plan.decision.kind.has_good_outcome:
        return plan.decision.higher_is_favorable
    return None


def _unknown_as_missing(form: _Form, frame: pd.DataFrame, roles: Sequence[str]) -> tuple[pd.DataFrame, Seen]:
    """Return counts with a missing value where a value means unknown, and these values by column."""
    frame, seen = frame.copy(), {}
    for role, key in zip(roles, form.terms(roles), strict=True):
        values, meant = frame[key], form.unknown(role)
        unknown = values.map(lambda value, meant=meant: value in meant).fillna(False).astype(bool)
        seen[form.groups[role]] = sorted({plain_value(value) for value in values[unknown].tolist()}, key=unknown_text)
        frame[key] = values.astype(object).where(~unknown & values.notna(), None)
    return frame, seen


def _add_seen(seen: Seen, values: Seen) -> None:
    for column, unknown in values.items():
        seen[column] = list(dict.fromkeys([*seen.get(column, ()), *unknown]))


def _groups_not_known(form: _Form, seen: Seen) -> tuple[NotKnown, ...]:
    """Find who makes a group although the value says that it is not known, and who is left out although it may."""
    found: list[NotKnown] = []
    for role, column in form.groups.items():
        unknown, known = form.unknown(role), UnknownValues((), form.plan.known.get(role, ()))
        named = [value for value in form.table.common_values(column) if value in unknown or value in known]
        sides = [*form.plan.compared.get(role, ()), *form.plan.compared_with.get(role, ())]
        found += columns_not_known(form.table, [column], where=form.where, settled={*named, *sides})
        said = UnknownValues((), form.plan.unknown.get(role, ()))
        open_ones = [value for value in seen.get(column, ()) if value not in said]
        found += left_out_as_unknown(form.table, column, open_ones, where=form.where)
    numbers = [role.role for kind in ("score", "amount") for role in form.preset.roles_of(kind)]
    used = dict.fromkeys(column for role in numbers for column in form.plan.columns.get(role, ()))
    found += columns_not_known(form.table, used, where=form.where, says="value")
    return tuple(found)


def _texts(values: Sequence[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(unknown_text, values)))


def _not_found(form: _Form, seen: Seen) -> list[str]:
    """Return a sentence for each value that the plan counts as unknown and that is not there, as after a slip."""
    sentences, listed = [], UnknownValues(form.preset.unknown_words)
    for role, values in form.plan.unknown.items():
        column = form.groups[role]
        for value in values:
            # Another spelling of a word that the form lists is there.
            meant = UnknownValues([value] if value in listed else [], [value])
            if column in seen and not any(found in meant for found in seen[column]):
                args = {"value": Phrase(quote(value)), "column": Phrase(quote(column))}
                sentences.append(say(Message("form-not-unknown", args)))
    return sentences


def _role_labels(form: _Form, roles: Sequence[str]) -> Argument:
    """Return the labels of roles as a part of a message."""
    first, *more = (Phrase(form.preset.role(role).label) for role in roles)
    said: Argument = first
    for role in more:
        said = Message("form-no-table-and", {"roles": said, "role": role})
    return said


# An audit from what the form found.


def fill_plan(plan: AuditPlan, finding: PresetFinding, table: Table) -> AuditPlan:
    """Return a plan with the protected columns, the questions and the tolerance of a preset."""
    parts: tuple[RatesFinding | MeansFinding, ...] = (*finding.rates, *finding.means)
    singles: dict[str, ImpactRow | MeanRow] = {}
    for part in parts:
        base = _base(part)
        # A question needs people on both sides.
        if len(part.table.columns) == 1 and base is not None and len(part.table.rows) > 1:
            singles.setdefault(part.table.columns[0], base)
    crossings = dict.fromkeys(part.table.columns for part in parts if len(part.table.columns) > 1)
    where = None if finding.plan.where is None else table.condition(finding.plan.where)
    for column, values in finding.unknown_values:
        known = ~Condition.one_of(column, values, table.columns)
        where = known if where is None else where & known
    filtered = None if where is None else str(where)
    checks = []
    for place, (column, base) in enumerate(singles.items()):
        others = ~Condition.equals(column, base.values[0][1], table.columns)
        checks.append(
            CheckPlan(
                title=f"{finding.preset.title}: {column}",
                where=filtered,
                protected=str(others),
                protected_name=f"everybody but {base.name}",
                tolerance=finding.preset.tolerance,
                compare=((column,), *(crossings if place == 0 else ())),
                reference=base.name,
            )
        )
    asked = [*singles]
    for sides in finding.sides:
        if sides.column in asked:
            continue
        both = Condition.one_of(sides.column, (*sides.protected_values, *sides.reference_values), table.columns)
        checks.append(
            CheckPlan(
                title=f"{finding.preset.title}: {sides.column}",
                where=str(both) if filtered is None else str(require(table.condition(filtered)) & both),
                protected=str(Condition.one_of(sides.column, sides.protected_values, table.columns)),
                protected_name=finding.preset.words.compared,
                tolerance=finding.preset.tolerance,
            )
        )
        asked.append(sides.column)
    protected = tuple(dict.fromkeys((*plan.protected_columns, *asked)))
    return plan.model_copy(update={"protected_columns": protected, "checks": tuple(checks) or plan.checks})


def _base(part: RatesFinding | MeansFinding) -> ImpactRow | MeanRow | None:
    """Return the group that the others are compared with in a question."""
    base = next((row for row in part.table.rows if row.is_reference), None)
    if not isinstance(base, ImpactRow) or not base.small:
        return base
    large = [row for row in part.table.rows if isinstance(row, ImpactRow) and not row.small]
    return max(large, key=lambda row: row.group.ratio, default=base)
