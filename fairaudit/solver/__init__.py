"""The only door to PySCIPOpt: a quiet model, limits, and a solve that shows how far it is and can be stopped.

PySCIPOpt is imported when the first model is made: it takes a tenth of a second, which those who only read results
need not wait for. ``Model.optimize`` would hold Python's lock and freeze every other thread, so models are solved by
``optimizeNogil`` in a thread of their own.

Examples
--------
>>> with new_model("knapsack") as model:
...     items = [model.addVar(vtype="B", obj=-gain) for gain in (3, 4, 5)]
...     row = add_row(model, items, (2, 3, 4), at_most=5, name="weight")
...     solved = solve(model, variables=items)
>>> solved.status, solved.objective, solved.best.tolist()
('optimal', -7.0, [1.0, 1.0, 0.0])
"""

from fairaudit.solver.models import ConvexFunction, add_convex, add_row, minimise, new_model
from fairaudit.solver.solving import Solved, SolveLimits, Status, add_proposals, iter_solve, solve

__all__ = [
    "ConvexFunction",
    "SolveLimits",
    "Solved",
    "Status",
    "add_convex",
    "add_proposals",
    "add_row",
    "iter_solve",
    "minimise",
    "new_model",
    "solve",
]
