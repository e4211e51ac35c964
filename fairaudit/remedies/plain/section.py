"""What a model without any remedy does, for shares and for amounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS
from fairaudit.plan.parts import as_part
from fairaudit.present import naming
from fairaudit.present.numbers import number_text
from fairaudit.remedies.plain.plan import LEARNER_WORDS, PlainPlan, plain_words
from fairaudit.remedies.section import RemedySection

if TYPE_CHECKING:
    from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
    from fairaudit.study.amounts.rows import AmountStudy
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study


class AnyPlainSection(RemedySection[PlainPlan, "RemedyFinding | AmountRemedyFinding", "StudyFacts | AmountStudyFacts"]):
    """A model without any remedy, of decisions of either kind."""

    plan = PlainPlan

    def name(self, plan: PlainPlan) -> str:
        """Return the name of such a model.

        Examples
        --------
        >>> PlainSection().name(PlainPlan())
        'Model without the remedy, logistic regression'
        >>> PlainSection().name(PlainPlan(threshold=0.43))
        'Model without the remedy, logistic regression, threshold 0.430 for everybody'
        >>> AmountPlainSection().name(PlainPlan(model="median"))
        'Model without the remedy, the median for everybody'
        """
        at = "" if plan.threshold is None else f", threshold {number_text(plan.threshold, digits=3)} for everybody"
        return f"{naming.capital(plain_words(plan.model))}{at}"

    def done(self, finding: RemedyFinding | AmountRemedyFinding, facts: StudyFacts | AmountStudyFacts) -> str:
        plan = as_part(finding.plan, PlainPlan)
        said = [Message("plain-made", {"model": Phrase(LEARNER_WORDS[plan.model])})]
        if plan.threshold is not None:
            said.append(Message("plain-made-cut", {"threshold": Phrase(number_text(plan.threshold, digits=3))}))
        return say(said)


class PlainSection(AnyPlainSection):
    """A model without any remedy."""

    def fit(self, study: Study, plan: PlainPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.plain.fit import iter_plain

        return iter_plain(study, plan, name, known)


class AmountPlainSection(AnyPlainSection):
    """A model of amounts without any remedy."""

    outcome = AMOUNTS

    def fit(self, study: AmountStudy, plan: PlainPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.plain.fit import iter_amount_plain

        return iter_amount_plain(study, plan, name, known)
