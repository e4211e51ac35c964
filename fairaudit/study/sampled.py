"""The rows of a study where the table stays in its engine: a sample, drawn there by protection and decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairaudit.conditions import Condition
from fairaudit.data.engines.sampling import SampledStratum
from fairaudit.data.engines.table import ConnectedTable
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.errors import InputError

if TYPE_CHECKING:
    from fairaudit.plan.audit_plan import AuditPlan
    from fairaudit.study.divided import ModelQuestion


@dataclass(frozen=True)
class SampleFacts:
    """How the rows of a study were drawn."""

    engine: str = setting('Where they were drawn, such as "PostgreSQL".')
    by: tuple[str, ...] = setting('What makes the strata: "protection", "decision" or both.')
    strata: tuple[SampledStratum, ...] = figure("How many rows of each were drawn; empty where that is hidden.")
    n_rows: int | None = figure("Rows drawn, and rows with a decision that there are; None where hidden.")
    n_population: int | None = figure(AS_ABOVE)
    seed: int = setting("Of the draw.")


def check_sample(table: Table, plan: AuditPlan) -> None:
    """Refuse remedies on rows that stay in their engine where nothing says how many to draw."""
    if table.connection is not None and plan.models is not None and plan.models.sample_rows is None:
        raise InputError(
            f"Remedies need rows to learn from, and those of this table stay in {table.connection.engine}.",
            hint="Say how many rows to draw: in the part 'models' of the plan, 'sample_rows', such as 20000.",
        )


def study_rows(
    table: Table, plan: AuditPlan, asked: ModelQuestion, by: Sequence[Condition]
) -> tuple[Table, SampleFacts | None, int]:
    """Return the table that models learn from: the table itself, or a sample of it where its rows stay elsewhere."""
    check_sample(table, plan)
    n_rows = None if plan.models is None else plan.models.sample_rows
    if n_rows is None or not isinstance(table, ConnectedTable):
        return table, None, 0
    decided = ~Condition.equals(asked.outcome, None, table.columns)
    if asked.of_outcome is not None:
        decided &= asked.of_outcome
    sample = table.sample(n_rows, by=by, seed=plan.seed % 2**32, where=decided)
    facts = SampleFacts(
        engine=table.connection.engine,
        by=("protection", "decision")[: len(by)],
        strata=sample.strata,
        n_rows=sample.n_rows,
        n_population=sample.n_population,
        seed=sample.seed,
    )
    return sample.table, facts, max(table.n_rows - sample.n_population, 0)
