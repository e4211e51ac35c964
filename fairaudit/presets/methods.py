"""How the figures of the form of a rule are computed, one sentence each."""

from __future__ import annotations

from fairaudit.present.brief import capital
from fairaudit.present.numbers import number_text
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.pay_words import pay_methods
from fairaudit.presets.words import by_words, rate_word
from fairaudit.sections.forms.saying import selected_word


def how_computed(finding: PresetFinding) -> tuple[str, ...]:
    """Return how the figures of a form are made, one sentence each."""
    words, sentences = finding.preset.words, []
    if finding.rates:
        how = f"{words.selected} {words.people} divided by all {words.people} of the {words.category}"
        if finding.rate == "scoring":
            how = (
                f"{words.people} with a score above the median of all scores ({number_text(finding.median)}), "
                f"divided by all {words.people} of the {words.category}; a score at the median is not above it"
            )
        sentences.append(f"{capital(rate_word(finding))}: {how}.")
        references = {rates.check.reference for rates in finding.rates}
        against = {
            "highest": f"the highest {rate_word(finding)} in the table",
            "largest": f"that of the {words.category} with the most {words.people}, or of the one that was named",
        }
        listed_words = " or ".join(against[reference] for reference in sorted(references))
        sentences.append(f"{capital(words.ratio)}: the {rate_word(finding)} divided by {listed_words}.")
        sentences += [f"Marked: {each}." for each in limits(finding)]
        sentences += _tests(finding)
        if any(rates.check.one_person for rates in finding.rates):
            sentences.append(
                f"One person more or fewer crosses the limit: with one more or one fewer person of the "
                f"{words.category} {selected_word(finding)}, the {words.ratio} would be on the other side of it."
            )
            sentences.append(
                f"One different person gives the higher rate: the {words.ratio} is below the limit, and with one "
                f"person of the {words.category} {selected_word(finding)} instead of one of the reference, its "
                f"{rate_word(finding)} would be the higher one."
            )
        if finding.preset.unknown == "any":
            sentences.append(
                f"{capital(words.people)} with an unknown value in any of the columns are in none of the tables."
            )
    if finding.means:
        sentences.append(
            "Standardised mean difference: the mean of the group minus that of the reference, divided by the standard "
            "deviation of all people of the table together. Its size is stated in Cohen's words: negligible below 0.2, "
            "small below 0.5, medium below 0.8, else large; these are no legal limits. More than chance: p below 0.05 "
            "by Welch's t test."
        )
    return (*sentences, *pay_methods(finding))


def limits(finding: PresetFinding) -> tuple[str, ...]:
    """Return below which ratio a group is marked: once, or for each table where they differ."""
    known = {rates.table.threshold for rates in finding.rates}
    ratio = finding.preset.words.ratio
    if len(known) == 1:
        return (f"{ratio} below {number_text(known.pop())}",)
    return tuple(
        f"by {by_words(finding, rates)}: {ratio} below {number_text(rates.table.threshold)}" for rates in finding.rates
    )


def _tests(finding: PresetFinding) -> list[str]:
    """Return how chance is judged: once, or for each table where the limits differ."""
    tested = [rates for rates in finding.rates if rates.check.significance]
    ways = dict.fromkeys((rates.check.deviations, rates.check.level) for rates in tested)
    sentences = []
    for deviations, level in ways:
        tables = [
            by_words(finding, rates)
            for rates in tested
            if (rates.check.deviations, rates.check.level) == (deviations, level)
        ]
        which = f" (by {'; by '.join(tables)})" if len(ways) > 1 else ""
        sentences.append(
            f"More than chance{which}: the difference of two rates is larger than {deviations:g} standard "
            "deviations (Z with the pooled variance). Where an expected count of the two-by-two table is below 5, "
            f"Fisher's exact test is used instead, with p below {level:g}. The table says which was used; no allowance "
            "is made for having asked about several groups."
        )
    return sentences
