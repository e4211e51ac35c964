"""Rankings: what was found about who stands among the first of lists."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.disclosure.fields import figure, setting
from fairaudit.findings.names import Names
from fairaudit.findings.result import Result
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Plain
from fairaudit.measure.rankings import Rankings
from fairaudit.sections.rankings.plan import RankingsPlan


@dataclass(frozen=True, eq=False)
class RankingsFinding(Plain, Result):
    """The answer to one question about lists."""

    plan: RankingsPlan = setting("The question.")
    where_words: str | None = setting("The filter in plain English.")
    protected_words: str = setting("Who is protected, in plain English.")
    result: Rankings = figure("The answer.")
    names: Names = setting("What the groups are called.", in_json=False)

    @property
    def not_known(self) -> tuple[NotKnown, ...]:
        """Values of groups that say that something is not known."""
        return self.result.not_known
