"""What stands beside the tables of a form: values that are no decision, and figures that could not be computed."""

from __future__ import annotations

import math

from fairaudit.errors import quote
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.pay import PayTable
from fairaudit.present.not_known_words import joinable, not_known_lead, value_words
from fairaudit.present.numbers import count_text
from fairaudit.presets.findings import PresetFinding
from fairaudit.sections.forms.saying import selected_word

_ROUNDED = 0.02
"""So much less may come from people who lack one of the amounts."""


def undecided_notes(finding: PresetFinding, *, way: str = "fill the form only for those where") -> tuple[str, ...]:
    """Return who is counted although a value says that the group or the decision is not known, or left out for NA."""
    people, selected = finding.preset.words.people, selected_word(finding)
    notes = []
    for part in finding.not_known:
        if part.counted in ("own_group", "left_out"):
            notes.append(_group_note(part, finding, way))
            continue
        n = "Some" if part.n is None else count_text(part.n)
        has, they = ("has", "It is") if part.n == 1 else ("have", "They are")
        good = selected if part.counted == "good" else f"not {selected}"
        notes.append(
            f"{n} of the {people} looked at {has} {value_words(part)} in column {quote(part.column)}, which usually "
            f"means that the decision is not known or not made. {they} counted as {good}. To compare "
            f"only decided cases, {way}: {part.leave_out}."
        )
    return tuple(notes)


def _group_note(part: NotKnown, finding: PresetFinding, way: str) -> str:
    """Return who is a group, or no group, in doubt."""
    if part.counted == "own_group":
        return f"{not_known_lead(part)} They are a group here. To leave them out, {way}: {joinable(part.leave_out)}."
    role = next(role for role, columns in finding.plan.columns.items() if part.column in columns)
    n = "Some" if part.n is None else count_text(part.n)
    values = value_words(part)
    return (
        f"{n} of the {finding.preset.words.people} looked at {'is' if part.n == 1 else 'are'} left out: {values} in "
        f"column {quote(part.column)} is taken for unknown. If it is a group, as NA may be Native American, name it as "
        f"known: {role}={part.values[0]}."
    )


def own_notes(finding: PresetFinding) -> tuple[str, ...]:
    """Return what could not be computed, and for which column of pay its mean is below that of its components together.

    Where a role has several columns, nothing says which of them belong together.
    """
    columns = finding.plan.columns
    means = [each for each in finding.pay if each.table.statistic == "mean" and each.check.among != "receiving"]
    said = []
    for role in (role for role in finding.preset.roles if role.holds):
        if any(len(columns.get(name, ())) > 1 for name in (role.role, *role.holds)):
            continue
        for whole in (each for each in means if each.check.of == role.role):
            parts = [each.table for each in means if each.check.of in role.holds and each.roles == whole.roles]
            if parts and _mean(whole.table) < (1 - _ROUNDED) * sum(map(_mean, parts)):
                named = " and ".join(quote(part.column) for part in parts)
                together = " together" if len(parts) > 1 else ""
                said.append(
                    f"On average {quote(whole.table.column)} is less than {named}{together}. If they are of the same "
                    "period, it does not hold all components: bring a column that does."
                )
    return (*dict.fromkeys(said), *finding.notes)


def _mean(made: PayTable) -> float:
    """Return the mean of all people of a table; NaN where a figure of it is hidden."""
    sides = [side for row in made.rows for side in (row.protected, row.reference) if side.n != 0]
    if any(side.n is None or side.value is None for side in sides) or not sides:
        return math.nan
    return sum(side.n * side.value for side in sides) / sum(side.n for side in sides)


def preset_notes(finding: PresetFinding) -> tuple[str, ...]:
    """Return all sentences that stand beside the tables of a form: :func:`undecided_notes` and :func:`own_notes`."""
    return (*undecided_notes(finding), *own_notes(finding))
