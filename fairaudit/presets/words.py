"""What the form of a rule says, in sentences: the verdict, and how a row is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from fairaudit.defaults import ENOUGH
from fairaudit.errors import sure
from fairaudit.measure.impact import ImpactRow
from fairaudit.measure.significance import rates_differ
from fairaudit.present.brief import capital
from fairaudit.present.chips import Chip
from fairaudit.present.numbers import NO_BREAK, count_text, number_text, share_text
from fairaudit.present.words import listed
from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding
from fairaudit.presets.means_words import HIDDEN_ROW, means_differ, means_verdict, without_number
from fairaudit.presets.pay_words import pay_chip, pay_verdict

MOST_NAMED = 4


def preset_verdict(finding: PresetFinding) -> tuple[str, str]:
    """Return what the form comes to: the answer, to be set strong, and what it rests on."""
    verdicts = [_rates_verdict(finding)] if finding.rates else []
    verdicts += [means_verdict(finding)] if finding.means else []
    verdicts += [pay_verdict(finding)] if finding.pay else []
    answers, rests = zip(*verdicts, strict=True)
    return " ".join(answers), " ".join(rest for rest in rests if rest)


def preset_chip(finding: PresetFinding) -> Chip:
    """Return what the form comes to in a word or two: of its pay, its impact ratios or its means."""
    if finding.pay:
        return pay_chip(finding)
    if not finding.rates:
        return Chip("Means differ", "gap") if means_differ(finding) else Chip("No clear difference", "open")
    compared = [(rates, row) for rates in finding.rates for row in rates.table.rows if _is_compared(row)]
    if not compared:
        return Chip("Not shown", "quiet") if _hides(finding) else Chip("Nothing to compare", "quiet")
    below = [(rates, row) for rates, row in compared if row.below]
    if any(row.significance is None or _is_clear(row) for _, row in below):
        lowest = next(rates for rates, row in below if row.significance is None or _is_clear(row))
        return Chip(f"Below {number_text(lowest.table.threshold)}", "gap")
    if any(row.impact_ratio != 1 and (_is_higher(rates, row) or _is_clear(row)) for rates, row in compared):
        return Chip("Clear gap", "gap")
    limit = number_text((below or compared)[0][0].table.threshold)
    return Chip(f"Below {limit}, may be chance", "open") if below else Chip(f"None below {limit}", "alike")


def rate_word(finding: PresetFinding) -> str:
    """Return what the rule calls the rate of this form."""
    words = finding.preset.words
    return words.scoring_rate if finding.rate == "scoring" else words.rate


def selected_word(finding: PresetFinding) -> str:
    """Return what happened to the people whom the rate counts."""
    return "above the median" if finding.rate == "scoring" else finding.preset.words.selected


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
    elif _is_higher(rates, row):
        reading = f"higher than that compared with{_chance(row)}"
    else:
        reading = f"below {limit}{_chance(row)}" if row.below else f"not below {limit}"
        if not row.below and row.impact_ratio < 1 and _is_clear(row):
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


def _rates_verdict(finding: PresetFinding) -> tuple[str, str]:
    words = finding.preset.words
    answers, rests = [], []
    parts = _parts(finding)
    for title, tables in parts:
        compared = [(rates, row) for rates in tables for row in rates.table.rows if _is_compared(row)]
        if compared:
            answer = _answer(finding, compared)
            answers.append(f"{title}: {_uncapital(answer)}" if title else answer)
            rest = _rest(finding, tables, compared)
            rests.append(f"{title}: {_uncapital(rest)}" if title and rest else rest)
    nobody = _nobody_compared_with(finding)
    if not answers and not nobody:
        answers.append(_no_ratio(finding))
    answers += nobody
    if finding.left_out:
        answers.append(f"Left out of the {words.ratio}s, because they are small: {_named(finding.left_out)}.")
    return " ".join(answers), " ".join(rest for rest in rests if rest)


def _parts(finding: PresetFinding) -> list[tuple[str, list[RatesFinding]]]:
    """Return the tables that share a sentence, with what sets them apart: their limit, or that they cross."""
    parts: dict[tuple[bool, float], list[RatesFinding]] = {}
    for rates in sorted(finding.rates, key=lambda rates: len(rates.roles) > 1):
        parts.setdefault((len(rates.roles) > 1, rates.table.threshold), []).append(rates)
    if len(parts) == 1:
        return [("", tables) for tables in parts.values()]
    return [
        (capital(f"by {' or '.join(by_words(finding, rates) for rates in tables)}"), tables)
        for tables in parts.values()
    ]


def _answer(finding: PresetFinding, compared: Sequence[tuple[RatesFinding, ImpactRow]]) -> str:
    words, limit = finding.preset.words, number_text(compared[0][0].table.threshold)
    tested = any(row.significance is not None for _, row in compared)
    clear = [row.name for _, row in compared if row.below and _is_clear(row)]
    below = [row.name for _, row in compared if row.below and not _is_clear(row)]
    lower = [row.name for _, row in compared if not row.below and row.impact_ratio < 1 and _is_clear(row)]
    higher = _higher(finding, compared)
    sentences = []
    if clear:
        sentences.append(f"The {words.ratio} is below {limit}, by more than chance, for {_named(clear)}.")
    if below:
        more = ", but chance may explain it," if tested else ""
        sentences.append(f"The {words.ratio} is below {limit}{more} for {_named(below)}.")
    if lower:
        sentences.append(f"Not below {limit}, but lower by more than chance: {_named(lower)}.")
    if not sentences and not higher:
        also = f", and no {rate_word(finding)} is lower by more than chance" if tested else ""
        shown = " that is shown" if _hides(finding) else ""
        sentences.append(f"No {words.ratio}{shown} is below {limit}{also}.")
    return " ".join([*sentences, *higher])


def _higher(finding: PresetFinding, compared: Sequence[tuple[RatesFinding, ImpactRow]]) -> list[str]:
    """Return for each table whose comparison group is at a disadvantage a sentence that says so."""
    most: dict[tuple[str, ...], tuple[RatesFinding, ImpactRow]] = {}
    for rates, row in compared:
        known = most.get(rates.roles)
        if _is_higher(rates, row) and (known is None or row.impact_ratio > known[1].impact_ratio):
            most[rates.roles] = (rates, row)
    return [
        f"The comparison {finding.preset.words.category} {rates.table.reference} has a lower rate than {row.name}: "
        f"{row.name} is {selected_word(finding)} {number_text(row.impact_ratio)} times as often{_by_chance(row)}. "
        f"{_choose(finding, rates, row)}"
        for rates, row in most.values()
    ]


def _choose(finding: PresetFinding, rates: RatesFinding, row: ImpactRow) -> str:
    category = finding.preset.words.category
    return f"Choose {row.name} as comparison {category} to see the ratio of {rates.table.reference}."


def _nobody_compared_with(finding: PresetFinding) -> list[str]:
    """Return a sentence for each table that has no ratio, because of its comparison group nobody is selected."""
    words, sentences = finding.preset.words, []
    for rates in finding.rates:
        base = next((row for row in rates.table.rows if row.is_reference), None)
        others = [row for row in rates.table.rows if row.group.positives and not row.left_out]
        if base is None or base.group.positives != 0 or not others:
            continue
        best = max(others, key=lambda row: row.group.ratio)
        sentences.append(
            f"There is no {words.ratio} by {by_words(finding, rates)} to show: nobody of the comparison "
            f"{words.category} {base.name} is {selected_word(finding)}, against {share_text(best.group.ratio)} of "
            f"{best.name}, so that {base.name} is at a disadvantage. {_choose(finding, rates, best)}"
        )
    return sentences


def _rest(
    finding: PresetFinding, tables: Sequence[RatesFinding], compared: Sequence[tuple[RatesFinding, ImpactRow]]
) -> str:
    lower = [(rates, row) for rates, row in compared if not _is_higher(rates, row)]
    small = [sentence for rates in tables for sentence in _small_reference(finding, rates)]
    return " ".join([*([_lowest(finding, lower)] if lower else []), *_turned(compared), *small])


def _no_ratio(finding: PresetFinding) -> str:
    words = finding.preset.words
    if _hides(finding) and any(row.group.ratio is None for rates in finding.rates for row in rates.table.rows):
        return f"The {words.ratio}s cannot be shown, because small counts could be worked out from them."
    if not any(row.group.positives for rates in finding.rates for row in rates.table.rows):
        return f"There is no {words.ratio} to show: nobody is {selected_word(finding)}."
    if _hides(finding):
        return f"The {words.ratio}s cannot be shown, because small counts could be worked out from them."
    return f"There is no {words.ratio} to show: no second {words.category} can be compared."


def _lowest(finding: PresetFinding, compared: Sequence[tuple[RatesFinding, ImpactRow]]) -> str:
    words = finding.preset.words
    rates, row = min(compared, key=lambda pair: pair[1].impact_ratio)
    shown = " that is shown" if _hides(finding) else ""
    base = next((each for each in rates.table.rows if each.is_reference), None)
    against = "" if base is None else f" against {share_text(base.group.ratio)} of {base.name}"
    lowest = number_text(row.impact_ratio, digits=3)
    return (
        f"The lowest{shown} is {lowest}, for {row.name}: {share_text(row.group.ratio)} of "
        f"{count_text(row.group.n)} {words.people} {selected_word(finding)},{against}."
    ).replace(",.", ".")


def _small_reference(finding: PresetFinding, rates: RatesFinding) -> list[str]:
    """Return a caution where the highest rate is that of a small group, or nothing.

    The others are then also compared with the highest rate among the groups that are not small: else the finding would
    hang on a few people.
    """
    rows, words = rates.table.rows, finding.preset.words
    base = next((row for row in rows if row.is_reference), None)
    if base is None or not _is_small(base) or rates.check.reference != "highest":
        return []
    if rates.check.significance and not any(map(_is_clear, rows)):
        hangs = ", so that a difference to it is seldom more than chance"
    else:
        hangs = f"; every {words.ratio} by {by_words(finding, rates)} hangs on them"
    sentence = f"The highest rate is that of {base.name}, only {count_text(base.group.n)} {words.people}{hangs}."
    large = [row for row in rows if not _is_small(row) and not row.left_out]
    if len(large) < 2 or any(row.group.ratio is None or row.small is None for row in rows):
        return [sentence]
    highest = max(large, key=lambda row: (row.group.ratio, row.group.n))
    lowest = min(large, key=lambda row: row.group.ratio)
    if not highest.group.positives or lowest.group.ratio == highest.group.ratio:
        return [sentence]
    without = base.name if sum(map(_is_small, rows)) == 1 else "the small groups"
    return [f"{sentence} Without {without}, the highest is {highest.name}: {_at(rates, lowest, highest)}."]


def _at(rates: RatesFinding, row: ImpactRow, highest: ImpactRow) -> str:
    """Return the ratio of a group to another one that is not the reference of its table."""
    pair = [(each.group.positives, each.group.n) for each in (row, highest)]
    ratio = Fraction(*pair[0]) / Fraction(*pair[1])
    limit = Fraction(str(rates.table.threshold))
    below = f", below {number_text(rates.table.threshold)}" if ratio < limit else ""
    chance = ""
    if rates.check.significance:
        test = rates_differ(*pair[0], *pair[1], deviations=rates.check.deviations, level=rates.check.level)
        chance = ", more than chance" if test.significant else ", chance may explain it"
    return f"{row.name} is at {number_text(float(ratio), digits=3)}{below}{chance}"


def _is_small(row: ImpactRow) -> bool:
    """Say whether a group is shown to be small: under the share that the rule names, or of few people anyhow."""
    return bool(row.small) or (row.group.n is not None and row.group.n < ENOUGH)


def _hides(finding: PresetFinding) -> bool:
    return any(row.group.ratio is None or row.impact_ratio is None for t in finding.rates for row in t.table.rows)


def _turned(compared: Iterable[tuple[RatesFinding, ImpactRow]]) -> list[str]:
    moved = [(rates, row) for rates, row in compared if row.one_person is not None]
    crossed = [row.name for _, row in moved if sure(row.one_person).flips]
    reversed_ = [row.name for _, row in moved if sure(row.one_person).reverses]
    sentences = []
    if crossed:
        limit = number_text(moved[0][0].table.threshold)
        sentences.append(f"One person more or fewer would cross {limit} for {_named(crossed)}.")
    if reversed_:
        sentences.append(f"One different person would give the higher rate to {_named(reversed_)}.")
    return sentences


def _is_compared(row: ImpactRow) -> bool:
    return row.below is not None and not row.is_reference


def _is_clear(row: ImpactRow) -> bool:
    return row.significance is not None and bool(row.significance.significant)


def _is_higher(rates: RatesFinding, row: ImpactRow) -> bool:
    """Say whether the comparison group is at a disadvantage: so far below this group that the rule would mark it."""
    higher = row.impact_ratio > 1 / rates.table.threshold or (row.impact_ratio > 1 and _is_clear(row))
    return rates.check.reference == "largest" and higher


def _chance(row: ImpactRow) -> str:
    if row.significance is None or row.significance.significant is None:
        return ""
    return ", more than chance" if row.significance.significant else ", chance may explain it"


def _by_chance(row: ImpactRow) -> str:
    """Return the words on chance for use within a sentence."""
    text = _chance(row)
    return text.replace(", ", ", by " if _is_clear(row) else ", but ")


def _reason(finding: PresetFinding) -> str:
    """Return why small groups are left out: only what the auditor says."""
    if finding.plan.reason:
        return f" Reason: {finding.plan.reason.rstrip('.')}."
    return " Reason: not given, though the rule asks for it." if finding.preset.publishes else ""


def _named(names: Sequence[str]) -> str:
    shown = list(dict.fromkeys(names))
    if len(shown) > MOST_NAMED + 1:
        shown = [*shown[:MOST_NAMED], f"{len(shown) - MOST_NAMED} more"]
    if all("," not in name for name in shown):
        return listed(shown)
    return "; ".join(shown)


def _uncapital(text: str) -> str:
    return text[:1].lower() + text[1:]
