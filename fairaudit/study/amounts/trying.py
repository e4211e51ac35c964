"""Try the remedies of a plan whose decision is an amount, and judge each on the same held-out rows."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.data.table import Table
from fairaudit.estimators.models import iter_fit_model
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.roles import uncounted
from fairaudit.remedies.plain.amount_models import make_amount_model
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.remedies.trees.amounts.cautions import amount_warnings, tree_warnings
from fairaudit.remedies.trees.amounts.figures import amount_tree_details
from fairaudit.remedies.trees.amounts.other_settings import AmountParts, iter_amount_settings
from fairaudit.remedies.trees.amounts.search import AmountTreeModel, check_two_groups, iter_amount_search
from fairaudit.remedies.trees.figures import FoundTree
from fairaudit.remedies.trees.fit import BEFORE_FITTED, SEARCHED, iter_compared
from fairaudit.remedies.trees.other_settings import similar_parts
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.search import in_the_back, tree_columns, without_constraint
from fairaudit.remedies.trees.similar import SimilarRows
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding
from fairaudit.study.amounts.judging import changes, evaluate, index_table
from fairaudit.study.amounts.names import AMOUNT_MODEL_WORDS, amount_remedy_name
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.steps import FITTED, JUDGING, TOTAL, Candidate, Course, Known
from fairaudit.study.trying import STUDY_STEPS, iter_each, known_models, search_key

NEIGHBORS = TreesPlan.model_fields["n_neighbors"].default

Making = Generator[Event, Command | None, Candidate]


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

    def make(remedy: RemedyPlan, found: Mapping[str, Candidate]) -> Generator[Event, Command | None, None]:
        return iter_amount_remedy(study, remedy, known=found)

    findings, _ = yield from iter_each(plan, make, amount_remedy_name, known=known, stopped=stopped)
    yield Finished(AmountRemediesFinding(study.facts, findings))


def iter_amount_remedy(
    study: AmountStudy, remedy: RemedyPlan, *, known: Mapping[str, Candidate] | None = None
) -> Generator[Event, Command | None, None]:
    """Try one remedy: learn on the training rows, then judge on those that are held out.

    Send `STOP` to finish with the best so far.
    """
    name = amount_remedy_name(remedy)
    models = known_models(known)
    make = _plain if isinstance(remedy, PlainPlan) else _tree
    yield Started(name, TOTAL)
    with uncounted(study.plan):
        candidate = yield from make(study, remedy, name, lambda plan: models.get(search_key(plan)))
    yield Finished(candidate)


def _plain(study: AmountStudy, remedy: PlainPlan, name: str, known: Known) -> Making:
    model = yield from _fitted(study, remedy, known, Course(), end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    predicted = np.asarray(model.predict(study.X), dtype=np.float64)
    similar = similar_parts(study, TreesPlan(n_neighbors=NEIGHBORS))
    found = _judged(study, remedy, (name, name), (predicted, predicted), similar)
    uses = bool(study.facts.protected_features) and remedy.model != "median"
    return _candidate(study, replace(found, changes=(), uses_protected_features=uses), model, predicted)


def _tree(study: AmountStudy, remedy: TreesPlan, name: str, known: Known) -> Making:
    """Find a tree; before is the same tree without constraint and price or, where it has none, a linear regression."""
    check_two_groups(study, remedy)
    tree_columns(study, remedy)
    course, free = Course(), None
    if remedy.is_free:
        plain = PlainPlan(model="linear_regression")
        compared = yield from _fitted(study, plain, known, course, end=BEFORE_FITTED)
        before_name = AMOUNT_MODEL_WORDS[plain.model]
    else:
        free = known(without_constraint(remedy))
        if free is None:
            events = in_the_back(iter_amount_search(study, without_constraint(remedy)))
            words = "Without a constraint, to compare with"
            free = AmountTreeModel((yield from course.part(events, start=0, end=BEFORE_FITTED, words=words)))
        compared, before_name = free, f"tree, no constraint (depth up to {remedy.max_depth})"
    # A stop that comes later leaves this search complete, so that it can serve other remedies.
    kept = None if course.stopped else free
    model = known(remedy)
    if model is None:
        search = yield from course.part(iter_amount_search(study, remedy), start=BEFORE_FITTED, end=SEARCHED)
        model = AmountTreeModel(search)
    before = np.asarray(compared.predict(study.X), dtype=np.float64)
    similar = similar_parts(study, remedy)
    parts = AmountParts(study, remedy, similar)
    others = iter_amount_settings(parts, model.search, None if free is None else free.search)
    tree = yield from iter_compared(FoundTree(model, before, similar), others, course)
    yield Progress(JUDGING, FITTED, TOTAL)
    after = model.predict(study.X)
    found = _judged(study, remedy, (before_name, name), (before, after), tree.similar)
    details = amount_tree_details(study, remedy, tree)
    finding = replace(
        found,
        details=details,
        uses_protected_features=bool(details.nodes["uses_protected"].any()),
        warnings=(*found.warnings, *tree_warnings(study, remedy, details, model.tree.columns)),
    )
    return replace(_candidate(study, finding, model, after), plain=kept)


def _fitted(
    study: AmountStudy, remedy: PlainPlan, known: Known, course: Course, *, end: int
) -> Generator[Event, Command | None, Any]:
    if (model := known(remedy)) is not None:
        return model
    model = make_amount_model(
        remedy.model,
        random_state=study.seed,
        min_level_count=study.models.min_level_count,
        n_components=study.models.n_components,
    )
    rows = study.split.train
    return (yield from course.part(iter_fit_model(model, study.X.iloc[rows], study.y[rows]), start=0, end=end))


def _judged(
    study: AmountStudy,
    remedy: RemedyPlan,
    names: tuple[str, str],
    predicted: tuple[NDArray[np.float64], NDArray[np.float64]],
    similar: Mapping[str, SimilarRows],
) -> AmountRemedyFinding:
    """Return a finding without details; of each pair, the first is about the model before."""
    held = study.split.held_out
    before, after = (values[held] for values in predicted)
    return AmountRemedyFinding(
        name=names[1],
        plan=remedy,
        before=evaluate(study, names[0], before),
        after=evaluate(study, names[1], after),
        changes=changes(study, before, after),
        indices=index_table(*predicted, similar),
        details=None,
        uses_protected_features=False,
        warnings=amount_warnings(study, after),
    )


def _candidate(
    study: AmountStudy, finding: AmountRemedyFinding, model: Any, predicted: NDArray[np.float64]
) -> Candidate:
    return Candidate(finding, model, predicted[study.split.held_out], None)
