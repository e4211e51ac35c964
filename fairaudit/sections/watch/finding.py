"""Watching a gap: what was found."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.disclosure.fields import figure, setting
from fairaudit.findings.names import Names
from fairaudit.findings.result import Result
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Plain
from fairaudit.measure.watching import GapWatch
from fairaudit.sections.watch.plan import WatchPlan


@dataclass(frozen=True, eq=False)
class WatchFinding(Plain, Result):
    """The answer to one question that watches a gap."""

    plan: WatchPlan = setting("The question.")
    meaning: str = setting("The favourable result in words.")
    where_words: str | None = setting("The filter in plain English.")
    protected_words: str = setting("Who is protected, in plain English.")
    names: Names = setting("What groups and decision are called in sentences.", in_json=False)
    result: GapWatch = figure("What was found.")

    @property
    def not_known(self) -> tuple[NotKnown, ...]:
        """Values of groups and decision that say that something is not known."""
        return self.result.not_known
