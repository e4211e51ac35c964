"""The audit of one session: what was chosen, kept while the person moves between pages."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from fairaudit.data import ReadOptions, Table
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

_KEY = "fairaudit_state"
_MEMO_ENTRIES = 64
T = TypeVar("T")


@dataclass
class CheckEntry:
    """One question of the audit, and whether its answer goes into the report."""

    plan: CheckPlan = field(default_factory=lambda: CheckPlan(protected=""))
    in_report: bool = True


@dataclass
class AuditState:
    """Everything a session knows. Nothing here is shared with another session.

    ``data_key`` changes with every load, so that whatever was made with earlier data can be told.
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
    suggested: set[str] = field(default_factory=set)
    undo: list[str] = field(default_factory=list)
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
        """Change fields of the selected question."""
        self.entry.plan = self.check.model_copy(update=values)

    def remember(self, kind: str, key: object, make: Callable[[], T]) -> T:
        """Return what `make` gives, kept for this session, this data set and this key."""
        place = (kind, self.data_key, str(key))
        if place not in self.memo:
            while len(self.memo) >= _MEMO_ENTRIES:
                self.memo.pop(next(iter(self.memo)))
            self.memo[place] = make()
        return self.memo[place]

    def put_table(self, table: Table, *, source: str, content: bytes | None = None) -> None:
        """Take a new table. Choices stay; what no longer fits is said where it is used."""
        self.table = table
        self.source = source
        self.content = content
        self.data_key = uuid.uuid4().hex
        self.memo.clear()
        self.decision = _if_present(self.decision, table)
        self.prediction = _if_present(self.prediction, table)
        self.score = _if_present(self.score, table)
        self.protected_columns = tuple(c for c in self.protected_columns if c in table.columns)
        self.errors = [e for e in self.errors if all(c in table.columns for c in e.by)]

    def put_plan(self, plan: AuditPlan) -> None:
        """Take the choices of a saved audit."""
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

    def plan(self, *, fingerprint: bool = True) -> AuditPlan | None:
        """Return the audit as a plan, or None while the data or the decision is missing."""
        if self.table is None or self.decision is None:
            return None
        data = DataPlan(
            source=self.source,
            name=self.table.name,
            fingerprint=self.table.fingerprint if fingerprint else None,
            n_rows=self.table.n_rows,
            columns=tuple(self.table.columns),
            reading=self.table.source.options,
        )
        return AuditPlan(
            data=data,
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

    @property
    def reading(self) -> ReadOptions:
        """How the present file was read."""
        return self.table.source.options if self.table is not None else ReadOptions()


def _if_present(role: T, table: Table) -> T | None:
    return role if role is not None and role.column in table.columns else None


def get_state() -> AuditState:
    """Return this session's audit, made on first use."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = AuditState()
    return st.session_state[_KEY]
