"""Solutions that are proposed while a model is solved, from what its relaxation looks like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def add_proposals(
    model: Any, read: Sequence[Any], propose: Callable[[Floats], tuple[Sequence[Any], Floats] | None], *, name: str
) -> None:
    """Have solutions proposed after linear programs."""
    from pyscipopt import SCIP_HEURTIMING

    model.includeHeur(_proposer_class()(tuple(read), propose), name, "solutions near the relaxation", "T",
                      priority=100_000, freq=1, timingmask=SCIP_HEURTIMING.DURINGLPLOOP)  # fmt: skip


@cache
def _proposer_class() -> type:
    from pyscipopt import SCIP_LPSOLSTAT, SCIP_RESULT, Heur

    class Proposer(Heur):
        def __init__(
            self, read: Sequence[Any], propose: Callable[[Floats], tuple[Sequence[Any], Floats] | None]
        ) -> None:
            self.read, self.propose = read, propose

        def heurexec(self, heurtiming: Any, nodeinfeasible: bool) -> dict[str, Any]:
            model = self.model
            if nodeinfeasible or model.getLPSolstat() != SCIP_LPSOLSTAT.OPTIMAL:
                return {"result": SCIP_RESULT.DIDNOTRUN}
            proposal = self.propose(np.array([model.getSolVal(None, variable) for variable in self.read]))
            if proposal is None:
                return {"result": SCIP_RESULT.DIDNOTFIND}
            solution = model.createOrigSol(self)
            for variable, value in zip(*proposal, strict=True):
                model.setSolVal(solution, variable, float(value))
            kept = model.trySol(solution, printreason=False)
            return {"result": SCIP_RESULT.FOUNDSOL if kept else SCIP_RESULT.DIDNOTFIND}

    return Proposer
