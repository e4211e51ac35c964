"""The audit of one session: what was chosen, kept while the person moves between pages."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from fairaudit.data import ReadOptions, Table
from fairaudit.errors import FairauditError, quote
from fairaudit.plan import (
    AuditPlan,
    CheckPlan,
    DataPlan,
    ErrorsPlan,
    OutcomePlan,
    ReportPlan,
    ScorePlan,
    SmallCellsPlan,
)
from fairaudit.plan_data import compare_data, record_data
from fairaudit.run import outcome_of

_KEY = "fairaudit_state"
_MEMO_ENTRIES = 64
T = TypeVar("T")


@dataclass
class CheckEntry:
    """One question of the audit, whether its answer goes into the report, and its earlier filters."""

    plan: CheckPlan = field(default_factory=lambda: CheckPlan(protected=""))
    in_report: bool = True
    undo: list[str] = field(default_factory=list)


@dataclass
class AuditState:
    """Everything a session knows. Nothing here is shared with another session.

    ``data_key`` changes with every load, so that whatever was made with earlier data can be told. ``opened_plan`` is
    a saved audit whose data are awaited or have come, until the person moves on to other data. ``dropped`` says which
    choices did not fit the data, ``refused`` why the file that was uploaded last could not be read.
    """

    table: Table | None = None
    data_key: str = ""
    source: str = ""
    content: bytes | None = None
    decision: OutcomePlan | None = None
    prediction: OutcomePlan | None = None
    score: ScorePlan | None = None
    protected_columns: tuple[str, ...] = ()
    checks: list[CheckEntry] = field(default_factory=lambda: [CheckEntry()])
    selected: int = 0
    errors: list[ErrorsPlan] = field(default_factory=list)
    errors_in_report: bool = True
    report: ReportPlan = field(default_factory=ReportPlan)
    small_cells: SmallCellsPlan = field(default_factory=SmallCellsPlan)
    seed: int = 0
    opened_plan: AuditPlan | None = None
    opened_file: str = ""
    opened_upload: str = ""
    refused: FairauditError | None = None
    dropped: tuple[str, ...] = ()
    suggested: set[str] = field(default_factory=set)
    most_points: float = 25.0
    made: Any = None
    memo: dict[tuple, Any] = field(default_factory=dict)

    @property
    def entry(self) -> CheckEntry:
        """The question that the pages Groups and Check work on."""
        return self.checks[self.selected]

    @property
    def check(self) -> CheckPlan:
        """The plan of the selected question."""
        return self.entry.plan

    def change_check(self, **values: Any) -> None:
        """Change fields of the selected question; questions about errors in the same population follow its filter.

        A title and a name for the protected group do not outlive what they were given to.
        """
        before = self.check
        after = before.model_copy(update=values)
        if after.protected != before.protected:
            after = after.model_copy(update={"protected_name": None, "title": None})
        elif after.where != before.where:
            after = after.model_copy(update={"title": None})
        self.entry.plan = after
        where = before.where
        self.errors = [e.model_copy(update={"where": after.where}) if e.where == where else e for e in self.errors]

    def remember(self, kind: str, key: object, make: Callable[[], T]) -> T:
        """Return what `make` gives, kept for this session, this data set and this key."""
        place = (kind, self.data_key, str(key))
        if place not in self.memo:
            while len(self.memo) >= _MEMO_ENTRIES:
                self.memo.pop(next(iter(self.memo)))
            self.memo[place] = make()
        return self.memo[place]

    def put_table(self, table: Table, *, source: str, content: bytes | None = None) -> None:
        """Take a new table. Choices that fit it stay; ``dropped`` says which did not."""
        if self.table is not None and self.mismatch is None:
            self.opened_plan = None
        if self.table is not None and source != self.source:
            self._forget_words()
        self.table = table
        self.source = source
        self.content = content
        self.data_key = uuid.uuid4().hex
        self.memo.clear()
        if self.opened_plan is not None and self.mismatch is None:
            self.put_plan(self.opened_plan)
        else:
            self.fit()

    def put_plan(self, plan: AuditPlan) -> None:
        """Take the choices of a saved audit, as far as they fit the table that is there."""
        self.decision = plan.decision
        self.prediction = plan.prediction
        self.score = plan.score
        self.protected_columns = plan.protected_columns
        self.checks = [CheckEntry(check) for check in plan.checks] or [CheckEntry()]
        self.selected = 0
        self.errors = list(plan.errors)
        self.report = plan.report
        self.small_cells = plan.small_cells
        self.seed = plan.seed
        self.made = None
        if self.table is not None:
            self.fit()

    def _forget_words(self) -> None:
        """Forget the titles, names and purpose that were written for other data."""
        self.report = self.report.model_copy(update={"title": None, "purpose": None})
        for entry in self.checks:
            entry.plan = entry.plan.model_copy(update={"title": None, "protected_name": None})

    def fit(self) -> None:
        """Leave out the choices that the table cannot meet, and say which. Conditions stay, to be corrected."""
        columns = self.table.columns
        dropped = []
        for name in ("decision", "prediction"):
            try:
                if getattr(self, name) is not None:
                    outcome_of(self.table, getattr(self, name))
            except FairauditError as error:
                dropped.append(error.message)
                setattr(self, name, None)
        if self.score is not None and (self.score.column not in columns or columns[self.score.column].kind != "number"):
            dropped.append(f"There is no column of numbers {quote(self.score.column)} for the score.")
            self.score = None
        used = [self.protected_columns, *(names for e in self.checks for names in (*e.plan.compare, e.plan.strata))]
        used += [e.by for e in self.errors]
        gone = {column for names in used for column in names if column not in columns}
        dropped += [f"There is no column {quote(column)} to compare by." for column in sorted(gone)]
        self.protected_columns = _without(self.protected_columns, gone)
        for entry in self.checks:
            compare = tuple(names for names in entry.plan.compare if not gone.intersection(names))
            kept = {"compare": compare, "strata": _without(entry.plan.strata, gone)}
            if compare[:1] != entry.plan.compare[:1]:
                kept["reference"] = None
            entry.plan = entry.plan.model_copy(update=kept)
        self.errors = [e for e in self.errors if not gone.intersection(e.by)]
        self.dropped = tuple(dropped)

    @property
    def mismatch(self) -> str | None:
        """How the data differ from those of the saved audit that was opened, in words; None if they do not."""
        plan = self.opened_plan
        if plan is None or self.table is None:
            return None
        compared = self.remember(
            "mismatch", plan.digest, lambda: compare_data(plan, self.table, ignore_fingerprint=True)
        )
        return compared.mismatch

    def plan(self, *, fingerprint: bool = True) -> AuditPlan | None:
        """Return the audit as a plan, or None while the data or the decision is missing."""
        if self.table is None or self.decision is None:
            return None
        plan = AuditPlan(
            data=DataPlan(source=self.source, name=self.table.name),
            decision=self.decision,
            prediction=self.prediction,
            score=self.score,
            protected_columns=self.protected_columns,
            checks=tuple(e.plan for e in self.checks if e.in_report and e.plan.protected),
            errors=tuple(self.errors) if self.errors_in_report else (),
            small_cells=self.small_cells,
            report=self.report,
            seed=self.seed,
        )
        return record_data(plan, self.table) if fingerprint else plan

    @property
    def reading(self) -> ReadOptions:
        """How the present file was read."""
        return self.table.source.options if self.table is not None else ReadOptions()


def _without(columns: tuple[str, ...], gone: set[str]) -> tuple[str, ...]:
    return tuple(column for column in columns if column not in gone)


def get_state() -> AuditState:
    """Return this session's audit, made on first use."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = AuditState()
    return st.session_state[_KEY]
