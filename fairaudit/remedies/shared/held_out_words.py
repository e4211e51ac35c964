"""On which of the held-out rows a figure is measured, in words; shared by pages, report, exports and command line.

How well a model does is measured on all held-out rows, the gap between the protected group and the rest on those that
the filter keeps.
"""

from __future__ import annotations

from fairaudit.defaults import ENOUGH
from fairaudit.measure.mean_results import ControlledMeans
from fairaudit.measure.results import ControlledFairness, ErrorComparison
from fairaudit.present.numbers import count_text
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import StudyFacts

FILTERED = "that the filter keeps"
KNOWN = "where it is known who is protected"


def all_rows(n: int | None) -> str:
    """Return how many held-out rows there are, such as "1,000 held-out rows"; None is a hidden number."""
    return "the held-out rows" if n is None else f"{count_text(n)} held-out rows"


def gap_rows(n: int | None, compared: ControlledFairness | ControlledMeans, *, where_words: str | None = None) -> str:
    """Return which held-out rows the gap is measured on, where these are not all of them.

    Examples
    --------
    >>> from fairaudit.study.judging import HeldOut
    >>> rows = {"protected": [1, 1, 0, 0, 0], "population": [1, 1, 1, 1, 0]}
    >>> gap_rows(5, HeldOut([1, 0, 1, 1, 0], **rows).decisions())
    'the 4 of 5 held-out rows that the filter keeps'
    """
    if not compared.n_filtered_out:
        return ""
    where = "" if where_words is None else f" ({where_words})"
    counted = compared.protected.n + compared.reference.n
    sizes = "" if n is None else f"{count_text(counted)} of {count_text(n)} "
    return f"the {sizes}held-out rows {FILTERED}{where}"


def gap_note(
    n: int | None,
    compared: ControlledFairness | ControlledMeans,
    *,
    subject: str = "The gap is",
    others: str = "all other figures",
    where_words: str | None = None,
) -> str:
    """Return a sentence on which held-out rows the gap is measured on, beside what is measured on all of them."""
    rows = gap_rows(n, compared, where_words=where_words)
    return rows and f"{subject} measured on {rows}; {others} {on_all(n)}."


def summary_note(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return a sentence on which rows the gaps of all models are measured; empty where everything is on all."""
    return gap_note(facts.n_held_out, facts.decisions, where_words=facts.where_words)


def other_gaps(errors: ErrorComparison) -> str:
    """Return the words for the gaps other than that of the protected group; groups with few rows are in none."""
    few = bool((errors.gaps["n_few"] > 0).any())
    return f"all other gaps, between groups with at least {ENOUGH} rows behind the rate," if few else "all other gaps"


def on_all(n: int | None) -> str:
    """Return "on all 1,000", for what is measured on all held-out rows, beside the gap; None is a hidden number."""
    return "on all of them" if n is None else f"on all {count_text(n)}"


def known_rows(n_known: int, n: int | None) -> str:
    """Return the words for rows that count only where their group is known.

    Examples
    --------
    >>> known_rows(98, 100), known_rows(100, 100)
    ('held-out rows of a known group', 'held-out rows')
    """
    return "held-out rows" if n_known == n else "held-out rows of a known group"
