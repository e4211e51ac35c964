"""What a model without any remedy does, for shares and for amounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS
from fairaudit.plan.parts import as_part
from fairaudit.present import naming
from fairaudit.present.numbers import number_text
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
        """Return the name of such a model.

        Examples
        --------
        >>> PlainSection().name(PlainPlan())
        'Model without the remedy, logistic regression'
        >>> PlainSection().name(PlainPlan(threshold=0.43))
        'Model without the remedy, logistic regression, threshold 0.430 for everybody'
        """
        from fairaudit.remedies.plain.words import plain_words

        at = "" if plan.threshold is None else f", threshold {number_text(plan.threshold, digits=3)} for everybody"
        return f"{naming.capital(plain_words(plan.model))}{at}"

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        from fairaudit.plan.models import MODEL_WORDS

        plan = as_part(finding.plan, PlainPlan)
        said = [Message("plain-made", {"model": Phrase(MODEL_WORDS[plan.model])})]
        if plan.threshold is not None:
            said.append(Message("plain-made-cut", {"threshold": Phrase(number_text(plan.threshold, digits=3))}))
        return say(said)


class AmountPlainSection(RemedySection[PlainPlan, "AmountRemedyFinding", "AmountStudyFacts"]):
    """A model of amounts without any remedy."""

    plan = PlainPlan
    outcome = AMOUNTS

    def fit(self, study: AmountStudy, plan: PlainPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.plain.fit import iter_amount_plain

        return iter_amount_plain(study, plan, name, known)

    def name(self, plan: PlainPlan) -> str:
        """Return the name of such a model.

        Examples
        --------
        >>> AmountPlainSection().name(PlainPlan(model="median"))
        'Model without the remedy, the median for everybody'
        """
        from fairaudit.remedies.plain.words import plain_words

        return naming.capital(plain_words(plan.model))

    def done(self, finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
        from fairaudit.remedies.plain.words import AMOUNT_MODEL_WORDS

        plan = as_part(finding.plan, PlainPlan)
        return say(Message("plain-made", {"model": Phrase(AMOUNT_MODEL_WORDS[plan.model])}))
