"""What a kind of question beside the checks is: one frozen object that names all that is particular to it."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.late import Late


@dataclass(frozen=True, kw_only=True)
class FollowUp:
    """All that is particular to a kind of question beside the checks.

    Parameters
    ----------
    name : str
        The list of these questions in a plan, and of the answers in an `AuditResult`.
    covers : str
        What they are about, for a report without checks: "the worst-hit subgroups".
    answer : Late
        ``(table, plan, question, sources)`` -> a generator of events, of which the last holds the answer.
    hide : Late
        Answer -> what of it may leave where small counts are hidden.
    tables, blocks : Late
        ``(answer, number)`` -> all its tables; its chapter of the report.
    annex : Late, optional
        ``(answer, number)`` -> its annex of the report.
    annex_title : str
        What that is called.
    line : Late
        Answer -> what `run` prints of it.
    """

    name: str
    covers: str
    answer: Late
    hide: Late
    tables: Late
    blocks: Late
    line: Late
    annex: Late | None = None
    annex_title: str = ""
