"""Searches for trees: the one asked for, what it learns from and keeps alike, and those of other settings beside it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from fairaudit.errors import GroupError, InputError, require
from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.trees.lookahead_tree import PUBLISHED_WEIGHTS, LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
from fairaudit.estimators.trees.tree import Tree
from fairaudit.events import STOP, Command, Event, Finished, Incumbent, Progress
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.intervals import ratio_interval
from fairaudit.measure.limits import FOUR_FIFTHS, exceeds, falls_short
from fairaudit.measure.verdicts import equivalence_confidence
from fairaudit.messages import say
from fairaudit.remedies.trees.details import Confirmed
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.certified import certifying
from fairaudit.study.constraint_check import largest_gap, limit_text, positive_labels, rate_gaps, rated_rows, strata_of
from fairaudit.study.fitting import MOST_RAISED, GroupFloors, StagedRun
from fairaudit.study.rows import Study, check_groups, known_groups, learned_rows, part_rows
from fairaudit.study.similar import SimilarRows

Search = OptimalTreeClassifier | LookaheadTreeClassifier
Found = TypeVar("Found")
SettingRow = tuple[object, ...]
"""A row of ``TreesDetails.settings``."""
Estimator = TypeVar("Estimator", OptimalTreeClassifier, OptimalTreeRegressor)

EVERYTHING: Final = 1.0
"""No difference of two shares is larger: a limit that binds nobody, for a search that knows none without."""


class TreeModel(ClassifierMixin, BaseEstimator):
    """A tree that was searched for, read as a classifier of the outcome.

    Parameters
    ----------
    search : OptimalTreeClassifier or LookaheadTreeClassifier
        Fitted.
    tree : Tree
        Its tree, with the outcome in words. It reads the columns that it needs by their names.
    """

    def __init__(self, search: Search, tree: Tree):
        self.search = search
        self.tree = tree
        self.classes_ = np.array([0, 1])

    def predict(self, X: pd.DataFrame) -> NDArray[np.int64]:
        """Return 1 for each row that is predicted to have the outcome, as ndarray, shape (n,)."""
        return self.tree.predict(X).astype(np.int64)


def trained_limit(remedy: TreesPlan) -> float:
    """Return how far apart shares may be on the training rows; NaN where no difference is bounded."""
    if remedy.constraint in (None, "four_fifths") or remedy.max_loss is not None:
        return float("nan")
    return round(remedy.max_difference - remedy.margin, 12)


def tree_columns(study: Study | AmountStudy, remedy: TreesPlan) -> list[str]:
    """Return the columns that a tree may split by: all features, or those that do not reveal who is protected."""
    left_out = () if remedy.use_sensitive else study.facts.protected_features
    columns = [name for name in study.facts.features if name not in left_out]
    if not columns:
        raise InputError(
            "Every feature reveals the group, so no tree can be built.",
            hint="Choose other features, or let the tree use columns that reveal the group.",
        )
    return columns


def new_search(study: Study, remedy: TreesPlan, floors: Floors | None = None) -> Search:
    """Return an unfitted estimator with the settings of a plan, and floors for a search of the best tree."""
    limit = trained_limit(remedy)
    if remedy.search == "look_ahead":
        free = remedy.constraint is None
        return LookaheadTreeClassifier(
            remedy.max_depth,
            constraint=remedy.constraint or "demographic_parity",
            max_difference=EVERYTHING if free else None if np.isnan(limit) else limit,
            look_ahead=remedy.look_ahead or "adaptive",
            fairness_weight="cv" if remedy.choose_weight else remedy.fairness_weight,
            weights_to_try=PUBLISHED_WEIGHTS if remedy.prices_tried == "published" else None,
            sample_size=remedy.sample_size,
            min_leaf_size=remedy.min_leaf_size,
            time_limit=remedy.time_limit,
            random_state=study.seed,
            **certifying(remedy.confidence),
        )
    return new_optimal(OptimalTreeClassifier, study, remedy, limit, floors=floors, max_loss=remedy.max_loss)


def new_optimal(
    estimator: type[Estimator], study: Study | AmountStudy, remedy: TreesPlan, limit: float, **more: Any
) -> Estimator:
    """Return an unfitted estimator of the best tree with the settings of a plan."""
    return estimator(
        remedy.max_depth,
        discrimination=remedy.discrimination,
        fairness_weight=remedy.fairness_weight,
        max_discrimination=remedy.max_discrimination,
        constraint=remedy.constraint,
        max_difference=None if np.isnan(limit) else limit,
        branching=remedy.branching,
        max_uses_per_feature=remedy.max_uses_per_feature,
        max_features=remedy.max_features,
        max_splits=remedy.max_splits,
        min_leaf_size=remedy.min_leaf_size,
        n_neighbors=remedy.n_neighbors,
        use_sensitive=remedy.use_sensitive,
        method=remedy.solver,
        time_limit=remedy.time_limit,
        random_state=study.seed,
        **certifying(remedy.confidence),
        **more,
    )


def iter_search(
    study: Study, remedy: TreesPlan, floors: Floors | None = None
) -> Generator[Event, Command | None, None]:
    """Search for a tree on the training rows of known groups."""
    rows = learned_rows(study)
    X = study.X[tree_columns(study, remedy)].iloc[rows]
    search = new_search(study, remedy, floors)
    strata = strata_of(study, remedy)
    who = {"sensitive_features": study.groups[rows], "population": study.in_filter[rows]}
    who |= {} if strata is None else {"strata": strata[rows]}
    return (yield from search.iter_fit(X, positive_labels(study)[rows], **who))


def floors_of(search: Search) -> Floors | None:
    """Return the floors that a search kept to, so that no group is worse off; None where that was not asked."""
    return search.floors if isinstance(search, OptimalTreeClassifier) else None


def search_ending(search: Search) -> tuple[str, float, float]:
    """Return how a search ended, what it reached and what is proven."""
    if isinstance(search, OptimalTreeClassifier):
        return search.status_, float(search.objective_), float(search.bound_)
    return "grown" if search.status_ == "gap" else search.status_, float("nan"), float("nan")


def confirmed(search: Search | OptimalTreeRegressor) -> Confirmed:
    """Return what SCIP says of a tree in the published model."""
    if isinstance(search, LookaheadTreeClassifier) or search.published_ is None:
        return "no_such_model"
    said = search.is_confirmed()
    return "too_large" if said is None else "yes" if said else "no"


def without_incumbents(events: Generator[Event, Command | None, None]) -> Generator[Event, Command | None, None]:
    """Pass on the events of a search without its incumbents: those of the search that was asked for are drawn."""
    command = None
    while True:
        try:
            event = events.send(command)
        except StopIteration:
            return
        command = None
        if not isinstance(event, Incumbent):
            command = yield event


def model_of(study: Study, search: Search) -> TreeModel:
    """Return the tree of a fitted search, with the outcome in words."""
    return TreeModel(search, replace(search.tree_, outcomes=outcome_words(study)))


def outcome_words(study: Study) -> tuple[str, str]:
    """Return in words what a tree predicts by 0 and by 1, short enough for a leaf."""
    decision, positive = study.plan.decision, study.facts.positive_meaning
    if not decision.meaning or decision.other_meaning:
        return study.negative_meaning, positive
    # What is made of a meaning stands in quotation marks: a leaf has no room for them.
    words = f"not: {decision.meaning}", decision.meaning
    return words if study.positive_is_good else words[::-1]


RATIO_COLUMNS: Final = ("first", "second", "ratio", "low", "high", "n_first", "n_second", "reading")

_OUTCOMES = {"equal_opportunity": ("positive",), "equalized_odds": ("positive", "negative")}


def check_rates(study: Study, remedy: TreesPlan) -> None:
    """Refuse groups that lack, among the rows to learn from, what the shares that must be alike are shares of."""
    if remedy.is_free:
        return
    names = ("good", "bad") if study.positive_is_good else ("bad", "good")
    outcome = dict(zip(("positive", "negative"), names, strict=True))
    needed = frozenset(outcome[label] for label in _OUTCOMES.get(remedy.constraint or "", ()))
    check_groups(study, learned_rows(study), "the tree is learned from", needed)


def alike_rows(study: Study, remedy: TreesPlan) -> ConstrainedRows:
    """Return all rows of a study with the groups that must be alike, for :func:`rate_gaps`."""
    # Four fifths limit a ratio of the same shares.
    fairness = "demographic_parity" if remedy.constraint == "four_fifths" else remedy.constraint
    return rated_rows(study, fairness, remedy.max_difference, strata_of(study, remedy))


def gaps_of(study: Study, remedy: TreesPlan, rows: NDArray[np.int64], h: NDArray[np.int64]) -> pd.DataFrame:
    """Return the gap of each rate and pair of groups on some rows."""
    table = rate_gaps(alike_rows(study, remedy).take(rows), h, study.models.confidence)
    if remedy.max_loss is not None:
        table = table.assign(reading="not defined")
    if remedy.by_ratio:
        table = table.assign(reading=ratios_of(study, remedy, rows, h)["reading"].to_numpy())
    return table


def ratios_of(study: Study, remedy: TreesPlan, rows: NDArray[np.int64], h: NDArray[np.int64]) -> pd.DataFrame:
    """Return the ratio of shares of each pair of groups on some rows; without rows where "four_fifths" is not asked."""
    names = known_groups(study) if remedy.by_ratio else ()
    return ratio_table(names, study.groups[rows], h, study.models.confidence)


def ratio_table(
    names: tuple[str, ...], groups: NDArray[np.object_], h: NDArray[np.int64], confidence: float
) -> pd.DataFrame:
    """Return for each pair of groups how many times the larger share of positive predictions the smaller one is.

    Shapes: `groups` (n,), `h` (n,); returns a frame of first, second, ratio, low, high, n_first, n_second, reading.

    Examples
    --------
    >>> groups = np.array(["a"] * 4 + ["b"] * 4)
    >>> ratio_table(("a", "b"), groups, np.array([1, 1, 0, 0, 1, 0, 0, 0]), 0.95)[["ratio", "reading"]].values.tolist()
    [[0.5, 'outside, not clear']]
    """
    found = []
    for first, second in combinations(names, 2):
        one, other = h[groups == first], h[groups == second]
        counts = sorted(
            [(int(one.sum()), len(one)), (int(other.sum()), len(other))], key=lambda c: c[0] / c[1] if c[1] else 1.0
        )
        (part, n), (whole_part, whole_n) = counts
        ratio = (part / n) / (whole_part / whole_n) if n and whole_n and whole_part else float("nan")
        counts_of_both = (part, n, whole_part, whole_n)
        low, high = (float(end) for end in ratio_interval(*counts_of_both, equivalence_confidence(confidence)))
        if not low >= FOUR_FIFTHS:
            low, high = (float(end) for end in ratio_interval(*counts_of_both, confidence))
        found.append((first, second, ratio, low, high, len(one), len(other), _reading(ratio, low, high)))
    return pd.DataFrame(found, columns=list(RATIO_COLUMNS))


def worst_of(remedy: TreesPlan, gaps: pd.Series, ratios: pd.Series) -> float:
    """Return the largest gap or, for "four_fifths", the smallest ratio; NaN where there is none."""
    if not remedy.by_ratio:
        return largest_gap(gaps)
    return float(ratios.astype(float).min())


def is_kept(remedy: TreesPlan, worst: float, *, trained: bool = False) -> bool:
    """Say whether the worst gap or ratio keeps to what is allowed; also where nothing must be alike."""
    if remedy.constraint is None or remedy.max_loss is not None or np.isnan(worst):
        return True
    if remedy.by_ratio:
        return not falls_short(worst, FOUR_FIFTHS)
    return not exceeds(worst, remedy.max_difference - (remedy.margin if trained else 0.0))


def _reading(ratio: float, low: float, high: float) -> str:
    """Say whether a ratio is at least 80 %, and whether its interval leaves that open."""
    if np.isnan(ratio):
        return "not defined"
    if not falls_short(ratio, FOUR_FIFTHS):
        return "within" if low >= FOUR_FIFTHS else "within, not clear"
    return "outside" if high < FOUR_FIFTHS else "outside, not clear"


WORK_OF_REPEATS: Final = 0.25
"""Share of the work that a search may do, for each search after the first."""


def iter_kept(
    study: Study, remedy: TreesPlan, wish: GroupFloors, course: StagedRun, *, start: int, end: int
) -> Generator[Event, Command | None, Search | None]:
    """Search for a tree that keeps to the wish on the tuning rows; None where none was found, or none can be."""
    X = study.X.iloc[study.split.tune]
    less = remedy.model_copy(update={"time_limit": WORK_OF_REPEATS * remedy.time_limit})
    ends = np.linspace(start, end, 2 + MOST_RAISED).astype(int).tolist()
    for number in range(1 + MOST_RAISED):
        words = None
        if number:
            words = say(Message("tree-search-again", {"n": Count(number), "most": Count(MOST_RAISED)}))
        events = iter_search(study, less if number else remedy, wish.floors)
        search = yield from course.part(events, start=ends[number], end=ends[number + 1], words=words)
        h = model_of(study, search).predict(X)
        if wish.on_tuning.holds(h) and search.status_ != "infeasible":
            return search
        if search.status_ == "infeasible" or course.stopped:
            break
        wish = wish.raised(h)
    return None


@dataclass(frozen=True, eq=False)
class AmountTreeModel:
    """A tree of amounts that was searched for.

    Parameters
    ----------
    search : OptimalTreeRegressor
        Fitted.
    """

    search: OptimalTreeRegressor

    @property
    def tree(self) -> Tree:
        """The tree; it reads the columns that it needs by their names."""
        return self.search.tree_

    def predict(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Return what is predicted for each row, as ndarray, shape (n,)."""
        return np.asarray(self.tree.predict(X), dtype=np.float64)


def allowed_difference(study: AmountStudy, remedy: TreesPlan) -> float:
    """Return how far mean predictions may be apart on the training rows; NaN where nothing must be alike."""
    if remedy.constraint is None:
        return float("nan")
    return study.judge.tolerance if remedy.amount_difference is None else remedy.amount_difference


def check_two_groups(study: AmountStudy, remedy: TreesPlan) -> None:
    """Refuse a tree that must keep groups alike where the training rows have fewer than two."""
    if not remedy.is_free and len(np.unique(study.groups[part_rows(study)["trained"]])) < 2:
        text = "The training rows are of one group only, so there is nothing to keep alike."
        raise GroupError(text, uncounted=text, hint="Choose other columns that make the groups, or bring more rows.")


def iter_amount_search(study: AmountStudy, remedy: TreesPlan) -> Generator[Event, Command | None, None]:
    """Search for a tree on the training rows of known groups."""
    rows = learned_rows(study)
    limit = allowed_difference(study, remedy)
    search = new_optimal(OptimalTreeRegressor, study, remedy, limit, leaves=remedy.leaves)
    X = study.X[tree_columns(study, remedy)].iloc[rows]
    who = {"sensitive_features": study.groups[rows], "population": study.in_filter[rows]}
    return (yield from search.iter_fit(X, study.y[rows], **who))


def gap_of(study: AmountStudy, predicted: NDArray[np.float64], rows: NDArray[np.int64]) -> float:
    """Return how far the largest mean prediction of a group is above the smallest; NaN with fewer than two groups.

    Shapes: `predicted` (n,).
    """
    means = [mean_of(predicted[rows[study.groups[rows] == name]]) for name in known_groups(study)]
    known = [mean for mean in means if np.isfinite(mean)]
    return max(known) - min(known) if len(known) > 1 else float("nan")


def mae_of(study: AmountStudy, predicted: NDArray[np.float64], rows: NDArray[np.int64]) -> float:
    """Return the mean absolute error of predictions for all rows of the study, among some of them; NaN of none."""
    return mean_of(np.abs(predicted[rows] - study.y[rows]))


def mean_of(values: NDArray[np.float64]) -> float:
    """Return a mean; NaN of nothing."""
    return float(values.mean()) if len(values) else float("nan")


# Trees of other settings, of outcomes and of amounts: what depth, limits and prices cost, on the tuning rows.

TIMES: Final = (0.5, 2.0, 4.0)
"""What a limit or a price that is asked for is multiplied with."""

LIMITS_FROM_NOTHING: Final = (0.01, 0.025, 0.05)
"""Limits beside one that allows no difference at all."""

DEEPEST_FOR_SURE: Final = 3
"""Up to this depth, one more than asked is tried."""

MOST_DEPTHS: Final = 5

WORK_OF_OTHERS: Final = 0.1
"""Share of the work that the search asked for may do, for a search of other settings."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The training and tuning rows of known groups, with who is near whom among them.

    Parameters
    ----------
    study : Study
        The rows.
    remedy : TreesPlan
        What is asked.
    similar : mapping of str to SimilarRows
        As :func:`similar_parts`.
    """

    study: Study
    remedy: TreesPlan
    similar: Mapping[str, SimilarRows]

    def figures(self, h: NDArray[np.int64], part: str) -> tuple[float, float, float]:
        """Return accuracy, the worst gap or ratio, and the index, of predictions for all rows of the study."""
        rows = part_rows(self.study)[part]
        y = positive_labels(self.study)[rows]
        gaps, ratios = (table_of(self.study, self.remedy, rows, h[rows]) for table_of in (gaps_of, ratios_of))
        worst = worst_of(self.remedy, gaps["gap"], ratios["ratio"])
        people = self.similar[part]
        index = people.index(self.remedy.discrimination, h[people.rows])
        return float((h[rows] == y).mean()) if len(rows) else np.nan, worst, index


def settings_around(remedy: TreesPlan) -> tuple[tuple[str, TreesPlan], ...]:
    """Return the settings that are compared with the one asked for.

    Examples
    --------
    >>> [(what, plan.max_depth, plan.max_difference) for what, plan in settings_around(TreesPlan(max_depth=2))]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('depth', 1, 0.05), ('depth', 3, 0.05), ('limit', 2, 0.025), ('limit', 2, 0.1), ('limit', 2, 0.2)]
    """
    found = depths_around(remedy)
    if remedy.constraint not in (None, "four_fifths") and remedy.max_loss is None:
        asked = trained_limit(remedy)
        limits = [round(asked * times, 6) for times in TIMES] if asked else list(LIMITS_FROM_NOTHING)
        found += [
            ("limit", {"max_difference": round(limit + remedy.margin, 12)})
            for limit in limits
            if limit + remedy.margin <= 1
        ]
    found += prices_around(remedy)
    return tuple((what, remedy.model_copy(update={"name": None, "confidence": None} | other)) for what, other in found)


def depths_around(remedy: TreesPlan) -> list[tuple[str, dict[str, float]]]:
    """Return other depths to compare with, as ("depth", what is changed)."""
    depth = remedy.max_depth
    deepest = depth + 1 if depth < DEEPEST_FOR_SURE else depth
    depths = [each for each in range(1, deepest + 1) if each != depth]
    if len(depths) > MOST_DEPTHS:
        depths = sorted({depths[place] for place in np.linspace(0, len(depths) - 1, MOST_DEPTHS).astype(int)})
    return [("depth", {"max_depth": each}) for each in depths]


def prices_around(remedy: TreesPlan) -> list[tuple[str, dict[str, float]]]:
    """Return other prices or limits of the index, as ("weight" or "limit", what is changed)."""
    if remedy.discrimination is not None and remedy.fairness_weight:
        return [("weight", {"fairness_weight": remedy.fairness_weight * times}) for times in TIMES]
    if remedy.max_discrimination and remedy.constraint is None:
        return [("limit", {"max_discrimination": remedy.max_discrimination * times}) for times in TIMES]
    return []


def iter_settings(parts: Parts, search: Search, free: Search | None) -> Generator[Event, Command | None, None]:
    """Search for a tree for each setting, and measure all of them on the tuning rows.

    They keep to the same floors as the one asked for.
    """
    remedy, floors = parts.remedy, floors_of(search)
    rows = [_row("asked", remedy, search, parts)]
    if free is not None:
        rows.append(_row("free", None, free, parts))

    def row_of(what: str, plan: TreesPlan, found: Search) -> SettingRow:
        return _row(what, plan, found, parts)

    settings = settings_around(remedy)
    rows += yield from iter_tried(remedy, settings, lambda plan: iter_search(parts.study, plan, floors), row_of)
    yield Finished(settings_frame(rows, "accuracy"))


def iter_tried(
    remedy: TreesPlan,
    settings: Sequence[tuple[str, TreesPlan]],
    search_for: Callable[[TreesPlan], Generator[Event, Command | None, None]],
    row_of: Callable[[str, TreesPlan, Found], SettingRow],
) -> Generator[Event, Command | None, list[SettingRow]]:
    """Search for a tree for each setting, with a share of the work."""
    rows = []
    for number, (what, plan) in enumerate(settings):
        done = Progress(setting_words(what, plan), number, len(settings))
        if (yield done) is STOP:
            break
        short = plan.model_copy(update={"time_limit": remedy.time_limit * WORK_OF_OTHERS})
        found, stopped = yield from _finished(search_for(short), done)
        if stopped:
            break
        rows.append(row_of(what, plan, found))
    return rows


def setting_words(what: str, plan: TreesPlan | None) -> str:
    """Return the settings that differ from those asked for, in words."""
    if plan is None:
        return say(Message("tree-setting-free"))
    if what == "asked":
        return say(Message("tree-setting-asked"))
    if what == "weight":
        return say(Message("tree-setting-price", {"price": Phrase(f"{plan.fairness_weight:g}")}))
    if what == "limit" and plan.constraint is None:
        return say(Message("tree-setting-index", {"limit": Phrase(f"{plan.max_discrimination:g}")}))
    if what == "limit":
        limit = plan.amount_difference
        text = limit_text(plan.max_difference) if limit is None else f"{limit:,.6g}"
        return say(Message("tree-setting-limit", {"limit": Phrase(text)}))
    return say(Message("tree-setting-depth", {"n": Count(plan.max_depth)}))


def _row(what: str, plan: TreesPlan | None, search: Search, parts: Parts) -> SettingRow:
    h = model_of(parts.study, search).predict(parts.study.X)
    bounded = plan is not None and not np.isnan(trained_limit(plan))
    return setting_row(
        what,
        parts.remedy,
        plan,
        allowed=require(plan).max_difference if bounded else np.nan,
        tree=search.tree_,
        ending=search_ending(search),
        figures=(*parts.figures(h, "trained"), *parts.figures(h, "tuned")),
    )


def setting_row(
    what: str,
    remedy: TreesPlan,
    plan: TreesPlan | None,
    *,
    allowed: float,
    tree: Tree,
    ending: tuple[str, float, float],
    figures: tuple[float, ...],
) -> SettingRow:
    """Return a row of the settings."""
    limit, weight = allowed, np.nan
    if np.isnan(allowed) and plan is not None and plan.max_discrimination is not None:
        limit = plan.max_discrimination
    if plan is not None and plan.discrimination is not None:
        weight = plan.fairness_weight
    elif plan is None and remedy.discrimination is not None and remedy.fairness_weight:
        weight = 0.0
    return (
        what, setting_words(what, plan), (plan or remedy).max_depth, limit, weight,
        tree.depth, tree.n_leaves, *ending, *figures, what == "asked",
    )  # fmt: skip


def settings_frame(rows: Sequence[SettingRow], quality: str) -> pd.DataFrame:
    """Return rows of settings in order, as ``TreesDetails.settings``; `quality` is how models are judged there."""
    columns = (
        *("setting", "words", "max_depth", "limit", "weight", "depth", "n_leaves", "status", "objective", "bound"),
        *(f"trained_{quality}", "trained_gap", "trained_index", quality, "gap", "index", "chosen"),
    )
    table = pd.DataFrame(rows, columns=list(columns))
    order = ["max_depth", "limit", "weight"]
    return table.sort_values(order, kind="stable", na_position="last").reset_index(drop=True)


def _finished(
    events: Generator[Event, Command | None, None], step: Progress
) -> Generator[Event, Command | None, tuple[Any, bool]]:
    """Run a search to its end as one step of the progress; return its result and whether it was stopped."""
    command, stopped, result = None, False, None
    while True:
        try:
            event = events.send(command)
        except StopIteration:
            return result, stopped
        command = None
        if isinstance(event, Finished):
            result = event.result
        elif isinstance(event, Progress) or (isinstance(event, Incumbent) and not stopped):
            command = yield step
            stopped = stopped or command is STOP


@dataclass(frozen=True, eq=False)
class AmountParts:
    """The training and tuning rows of known groups, with who is near whom among them.

    Parameters
    ----------
    study : AmountStudy
        The rows.
    remedy : TreesPlan
        What is asked.
    similar : mapping of str to SimilarRows
        As :func:`~fairaudit.study.similar.similar_parts`.
    """

    study: AmountStudy
    remedy: TreesPlan
    similar: Mapping[str, SimilarRows]

    def figures(self, predicted: NDArray[np.float64], part: str) -> tuple[float, float, float]:
        """Return mean absolute error, largest difference of means and index of predictions for all rows."""
        rows, people = part_rows(self.study)[part], self.similar[part]
        index = people.index(self.remedy.discrimination, predicted[people.rows], "regression")
        return mae_of(self.study, predicted, rows), gap_of(self.study, predicted, rows), index


def amount_settings_around(study: AmountStudy, remedy: TreesPlan) -> tuple[tuple[str, TreesPlan], ...]:
    """Return the settings that are compared with the one asked for."""
    found = depths_around(remedy)
    if remedy.constraint is not None:
        asked = allowed_difference(study, remedy)
        limits = (
            [asked * times for times in TIMES]
            if asked
            else [share * study.facts.deviation for share in LIMITS_FROM_NOTHING]
        )
        found += [("limit", {"amount_difference": float(f"{limit:.3g}")}) for limit in limits]
    found += prices_around(remedy)
    return tuple((what, remedy.model_copy(update={"name": None, "confidence": None} | other)) for what, other in found)


def iter_amount_settings(
    parts: AmountParts, search: OptimalTreeRegressor, free: OptimalTreeRegressor | None
) -> Generator[Event, Command | None, None]:
    """Search for a tree for each setting, and measure all of them on the tuning rows."""
    remedy = parts.remedy
    rows = [_amount_row("asked", remedy, search, parts)]
    if free is not None:
        rows.append(_amount_row("free", None, free, parts))
    settings = amount_settings_around(parts.study, remedy)
    by_depth = {remedy.max_depth: search}

    def row_of(what: str, plan: TreesPlan, found: OptimalTreeRegressor) -> SettingRow:
        if what != "depth":
            return _amount_row(what, plan, found, parts)
        by_depth[plan.max_depth] = found
        # A shallower tree may be deeper, too: one that is better is the best that was found.
        allowed = [each for depth, each in by_depth.items() if depth <= plan.max_depth and each.status_ != "infeasible"]
        best = min(allowed, key=lambda each: float(each.objective_), default=found)
        return _amount_row(what, plan, best, parts, proven=found)

    rows += yield from iter_tried(remedy, settings, lambda plan: iter_amount_search(parts.study, plan), row_of)
    yield Finished(settings_frame(rows, "mae"))


def _amount_row(
    what: str,
    plan: TreesPlan | None,
    search: OptimalTreeRegressor,
    parts: AmountParts,
    *,
    proven: OptimalTreeRegressor | None = None,
) -> SettingRow:
    """Return a row about the tree of one search, and the ending of that which proved a bound."""
    predicted = search.tree_.predict(parts.study.X)
    proven = search if proven is None else proven
    return setting_row(
        what,
        parts.remedy,
        plan,
        allowed=np.nan if plan is None else allowed_difference(parts.study, plan),
        tree=search.tree_,
        ending=(proven.status_, float(search.objective_), float(proven.bound_)),
        figures=(*parts.figures(predicted, "trained"), *parts.figures(predicted, "tuned")),
    )
