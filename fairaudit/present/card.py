"""The four numbers behind a verdict, each with a line that says how to read it."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.measure.likely import is_exact, leaves_out_zero
from fairaudit.measure.mean_results import ControlledMeans
from fairaudit.measure.results import Comparison, ControlledFairness
from fairaudit.present import words
from fairaudit.present.comparison_numbers import by_tolerance
from fairaudit.present.numbers import confidence_text, count_text, interval_text, tolerance_text

VERDICT = "Verdict"
"""What the figure is called that says what the data support."""


@dataclass(frozen=True)
class Figure:
    """A number to read at a glance: what it is, its value, and how to read it."""

    label: str
    value: str
    note: str


def figures(result: ControlledFairness) -> tuple[Figure, ...]:
    """Return gap, impact ratio, evidence and rows of a result, for the card under its verdict."""
    span = interval_text(result.difference_interval, **by_tolerance(result))
    return (
        Figure(
            "Gap in points",
            words.figures_that_subtract(result)[2].removesuffix(" points"),
            f"protected minus rest; {confidence_text(result.confidence)}: {span}",
        ),
        Figure("Impact ratio", words.ratio_text(result), _ratio_note(result)),
        Figure(VERDICT, words.verdict_word(result), _verdict_note(result)),
        people_figure(result, lacking="a decision"),
    )


def people_figure(result: ControlledFairness | ControlledMeans, *, lacking: str) -> Figure:
    """Return how many rows a result compares, and how many it does not."""
    return Figure("Rows compared", _people(result), _people_note(result, lacking))


def _ratio_note(result: Comparison) -> str:
    if result.four_fifths is None:
        return "not defined, as no one in the rest reaches it"
    if result.four_fifths:
        passes = "within four fifths (0.80 to 1.25)"
        return f"{passes}, a wider limit than yours" if words.verdict_word(result) == words.CLEAR_GAP else passes
    return "below four fifths (0.80)" if result.impact_ratio < 1 else "above five quarters (1.25)"


def _verdict_note(result: Comparison) -> str:
    band = f"±{tolerance_text(result.tolerance)}"
    if result.has_one_decision:
        return "all decisions are the same"
    word = words.verdict_word(result)
    if word == words.CLEAR_GAP:
        return f"the whole interval lies outside {band}"
    if word == words.ALIKE:
        return f"the whole {words.deciding_level(result)} interval, {words.deciding_ends(result)}, lies within {band}"
    if is_exact(result) and leaves_out_zero(result) and word == words.CANNOT_TELL:
        return "so few rows that it may be chance (Fisher's exact test)"
    return f"the interval reaches both inside and outside {band}"


def _people(result: ControlledFairness | ControlledMeans) -> str:
    n = (result.protected.n, result.reference.n)
    return count_text(None if None in n else sum(n))


def _people_note(result: ControlledFairness | ControlledMeans, lacking: str) -> str:
    parts = [
        f"{count_text(result.protected.n)} protected, {count_text(result.reference.n)} others, "
        f"{count_text(result.unknown)} unknown"
    ]
    if result.undecided:
        parts.append(f"{count_text(result.undecided)} without {lacking}")
    return ", ".join(parts)
