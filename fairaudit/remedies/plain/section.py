"""What a model without any remedy does, for shares and for amounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairaudit.outcomes import AMOUNTS
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.section import RemedySection

if TYPE_CHECKING:
    from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
    from fairaudit.study.amounts.rows import AmountStudy
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study


class PlainSection(RemedySection[PlainPlan, "RemedyFinding", "StudyFacts"]):
    """A model without any remedy."""

    plan = PlainPlan

    def fit(self, study: Study, plan: PlainPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.plain.fit import iter_plain

        return iter_plain(study, plan, name, known)

    def name(self, plan: PlainPlan) -> str:
        from fairaudit.remedies.plain.words import plain_name

        return plain_name(plan)

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        from fairaudit.remedies.plain.words import done_sentences

        return done_sentences(finding)


class AmountPlainSection(RemedySection[PlainPlan, "AmountRemedyFinding", "AmountStudyFacts"]):
    """A model of amounts without any remedy."""

    plan = PlainPlan
    outcome = AMOUNTS

    def fit(self, study: AmountStudy, plan: PlainPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.plain.fit import iter_amount_plain

        return iter_amount_plain(study, plan, name, known)

    def name(self, plan: PlainPlan) -> str:
        from fairaudit.remedies.plain.words import amount_plain_name

        return amount_plain_name(plan)

    def done(self, finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
        from fairaudit.remedies.plain.words import amount_done_sentences

        return amount_done_sentences(finding)
