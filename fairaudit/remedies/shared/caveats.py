"""What makes a remedy and its figures doubtful; shared by pages and report."""

from __future__ import annotations

from fairaudit.errors import sure
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.results import ControlledFairness, ControlledMeans
from fairaudit.messages import say
from fairaudit.present import brief
from fairaudit.present.words import listed
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.learned_rows import learned_not_known_sentences
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts

MOST_NAMED = 5


def remedy_caveats(finding: RemedyFinding, facts: StudyFacts) -> tuple[str, ...]:
    """Return what makes a remedy doubtful, beside what its answer says: that it was stopped, or decides by group."""
    kind, texts = kind_of(finding.plan), []
    if finding.uses_protected_features and not kind.marks_proxies and facts.protected_features:
        names = facts.protected_features[:MOST_NAMED]
        texts.append(say(Message("remedies-shows-group", {"columns": Phrase(listed(list(map(brief.short, names))))})))
    texts += [text for text in finding.warnings if text]
    return (*texts, *kind.cautions(finding))


def study_caveats(facts: StudyFacts | AmountStudyFacts, *, several: bool, befores: int = 1) -> tuple[str, ...]:
    """Return what holds for all models of a study; `befores` is how many models they are compared with."""
    keys = ["remedies-read-tested"]
    keys += [] if facts.decision_is_outcome else ["remedies-read-past"]
    keys += ["remedies-read-befores"] if befores > 1 else []
    keys += ["remedies-read-several"] if several else []
    warnings = facts.warnings if isinstance(facts, StudyFacts) else ()
    return (*(say(Message(key)) for key in keys), *learned_not_known_sentences(facts), *warnings)


def gap_note(n: int | None, compared: ControlledFairness | ControlledMeans) -> str:
    """Return on how many of the test cases the gap is measured; empty where on all, or where a number is hidden."""
    if not compared.n_filtered_out or None in (n, compared.protected.n, compared.reference.n):
        return ""
    counted = Count(compared.protected.n + compared.reference.n)
    return say(Message("remedies-gap-rows", {"n": counted, "all": Count(sure(n))}))


def summary_note(facts: StudyFacts | AmountStudyFacts) -> str:
    """Return on how many of the test cases the gaps of all models are measured; empty where on all."""
    return gap_note(facts.n_held_out, facts.decisions)
