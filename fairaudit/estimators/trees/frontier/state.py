"""What the stages of the frontier search share: the best tree and bound so far, the work, and the events."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.progress import TOTAL
from fairaudit.estimators.trees.dual.terms import Terms
from fairaudit.estimators.trees.problem import FoundTree, Status, TreeProblem, TreeShape, reachable_leaves
from fairaudit.events import STOP, Command, Incumbent, Progress
from fairaudit.work import Budget

Event = Progress | Incumbent

PROVEN: Final = 1e-9
"""Objectives that differ by less are alike."""
PROGRESS_EVERY: Final = 0.4
"""Seconds of work between two events, at least, but for better trees."""


class SearchState:
    """What the stages share.

    Parameters
    ----------
    problem : TreeProblem
        What is asked.
    budget : Budget
        The work that may be done.
    """

    def __init__(self, problem: TreeProblem, budget: Budget) -> None:
        self.problem, self.budget, self._whole = problem, budget, budget
        self.terms = Terms(problem)
        self.shape: TreeShape | None = None
        self.objective, self.bound = math.inf, -math.inf
        self.stopped, self.shown_at = False, 0.0
        self.shown_objective = math.inf
        self.step = self.terms.step
        self.bound_of_all: float | None = None
        self.least_loss = 0.0
        self.notes: tuple[str, ...] = ()

    def begin_part(self, share: float = 1.0) -> None:
        """Go on with a part of the trees, with a share of the work: bounds from now on are of these."""
        self.bound_of_all, self.bound = self.bound, -math.inf
        self.budget = self._whole.part(share * self._whole.limit)

    def end_part(self) -> None:
        """Go back to all trees."""
        self.budget = self._whole
        self.bound, self.bound_of_all = -math.inf if self.bound_of_all is None else self.bound_of_all, None

    @property
    def is_over(self) -> bool:
        """Whether the work is done that may be, or the caller wants an end."""
        return self.stopped or self.budget.is_over

    @cached_property
    def highest(self) -> float:
        """What no tree can be worse than: a bound above it shows that none is allowed."""
        problem = self.problem
        forms = abs(self.terms.forms).sum(axis=1)
        measured, limited = len(forms) - len(self.terms.bounds), forms[len(forms) - len(self.terms.bounds) :]
        splits = problem.split_price * (2**problem.max_depth - 1)
        return float(
            1 + splits + problem.price * forms[:measured].sum() + problem.limit_price * limited.max(initial=0.0)
        )

    @property
    def slack(self) -> float:
        """How far above the bound the objective of a better tree can be; negative where there is none."""
        return self.objective - max(self.step * (1 - 1e-3), PROVEN) - self.bound

    @property
    def best_objective(self) -> float:
        """The objective that is shown."""
        return self.objective

    def offer(self, shape: TreeShape) -> None:
        """Keep a tree if it is allowed and better than the best."""
        self.budget.spend(calls=4, elements=8 * self.problem.rows.n_cells)
        objective = self.problem.objective(shape)
        if objective < self.objective - 1e-12 and self.problem.allows(shape):
            self.shape, self.objective = shape, objective

    def iter_show(self, what: str) -> Generator[Event, Command | None, None]:
        """Yield a better tree at once, progress now and then."""
        if self.best_objective < self.shown_objective:
            self.shown_objective, self.shown_at = self.best_objective, self._whole.spent
            bound = self.bound if self.bound_of_all is None else self.bound_of_all
            figures = {"objective": self.best_objective, "bound": bound, "share": self._whole.share}
            self.stopped |= (yield Incumbent("tree", figures, best=True)) is STOP
        elif self._whole.spent - self.shown_at >= PROGRESS_EVERY:
            self.shown_at = self._whole.spent
            self.stopped |= (yield Progress(what, self._whole.steps(TOTAL), TOTAL)) is STOP

    def found(self) -> FoundTree:
        """Return the result."""
        status: Status = "gap"
        if self.slack < 0:
            status, self.bound = "optimal", self.objective
        elif self.shape is None and self.bound > self.highest:
            status = "infeasible"
        elif self.stopped:
            status = "stopped"
        elif self.is_over:
            status = "work_limit"
        bound, notes = min(self.bound, self.objective), () if status == "optimal" else self.notes
        return FoundTree(self.shape, self.objective, bound, status, "frontier", notes)


class RelaxedState(SearchState):
    """The same for a problem with limits on features, which the search does not know.

    Parameters
    ----------
    problem : TreeProblem
        What is asked.
    budget : Budget
        The work that may be done.

    Notes
    -----
    The search goes on as if all features were free. Of the trees that it finds the best one within the limits is kept,
    and the bound is of all trees.
    """

    def __init__(self, problem: TreeProblem, budget: Budget) -> None:
        super().__init__(replace(problem, max_uses_per_feature=None, max_features=None), budget)
        self.asked, self.kept_objective = problem, math.inf
        self.kept: TreeShape | None = None

    @property
    def best_objective(self) -> float:
        """The objective of the tree that is kept."""
        return self.kept_objective

    def offer(self, shape: TreeShape) -> None:
        """Keep a tree for the search, and one within the limits."""
        super().offer(shape)
        objective = self.asked.objective(shape)
        if objective < self.kept_objective - 1e-12 and self.asked.allows(shape):
            self.kept, self.kept_objective = shape, objective

    def found(self) -> FoundTree:
        """Return the result: proven where the best of all trees is within the limits."""
        free = super().found()
        is_open = free.status == "optimal" and self.kept_objective > free.bound + PROVEN
        bound = min(free.bound, self.kept_objective)
        return replace(free, shape=self.kept, objective=self.kept_objective, bound=bound,
                       status="gap" if is_open else free.status)  # fmt: skip


# The best leaf labels of a tree whose splits are given, to have good trees early.

Floats = NDArray[np.float64]

ALL_LABELINGS: Final = 10
"""Up to so many leaves all labelings are tried."""
FEW_LEAVES: Final = 40
"""With more leaves only one at a time is changed."""
FEW_FORMS: Final = 64
"""With more forms, too."""


def relabeled(terms: Terms, shape: TreeShape) -> TreeShape:
    """Return the splits of a tree with better labels."""
    costs, forms = terms.of_leaves(shape)
    leaves = reachable_leaves(shape)
    costs, forms, labels = costs[leaves], forms[:, leaves].T, np.array(shape.values)[leaves]
    if len(leaves) <= ALL_LABELINGS and terms.n_forms <= FEW_FORMS:
        every = (np.arange(1 << len(leaves))[:, None] >> np.arange(len(leaves)) & 1).astype(np.float64)
        labels = every[np.argmin(terms.objectives(terms.base + every @ costs, every @ forms))]
    else:
        labels = _changed(terms, costs, forms, labels)
    values = np.zeros(len(shape.values))
    owners = np.searchsorted(leaves, np.arange(len(values)), side="right") - 1
    values[:] = labels[owners]
    return shape.with_values(values).tidy()


def _changed(terms: Terms, costs: Floats, forms: Floats, labels: Floats) -> Floats:
    """Change one or two leaves while that helps."""
    one = np.eye(len(costs))
    changes = one
    if terms.n_forms <= FEW_FORMS and len(costs) <= FEW_LEAVES:
        first, second = np.triu_indices(len(costs), 1)
        changes = np.vstack([one, one[first] + one[second]])
    value = np.inf
    for start in (labels, np.zeros(len(labels))):
        now, reached = start, np.inf
        while True:
            every = np.abs(now - changes)
            found = terms.objectives(terms.base + every @ costs, every @ forms)
            place = int(np.argmin(found))
            if not found[place] < reached - 1e-12:
                break
            now, reached = every[place], float(found[place])
        if reached < value:
            labels, value = now, reached
    return labels
