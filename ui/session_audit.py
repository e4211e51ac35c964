"""The audit of one session as it stands: what was chosen, brought and found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairaudit.catalog import SECTIONS
from fairaudit.data import Table
from fairaudit.defaults import USUAL_POSITIVE, Positive
from fairaudit.errors import FairauditError, require
from fairaudit.plan.audit_plan import WITHOUT_DECISION, AuditPlan, NamesPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.measuring import MeasurePlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ErrorsPlan, ExplanationPlan, InspectionPlan, SubgroupsPlan
from fairaudit.plan.sealing import SealPlan
from fairaudit.presets.plan import PresetPlan
from fairaudit.sections.alternatives.plan import AlternativesPlan
from fairaudit.sections.rankings.plan import RankingsPlan
from fairaudit.sections.watch.plan import WatchPlan
from ui.entries import AskedFile, CheckEntry, Fitted, Pressed, RemedyEntry, Wanted
from ui.runtime.jobs import Jobs
from ui.runtime.questions import AskingDatabase

if TYPE_CHECKING:
    from fairaudit.measure.inspections.results import ThresholdTest
    from fairaudit.report.verified import Verification
    from fairaudit.study.divided import DividedRows
    from fairaudit.study.fitting import Candidate


@dataclass
class SessionAudit:
    """Everything a session knows. Nothing here is shared with another session.

    ``data_key`` changes with every load, so that what was made with earlier data is known as such. ``opened_plan`` is
    a saved audit whose data are awaited or have come, until the person moves on to other data. ``known_plan`` is the
    last such audit also after that: it says how its file is read whenever that comes again, and ``read_as_planned``
    whether the present data were. ``saved`` is the digest of the plan that was saved last, ``replaced`` the audit of
    the table before, where it was not saved. ``dropped`` says which choices did not fit the data, ``refused`` why the
    file that was uploaded last could not be read, ``asked_file`` is one that waits for the person to say how.
    ``answered`` holds the protected groups whose answer was on the page Check, and ``wanted`` what remedies are chosen
    by. ``amount_column`` is the amount that tolerances in its unit are of. ``acted`` and ``found`` are the conditions
    under which a case was looked at, and something was found; empty while not said. ``begun`` holds the columns that
    were chosen for the decision and the prediction, also while their good outcome is not said, and ``meant`` what was
    said last of each such column, by role. ``left_out`` holds the kinds of questions, by their names in a plan, that
    are to stay out of the report. ``searched`` holds subgroups and alternatives found, ``inferred`` thresholds,
    by what they depend on.
    ``is_asking``: the page Data had open questions about the table when it was drawn last.
    ``published`` holds reports that were published before, as zips, by the digests of their audits.
    ``verified`` is what was found of the report that was checked last.
    ``awaits_audit``: another page of the browser showed an audit as this one began, perhaps this one before a reload.

    ``positive`` is the outcome that the audit calls so: the one proposed for its prediction and score, until the person
    has said it.

    ``models`` is what all models learn from, once the person has said so; ``remedies`` are those that they keep, and
    ``fitted`` what was fitted, by :func:`~fairaudit.study.findings.plan_key`, also with earlier settings. ``study``
    holds the rows of the last `study_key`, ``known`` the plain models that were fitted to them. ``settings`` are
    those that a remedy page offers, by method and what it is tried on, ``shown`` says by method whose result it shows,
    and ``drafts`` holds what other forms and rules changed by hand are now; ``pressed`` is a press on the button of a
    remedy page that has begun nothing yet.
    """

    table: Table | None = None
    data_key: str = ""
    source: str = ""
    content: bytes | None = None
    decision: OutcomePlan | None = None
    amount_column: str = ""
    prediction: OutcomePlan | None = None
    score: ScorePlan | None = None
    positive: Positive = USUAL_POSITIVE
    positive_is_said: bool = False
    measure: MeasurePlan | None = None
    protected_columns: tuple[str, ...] = ()
    checks: list[CheckEntry] = field(default_factory=lambda: [CheckEntry()])
    selected: int = 0
    errors: list[ErrorsPlan] = field(default_factory=list)
    subgroups: list[SubgroupsPlan] = field(default_factory=list)
    subgroups_draft: SubgroupsPlan | None = None
    subgroups_proposed: SubgroupsPlan | None = None
    searched: dict[str, Any] = field(default_factory=dict)
    explanations: list[ExplanationPlan] = field(default_factory=list)
    changes: list[ChangePlan] = field(default_factory=list)
    watches: list[WatchPlan] = field(default_factory=list)
    acted: str = ""
    found: str = ""
    begun: dict[str, str | None] = field(default_factory=dict)
    meant: dict[tuple[str, str], OutcomePlan] = field(default_factory=dict)
    inspections: list[InspectionPlan] = field(default_factory=list)
    rankings: list[RankingsPlan] = field(default_factory=list)
    alternatives: list[AlternativesPlan] = field(default_factory=list)
    alternatives_draft: AlternativesPlan | None = None
    left_out: set[str] = field(default_factory=set)
    inferred: dict[str, ThresholdTest] = field(default_factory=dict)
    seconds: dict[str, Table] = field(default_factory=dict)
    opened_second: str = ""
    asked_second: AskedFile | None = None
    models: ModelsPlan | None = None
    wanted: Wanted = field(default_factory=Wanted)
    remedies: list[RemedyEntry] = field(default_factory=list)
    presets: list[PresetPlan] = field(default_factory=list)
    fitted: dict[str, Fitted] = field(default_factory=dict)
    study: tuple[str, DividedRows] | None = None
    known: tuple[str, dict[str, Candidate]] = field(default_factory=lambda: ("", {}))
    settings: dict[tuple[str, str], Any] = field(default_factory=dict)
    drafts: dict[str, Any] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    pressed: Pressed | None = None
    jobs: Jobs = field(default_factory=Jobs)
    asking: AskingDatabase = field(default_factory=AskingDatabase)
    report: ReportPlan = field(default_factory=lambda: ReportPlan(opens_with="checks"))
    small_cells: SmallCellsPlan = field(default_factory=SmallCellsPlan)
    names: NamesPlan = field(default_factory=NamesPlan)
    seed: int = 0
    opened_plan: AuditPlan | None = None
    known_plan: AuditPlan | None = None
    read_as_planned: bool = False
    opened_file: str = ""
    opened_upload: str = ""
    refused: FairauditError | None = None
    asked_file: AskedFile | None = None
    dropped: tuple[str, ...] = ()
    replaced: AuditPlan | None = None
    suggested: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)
    most_points: float = 25.0
    made: Any = None
    seal: SealPlan | None = None
    published: dict[str, bytes] = field(default_factory=dict)
    verified: Verification | None = None
    verified_file: tuple[str, str] = ("", "")
    saved: str = ""
    awaits_audit: bool = False
    is_asking: bool = False
    memo: dict[tuple, Any] = field(default_factory=dict)

    @property
    def present_table(self) -> Table:
        """The table, where a page has ended that found none."""
        return require(self.table)

    @property
    def present_decision(self) -> OutcomePlan:
        """The decision, where a page has ended that found none."""
        return require(self.decision)

    @property
    def present_models(self) -> ModelsPlan:
        """What all models learn from, where a person has said so."""
        return require(self.models)

    @property
    def entry(self) -> CheckEntry:
        """The question that the pages Groups and Check work on."""
        return self.checks[self.selected]

    @property
    def check(self) -> CheckPlan:
        """The plan of the selected question."""
        return self.entry.plan

    @property
    def follow_ups(self) -> dict[str, list[Any]]:
        """The questions that are kept beside checks and forms, by their kind, in the order of the catalog.

        A session keeps those of each kind in a field of that name.
        """
        kinds = (section.kind for section in SECTIONS if section.kind not in ("checks", "presets"))
        return {kind: vars(self)[kind] for kind in kinds}

    @property
    def asked_without_decision(self) -> dict[str, tuple[Any, ...]]:
        """The questions of the audit for which no decision need be named, by their kind."""
        kept = {kind: tuple(vars(self)[kind]) for kind in WITHOUT_DECISION if kind not in self.left_out}
        return {kind: asked for kind, asked in kept.items() if asked}
