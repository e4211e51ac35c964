"""Fill the tables of pay of a form: who is compared, in which categories or groups, and the answer to one worker."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.engine import quoted
from fairaudit.errors import GroupError, InputError, near_names, quote, require
from fairaudit.findings import Message, Phrase
from fairaudit.measure.grouping import is_missing, plain_value, value_text
from fairaudit.measure.means import check_finite
from fairaudit.measure.pay import (
    NO_INTERVAL,
    PayTable,
    joined_groups,
    pay_gaps,
    pay_quarters,
    receiving,
    shares_of_sides,
    without_few,
    without_rows,
    workforce,
)
from fairaudit.messages import say
from fairaudit.presets.findings import PayFinding, PaySides, WorkerPay
from fairaudit.presets.fitting import UnknownValues
from fairaudit.presets.open_form import OpenForm, Seen, add_seen, role_labels, unknown_as_missing
from fairaudit.presets.preset import PresetCheck

Groups = tuple[tuple[object, ...], ...]
"""Values of the first side of a comparison that are a row each, several where they are joined."""


def fill_pay(form: OpenForm, notes: list[str], seen: Seen) -> tuple[list[PayFinding], list[PaySides], WorkerPay | None]:
    """Return the tables of pay, who is compared in them, and who asked; note what is not made."""
    checks = [check for check in form.preset.checks if check.about == "pay"]
    sides = {role: _sides(form, role, seen) for role in form.preset.sided if role in form.groups} if checks else {}
    worker = _worker(form, sides) if form.preset.answers_worker else None
    groups = {role: _groups(form, each) for role, each in sides.items()}
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
            # Who works there needs no column of pay, and is one table.
            for column in columns[:1] if check.measure == "workforce" else columns:
                made = _pay_table(form, check, roles, column, sides[roles[0]], groups[roles[0]], seen, worker)
                _refuse_nobody(form, made)
                found.append(_without_few(made, worker))
    for missing, tables in not_made.items():
        args = {"table": Phrase(", ".join(tables)), "roles": role_labels(form, missing)}
        notes.append(say(Message("form-no-table-as", args)))
    marked = [row.name for pay in found if pay.check.mark_from is not None for row in pay.table.rows]
    for name in (*form.plan.justified, *form.plan.remedied, *form.plan.measures):
        if name not in marked:
            message = f"There is no category {quote(name)} among the people looked at."
            raise GroupError(message, uncounted=message, hint=near_names(name, marked))
    return found, [side for role, side in sides.items() if any(pay.roles[0] == role for pay in found)], worker


def _refuse_nobody(form: OpenForm, pay: PayFinding) -> None:
    """Refuse a column of pay in which nobody of both sides has a number."""
    is_gap = pay.check.measure == "pay_gap" and pay.check.among == "all" and not pay.is_unknowable
    if is_gap and not pay.table.n and not pay.unknown and not form.preset.role(require(pay.check.of)).optional:
        message = f"Nobody who is compared has a number in column {quote(pay.table.column)}."
        raise GroupError(message, uncounted=message, hint="Name the column that holds their pay.")


def _without_few(pay: PayFinding, worker: WorkerPay | None) -> PayFinding:
    """Return a table without the figures of sides that are too small for one, where the form says so."""
    if pay.check.measure == "answer":
        # The rule asks for the averages alone: a range, or what it is made from, says more of single workers.
        rows = tuple(
            replace(
                row,
                interval=NO_INTERVAL,
                protected=replace(row.protected, deviation=math.nan),
                reference=replace(row.reference, deviation=math.nan),
            )
            for row in pay.table.rows
        )
        pay = replace(pay, table=replace(pay.table, rows=rows))
    if pay.check.fewest is None or pay.is_unknowable:
        return pay
    own = worker.side if worker is not None and pay.check.measure == "answer" else None
    return replace(pay, table=without_few(pay.table, pay.check.fewest, own=own))


def _worker(form: OpenForm, sides: dict[str, PaySides]) -> WorkerPay:
    """Return what the worker who asked is paid, and where the worker belongs."""
    title, text = quote(form.preset.title), form.plan.worker
    check = next(each for each in form.preset.checks if each.measure == "answer")
    role, category = check.by[0]
    if text is None:
        raise InputError(
            f"{title} needs the worker who asked.",
            hint='Say it as a condition that one person meets, such as worker = "staff_number = 17".',
        )
    columns = form.plan.columns[require(check.of)]
    for column in columns:
        if form.table.column(column).is_mean:
            raise InputError(
                f"Column {quote(column)} holds means of several people, and {title} needs the pay of one.",
                hint="Bring a table with one row a worker.",
            )
    who = require(form.table.condition(text))
    by = form.terms([role, category]) | {f"pay {i}": column for i, column in enumerate(columns)}
    found = form.table.counts(by, where=who if form.where is None else form.where & who)
    found, _ = unknown_as_missing(form, found, [role, category])
    n = int(found["n"].sum())
    if n != 1:
        raise GroupError(
            f"'worker' of {title} must be met by one person, but {n:,} of the people looked at meet {quote(text)}.",
            uncounted=f"'worker' of {title} must be met by one person, and {quote(text)} is not.",
            hint="Name the worker by a column that differs for each, such as a staff number.",
        )
    [row] = found[found["n"] > 0].to_dict("records")
    if is_missing(row[f"by {category}"]):
        message = f"The category of the worker who asked is not known in column {quote(form.groups[category])}."
        raise GroupError(message, uncounted=message, hint="Fill it in: the averages are those of this category.")
    of, side = sides[role], plain_value(row[f"by {role}"])
    own = "protected" if side in of.protected_values else "reference" if side in of.reference_values else ""
    pay = tuple(
        (column, math.nan if pd.isna(row[f"pay {i}"]) else float(row[f"pay {i}"])) for i, column in enumerate(columns)
    )
    value = plain_value(row[f"by {category}"])
    return WorkerPay(value_text(value), own, pay, value)


def _groups(form: OpenForm, sides: PaySides) -> Groups:
    """Return the values of the first side that are a row each; those of too few people are joined."""
    checks = [check for check in form.preset.checks if check.groups and check.by[0][0] == sides.role]
    if not checks:
        return ()
    held = {value_text(value): value for value in sides.protected_values}
    wheres = [form.where]
    for of in dict.fromkeys(require(check.of) for check in checks[:1]):
        counted = form.table.condition(form.plan.counted.get(of))
        for column in form.plan.columns.get(of, ()):
            there = Condition.parse(f"{quoted(column)} IS NOT NULL", form.table.columns)
            wheres.append(_all_of(form.where, counted, there))
    n = dict.fromkeys(held, -1)
    for where in wheres:
        counts = form.table.counts({"group": sides.column}, where=where)
        people = {value_text(plain_value(value)): int(k) for value, k in counts[["group", "n"]].to_numpy().tolist()}
        n = {name: people.get(name, 0) if k < 0 else min(k, people.get(name, 0)) for name, k in n.items()}
    joined = joined_groups({name: max(k, 1) for name, k in n.items()}, form.preset.fewest)
    return tuple(tuple(held[name] for name in names) for names in joined)


def _all_of(*conditions: Condition | None) -> Condition | None:
    """Return what all conditions together ask for; None without any."""
    made: Condition | None = None
    for condition in conditions:
        made = condition if made is None else made if condition is None else made & condition
    return made


def _group_name(values: Sequence[object]) -> str:
    return ", ".join(map(value_text, values))


def _sides(form: OpenForm, role: str, seen: Seen) -> PaySides:
    """Return who is on which side of the gaps in pay, and who on none."""
    part, column = form.preset.role(role), form.groups[role]
    counts, values = unknown_as_missing(form, form.table.counts(form.terms([role]), where=form.where), [role])
    add_seen(seen, values)
    is_known = counts[f"by {role}"].notna()
    there = [(plain_value(value), int(n)) for value, n in counts[is_known][[f"by {role}", "n"]].to_numpy().tolist()]
    sides: list[list[object]] = []
    second = UnknownValues(part.compared_with)
    if role in form.plan.compared_with:
        second = UnknownValues((), form.plan.compared_with[role])
    for name, usual in (("compared", part.compared), ("compared_with", part.compared_with)):
        own = getattr(form.plan, name).get(role)
        meant = UnknownValues(usual) if own is None else UnknownValues((), own)
        is_rest = name == "compared" and own is None and part.compared_rest
        sides.append([value for value, n in there if n and (value not in second if is_rest else value in meant)])
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
    form: OpenForm,
    check: PresetCheck,
    roles: tuple[str, ...],
    column: str,
    sides: PaySides,
    groups: Groups,
    seen: Seen,
    worker: WorkerPay | None,
) -> PayFinding:
    if check.measure == "workforce":
        return _workforce(form, check, roles, column, sides, groups)
    table = form.table
    counted = table.condition(form.plan.counted.get(require(check.of)))
    limits = [form.where, counted]
    if worker is not None and check.measure == "answer":
        limits.append(Condition.equals(form.groups[roles[1]], worker.category_value, table.columns))

    def filled(protected: Sequence[object]) -> PayFinding:
        where = Condition.one_of(sides.column, (*protected, *sides.reference_values), table.columns)
        return _two_sides(form, check, roles, column, sides.column, protected, require(_all_of(where, *limits)), seen)

    made = filled(sides.protected_values)
    if not check.groups or made.is_unknowable:
        return made
    rows = []
    for values in groups:
        named = tuple((sides.column, value) for value in values)
        rows += [replace(row, values=named, name=_group_name(values)) for row in filled(values).table.rows]
    return replace(made, table=replace(made.table, rows=tuple(rows)))


def _two_sides(
    form: OpenForm,
    check: PresetCheck,
    roles: tuple[str, ...],
    column: str,
    sided: str,
    values: Sequence[object],
    where: Condition,
    seen: Seen,
) -> PayFinding:
    """Return a table of pay of the people of some values against the second side; `where` keeps both."""
    table, names = form.table, form.names(roles)
    protected = Condition.one_of(sided, values, table.columns)
    receives = Condition.parse(f"{quoted(column)} > 0", table.columns)
    there = Condition.parse(f"{quoted(column)} IS NOT NULL", table.columns)
    terms, category = form.terms(roles[1:]), next(iter(form.terms(roles[1:])), None)
    made: PayTable
    unknown, of_means = 0, table.column(column).is_mean
    is_gap = check.measure in ("pay_gap", "answer")
    if of_means and not (is_gap and check.statistic == "mean" and check.among == "all"):
        return PayFinding(check, roles, without_rows(check.pay_statistic, column, names), unknown, of_means=True)

    def known(found: pd.DataFrame) -> pd.DataFrame:
        found, meant = unknown_as_missing(form, found, roles[1:])
        add_seen(seen, meant)
        return found

    if check.measure == "receiving":
        counts = known(table.counts({"protected": protected, "receives": receives, **terms}, where=where))
        if category is not None:
            lost = counts[category].isna() & counts["receives"].notna()
            unknown = int(counts.loc[lost, "n"].sum())
        made = receiving(counts, column=column, columns=names, category=category)
    elif check.measure == "quarters":
        counts = table.counts({"pay": column, "protected": protected}, where=where & there)
        missing = table.count(where) - int(counts["n"].sum())
        made = pay_quarters(counts, column=column, columns=names, missing=missing)
    elif check.measure == "shares":
        by_category = require(category)
        counts = known(table.counts({"protected": protected, "there": there, **terms}, where=where))
        has_pay = counts["there"].astype(bool)
        unknown = int(counts.loc[has_pay & counts[by_category].isna(), "n"].sum())
        missing = int(counts.loc[~has_pay & counts[by_category].notna(), "n"].sum())
        made = shares_of_sides(counts[has_pay], column=column, columns=names, category=by_category, missing=missing)
    else:
        where = where & receives if check.among == "receiving" else where
        by: dict[str, str | Condition] = {"protected": protected, **terms}
        if of_means:
            found = table.means(column, by, where=where).assign(variance=math.nan, median=math.nan)
        else:
            found = table.moments(column, by, where=where)
        check_finite(found, column)
        found = known(found)
        if category is not None:
            unknown = int(found.loc[found[category].isna(), "n"].sum())
        made = pay_gaps(found, check.statistic, column=column, columns=names, category=category)
    return PayFinding(check, roles, made, unknown, of_means=of_means)


def _workforce(
    form: OpenForm, check: PresetCheck, roles: tuple[str, ...], column: str, sides: PaySides, groups: Groups
) -> PayFinding:
    """Return the groups of all people looked at, with those who did not say."""
    counts, _ = unknown_as_missing(form, form.table.counts(form.terms(roles), where=form.where), roles)
    [by] = form.terms(roles)
    n_unknown = int(counts.loc[counts[by].isna(), "n"].sum())
    n_of = {value_text(plain_value(value)): int(n) for value, n in counts[[by, "n"]].to_numpy().tolist()}
    others = tuple(value for value in n_of if value in sides.others)
    parts: list[tuple[str, tuple[object, ...]]] = [(form.preset.words.compared_with, sides.reference_values)]
    parts += [(_group_name(values), values) for values in groups or (sides.protected_values,)]
    if not groups:
        parts[-1] = (form.preset.words.compared, sides.protected_values)
    if others:
        parts.append((", ".join(others), others))
    made = workforce(
        {name: sum(n_of[value_text(value)] for value in values) for name, values in parts},
        n_unknown,
        column=column,
        columns=form.names(roles),
    )
    rows = tuple(
        replace(row, values=tuple((sides.column, value) for value in values))
        for row, (_, values) in zip(made.rows, parts, strict=False)
    )
    return PayFinding(check, roles, replace(made, rows=(*rows, made.rows[-1])), 0)
