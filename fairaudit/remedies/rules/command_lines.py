"""What the command line prints of a rule set."""

from __future__ import annotations

from fairaudit.measure.limits import exceeds
from fairaudit.present.numbers import are_known
from fairaudit.remedies.rules.words import certificate_words, rule_sentences, rule_set_words
from fairaudit.study.findings import RemedyFinding, StudyFacts


def command_lines(finding: RemedyFinding, facts: StudyFacts) -> list[str]:
    """Return the rules, whether they keep to what is allowed, and how far from optimal they can be, a line each."""
    details = finding.details
    verdict = [f"complexity {details.complexity} of {details.max_complexity}"]
    if len(details.gaps):
        if are_known(details.trained_gap):
            allowed = details.max_difference if details.status == "chosen" else details.trained_difference
            kept = "beyond" if exceeds(details.trained_gap, allowed) else "within"
            verdict.append(f"{kept} what is allowed on the training rows")
        n_within = int(details.gaps["reading"].str.startswith("within").sum())
        verdict.append(f"{n_within:,} of {len(details.gaps):,} gaps within it on held-out rows")
    lines = [
        rule_set_words(details, positive_meaning=facts.positive_meaning),
        *rule_sentences(details),
        ", ".join(verdict),
        certificate_words(details),
    ]
    return [f"  {line}" for line in lines]
