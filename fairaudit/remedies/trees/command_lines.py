"""What the command line prints of a tree."""

from __future__ import annotations

from fairaudit.remedies.trees.words import certificate_words, tree_lines, tree_texts
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts


def command_lines(finding: RemedyFinding, facts: StudyFacts) -> list[str]:
    """Return the tree, whether it keeps to what is allowed, and how far from optimal it can be, a line each."""
    return [f"  {line}" for line in tree_texts(finding.details, facts.positive_meaning)]


def amount_command_lines(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> list[str]:
    """Return a tree of amounts, and how far from optimal it can be, a line each."""
    details = finding.details
    return [f"  {line}" for line in (*tree_lines(details.nodes), certificate_words(details))]
