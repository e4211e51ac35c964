"""What equalized distributions say of themselves where small gaps mean little."""

from __future__ import annotations

import numpy as np
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.remedies.equalize.fit import COLLAPSED, one_answer_warnings
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.study.rows import Study
from fairaudit.study.trying import iter_remedy


def test_scores_that_collapse_are_said_so():
    """Histograms alone are most alike where everyone has one score; gaps at all thresholds are not."""
    study = Study.of(as_loans(biased_loans(2400)), loans_plan(features=("rating", "weight")))
    remedy = EqualizePlan(distance="histogram", accuracy_weight=0.02)
    warnings = drained(iter_remedy(study, remedy)).finding.warnings
    assert COLLAPSED in warnings
    assert COLLAPSED not in drained(iter_remedy(study, EqualizePlan(max_iter=50))).finding.warnings


def test_nearly_one_answer_is_said_where_it_is_the_remedys_doing():
    before = np.arange(100) % 2
    nearly = np.arange(100) < 99
    assert "nearly everybody the good outcome" in one_answer_warnings(before, nearly.astype(int))[0]
    assert "nearly everybody the bad outcome" in one_answer_warnings(before, 1 - nearly)[0]
    assert not one_answer_warnings(before, (np.arange(100) < 97).astype(int))
    rare = (np.arange(100) < 3).astype(int)
    assert not one_answer_warnings(rare, 1 - nearly)
