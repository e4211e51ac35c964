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
    NOT_DEFINED,
    NOT_SHOWN,
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


def side_text(difference: float, finding: AmountFinding) -> str:
    """Return "to their disadvantage" or "to their advantage", as more is better or not; empty for no difference."""
    return words.direction_text(difference if finding.decision.higher_is_favorable else -difference)


def verdict_sentence(finding: AmountFinding) -> str:
    """Return the verdict as one short paragraph that stands alone.

    It names the population, both means, the difference with its direction, how it stands to the tolerance, which
    differences fit the data, and whether it turns around inside the strata.
    """
    return " ".join(part for part in verdict_parts(finding) if part)


def verdict_parts(finding: AmountFinding) -> tuple[str, str]:
    """Return the verdict in two parts: the answer with its numbers, and how far chance could move them."""
    result = finding.result
    word, name = words.evidence_word(result), words.group_name(finding)
    if word == NOT_SHOWN:
        return (
            f"Not shown. {words.among(finding)}, the means of the protected group ({name}) and of the rest cannot be "
            "shown, because a count that is too small to be shown is among theirs or could be worked out from them.",
            "",
        )
    if word == NOT_DEFINED:
        why = "the means are not defined"
        if result.has_one_decision:
            why = "all known amounts are the same"
        return f"Nothing to compare. {words.among(finding)}, {why}.", ""
    digits = digits_of(finding)
    mean, rest = (number_text(side.mean, digits=digits) for side in (result.protected, result.reference))
    answer = (
        f"{words.ANSWERS[word]}. {words.among(finding)}, the protected group ({name}) has a mean {finding.meaning} of "
        f"{mean}, against {rest} of the rest: {_on_average(finding, digits)}. {_tolerated(finding)}."
    )
    spread = _spread(finding)
    return answer, " ".join(part for part in (spread, reversal_sentence(finding)) if part)


def tolerance_text(finding: AmountFinding) -> str:
    """Return the tolerance in the unit of the amount."""
    return number_text(finding.result.tolerance, digits=tolerance_digits(finding))


def is_proposed(finding: AmountFinding) -> bool:
    """Say whether the audit sets no tolerance, so that one is proposed."""
    return finding.plan.amount_tolerance is None


def the_tolerance(finding: AmountFinding) -> str:
    """Return "the tolerance of 50" for the middle of a sentence, or "the proposed tolerance" where none was set."""
    return f"the {'proposed ' if is_proposed(finding) else ''}tolerance of {tolerance_text(finding)}"


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


def range_text(result: MeanComparison, finding: AmountFinding) -> str:
    """Return which differences fit the data, such as "from 900 to 1,500 less", by the interval that decides."""
    (low, high), level = words.deciding_interval(result), f"({words.deciding_level(result)} interval)"
    if not (math.isfinite(low) and math.isfinite(high)):
        return "There are too few rows to say how far chance could move this"
    if low == high:
        return "In each group all amounts are the same, so there is nothing that chance could move"
    if low >= 0 or high <= 0:
        near, far = sorted((abs(low), abs(high)))
        way = "less" if high <= 0 else "more"
        span = f"{amount_text(near, finding)} to {amount_text(far, finding)} {way}"
    else:
        span = f"{amount_text(low, finding, size=True)} less to {amount_text(high, finding)} more"
    return f"{words.MAY_BE.format('difference')} {span} {level}"


def deciding_ends(finding: AmountFinding) -> str:
    """Return the ends of the interval that decides, apart from the tolerance."""
    return words.interval_text(words.deciding_interval(finding.result), "difference", digits=tolerance_digits(finding))


def evidence_sentence(finding: AmountFinding) -> str:
    """Return how sure the answer is, and why, without repeating the means."""
    result = finding.result
    tolerance, level = tolerance_text(finding), words.deciding_level(result)
    word = words.evidence_word(result)
    if word == NOT_SHOWN:
        return "How sure the answer is cannot be shown, because a count behind it is too small to be shown."
    if word == NOT_DEFINED:
        return "There is no evidence either way."
    if word == words.CLEAR_GAP:
        return (
            f"The evidence for a difference is clear: the whole {level} interval lies outside the tolerance of "
            f"±{tolerance}. {words.UNLIKELY}"
        )
    if word == words.ALIKE:
        return (
            f"The evidence that the groups are treated alike is clear: the whole {level} interval of the difference "
            f"of means, {deciding_ends(finding)}, which decides this, lies inside the tolerance of ±{tolerance}."
        )
    observed = "inside" if result.within_tolerance else "outside"
    chance = "No difference at all is possible too."
    if words.gap_is_likely(result):
        chance = f"Some difference is likely, as the {level} interval leaves out zero."
    return (
        f"The evidence is not clear: the difference that was observed is {observed} the tolerance of ±{tolerance}, but "
        f"{words.MAY_LIE}. {chance}"
    )


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


def _on_average(finding: AmountFinding, digits: int) -> str:
    side = side_text(finding.result.difference, finding)
    size = difference_text(finding.result.difference, finding, digits=digits)
    return f"{size} on average{f', {side}' if side else ''}"


def _tolerated(finding: AmountFinding) -> str:
    tolerance, within = tolerance_text(finding), finding.result.within_tolerance
    if _digits_apart(finding) is None:
        proposed = "proposed " if is_proposed(finding) else ""
        return f"That is just {'within' if within else 'outside'} the {proposed}tolerance, which is about {tolerance}"
    return f"That is {'within' if within else 'more than'} {the_tolerance(finding)}"


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


def _spread(finding: AmountFinding) -> str:
    result = finding.result
    range_ = range_text(result, finding)
    if result.verdict in ("clear_gap", "no_gap_above_tolerance"):
        return f"{range_}."
    limit = tolerance_text(finding)
    if not all(map(math.isfinite, result.difference_interval)):
        return f"{range_}."
    if words.gap_is_likely(result):
        return f"{range_}: some difference is likely; whether it exceeds {limit} is open."
    return (
        f"{range_}, so no difference at all is possible too, and these data do not settle whether it exceeds {limit}."
    )
