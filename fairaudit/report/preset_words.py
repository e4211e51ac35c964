"""What the form of a rule says, in sentences: the verdict, how a row is read, how it was computed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from fairaudit.measure.impact import ImpactRow
from fairaudit.measure.standardized import MeanRow
from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding
from fairaudit.report.numbers import NO_BREAK, count_text, number_text, share_text
from fairaudit.report.words import listed

MOST_NAMED = 4
HIDDEN_ROW = "not shown"


def preset_verdict(finding: PresetFinding) -> tuple[str, str]:
    """Return what the form comes to: the answer, to be set strong, and what it rests on.

    Parameters
    ----------
    finding : PresetFinding
        A filled form, masked or not.

    Returns
    -------
    tuple of str
        The second may be empty.
    """
    told = [_rates_verdict(finding)] if finding.rates else []
    told += [_means_verdict(finding)] if finding.means else []
    answers, rests = zip(*told, strict=True)
    return " ".join(answers), " ".join(rest for rest in rests if rest)


def rate_word(finding: PresetFinding) -> str:
    """Return what the rule calls the rate of this form."""
    words = finding.preset.words
    return words.scoring_rate if finding.rate == "scoring" else words.rate


def selected_word(finding: PresetFinding) -> str:
    """Return what happened to the people whom the rate counts."""
    return "above the median" if finding.rate == "scoring" else finding.preset.words.selected


def by_words(finding: PresetFinding, told: RatesFinding | MeansFinding) -> str:
    """Return what makes the groups of a table: the labels of its roles."""
    labels = [finding.preset.role(role).label for role in told.roles]
    return " and ".join(label[:1].lower() + label[1:] for label in labels)


def row_reading(told: RatesFinding, row: ImpactRow) -> str:
    """Return in words how a row of rates is read."""
    limit = _ratio(told.table.threshold)
    if row.group.ratio is None or row.impact_ratio is None:
        reading = HIDDEN_ROW
    elif row.is_reference:
        reading = "highest rate" if told.check.reference == "highest" else "compared with"
    elif row.left_out:
        return f"left out: under {share_words(told.check.smallest_share)} of the data"
    elif row.below is None:
        reading = "no ratio: nobody of the reference was selected"
    else:
        reading = f"below {limit}" if row.below else f"not below {limit}"
        test = row.significance
        if test is not None and test.significant is not None:
            if row.below:
                reading += ", more than chance" if test.significant else ", chance may explain it"
            elif test.significant and row.impact_ratio < 1:
                reading += ", yet more than chance"
    if row.one_person is not None and (row.one_person.flips or row.one_person.reverses):
        reading += "; one person turns it round"
    return f"{reading}; under {share_words(told.check.smallest_share)} of the data" if row.small else reading


def mean_reading(row: MeanRow) -> str:
    """Return in words how a row of means is read."""
    if row.mean is None or row.standardized is None:
        return HIDDEN_ROW
    if row.is_reference:
        return "compared with"
    if row.size is None:
        return "not defined"
    told = (
        "" if math.isnan(row.p_value) else (", more than chance" if row.p_value < 0.05 else ", chance may explain it")
    )
    return f"{row.size}{told}"


def table_note(finding: PresetFinding, told: RatesFinding | MeansFinding) -> str:
    """Return what is to be said below a table: who is in it and who is not."""
    people = finding.preset.words.people
    n, unknown = count_text(told.table.n), count_text(told.unknown)
    sentences = [f"{n} {people} in this table; {unknown} left out because a value is unknown."]
    if isinstance(told, MeansFinding):
        sentences[0] = f"{n} {people} with a number in this table; {unknown} left out because a value is unknown."
        return " ".join(sentences)
    if any(row.left_out for row in told.table.rows):
        reason = finding.plan.reason or "so few people say little about a rate"
        share = share_words(told.check.smallest_share)
        category = finding.preset.words.category
        sentences.append(
            f"Each {category} with less than {share} of these is left out of the {finding.preset.words.ratio}s; its "
            f"number and {rate_word(finding)} are shown. Reason: {reason}."
        )
    if any(row.group.ratio is None or row.impact_ratio is None for row in told.table.rows):
        sentences.append("Not shown: small counts, and what would give them away.")
    return " ".join(sentences)


def how_computed(finding: PresetFinding) -> tuple[str, ...]:
    """Return how the figures of a form are made, one sentence each."""
    words, sentences = finding.preset.words, []
    if finding.rates:
        told = f"{words.selected} {words.people} divided by all {words.people} of the {words.category}"
        if finding.rate == "scoring":
            told = (
                f"{words.people} with a score above the median of all scores ({_median(finding)}), divided by all "
                f"{words.people} of the {words.category}; a score at the median is not above it"
            )
        sentences.append(f"{_capital(rate_word(finding))}: {told}.")
        references = {told.check.reference for told in finding.rates}
        against = {
            "highest": f"the highest {rate_word(finding)} in the table",
            "largest": f"that of the {words.category} with the most {words.people}, or of the one that was named",
        }
        listed_words = " or ".join(against[reference] for reference in sorted(references))
        sentences.append(f"{_capital(words.ratio)}: the {rate_word(finding)} divided by {listed_words}.")
        if any(told.check.significance for told in finding.rates):
            check = next(told.check for told in finding.rates if told.check.significance)
            sentences.append(
                f"More than chance: the difference of two rates is larger than {check.deviations:g} standard "
                "deviations (Z with the pooled variance). Where an expected count of the two-by-two table is below 5, "
                f"Fisher's exact test is used instead, with p below {check.level:g}. The table says which was used; "
                "no allowance is made for having asked about several groups."
            )
        if any(told.check.one_person for told in finding.rates):
            sentences.append(
                f"One person turns it round: with one more or one fewer person of the {words.category} "
                f"{words.selected}, the {words.ratio} would be on the other side of the threshold; or with one of them "
                f"{words.selected} instead of one of the reference, their {rate_word(finding)} would be the higher one."
            )
        if finding.preset.unknown == "any":
            sentences.append(
                f"{_capital(words.people)} with an unknown value in any of the columns are in none of the tables."
            )
    if finding.means:
        sentences.append(
            "Standardised mean difference: the mean of the group minus that of the reference, divided by the standard "
            "deviation of all people of the table together. Its size is told in Cohen's words: negligible below 0.2, "
            "small below 0.5, medium below 0.8, else large; these are no legal limits. More than chance: p below 0.05 "
            "by Welch's t test."
        )
    return tuple(sentences)


def share_words(share: float) -> str:
    """Return a share in percent without needless decimals."""
    return f"{share * 100:g}{NO_BREAK}%"


def _rates_verdict(finding: PresetFinding) -> tuple[str, str]:
    words = finding.preset.words
    compared = [
        (told, row)
        for told in finding.rates
        for row in told.table.rows
        if row.below is not None and not row.is_reference
    ]
    hidden = _hides(finding)
    if not compared:
        if hidden:
            return f"The {words.ratio}s cannot be shown, because small counts could be worked out from them.", ""
        return f"There is no {words.ratio} to tell: no second {words.category} can be compared.", ""
    limit = _ratio(min(told.table.threshold for told, _ in compared))
    tested = [row.significance for _, row in compared if row.significance is not None]
    groups = {"clear": [], "below": [], "lower": []}
    for _, row in compared:
        test = row.significance
        if row.below:
            groups["clear" if test is not None and test.significant else "below"].append(row.name)
        elif test is not None and test.significant and row.impact_ratio < 1:
            groups["lower"].append(row.name)
    sentences = []
    if groups["clear"]:
        sentences.append(f"The {words.ratio} is below {limit}, by more than chance, for {_named(groups['clear'])}.")
    if groups["below"]:
        more = ", but chance may explain it," if tested else ""
        sentences.append(f"The {words.ratio} is below {limit}{more} for {_named(groups['below'])}.")
    if groups["lower"]:
        sentences.append(f"Not below {limit}, but lower by more than chance: {_named(groups['lower'])}.")
    if not sentences:
        also = f", and no {rate_word(finding)} is lower by more than chance" if tested else ""
        shown = " that is shown" if hidden else ""
        sentences.append(f"No {words.ratio}{shown} is below {limit}{also}.")
    return " ".join(sentences), f"{_lowest(finding, compared)}{_turned(compared)}"


def _lowest(finding: PresetFinding, compared: Sequence[tuple[RatesFinding, ImpactRow]]) -> str:
    words = finding.preset.words
    told, row = min(compared, key=lambda pair: pair[1].impact_ratio)
    shown = " that is shown" if _hides(finding) else ""
    base = next((each for each in told.table.rows if each.is_reference), None)
    against = "" if base is None else f" against {share_text(base.group.ratio)} of {base.name}"
    lowest = number_text(row.impact_ratio, digits=3)
    return (
        f"The lowest{shown} is {lowest}, for {row.name}: {share_text(row.group.ratio)} of "
        f"{count_text(row.group.n)} {words.people} {selected_word(finding)},{against}."
    ).replace(",.", ".")


def _hides(finding: PresetFinding) -> bool:
    return any(row.group.ratio is None or row.impact_ratio is None for t in finding.rates for row in t.table.rows)


def _turned(compared: Iterable[tuple[RatesFinding, ImpactRow]]) -> str:
    moved = [(row.name, row.one_person) for _, row in compared if row.one_person is not None]
    names = [name for name, one in moved if one.flips or one.reverses]
    return f" One person more or fewer would turn the answer round for {_named(names)}." if names else ""


def _means_verdict(finding: PresetFinding) -> tuple[str, str]:
    largest: dict[str, tuple[MeansFinding, MeanRow]] = {}
    for told in finding.means:
        for row in told.table.rows:
            if row.is_reference or row.standardized is None or not math.isfinite(row.standardized):
                continue
            known = largest.get(told.table.column)
            if known is None or abs(row.standardized) > abs(known[1].standardized):
                largest[told.table.column] = (told, row)
    if not largest:
        return "No standardised mean difference can be told.", ""
    parts = [
        f"{column} {number_text(row.standardized)} ({row.size}; {row.name} against {told.table.reference})"
        for column, (told, row) in largest.items()
    ]
    return f"The largest standardised mean difference{'s' * (len(parts) > 1)}: {'; '.join(parts)}.", ""


def _named(names: Sequence[str]) -> str:
    shown = list(dict.fromkeys(names))
    if len(shown) > MOST_NAMED + 1:
        shown = [*shown[:MOST_NAMED], f"{len(shown) - MOST_NAMED} more"]
    if all("," not in name for name in shown):
        return listed(shown)
    return "; ".join(shown)


def _ratio(value: float) -> str:
    return number_text(value)


def _median(finding: PresetFinding) -> str:
    return number_text(finding.median, digits=2)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
