"""What the form of a rule says of means: the verdict, and how a row is read."""

from __future__ import annotations

import math

from fairaudit.measure.standardized import MeanRow
from fairaudit.present.numbers import number_text
from fairaudit.present.words import listed
from fairaudit.presets.findings import MeansFinding, PresetFinding

HIDDEN_ROW = "not shown"

CHANCE = 0.05
"""Below which p-value of Welch's test a difference of means is more than chance."""

ALIKE = 1e-9
"""A standardised difference under it is none: equal means of floating-point numbers may differ by less."""


def mean_reading(row: MeanRow) -> str:
    """Return in words how a row of means is read."""
    if row.mean is None or row.standardized is None:
        return HIDDEN_ROW
    if row.is_reference:
        return "compared with"
    if row.size is None:
        return "not defined"
    if abs(row.standardized) < ALIKE:
        return "alike"
    if math.isnan(row.p_value):
        return f"{_direction(row)}, {row.size}"
    return f"{_direction(row)}, {row.size}, {'more than chance' if row.p_value < CHANCE else 'chance may explain it'}"


def means_verdict(finding: PresetFinding) -> tuple[str, str]:
    """Return what the tables of means come to: the answer, and what it rests on."""
    largest: dict[str, tuple[MeansFinding, MeanRow]] = {}
    for means in finding.means:
        for row in means.table.rows:
            if row.is_reference or row.standardized is None or not math.isfinite(row.standardized):
                continue
            known = largest.get(means.table.column)
            if known is None or abs(row.standardized) > abs(known[1].standardized):
                largest[means.table.column] = (means, row)
    if not largest:
        return "No standardised mean difference can be stated.", ""
    parts = [
        f"{column} {_direction(row)} by {_amount(row)} ({row.size}; {row.name} against {means.table.reference})"
        for column, (means, row) in largest.items()
        if abs(row.standardized) >= ALIKE
    ]
    alike = [column for column, (_, row) in largest.items() if abs(row.standardized) < ALIKE]
    sentences = []
    if parts:
        sentences.append(f"The largest standardised mean difference{'s' * (len(parts) > 1)}: {'; '.join(parts)}.")
    if alike:
        hidden = any(_hides(means) for means in finding.means if means.table.column in alike)
        shown = ", as far as they are shown" if hidden else ""
        sentences.append(f"The means of {listed(alike)} are alike{shown}.")
    sentences += [sentence for means in finding.means for sentence in _at_a_disadvantage(finding, means)]
    return " ".join(sentences), " ".join(_not_judged(finding))


def means_differ(finding: PresetFinding) -> bool:
    """Say whether a group is shown to differ in a mean from the one that it is compared with by more than chance."""
    return any(_is_clear(row) for means in finding.means for row in means.table.rows)


def without_number(finding: PresetFinding, means: MeansFinding) -> int | None:
    """Return how many of the people looked at have no number, whatever their group; None where that is hidden."""
    if None in (finding.n_population, means.table.n, means.unknown):
        return None
    return finding.n_population - means.table.n - means.unknown


def _at_a_disadvantage(finding: PresetFinding, means: MeansFinding) -> list[str]:
    """Return a sentence where a group does clearly better than the one that the table compares with."""
    better = means.higher_is_favorable
    clear = [row for row in means.table.rows if _is_clear(row) and (row.standardized > 0) is better]
    if better is None or not clear:
        return []
    best = max(clear, key=lambda row: abs(row.standardized))
    category, base = finding.preset.words.category, means.table.reference
    return [
        f"The comparison {category} {base} has a {_opposite(best)} mean of {means.table.column} than {best.name}, by "
        f"more than chance, and {'more' if better else 'less'} is better. Choose {best.name} as comparison {category} "
        f"to see the difference of {base}."
    ]


def _not_judged(finding: PresetFinding) -> list[str]:
    """Return a sentence for each largest group that others clearly differ from where nobody says what is better.

    A comparison group that the plan names is somebody's choice, and all differences to it stand in the tables.
    """
    # Who is the largest hangs on who has a number, so that two columns may compare with different groups.
    apart: dict[tuple[tuple[str, ...], str | None], dict[tuple[str, str], list[str]]] = {}
    for means in finding.means:
        if means.higher_is_favorable is None and not all(role in finding.plan.references for role in means.roles):
            clear = [row for row in means.table.rows if _is_clear(row)]
            for sign in (1, -1):
                side = [row for row in clear if sign * row.standardized > 0]
                if side:
                    most = max(side, key=lambda row: abs(row.standardized))
                    ends = apart.setdefault((means.roles, means.table.reference), {})
                    ends.setdefault((_opposite(most), most.name), []).append(means.table.column)
    category = finding.preset.words.category
    sentences = []
    for (_, base), ends in apart.items():
        differs = [f"a {side} mean of {listed(columns)} than {name}" for (side, name), columns in ends.items()]
        sentences.append(
            f"The comparison {category} {base} is the largest one. By more than chance, it has "
            f"{listed(differs)}: where that is worse for people, choose the other {category} as comparison {category}."
        )
    return sentences


def _is_clear(row: MeanRow) -> bool:
    """Say whether a group is shown to differ from the one it is compared with by more than chance."""
    if row.is_reference or row.standardized is None or not math.isfinite(row.standardized):
        return False
    return abs(row.standardized) >= ALIKE and row.p_value < CHANCE


def _opposite(row: MeanRow) -> str:
    return "lower" if row.standardized > 0 else "higher"


def _hides(means: MeansFinding) -> bool:
    return any(row.mean is None for row in means.table.rows)


def _direction(row: MeanRow) -> str:
    return "higher" if row.standardized > 0 else "lower"


def _amount(row: MeanRow) -> str:
    return "less than 0.01" if abs(row.standardized) < 0.005 else number_text(abs(row.standardized))
