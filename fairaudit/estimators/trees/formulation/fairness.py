"""Discrimination and limits as rows over any form of the integer problem.

=========== =========================================================================================================
symbol      meaning
=========== =========================================================================================================
h           predictions of patterns, linear in the variables of the form
F, G        forms of measures and of the limit, over patterns; s, their scale to units of rows
d[k]        at least |(F h)_k|
D           at least sum of |(F h)_k|, for a measure of many forms: by cuts, see below
m           at least the largest (G h)_k, where it is priced
=========== =========================================================================================================

With few forms each has its d. DTDI has thousands, each over a few dozen patterns: there D alone is a variable, and rows
``D >= sum_k sign_k (F h)_k`` are added where a solution of the relaxation breaks them. As a whole they say the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from fairaudit.estimators.trees.formulation.parts import Expression, Form
from fairaudit.estimators.trees.formulation.patterns import Floats, Patterns
from fairaudit.estimators.trees.problem import Measure, TreeProblem
from fairaudit.measure.limits import SLACK
from fairaudit.solver import add_convex

if TYPE_CHECKING:
    from scipy import sparse

FEW_FORMS: Final = 32
"""A measure of more forms is made of cuts."""

LARGEST_PRICE: Final = 1e4
"""Higher prices are lowered to this in the model, which leaves its bound valid: SCIP knows 6 digits."""

LOOSENED: Final = SLACK / 2
"""Limits are loosened by this in the model; half of what `TreeProblem.allows` lets pass."""


@dataclass(frozen=True, eq=False)
class Forms:
    """Forms of a measure over patterns, alike ones as one.

    Parameters
    ----------
    matrix : csr_array, shape (n_forms, n_patterns)
        F.
    factors : ndarray of float, shape (n_forms,)
        What one absolute value counts in the measure.
    """

    matrix: sparse.csr_array
    factors: Floats

    @classmethod
    def of(cls, measure: Measure, patterns: Patterns) -> Forms:
        """Merge forms that are alike but for a factor, and drop those that are 0."""
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

    forms: Forms
    form: Form
    n_rows: int

    def value(self, values: Floats) -> float:
        return self.n_rows * self.forms.value(self.form.pattern_predictions(values))

    def tangent(self, values: Floats) -> tuple[Floats, float]:
        # |z| >= sign z, whatever the sign
        signs = self.forms.factors * np.sign(self.forms.matrix @ self.form.pattern_predictions(values))
        expression = self.form.predictions(self.n_rows * (signs @ self.forms.matrix))
        return expression.coefficients, expression.constant


def unit(form: Floats, patterns: Patterns) -> float:
    """Return the factor that makes a row of the group that counts least in a form count 1."""
    shares = np.abs(form) / patterns.sizes
    large = shares > 1e-9 * shares.max(initial=0.0)
    return float(1.0 / shares[large].min()) if large.any() else 1.0


@dataclass(eq=False)
class PricedTerms:
    """The rows of measures and limits; add them with `add_fairness`.

    Parameters
    ----------
    terms : list of (coefficient, variable)
        What is priced, in rows.
    values : list of (variable, function)
        The variables with what they are for given predictions of patterns.
    """

    terms: list[tuple[float, Any]] = field(default_factory=list)
    values: list[tuple[Any, Callable[[Floats], float]]] = field(default_factory=list)


def add_fairness(model: Any, problem: TreeProblem, patterns: Patterns, form: Form) -> PricedTerms:
    """Add rows for measures and the limit."""
    fairness = PricedTerms()
    for place, measure in enumerate(problem.measures):
        if problem.price or problem.max_measure is not None:
            _add_measure(
                model, problem, patterns, Forms.of(measure, patterns), form, fairness, f"{measure.name}_{place}"
            )
    _add_limit(model, problem, patterns, form, fairness)
    return fairness


def _add_measure(
    model: Any, problem: TreeProblem, patterns: Patterns, forms: Forms, form: Form, fairness: PricedTerms, name: str
) -> None:
    if not len(forms.factors):
        return
    n_rows = problem.rows.n_rows
    if len(forms.factors) > FEW_FORMS:
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


def _add_limit(model: Any, problem: TreeProblem, patterns: Patterns, form: Form, fairness: PricedTerms) -> None:
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
