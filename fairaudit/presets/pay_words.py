"""What the form of a rule says of pay: its answer in a sentence, who is compared, and how a category is marked."""

from __future__ import annotations

import math

from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.errors import quote
from fairaudit.measure.pay import NEAR, PayRow, PayTable
from fairaudit.present.brief import capital, percent
from fairaudit.present.numbers import amount_digits, are_known, count_text, number_text, points_text, share_text
from fairaudit.present.words import listed
from fairaudit.presets.findings import PayFinding, PresetFinding
from fairaudit.sections.forms.reading import due_day, is_marked, is_open, marking_limit

HIDDEN_ROW = "not shown"
MOST_NAMED = 8
FIGURES = {"mean": "mean", "median": "median", "receiving": "share who receive", "quarter": "quarters of"}


def pay_title(pay: PayFinding) -> str:
    """Return what a table of pay is called: where the rule asks for it, and the figure."""
    figure = f"{pay_figure(pay)}{', among those who receive it' if _is_among(pay) else ''}"
    by = f" by {pay.table.columns[1]}" if len(pay.roles) > 1 else ""
    return f"{pay.check.article}: {figure}{by}" if pay.check.article else f"{capital(figure)}{by}"


def pay_figure(pay: PayFinding) -> str:
    """Return the figure of a table of pay in words."""
    return f"{FIGURES[pay.table.statistic]} {pay.table.column}"


def pay_sentence(finding: PresetFinding, pay: PayFinding) -> str:
    """Return what a table of pay comes to."""
    if pay.table.statistic == "quarter":
        return _quarters(finding, pay)
    if len(pay.roles) > 1:
        return _categories(finding, pay)
    if not pay.table.rows:
        return f"Nobody has a number for the {pay_figure(pay)}."
    sentence = _all(finding, pay, pay.table.rows[0])
    return f"Among those who receive it: {sentence[:1].lower()}{sentence[1:]}" if _is_among(pay) else sentence


def pay_reading(finding: PresetFinding, pay: PayFinding, row: PayRow) -> str:
    """Return in words how a row of a gap in pay is read, or how its category is marked."""
    words = finding.preset.words
    if row.gap is None:
        return HIDDEN_ROW
    if not row.protected.n or not row.reference.n:
        return f"no gap: only {words.compared_with if row.reference.n else words.compared}"
    if math.isnan(row.gap):
        return f"no gap: {words.compared_with} have nothing, so there is nothing to divide by"
    if pay.check.mark_from is None:
        return _direction(finding, row.gap)
    limit = share_text(pay.check.mark_from, digits=0)
    if not is_marked(pay, row):
        return f"under {limit}"
    reason, day = finding.plan.justified.get(row.name), finding.plan.remedied.get(row.name)
    due = due_day(pay, finding.plan.reported)
    reading = f"{limit} or more"
    if reason is not None:
        return f"{reading}; justified, it is said: {reason}"
    if day is not None:
        late = due is not None and day > due
        return f"{reading}; remedied on {day}{f', later than {due}: {words.marked}' if late else ', it is said'}"
    until = "" if due is None else f", unless remedied by {due}"
    return f"{reading}; no reason given, not remedied: {words.marked}{until}"


def compared_words(finding: PresetFinding) -> tuple[str, ...]:
    """Return who is compared in the tables of pay, who is not, and how many these are."""
    words, sentences = finding.preset.words, []
    for sides in finding.sides:
        named = [
            f"{count_text(n)} {called} ({', '.join(map(quote, values))})"
            if n is not None
            else f"{called} ({', '.join(map(quote, values))}; number not shown)"
            for n, called, values in (
                (sides.n_protected, words.compared, sides.protected),
                (sides.n_reference, words.compared_with, sides.reference),
            )
        ]
        sentences.append(f"Compared by column {quote(sides.column)}: {' with '.join(named)}.")
        if sides.others:
            shown = sides.others[:MOST_NAMED]
            more = f" and {len(sides.others) - MOST_NAMED} more values" if len(sides.others) > MOST_NAMED else ""
            sentences.append(
                f"Not compared, and in no figure of pay: {', '.join(map(quote, shown))}{more} "
                f"({count_text(sides.n_others)} {words.people})."
            )
        if sides.n_unknown is None or sides.n_unknown:
            sentences.append(f"With an unknown value: {count_text(sides.n_unknown)}.")
    return tuple(sentences)


def pay_note(finding: PresetFinding, pay: PayFinding) -> str:
    """Return the note below a table of pay: who is in it and who is not."""
    people, table = finding.preset.words.people, pay.table
    sentences = [
        f"{capital(people)} in this table: {count_text(table.n)}; without a number: {count_text(table.missing)}."
    ]
    if len(pay.roles) > 1:
        sentences.append(f"Left out because the {finding.preset.words.category} is unknown: {count_text(pay.unknown)}.")
    if pay.rounded:
        sentences.append(
            "Medians are rounded because small counts are hidden, and the gap is that of the rounded ones."
        )
    if any(None in (row.protected.value, row.reference.value) for row in table.rows):
        sentences.append("Not shown: small counts, and what would give them away.")
    return " ".join(sentences)


def pay_methods(finding: PresetFinding) -> list[str]:
    """Return how the figures of pay are made, one sentence each."""
    words, measures = finding.preset.words, {pay.table.statistic for pay in finding.pay}
    women, men = words.compared, words.compared_with
    sentences = []
    if measures & {"mean", "median"}:
        sentences.append(
            f"Gap: what {men} have less what {women} have, divided by what {men} have. Above 0 {women} have less, "
            f"below 0 more. {capital(words.people)} without a number in a column are in no figure of it: where an "
            "empty cell means that nothing was paid, write 0 in the data."
        )
    if "mean" in measures:
        sentences.append(
            "Interval: how far chance alone could move a gap of means if these people were drawn from a larger group "
            f"({percent(USUAL_CONFIDENCE)}, delta method on the ratio of the means). The rule does not ask for it."
        )
    if "median" in measures:
        sentences.append("Median: the amount in the middle, or the mean of the two in the middle.")
    if "receiving" in measures or any(pay.check.among == "receiving" for pay in finding.pay):
        sentences.append("Receives it: has more than 0 in the column.")
    if "quarter" in measures:
        sentences.append(
            f"Quarters: all {women} and {men} with a number, in the order of their pay, in four groups as equal as "
            "they can be: each ends with the person at one, two, three or four quarters of all, rounded up. People "
            f"with the same pay in several quarters are spread over them so that {women} and {men} are in proportion, "
            "in whole people by the largest remainder. Nobody is weighted."
        )
    return sentences


def _is_among(pay: PayFinding) -> bool:
    """Say whether only those are compared who receive a component."""
    return pay.check.measure == "pay_gap" and pay.check.among == "receiving"


def pay_digits(made: PayTable) -> int:
    """Return how many decimals the means or medians of a table have; none where all medians are whole."""
    sides = [side for row in made.rows for side in (row.protected, row.reference)]
    if made.statistic == "mean":
        return amount_digits(max((side.deviation for side in sides if are_known(side.deviation)), default=None))
    return 0 if all(float(side.value).is_integer() for side in sides if are_known(side.value)) else 2


def _all(finding: PresetFinding, pay: PayFinding, row: PayRow) -> str:
    words, figure = finding.preset.words, pay_figure(pay)
    women, men = words.compared, words.compared_with
    if row.gap is None:
        return f"The gap in the {figure} is not shown, because small counts could be worked out from it."
    if not row.protected.n or not row.reference.n:
        return f"There is no gap in the {figure}: nobody among the {men if row.protected.n else women} is counted."
    if pay.table.statistic == "receiving":
        shares = f"{share_text(row.protected.value)} of {women} and {share_text(row.reference.value)} of {men}"
        return f"{capital(pay.table.column)} is received by {shares}: a difference of {points_text(-row.gap)}."
    if math.isnan(row.gap):
        return f"There is no gap in the {figure}: that of {men} is not above 0."
    digits = pay_digits(pay.table)
    pair = " against ".join(number_text(side.value, digits=digits) for side in (row.protected, row.reference))
    if abs(row.gap) < NEAR:
        return f"The {figure} is the same for {women} and {men}: {pair}."
    side = "lower" if row.gap > 0 else "higher"
    size = share_text(abs(row.gap), beside=marking_limit(finding))
    return f"The {figure} of {women} is {size} {side} than that of {men}: {pair}."


def _categories(finding: PresetFinding, pay: PayFinding) -> str:
    compared = [row for row in pay.table.rows if row.gap is not None and not math.isnan(row.gap)]
    n_hidden = sum(row.gap is None for row in pay.table.rows)
    hidden = f" {capital(count_text(n_hidden))} of {len(pay.table.rows)} are not shown." if n_hidden else ""
    if not compared:
        return f"No category has a gap in the {pay_figure(pay)} that can be stated.{hidden}"
    if pay.check.mark_from is None:
        most = max(compared, key=lambda row: abs(row.gap))
        return (
            f"Of {len(compared)} categories that can be compared, {quote(most.name)} is furthest apart: "
            f"{_direction(finding, most.gap)}.{hidden}"
        )
    marked = [row for row in compared if is_marked(pay, row)]
    limit = share_text(pay.check.mark_from, digits=0)
    if not marked:
        return f"In none of {len(compared)} categories that can be compared is the gap {limit} or more.{hidden}"
    open_ = [quote(row.name) for row in marked if is_open(finding, pay, row)]
    named = [*open_[:MOST_NAMED], *([f"{len(open_) - MOST_NAMED} more"] if len(open_) > MOST_NAMED else [])]
    asks = (
        f"For {listed(named)} neither a reason nor a remedy in time is given: the rule then asks for "
        f"{finding.preset.words.marked}."
    )
    return (
        f"In {len(marked)} of {len(compared)} categories that can be compared the gap is {limit} or more, either way. "
        f"{asks if open_ else 'For each of them a reason is given, or that it was remedied.'}{hidden}"
    )


def _quarters(finding: PresetFinding, pay: PayFinding) -> str:
    women = finding.preset.words.compared
    ends = pay.table.rows[0].protected.value, pay.table.rows[-1].protected.value
    if None in ends:
        return "The quarters are not shown, because small counts could be worked out from them."
    lowest, highest = map(share_text, ends)
    return f"{capital(women)} are {lowest} of the lower and {highest} of the upper quarter of {pay.table.column}."


def _direction(finding: PresetFinding, gap: float) -> str:
    if abs(gap) < NEAR:
        return "alike"
    size = share_text(abs(gap), beside=marking_limit(finding))
    return f"{finding.preset.words.compared} have {size} {'less' if gap > 0 else 'more'}"
