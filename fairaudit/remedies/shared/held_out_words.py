"""On which of the held-out rows a figure is measured, in words; shared by pages, report, exports and command line.

How well a model does is measured on all held-out rows, the gap between the protected group and the rest on those that
the filter keeps.
"""

from __future__ import annotations

from fairaudit.errors import sure
from fairaudit.findings import Count, Message
from fairaudit.measure.mean_results import ControlledMeans
from fairaudit.measure.results import ControlledFairness
from fairaudit.messages import say
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


def gap_note(n: int | None, compared: ControlledFairness | ControlledMeans, **_: str | None) -> str:
    """Return on how many of the test cases the gap is measured; empty where on all, or where a number is hidden."""
    if not compared.n_filtered_out or None in (n, compared.protected.n, compared.reference.n):
        return ""
    counted = Count(compared.protected.n + compared.reference.n)
    return say(Message("remedies-gap-rows", {"n": counted, "all": Count(sure(n))}))


def summary_note(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return on how many of the test cases the gaps of all models are measured; empty where on all."""
    return gap_note(facts.n_held_out, facts.decisions)
