"""A tree of amounts under a constraint and a price on discrimination, as a remedy of an audit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairaudit.events import Progress
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.numbers import is_number
from fairaudit.remedies.plain.fit import iter_fitted
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.plain.words import plain_words
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails, is_beyond
from fairaudit.remedies.trees.amounts.measuring import amount_tree_details
from fairaudit.remedies.trees.amounts.other_settings import AmountParts, iter_amount_settings
from fairaudit.remedies.trees.amounts.search import AmountTreeModel, check_two_groups, iter_amount_search
from fairaudit.remedies.trees.fit import BEFORE_FITTED, SEARCHED, iter_compared, unseen_columns
from fairaudit.remedies.trees.measuring import FoundTree
from fairaudit.remedies.trees.plan import TreesPlan, amount_plain_model, without_constraint
from fairaudit.remedies.trees.saying import warnings
from fairaudit.remedies.trees.search import in_the_back, tree_columns
from fairaudit.study.amounts.cautions import amount_warnings
from fairaudit.study.amounts.fitting import Making, amount_candidate, amount_judged
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.cautions import unknown_group_warnings
from fairaudit.study.fitting import FITTED, JUDGING, TOTAL, Course, Known
from fairaudit.study.similar import similar_parts


def iter_amount_tree(study: AmountStudy, remedy: TreesPlan, name: str, known: Known) -> Making:
    """Find a tree; before is the same tree without constraint and price or, where it has none, a linear regression."""
    check_two_groups(study, remedy)
    tree_columns(study, remedy)
    course, free = Course(), None
    if (learner := amount_plain_model(remedy)) is not None:
        plain = PlainPlan(model=learner)
        compared = yield from iter_fitted(study, plain, known, course, end=BEFORE_FITTED)
        before_name = plain_words(learner)
    else:
        free = known(without_constraint(remedy))
        if free is None:
            events = in_the_back(iter_amount_search(study, without_constraint(remedy)))
            words = "Without a limit, to compare with"
            free = AmountTreeModel((yield from course.part(events, start=0, end=BEFORE_FITTED, words=words)))
        compared, before_name = free, f"tree, no limit (depth up to {remedy.max_depth})"
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
    tree = yield from iter_compared(FoundTree(model, before, similar), others, course)
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
    is_kept = not is_beyond(details.trained_gap, details, study.facts)
    unseen, components = unseen_columns(study, columns), study.models.n_components is not None
    weighs = remedy.leaves == "linear" and not details.leaves["prediction"].map(is_number).all()
    return (
        *unknown_group_warnings(study),
        *warnings(details, kept=is_kept, unseen=unseen, components=components),
        *((say(Message("tree-caution-not-weighed")),) if remedy.leaves == "linear" and not weighs else ()),
    )
