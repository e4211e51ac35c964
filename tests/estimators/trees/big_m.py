"""The integer problem of the paper, (7a) to (7m), as it is printed: one flow of big Ms for each row.

It is the reference for what is optimal, and slow: a dozen rows at depth 2 take a second.

======================= ==============================================================================================
symbol                  meaning
======================= ==============================================================================================
p[v,j], q[v]            whether node v asks for feature j; the cut of a quantitative one
w[i,v], gp, gm          whether row i is at most the cut; by how much it is below and above
s[v,j,k], c[i,v]        whether level k goes left; whether row i does, by a categorical feature
z[i,l], u[l], y[i]      whether row i is in leaf l; what the leaf predicts; what is predicted for the row
======================= ==============================================================================================
"""

from __future__ import annotations

import itertools

import numpy as np

from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.solver import add_row, minimise, new_model, solve

EPSILON = 0.5
"""Numbers are whole here."""


def big_m_objective(problem: TreeProblem, numbers, levels, *, time_s: float = 60.0) -> float:
    """Return the least objective of trees that always split.

    Parameters
    ----------
    problem : TreeProblem
        What is asked; measures, prices and limits of it are read.
    numbers : ndarray of float, shape (n_cells, n_numbers)
        Quantitative features, whole numbers from 0 to 9.
    levels : sequence of ndarray of bool, shape (n_cells, n_levels)
        For each categorical feature, which level each cell has.
    """
    with new_model("big_m") as model:
        predicted = _add_tree(model, problem, numbers, levels)
        terms, constant = _loss(model, problem, predicted)
        terms += _fairness(model, problem, predicted)
        minimise(model, [variable for _, variable in terms], [factor for factor, _ in terms], constant=constant)
        solved = solve(model)
    return solved.objective if solved.status == "optimal" else float("nan")


def _add_tree(model, problem, numbers, levels):
    depth, n_cells, n_numbers = problem.max_depth, len(numbers), numbers.shape[1]
    low, high = float(problem.rows.targets.min()), float(problem.rows.targets.max())
    leaves = range(2**depth, 2 ** (depth + 1))
    labels = problem.task == "classification"
    z = {(i, leaf): model.addVar(vtype="B") for i in range(n_cells) for leaf in leaves}
    for node in range(1, 2**depth):
        p = [model.addVar(vtype="B") for _ in range(n_numbers + len(levels))]
        # sum_j p[v,j] = 1
        add_row(model, p, np.ones(len(p)), at_least=1, at_most=1, name="p")
        q = model.addVar(lb=-1.0, ub=11.0)
        s = [[model.addVar(vtype="B") for _ in part.T] for part in levels]
        for j, part in enumerate(s):
            for level in part:
                # (7i)  s[v,j,k] <= p[v,j]
                add_row(model, [level, p[n_numbers + j]], [1, -1], at_most=0, name="7i")
        for i in range(n_cells):
            w, gp, gm = model.addVar(vtype="B"), model.addVar(), model.addVar()
            c = model.addVar(vtype="B")
            # (7c)  q[v] - sum_j p[v,j] x[i,j] = gp - gm
            add_row(model, [q, *p[:n_numbers], gp, gm], [1, *-numbers[i], -1, 1], at_least=0, at_most=0, name="7c")
            # (7d)  gp <= M w;  (7e)  gm <= M (1 - w);  (7f)  gp + gm >= epsilon (1 - w)
            add_row(model, [gp, w], [1, -20], at_most=0, name="7d")
            add_row(model, [gm, w], [1, 20], at_most=20, name="7e")
            add_row(model, [gp, gm, w], [1, 1, EPSILON], at_least=EPSILON, name="7f")
            # (7j)  c[i,v] = sum_j sum_k s[v,j,k] [x[i,j] = k]
            chosen = [s[j][k] for j, part in enumerate(levels) for k in np.flatnonzero(part[i])]
            add_row(model, [*chosen, c], [*np.ones(len(chosen)), -1], at_least=0, at_most=0, name="7j")
            for leaf in leaves:
                above = leaf >> (leaf.bit_length() - node.bit_length() - 1)
                quantitative, categorical = p[:n_numbers], p[n_numbers:]
                if above == 2 * node + 1:
                    # (7g)  z[i,l] <= 1 - w + (1 - sum_j p[v,j]),  l to the right;  (7l)  the same for c
                    _bound_z(model, z[i, leaf], w, 1, quantitative, 2, "7g")
                    _bound_z(model, z[i, leaf], c, 1, categorical, 2, "7l")
                elif above == 2 * node:
                    # (7h)  z[i,l] <= w + (1 - sum_j p[v,j]),  l to the left;  (7k)  the same for c
                    _bound_z(model, z[i, leaf], w, -1, quantitative, 1, "7h")
                    _bound_z(model, z[i, leaf], c, -1, categorical, 1, "7k")
    low, high = (0.0, 1.0) if labels else (low, high)
    u = {leaf: model.addVar(vtype="B" if labels else "C", lb=low, ub=high) for leaf in leaves}
    y = [model.addVar(lb=low, ub=high) for _ in range(n_cells)]
    far = high - low
    for i in range(n_cells):
        # (7m)  sum_l z[i,l] = 1
        add_row(model, [z[i, leaf] for leaf in leaves], np.ones(len(leaves)), at_least=1, at_most=1, name="7m")
        for leaf, sign in itertools.product(leaves, (1, -1)):
            # |y[i] - u[l]| <= M (1 - z[i,l])
            add_row(model, [y[i], u[leaf], z[i, leaf]], [sign, -sign, far], at_most=far, name="7b")
    return y


def _bound_z(model, z, goes, sign, asked, side, name):
    add_row(model, [z, goes, *asked], [1, sign, *np.ones(len(asked))], at_most=side, name=name)


def _loss(model, problem, predicted):
    terms = []
    for y, target, weight in zip(predicted, problem.rows.targets, problem.weights, strict=True):
        error = model.addVar()
        # |y[i] - target| <= error
        add_row(model, [y, error], [1, -1], at_most=target, name="error")
        add_row(model, [y, error], [1, 1], at_least=target, name="error")
        terms.append((float(weight), error))
    return terms, 0.0


def _fairness(model, problem, predicted):
    terms = []
    for measure in problem.measures:
        parts = []
        for form in measure.forms.toarray():
            difference = model.addVar()
            add_row(model, [*predicted, difference], [*form, -1], at_most=0, name="above")
            add_row(model, [*predicted, difference], [*form, 1], at_least=0, name="below")
            parts.append(difference)
        if problem.max_measure is not None and parts:
            most = problem.max_measure / measure.scale
            add_row(model, parts, np.ones(len(parts)), at_most=most, name="most")
        terms += [(problem.price * measure.scale, part) for part in parts]
    if problem.limit is not None:
        largest = model.addVar(lb=None)
        for form, bound in zip(problem.limit.forms.toarray(), problem.limit.bounds, strict=True):
            add_row(model, predicted, form, at_most=bound, name="limit")
            add_row(model, [*predicted, largest], [*form, -1], at_most=0, name="largest")
        terms += [(problem.limit_price, largest)] if problem.limit_price else []
    return terms
