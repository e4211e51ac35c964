"""Try the remedies of a plan whose decision is an amount, and judge each on the same held-out rows."""

from __future__ import annotations

from collections.abc import Generator, Mapping

import pandas as pd

from fairaudit.data.table import Table
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.parts import Part
from fairaudit.plan.roles import uncounted
from fairaudit.remedies.registry import kind_of
from fairaudit.study.amounts.findings import AmountRemediesFinding
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.fitting import TOTAL, Candidate
from fairaudit.study.names import remedy_name
from fairaudit.study.trying import STUDY_STEPS, iter_each, known_models, search_key


def iter_amount_remedies(
    table: Table | pd.DataFrame, plan: AuditPlan, *, known: Mapping[str, Candidate] | None = None
) -> Generator[Event, Command | None, None]:
    """Try all remedies of a plan, one after the other.

    Send `STOP` to finish the remedy that is being made with its best so far, and leave out those after it.
    """
    total = STUDY_STEPS + TOTAL * len(plan.remedies)
    yield Started("Remedies", total)
    stopped = (yield Progress("Reading the rows", 0, total)) is STOP
    study = AmountStudy.of(table, plan)

    def make(remedy: Part, found: Mapping[str, Candidate]) -> Generator[Event, Command | None, None]:
        return iter_amount_remedy(study, remedy, known=found)

    findings, _ = yield from iter_each(plan, make, known=known, stopped=stopped)
    yield Finished(AmountRemediesFinding(study.facts, findings))


def iter_amount_remedy(
    study: AmountStudy, remedy: Part, *, known: Mapping[str, Candidate] | None = None
) -> Generator[Event, Command | None, None]:
    """Try one remedy: learn on the training rows, then judge on those that are held out.

    Send `STOP` to finish with the best so far.
    """
    name = remedy_name(remedy, amount=True)
    models = known_models(known)
    yield Started(name, TOTAL)
    with uncounted(study.plan):
        fit = kind_of(remedy).on_amounts.fit
        candidate = yield from fit(study, remedy, name, lambda plan: models.get(search_key(plan)))
    yield Finished(candidate)
