"""What stands beside the tables of a form: values that are no decision, and figures that could not be computed."""

from __future__ import annotations

from fairaudit.errors import quote
from fairaudit.present.not_known_words import value_words
from fairaudit.present.numbers import count_text
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.words import selected_word


def undecided_notes(finding: PresetFinding, *, way: str = "fill the form only for those where") -> tuple[str, ...]:
    """Return who is counted as selected or not although their value says that there is no decision."""
    people, selected = finding.preset.words.people, selected_word(finding)
    notes = []
    for part in finding.not_known:
        n = "Some" if part.n is None else count_text(part.n)
        has, they = ("has", "it is") if part.n == 1 else ("have", "they are")
        good = selected if part.counted == "good" else f"not {selected}"
        notes.append(
            f"{n} of the {people} looked at {has} {value_words(part)} in column {quote(part.column)}, which usually "
            f"means that the decision is not known or not made. All the same {they} counted as {good}. To compare "
            f"only decided cases, {way}: {part.leave_out}."
        )
    return tuple(notes)


def preset_notes(finding: PresetFinding) -> tuple[str, ...]:
    """Return all sentences that stand beside the tables of a form: :func:`undecided_notes` and its own notes."""
    return (*undecided_notes(finding), *finding.notes)
