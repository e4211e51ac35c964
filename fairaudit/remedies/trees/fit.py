"""A decision tree under a constraint and a price on discrimination, as a remedy, and what it does, in figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.disclosure.said import remark
from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeRegressor
from fairaudit.estimators.trees.tree import Tree, TreeStep
from fairaudit.events import Command, Event, Progress
from fairaudit.findings import Message
from fairaudit.measure.intervals import ratio, wilson
from fairaudit.measure.means import proposed_tolerance
from fairaudit.messages import say
from fairaudit.present.numbers import reads_as_number
from fairaudit.remedies.gap_curve import CURVE
from fairaudit.remedies.plain.fit import iter_before, iter_fitted, iter_yardstick
from fairaudit.remedies.plain.plan import PlainPlan, plain_words, without_name
from fairaudit.remedies.trees.details import (
    AMOUNT_COUNTS,
    BOUNDS,
    COUNTS,
    INDICES,
    LEAVES,
    NODES,
    AmountTreeDetails,
    TreesDetails,
    is_beyond,
)
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.search import (
    AmountParts,
    AmountTreeModel,
    Parts,
    Search,
    TreeModel,
    alike_rows,
    allowed_difference,
    check_rates,
    check_two_groups,
    confirmed,
    floors_of,
    gap_of,
    gaps_of,
    is_kept,
    iter_amount_search,
    iter_amount_settings,
    iter_kept,
    iter_search,
    iter_settings,
    mae_of,
    mean_of,
    model_of,
    ratios_of,
    search_ending,
    trained_limit,
    tree_columns,
    without_incumbents,
    worst_of,
)
from fairaudit.remedies.trees.words import objective_words, warnings
from fairaudit.study.amounts.judging import amount_candidate, amount_judged
from fairaudit.study.amounts.rows import AmountStudy, amount_warnings
from fairaudit.study.cautions import group_warnings, model_warnings, unknown_group_warnings
from fairaudit.study.certified import CertifiedLimit, searched_within
from fairaudit.study.constraint_check import limit_text, positive_labels
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
    unwrap,
)
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.proposing import close_columns, group_features
from fairaudit.study.rows import Study, known_groups, learned_rows, part_rows
from fairaudit.study.similar import SimilarRows, alike_table, similar_parts, similar_table
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
        free, h_before = None, study.to_positive(plain_answers(before.model, study.X)[0])
    else:
        score = yield from iter_yardstick(study, known, course, end=PLAIN_FITTED)
        free = unwrap(known(remedy.baseline()))
        if free is None:
            events = without_incumbents(iter_search(study, remedy.baseline()))
            words = "Without a limit, to compare with"
            found = yield from course.part(events, start=PLAIN_FITTED, end=BEFORE_FITTED, words=words)
            free = model_of(study, found)
        kind = "tree grown question by question" if remedy.search == "look_ahead" else "tree"
        h_before = free.predict(study.X)
        said = study.to_favorable(h_before)
        free_name = without_name(f"{kind} of depth up to {remedy.max_depth}")
        before = Baseline(free_name, Judged(said[held]), said[learning], score)
    # A stop that comes later leaves this search complete, so that it can serve other remedies.
    kept = None if free is None or course.stopped else as_favorable(study, free)
    # The 80 % rule and a gap as small as possible are no limits on a difference: there it is what the audit asks.
    alike = None if remedy.by_ratio or remedy.max_loss is not None else alike_rows(study, remedy)
    wish = GroupFloors.of(study, asked_rows(study, alike), h_before) if remedy.no_group_worse_off else None
    model = unwrap(known(remedy))
    if model is None:
        model = yield from _iter_found(study, remedy, wish, known, course)
    similar = similar_parts(study, remedy.n_neighbors)
    others = iter_settings(Parts(study, remedy, similar), model.search, None if free is None else free.search)
    found = yield from iter_compared(TreeFigures(model, h_before, similar), others, course)
    yield Progress(JUDGING, FITTED, TOTAL)
    fitted = FittedRemedy.without_score(study, model)
    details = trees_details(study, remedy, found)
    candidate = judged(
        study,
        remedy,
        name,
        before,
        fitted,
        wish=alike,
        keeps=None if wish is None else wish.on_tuning,
        details=details,
        warnings=_warnings(study, remedy, details, fitted, unseen_columns(study, model.tree.columns)),
        uses_features=bool(details.nodes["uses_protected"].any()),
        certificate=model.search.certified_,
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
    study: Study, remedy: TreesPlan, details: TreesDetails, fitted: FittedRemedy, unseen: tuple[str, ...]
) -> tuple[str, ...]:
    kept = is_kept(remedy, details.trained_gap, trained=True)
    components = study.models.n_components is not None
    return (
        *group_warnings(study),
        *unknown_group_warnings(study),
        *warnings(details, kept=kept, unseen=unseen, components=components),
        *model_warnings(None, fitted.held_out.prediction, what="tree"),
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
            events = without_incumbents(iter_amount_search(study, remedy.baseline()))
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
        certified=CertifiedLimit.of(model.search.certified_, len(study.y)),
    )
    return replace(amount_candidate(study, finding, model, after, before), plain=kept)


def amount_tree_warnings(
    study: AmountStudy, remedy: TreesPlan, details: AmountTreeDetails, columns: tuple[str, ...]
) -> tuple[str, ...]:
    """Return what makes a tree of amounts doubtful, in words."""
    kept = not is_beyond(details.trained_gap, details, study.facts)
    unseen, components = unseen_columns(study, columns), study.models.n_components is not None
    weighs = remedy.leaves == "linear" and not details.leaves["prediction"].map(reads_as_number).all()
    return (
        *unknown_group_warnings(study),
        *warnings(details, kept=kept, unseen=unseen, components=components),
        *((say(Message("tree-caution-not-weighed")),) if remedy.leaves == "linear" and not weighs else ()),
    )


# Who comes to which node, and gaps, indices and similar people on all parts of the rows.


def node_table(tree: Tree, protected: Collection[str], close: Collection[str]) -> pd.DataFrame:
    """Return each node in words and as a condition, and where to draw it."""
    places = {place.number: place for place in tree.places()}
    rows = []
    for node in tree.nodes:
        number, place = node.number, places[node.number]
        columns = () if node.split is None else TreeStep(node.split, True).columns
        rows.append(
            (
                number,
                number // 2,
                "" if number == 1 else "no" if number % 2 else "yes",
                node.depth,
                place.x,
                place.y,
                node.is_leaf,
                place.words,
                node.value if node.is_leaf else np.nan,
                tree.path(number),
                tree.condition(number).text,
                not set(protected).isdisjoint(columns),
                ", ".join(column for column in columns if column in close),
            )
        )
    return pd.DataFrame(rows, columns=list(NODES))


def inside(leaves: NDArray[np.int64], node: int) -> NDArray[np.bool_]:
    """Return which rows come to a node on the way to their leaf.

    Shapes: `leaves` (n,); returns (n,).

    Examples
    --------
    >>> inside(np.array([2, 6, 7]), 3).tolist()
    [False, True, True]
    """
    below = leaves.copy()
    while (deeper := below > node).any():
        below[deeper] //= 2
    return below == node


def count_table(
    tree: Tree,
    names: Sequence[str],
    *,
    learned: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.object_]],
    held_out: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.object_]],
    confidence: float,
) -> pd.DataFrame:
    """Count the rows of each group that come to each node."""
    found = []
    for node in tree.nodes:
        reached = [inside(leaves, node.number) for leaves, _, _ in (learned, held_out)]
        for name in names:
            counts: list[int] = []
            for here, (_, y, groups) in zip(reached, (learned, held_out), strict=True):
                own = here & (groups == name)
                counts += [int(own.sum()), int(y[own].sum())]
            found.append((node.number, name, *counts))
    columns = ["node", "group", "n_learned", "n_learned_positive", "n", "n_positive"]
    table = pd.DataFrame(found, columns=columns)
    low, high = wilson(table["n_positive"], table["n"], confidence)
    table = table.assign(
        learned_rate=ratio(table["n_learned_positive"], table["n_learned"]),
        rate=ratio(table["n_positive"], table["n"]),
        rate_low=low,
        rate_high=high,
    )
    return table[list(COUNTS)]


def leaf_table(nodes: pd.DataFrame, counts: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Return what each leaf is right about, over all groups."""
    leaves = nodes[nodes["is_leaf"].astype(bool)].sort_values("x", kind="stable")
    sums = counts.groupby("node")[["n_learned", "n", "n_positive"]].sum().loc[leaves["node"]]
    n, positive = sums["n"].to_numpy(), sums["n_positive"].to_numpy()
    right = np.where(leaves["prediction"].to_numpy() == 1, positive, n - positive)
    low, high = wilson(right, n, confidence)
    table = pd.DataFrame(
        {
            "leaf": leaves["node"].to_numpy(),
            "path": leaves["path"].to_numpy(),
            "prediction": leaves["words"].to_numpy(),
            "n_learned": sums["n_learned"].to_numpy(),
            "n": n,
            "n_right": right,
            "accuracy": ratio(right, n),
            "accuracy_low": low,
            "accuracy_high": high,
        }
    )
    return table[list(LEAVES)]


Predictions = NDArray[np.int64] | NDArray[np.float64]
"""1 for the outcome and 0 for none, or amounts."""

PartTable = Callable[[Study, TreesPlan, NDArray[np.int64], NDArray[np.int64]], pd.DataFrame]
"""Makes a table of predictions for some rows of a study."""

PARTS: Final = ("trained", "tuned", "held_out")


@dataclass(frozen=True, eq=False)
class TreeFigures:
    """A tree of outcomes or of amounts, and what it is compared with.

    Parameters
    ----------
    model : TreeModel or AmountTreeModel
        The tree, and the search that it comes from.
    before : ndarray
        What the model without constraint and price predicts for all rows of the study: 1 for the outcome, or amounts.
    similar : mapping of str to SimilarRows
        As :func:`~fairaudit.study.similar.similar_parts`.
    settings : DataFrame
        As ``TreesDetails.settings`` or ``AmountTreeDetails.settings``.
    notes : tuple of str
        What happened on the way, beside what the search says itself.
    stopped : bool
        Whether a person stopped any part of it.
    """

    model: TreeModel | AmountTreeModel
    before: Predictions
    similar: Mapping[str, SimilarRows]
    settings: pd.DataFrame = field(default_factory=pd.DataFrame)
    notes: tuple[str, ...] = ()
    stopped: bool = False


def trees_details(study: Study, remedy: TreesPlan, found: TreeFigures) -> TreesDetails:
    """Return what a tree does on the training, tuning and held-out rows."""
    tree, search, y = found.model.tree, found.model.search, positive_labels(study)
    rows = part_rows(study)
    leaves = tree.apply(study.X)
    h = np.asarray(found.model.predict(study.X), dtype=np.int64)
    nodes = node_table(tree, group_features(study.facts), close_columns(study, tree.columns))
    counts = count_table(
        tree,
        known_groups(study),
        learned=_of(rows["trained"], leaves, y, study.groups),
        held_out=_of(rows["held_out"], leaves, y, study.groups),
        confidence=study.models.confidence,
    )
    gaps, ratios = (
        _beside_held_out(study, remedy, rows, h, gaps_of, "gap", 4),
        _beside_held_out(study, remedy, rows, h, ratios_of, "ratio", 2),
    )
    status, objective, bound = search_ending(search)
    return TreesDetails(
        nodes=nodes,
        counts=counts,
        leaves=leaf_table(nodes, counts, study.models.confidence),
        gaps=gaps,
        ratios=ratios,
        indices=index_table(found, h),
        similar=similar_table(*_before_and_after(found, h)),
        alike=alike_table(*_before_and_after(found, h)),
        max_depth=remedy.max_depth,
        depth=tree.depth,
        n_leaves=tree.n_leaves,
        search=remedy.search,
        constraint=remedy.constraint,
        max_difference=remedy.max_difference if trained_limit(remedy) >= 0 else np.nan,
        trained_difference=trained_limit(remedy),
        trained_gap=worst_of(remedy, gaps["trained"], ratios["trained"]),
        tuned_gap=worst_of(remedy, gaps["tuned"], ratios["tuned"]),
        discrimination=remedy.discrimination,
        fairness_weight=float(getattr(search, "fairness_weight_", remedy.fairness_weight)),
        max_discrimination=remedy.max_discrimination,
        branching=remedy.branching,
        keeps_groups=floors_of(search) is not None,
        max_loss=remedy.max_loss,
        best_accuracy=1 - float(getattr(search, "least_loss_", np.nan)),
        gap_curve=getattr(search, "gap_curve_", pd.DataFrame(columns=list(CURVE))),
        trained_accuracy=_accuracy(h, y, learned_rows(study)),
        tuned_accuracy=_accuracy(h, y, rows["tuned"]),
        status=status,
        objective=objective,
        bound=bound,
        optimality_gap=float(search.gap_),
        objective_words=objective_words(remedy),
        method="look_ahead" if remedy.search == "look_ahead" else search.method_,
        n_splits=int(search.n_splits_considered_),
        bounds=bounds_of(search),
        settings=found.settings,
        notes=(*search.notes_, *searched_within(search, trained_limit(remedy), limit_text), *found.notes),
        confirmed=confirmed(search),
        stopped=found.stopped,
    )


def index_table(found: TreeFigures, h: NDArray[np.int64]) -> pd.DataFrame:
    """Return both indices on all parts of the rows, before and after."""
    records = []
    for index in ("didi", "dtdi"):
        for part in PARTS:
            people = found.similar[part]
            values = [getattr(people, index)(each[people.rows]) for each in (found.before, h)]
            n_compared = len(people.rows) if index == "didi" else int(people.complete.sum())
            records.append((index, part, *values, len(people.rows), n_compared, people.sampled))
    return pd.DataFrame(records, columns=list(INDICES))


def _beside_held_out(
    study: Study, remedy: TreesPlan, rows: Mapping[str, NDArray[np.int64]], h: NDArray[np.int64], table_of: PartTable,
    value: str, place: int,
) -> pd.DataFrame:  # fmt: skip
    """Return the gaps or ratios on held-out rows, and beside them those on training and tuning rows."""
    tables = {part: table_of(study, remedy, rows[part], h[rows[part]]) for part in PARTS}
    table = tables["held_out"].rename(columns={value: "held_out"})
    for offset, part in enumerate(("trained", "tuned")):
        table.insert(place + offset, part, tables[part][value])
    return table


def _of(
    rows: NDArray[np.int64], leaves: NDArray[np.int64], y: NDArray[np.int64], groups: NDArray[np.object_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.object_]]:
    return leaves[rows], y[rows], groups[rows]


def _before_and_after(found: TreeFigures, h: NDArray[np.int64]) -> tuple[SimilarRows, Predictions, Predictions]:
    people = found.similar["held_out"]
    return people, found.before[people.rows], h[people.rows]


def _accuracy(h: NDArray[np.int64], y: NDArray[np.int64], rows: NDArray[np.int64]) -> float:
    return float((h[rows] == y[rows]).mean()) if len(rows) else float("nan")


def bounds_of(search: Search | OptimalTreeRegressor) -> pd.DataFrame:
    """Return how a search closed in, as ``TreesDetails.bounds``; without rows where it proves nothing."""
    if isinstance(search, LookaheadTreeClassifier):
        return pd.DataFrame(columns=list(BOUNDS))
    return search.history_.rename(columns={"primal": "objective", "dual": "bound"})[list(BOUNDS)]


_LARGE = 100_000
ALIKE_BINS: Final = 8
"""Bins of differences among similar people on either side of those that count as alike, at most."""


def amount_tree_details(study: AmountStudy, remedy: TreesPlan, found: TreeFigures) -> AmountTreeDetails:
    """Return what a tree of amounts does on the training, tuning and held-out rows."""
    search, tree = found.model.search, found.model.tree
    rows = part_rows(study)
    reached, predicted = tree.apply(study.X), tree.predict(study.X)
    nodes = node_table(tree, group_features(study.facts), close_columns(study, tree.columns))
    constant = [node.number for node in tree.nodes if node.is_leaf and node.form is None]
    texts = nodes["prediction"].map(_amount)
    nodes["words"] = nodes["words"].where(~nodes["node"].isin(constant), texts)
    gaps = {part: gap_of(study, predicted, places) for part, places in rows.items()}
    people = found.similar["held_out"]
    models = (found.before[people.rows], predicted[people.rows])
    within = alike_within(study)
    return AmountTreeDetails(
        nodes=nodes,
        counts=_amount_counts(study, tree, reached, predicted, rows),
        leaves=_amount_leaves(study, nodes, reached, predicted, rows),
        max_depth=remedy.max_depth,
        depth=tree.depth,
        n_leaves=tree.n_leaves,
        branching=remedy.branching,
        leaf_kind=remedy.leaves,
        constraint=remedy.constraint,
        max_difference=allowed_difference(study, remedy),
        trained_gap=gaps["trained"],
        tuned_gap=gaps["tuned"],
        held_out_gap=gaps["held_out"],
        discrimination=remedy.discrimination,
        fairness_weight=remedy.fairness_weight,
        max_discrimination=remedy.max_discrimination,
        trained_mae=mae_of(study, predicted, rows["trained"]),
        tuned_mae=mae_of(study, predicted, rows["tuned"]),
        search=remedy.search,
        status=search.status_,
        objective=float(search.objective_),
        bound=float(search.bound_),
        optimality_gap=float(search.gap_),
        objective_words=objective_words(remedy, "tree-objective-amount"),
        method=search.method_,
        n_splits=int(search.n_splits_considered_),
        bounds=bounds_of(search),
        similar=similar_table(people, *models, edges=_bin_edges(people, models, within), within=within),
        alike=alike_table(people, *models, within=within),
        alike_within=within,
        settings=found.settings,
        notes=(*search.notes_, *searched_within(search, allowed_difference(study, remedy), _amount), *found.notes),
        confirmed=confirmed(search),
        stopped=found.stopped,
    )


def _amount(value: float) -> str:
    """Return an amount with six digits or, where it is large, all before the point."""
    return f"{value:,.0f}" if abs(value) >= _LARGE else f"{value:,.6g}"


def alike_within(study: AmountStudy) -> float:
    """Return up to what difference similar people are treated alike: a tenth of the spread, rounded to one digit."""
    return proposed_tolerance(study.facts.deviation)


def _bin_edges(people: SimilarRows, models: Sequence[Predictions], within: float) -> NDArray[np.float64]:
    """Return the ends of bins of like width that hold all differences, around those that count as alike."""
    found = np.concatenate([people.own(values)[people.compared] for values in models])
    beyond = max(float(np.abs(found).max(initial=0.0)) - within, 0.0)
    width = 2 * within * max(1, math.ceil(beyond / (2 * within * ALIKE_BINS)))
    ends = within + width * np.arange(max(1, math.ceil(beyond / width)) + 1)
    return np.concatenate([-ends[::-1], ends])


def _amount_counts(
    study: AmountStudy,
    tree: Tree,
    reached: NDArray[np.int64],
    predicted: NDArray[np.float64],
    rows: Mapping[str, NDArray[np.int64]],
) -> pd.DataFrame:
    """Count the rows of each group that come to each node, with their means."""
    records = []
    for node in tree.nodes:
        here = inside(reached, node.number)
        for name in known_groups(study):
            own = here & (study.groups == name)
            learned, held = (places[own[places]] for places in (rows["trained"], rows["held_out"]))
            records.append(
                (node.number, name, len(learned), mean_of(study.y[learned]), len(held), mean_of(study.y[held]),
                 mean_of(predicted[held]))
            )  # fmt: skip
    return pd.DataFrame(records, columns=list(AMOUNT_COUNTS))


def _amount_leaves(
    study: AmountStudy, nodes: pd.DataFrame, reached: NDArray[np.int64], predicted: NDArray[np.float64],
    rows: Mapping[str, NDArray[np.int64]],
) -> pd.DataFrame:  # fmt: skip
    records = []
    for leaf in nodes[nodes["is_leaf"].astype(bool)].sort_values("x", kind="stable").itertuples():
        learned, held = (places[reached[places] == leaf.node] for places in (rows["trained"], rows["held_out"]))
        records.append(
            {
                "leaf": int(leaf.node),
                "path": leaf.path,
                "prediction": leaf.words,
                "n_learned": len(learned),
                "n": len(held),
                "actual": mean_of(study.y[held]),
                "predicted": mean_of(predicted[held]),
                "mae": mae_of(study, predicted, held),
            }
        )
    return pd.DataFrame(records)
