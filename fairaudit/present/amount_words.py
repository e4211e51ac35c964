"""The sentences about a decision that is an amount, shared by pages, command line and report.

What holds for shares and amounts alike, such as :func:`fairaudit.present.words.verdict_word`, is in that module. All
functions are pure and take an ``AmountFinding``, masked or not.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairaudit.measure.mean_results import MeanComparison
from fairaudit.measure.near_limits import MOST_DIGITS, SAME, digits_beside, digits_that_subtract, is_whole
from fairaudit.measure.strata import CHANCE
from fairaudit.measure.within import (
    STRATA_FIRST,
    alike_on_average,
    deciding_average,
    reading_within,
    what_remains,
    zero_fits_average,
)
from fairaudit.present import strata_words, words
from fairaudit.present.numbers import (
    amount_digits,
    are_known,
    confidence_text,
    number_text,
)

if TYPE_CHECKING:
    from fairaudit.audit.result import AmountFinding
    from fairaudit.measure.results import StratumRow


def usual_digits(finding: AmountFinding) -> int:
    """Return how many decimals figures of a finding need, so that its amounts differ in print."""
    sides = (finding.result.protected, finding.result.reference)
    known = [side.deviation for side in sides if side.deviation is not None and math.isfinite(side.deviation)]
    # Where all amounts of each group are alike, the difference between the groups is all that is to be seen.
    return amount_digits(max(known, default=0.0) or abs(finding.result.difference or 0.0))


def amount_text(value: float | None, finding: AmountFinding, *, size: bool = False) -> str:
    """Return an amount or, as a `size`, how large a difference is, with the decimals of its finding."""
    shown = abs(value) if size and value is not None else value
    return number_text(shown, digits=digits_of(finding))


def difference_text(difference: float | None, finding: AmountFinding, *, digits: int | None = None) -> str:
    """Return a difference as "1,230 less" or "1,230 more", seen from the protected group."""
    if difference is None or not math.isfinite(difference):
        return number_text(difference)
    digits = digits_of(finding) if digits is None else digits
    if difference == 0:
        return "exactly the same"
    way = "less" if difference < 0 else "more"
    if round(abs(difference), digits) == 0:
        return f"less than {number_text(10.0**-digits, digits=digits)} {way}"
    return f"{number_text(abs(difference), digits=digits)} {way}"


def tolerance_text(finding: AmountFinding) -> str:
    """Return the tolerance in the unit of the amount."""
    return number_text(finding.result.tolerance, digits=tolerance_digits(finding))


def is_proposed(finding: AmountFinding) -> bool:
    """Say whether the audit sets no tolerance, so that one is proposed."""
    return finding.plan.amount_tolerance is None


def tolerance_digits(finding: AmountFinding) -> int:
    """Return how many decimals difference and tolerance have: more than usual where they would read alike."""
    found = _digits_apart(finding)
    return usual_digits(finding) if found is None else found


def digits_of(finding: AmountFinding) -> int:
    """Return with how many decimals all figures of a finding are shown: those of its answer subtract in print.

    As usual where a count is hidden.
    """
    return _digits_that_subtract(finding.result, tolerance_digits(finding))


def own_mean_text(found: MeanComparison, finding: AmountFinding) -> str:
    """Return the mean of the group that is compared, one of those of a finding."""
    return number_text(found.protected.mean, digits=digits_of(finding))


def _digits_that_subtract(result: MeanComparison, digits: int) -> int:
    if not is_whole(result) or round(result.difference, digits) == 0:
        return digits
    own, other = result.protected.mean, result.reference.mean
    return digits_that_subtract(own, other, digits=digits, difference=result.difference)


def deciding_ends(finding: AmountFinding) -> str:
    """Return the ends of the interval that decides, apart from the tolerance."""
    return words.interval_text(words.deciding_interval(finding.result), "difference", digits=tolerance_digits(finding))


def reversal_sentence(finding: AmountFinding) -> str:
    """Return one sentence on the difference within the strata where that says otherwise; else empty."""
    strata = finding.strata
    how = None if strata is None else reading_within(strata, finding.result)
    if strata is None or how in (None, "all", "some"):
        return ""
    interval, confidence = deciding_average(strata)
    span = words.interval_text(interval, "difference", digits=digits_of(finding))
    span = f"({confidence_text(confidence)} interval {span})"
    within, average = (
        f"But within {words.listed(words.strata_text(finding))}",
        difference_text(strata.common_difference, finding),
    )
    if how == "both ways":
        return f"{within} the difference turns around from one stratum to another: on average {average} {span}."
    said = {"turned": "the difference turns around", "average": "there is a clear difference"}.get(
        str(how), what_remains(strata, "difference")
    )
    return f"{within} {said} on average: {average} {span}."


def reversal_warning(finding: AmountFinding) -> str | None:
    """Return in full that the difference turns around within the strata, is gone there, or is not shown; else None."""
    strata = finding.strata
    if strata is None:
        return None
    if strata.reversal is None:
        return words.STRATA_NOT_SHOWN
    how = reading_within(strata, finding.result)
    if how not in STRATA_FIRST and not strata.reversal:
        return None
    where = words.listed(words.strata_text(finding))
    agreeing = sum(row.difference * strata.common_difference > 0 for row in strata.strata)
    gap = difference_text(finding.result.difference, finding, digits=digits_of(finding))
    together = f"Taken together, group {words.group_name(finding)} has {gap} than the rest on average."
    inside = difference_text(strata.common_difference, finding)
    interval, confidence = deciding_average(strata)
    span = words.interval_text(interval, "difference", digits=digits_of(finding))
    chance = CHANCE if zero_fits_average(strata) else ""
    lead = "The direction turns around"
    if how == "both ways":
        lead += " from one stratum to another"
    elif how != "turned":
        gone = "the difference is gone: " if how == "gone" else ""
        lead = f"Within {where} {gone}{what_remains(strata, 'difference')} on average"
    return (
        f"{lead}. {together} Compared within {where}, it has {inside} on average "
        f"({confidence_text(confidence)} interval {span}; in {agreeing:,} of "
        f"{len(strata.strata):,} strata){chance}. Read the strata, not the overall difference alone."
    )


def strata_sentence(finding: AmountFinding) -> str:
    """Return what becomes of the difference inside the strata, in one sentence; empty without strata or where hidden.

    What is said of it is what :func:`fairaudit.present.headlines.strata_sentence` says of a gap.
    """
    strata = finding.strata
    if strata is None or strata.reversal is None:
        return ""
    inside, overall = strata.common_difference, strata.pooled.difference
    if not are_known(inside, overall):
        return ""
    if only := strata_words.only_stratum_sentence(strata, "difference"):
        return only
    interval, confidence = deciding_average(strata)
    span = words.interval_text(interval, "difference", digits=digits_of(finding))
    level = confidence_text(confidence)
    figure = f"{difference_text(inside, finding)} on average ({level} interval {span})"
    within = " and ".join(words.strata_text(finding))
    said = strata_words.average_words(strata, "difference")
    clear = strata_words.clear_strata_sentence(strata, lambda row: _stratum_text(row, finding), "difference")
    if zero_fits_average(strata) or alike_on_average(strata):
        rest = f"{clear}{strata_words.each_alone_sentence(strata)}"
        return f"On average within {within} {said}: {difference_text(inside, finding)} ({level} interval {span}).{rest}"
    return f"Within {within} {said}: {figure}.{clear}"


def _stratum_text(row: StratumRow, finding: AmountFinding) -> str:
    interval = words.interval_text(row.comparison.difference_interval, "difference", digits=digits_of(finding))
    return f"{difference_text(row.difference, finding)}, {interval}"


def didi_sentence(finding: AmountFinding) -> str:
    """Return the disparate impact discrimination index with what it means."""
    didi = finding.result.didi
    return (
        f"The disparate impact index (DIDI) is {amount_text(didi, finding)}: how far the mean of the protected group "
        "and the mean of the rest are from the mean of all of them, added up. It is 0 where both means are the same."
    )


def similar_sentence(finding: AmountFinding) -> str:
    """Return the answer among similar people in words; empty where it was not asked or is not shown."""
    similar = finding.similar
    if similar is None:
        return ""
    if similar.dtdi is None:
        return "What similar people get is not shown, because what few people have could be worked out from it."
    name, columns = words.group_name(finding), words.listed(similar.columns)
    far = (
        f"A group's mean among similar people is {amount_text(similar.average, finding)} away from the mean of all of "
        f"them; chance alone would make that {amount_text(similar.by_chance, finding)}, and more than "
        f"{amount_text(similar.by_chance_high, finding)} one time in twenty."
    )
    if not math.isfinite(similar.difference):
        return f"Nobody has people of both groups among the {similar.n_neighbors} most similar in {columns}. {far}"
    span = words.interval_text(similar.difference_by_chance, "difference", digits=digits_of(finding))
    verdict = "is more than chance explains" if similar.is_beyond_chance else "could be chance alone"
    return (
        f"Among the {similar.n_neighbors} people who are most similar in {columns}, the protected group ({name}) has "
        f"{difference_text(similar.difference, finding)} on average. That {verdict}, which would bring about "
        f"{span} nineteen times in twenty. {far}"
    )


def similar_details(finding: AmountFinding) -> str:
    """Return how many rows the answer among similar people rests on, and its index; empty where there is none."""
    similar = finding.similar
    if similar is None or similar.dtdi is None:
        return ""
    drawn = ""
    if similar.n_rows < similar.n_usable:
        drawn = (
            f" Of {similar.n_usable:,} rows that could be used, {similar.n_rows:,} were drawn at random with the "
            "audit's seed."
        )
    without = [
        f"{count:,} rows have nobody of {group} near them"
        for count, group in zip(similar.n_alone, ("the protected group", "the rest"), strict=True)
        if count
    ]
    alone = f" {words.listed(without)}; there the two groups cannot be compared.".replace("  ", " ") if without else ""
    return (
        f"The disparate treatment index (DTDI) of {similar.n_rows:,} rows is {amount_text(similar.dtdi, finding)}: the "
        f"distances of both groups' means among similar people from the mean of all of them, added up over all rows."
        f"{drawn}{alone}"
    )


def _digits_apart(finding: AmountFinding) -> int | None:
    """Return with how many decimals the difference reads within or outside the tolerance; None where with none."""
    result, usual = finding.result, usual_digits(finding)
    if not are_known(result.difference, result.tolerance):
        return usual
    size = abs(result.difference)
    past = size > result.tolerance * (1 + SAME) if result.within_tolerance else size <= result.tolerance
    if past:
        return None  # Where small counts are hidden, the tolerance is rounded.
    most = MOST_DIGITS if is_whole(result) else usual
    return digits_beside(size, [result.tolerance], digits=usual, most=most, rounded=True)
