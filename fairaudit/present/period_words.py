"""Whether a gap changed, in sentences for page, report and command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairaudit.errors import sure
from fairaudit.measure.profiles import recorded_otherwise
from fairaudit.present.change_numbers import ChangeNumbers
from fairaudit.present.numbers import confidence_text, p_text
from fairaudit.present.words import listed

if TYPE_CHECKING:
    from fairaudit.audit.follow_up_results import ChangeFinding

NOT_SHOWN_WHY = (
    "Small counts are to be hidden, and counts of few people could be worked out from the answers of several periods. "
    "They can be looked at on their page, and not be published beside this report. Leave the question out of this "
    "audit."
)
NOT_SAID = (
    "A changed recording is not a changed treatment: where columns, values or what is missing differ between the "
    "periods, look at that first.",
    "The periods are taken as independent. Where the same people are in both, intervals claim too much or too little.",
    "A change beside a new rule is not thereby the work of that rule: other things may have changed with it.",
)

CHANGED, UNCHANGED, MAY_BE_NOTHING, UNSEEN = "Yes", "No", "Could be nothing", "Not shown"


def change_word(finding: ChangeFinding) -> str:
    """Return the answer to "did it change?" in a word or two."""
    if finding.line is not None:
        if finding.line.changed is None:
            return UNSEEN
        return CHANGED if finding.line.changed else MAY_BE_NOTHING
    evidence = sure(finding.result).evidence
    if evidence is None:
        return UNSEEN
    return {"supported_change": CHANGED, "supported_same": UNCHANGED}.get(evidence, MAY_BE_NOTHING)


def change_parts(finding: ChangeFinding) -> tuple[str, str]:
    """Return the verdict in two parts: the answer with its numbers, and how sure it is or what it is made of."""
    word = change_word(finding)
    if word == UNSEEN:
        return "Not shown.", NOT_SHOWN_WHY
    return _line(finding, word) if finding.line is not None else _two(finding, word)


def change_sentence(finding: ChangeFinding) -> str:
    """Return the verdict as one paragraph."""
    return " ".join(part for part in change_parts(finding) if part)


def line(finding: ChangeFinding) -> str:
    """Return the verdict as `run` prints it."""
    return f"Did it change: {change_sentence(finding)}"


def parts_sentence(finding: ChangeFinding) -> str:
    """Return what of a change comes from the mix and what from the rates; empty without strata."""
    found = finding.result
    if found is None or not found.strata or found.change is None:
        return ""
    level, write = confidence_text(found.confidence), ChangeNumbers(finding)
    there = "from how often the good outcome is reached there" if write.is_share else "from the mean amounts there"
    return (
        f"Of the change, {write.gap(found.mix)} (interval {write.interval(found.mix_interval)}) come from how both "
        f"groups are spread over {listed(found.strata)}, and {write.gap(found.rates)} (interval "
        f"{write.interval(found.rates_interval)}) {there}; {level} intervals."
    )


def profile_sentences(finding: ChangeFinding) -> tuple[str, ...]:
    """Return in what the later period is recorded otherwise; first what the question depends on."""
    return tuple(
        f"{difference.sentence}{' The question depends on this column.' if difference.matters else ''}"
        for difference in finding.compared.profile
    )


def recording_sentence(finding: ChangeFinding) -> str:
    """Return, before the answer, whether the periods were recorded alike."""
    found = finding.compared
    if change_word(finding) == UNSEEN:
        return ""
    if all(difference.change == "shares" for difference in found.profile):
        which = "Both periods" if finding.line is None else "The first and the last period"
        return f"{which} are recorded alike: the same columns, values and codings, and as much is missing."
    if recorded_otherwise(found.profile):
        return (
            "The periods are not recorded alike in columns that the question depends on. A changed recording is not a "
            "changed treatment."
        )
    return "The periods differ in columns that the question does not depend on."


def _two(finding: ChangeFinding, word: str) -> tuple[str, str]:
    found, write = sure(finding.result), ChangeNumbers(finding)
    level = confidence_text(found.confidence)
    if found.cluster is not None:
        level = f"allowing for rows that depend on each other by {found.cluster}, {level}"
    before, after = found.before.difference, found.after.difference
    same = None not in (before, after) and before * after > 0
    was = write.gap(abs(before), signed=False) if same else write.sided(before)
    gaps = f"{word}: the gap was {was} ({found.names[0]}) and is {write.sided(after)} ({found.names[1]})."
    change, interval = f"That is a change of {write.change(found.change)}", write.change_interval(found.change_interval)
    if word == CHANGED:
        better = (found.change > 0) == write.higher_is_favorable
        now = f"Beside the rest, the protected group does {'better' if better else 'worse'} than before."
        small = ""
        if abs(found.change) <= found.tolerance:
            small = f" It is within the tolerance of {write.tolerance(found.tolerance)}."
        return gaps, f"{change} ({level} interval {interval}). {now}{small}"
    if word == UNCHANGED:
        inner = write.change_interval(found.equivalence_interval)
        limit = write.tolerance(found.tolerance)
        level = confidence_text(max(2 * found.confidence - 1, 0.0))
        return gaps, f"{change}. All changes that fit the data are within {limit} ({level} interval {inner})."
    return gaps, f"{change}. Chance alone could move it as far ({level} interval {interval})."


def _line(finding: ChangeFinding, word: str) -> tuple[str, str]:
    line, write = sure(finding.line), ChangeNumbers(finding)
    low, high = (write.gap(end) for end in (line.periods["gap"].min(), line.periods["gap"].max()))
    first = f"{word}: over {len(line.names)} periods, the gap lies between {low} and {high}."
    test = f"One test over all periods: {p_text(line.p_value)}."
    out = line.periods.loc[line.periods["adjusted_p_value"] < 1 - line.confidence, "period"].tolist()
    if word == CHANGED:
        stands = (
            f" {listed(out)} {'stands' if len(out) == 1 else 'stand'} out." if out else " No single one stands out."
        )
        return first, f"{test} The gap is not the same in all of them.{stands}"
    return first, f"{test} Chance alone could move it as much from one period to another."
