"""The best tree with which no group is worse off: searched for within floors, which the tuning rows may raise."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import numpy as np

from fairaudit.events import Command, Event
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.search import Search, iter_search, model_of
from fairaudit.study.fitting import Course
from fairaudit.study.rows import Study
from fairaudit.study.worse_off import MOST_RAISED, GroupFloors

SHARE: Final = 0.25
"""Of the work that a search may do, for each search after the first."""


def iter_kept(
    study: Study, remedy: TreesPlan, wish: GroupFloors, course: Course, *, start: int, end: int
) -> Generator[Event, Command | None, Search | None]:
    """Search for a tree that keeps to the wish on the tuning rows; None where none was found, or none can be."""
    X = study.X.iloc[study.split.tune]
    less = remedy.model_copy(update={"time_limit": SHARE * remedy.time_limit})
    ends = np.linspace(start, end, 2 + MOST_RAISED).astype(int).tolist()
    for number in range(1 + MOST_RAISED):
        words = None
        if number:
            words = say(Message("tree-search-again", {"n": Count(number), "most": Count(MOST_RAISED)}))
        events = iter_search(study, less if number else remedy, wish.floors)
        search = yield from course.part(events, start=ends[number], end=ends[number + 1], words=words)
        h = model_of(study, search).predict(X)
        if wish.tuned.holds(h) and search.status_ != "infeasible":
            return search
        if search.status_ == "infeasible" or course.stopped:
            break
        wish = wish.raised(h)
    return None
