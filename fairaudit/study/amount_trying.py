"""Try the remedies of a plan whose decision is an amount, and judge each on the same held-out rows."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.data.table import Table
from fairaudit.errors import StoppedError
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.plan import AuditPlan
from fairaudit.plan_remedies import PlainPlan, RemedyPlan
from fairaudit.plan_roles import uncounted
from fairaudit.plan_trees import TreesPlan
from fairaudit.remedies.models import iter_fit_model
from fairaudit.study.amount_cautions import amount_warnings, tree_warnings
from fairaudit.study.amount_findings import AmountRemediesFinding, AmountRemedyFinding
from fairaudit.study.amount_judging import changes, evaluate, index_table
from fairaudit.study.amount_models import AMOUNT_MODEL_WORDS, make_amount_model
from fairaudit.study.amount_rows import AmountStudy
from fairaudit.study.amount_trees import (
    amount_tree_details,
    amount_tree_name,
    check_two_groups,
    iter_amount_search,
    without_price,
)
from fairaudit.study.steps import FITTED, JUDGING, TOTAL, Course
from fairaudit.study.trees_search import in_the_back, tree_columns

STUDY_STEPS = 5
BEFORE_FITTED = 30
NEIGHBORS = TreesPlan.model_fields["n_neighbors"].default

Predict = Callable[[pd.DataFrame], NDArray[np.float64]]
Making = Generator[Event, Command | None, AmountRemedyFinding]


def iter_amount_remedies(table: Table | pd.DataFrame, plan: AuditPlan) -> Generator[Event, Command | None, None]:
    """Try all remedies of a plan, one after the other.

    Send `STOP` to finish the remedy that is being made with its best so far, and leave out those after it.

    Parameters
    ----------
    table : Table or DataFrame
        The data.
    plan : AuditPlan
        With a part ``models``, and a decision that is an amount.

    Yields
    ------
    Started, Progress, Incumbent or Finished
        ``Finished.result`` is an :class:`~fairaudit.study.amount_findings.AmountRemediesFinding`.

    Raises
    ------
    FairauditError
        As :meth:`AmountStudy.of` does, or if a setting does not fit the rows.
    StoppedError
        If it was stopped before the first remedy was made.
    """
    total = STUDY_STEPS + TOTAL * len(plan.remedies)
    yield Started("Remedies", total)
    stopped = (yield Progress("Reading the rows", 0, total)) is STOP
    study = AmountStudy.of(table, plan)
    findings: list[AmountRemedyFinding] = []
    for number, remedy in enumerate(plan.remedies):
        if stopped:
            break
        course = Course()
        name = _free_name(amount_remedy_name(remedy), [finding.name for finding in findings])
        start = STUDY_STEPS + number * TOTAL
        try:
            with uncounted(plan):
                events = iter_amount_remedy(study, remedy, name)
                finding = yield from course.part(events, start=start, end=start + TOTAL, total=total, words=name)
        except StoppedError:
            break
        finally:
            stopped = course.stopped
        findings.append(finding)
    if stopped and not findings:
        raise StoppedError("The remedies were stopped before the first of them was made.")
    yield Finished(AmountRemediesFinding(study.facts, tuple(findings)))


def amount_remedy_name(remedy: RemedyPlan) -> str:
    """Return what a remedy is called: the name in its plan, or its settings in words.

    Parameters
    ----------
    remedy : PlainPlan or TreesPlan
        What is asked.

    Returns
    -------
    str
        In words.
    """
    if remedy.name:
        return remedy.name
    if isinstance(remedy, PlainPlan):
        return f"Plain model: {AMOUNT_MODEL_WORDS[remedy.model]}"
    return amount_tree_name(remedy)


def iter_amount_remedy(study: AmountStudy, remedy: RemedyPlan, name: str) -> Generator[Event, Command | None, None]:
    """Try one remedy: learn on the training rows, then judge on those that are held out.

    Parameters
    ----------
    study : AmountStudy
        The rows.
    remedy : PlainPlan or TreesPlan
        What is asked.
    name : str
        What it is called.

    Yields
    ------
    Progress, Incumbent or Finished
        ``Finished.result`` is an :class:`~fairaudit.study.amount_findings.AmountRemedyFinding`.
    """
    make = _plain if isinstance(remedy, PlainPlan) else _tree
    yield Finished((yield from make(study, remedy, name)))


def _plain(study: AmountStudy, remedy: PlainPlan, name: str) -> Making:
    model = yield from _fitted(study, remedy.model, Course(), end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    predicted = _predicted(model, study)
    found = _judged(study, remedy, name, name, predicted, predicted)
    uses = bool(study.facts.protected_features) and remedy.model != "median"
    return replace(found, changes=(), uses_protected_features=uses)


def _tree(study: AmountStudy, remedy: TreesPlan, name: str) -> Making:
    """Find a tree; before is the same tree without constraint and price or, where it has none, a linear regression."""
    check_two_groups(study, remedy)
    tree_columns(study, remedy)
    course = Course()
    if remedy.is_free:
        before = yield from _fitted(study, "linear_regression", course, end=BEFORE_FITTED)
        before_name = AMOUNT_MODEL_WORDS["linear_regression"]
    else:
        events = in_the_back(iter_amount_search(study, without_price(remedy)))
        words = "Without a constraint, to compare with"
        before = yield from course.part(events, start=0, end=BEFORE_FITTED, words=words)
        before_name = f"tree, no constraint (depth up to {remedy.max_depth})"
    search = yield from course.part(iter_amount_search(study, remedy), start=BEFORE_FITTED, end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    found = _judged(study, remedy, name, before_name, _predicted(before, study), search.tree_.predict(study.X))
    details = amount_tree_details(study, remedy, search, stopped=course.stopped)
    warnings = tree_warnings(study, remedy, details, search.tree_.columns)
    return replace(
        found,
        details=details,
        uses_protected_features=bool(details.nodes["uses_protected"].any()),
        warnings=(*found.warnings, *warnings),
    )


def _fitted(study: AmountStudy, name: str, course: Course, *, end: int) -> Generator[Event, Command | None, Any]:
    model = make_amount_model(
        name,
        random_state=study.seed,
        min_level_count=study.models.min_level_count,
        n_components=study.models.n_components,
    )
    rows = study.split.train
    return (yield from course.part(iter_fit_model(model, study.X.iloc[rows], study.y[rows]), start=0, end=end))


def _predicted(model: Any, study: AmountStudy) -> NDArray[np.float64]:
    predict = model.tree_.predict if hasattr(model, "tree_") else model.predict
    return np.asarray(predict(study.X), dtype=np.float64)


def _judged(
    study: AmountStudy, remedy: RemedyPlan, name: str, before_name: str, before: NDArray[np.float64],
    after: NDArray[np.float64],
) -> AmountRemedyFinding:  # fmt: skip
    held = study.split.held_out
    return AmountRemedyFinding(
        name=name,
        plan=remedy,
        before=evaluate(study, before_name, before[held]),
        after=evaluate(study, name, after[held]),
        changes=changes(study, before[held], after[held]),
        indices=index_table(study, before, after, getattr(remedy, "n_neighbors", NEIGHBORS)),
        details=None,
        uses_protected_features=False,
        warnings=amount_warnings(study, after[held]),
    )


def _free_name(name: str, taken: list[str]) -> str:
    found, n = name, 1
    while found in taken:
        n += 1
        found = f"{name} ({n})"
    return found
