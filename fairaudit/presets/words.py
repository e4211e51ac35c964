"""What stands in the tables of a form: how a row is read, and who is counted."""

from __future__ import annotations

from fairaudit.errors import sure
from fairaudit.measure.impact import ImpactRow
from fairaudit.present.numbers import NO_BREAK, count_text, number_text
from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding
from fairaudit.presets.means_words import HIDDEN_ROW, without_number
from fairaudit.sections.forms.reading import is_clear, is_higher


def rate_word(finding: PresetFinding) -> str:
    """Return what the rule calls the rate of this form."""
    words = finding.preset.words
    return words.scoring_rate if finding.rate == "scoring" else words.rate


def by_words(finding: PresetFinding, part: RatesFinding | MeansFinding) -> str:
    """Return what makes the groups of a table: the labels of its roles."""
    labels = [finding.preset.role(role).label for role in part.roles]
    return " and ".join(label[:1].lower() + label[1:] for label in labels)


def row_reading(rates: RatesFinding, row: ImpactRow) -> str:
    """Return in words how a row of rates is read."""
    limit = number_text(rates.table.threshold)
    share = share_words(rates.check.smallest_share)
    if row.group.ratio is None or row.impact_ratio is None:
        reading = HIDDEN_ROW
    elif row.is_reference:
        reading = "highest rate" if rates.check.reference == "highest" else "compared with"
    elif row.left_out:
        return f"left out: under {share} of the data"
    elif row.below is None:
        reading = "no ratio: nobody of the reference was selected"
    elif is_higher(rates, row):
        reading = f"higher than that compared with{_chance(row)}"
    else:
        reading = f"below {limit}{_chance(row)}" if row.below else f"not below {limit}"
        if not row.below and row.impact_ratio < 1 and is_clear(row):
            reading += ", yet lower by more than chance"
    if row.one_person is not None and sure(row.one_person).flips:
        reading += f"; one person more or fewer crosses {limit}"
    if row.one_person is not None and sure(row.one_person).reverses:
        reading += "; one different person gives it the higher rate"
    return f"{reading}; under {share} of the data" if row.small else reading


def table_note(finding: PresetFinding, part: RatesFinding | MeansFinding) -> str:
    """Return the note below a table: who is in it and who is not."""
    people = finding.preset.words.people
    if isinstance(part, MeansFinding):
        return _who_is_counted(f"{people} with a number", part, without_number(finding, part))
    sentences = [_who_is_counted(people, part)]
    share = share_words(part.check.smallest_share)
    if any(row.small for row in part.table.rows):
        sentences.append(
            f"{share} of the data is {share} of the {people} in this table: those with all its values known."
        )
    if any(row.left_out for row in part.table.rows):
        sentences.append(
            f"Each {finding.preset.words.category} with less is left out of the {finding.preset.words.ratio}s; its "
            f"number and {rate_word(finding)} are shown.{_reason(finding)}"
        )
    if any(row.group.ratio is None or row.impact_ratio is None for row in part.table.rows):
        sentences.append("Not shown: small counts, and what would give them away.")
    return " ".join(sentences)


def _who_is_counted(people: str, part: RatesFinding | MeansFinding, lacking: int | None = 0) -> str:
    counts = count_text(part.table.n), count_text(part.unknown), count_text(lacking)
    if None in (part.table.n, part.unknown, lacking):
        more = "" if lacking == 0 else f"; without a number: {counts[2]}"
        people = people[0].upper() + people[1:]
        return f"{people} in this table: {counts[0]}; left out because a value is unknown: {counts[1]}{more}."
    more = f", {counts[2]} without a number" if lacking else ""
    return f"{counts[0]} {people} in this table; {counts[1]} left out because a value is unknown{more}."


def share_words(share: float) -> str:
    """Return a share in percent without needless decimals."""
    return f"{share * 100:g}{NO_BREAK}%"


def _chance(row: ImpactRow) -> str:
    if row.significance is None or row.significance.significant is None:
        return ""
    return ", more than chance" if row.significance.significant else ", chance may explain it"


def _reason(finding: PresetFinding) -> str:
    """Return why small groups are left out: only what the auditor says."""
    if finding.plan.reason:
        return f" Reason: {finding.plan.reason.rstrip('.')}."
    return " Reason: not given, though the rule asks for it." if finding.preset.publishes else ""
