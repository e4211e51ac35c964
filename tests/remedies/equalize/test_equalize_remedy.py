"""What equalized distributions say of themselves where small gaps mean little."""

from __future__ import annotations

from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.trying import iter_remedy
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.study.rows import Study


def test_scores_that_collapse_are_said_so():
    """Histograms alone are most alike where everyone has one score; gaps at all thresholds are not."""
    study = Study.of(as_loans(biased_loans(2400)), loans_plan(features=("rating", "weight")))
    remedy = EqualizePlan(distance="histogram", accuracy_weight=0.02)
    warnings = drained(iter_remedy(study, remedy)).finding.warnings
    collapsed = say(Message("equalize-collapsed"))
    assert collapsed in warnings
    assert collapsed not in drained(iter_remedy(study, EqualizePlan(max_iter=50))).finding.warnings
