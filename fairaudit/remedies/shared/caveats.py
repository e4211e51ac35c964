"""What remedies need, what they do not do, and what makes their figures doubtful; shared by pages and report."""

from __future__ import annotations

from fairaudit.present import brief
from fairaudit.present.words import listed
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.learned_rows import learned_not_known_sentences
from fairaudit.study.cautions import STOPPED, was_stopped
from fairaudit.study.findings import RemedyFinding, StudyFacts

MOST_NAMED = 12


def needs_sentence(finding: RemedyFinding) -> str:
    """Return what must be known of a person when the model decides."""
    if getattr(finding.plan, "model", None) == "score":
        return "To decide, the score of a person is needed, and the group that the person belongs to."
    group = ", and the group that the person belongs to" if finding.needs_group else " only, not the group"
    return f"To decide, the model needs the features of a person{group}."


def remedy_caveats(finding: RemedyFinding, facts: StudyFacts) -> tuple[str, ...]:
    """Return what makes a remedy and its figures doubtful, what it does not do, and what it needs to decide."""
    texts = []
    kind = kind_of(finding.plan)
    if finding.needs_group:
        texts.append(
            "People with the same score are decided on differently by their group. That may be unlawful: ask counsel "
            "before it is used."
        )
    if was_stopped(finding) and not kind.says_stopped and STOPPED not in finding.warnings:
        texts.append("The fit was stopped by a person before its end; the best that was found until then is shown.")
    if finding.uses_protected_features and not kind.marks_proxies:
        # A constraint may name groups by a column that is not protected in the audit.
        names = f" ({_named(facts.protected_features)})" if facts.protected_features else ""
        texts.append(
            f"The features hold what protection or groups are made of{names}, so the model can decide by it. That may "
            "be unlawful, too."
        )
    texts += [text for text in finding.warnings if text]
    return (*texts, *kind.cautions(finding), needs_sentence(finding))


def study_caveats(
    facts: StudyFacts, *, several: bool, learned: bool = True, uses_groups: bool = False
) -> tuple[str, ...]:
    """Return what holds for all models of a study; a constraint of one of them may use columns of groups."""
    fitted = "The models learned, and were tuned," if learned else "Thresholds were chosen"
    texts = [
        f"{fitted} on rows other than the held-out ones that they are judged on. Where nothing else is said, "
        "figures come from one way to divide the rows, which follows from the seed and the order of the rows in the "
        "data; another one would give somewhat other figures. The intervals allow for chance among the held-out rows"
        f"{', not for chance in learning' if learned else ''}.",
        "The models learn from past decisions. Where these were wrong, a model that repeats them well is wrong, too."
        if learned
        else "Errors are counted against past decisions. Where these were wrong, what repeats them well is wrong, too.",
    ]
    if several:
        texts.append(
            "Whichever remedy looks best here is likely to do less well on other rows: the best of several looks "
            "better than it is."
        )
    if learned and not (facts.protected_features or uses_groups):
        texts.append(
            "No column that protection or groups are made of is among the features. Other columns may still stand in "
            "for it."
        )
    # Where nothing is fitted, rows are not learned from, but thresholds are chosen and judged on all of them, too.
    texts += learned_not_known_sentences(facts)
    return (*texts, *facts.warnings)


def _named(names: tuple[str, ...]) -> str:
    shown = [brief.short(name) for name in names[:MOST_NAMED]]
    return listed(shown + ([f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []))
