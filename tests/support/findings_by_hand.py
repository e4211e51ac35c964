"""Findings made from counts, without a table: what a run would return for them."""

from __future__ import annotations

import dataclasses

import pandas as pd

from fairaudit.audit.result import CheckFinding
from fairaudit.findings import Group, Phrase
from fairaudit.findings.names import Names
from fairaudit.measure import check_strata
from fairaudit.measure.comparison import compare_counts
from fairaudit.measure.results import ControlledFairness
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan

ADULT = (623, 1945, 6132, 13827)


def fairness(
    positives_p, n_p, positives_r, n_r, *, unknown=0, undecided=(0, 0), filtered_out=0, where=None, tolerance=0.05
) -> ControlledFairness:
    names = ("race <> 'White'", "the rest")
    comparison = compare_counts(
        positives_p, n_p, positives_r, n_r, names=names, undecided=undecided, tolerance=tolerance
    )
    values = {f.name: getattr(comparison, f.name) for f in dataclasses.fields(comparison)}
    return ControlledFairness(
        **values,
        decision="income",
        favorable="income is >50K",
        protected_condition="race <> 'White'",
        where=where,
        n_population=n_p + n_r + unknown + sum(undecided),
        n_filtered_out=filtered_out,
        unknown=unknown,
        undecided=sum(undecided),
    )


def finding(*counts, where="education_num > 10", groups=(), strata=None, plan=None, **options) -> CheckFinding:
    plan = plan or CheckPlan(protected="race <> 'White'", where=where)
    return CheckFinding(
        plan=plan,
        decision=OutcomePlan(column="income", favorable=(">50K",)),
        meaning="income is >50K",
        result=fairness(*counts, where=where, **options),
        groups=groups,
        strata=strata,
        where_words=None if where is None else "education_num is more than 10",
        protected_words="race is not White",
        sql="SELECT count(*) FROM data",
        names=Names(
            protected=Group(plan.protected_name or "people who are not white"),
            others=Group(plan.others_name),
            verb=Phrase("earned more than 50K"),
            similar=Phrase("in the same strata") if strata else None,
        ),
    )


SIDES = (("p", "yes"), ("p", "no"), ("r", "yes"), ("r", "no"))


def stratified(cells, **options) -> CheckFinding:
    """Return a finding of (area, protected with, without, others with, without the good outcome)."""
    data = pd.DataFrame(
        [(area, who, got) for area, *counts in cells for (who, got), n in zip(SIDES, counts, strict=True)
         for _ in range(n)],
        columns=["area", "race", "income"],
    )  # fmt: skip
    strata = check_strata(data, decision="income", favorable="yes", protected="race = 'p'", strata="area")
    p, r = strata.pooled.protected, strata.pooled.reference
    return finding(p.positives, p.n, r.positives, r.n, strata=strata, **options)
