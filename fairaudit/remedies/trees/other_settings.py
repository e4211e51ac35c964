"""Trees of other settings, of outcomes and of amounts: what depth, limits and prices cost, on the tuning rows."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import sure
from fairaudit.estimators.trees.tree import Tree
from fairaudit.events import STOP, Command, Event, Finished, Incumbent, Progress
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.search import (
    allowed_difference,
    floors_of,
    gap_of,
    gaps_of,
    iter_amount_search,
    iter_search,
    mae_of,
    model_of,
    ratios_of,
    search_ending,
    trained_limit,
    worst_of,
)
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.constraint_check import limit_text, positive_labels
from fairaudit.study.rows import Study, part_rows
from fairaudit.study.similar import SimilarRows

TIMES: Final = (0.5, 2.0, 4.0)
"""What a limit or a price that is asked for is multiplied with."""

LIMITS_FROM_NOTHING: Final = (0.01, 0.025, 0.05)
"""Limits beside one that allows no difference at all."""

DEEPEST_FOR_SURE: Final = 3
"""Up to this depth, one more than asked is tried."""

MOST_DEPTHS: Final = 5

SHARE: Final = 0.1
"""Of the work that the search asked for may do, for each of the others."""


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
    if remedy.constraint not in (None, "four_fifths"):
        asked = trained_limit(remedy)
        limits = [round(asked * times, 6) for times in TIMES] if asked else list(LIMITS_FROM_NOTHING)
        found += [
            ("limit", {"max_difference": round(limit + remedy.margin, 12)})
            for limit in limits
            if limit + remedy.margin <= 1
        ]
    found += prices_around(remedy)
    return tuple((what, remedy.model_copy(update={"name": None} | other)) for what, other in found)


def depths_around(remedy: TreesPlan) -> list[tuple[str, dict[str, Any]]]:
    """Return other depths to compare with, as ("depth", what is changed)."""
    depth = remedy.max_depth
    deepest = depth + 1 if depth < DEEPEST_FOR_SURE else depth
    depths = [each for each in range(1, deepest + 1) if each != depth]
    if len(depths) > MOST_DEPTHS:
        depths = sorted({depths[place] for place in np.linspace(0, len(depths) - 1, MOST_DEPTHS).astype(int)})
    return [("depth", {"max_depth": each}) for each in depths]


def prices_around(remedy: TreesPlan) -> list[tuple[str, dict[str, Any]]]:
    """Return other prices or limits of the index, as ("weight" or "limit", what is changed)."""
    if remedy.discrimination is not None and remedy.fairness_weight:
        return [("weight", {"fairness_weight": remedy.fairness_weight * times}) for times in TIMES]
    if remedy.max_discrimination and remedy.constraint is None:
        return [("limit", {"max_discrimination": remedy.max_discrimination * times}) for times in TIMES]
    return []


def iter_settings(parts: Parts, search: Any, free: Any) -> Generator[Event, Command | None, None]:
    """Search for a tree for each setting, and measure all of them on the tuning rows.

    They keep to the same floors as the one asked for.
    """
    remedy, floors = parts.remedy, floors_of(search)
    rows = [_row("asked", remedy, search, parts)]
    if free is not None:
        rows.append(_row("free", None, free, parts))
    rows += yield from iter_tried(
        remedy,
        settings_around(remedy),
        lambda plan: iter_search(parts.study, plan, floors),
        lambda what, plan, found: _row(what, plan, found, parts),
    )
    yield Finished(settings_frame(rows, "accuracy"))


def iter_tried(
    remedy: TreesPlan,
    settings: Sequence[tuple[str, TreesPlan]],
    search_for: Callable[[TreesPlan], Generator[Event, Command | None, None]],
    row_of: Callable[[str, TreesPlan, Any], tuple[Any, ...]],
) -> Generator[Event, Command | None, list[tuple[Any, ...]]]:
    """Search for a tree for each setting, with a share of the work."""
    rows = []
    for number, (what, plan) in enumerate(settings):
        done = Progress(setting_words(what, plan), number, len(settings))
        if (yield done) is STOP:
            break
        short = plan.model_copy(update={"time_limit": remedy.time_limit * SHARE})
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


def _row(what: str, plan: TreesPlan | None, search: Any, parts: Parts) -> tuple[Any, ...]:
    h = model_of(parts.study, search).predict(parts.study.X)
    bounded = plan is not None and plan.constraint not in (None, "four_fifths")
    return setting_row(
        what,
        parts.remedy,
        plan,
        allowed=sure(plan).max_difference if bounded else np.nan,
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
) -> tuple[Any, ...]:
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


def settings_frame(rows: Sequence[tuple[Any, ...]], quality: str) -> pd.DataFrame:
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
    return tuple((what, remedy.model_copy(update={"name": None} | other)) for what, other in found)


def iter_amount_settings(parts: AmountParts, search: Any, free: Any) -> Generator[Event, Command | None, None]:
    """Search for a tree for each setting, and measure all of them on the tuning rows."""
    remedy = parts.remedy
    rows = [_amount_row("asked", remedy, search, parts)]
    if free is not None:
        rows.append(_amount_row("free", None, free, parts))
    settings = amount_settings_around(parts.study, remedy)
    by_depth = {remedy.max_depth: search}

    def row_of(what: str, plan: TreesPlan, found: Any) -> tuple[Any, ...]:
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
    what: str, plan: TreesPlan | None, search: Any, parts: AmountParts, *, proven: Any = None
) -> tuple[Any, ...]:
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
