"""A decision tree, of outcomes or amounts, under a constraint and a price on discrimination, as a remedy."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np
import pandas as pd

from fairaudit.disclosure.said import remark
from fairaudit.events import Command, Event, Progress
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.numbers import is_number
from fairaudit.remedies.plain.fit import iter_before, iter_fitted, iter_yardstick
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.plain.words import plain_words, without_name
from fairaudit.remedies.trees.details import AmountTreeDetails, TreesDetails, is_beyond
from fairaudit.remedies.trees.figures import TreeFigures, amount_tree_details, trees_details
from fairaudit.remedies.trees.other_settings import AmountParts, Parts, iter_amount_settings, iter_settings
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.search import (
    AmountTreeModel,
    TreeModel,
    alike_rows,
    check_rates,
    check_two_groups,
    in_the_back,
    is_kept,
    iter_amount_search,
    iter_kept,
    iter_search,
    model_of,
    tree_columns,
)
from fairaudit.remedies.trees.words import warnings
from fairaudit.study.amounts.judging import amount_candidate, amount_judged
from fairaudit.study.amounts.rows import AmountStudy, amount_warnings
from fairaudit.study.cautions import group_warnings, model_warnings, unknown_group_warnings
from fairaudit.study.divided import DividedRows
from fairaudit.study.fitting import (
    FITTED,
    JUDGING,
    TOTAL,
    Baseline,
    Fit,
    FittedRemedy,
    GroupFloors,
    Known,
    StagedRun,
    as_favorable,
    judged,
    plain_answers,
    to_favorable,
    unwrap,
)
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.rows import Study, learned_rows
from fairaudit.study.similar import similar_parts
from fairaudit.study.yardsticks import asked_rows

PLAIN_FITTED, BEFORE_FITTED, KEPT, SEARCHED = 5, 30, 60, 70
"""Steps of `TOTAL` that are done when the search without a constraint, the search itself, one without a wish that could
not be kept, and then that of other settings begin."""


def iter_trees(study: Study, remedy: TreesPlan, name: str, known: Known) -> Fit:
    """Find a tree and judge it.

    Before is the tree of the same settings in which nothing must be alike and nothing is priced; where there is none
    anyway, it is a plain logistic regression.
    """
    check_rates(study, remedy)
    tree_columns(study, remedy)
    course = StagedRun()
    held, learning = study.split.held_out, study.split.learning
    if (learner := remedy.plain_model(study.facts.outcome)) is not None:
        before = yield from iter_before(study, learner, known, course, end=BEFORE_FITTED)
        free, h_before = None, to_favorable(study, plain_answers(before.model, study.X)[0])
    else:
        score = yield from iter_yardstick(study, known, course, end=PLAIN_FITTED)
        free = unwrap(known(remedy.baseline()))
        if free is None:
            events = in_the_back(iter_search(study, remedy.baseline()))
            words = "Without a limit, to compare with"
            found = yield from course.part(events, start=PLAIN_FITTED, end=BEFORE_FITTED, words=words)
            free = model_of(study, found)
        kind = "tree grown question by question" if remedy.search == "look_ahead" else "tree"
        h_before = free.predict(study.X)
        said = to_favorable(study, h_before)
        free_name = without_name(f"{kind} of depth up to {remedy.max_depth}")
        before = Baseline(free_name, Judged(said[held]), said[learning], score)
    # A stop that comes later leaves this search complete, so that it can serve other remedies.
    kept = None if free is None or course.stopped else as_favorable(study, free)
    # The 80 % rule is no limit on a difference: there it is what the audit asks.
    alike = None if remedy.by_ratio else alike_rows(study, remedy)
    wish = GroupFloors.of(study, asked_rows(study, alike), h_before) if remedy.no_group_worse_off else None
    model = unwrap(known(remedy))
    if model is None:
        model = yield from _iter_found(study, remedy, wish, known, course)
    similar = similar_parts(study, remedy.n_neighbors)
    others = iter_settings(Parts(study, remedy, similar), model.search, None if free is None else free.search)
    found = yield from iter_compared(TreeFigures(model, h_before, similar), others, course)
    yield Progress(JUDGING, FITTED, TOTAL)
    after = Judged(to_favorable(study, model.predict(study.X.iloc[held])))
    details = trees_details(study, remedy, found)
    candidate = judged(
        study,
        remedy,
        name,
        before,
        FittedRemedy(
            as_favorable(study, model), after, to_favorable(study, model.predict(study.X.iloc[study.split.tune]))
        ),
        wish=alike,
        keeps=None if wish is None else wish.tuned,
        details=details,
        warnings=_warnings(study, remedy, details, after, unseen_columns(study, model.tree.columns)),
        uses_features=bool(details.nodes["uses_protected"].any()),
    )
    return replace(candidate, plain=kept)


def _iter_found(
    study: Study, remedy: TreesPlan, wish: GroupFloors | None, known: Known, course: StagedRun
) -> Generator[Event, Command | None, TreeModel]:
    """Search for a tree that leaves no group worse off, if that is asked; where none does, as if it were not."""
    start = BEFORE_FITTED
    if wish is not None:
        kept = yield from iter_kept(study, remedy, wish, course, start=start, end=KEPT)
        if kept is not None:
            return model_of(study, kept)
        start = KEPT
    unasked = remedy.model_copy(update={"no_group_worse_off": False})
    model = None if wish is None else unwrap(known(unasked))
    if model is None:
        search = yield from course.part(iter_search(study, unasked), start=start, end=SEARCHED)
        model = model_of(study, search)
    return model


def iter_compared(
    found: TreeFigures, others: Generator[Event, Command | None, None], course: StagedRun
) -> Generator[Event, Command | None, TreeFigures]:
    """Compare a tree with those of other settings, unless it was stopped, and say what happened to that."""
    stopped = course.stopped
    settings = yield from course.part(others, start=SEARCHED, end=FITTED, words="Other settings")
    notes = (remark(Message("tree-caution-settings"), "setting"),) if course.stopped and not stopped else ()
    return replace(found, settings=settings, notes=notes, stopped=course.stopped)


def _warnings(
    study: Study, remedy: TreesPlan, details: TreesDetails, after: Judged, unseen: tuple[str, ...]
) -> tuple[str, ...]:
    kept = is_kept(remedy, details.trained_gap, trained=True)
    components = study.models.n_components is not None
    return (
        *group_warnings(study),
        *unknown_group_warnings(study),
        *warnings(details, kept=kept, unseen=unseen, components=components),
        *model_warnings(None, after.prediction, what="tree"),
    )


def unseen_columns(study: DividedRows, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of categories with values on held-out rows that no row to learn from has."""
    learned, held = study.X.iloc[learned_rows(study)], study.X.iloc[study.split.held_out]
    categories = [name for name in columns if not pd.api.types.is_numeric_dtype(study.X[name].dtype)
                  and not pd.api.types.is_datetime64_any_dtype(study.X[name].dtype)]  # fmt: skip
    return tuple(name for name in categories if set(held[name].dropna()) - set(learned[name].dropna()))


def iter_amount_tree(study: AmountStudy, remedy: TreesPlan, name: str, known: Known) -> Fit:
    """Find a tree; before is the same tree without constraint and price or, where it has none, a linear regression."""
    check_two_groups(study, remedy)
    tree_columns(study, remedy)
    course, free = StagedRun(), None
    if (learner := remedy.plain_model(study.facts.outcome)) is not None:
        plain = PlainPlan(model=learner)
        compared = yield from iter_fitted(study, plain, known, course, end=BEFORE_FITTED)
        before_name = plain_words(learner)
    else:
        free = known(remedy.baseline())
        if free is None:
            events = in_the_back(iter_amount_search(study, remedy.baseline()))
            words = "Without a limit, to compare with"
            free = AmountTreeModel((yield from course.part(events, start=0, end=BEFORE_FITTED, words=words)))
        compared, before_name = free, without_name(f"tree of depth up to {remedy.max_depth}")
    # A stop that comes later leaves this search complete, so that it can serve other remedies.
    kept = None if course.stopped else free
    model = known(remedy)
    if model is None:
        search = yield from course.part(iter_amount_search(study, remedy), start=BEFORE_FITTED, end=SEARCHED)
        model = AmountTreeModel(search)
    before = np.asarray(compared.predict(study.X), dtype=np.float64)
    similar = similar_parts(study, remedy.n_neighbors)
    parts = AmountParts(study, remedy, similar)
    others = iter_amount_settings(parts, model.search, None if free is None else free.search)
    tree = yield from iter_compared(TreeFigures(model, before, similar), others, course)
    yield Progress(JUDGING, FITTED, TOTAL)
    after = model.predict(study.X)
    doubts = amount_warnings(study, after[study.split.held_out])
    found = amount_judged(study, remedy, (before_name, name), (before, after), tree.similar, doubts)
    details = amount_tree_details(study, remedy, tree)
    finding = replace(
        found,
        details=details,
        uses_protected_features=bool(details.nodes["uses_protected"].any()),
        warnings=(*found.warnings, *amount_tree_warnings(study, remedy, details, model.tree.columns)),
    )
    return replace(amount_candidate(study, finding, model, after, before), plain=kept)


def amount_tree_warnings(
    study: AmountStudy, remedy: TreesPlan, details: AmountTreeDetails, columns: tuple[str, ...]
) -> tuple[str, ...]:
    """Return what makes a tree of amounts doubtful, in words."""
    kept = not is_beyond(details.trained_gap, details, study.facts)
    unseen, components = unseen_columns(study, columns), study.models.n_components is not None
    weighs = remedy.leaves == "linear" and not details.leaves["prediction"].map(is_number).all()
    return (
        *unknown_group_warnings(study),
        *warnings(details, kept=kept, unseen=unseen, components=components),
        *((say(Message("tree-caution-not-weighed")),) if remedy.leaves == "linear" and not weighs else ()),
    )
