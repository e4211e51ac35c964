"""The integer problem of a tree as a model of SCIP: a form of the tree, the loss, fairness, bounds and starts.

Three forms say what a tree is. The path form (`PathForm`) is tight, and is for labels and given splits as long
as its columns are not too many. The flow form (`FlowForm`) is for all that is asked of it. The published form
(`PublishedForm`) is for those who ask for it, and to check what others found. What is minimised counts in rows, so that
a tree without prices has a whole objective.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from fairaudit.estimators.trees.formulation.flow import FlowForm
from fairaudit.estimators.trees.formulation.nodes import (
    Expression,
    Floats,
    Form,
    SplitPatterns,
    limited_columns,
)
from fairaudit.estimators.trees.formulation.paths import ColumnCriteria, PathForm, count_places
from fairaudit.estimators.trees.formulation.published import PublishedForm
from fairaudit.estimators.trees.leaf_values import best_values
from fairaudit.estimators.trees.problem import Measure, TreeProblem, TreeShape
from fairaudit.measure.limits import SLACK
from fairaudit.solver import add_convex, add_proposals, add_row, minimise
from fairaudit.work import Budget

if TYPE_CHECKING:
    from scipy import sparse

    from fairaudit.solver.models import Solution, Variable, WorkedModel


# Discrimination and limits as rows over any form of the integer problem.
#
# =========== =========================================================================================================
# symbol      meaning
# =========== =========================================================================================================
# h           predictions of patterns, linear in the variables of the form
# F, G        forms of measures and of the limit, over patterns; s, their scale to units of rows
# d[k]        at least |(F h)_k|
# D           at least sum of |(F h)_k|, for a measure of many forms: by cuts, see below
# m           at least the largest (G h)_k, where it is priced
# =========== =========================================================================================================
#
# With few forms each has its d. DTDI has thousands, each over a few dozen patterns: there D alone is a variable, and
# rows ``D >= sum_k sign_k (F h)_k`` are added where a solution of the relaxation breaks them. As a whole they say the
# same.

MOST_FORMS_AS_ROWS: Final = 32
"""A measure of more forms is made of cuts."""

LARGEST_PRICE: Final = 1e4
"""Higher prices are lowered to this in the model, which leaves its bound valid: SCIP knows 6 digits."""

LOOSENED: Final = SLACK / 2
"""Limits are loosened by this in the model; half of what `TreeProblem.allows` lets pass."""


@dataclass(frozen=True, eq=False)
class MeasureForms:
    """Forms of a measure over patterns, with those that are multiples of each other merged."""

    # (n_forms, n_patterns) F.
    matrix: sparse.csr_array
    # (n_forms,) What one absolute value counts in the measure.
    factors: Floats

    @classmethod
    def of(cls, measure: Measure, patterns: SplitPatterns) -> MeasureForms:
        """Merge forms that are multiples of each other, and drop those that are 0."""
        from scipy import sparse

        matrix = patterns.forms(measure.forms)
        matrix.sum_duplicates()
        kept: dict[tuple[bytes, bytes], int] = {}
        rows: list[tuple[Floats, Floats]] = []
        factors: list[float] = []
        for begin, end in zip(matrix.indptr[:-1].tolist(), matrix.indptr[1:].tolist(), strict=True):
            places, numbers = matrix.indices[begin:end], matrix.data[begin:end]
            size = float(np.abs(numbers).max(initial=0.0))
            used = np.abs(numbers) > 1e-12 * max(size, 1e-300)
            if not used.any():
                continue
            places, numbers = places[used], numbers[used]
            lead = numbers[0]
            key = (places.tobytes(), np.round(numbers / lead, 9).tobytes())
            if key not in kept:
                kept[key] = len(rows)
                rows.append((places, numbers / lead))
                factors.append(0.0)
            factors[kept[key]] += measure.scale * abs(float(lead))
        data = np.concatenate([numbers for _, numbers in rows]) if rows else np.zeros(0)
        columns = np.concatenate([places for places, _ in rows]) if rows else np.zeros(0, dtype=np.int64)
        starts = np.cumsum([0, *(len(places) for places, _ in rows)])
        whole = sparse.csr_array((data, columns, starts), shape=(len(rows), patterns.n_patterns))
        return cls(whole, np.array(factors))

    def value(self, h: Floats) -> float:
        """Return the measure of predictions of patterns."""
        return float(self.factors @ np.abs(self.matrix @ h))


@dataclass(frozen=True, eq=False)
class _SumOfForms:
    """n sum_k factor_k |(F h)_k| as a function of the variables that predictions are made of."""

    forms: MeasureForms
    form: Form
    n_rows: int

    def value(self, values: Floats) -> float:
        return self.n_rows * self.forms.value(self.form.pattern_predictions(values))

    def tangent(self, values: Floats) -> tuple[Floats, float]:
        # |z| >= sign z, whatever the sign
        signs = self.forms.factors * np.sign(self.forms.matrix @ self.form.pattern_predictions(values))
        expression = self.form.predictions(self.n_rows * (signs @ self.forms.matrix))
        return expression.coefficients, expression.constant


def unit(form: Floats, patterns: SplitPatterns) -> float:
    """Return the factor that makes a row of the group that counts least in a form count 1."""
    shares = np.abs(form) / patterns.sizes
    large = shares > 1e-9 * shares.max(initial=0.0)
    return float(1.0 / shares[large].min()) if large.any() else 1.0


@dataclass(eq=False)
class PricedTerms:
    """The variables of measures and limits, as `add_fairness` adds them."""

    # What is priced, in rows.
    terms: list[tuple[float, Variable]] = field(default_factory=list)
    # The variables with what they are for given predictions of patterns.
    values: list[tuple[Variable, Callable[[Floats], float]]] = field(default_factory=list)


def add_fairness(
    model: WorkedModel, problem: TreeProblem, patterns: SplitPatterns, form: Form, *, may_cut: bool = True
) -> PricedTerms:
    """Add rows for measures and the limit; without `may_cut` each absolute value has rows, which a file can hold."""
    fairness = PricedTerms()
    for place, measure in enumerate(problem.measures):
        if problem.price or problem.max_measure is not None:
            forms = MeasureForms.of(measure, patterns)
            name = f"{measure.name}_{place}"
            cuts = may_cut and len(forms.factors) > MOST_FORMS_AS_ROWS
            _add_measure(model, problem, patterns, forms, form, fairness, name, cuts=cuts)
    _add_limit(model, problem, patterns, form, fairness)
    return fairness


def _add_measure(
    model: WorkedModel,
    problem: TreeProblem,
    patterns: SplitPatterns,
    forms: MeasureForms,
    form: Form,
    fairness: PricedTerms,
    name: str,
    *,
    cuts: bool,
) -> None:
    if not len(forms.factors):
        return
    n_rows = problem.rows.n_rows
    if cuts:
        total = model.addVar(f"D_{name}", lb=0.0)
        # D >= n sum_k sign_k (F h)_k,  all signs
        variables = form.predictions(np.ones(patterns.n_patterns)).variables
        add_convex(model, variables, total, _SumOfForms(forms, form, n_rows), name=f"{name}_cut")
        parts = [(1.0 / n_rows, total)]
        fairness.values.append((total, lambda h: n_rows * forms.value(h) / form.span))
    else:
        parts = []
        for k, factor in enumerate(forms.factors.tolist()):
            row = forms.matrix[[k]].toarray().ravel()
            difference = model.addVar(f"d_{name}_{k}", lb=0.0)
            # (F h)_k <= d[k],  -(F h)_k <= d[k]
            expression = form.predictions(row)
            expression.add_to(model, f"{name}_{k}_above", at_most=0.0, more=[(-1.0, difference)])
            expression.add_to(model, f"{name}_{k}_below", at_least=0.0, more=[(1.0, difference)])
            parts.append((factor, difference))
            fairness.values.append((difference, partial(_size, row, form)))
    price = min(problem.price, LARGEST_PRICE)
    if price:
        fairness.terms += [(n_rows * price * factor, variable) for factor, variable in parts]
    if problem.max_measure is not None:
        # sum_k factor_k d[k] <= most, in rows
        factors = [n_rows * factor for factor, _ in parts]
        most = n_rows * (problem.max_measure + LOOSENED) / form.span
        Expression([variable for _, variable in parts], np.array(factors)).add_to(model, f"most_{name}", at_most=most)


def _size(row: Floats, form: Form, h: Floats) -> float:
    """Return what d[k] is for predictions, given the form k."""
    return abs(float(row @ h)) / form.span


def _add_limit(
    model: WorkedModel, problem: TreeProblem, patterns: SplitPatterns, form: Form, fairness: PricedTerms
) -> None:
    limit = problem.limit
    if limit is None or not limit.forms.shape[0]:
        return
    n_rows = problem.rows.n_rows
    price = min(problem.limit_price, LARGEST_PRICE)
    matrix = patterns.forms(limit.forms).toarray()
    largest = model.addVar("m", lb=None) if price else None
    for k, (row, bound) in enumerate(zip(matrix, limit.bounds.tolist(), strict=True)):
        scale = unit(row, patterns)
        expression = form.predictions(scale * row)
        if np.isfinite(bound):
            # (G h)_k <= bound_k
            expression.add_to(model, f"{limit.name}_{k}", at_most=scale * (bound + LOOSENED) / form.span)
        if largest is not None:
            # (G h)_k <= m
            expression.add_to(model, f"largest_{k}", at_most=0.0, more=[(-scale, largest)])
    if largest is not None:
        fairness.terms.append((n_rows * price, largest))
        fairness.values.append((largest, lambda h: float((matrix @ h).max()) / form.span))


# Trees near a solution of the relaxation: at each node what it chooses most, with the best leaves for that.

Proposal = tuple[Sequence["Variable"], Floats]
"""Variables and their values."""

DEEPEST_LABELED: Final = 3
"""Deeper trees are not rounded: the best labels of so many leaves are a search of their own."""


class Rounding:
    """Proposes trees; each structure once."""

    # form: A form that has been built.
    # solution: Gives the solution of the model for a tree; None where it has no such tree.
    # objective: That of the best tree known.
    def __init__(
        self,
        problem: TreeProblem,
        form: Form,
        solution: Callable[[TreeShape], Proposal | None],
        budget: Budget,
        objective: float = math.inf,
    ):
        self.problem, self.form, self.solution, self.budget, self.objective = problem, form, solution, budget, objective
        self.seen: set[tuple[int, ...]] = set()

    def propose(self, values: Floats) -> Proposal | None:
        """Return a better tree as variables and values; None where there is none near."""
        self.budget.spend(calls=30, elements=200 * len(values))
        shape = self.form.rounded(values)
        if shape.splits in self.seen:
            return None
        self.seen.add(shape.splits)
        better = best_values(self.problem, shape, self.budget, cutoff=self.objective)
        solution = None if better is None else self.solution(better)
        if better is not None and solution is not None:
            self.objective = self.problem.objective(better)
        return solution


MOST_PATH_COLUMNS: Final = 300_000
"""Most leaf columns of the path form, before equal ones are merged."""

MOST_PLACED: Final = 200_000_000
"""Most places of the last level of the path form times cells, a byte each."""

FEASIBILITY: Final = 1e-7
"""SCIP's tolerance where rates are limited, a tenth of its own; its linear solver complains of less."""

SCIP_SETTINGS: Final = {
    # Probing each variable took 25 s of 26 on COMPAS at depth 3, and fixed 12 of 5,651.
    "propagating/probing/maxprerounds": 0,
    # Without restarts SCIP 10 keeps its status when it is stopped in between.
    "presolving/maxrestarts": 0,
}
"""Presolving that does these models no good."""


@dataclass(frozen=True)
class TreeKinds:
    """Which trees are looked for."""

    # For each categorical feature, the columns of ``rows.holds`` that say "equals this level".
    levels: tuple[tuple[int, ...], ...] = ()
    # linear_splits, linear_leaves: Whether splits may be on weighted sums of ``rows.points``, and whether leaves may
    # predict such sums.
    linear_splits: bool = False
    linear_leaves: bool = False
    # Whether the model is the one that was first published, and no other.
    published: bool = False

    @property
    def are_plain(self) -> bool:
        """Whether all splits are given columns, and leaves are constant."""
        return not (self.levels or self.linear_splits or self.linear_leaves or self.published)


class ScipTree:
    """A model of SCIP for a tree; it is complete when `iter_build` has run."""

    # model: An empty model, from ``new_model``.
    # kinds: Which trees are looked for.
    def __init__(self, model: WorkedModel, problem: TreeProblem, kinds: TreeKinds):
        self.model, self.problem, self.kinds = model, problem, kinds
        self.patterns = SplitPatterns.of(problem.rows, with_points=kinds.linear_splits or kinds.linear_leaves)
        self.form: Form = _form(model, problem, self.patterns, kinds)

    def iter_build(self) -> Iterator[None]:
        """Add variables, rows and the objective, a few at a time."""
        model, problem = self.model, self.problem
        yield from self.form.iter_build()
        may_cut = not self.kinds.published
        self.fairness = add_fairness(model, problem, self.patterns, self.form, may_cut=may_cut)
        losses = self.form.losses()
        variables = [*losses.variables, *(variable for _, variable in self.fairness.terms)]
        coefficients = np.array([*losses.coefficients, *(factor for factor, _ in self.fairness.terms)])
        self.objective = Expression(variables, coefficients, losses.constant)
        minimise(model, variables, coefficients, constant=losses.constant)
        for name, value in SCIP_SETTINGS.items():
            model.setParam(name, value)
        if problem.limit is not None or problem.max_measure is not None:
            model.setParam("numerics/feastol", FEASIBILITY)

    @property
    def scale(self) -> float:
        """What the objective is multiplied by in the model: its unit is a row, or the range of targets for one."""
        return self.problem.rows.n_rows / self.form.span

    @property
    def choices(self) -> list[Variable]:
        """The variables that say which tree a solution stands for."""
        return self.form.variables[: self.form.n_choices]

    def forbid(self, values: Floats) -> None:
        """Forbid one choice of tree: one of the variables that are 1 must be 0."""
        taken = [variable for variable, value in zip(self.choices, values, strict=True) if value > 0.5]
        add_row(self.model, taken, np.ones(len(taken)), at_most=len(taken) - 1.0, name=f"not_{self.model.getNConss()}")

    def solution(
        self, shape: TreeShape, subsets: Sequence[tuple[int, ...]] = ()
    ) -> tuple[list[Variable], Floats] | None:
        """Return variables and their values for a tree; None where the form has no such tree.

        Splits of at least ``n_splits`` are those of `subsets`, which the published form alone can take over.
        """
        values = self.form.encode(shape, subsets)
        if values is None:
            return None
        rows = self.problem.rows
        added = [rows.holds[:, list(subset)].any(axis=1) for subset in subsets]
        h = np.zeros(self.patterns.n_patterns)
        h[self.patterns.of_cell] = shape.predict(np.column_stack([rows.holds, *added]))
        following = [value_of(h) for _, value_of in self.fairness.values]
        variables = [*self.form.variables, *(variable for variable, _ in self.fairness.values)]
        return variables, np.concatenate([values, following])

    def start(self, shape: TreeShape, subsets: Sequence[tuple[int, ...]] = ()) -> Solution | None:
        """Return a tree as a solution of SCIP; None where the form has no such tree."""
        solution = self.solution(shape, subsets)
        if solution is None:
            return None
        start = self.model.createSol()
        for variable, value in zip(*solution, strict=True):
            self.model.setSolVal(start, variable, float(value))
        return start

    def add_start(self, shape: TreeShape, subsets: Sequence[tuple[int, ...]] = ()) -> None:
        """Add a tree that the search starts from, where the form has it."""
        start = self.start(shape, subsets)
        if start is not None:
            self.model.addSol(start)

    def round_relaxations(self, objective: float) -> None:
        """Have trees proposed near what the linear programs say, where they are better than an objective."""
        if self.kinds.are_plain and self.problem.max_depth <= DEEPEST_LABELED:
            rounding = Rounding(self.problem, self.form, self.solution, self.model.budget, objective)
            add_proposals(self.model, self.choices, rounding.propose, name="nearby_trees")

    def bound_of(self, bound: float) -> float:
        """Return what the objective is at least where the model's is at least `bound`."""
        problem = self.problem
        lost = max(problem.limit_price - LARGEST_PRICE, 0.0)
        worst = 0.0
        if lost and problem.limit is not None and problem.limit.forms.shape[0]:
            # The largest of some forms is at least their mean.
            mean = np.asarray(problem.limit.forms.mean(axis=0)).ravel()
            worst = float(np.minimum(mean, 0.0).sum())
        return bound / self.scale + lost * worst


def takes_paths(problem: TreeProblem, kinds: TreeKinds) -> bool:
    """Say whether the path form is used."""
    rows = problem.rows
    n_places = count_places(rows.n_splits, problem.max_depth)
    # Without forms the cheapest column of each place is enough.
    n_columns = n_places * (2 * rows.n_splits + 2 if _forms(problem) or limited_columns(problem) else 1)
    is_small = n_columns <= MOST_PATH_COLUMNS and n_places * rows.n_cells <= MOST_PLACED
    return problem.task == "classification" and kinds.are_plain and is_small


def _form(model: WorkedModel, problem: TreeProblem, patterns: SplitPatterns, kinds: TreeKinds) -> Form:
    split_cost = problem.rows.n_rows * min(problem.split_price, LARGEST_PRICE)
    if kinds.published:
        return PublishedForm(model, problem, patterns, levels=kinds.levels, split_cost=split_cost)
    if takes_paths(problem, kinds):
        return PathForm(model, problem, patterns, column_criteria(problem, patterns))
    return FlowForm(
        model,
        problem,
        patterns,
        levels=kinds.levels,
        linear_splits=kinds.linear_splits,
        linear_leaves=kinds.linear_leaves,
        split_cost=split_cost,
    )


def column_criteria(problem: TreeProblem, patterns: SplitPatterns) -> ColumnCriteria:
    """Return what tells which columns of the path form are needed."""
    rows = problem.rows
    forms = [row for part in _forms(problem) for row in patterns.forms(part).toarray()]
    return ColumnCriteria(
        loss=patterns.summed(rows.weights * (1.0 - 2.0 * rows.targets)),
        forms=np.array([unit(row, patterns) * row for row in forms]).reshape(-1, patterns.n_patterns),
        split_cost=rows.n_rows * min(problem.split_price, LARGEST_PRICE),
        min_leaf_size=problem.min_leaf_size,
        columns=limited_columns(problem),
    )


def _forms(problem: TreeProblem) -> Sequence[sparse.csr_array]:
    measured = problem.measures if problem.price or problem.max_measure is not None else ()
    limited = () if problem.limit is None else (problem.limit,)
    return [part.forms for part in (*measured, *limited) if part.forms.shape[0]]
