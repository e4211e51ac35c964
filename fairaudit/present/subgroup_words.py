"""What a search for the worst-hit subgroups says: the verdict, each subgroup, how far the search can be trusted."""

from __future__ import annotations

from typing import Final

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.defaults import USUAL_POSITIVE, Positive
from fairaudit.errors import sure
from fairaudit.present import brief
from fairaudit.present.blocks import Kind, cell_text
from fairaudit.present.numbers import confidence_text, count_text, number_word, points_text, share_text
from fairaudit.present.words import listed
from fairaudit.subgroups.measures import RATES
from fairaudit.subgroups.results import Subgroup, SubgroupSearch

MEASURES: Final = {
    "selection": "share of good outcomes",
    "fpr": "false positive rate: predicted to have the good outcome, of those who do not have it",
    "fnr": "false negative rate: not predicted to have the good outcome, of those who have it",
    "fdr": "false discovery rate: without the good outcome, of those predicted to have it",
    "for": "false omission rate: with the good outcome, of those not predicted to have it",
    "accuracy": "share of right predictions",
    "mean": "mean amount",
}
"""What each measure compares, where the good outcome is called positive."""

RANKINGS: Final = {"people": "people affected", "gap": "largest gap", "evidence": "clearest gap"}
"""What each ranking looks for."""

NAMED: Final = 2
"""Subgroups of mostly the same people that are named beside one; the table has all."""

WHAT_IT_IS_NOT: Final = (
    "A subgroup is a place to look, not a reason: why it fares worse, or better, this does not say. It is no list of "
    "suspects either: who decided, and whether the cases are alike, is for a check with a filter to ask."
)

HIDDEN: Final = (
    "Small counts are to be hidden, so the subgroups are not shown: each divides people by several columns at once, "
    "and its figures could reveal small counts beside the other tables. They can be looked at on the page “Where is it "
    "worst?”, and not be published beside this report. Leave the search out of this audit."
)


def measure_words(measure: str, positive: Positive) -> str:
    """Return what a measure compares.

    Examples
    --------
    >>> measure_words("fpr", "unfavorable")
    'false positive rate: predicted to have the bad outcome, of those who do not have it'
    """
    words = MEASURES[measure]
    return words.replace("good outcome", "bad outcome") if positive != USUAL_POSITIVE and measure in RATES else words


def is_hidden(found: SubgroupsFinding) -> bool:
    """Say whether the small-cell rule hides what was found."""
    return found.result.n_considered is None


def verdict(found: SubgroupsFinding) -> str:
    """Say in one sentence whether anything stands out."""
    if is_hidden(found):
        return "What was found is not shown."
    number = found.result.n_standing_out
    if not number:
        return "Nothing stands out that chance would not show."
    verb = "stands" if number == 1 else "stand"
    return f"{brief.capital(number_word(number))} subgroup{'s' * (number > 1)} {verb} out beyond chance."


def question(found: SubgroupsFinding) -> str:
    """Return what was asked, with the measure: a report may ask it of several."""
    return f"Where is it worst? {brief.capital(_measure(found))}"


def line(found: SubgroupsFinding) -> str:
    """Return the verdict as `run` prints it."""
    return f"Where is it worst ({_measure(found)}): {verdict(found)}"


def _measure(found: SubgroupsFinding) -> str:
    return measure_words(found.result.measure, found.result.positive).partition(":")[0]


def subgroup_sentence(each: Subgroup, result: SubgroupSearch) -> str:
    """Say how one subgroup fares, on the rows that judge."""
    figures = each.judged
    half = "held-out rows" if each.held_out is not None else "the rows that were searched"
    rate, rest = (rate_text(value, result) for value in (figures.rate, figures.rest))
    text = f"{brief.capital(each.words)}: {rate}, {rest} elsewhere (n = {count_text(figures.n)}, {half})"
    if figures.gap == figures.gap and each.interval is not None:
        more = "more" if figures.gap > 0 else "less"
        text += f"; {gap_text(abs(figures.gap), result)} {more}, {_interval(each, result)}"
    return f"{text}. {'It stands out beyond chance.' if each.stands_out else 'Chance could show as much.'}"


def same_people_sentence(each: Subgroup) -> str:
    """Name the next best subgroups that are mostly the same people, the first ones in words."""
    named, more = each.same_people[:NAMED], len(each.same_people) - NAMED
    return f"Mostly the same people: {'; '.join(named)}{f'; and {number_word(more)} more' if more > 0 else ''}."


def rate_text(value: float, result: SubgroupSearch) -> str:
    """Write a share or a mean."""
    return cell_text(value, "amount") if result.measure == "mean" else share_text(value)


def gap_text(value: float, result: SubgroupSearch) -> str:
    """Write a gap without its sign where it is not negative."""
    return cell_text(value, "amount") if result.measure == "mean" else points_text(value, signed=False)


def _interval(each: Subgroup, result: SubgroupSearch) -> str:
    low, high = sure(each.interval)
    ends = (low, high) if each.gap > 0 else (-high, -low)
    unit: Kind = "amount_interval" if result.measure == "mean" else "size_interval"
    return f"{confidence_text(result.confidence)} {cell_text(ends, unit)}"


def compared_sentence(found: SubgroupsFinding) -> str:
    """Say what was compared, and among whom."""
    among = "" if found.where_words is None else f", among rows where {found.where_words}"
    what = measure_words(found.result.measure, found.result.positive)
    outcome = "Amount" if found.result.measure == "mean" else "Good outcome"
    return f"Compared with everybody else{among}: the {what}. {outcome}: {found.meaning}."


def affected_words(found: SubgroupsFinding) -> str:
    """Say what "affected" counts."""
    if found.result.measure == "mean":
        return "Affected: by so much the subgroup moves the mean of all rows, up or, with a minus, down"
    return (
        "Affected: so many of 100 people who are counted, in the subgroup or not, would fare otherwise if the subgroup "
        "had the same share as all"
    )


def search_sentences(found: SubgroupsFinding) -> list[str]:
    """Say how many subgroups were looked at, and what chance would show."""
    result = found.result
    size = f"up to {number_word(result.max_conditions)} conditions" if result.max_conditions > 1 else "one condition"
    named = f", each of which names {listed(result.protected, 'or')}," if result.protected else ""
    subgroups = f"{count_text(result.n_considered)} subgroups of {size} on {listed(result.columns)}{named}"
    searched, judged = count_text(result.n_searched), count_text(result.n_judged)
    if result.n_judged:
        sentences = [
            f"{subgroups} were considered, on {searched} rows drawn at random. The other {judged} rows, which the "
            "search never saw, judge what is shown: each gap in the direction that the search found, the clearest one "
            "with half of the error that is allowed, the next with half of what is left, and so on. So chance alone "
            f"makes something stand out in at most {share_text(1 - result.confidence, digits=0)} of searches. Each "
            "interval is of its subgroup alone."
        ]
    else:
        sentences = [
            f"{subgroups} were considered, on all rows. So nothing was judged: what was looked for looks larger than "
            "it is."
        ]
    gap = result.ranked("gap")
    if result.n_shuffles:
        sentences.append(
            f"Where outcomes are dealt out at random, {count_text(result.n_shuffles)} times, the best of as many "
            f"subgroups shows a gap of {gap_text(gap.chance, result)} in half of the cases, and of "
            f"{gap_text(gap.chance_high, result)} in one of twenty. The largest gap that the search saw is "
            f"{gap_text(gap.best, result)}."
        )
    if result.proven:
        sentences.append("The search is proven to have missed none that is larger.")
    else:
        sentences.append(
            "The search ended before all were looked at: no subgroup has a gap of more than "
            f"{gap_text(gap.bound, result)} on these rows."
        )
    return sentences


def left_out_sentences(found: SubgroupsFinding) -> list[str]:
    """Say which columns no subgroup names."""
    return [f"Column {each.column} was left out: {each.reason}." for each in found.result.left_out]
