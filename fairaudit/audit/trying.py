"""Try the remedies of a plan and judge each, before and after, on the same held-out rows, inside strata too."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.catalog import remedy_of
from fairaudit.data.engine import unused_name
from fairaudit.data.table import Table, table_of_read_rows
from fairaudit.disclosure.said import remark
from fairaudit.errors import FairauditError, StoppedError, require
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.measure.mean_strata import check_mean_strata
from fairaudit.measure.results import Stratified
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.roles import uncounted
from fairaudit.remedies.part import RemedyPart
from fairaudit.study.amounts.findings import AmountRemediesFinding
from fairaudit.study.cautions import was_stopped
from fairaudit.study.divided import DividedRows, StrataRows
from fairaudit.study.findings import RemediesFinding, plan_key
from fairaudit.study.fitting import TOTAL, Candidate, StagedRun
from fairaudit.study.hit_groups import hit_groups
from fairaudit.study.judging.results import DIVISIONS, STRATA, WithinStrata
from fairaudit.study.proposing import feature_proxies
from fairaudit.study.reading import study_of

# The gap that a remedy leaves inside the strata of a question: like cases compared with like, on held-out rows.


def within_strata(study: DividedRows, candidate: Candidate) -> WithinStrata | None:
    """Return the gap that a remedy leaves inside the strata of a question; None where there is no such question.

    What it was fitted and judged with does not depend on the strata, so this can be asked anew at any time.
    """
    strata, before, after = study.inside, candidate.before, candidate.prediction
    if strata is None or before is None or len(after) != len(study.split.held_out):
        return None
    decisions = study.y[study.split.held_out]
    reference = before if study.facts.decision_is_outcome else decisions
    try:
        decided, was, now = (_inside(study, strata, values) for values in (decisions, before, after))
        frame, asked = _asked(study, strata, np.asarray(after, dtype=float) - np.asarray(reference, dtype=float))
        # Only the interval is used, so any tolerance will do.
        moved = check_mean_strata(frame, tolerance=1.0, **asked)
    except FairauditError:
        # That there are too many strata, say, the question itself says: no remedy goes for it.
        return None
    rows = [
        (
            one.name,
            one.comparison.protected.n,
            one.comparison.reference.n,
            one.difference,
            other.difference,
            last.difference,
            *last.comparison.difference_interval,
        )
        for one, other, last in zip(decided.strata, was.strata, now.strata, strict=True)
    ]
    return WithinStrata(
        columns=decided.columns,
        cut=tuple(strata.cuts),
        decisions=decided.common_difference,
        before=was.common_difference,
        after=now.common_difference,
        decisions_interval=decided.common_difference_interval,
        before_interval=was.common_difference_interval,
        after_interval=now.common_difference_interval,
        change=moved.common_difference,
        change_interval=moved.common_difference_interval,
        tolerance=now.pooled.tolerance,
        strata=pd.DataFrame.from_records(rows, columns=list(STRATA)),
    )


def _inside(study: DividedRows, strata: StrataRows, values: NDArray[np.generic]) -> Stratified:
    """Compare what is decided or predicted for the held-out rows inside the strata.

    Shapes: `values` (n_held_out,).
    """
    frame, asked = _asked(study, strata, values)
    return study.compared_inside(frame, **asked)


def _asked(study: DividedRows, strata: StrataRows, values: NDArray[np.generic]) -> tuple[Table, dict[str, Any]]:
    """Return held-out rows with these values, and what to ask of them: which columns hold what.

    What values mean was asked when they were read, and a difference of -1 is one.
    """
    held = study.split.held_out
    rows = strata.columns.iloc[held].reset_index(drop=True)
    value, protected, looked_at = (unused_name(name, rows.columns) for name in ("value", "protected", "looked_at"))
    sides = {protected: study.protected[held].astype(np.int64), looked_at: study.population[held].astype(np.int64)}
    asked = {
        "decision": value,
        "protected": f"{protected} = 1",
        "where": f"{looked_at} = 1",
        "strata": tuple(strata.columns),
        "strata_cuts": strata.cuts,
        "confidence": study.models.confidence,
    }
    return table_of_read_rows(rows.assign(**{value: values}, **sides)), asked


Made = dict[int, dict[str, Candidate]]
"""What was made on each of the other divisions of the rows, by its ``plan_key``."""

STUDY_STEPS = 5
"""Steps that reading the rows is counted in, beside `TOTAL` for each remedy."""


def remedy_name(remedy: RemedyPart, outcome: OutcomeKind = SHARES) -> str:
    """Return what a remedy is called where it is tried on decisions of a kind."""
    if remedy.name:
        return remedy.name
    name = remedy_of(remedy, outcome).name(remedy)
    if getattr(remedy, "strata", ()):
        name = say(Message("similar-name", {"name": Phrase(name)}))
    if (confidence := getattr(remedy, "confidence", None)) is not None:
        sure: dict[str, Argument] = {"name": Phrase(name), "confidence": Phrase(f"{100 * confidence:.6g}%")}
        return say(Message("remedy-name-for-new-people", sure))
    wish = ", no group worse off" if getattr(remedy, "no_group_worse_off", False) else ""
    return f"{name}{wish}"


def search_key(remedy: RemedyPart) -> str:
    """Return a text that is the same for remedies whose models come from one search, whatever is picked from it.

    Examples
    --------
    >>> from fairaudit.remedies.constrain.plan import ConstrainPlan
    >>> tight, wide = (ConstrainPlan(constraints=("fpr by sex <= 0.05",), scale=scale) for scale in (1, 3))
    >>> search_key(tight) == search_key(wide) == plan_key(tight)
    True
    """
    return plan_key(remedy.search_plan())


def iter_remedy(
    study: DividedRows, remedy: RemedyPart, *, known: Mapping[str, Candidate] | None = None
) -> Generator[Event, Command | None, None]:
    """Try one remedy: learn and choose on the rows that are not held out, then judge on those that are.

    Send `STOP` to finish with the best so far.
    """
    outcome = study.plan.decision.kind
    name = remedy_name(remedy, outcome)
    models = _known_models(known)
    yield Started(name, TOTAL)
    with uncounted(study.plan):
        fit = remedy_of(remedy, outcome).fit(study, remedy, name, lambda plan: models.get(search_key(plan)))
        candidate = yield from fit
    yield Finished(candidate)


def lacks_divisions(finding: Any, n: int) -> bool:
    """Whether a remedy was judged on one division of the rows where `n` are asked for."""
    return n > 1 and bool(finding.changes) and finding.divisions is None


def iter_divisions(study: DividedRows, candidate: Candidate, made: Made) -> Generator[Event, Command | None, None]:
    """Try a remedy again on the other divisions of the rows, and finish with the candidate, which says what came out.

    A division on which the remedy cannot be made, as it leaves too few rows of a group, is left out, and a warning says
    how many are. Send `STOP` to finish with the candidate as it is.
    """
    n, finding, course = study.models.divisions, candidate.finding, StagedRun()
    remedy, total = finding.plan, (study.models.divisions - 1) * TOTAL
    yield Started(finding.name, total)
    frames = [_division(finding, 1, finding)]
    for number in range(2, n + 1):
        known = made.setdefault(number, {})
        start = (number - 2) * TOTAL
        try:
            events = iter_remedy(study.divided_again(number), remedy, known=known)
            words = f"Repeat {number} of {n}"
            found = yield from course.part(events, start=start, end=start + TOTAL, total=total, words=words)
        except FairauditError:
            if not course.stopped:
                continue
        if course.stopped:
            yield Finished(candidate)
            return
        frames.append(_division(found.finding, number, finding))
        if remedy.keeps_model:
            known[plan_key(remedy)] = found
    changes: dict[str, Any] = {"divisions": pd.concat(frames, ignore_index=True)}
    if lacking := n - len(frames):
        text = say(Message("doubt-repeats", {"k": Count(lacking), "n": Count(n)}))
        changes["warnings"] = (*finding.warnings, text)
    yield Finished(replace(candidate, finding=replace(finding, **changes)))


def _division(finding: Any, number: int, first: Any) -> pd.DataFrame:
    """Return what a remedy changed on one division; of gaps those that are between the groups of the first one."""
    compared = {change.measure: _groups(change) for change in first.changes}
    records = [
        (number, change.measure, change.before, change.after, change.difference)
        for change in finding.changes
        if compared.get(change.measure) == _groups(change)
    ]
    return pd.DataFrame.from_records(records, columns=list(DIVISIONS))


def _groups(change: object) -> tuple[str | None, str | None]:
    return getattr(change, "first", None), getattr(change, "second", None)


TRIED: dict[OutcomeKind, Any] = {SHARES: RemediesFinding, AMOUNTS: AmountRemediesFinding}
"""What trying remedies found, by the kind of the decision."""
READING = {SHARES: "Reading the rows that models learn from", AMOUNTS: "Reading the rows"}
"""What is said while rows are read."""


def iter_remedies(
    table: Table | pd.DataFrame, plan: AuditPlan, *, known: Mapping[str, Candidate] | None = None
) -> Generator[Event, Command | None, None]:
    """Try all remedies of a plan, one after the other, judged on the same held-out rows.

    Send `STOP` to finish the remedy that is being made with its best so far, and leave out those after it.
    """
    n, outcome = len(plan.remedies), plan.decision.kind
    total = STUDY_STEPS + n * TOTAL
    yield Started("Remedies", total)
    stopped = (yield Progress(READING[outcome], 0, total)) is STOP
    study = study_of(table, plan)
    known = _complete(known)
    candidates: dict[str, Candidate] = {}
    made: Made = {}
    findings: list[Any] = []
    names = _names(plan)
    for number, (remedy, name) in enumerate(zip(plan.remedies, names, strict=True)):
        if stopped:
            break
        course, start = StagedRun(), STUDY_STEPS + number * TOTAL
        first = start + TOTAL // require(plan.models).divisions
        candidate = known.get(plan_key(remedy))
        try:
            if candidate is None:
                events = iter_remedy(study, remedy.model_copy(update={"name": name}), known=known | candidates)
                candidate = yield from course.part(events, start=start, end=first, total=total, words=name)
            if lacks_divisions(candidate.finding, require(plan.models).divisions) and not course.stopped:
                events = iter_divisions(study, candidate, made)
                candidate = yield from course.part(events, start=first, end=start + TOTAL, total=total, words=name)
        except StoppedError:
            break
        finally:
            stopped = course.stopped
        if remedy.keeps_model:
            candidates[plan_key(remedy)] = candidate
        found = {"within": within_strata(study, candidate), "hit": hit_groups(study, candidate)}
        findings.append(replace(_renamed(candidate.finding, remedy, name), **found))
    if stopped and not findings:
        raise StoppedError("The remedies were stopped before the first of them was made.")
    facts = study.facts
    if study.models.proxies:
        facts = replace(facts, proxies=feature_proxies(study))
    if stopped:
        said = Message("remedies-stopped", {"n": Count(len(findings)), "of": Count(n)})
        facts = facts.warned(remark(said, "setting"))
    yield Finished(TRIED[outcome](facts, tuple(findings)))


def _known_models(known: Mapping[str, Candidate] | None) -> dict[str, object]:
    """Return the models of what was not stopped, by their search, and those that were made to compare with."""
    plain = {
        search_key(found.finding.plan.baseline()): found.plain
        for found in (known or {}).values()
        if found.plain is not None
    }
    return plain | {search_key(found.finding.plan): found.model for found in _complete(known).values()}


def _complete(known: Mapping[str, Candidate] | None) -> dict[str, Candidate]:
    """Return what was not stopped, by what it is: a search may be kept under the plan of another scale."""
    whole = [candidate for candidate in (known or {}).values() if not was_stopped(candidate.finding)]
    return {plan_key(candidate.finding.plan): candidate for candidate in whole}


def _renamed(finding: Any, remedy: RemedyPart, name: str) -> Any:
    before = finding.before if finding.details else replace(finding.before, name=name)
    return replace(finding, name=name, plan=remedy, before=before, after=replace(finding.after, name=name))


def _names(plan: AuditPlan) -> list[str]:
    """Return what the remedies are called, numbered where two would have the same name."""
    taken = {remedy.name for remedy in plan.remedies if remedy.name}
    names = []
    for remedy in plan.remedies:
        name, n = remedy_name(remedy, plan.decision.kind), 1
        while name in taken and not remedy.name:
            n += 1
            name = f"{remedy_name(remedy, plan.decision.kind)} ({n})"
        taken.add(name)
        names.append(name)
    return names
