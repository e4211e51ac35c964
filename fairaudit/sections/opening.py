"""A finding as the first pages of a report have it."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.findings import Argument, Said
from fairaudit.messages import say, say_verdicts
from fairaudit.present.blocks import Chart

UNSAID = ("not_shown", "nothing_to_compare")

SHORT = 2
"""So many sentences are said below the title where there is more than one question."""


@dataclass(frozen=True)
class Opening:
    """A finding as the first pages of a report have it.

    Parameters
    ----------
    kind : str
        The field of an `AuditResult` that holds the finding.
    title : str
        What was asked, or of whom, in a few words.
    verdict, headline : str
        What came out, in a few words and in a sentence.
    lead : tuple of str
        The sentences below it.
    brief : tuple of str
        Those of them that stand where other answers follow: both figures, and what happens among similar cases.
    caution : str
        The one caution, which changes what the reader does; empty without one.
    short : str
        The one sentence for where there is room for no other.
    counts, likely : str
        How many were compared; how large the gap is and may be.
    chart : Chart, optional
        The picture of the finding.
    row : Chart, optional
        The same in one line, for beside words.
    rows : tuple of tuple of str
        Who was compared, the gap and its range exactly, and the verdict: one, or one for either error.
    next_step : str
        What to do after it.
    limit : Argument, optional
        The tolerance by which it is judged; None where that is the one of the first check.
    is_shown : bool
        Whether small counts leave anything of it to be said.
    """

    kind: str
    title: str
    verdict: str
    headline: str
    lead: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    caution: str = ""
    short: str = ""
    counts: str = ""
    likely: str = ""
    chart: Chart | None = None
    row: Chart | None = None
    rows: tuple[tuple[str, str, str, str], ...] = ()
    next_step: str = ""
    limit: Argument | None = None
    is_shown: bool = True


def opening_of(
    kind: str,
    title: str,
    said: Said,
    *,
    next_step: str = "",
    short: str | None = None,
    brief: tuple[str, ...] | None = None,
    counts: str = "",
    likely: str = "",
    chart: Chart | None = None,
    row: Chart | None = None,
    rows: tuple[tuple[str, str, str, str], ...] = (),
    limit: Argument | None = None,
) -> Opening:
    """Return what a finding of a kind comes to, from what is said of it."""
    lead, headline = tuple(map(say, said.lead)), say(said.headline)
    return Opening(
        kind,
        title,
        say_verdicts(said),
        headline,
        lead,
        brief=lead[:SHORT] if brief is None else brief,
        caution=next((say(each) for each in (*said.lead, *said.caution) if each.severity == "caution"), ""),
        short=f"{headline}." if short is None else short,
        counts=counts,
        likely=likely,
        chart=chart,
        row=row,
        rows=rows,
        next_step=next_step,
        limit=limit,
        is_shown=said.verdict.key != "verdict-not-shown",
    )
