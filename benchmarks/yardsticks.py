"""Every remedy beside simple answers, on real tables and several divisions of their rows.

``python -m benchmarks.yardsticks`` makes each remedy as the app proposes it, without the protected columns, and prints
for each table the means over the divisions: how often it is right, its gap, the same of the best answer that costs
nothing and keeps the same limit, and in how many divisions little was gained, or such an answer was ahead.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.common import SEED, markdown, say, setting
from benchmarks.luskin_data import find
from fairaudit.audit.trying import iter_remedy
from fairaudit.data.table import Table
from fairaudit.events import Finished
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.sections.remedy.reading import better_simple_rule
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.rows import Study


@dataclass(frozen=True)
class Case:
    """A table, its decision and who is protected.

    Parameters
    ----------
    file : str
        In the folder of real data.
    decision, favorable : str
        The column of decisions and its good outcome.
    protected : str
        A condition.
    by : str
        The column of groups that constraints are about.
    left_out : tuple of str
        Columns that models do not learn from: those of protection, identifiers, and what gives the decision away.
    separator : str
        Between cells.
    """

    file: str
    decision: str
    favorable: str
    protected: str
    by: str
    left_out: tuple[str, ...]
    separator: str = ","


CASES = {
    "Adult": Case(
        "adult.csv.gz", "income", ">50K", "sex = 'Female'", "sex", ("sex", "race", "fnlwgt", "education", "split")
    ),
    "COMPAS": Case(
        "compas_two_years.csv.gz", "two_year_recid", "0", "race = 'African-American'", "race",
        ("race", "sex", "age_cat", "id", "c_charge_desc", "is_recid", "is_violent_recid", "decile_score", "score_text",
         "v_decile_score", "v_score_text"),
    ),
    "Bank": Case(
        "bank-additional-full.csv.gz", "y", "yes", "age < 25", "young", ("age", "young", "duration"), separator=";"
    ),
    "German": Case(
        "german_credit.csv", "credit_risk", "good", "sex = 'female'", "sex", ("sex", "age", "personal_status_sex")
    ),
}  # fmt: skip


def remedies(by: str, work: float) -> dict[str, RemedyPlan]:
    """Return each remedy as the app proposes it, with so many seconds of work for those that search."""
    return {
        "relabel": RelabelPlan(),
        "thresholds": ThresholdsPlan(),
        "equalize": EqualizePlan(),
        "constrain": ConstrainPlan(constraints=(f"demographic_parity by {by} <= 0.05",)),
        "rules": RulesPlan(time_limit=work),
        "trees": TreesPlan(time_limit=work),
    }


def study_of(case: Case, path: Path, work: float) -> Study:
    """Read a table, as the app would."""
    frame = pd.read_csv(path, sep=case.separator, na_values="?", skipinitialspace=True)
    frame = frame.astype({case.decision: str})
    if case.by == "young":
        frame["young"] = np.where(frame["age"] < 25, "yes", "no")
    if case.by == "race":
        frame = frame[frame["race"].isin(["African-American", "Caucasian"])].reset_index(drop=True)
    features = tuple(str(name) for name in frame.columns if name not in (*case.left_out, case.decision))
    plan = AuditPlan(
        data=DataPlan(source=case.file),
        decision=OutcomePlan(column=case.decision, favorable=(case.favorable,)),
        models=ModelsPlan(features=features, protected=case.protected),
        remedies=tuple(remedies(case.by, work).values()),
        seed=SEED,
    )
    table = Table.from_pandas(frame, unweighted=True)
    # Codes such as 999 stay what they are for the models.
    table.values_are_said = True
    return Study.of(table, plan)


def findings(study: Study, remedy: RemedyPlan, divisions: int) -> Iterator[RemedyFinding]:
    """Make a remedy on several divisions of the rows, each as the first one, which alone has simple answers."""
    for number in range(divisions):
        rows = study if number == 0 else replace(study.divided_again(number), number=0)
        *_, last = iter_remedy(rows, remedy)
        assert isinstance(last, Finished)
        yield last.result.finding


def row_of(table: str, method: str, found: list[RemedyFinding], seconds: float) -> tuple[str, ...]:
    """Return the means over divisions."""

    def mean(values: list[float]) -> float:
        # Few rows of a group leave a gap undefined.
        return float(pd.Series(values, dtype=float).mean())

    best = [next((rule for rule in each.yardsticks if rule.is_best), None) for each in found]
    kinds = [each.kind for each in best if each is not None]
    return (
        table,
        method,
        f"{mean([each.after.measure('accuracy').value for each in found]):.3f}",
        f"{mean([each.after.measure('balanced_accuracy').value for each in found]):.3f}",
        f"{mean([each.after.measure('gap').value for each in found]):.3f}",
        f"{mean([each.after.measure('odds_gap').value for each in found]):.3f}",
        max(set(kinds), key=kinds.count) if kinds else "none",
        f"{mean([each.measure('accuracy').value for each in best if each is not None]):.3f}",
        f"{mean([each.measure('gap').value for each in best if each is not None]):.3f}",
        f"{mean([each.measure('odds_gap').value for each in best if each is not None]):.3f}",
        f"{sum(map(bool, map(better_simple_rule, found)))} of {len(found)}",
        f"{sum(any(y.is_ahead for y in each.yardsticks) for each in found)}",
        f"{seconds / len(found):.1f}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--divisions", type=int, default=5)
    parser.add_argument("--work", type=float, default=10.0, help="seconds of work for rule sets and trees")
    parser.add_argument("--tables", nargs="+", choices=CASES, default=[*CASES])
    given = parser.parse_args()
    say(setting("scikit-learn", "pyscipopt"))
    heads = ("table", "remedy", "accuracy", "balanced", "gap", "odds gap", "best simple answer", "accuracy", "gap",
             "odds gap", "little gained", "ahead", "s")  # fmt: skip
    rows = []
    for name in given.tables:
        path = find(CASES[name].file)
        if path is None:
            say(f"{name}: the table is not there.")
            continue
        study = study_of(CASES[name], path, given.work)
        for method, remedy in remedies(CASES[name].by, given.work).items():
            start = time.perf_counter()
            found = list(findings(study, remedy, given.divisions))
            rows.append(row_of(name, method, found, time.perf_counter() - start))
    say(markdown(heads, rows))


if __name__ == "__main__":
    main()
