"""A form that is asked for alone, without an audit around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from fairaudit.data.given import SaidCounts, SaidLabels, as_table, documented
from fairaudit.data.roles import make_outcome
from fairaudit.data.table import Table
from fairaudit.errors import InputError, quote
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan, outcome_plan
from fairaudit.plan.roles import in_labels
from fairaudit.presets.filling import run_preset
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.fitting import suggest_columns
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset, find_presets, open_preset


def list_forms() -> pd.DataFrame:
    """Return the forms that can be filled: those of the package and of the folder that FAIRAUDIT_PRESETS names.

    Returns
    -------
    pandas.DataFrame
        A row a form: ``form`` (its key), ``title``, ``section`` of the rule and ``roles``, of which those in brackets
        may be left out.

    Examples
    --------
    >>> list_forms()["form"].tolist()[:2]
    ['ai_act_bias_profile', 'ai_act_rights_impact']
    """
    files, _ = find_presets()
    rows = [
        (each.key, each.title, each.section, ", ".join(f"[{r.role}]" if r.optional else r.role for r in each.roles))
        for each in (file.preset for file in files)
    ]
    return pd.DataFrame(rows, columns=["form", "title", "section", "roles"])


@documented()
def fill_form(
    table: object,
    form: str,
    *,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    decision: str | None = None,
    favorable: object = None,
    where: str | None = None,
    base: str | Path | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
    settings: Mapping[str, object] | None = None,
) -> PresetFinding:
    """Fill the form that a rule asks for, as the page Legal forms does.

    Parameters
    ----------
    table : Table, path, or frame of pandas, polars, Arrow or DuckDB
        One row a person.
    form : str
        Its key, see :func:`list_forms`, or the path of an office's own file.
    columns : mapping of str to str or sequence of str, optional
        For each role of the form the column, such as ``{"sex": "gender"}``. Columns of groups that are left out are
        found by their names.
    decision : str, optional
        The decision column; without one, the form is on the score or the pay that `columns` name.
    favorable : value, list of values or Condition, optional
        What counts as the good outcome in it.
    where : str, optional
        Who is looked at.
    base : str or Path, optional
        The folder that the path of an own form is relative to.
    settings : mapping, optional
        Further fields of a form in a plan, such as ``{"references": {"sex": "Male"}, "leave_out_small": True}``.

    Returns
    -------
    PresetFinding
        The filled form.

    Raises
    ------
    InputError
        If a column, value or setting does not fit, or the form needs another column.
    PlanError
        If there is no such form, or a setting breaks its rule.

    Examples
    --------
    >>> hired = [1] * 45 + [0] * 15 + [1] * 20 + [0] * 20
    >>> people = pd.DataFrame({"sex": ["Male"] * 60 + ["Female"] * 40, "hired": hired})
    >>> filled = fill_form(people, "eeoc_uniform_guidelines", decision="hired", favorable=1)
    >>> [(row.name, round(row.impact_ratio, 2)) for row in filled.rates[0].table.rows]
    [('Female', 0.67), ('Male', 1.0)]
    """
    table = as_table(table, counts=counts, labels=labels)
    file = open_preset(form, base=base)
    if file.preset.is_record:
        raise InputError(
            f"The form {quote(file.preset.key)} is filled from the other answers of an audit.",
            hint="Put it into the presets of a plan, and run that.",
        )
    named = with_suggested_columns(
        file.preset,
        {role: (one,) if isinstance(one, str) else tuple(one) for role, one in (columns or {}).items()},
        table,
    )
    numbers = [role.role for role in file.preset.roles if role.kind != "group" and role.role in named]
    if decision is not None:
        asked = outcome_plan(decision, make_outcome(table, decision, favorable).condition)
    elif numbers:
        asked = OutcomePlan(column=named[numbers[0]][0], amount=True)
    else:
        raise InputError(
            f"The form {quote(file.preset.key)} needs 'decision' and 'favorable', or a column of numbers in 'columns'.",
            hint=f"Its roles are {', '.join(role.role for role in file.preset.roles)}.",
        )
    fields: dict[str, Any] = dict(settings or {})
    part = PresetPlan(preset=form, columns=named, where=where, file_digest=file.digest, **fields)
    plan = in_labels(AuditPlan(data=DataPlan(source="table"), decision=asked, presets=(part,)), table)
    return run_preset(table, plan, part, base=base)


def with_suggested_columns(
    preset: Preset, given: Mapping[str, tuple[str, ...]], table: Table
) -> dict[str, tuple[str, ...]]:
    """Return columns by role, with those that the names of columns suggest for groups.

    A score takes the place of the decision, and amounts are many: neither is guessed.
    """
    columns = dict(given)
    kinds = {role.role: role.kind for role in preset.roles}
    for role, column in suggest_columns(preset, table.columns).items():
        if (
            role not in columns
            and kinds[role] == "group"
            and column not in {c for own in columns.values() for c in own}
        ):
            columns[role] = (column,)
    return columns
