"""What the command line prints of a model that was trained to meet constraints."""

from __future__ import annotations

from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.study.findings import RemedyFinding, StudyFacts


def command_lines(finding: RemedyFinding, facts: StudyFacts) -> list[str]:
    """Return in one line how many constraints are met; nothing of what is hidden."""
    details = finding.details
    if details.n_pairs_within is None:
        return []
    counts = {"n": Count(details.n_pairs_within), "all": Count(details.n_pairs)}
    return [say(Message("constrain-command-line", {"name": Phrase(finding.name), **counts}))]
