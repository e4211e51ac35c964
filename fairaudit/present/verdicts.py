"""The verdict on a comparison: in words, as a chip, with the numbers behind it, and who is worst off.

All functions are pure and take findings or results, masked or not; what is hidden makes them empty.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from fairaudit.defaults import ENOUGH
from fairaudit.findings import Argument, Count, Group, Message, Phrase, Word
from fairaudit.findings.names import UNNAMED, Names
from fairaudit.measure.limits import answer_digits
from fairaudit.measure.results import (
    BoundsComparison,
    Comparison,
    ControlledBounds,
    ControlledFairness,
    ControlledMeans,
    ControlledWaiting,
    GroupComparison,
    GroupRow,
    Interval,
    MeanComparison,
    StratumRow,
    as_kind,
)
from fairaudit.measure.verdicts import ShownVerdict, verdict_of
from fairaudit.measure.verdicts_of_many import is_exact, leaves_out_zero
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.gap_texts import texts_of
from fairaudit.present.naming import listed
from fairaudit.present.numbers import (
    confidence_text,
    count_ends,
    count_text,
    difference_text,
    number_text,
    people_text,
    ratio_text,
)

if TYPE_CHECKING:
    from fairaudit.audit.result import CheckFinding
    from fairaudit.measure.inspections.results import HitRateGap


CLEAR_GAP, NO_GAP, PERHAPS_SMALL = "Clear gap", "No gap above your limit", "Gap, perhaps small"
CANNOT_TELL, NOTHING_TO_COMPARE, NO_VERDICT = "Too few to tell", "Nothing to compare", "Not shown"
BY_VERDICT: Mapping[ShownVerdict, str] = {
    "clear_gap": CLEAR_GAP, "no_gap_above_tolerance": NO_GAP, "gap_size_unclear": PERHAPS_SMALL,
    "too_few_to_tell": CANNOT_TELL, "nothing_to_compare": NOTHING_TO_COMPARE, "not_shown": NO_VERDICT,
}  # fmt: skip
READINGS = (NO_GAP, CLEAR_GAP, PERHAPS_SMALL, CANNOT_TELL)
"""Verdicts that charts mark."""
READINGS_MEANING = "The verdict."
ONE_DECISION = "one decision only"
"""The reading where all decisions are the same."""


def verdict_word(result: Comparison | MeanComparison) -> str:
    """Return the verdict, as the chip of the same comparison says it."""
    return BY_VERDICT[verdict_of(result)]


def verdict_words(rows: Sequence[GroupRow | HitRateGap | StratumRow]) -> tuple[str, ...]:
    """Return :func:`verdict_word` of each of many groups, whose verdicts allow for all of them."""
    return tuple(verdict_word(row.comparison) for row in rows)


def reading(result: Comparison | MeanComparison, *, small: bool | None = None, word: str | None = None) -> str:
    """Return what the data support in a few words, for the last column of a table: `word`, or :func:`verdict_word`.

    A `small` group, one with fewer rows than the plan asks for, is marked with "few rows". Where it is not said whether
    a group is small, a comparison is marked if either side has fewer than 30 rows.
    """
    if small is None:
        small = any(side.n is not None and side.n < ENOUGH for side in (result.protected, result.reference))
    word = word or verdict_word(result)
    if word == NO_VERDICT:
        return word
    mark = ", few rows" if small else ""
    if word == NOTHING_TO_COMPARE:
        return (ONE_DECISION if result.has_one_decision else word) + mark
    return word + mark


def deciding_interval(result: Comparison | MeanComparison) -> Interval:
    """Return the interval that decides: where both groups are clearly alike, that of the two one-sided tests."""
    return result.equivalence_interval if result.verdict == "no_gap_above_tolerance" else result.difference_interval


def deciding_level(result: Comparison | MeanComparison) -> str:
    """Return the confidence of the interval that decides; two one-sided tests at 95 % make a 90 % interval."""
    alike = result.verdict == "no_gap_above_tolerance"
    return confidence_text(max(2 * result.confidence - 1, 0.0) if alike else result.confidence)


Sort = Literal["gap", "alike", "open", "quiet"]


@dataclass(frozen=True)
class Chip:
    """A word or two, and of which sort they are: a gap, alike, an open question, or nothing to say."""

    text: str
    sort: Sort


_SORTS: Final[dict[str, Sort]] = {
    NO_GAP: "alike",
    CLEAR_GAP: "gap",
    NOTHING_TO_COMPARE: "quiet",
    NO_VERDICT: "quiet",
}


def reading_chip(word: str) -> Chip:
    """Return the chip of a reading, such as one of many groups that allows for all of them."""
    return Chip(word, _SORTS.get(word, "open"))


# The numbers behind a verdict, each with a line that says how to read it.

IMPACT_RATIO = {False: "Impact ratio", True: "Impact ratio of favourable results"}
"""What it is called, beside shares with the favourable result and beside those without it."""

VERDICT = "Verdict"
"""What the figure is called that says what the data support."""


@dataclass(frozen=True)
class Figure:
    """A number to read at a glance: what it is, its value, and how to read it."""

    label: str
    value: str
    note: str


def figures(
    result: ControlledFairness | ControlledMeans,
    names: Names = UNNAMED,
    *,
    is_turned: bool = False,
    lacking: str = "a decision",
) -> tuple[Figure, ...]:
    """Return gap, its size beside the shares or spreads, verdict and rows of a result.

    `is_turned` is whether shares are of the other result, `lacking` what rows lack that are left out.
    """
    texts = texts_of(result)
    if isinstance(result, ControlledBounds):
        return _bound_figures(result, names, lacking)
    return (
        Figure(
            say(Message("figure-gap", {"protected": names.protected, "others": names.others})),
            texts.gap,
            f"{confidence_text(result.confidence)}: {texts.range(result.difference_interval)}",
        ),
        RELATIVE[result.quantity](result, is_turned),
        Figure(VERDICT, verdict_word(result), _verdict_note(result)),
        people_figure(result, lacking=lacking),
    )


def _bound_figures(result: ControlledBounds, names: Names, lacking: str) -> tuple[Figure, ...]:
    """Return bounds of the gap, verdict and rows of a result whose counts are rounded or hidden."""
    texts = texts_of(result)
    level = confidence_text(result.confidence)
    return (
        Figure(
            say(Message("figure-gap", {"protected": names.protected, "others": names.others})),
            texts.range(result.difference_bounds),
            say(Message("card-bounds")),
        ),
        Figure(VERDICT, verdict_word(result), f"{level}: {texts.range(result.difference_interval)}"),
        people_figure(result, lacking=lacking),
    )


def people_figure(result: ControlledFairness | ControlledMeans, *, lacking: str) -> Figure:
    """Return how many rows a result compares, and how many it does not."""
    return Figure("Rows compared", _people(result), _people_note(result, lacking))


def _ratio_note(result: Comparison) -> str:
    if result.four_fifths is None:
        return say(Message("card-ratio-none"))
    if result.four_fifths:
        return say(Message("card-ratio-within"))
    return say(Message("card-ratio-below" if result.impact_ratio < 1 else "card-ratio-above"))


def _verdict_note(result: ControlledFairness | ControlledMeans) -> str:
    """Return how the range that decides stands to the tolerance."""
    if result.has_one_decision:
        return say(Message("card-same"))
    if is_exact(result) and leaves_out_zero(result) and verdict_word(result) == CANNOT_TELL:
        return say(Message("card-few"))
    texts = texts_of(result)
    args: dict[str, Argument] = {
        "band": Phrase(f"±{texts.limit}"),
        "level": Phrase(deciding_level(result)),
        "ends": Phrase(texts.range(deciding_interval(result))),
    }
    keys = {"clear_gap": "card-beyond", "no_gap_above_tolerance": "card-within"}
    return say(Message(keys.get(result.verdict, "card-open"), args))


def _people(result: ControlledFairness | ControlledMeans) -> str:
    n = (result.protected.n, result.reference.n)
    if isinstance(result, ControlledBounds):
        return count_ends(sum(n), result.protected.most_n + result.reference.most_n)
    return count_text(None if None in n else sum(n))


def _people_note(result: ControlledFairness | ControlledMeans, lacking: str) -> str:
    own, rest = (people_text(side) for side in (result.protected, result.reference))
    args: dict[str, Argument] = {
        "own": Phrase(own),
        "rest": Phrase(rest),
        "unknown": Phrase(count_text(result.unknown)),
    }
    if not result.undecided:
        return say(Message("card-people", args))
    return say(Message("card-people-undecided", args | {"n": Count(result.undecided), "lacking": Phrase(lacking)}))


# What is said of amounts alone.


def similar_sentence(finding: CheckFinding) -> str:
    """Return the answer among similar people in words; empty where it was not asked or is not shown."""
    similar = finding.similar
    if similar is None:
        return ""
    if similar.dtdi is None:
        return say(Message("amount-similar-hidden"))
    args: dict[str, Argument] = {
        "n": Count(similar.n_neighbors),
        "columns": Phrase(listed(similar.columns)),
        "protected": finding.names.protected,
        "gap": Phrase(difference_text(similar.difference, digits=answer_digits(finding.result))),
        "sure": Word("yes" if similar.is_beyond_chance else "no"),
    }
    return say(Message("amount-similar" if math.isfinite(similar.difference) else "amount-similar-nobody", args))


def similar_details(finding: CheckFinding) -> str:
    """Return the index of the answer among similar people, and how many were drawn; empty where there is none."""
    similar = finding.similar
    if similar is None or similar.dtdi is None:
        return ""
    said = [Message("amount-dtdi", {"size": Phrase(number_text(similar.dtdi, digits=answer_digits(finding.result)))})]
    if similar.n_rows < similar.n_usable:
        drawn: dict[str, Argument] = {"n": Count(similar.n_rows), "all": Count(similar.n_usable)}
        said.append(Message("amount-similar-drawn", drawn))
    return say(said)


SMALL, LARGE = 0.2, 0.8


def _size_note(size: float | None) -> str:
    if size is None or not math.isfinite(size):
        return ""
    word = "small" if abs(size) < SMALL else "large" if abs(size) >= LARGE else "medium"
    return say(Message("card-size", {"size": Word(word)}))


def _impact_ratio(result: ControlledFairness | ControlledMeans, is_turned: bool) -> Figure:
    shares = as_kind(ControlledFairness, result)
    return Figure(IMPACT_RATIO[is_turned], ratio_text(shares), _ratio_note(shares))


def _standardized(result: ControlledFairness | ControlledMeans, is_turned: bool) -> Figure:
    if isinstance(result, ControlledWaiting):
        return Figure(say(Message("card-open-cases")), count_text(result.n_open), say(Message("card-open-note")))
    size = as_kind(ControlledMeans, result).standardized_difference
    return Figure("Standardised", number_text(size), _size_note(size))


RELATIVE = {"share": _impact_ratio, "amount": _standardized}
"""The size of a gap in relation to others, by what is compared."""


# Who is worst off.


def worst_off_sentence(
    comparison: GroupComparison, answer: Comparison | MeanComparison, *, more_is_better: bool
) -> str:
    """Return which group is worst off, one with a clear gap first, then one with enough rows; empty where none is.

    Figures are written as those of the `answer`. Empty also where a group is hidden: it could be worse off, and a named
    one would say what its figure is at least.
    """
    rows = comparison.rows
    if len(rows) < 2 or any(row.comparison.difference is None for row in rows):
        return ""
    if isinstance(answer, BoundsComparison):
        return ""
    sign = 1 if more_is_better else -1
    behind = [row for row in rows if sign * row.comparison.difference < 0]
    if not behind:
        return ""
    behind.sort(key=lambda row: sign * row.comparison.difference)
    clear = [row for row in behind if verdict_word(row.comparison) == CLEAR_GAP]
    worst = (clear or [row for row in behind if not row.small] or behind)[0]
    found, texts = worst.comparison, texts_of(answer)
    args: dict[str, Argument] = {
        "group": Phrase(naming.group(worst.name, naming.WHOLE)),
        "own": Phrase(texts.own(found)),
        "gap": Phrase(texts.gap_of(found)),
        "than": Word(texts.than),
        "others": Group(comparison.reference),
        "verdict": Phrase(verdict_word(found)),
    }
    return say(Message("worst-off", args))
