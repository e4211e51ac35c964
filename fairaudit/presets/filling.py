"""Fill the form of a rule from counts and moments, and an audit from what the form found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases, refuse_open_means
from fairaudit.data.engine import quoted
from fairaudit.data.roles import Outcome
from fairaudit.data.said_values import named_values
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError, quote, require
from fairaudit.findings import Message, Phrase, Word
from fairaudit.measure.grouping import is_missing
from fairaudit.measure.impact import ImpactRow, impact_table
from fairaudit.measure.not_known import (
    NotKnown,
    columns_not_known,
    decisions_not_known,
    left_out_as_unknown,
    refuse_open,
)
from fairaudit.measure.open_cases import refuse_open_times
from fairaudit.measure.standardized import MeanRow, standardized_means
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import outcome_of, uncounted
from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding
from fairaudit.presets.fitting import UnknownValues, check_columns, check_record, check_settings, unknown_text
from fairaudit.presets.open_form import OpenForm, Seen, add_seen, role_labels, unknown_as_missing
from fairaudit.presets.pay_filling import fill_pay
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import PresetFile, open_preset
from fairaudit.presets.status import today
from fairaudit.study.families import boxes_named


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
    if file.preset.is_record:
        return _open_record(file, part, table, plan)
    for role in file.preset.roles:
        for column in part.columns.get(role.role, ()) if role.kind != "group" else ():
            refuse_open_means(table, column)
    check_columns(file.preset, part, table)
    check_settings(file.preset, part)
    form = OpenForm(file.preset, _in_labels(part, table), table, table.condition(part.where))
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
        pay, sides, worker = fill_pay(form, notes, seen)
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
    notes += [say(Message(key, {"roles": role_labels(form, roles)})) for roles in dict.fromkeys(lacking)]
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
        worker=worker,
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


def _open_record(file: PresetFile, part: PresetPlan, table: Table, plan: AuditPlan) -> PresetFinding:
    """Return a record that is not filled yet: that is done when all other questions of the audit are answered."""
    check_record(file.preset, part)
    changed = part.file_digest not in (None, file.digest)
    name = {"name": Phrase(quote(file.name or part.preset))}
    return PresetFinding(
        plan=part,
        preset=file.preset,
        rate="selection",
        meaning=plan.decision.meaning or plan.decision.column,
        median=None,
        where=None,
        where_words=None,
        n_population=table.count(),
        undecided=0,
        rates=(),
        means=(),
        file_name=file.name,
        notes=(say(Message("form-other-file", name)),) if changed else (),
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


def _median(form: OpenForm, column: str) -> float:
    found = form.table.moments(column, {}, where=form.where)
    if found.empty or is_missing(found["median"].iloc[0]) or pd.isna(found["median"].iloc[0]):
        message = f"Nobody among the people looked at has a score in {quote(column)}."
        raise GroupError(message, uncounted=message, hint="Choose another column or a wider filter.")
    return float(found["median"].iloc[0])


def _rates(form: OpenForm, good: Condition) -> tuple[list[RatesFinding], int, int, Seen]:
    """Return the tables of rates, the people looked at, those without a decision, and the values that mean unknown."""
    used = form.used("rates")
    counts = form.table.counts(form.terms(used) | {"selected": good}, where=form.where)
    counts, seen = unknown_as_missing(form, counts, used)
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


def _means(form: OpenForm, plan: AuditPlan, notes: list[str], seen: Seen) -> list[MeansFinding]:
    amounts = form.amounts
    checks = [check for check in form.preset.checks if check.measure == "means"]
    if checks and not amounts:
        notes.append(say(Message("form-no-amounts")))
    used = form.used("means")
    means = []
    for column in amounts if checks else ():
        found = form.table.moments(column, form.terms(used), where=form.where)
        found, values = unknown_as_missing(form, found, used)
        add_seen(seen, values)
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


def _is_better(plan: AuditPlan, column: str) -> bool | None:
    """Return whether more of a column is better for people; None where the audit does not say so."""
    if plan.score is not None and plan.score.column == column:
        return plan.score.higher_is_favorable
    # A form alone takes its first amount for the decision: that more of it is better is then nobody's word.
    said = bool(plan.checks) or not plan.decision.higher_is_favorable
    if said and plan.decision.column == column and not plan.decision.kind.has_good_outcome:
        return plan.decision.higher_is_favorable
    return None


def _groups_not_known(form: OpenForm, seen: Seen) -> tuple[NotKnown, ...]:
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


def _not_found(form: OpenForm, seen: Seen) -> list[str]:
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
