"""The four numbers behind a verdict, each with a line that says how to read it."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.measure.limits import answer_digits
from fairaudit.measure.results import Comparison, ControlledFairness, ControlledMeans
from fairaudit.measure.verdicts_of_many import is_exact, leaves_out_zero
from fairaudit.messages import say
from fairaudit.present import words
from fairaudit.present.comparison_numbers import by_tolerance, gap_number
from fairaudit.present.numbers import confidence_text, count_text, interval_text, tolerance_text

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


def figures(result: ControlledFairness, *, is_turned: bool = False) -> tuple[Figure, ...]:
    """Return gap, impact ratio, verdict and rows of a result; `is_turned` where shares are of the other result."""
    span = interval_text(result.difference_interval, **by_tolerance(result))
    return (
        Figure(
            "Gap, protected minus others",
            gap_number(result, digits=answer_digits(result)),
            f"{confidence_text(result.confidence)}: {span}",
        ),
        Figure(IMPACT_RATIO[is_turned], words.ratio_text(result), _ratio_note(result)),
        Figure(VERDICT, words.verdict_word(result), _verdict_note(result)),
        people_figure(result, lacking="a decision"),
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


def _verdict_note(result: Comparison) -> str:
    if result.has_one_decision:
        return say(Message("card-same"))
    word = words.verdict_word(result)
    if is_exact(result) and leaves_out_zero(result) and word == words.CANNOT_TELL:
        return say(Message("card-few"))
    return band_note(result, tolerance_text(result.tolerance), words.deciding_ends(result))


def band_note(result: Comparison | ControlledMeans, limit: str, ends: str) -> str:
    """Return how the range that decides stands to the tolerance."""
    level = words.deciding_level(result)
    args: dict[str, Argument] = {"band": Phrase(f"±{limit}"), "level": Phrase(level), "ends": Phrase(ends)}
    keys = {"clear_gap": "card-beyond", "no_gap_above_tolerance": "card-within"}
    return say(Message(keys.get(result.verdict, "card-open"), args))


def _people(result: ControlledFairness | ControlledMeans) -> str:
    n = (result.protected.n, result.reference.n)
    return count_text(None if None in n else sum(n))


def _people_note(result: ControlledFairness | ControlledMeans, lacking: str) -> str:
    args: dict[str, Argument] = {
        "own": Phrase(count_text(result.protected.n)),
        "rest": Phrase(count_text(result.reference.n)),
        "unknown": Phrase(count_text(result.unknown)),
    }
    if not result.undecided:
        return say(Message("card-people", args))
    return say(Message("card-people-undecided", args | {"n": Count(result.undecided), "lacking": Phrase(lacking)}))
