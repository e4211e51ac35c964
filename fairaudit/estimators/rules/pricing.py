"""Find rules with a negative reduced cost by a beam search over conjunctions.

The reduced cost of a rule is the sum of the coefficients of the cells that it covers, plus the price of complexity
times (1 + its literals). Adding a literal can take away negative coefficients and never adds any, so the negative
coefficients that are still covered bound all that a rule can grow into.

Cells with the same literals are covered together whatever their label and group, so their coefficients are summed: one
row of `LiteralTable` stands for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.problem import RuleRows
from fairaudit.measure.bands import sums_by_code

Floats = NDArray[np.float64]

BLOCK: Final = 6_000_000
"""So many numbers at most are made of truth values at once."""
OUTLOOKS: Final = (1.0, 0.75, 0.5, 0.25)
"""How much the positive coefficients that a parent still covers count; one view alone misses most good rules."""
PATIENCE: Final = 3
"""Levels without a better rule than before, after which the search ends."""
MAX_NEAR: Final = 4
"""So many children of one parent are returned at most, so that the columns vary."""


@dataclass(frozen=True, eq=False)
class LiteralTable:
    """The literals on each combination that occurs, as pricing needs them.

    Parameters
    ----------
    literals : ndarray of bool, shape (n_patterns, n_kept)
        The different rows of the literals, without literals that never hold or hold where one before holds.
    kept : ndarray of int, shape (n_kept,)
        The index of each kept literal among all.
    patterns : ndarray of int, shape (n_cells,)
        The row of each cell.
    """

    literals: NDArray[np.bool_]
    kept: NDArray[np.int64]
    patterns: NDArray[np.int64]

    @classmethod
    def of(cls, rows: RuleRows) -> Self:
        """Return the table of rows."""
        if not rows.n_literals:
            empty = np.zeros((1, 0), dtype=bool)
            return cls(empty, np.zeros(0, dtype=np.int64), np.zeros(rows.n_cells, dtype=np.int64))
        packed = np.ascontiguousarray(np.packbits(rows.literals, axis=1))
        keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
        _, first, patterns = np.unique(keys, return_index=True, return_inverse=True)
        literals = rows.literals[first]
        columns = np.ascontiguousarray(np.packbits(literals, axis=0).T)
        _, kept = np.unique(columns.view(np.dtype((np.void, columns.shape[1]))).ravel(), return_index=True)
        kept = np.sort(kept)
        kept = kept[literals[:, kept].any(axis=0)]
        return cls(np.ascontiguousarray(literals[:, kept]), kept.astype(np.int64), patterns.reshape(-1))

    def net(self, coefficients: Floats) -> Floats:
        """Return the sum of the cells' coefficients for each row of the table."""
        return sums_by_code(self.patterns, coefficients, len(self.literals))

    def named(self, rule: tuple[int, ...]) -> tuple[int, ...]:
        """Return the literals of a rule as indices among all."""
        return tuple(self.kept[list(rule)].tolist())

    def numbered(self, rules: Sequence[tuple[int, ...]]) -> dict[int, list[tuple[int, ...]]]:
        """Return rules of kept literals by their length, as indices among the kept ones."""
        places = {literal: place for place, literal in enumerate(self.kept.tolist())}
        by_length: dict[int, list[tuple[int, ...]]] = {}
        for rule in rules:
            if rule and all(literal in places for literal in rule):
                by_length.setdefault(len(rule), []).append(tuple(places[literal] for literal in rule))
        return by_length


@dataclass(frozen=True, eq=False)
class Priced:
    """Rules that were found.

    Parameters
    ----------
    rules : tuple of tuple of int
        The literals of each, as increasing indices among all literals; the least reduced cost first.
    reduced_costs : ndarray of float, shape (n_rules,)
        Their reduced costs.
    """

    rules: tuple[tuple[int, ...], ...]
    reduced_costs: Floats


def beam_search(
    table: LiteralTable,
    coefficients: Floats,
    price: float,
    longest: int,
    *,
    below: float = 0.0,
    width: int = 12,
    keep: int = 100,
    seeds: Sequence[tuple[int, ...]] = (),
) -> Priced:
    """Search level by level, from each level's most promising parents only.

    Shapes: `coefficients` (n_cells,).

    Notes
    -----
    A level takes two matrix products of (parents, n_patterns) and (n_patterns, n_literals).
    """
    net = table.net(coefficients)
    active = np.flatnonzero(net)
    literals, net = table.literals[active], net[active]
    sown = table.numbered(seeds)
    parents: list[tuple[int, ...]] = [()]
    found: dict[tuple[float, float], tuple[float, tuple[int, ...], tuple[int, ...]]] = {}
    best, since = np.inf, 0
    for length in range(1, longest + 1):
        masks = np.array([literals[:, list(rule)].all(axis=1) for rule in parents])
        covered, hopeful = _children(masks, literals, net)
        costs = covered + price * (1 + length)
        optimistic = hopeful + price * (2 + length)
        for place, rule in enumerate(parents):
            costs[place, list(rule)] = optimistic[place, list(rule)] = np.inf
        for place, child in _smallest(costs, below, 4 * keep):
            key = (round(covered[place, child], 5), round(hopeful[place, child], 5))
            rule = tuple(sorted((*parents[place], child)))
            if key not in found or costs[place, child] < found[key][0]:
                found[key] = (float(costs[place, child]), rule, parents[place])
        least = float(costs.min(initial=np.inf))
        best, since = (least, 0) if least < best else (best, since + 1)
        if length == longest or since == PATIENCE:
            break
        chosen = _promising(optimistic < below, covered, hopeful, width)
        children = [tuple(sorted((*parents[place], child))) for place, child in chosen]
        parents = list(dict.fromkeys(children + sown.get(length, [])))
        if not parents:
            break
    return _varied(table, list(found.values()), keep)


def _children(masks: NDArray[np.bool_], literals: NDArray[np.bool_], net: Floats) -> tuple[Floats, Floats]:
    """Return the coefficients that each parent covers with each literal added: all, and the negative ones."""
    covered = np.zeros((len(masks), literals.shape[1]))
    hopeful = np.zeros_like(covered)
    block = max(1, BLOCK // max(1, literals.shape[1] + 2 * len(masks)))
    for start in range(0, len(net), block):
        part = slice(start, start + block)
        truth = literals[part].astype(np.float32)
        weights = net[part].astype(np.float32)
        parents = masks[:, part].astype(np.float32)
        covered += (parents * weights) @ truth
        hopeful += (parents * np.minimum(weights, 0)) @ truth
    return covered, hopeful


def _smallest(values: Floats, below: float, count: int) -> list[tuple[int, int]]:
    """Return the places of the smallest values below a limit, the smallest first."""
    flat = values.ravel()
    places = np.flatnonzero(flat < below)
    if len(places) > count:
        places = places[np.argpartition(flat[places], count)[:count]]
    places = places[np.argsort(flat[places], kind="stable")]
    rows, columns = np.divmod(places, values.shape[1])
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _promising(open_: NDArray[np.bool_], covered: Floats, hopeful: Floats, width: int) -> list[tuple[int, int]]:
    """Return the places of the best children in each outlook, passing over those that cover the same as one before."""
    chosen: dict[tuple[float, float], tuple[int, int]] = {}
    for outlook in OUTLOOKS:
        wanted = len(chosen) + width
        score = np.where(open_, outlook * covered + (1 - outlook) * hopeful, np.inf)
        for place in _smallest(score, np.inf, 8 * width):
            chosen.setdefault((round(covered[place], 5), round(hopeful[place], 5)), place)
            if len(chosen) == wanted:
                break
    return list(chosen.values())


def _varied(table: LiteralTable, found: list[tuple[float, tuple[int, ...], tuple[int, ...]]], keep: int) -> Priced:
    """Keep the best rules, each once, and only so many children of each parent."""
    children: dict[tuple[int, ...], int] = {}
    kept, seen = [], set()
    for cost, rule, parent in sorted(found):
        # Two parents can lead to one rule, with costs that differ by rounding.
        if rule in seen:
            continue
        seen.add(rule)
        children[parent] = children.get(parent, 0) + 1
        if children[parent] <= MAX_NEAR:
            kept.append((cost, table.named(rule)))
            if len(kept) == keep:
                break
    return Priced(tuple(rule for _, rule in kept), np.array([cost for cost, _ in kept]))
