"""Rules in the integer program of the paper: written for another solver, and checked by SCIP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fairaudit.estimators.rules.literals import Literal, together_in_words
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleSetOutcome, outcome_of
from fairaudit.estimators.rules.selection import RestrictedModel
from fairaudit.solver import new_model

if TYPE_CHECKING:
    from fairaudit.solver.models import Solution

MOST_CHECKED: Final = 2_000_000
"""Rules times different rows of a program that is made only to check some: a few seconds."""

SAME: Final = 1e-6
"""Losses are the same where they are as near as this, as a share: SCIP's tolerance."""


@dataclass(frozen=True, eq=False)
class PublishedRules:
    """Rules, and all that they were chosen among, as the paper has them: each row for itself."""

    problem: Problem
    pool: RuleColumns
    # The literals of each rule that was chosen.
    rules: tuple[tuple[int, ...], ...]
    literals: tuple[Literal, ...]

    @cached_property
    def columns(self) -> RuleColumns:
        """The rules to choose among, with those that were."""
        return self.pool.joined(RuleColumns.of(self.rules, self.problem.rows))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Where the chosen rules are in the columns."""
        place_of = {rule: place for place, rule in enumerate(self.columns.rules)}
        return tuple(place_of[rule] for rule in self.rules)

    @cached_property
    def outcome(self) -> RuleSetOutcome:
        """What the chosen rules do."""
        return outcome_of(self.problem, self.columns, self.places)

    @property
    def is_small(self) -> bool:
        """Whether the program is small enough to be made only to check the rules."""
        return len(self.pool) * self.problem.rows.n_cells <= MOST_CHECKED

    def is_confirmed(self) -> bool:
        """Say whether SCIP finds that the rules keep to each row of the program, with the same loss."""
        with self._model() as (restricted, start):
            model, loss = restricted.model, float(self.outcome.loss(self.problem))
            allowed = model.checkSol(start, printreason=False, completely=True, original=True)
            return bool(allowed) and abs(model.getSolObjVal(start) - loss) <= SAME * max(1.0, loss)

    def write(self, path: Path) -> tuple[Path, Path]:
        """Write the program and the solution beside it; return where they are."""
        lp, solution = path.with_suffix(".lp"), path.with_suffix(".sol")
        with self._model() as (restricted, start):
            restricted.model.writeProblem(str(lp), verbose=False)
            restricted.model.writeSol(start, str(solution), write_zeros=True)
        lp.write_text("".join(f"\\ {line}\n" for line in self._legend()) + lp.read_text(encoding="utf-8"), "utf-8")
        return lp, solution

    @contextmanager
    def _model(self) -> Iterator[tuple[RestrictedModel, Solution]]:
        with new_model("rule_set") as model:
            restricted = RestrictedModel(model, self.problem, self.columns, merge=False)
            yield restricted, restricted.solution(self.places)

    def _legend(self) -> Sequence[str]:
        """Return what the letters stand for."""
        words = (together_in_words([self.literals[place] for place in rule]) for rule in self.columns.rules)
        return (
            "Lawless and Gunluk (2021): w is 1 for a rule that is taken, zeta for a row that none covers.",
            f"loss: {self.outcome.loss(self.problem)}",
            *(f"w_{place}: {' '.join(text.split())}" for place, text in enumerate(words)),
        )
