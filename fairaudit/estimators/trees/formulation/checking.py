"""A tree in the published model: written for another solver, and checked by SCIP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fairaudit.errors import InputError
from fairaudit.estimators.trees.formulation.model import ScipTree, TreeKinds
from fairaudit.estimators.trees.formulation.nodes import SplitPatterns
from fairaudit.estimators.trees.formulation.published import PublishedForm
from fairaudit.estimators.trees.problem import TreeProblem, TreeShape
from fairaudit.solver import new_model

if TYPE_CHECKING:
    from fairaudit.solver.models import Solution

MOST_CHECKED: Final = 60_000
"""Rows of a model that is made only to check a tree: it takes a second or two."""

SAME: Final = 1e-6
"""Objectives are the same where they are as near as this, as a share: SCIP's tolerance."""


@dataclass(frozen=True, eq=False)
class PublishedTree:
    """A tree and the problem that it was found for, as the published model has them."""

    problem: TreeProblem
    # For each categorical feature, the columns that ask for one level.
    levels: tuple[tuple[int, ...], ...]
    # Splits of at least ``n_splits`` are those of `subsets`.
    shape: TreeShape
    subsets: tuple[tuple[int, ...], ...]
    objective: float
    # What each split says, in words.
    splits: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        """About how many rows the model has."""
        return PublishedForm.n_rows_of(SplitPatterns.of(self.problem.rows).n_patterns, self.problem.max_depth)

    @property
    def is_small(self) -> bool:
        """Whether the model is small enough to be made only to check the tree."""
        return self.n_rows <= MOST_CHECKED

    def is_confirmed(self) -> bool:
        """Say whether SCIP finds that the tree keeps to each row of the model, with the same objective."""
        with self._model() as (tree, start):
            allowed = tree.model.checkSol(start, printreason=False, completely=True, original=True)
            objective = tree.model.getSolObjVal(start) / tree.scale
            return bool(allowed) and abs(objective - self.objective) <= SAME * max(1.0, abs(self.objective))

    def write(self, path: Path) -> tuple[Path, Path]:
        """Write the model and the solution beside it; return where they are."""
        lp, solution = path.with_suffix(".lp"), path.with_suffix(".sol")
        with self._model() as (tree, start):
            tree.model.writeProblem(str(lp), verbose=False)
            tree.model.writeSol(start, str(solution), write_zeros=True)
            form = tree.form
        lp.write_text(self._legend(form) + lp.read_text(encoding="utf-8"), encoding="utf-8")
        return lp, solution

    @contextmanager
    def _model(self) -> Iterator[tuple[ScipTree, Solution]]:
        with new_model("tree") as model:
            tree = ScipTree(model, self.problem, TreeKinds(levels=self.levels, published=True))
            for _ in tree.iter_build():
                pass
            start = tree.start(self.shape, self.subsets)
            if start is None:
                raise InputError("The published model has no such tree.")
            yield tree, start

    def _legend(self, form: object) -> str:
        """Return what the letters stand for, as comments."""
        lines = [
            "Aghaei, Azizi and Vayanos (2019), problem (7a) to (7m); rows are named after its formulas.",
            "The objective is in rows, of amounts times their range.",
            f"rows: {self.problem.rows.n_rows}",
            f"objective: {self.objective:.9g}",
            "p_v_j: node v asks for feature j. n_v: it asks for nothing. q_v: its cut. s_v_j_k: level k goes left.",
            "z_i_l: row i is in leaf l. u_l: what leaf l predicts, from 0 to 1. y_i: what row i is predicted.",
        ]
        if isinstance(form, PublishedForm):
            for j, cuts in enumerate(form.features.cuts):
                lines += [f"feature {j}, cut {k}: {self.splits[column]}" for k, column in enumerate(cuts)]
            for j, levels in enumerate(form.features.levels, len(form.features.cuts)):
                lines += [f"feature {j}, level {k}: {self.splits[column]}" for k, column in enumerate(levels)]
        return "".join(f"\\ {' '.join(line.split())}\n" for line in lines)


def published_tree(
    problem: TreeProblem,
    levels: Sequence[Sequence[int]],
    shape: TreeShape,
    subsets: Sequence[tuple[int, ...]],
    objective: float,
    splits: Sequence[str],
) -> PublishedTree:
    """Return a tree that a search found, as the published model has it."""
    return PublishedTree(
        problem, tuple(tuple(part) for part in levels), shape, tuple(subsets), objective, tuple(splits)
    )
