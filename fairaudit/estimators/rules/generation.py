"""Column generation: find rules until none can improve the relaxation of the master problem, or the work is done.

The rounds are in `rounds`, those of large tables in its `CentralRounds`. Still larger tables are sampled first, and the
rules found there are the start on all rows. For the 0-1 objective the Hamming form comes first: its relaxation is far
closer to its integer optimum, and leads to better rules.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
from joblib import parallel_config
from numpy.typing import NDArray

from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.rules.interior import Prices
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleRows
from fairaudit.estimators.rules.rounds import NEGATIVE_COST, CentralRounds, GeneratedRules, RoundsStart, Rules
from fairaudit.events import STOP, Progress, SearchEvent, Searching, iter_relay
from fairaudit.work import Budget

if TYPE_CHECKING:
    from sklearn.tree._tree import Tree

# A sample of the rows of a large table, on which rules are found before they are judged on all rows.

MOST_CELLS_UNSAMPLED: Final = 60_000
"""Tables with more cells are sampled."""
N_SAMPLED: Final = 30_000
"""Rows of a sample."""
FEWEST_SAMPLED: Final = 50


def sampled_rows(rows: RuleRows, random_state: int) -> RuleRows:
    """Draw rows without replacement, from each group and label its share.

    Examples
    --------
    >>> table = RuleRows.merge(np.eye(4, dtype=bool).repeat(20_000, axis=0), np.arange(80_000) % 2 == 0,
    ...                        np.zeros(80_000, dtype=np.int64), ["all"])
    >>> sampled_rows(table, 0).totals.tolist()
    [[15000, 15000]]
    """
    random = np.random.default_rng(random_state)
    strata = 2 * rows.groups + rows.labels
    drawn = np.zeros(rows.n_cells, dtype=np.int64)
    for stratum in np.unique(strata).tolist():
        cells = np.flatnonzero(strata == stratum)
        total = rows.weights[cells].sum()
        wanted = min(round(total), max(FEWEST_SAMPLED, round(N_SAMPLED * total / rows.n_rows)))
        if rows.are_whole:
            counts = rows.weights[cells].astype(np.int64)
            drawn[cells] = random.multivariate_hypergeometric(counts, wanted, method="marginals")
        else:
            drawn[cells] = random.multinomial(wanted, rows.weights[cells] / total)
    kept = np.flatnonzero(drawn)
    return RuleRows(
        literals=rows.literals[kept],
        labels=rows.labels[kept],
        groups=rows.groups[kept],
        weights=drawn[kept],
        group_names=rows.group_names,
        cells=np.repeat(np.arange(len(kept)), drawn[kept]),
        has_others=rows.has_others,
        n_strata=rows.n_strata,
    )


# Rules to start from: the paths of trees to their positive leaves.
#
# Trees are grown on the literals, so a path is a rule as it stands: where a split goes to the side on which the literal
# holds, the literal is taken; where it goes to the other side, the literal that says the contrary, if there is one.
# Some trees weigh the rows so that the groups count alike in each label, which brings rules that treat them alike.

N_TREES: Final = 24
"""Trees of each forest."""
DEPTHS: Final = (2, 4, 6)
"""Depths of the forests."""
MOST_MINED_CELLS: Final = 20_000
"""Cells that a forest learns from; of more, a sample by weight."""
MOST_MINED_RULES: Final = 2_000
FOREST_ELEMENTS: Final = 40
"""Elements of operations that a level of a tree takes for each cell."""


def iter_mine_rules(
    problem: Problem, random_state: int, budget: Budget
) -> Generator[None, None, tuple[tuple[int, ...], ...]]:
    """Return rules from forests, yielding before each of them is grown."""
    rows = problem.rows
    if not rows.n_literals or problem.longest < 1 or rows.labels.all() or not rows.labels.any():
        return ()
    opposites = opposite_literals(rows)
    rules: dict[tuple[int, ...], None] = {}
    for literals, labels, weights in _samples(rows, random_state):
        for depth in DEPTHS:
            if budget.is_over or len(rules) > MOST_MINED_RULES:
                break
            yield
            budget.spend(calls=300 * N_TREES, elements=N_TREES * FOREST_ELEMENTS * depth * literals.shape[0])
            for tree in _forest(literals, labels, weights, depth, random_state):
                rules |= dict.fromkeys(_paths(tree, opposites, problem.longest))
    return tuple(rules)


def opposite_literals(rows: RuleRows) -> NDArray[np.int64]:
    """Return for each literal the first one that holds exactly where it does not, -1 where there is none."""
    keys = {np.packbits(column).tobytes(): place for place, column in reversed(list(enumerate(rows.literals.T)))}
    return np.array([keys.get(np.packbits(~column).tobytes(), -1) for column in rows.literals.T], dtype=np.int64)


def _samples(
    rows: RuleRows, random_state: int
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float64]]]:
    """Yield literals, labels and weights: the rows as they are, and with groups that count alike in each label."""
    places = np.arange(rows.n_cells)
    weights = rows.weights.astype(np.float64)
    if rows.n_cells > MOST_MINED_CELLS:
        random = np.random.default_rng(random_state)
        places = np.sort(random.choice(rows.n_cells, MOST_MINED_CELLS, replace=False, p=weights / weights.sum()))
        weights = np.ones(rows.n_cells)
    literals, labels, groups = rows.literals[places], rows.labels[places], rows.groups[places]
    weights = weights[places]
    yield literals, labels, weights
    if rows.n_groups > 1:
        cells = 2 * groups + labels
        totals = np.bincount(cells, weights, minlength=2 * rows.n_groups)
        by_label = np.array([weights[~labels].sum(), weights[labels].sum()])
        share = np.divide(1.0, totals, out=np.zeros_like(totals), where=totals > 0)
        yield literals, labels, weights * share[cells] * by_label[labels.astype(int)]


def _forest(
    literals: NDArray[np.bool_], labels: NDArray[np.bool_], weights: NDArray[np.float64], depth: int, random_state: int
) -> list[Tree]:
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(N_TREES, max_depth=depth, random_state=random_state, n_jobs=1)
    # Small trees on few cells: sending each to another computer would take longer than growing it.
    with parallel_config(backend="sequential"):
        forest.fit(literals.astype(np.float32), labels, sample_weight=weights)
    return [estimator.tree_ for estimator in forest.estimators_]


def _paths(tree: Tree, opposites: NDArray[np.int64], longest: int) -> Iterator[tuple[int, ...]]:
    """Yield the rule of each leaf where most rows are positive, and of each inner node on the way there."""
    stack: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while stack:
        node, rule = stack.pop()
        if rule and len(set(rule)) <= longest and tree.value[node, 0, -1] > tree.value[node, 0, 0]:
            yield tuple(sorted(set(rule)))
        literal = int(tree.feature[node])
        if literal >= 0:
            stack.append((int(tree.children_right[node]), (*rule, literal)))
            if opposites[literal] >= 0:
                stack.append((int(tree.children_left[node]), (*rule, int(opposites[literal]))))


SHARE_BEFORE_ROUNDS: Final = 0.5
"""The share of the work for what comes before: the sample, or the Hamming form."""


def iter_generate(
    problem: Problem,
    *,
    budget: Budget,
    pricing_limit: float,
    start: RuleColumns | None = None,
    begun: GenerationStart | None = None,
    random_state: int | None = None,
) -> Searching[GeneratedRules]:
    """Generate rules, keeping those of the start, or from new ones."""
    limits = _Limits(budget, pricing_limit, random_state or 0)
    return (yield from _iter_all(limits, problem, start, GenerationStart() if begun is None else begun))


@dataclass(frozen=True)
class GenerationStart:
    """What a search without a start begins with."""

    # Rules that are known, and may go.
    rules: Rules = ()
    # Whether trees are grown for others.
    mines: bool = True
    # Central prices over rules that are shorter.
    prices: Prices | None = None


@dataclass(frozen=True)
class _Limits:
    """When to end, and the seed."""

    budget: Budget
    pricing: float
    seed: int

    def part(self, share: float) -> _Limits:
        """Return a share of the work."""
        return replace(self, budget=self.budget.part(share * self.budget.left), pricing=share * self.pricing)


def _iter_all(
    limits: _Limits, problem: Problem, start: RuleColumns | None, begun: GenerationStart, *, may_sample: bool = True
) -> Searching[GeneratedRules]:
    """Generate rules for what comes before, if anything does, and then for the problem itself."""
    before, now = None, RoundsStart(kept=start)
    if may_sample and problem.rows.n_cells > MOST_CELLS_UNSAMPLED:
        before = replace(problem, rows=sampled_rows(problem.rows, limits.seed))
    elif problem.objective == "zero_one" and start is None and begun.mines:
        before = replace(problem, objective="hamming")
    stopped = False
    if before is not None:
        kept = None if start is None else RuleColumns.of(start.rules, before.rows)
        # The prices are those of the cells of all rows.
        events = _iter_all(
            limits.part(SHARE_BEFORE_ROUNDS), before, kept, replace(begun, prices=None), may_sample=False
        )
        generated, stopped = yield from iter_silent(events, limits.budget)
        now = replace(_start_from(generated, start), prices=begun.prices)
    elif start is None:
        mined: Rules = ()
        if begun.mines:
            mined, stopped = yield from _iter_mine(limits, problem)
        now = RoundsStart(found=tuple(dict.fromkeys((*begun.rules, *mined))), prices=begun.prices)
    rounds = CentralRounds(problem, limits.budget, limits.pricing, limits.seed, stopped=stopped)
    return (yield from rounds.iter_run(now))


def _iter_mine(limits: _Limits, problem: Problem) -> Searching[tuple[Rules, bool]]:
    """Return rules from trees, and whether that was stopped."""
    forests = iter_mine_rules(problem, limits.seed, limits.budget.part(limits.budget.left / 4))
    while True:
        try:
            next(forests)
        except StopIteration as end:
            return end.value, False
        if (yield Progress("Growing trees for rules to begin with", limits.budget.steps(TOTAL), TOTAL)) is STOP:
            return (), True


def _start_from(generated: GeneratedRules, kept: RuleColumns | None) -> RoundsStart:
    """Return the rules of what came before, the most useful first."""
    order, rules = np.argsort(generated.reduced_costs, kind="stable"), generated.columns.rules
    return RoundsStart(
        kept=kept,
        found=tuple(rules[place] for place in order.tolist()),
        n_active=int((generated.reduced_costs < NEGATIVE_COST).sum()),
        rounded=tuple(rules[place] for place in generated.rounded),
    )


Ended = TypeVar("Ended")


def iter_silent(events: Searching[Ended], budget: Budget) -> Searching[tuple[Ended, bool]]:
    """Pass on progress only: the figures of another problem would mislead. Say whether it was stopped."""

    def progress(event: SearchEvent) -> Progress | None:
        is_progress = isinstance(event, Progress)
        return Progress(event.what, budget.steps(TOTAL), TOTAL) if is_progress else None

    return (yield from iter_relay(events, progress))
