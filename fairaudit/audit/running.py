"""Make a whole audit from a plan: the same plan and data give the same numbers, in a page or headless.

:func:`run` is the door; :func:`iter_run` does the same work and yields events on the way. The package binds
``fairaudit.run`` to the function; ``from fairaudit.audit.running import iter_run`` reaches this module all the same.
"""

from __future__ import annotations

import platform
from collections.abc import Generator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairaudit.audit.people import people_of
from fairaudit.audit.result import AuditResult
from fairaudit.audit.sources import Sources
from fairaudit.catalog import SECTIONS
from fairaudit.data.case_counts import refuse_partial
from fairaudit.data.given import as_table
from fairaudit.data.prepare import as_planned
from fairaudit.data.quality import quality_report
from fairaudit.data.table import Table
from fairaudit.errors import InputError, quote, require, too_little_memory
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.findings import Message
from fairaudit.measure.not_known import each_once
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import compare_data, open_data
from fairaudit.plan.roles import in_labels
from fairaudit.presets.filling import with_file_digests
from fairaudit.presets.recording import with_records
from fairaudit.processes import ONE_THREAD
from fairaudit.sections.section import LONG_STEPS
from fairaudit.study.sampled import check_sample
from fairaudit.version import __version__

if TYPE_CHECKING:
    from fairaudit.study.fitting import Candidate

SOFTWARE = ("duckdb", "pandas", "numpy", "scipy", "sqlglot", "scikit-learn", "pyscipopt", "pyswarms")


def run(
    plan: AuditPlan | str | Path,
    *,
    data: object = None,
    table: object = None,
    base: str | Path | None = None,
    ignore_fingerprint: bool = False,
    published: Sequence[AuditResult] = (),
) -> AuditResult:
    """Make every check of a plan and return what was found.

    Parameters
    ----------
    plan : AuditPlan, str or Path
        The whole audit as data, or the path of its file.
    data : Table, path, or frame of pandas, polars, Arrow or DuckDB, optional
        The data; without it ``plan.data.source`` is opened.
    table : Table, path, or frame of pandas, polars, Arrow or DuckDB, optional
        The same, by its name of old.
    base : str or Path, optional
        The folder that ``plan.data.source`` is relative to; without it that of the plan's file, or the working
        directory.
    ignore_fingerprint : bool
        Go on when the data are not those the plan was saved with. The result's ``data.mismatch`` then says so.
    published : sequence of AuditResult
        Audits of the same data that were published before with small counts hidden. What is exported of this one is
        hidden beside them, so that nothing follows from all together.

    Returns
    -------
    AuditResult
        The findings in the order of the plan, the facts about the data and the versions of the software.

    Raises
    ------
    PlanError
        If the file of the plan cannot be read or is not a plan.
    FingerprintError
        If the data are not those the plan was saved with, and `ignore_fingerprint` is False.
    DataError
        If the data cannot be opened.
    InputError
        If a condition, column or value of the plan does not fit the data.
    GroupError
        If the protected group or the rest is empty. Groups and strata that cannot be compared are named in the answer.
        Where the plan hides small counts, the message has none.
    LimitError
        If it needs more memory than there is.
    """
    if isinstance(plan, str | Path):
        path = Path(plan)
        plan, base = AuditPlan.load(path), path.parent if base is None else base
    if not isinstance(plan, AuditPlan):
        raise InputError(f"'plan' must be an AuditPlan or the path of its file, got {type(plan).__name__}.")
    if data is not None and table is not None:
        raise InputError("Give 'data' or 'table', which are the same, and not both.")
    given = table if data is None else data
    if isinstance(given, str | Path):
        given = open_data(plan, base=base, data=given)
    *_, last = iter_run(
        plan,
        table=None if given is None else as_table(given),
        base=base,
        ignore_fingerprint=ignore_fingerprint,
        published=published,
    )
    if not isinstance(last, Finished):
        raise TypeError("an audit that is not stopped ends with its result")
    return last.result


def iter_run(
    plan: AuditPlan,
    *,
    table: Table | None = None,
    base: str | Path | None = None,
    ignore_fingerprint: bool = False,
    known: Mapping[str, Candidate] | None = None,
    seconds: Mapping[str, Table] | None = None,
    published: Sequence[AuditResult] = (),
) -> Generator[Event, Command | None, None]:
    """Make every check of a plan, yielding `Started`, a `Progress` before each step, and `Finished` with the result.

    A search for multipliers yields an `Incumbent` after each fit, too. Parameters and errors are those of :func:`run`.
    `seconds` holds second tables of periods that are open already, by the names that the plan has for them.
    `known` holds remedies of this plan that were tried on these data already and need not be fitted again. `STOP` may
    be sent where there are remedies: while they are tried, see :func:`~fairaudit.audit.trying.iter_remedies`; before,
    it holds until then. Checks are made all the same.
    """
    try:
        yield from _steps(plan, table, known, Sources(base, seconds or {}, ignore_fingerprint), tuple(published))
    except MemoryError:
        raise too_little_memory() from None


def _steps(
    plan: AuditPlan,
    table: Table | None,
    known: Mapping[str, Candidate] | None,
    sources: Sources,
    published: tuple[AuditResult, ...],
) -> Generator[Event, Command | None, None]:
    steps = LONG_STEPS * len(plan.remedies)
    asked = sum(section.n_steps * section.n_asked(plan) for section in SECTIONS)
    total = 2 + asked + steps + plan.report.quality
    yield Started("Audit", total)
    stopped = (yield Progress("Reading the data", 0, total)) is STOP
    table = open_data(plan, base=sources.base) if table is None else as_table(table)
    table = as_planned(table, plan.data.options)
    if table.design is not None:
        _require_weights_taken(plan, table.design.weights)
    if table.partial_counts is not None:
        _require_partial_taken(plan, table)
    stopped |= (yield Progress("Comparing the data with the plan's record", 1, total)) is STOP
    # Of the plan as it was given: what it asks is then written in labels.
    changed = plan.changed_since_seal
    facts = compare_data(plan, table, ignore_fingerprint=sources.ignore_fingerprint)
    plan = as_run(plan, table, base=sources.base)
    if published and not plan.small_cells.beside:
        # Here, because the gate finds in the catalog how each kind of question is hidden.
        from fairaudit.disclosure.gate import with_published

        plan = with_published(plan, published)
    if plan.remedies:
        check_sample(table, plan)
    done = 2
    outcome = plan.decision.kind
    found: dict[str, tuple[Any, ...]] = {}
    for section in SECTIONS:
        of_kind = []
        for number in range(section.n_asked(plan)):
            with ONE_THREAD:
                for event in section.answer(table, plan, number, sources):
                    if isinstance(event, Progress):
                        within = min(section.n_steps * event.done // max(event.total, 1), section.n_steps)
                        stopped |= (yield Progress(event.what, done + within, total)) is STOP
                    elif isinstance(event, Finished):
                        of_kind.append(event.result)
            done += section.n_steps
        found[section.kind] = tuple(of_kind)
    remedies = None
    if plan.remedies:
        # Imported where it is needed: scikit-learn takes a second, which a check need not wait for.
        from fairaudit.audit.trying import iter_remedies
        from fairaudit.study.fitting import StagedRun

        events = iter_remedies(table, plan, known=known)
        remedies = yield from StagedRun(stopped=stopped).part(events, start=done, end=done + steps, total=total)
        done += steps
    quality = None
    if plan.report.quality:
        yield Progress("Looking at the quality of the data", done, total)
        column = plan.decision.column
        quality = quality_report(table, amount=None if outcome.has_good_outcome else column, decision=column)
    people = people_of(table, plan, found["presets"], beside=[require(each.people) for each in published])
    if plan.small_cells.mask:
        # Asked for now, while the rows are at hand.
        _ = people.counts
    findings: dict[str, Any] = {
        **found,
        "quality": quality,
        "people": people,
        "changed_since_seal": changed,
        "published": published,
        "not_known": each_once(
            part
            for section in SECTIONS
            if not section.has_own_not_known
            for one in found[section.kind]
            for part in one.not_known
        ),
    }
    findings[outcome.remedies] = remedies
    yield Finished(with_records(AuditResult(plan=plan, data=facts, versions=versions(), **findings)))


def as_run(plan: AuditPlan, table: Table, *, base: str | Path | None = None) -> AuditPlan:
    """Return a plan as its result holds it: conditions in labels, and digests of an office's own forms."""
    return with_file_digests(in_labels(plan, table), base=base)


def _require_weights_taken(plan: AuditPlan, weights: str) -> None:
    """Refuse a plan of which a part is not defined with sampling weights."""
    for section in SECTIONS:
        if section.n_asked(plan) and not section.takes_weights:
            raise InputError(
                f"{quote(_called(section.kind))} cannot be answered with the sampling weights in column "
                f"{quote(weights)}.",
                hint="Leave the weights out where each row is to count once, or do not ask this.",
            )


def _require_partial_taken(plan: AuditPlan, table: Table) -> None:
    """Refuse a plan of which a part is not defined where counts are rounded or hidden."""
    asked = [_called(each.kind) for each in SECTIONS if each.n_asked(plan) and not each.takes_partial_counts]
    if asked or plan.remedies:
        refuse_partial(table, (*asked, say(Message("question-name-remedies")))[0])


def _called(kind: str) -> str:
    """Return what pages and commands call a question."""
    return say(Message(f"question-name-{kind}"))


@cache
def versions() -> tuple[tuple[str, str], ...]:
    """Return names and versions of the software that computes the numbers."""
    own = (("fairaudit", __version__), ("python", platform.python_version()))
    return own + tuple((name, version(name)) for name in SOFTWARE)
