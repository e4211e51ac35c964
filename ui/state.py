"""The audit of one session: what was chosen, kept while the person moves between pages."""

from __future__ import annotations

import gc
import uuid
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from fairaudit.data import ReadOptions, Table
from fairaudit.defaults import USUAL_POSITIVE, Positive
from fairaudit.errors import ConnectError, FairauditError, StoppedError, quote, require
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, NamesPlan
from fairaudit.plan.data import compare_data, record_data
from fairaudit.plan.measuring import MeasurePlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import (
    ABOUT_OPEN,
    ChangePlan,
    CheckPlan,
    ErrorsPlan,
    ExplanationPlan,
    InspectionPlan,
    SubgroupsPlan,
    limit_set,
)
from fairaudit.plan.roles import meaning_of, outcome_in_labels
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.sections.alternatives.plan import AlternativesPlan
from fairaudit.sections.rankings.plan import RankingsPlan
from fairaudit.sections.watch.plan import WatchPlan
from fairaudit.study.columns import remedy_columns
from fairaudit.study.findings import plan_key
from ui.carried import basis, forget_amount_tolerance, leave_remedies, move_conditions
from ui.entries import CheckEntry, FitRequest, Fitted, RemedyEntry, Search, settings_of
from ui.planned import plan_of, usable_forms
from ui.remedies.registry import page_of
from ui.runtime import activity
from ui.runtime.activity import ANSWERS
from ui.runtime.doors import browser_here
from ui.runtime.held_sessions import WORKS, hold_minutes
from ui.runtime.jobs import Job
from ui.session_audit import SessionAudit

KEY = "fairaudit_state"
_MEMO_ENTRIES = 64
_MOST_FITTED = 60

T = TypeVar("T")
OnGroup = TypeVar("OnGroup", bound=ChangePlan | ExplanationPlan | RankingsPlan | WatchPlan)


@dataclass
class AuditState(SessionAudit):
    """Everything a session knows, and what changes it."""

    def change_check(self, **values: Any) -> None:
        """Change fields of the selected question; questions about errors in the same population follow it.

        A title and a name for the protected group do not outlive what they were given to.
        """
        before = self.check
        after = before.model_copy(update=values)
        if after.protected != before.protected:
            after = after.model_copy(update={"protected_name": None, "others_name": None, "title": None})
        elif after.where != before.where:
            after = after.model_copy(update={"title": None})
        self.entry.plan = after
        follows = {"where": after.where, "tolerance": after.tolerance}
        self.errors = [e.model_copy(update=follows) if e.where == before.where else e for e in self.errors]

    def take_decision(self, decision: OutcomePlan | None) -> None:
        """Take a decision; the tolerance of an amount and the answers on the measure are those of its column alone."""
        if self.decision is not None and decision is not None and decision.column != self.decision.column:
            self.measure = None
        if decision is not None and not decision.kind.has_good_outcome:
            if self.amount_column not in ("", decision.column):
                forget_amount_tolerance(self)
            self.amount_column = decision.column
        self.decision = decision

    def take_measure(self, answers: MeasurePlan | None) -> None:
        """Take four answers about the measure, and what they say of remedies that decide by group."""
        said = None if answers is None else answers.group_use
        if said is not None or (answers is None and self.measure is not None):
            self.want_group(None if said is None else said == "yes")
        self.measure = answers

    def want_group(self, may_use_group: bool | None) -> None:
        """Say whether remedies may decide by group; None where that is open."""
        self.wanted = replace(self.wanted, may_use_group=may_use_group)
        if self.measure is not None:
            said = None if may_use_group is None else "yes" if may_use_group else "no"
            self.measure = self.measure.model_copy(update={"group_use": said})

    def call_positive(self, positive: Positive) -> None:
        """Call one of both outcomes positive in all that did so with the other; what a saved audit turned stays."""
        before, self.positive = self.positive, positive
        change = {"positive": positive}
        self.errors = [e.model_copy(update=change) if e.positive == before else e for e in self.errors]
        if self.models is not None and self.models.positive == before:
            self.models = self.models.model_copy(update=change)

    def remember(self, kind: str, key: object, make: Callable[[], T]) -> T:
        """Return what `make` gives, kept for this session, this data set and this key."""
        place = (kind, self.data_key, str(key))
        if place not in self.memo:
            while len(self.memo) >= _MEMO_ENTRIES:
                self.memo.pop(next(iter(self.memo)))
            with activity.noted(ANSWERS[kind]) if kind in ANSWERS else nullcontext():
                self.memo[place] = make()
        return self.memo[place]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was brought yet."""
        return self.table is None and self.opened_plan is None

    @property
    def is_unsaved(self) -> bool:
        """Whether work would be lost with this session: own data or fits, and a plan that was not saved."""
        plan = self.plan(fingerprint=False)
        is_own = bool(self.fitted) or self.opened_plan is None
        return plan is not None and is_own and plan.digest != self.saved

    def forget(self) -> None:
        """Forget everything and end what goes on, when the session has ended: the server may hold this for longer."""
        self.jobs.cancel_all()
        vars(self).update(vars(AuditState()))

    def put_table(self, table: Table, *, source: str, content: bytes | None = None, planned: bool = False) -> None:
        """Take a new table. Choices that fit it stay; ``dropped`` says which did not, and questions which conditions.

        `planned` says that these are the data of ``known_plan``, read as it says.
        """
        awaited, before, rested_on = self.data_awaited, self.table, basis(self)
        again, is_other = planned and self.opened_plan is not None and not awaited, False
        if self.table is not None and not again:
            is_other = (source, table.connection) != (self.source, self.table.connection)
            if is_other and not awaited and self.is_unsaved:
                self.replaced = self.recorded_plan()
            if not awaited:
                self.opened_plan = None
            if is_other:
                # A finished report of another table is never offered as one of this table.
                self._forget_words()
                self.made, self.suggested, self.published = None, set(), {}
        self.table = table
        self.source = source
        self.content = content
        self.asked_file = None
        self.read_as_planned = planned
        self.data_key = uuid.uuid4().hex
        self.memo.clear()
        self.jobs.cancel_all()
        self.fitted.clear()
        self.searched.clear()
        self.inferred.clear()
        self.study, self.known = None, ("", {})
        self.seconds, self.opened_second, self.asked_second = {}, "", None
        # The same rows read otherwise: columns that were chosen stay so.
        kept = {} if is_other else {role: name for role, name in self.begun.items() if name in (None, *table.columns)}
        self.begun, self.is_asking = kept, False
        self.meant.clear()
        if awaited and self.mismatch is None:
            self.put_plan(require(self.opened_plan))
        else:
            gone = move_conditions(self, require(before)) if is_other else ()
            self.fit()
            self.dropped += gone + leave_remedies(self, rested_on)

    def open_plan(self, plan: AuditPlan) -> None:
        """Take a saved audit: its choices now, and its data when they come."""
        self.opened_plan = self.known_plan = plan
        self.put_plan(plan)

    def put_plan(self, plan: AuditPlan) -> None:
        """Take the choices of a saved audit, as far as they fit the table that is there."""
        self.decision = plan.decision if plan.names_decision else None
        self.amount_column = "" if plan.decision.kind.has_good_outcome else plan.decision.column
        self.prediction = plan.prediction
        self.score = plan.score
        self.positive = plan.positive
        self.positive_is_said = plan.counts_positive or plan.positive != USUAL_POSITIVE
        self.take_measure(plan.measure)
        self.protected_columns = plan.protected_columns
        self.checks = [CheckEntry(check) for check in plan.checks] or [CheckEntry()]
        self.selected = 0
        for kind, asked in self.follow_ups.items():
            asked[:] = getattr(plan, kind)
        self.subgroups_draft = next(iter(plan.subgroups), None)
        self.alternatives_draft = next(iter(plan.alternatives), None)
        self.acted, self.found = next(((asked.acted, asked.found) for asked in plan.inspections), ("", ""))
        self.jobs.cancel_all()
        self.models = plan.models
        self.remedies = [RemedyEntry(remedy, by_hand=True) for remedy in plan.remedies]
        self.settings.clear()
        self.drafts.clear()
        self.begun.clear()
        self.presets = list(plan.presets)
        # Which question it is about stays, whatever is asked besides.
        self.report = plan.report.model_copy(update={"opens_with": plan.opens_with or "checks"})
        self.small_cells = plan.small_cells
        self.names = plan.names
        self.seed = plan.seed
        self.seal = plan.seal
        self.made = None
        self.left_out.clear()
        if self.table is not None:
            self.fit()

    def _forget_words(self) -> None:
        """Forget the titles, names and purpose that were written for other data."""
        self.report = self.report.model_copy(update={"title": None, "purpose": None})
        for entry in self.checks:
            entry.plan = entry.plan.model_copy(update={"title": None, "protected_name": None, "others_name": None})
        self.names = NamesPlan()
        self.take_measure(None)
        if self.models is not None:
            self.models = self.models.model_copy(update={"protected_name": None})

    def fit(self) -> None:
        """Leave out the choices that the table cannot meet, and say which. Conditions stay, to be corrected."""
        columns = self.present_table.columns
        dropped = []
        for name in ("decision", "prediction"):
            try:
                setattr(self, name, outcome_in_labels(getattr(self, name), self.present_table))
                if getattr(self, name) is not None:
                    with self.asking.raised():
                        meaning_of(self.present_table, getattr(self, name))
            except (ConnectError, StoppedError):
                # A database that does not answer says nothing about the choice.
                continue
            except FairauditError as error:
                dropped.append(error.message)
                setattr(self, name, None)
        if self.score is not None and (self.score.column not in columns or columns[self.score.column].kind != "number"):
            dropped.append(say(Message("moved-score", {"column": Phrase(quote(self.score.column))})))
            self.score = None
        checks = (entry.plan for entry in self.checks)
        parts: tuple[CheckPlan | SubgroupsPlan | ErrorsPlan, ...] = (*checks, *self.subgroups, *self.errors)
        used = {*self.protected_columns, *(self.models.by if self.models else ())}
        gone = used.union(*(part.named_columns for part in parts)) - columns.keys()
        dropped += [say(Message("moved-column", {"column": Phrase(quote(column))})) for column in sorted(gone)]
        self.protected_columns = _without(self.protected_columns, gone)
        uncut: set[str] = set()
        for entry in self.checks:
            compare = tuple(names for names in entry.plan.compare if not gone.intersection(names))
            strata = _without(entry.plan.strata, gone)
            there = {name: own for name, own in entry.plan.strata_cuts.items() if name in columns}
            cuts = {name: own for name, own in there.items() if columns[name].kind == "number"}
            uncut |= there.keys() - cuts.keys()
            entry.cuts_typed = {name: text for name, text in entry.cuts_typed.items() if name in strata}
            kept = {
                "compare": compare,
                "strata": strata,
                "strata_cuts": cuts,
                "similar_by": _without(entry.plan.similar_by, gone),
                "cluster": None if entry.plan.cluster in gone else entry.plan.cluster,
                "reference": entry.plan.reference if compare[:1] == entry.plan.compare[:1] else None,
            }
            if entry.plan.open_since in gone or self._condition_error(entry.plan.open_when or "") is not None:
                entry.plan = entry.plan.model_copy(update=ABOUT_OPEN)
            entry.plan = entry.plan.model_copy(update=kept)
        dropped += [
            say(Message("moved-bands", {"column": Phrase(quote(name)), "kind": Phrase(columns[name].kind)}))
            for name in sorted(uncut)
        ]
        for follow_ups in self.follow_ups.values():
            follow_ups[:] = [asked for asked in follow_ups if asked.named_columns <= columns.keys()]
        for name in ("acted", "found"):
            if (why := self._condition_error(getattr(self, name))) is not None:
                dropped.append(why)
                setattr(self, name, "")
        self.inspections = [asked for asked in self.inspections if self.can_ask(asked)]
        self.presets, unusable = usable_forms(self.presets, columns)
        dropped += unusable
        if self.models is not None:
            dropped += self._fit_models(gone)
        dropped += self._fit_constraints()
        self.dropped = tuple(dropped)

    def can_ask(self, asked: InspectionPlan) -> bool:
        """Say whether the columns and conditions of a question are those of the table."""
        conditions = (asked.acted, asked.found, asked.stopped, asked.veil and asked.veil.light)
        known = all(self._condition_error(text) is None for text in conditions if text)
        group = asked.group if len(asked.group) > 1 or self._condition_error(asked.group[0]) is not None else ()
        return known and {*asked.named_columns, *group} <= self.present_table.columns.keys()

    def _condition_error(self, text: str) -> str | None:
        """Return why a column or condition does not fit the table; None where it does, or nothing is said."""
        try:
            if text not in self.present_table.columns:
                self.present_table.condition(text)
        except FairauditError as error:
            return error.message
        return None

    def _fit_models(self, gone: set[str]) -> list[str]:
        """Leave out the features that the table lacks; return a sentence for each."""
        lost = tuple(name for name in self.present_models.features if name not in self.present_table.columns)
        features, by = _without(self.present_models.features, set(lost)), _without(self.present_models.by, gone)
        self.models = self.present_models.model_copy(update={"features": features, "by": by}) if features else None
        return [say(Message("moved-feature", {"column": Phrase(quote(column))})) for column in lost]

    def _fit_constraints(self) -> list[str]:
        """Leave out remedies whose constraints name columns that the table lacks; they stay in the form."""
        kept, dropped = [], []
        for entry in self.remedies:
            try:
                remedy_columns(self.present_table, [entry.plan])
                kept.append(entry)
            except FairauditError as error:
                dropped.append(error.message)
                self.settings.setdefault(settings_of(entry.plan.method), entry.plan)
        self.remedies = kept
        return dropped

    @property
    def study_key(self) -> str:
        """What the rows of all models depend on; a model fitted under another key is out of date."""
        # What columns stand in for the group changes no model.
        models = self.models and self.models.model_copy(update={"proxies": False})
        learned = (models, self._judged, self.score, self.protected_columns, self.seed)
        return repr((self.data_key, *learned, self._limit))

    @property
    def _limit(self) -> float | None:
        """The largest gap in amounts that the person set; None where none is, or shares are compared."""
        if self.models is None or self.decision is None or self.decision.kind.has_good_outcome:
            return None
        return limit_set([entry.plan for entry in self.checks], self.models)

    @property
    def _judged(self) -> OutcomePlan | None:
        """The decision without what only sentences depend on."""
        return self.decision and self.decision.model_copy(update={"is_outcome": None})

    def search_key(self, plan: SubgroupsPlan | InspectionPlan | AlternativesPlan) -> str:
        """Return what a search or another long question depends on: what was found under another key is out of date."""
        if isinstance(plan, AlternativesPlan):
            called = [(entry.plan.protected_name, entry.plan.others_name) for entry in self.checks]
            similar = [entry.plan.strata for entry in self.checks], [entry.plan.strata_cuts for entry in self.checks]
            asked = (plan, similar if plan.among_similar else None)
            return repr((self.study_key, self.prediction, self.decision, self.names, called, *asked))
        return repr((self.data_key, self._judged, self.prediction, self.score, self.positive, self.seed, plan))

    def find_fitted(self, plan: RemedyPlan) -> Fitted | None:
        """Return what was fitted last for this remedy, whatever its name; see :meth:`is_current`."""
        return self.fitted.get(plan_key(plan))

    def is_current(self, fitted: Fitted) -> bool:
        """Whether a remedy was fitted to the present rows with the present settings."""
        return fitted.study_key == self.study_key

    def find_current(self, plan: RemedyPlan) -> Fitted | None:
        """Return what was fitted for this remedy to the present rows; None where nothing was."""
        fitted = self.find_fitted(plan)
        return fitted if fitted is not None and self.is_current(fitted) else None

    def find_fit(self, plan: RemedyPlan) -> Job | None:
        """Return what fits this remedy to the present rows, or waits for that; None where nothing does."""
        fits = [
            job
            for job in self.jobs.active
            if isinstance(job.about, FitRequest) and job.about.study_key == self.study_key
        ]
        return next((job for job in fits if plan_key(job.about.plan) == plan_key(plan)), None)

    def find_entry(self, plan: RemedyPlan) -> RemedyEntry | None:
        """Return the entry of this remedy, whatever its name, where the person keeps it."""
        return next((entry for entry in self.remedies if plan_key(entry.plan) == plan_key(plan)), None)

    def keep(self, plan: RemedyPlan) -> RemedyEntry:
        """Keep a remedy, for the report at first; one that is kept stays as it is, with the new name if it has one.

        Where another one has its name, it gets a number, as no plan may hold a name twice.
        """
        entry = self.find_entry(plan)
        taken = {other.plan.name for other in self.remedies if other is not entry}
        if plan.name in taken - {None}:
            free = (f"{plan.name} ({number})" for number in count(2))
            plan = plan.model_copy(update={"name": next(name for name in free if name not in taken)})
        if entry is None:
            entry = RemedyEntry(plan)
            self.remedies.append(entry)
        elif plan.name is not None:
            entry.plan = plan
        return entry

    def leave(self, plan: RemedyPlan) -> None:
        """No longer keep a remedy; what was fitted is remembered."""
        self.remedies = [entry for entry in self.remedies if plan_key(entry.plan) != plan_key(plan)]

    @property
    def asked(self) -> str:
        """The settings that fits depend on, also those that are not right yet."""
        return repr((self.study_key, self.settings, self.drafts))

    def begin_pressed(self, page: str | None) -> None:
        """Begin what was pressed on another page than this one, if its settings are still those that were shown.

        If not, the press waits until its page is drawn.
        """
        pressed = self.pressed
        if pressed is not None and pressed.page != page and pressed.asked == self.asked:
            self.pressed = None
            pressed.begin()

    def take_results(self) -> tuple[Job, ...]:
        """Take what the jobs that have ended have fitted; return those jobs."""
        ended = self.jobs.take_ended()
        for job in ended:
            if isinstance(job.about, Search):
                if job.result is not None:
                    found = self.inferred if isinstance(job.about.plan, InspectionPlan) else self.searched
                    found[job.about.key] = job.result
                continue
            for candidate in job.result or ():
                self._take_candidate(Fitted(candidate, job.about.study_key, job.about.facts))
            if job.result and job.about.keep:
                self._keep_fitted(job.about.plan)
        return ended

    def _keep_fitted(self, plan: RemedyPlan) -> None:
        """Keep what was fitted; of several trees or rule sets only the last is for the report, unless a person says.

        Such searches are tried many times, and a report would describe each over pages.
        """
        if page_of(plan.method).is_search and self.find_entry(plan) is None:
            for entry in self.remedies:
                if entry.plan.method == plan.method and not entry.by_hand:
                    entry.in_report = False
        self.keep(plan)

    def _take_candidate(self, fitted: Fitted) -> None:
        key = plan_key(fitted.candidate.finding.plan)
        self.fitted.pop(key, None)
        kept = {plan_key(entry.plan) for entry in self.remedies}
        spare = [old for old in self.fitted if old not in kept]
        for old in spare[: max(0, len(self.fitted) + 1 - _MOST_FITTED)]:
            del self.fitted[old]
        self.fitted[key] = fitted

    @property
    def data_awaited(self) -> bool:
        """Whether a saved audit is open whose data are not there."""
        return self.opened_plan is not None and (self.table is None or self.mismatch is not None)

    @property
    def mismatch(self) -> str | None:
        """How the data differ from those of the saved audit that was opened, in words; None if they do not."""
        plan = self.opened_plan
        if plan is None or self.table is None:
            return None
        compared = self.remember(
            "mismatch", plan.digest, lambda: compare_data(plan, self.present_table, ignore_fingerprint=True)
        )
        return compared.mismatch

    def recorded_plan(self) -> AuditPlan | None:
        """Return the audit with a record of its data; without one where their database does not answer."""
        try:
            return self.plan()
        except (ConnectError, StoppedError):
            return self.plan(fingerprint=False)

    def plan(self, *, fingerprint: bool = True) -> AuditPlan | None:
        """Return the audit as a plan, see :func:`plan_of`; with a record of its data, unless that is not needed."""
        plan = plan_of(self)
        return record_data(plan, self.present_table) if fingerprint and plan is not None else plan

    def present_plan(self, *, fingerprint: bool = True) -> AuditPlan:
        """Return the audit as a plan, where there are data and something is asked of them."""
        return require(self.plan(fingerprint=fingerprint))

    @property
    def report_key(self) -> str:
        """What a report depends on; one that was made under another key is out of date."""
        plan = self.plan(fingerprint=False)
        return f"{'' if plan is None else plan.digest} {self.data_key}"

    @property
    def reading(self) -> ReadOptions:
        """How the present file was read."""
        return self.table.source.options if self.table is not None else ReadOptions()


def _without(columns: tuple[str, ...], gone: set[str]) -> tuple[str, ...]:
    return tuple(column for column in columns if column not in gone)


def with_question(questions: Sequence[OnGroup], new: OnGroup) -> list[OnGroup]:
    """Return questions with a new one, which takes the place of one on the same people and group."""
    return [*(each for each in questions if (each.where, each.protected) != (new.where, new.protected)), new]


def get_state() -> AuditState:
    """Return this session's audit: made on first use, or the one that its browser showed before it was loaded anew."""
    context = get_script_run_ctx()
    session = "" if context is None else context.session_id
    browser = browser_here() if hold_minutes() else ""
    found = WORKS.of_page(st.session_state.get(KEY), browser=browser, session=session)
    if found is None:
        # What people who are gone have left behind, such as fits that go on for nobody.
        gc.collect()
        found = AuditState(awaits_audit=WORKS.shows(browser))
    WORKS.begin(found, browser=browser, session=session)
    st.session_state[KEY] = found
    return found
