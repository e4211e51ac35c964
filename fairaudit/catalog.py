"""All kinds of questions and of remedies, each in its order. A new one is imported and listed here."""

from __future__ import annotations

from typing import Any

from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.remedies.constrain.section import ConstrainSection
from fairaudit.remedies.equalize.section import EqualizeSection
from fairaudit.remedies.part import RemedyPart
from fairaudit.remedies.plain.section import AmountPlainSection, PlainSection
from fairaudit.remedies.relabel.section import RelabelSection
from fairaudit.remedies.rules.section import RulesSection
from fairaudit.remedies.section import AnyRemedy
from fairaudit.remedies.thresholds.section import ThresholdsSection
from fairaudit.remedies.trees.section import AmountTreesSection, TreesSection
from fairaudit.sections.alternatives.section import AlternativesSection
from fairaudit.sections.change.section import ChangeSection
from fairaudit.sections.check.section import CheckSection
from fairaudit.sections.errors.section import ErrorsSection
from fairaudit.sections.explain.section import ExplainSection
from fairaudit.sections.forms.section import FormsSection
from fairaudit.sections.rankings.section import RankingsSection
from fairaudit.sections.searches.section import SearchesSection
from fairaudit.sections.section import Section
from fairaudit.sections.watch.section import WatchSection
from fairaudit.sections.worst.section import WorstSection

SECTIONS: tuple[Section[Any], ...] = (
    CheckSection(),
    ErrorsSection(),
    WorstSection(),
    ExplainSection(),
    ChangeSection(),
    WatchSection(),
    SearchesSection(),
    RankingsSection(),
    AlternativesSection(),
    FormsSection(),
)
"""The kinds of questions, in the order of a report."""

REMEDIES: tuple[AnyRemedy, ...] = (
    PlainSection(),
    AmountPlainSection(),
    RelabelSection(),
    ThresholdsSection(),
    EqualizeSection(),
    ConstrainSection(),
    RulesSection(),
    TreesSection(),
    AmountTreesSection(),
)
"""The kinds of remedies, in the order in which they are offered."""


def remedies_on(outcome: OutcomeKind) -> tuple[AnyRemedy, ...]:
    """Return the kinds of remedies that can be tried on decisions of a kind."""
    return tuple(remedy for remedy in REMEDIES if remedy.outcome is outcome)


def remedy_of(plan: RemedyPart, outcome: OutcomeKind = SHARES) -> AnyRemedy:
    """Return what the kind of remedy that a part of a plan asks for does with decisions of a kind."""
    remedy = next((remedy for remedy in remedies_on(outcome) if isinstance(plan, remedy.plan)), None)
    if remedy is None:
        raise TypeError(f"{plan.method!r} cannot be tried on {outcome.name}")
    return remedy
