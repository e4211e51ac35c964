"""Amounts of similar people: whether those who are nearest to each other get alike, whatever their group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases
from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.errors import GroupError, InputError, require
from fairaudit.measure.controlled import column_list, protected_condition
from fairaudit.measure.indices import Neighborhoods, neighborhoods_of
from fairaudit.measure.intervals import ratio
from fairaudit.measure.not_known import find_not_known, refuse_open
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.results import Interval

N_NEIGHBORS: Final = 10
MOST_ROWS: Final = 5_000
N_SHUFFLES: Final = 199
SMALLEST: Final = 1e-9
"""A standard error that is a smaller share of that of the amounts as they are is taken for this share of it.

So is the spread of a group that is a smaller share of that of the other.
"""


@dataclass(frozen=True)
class SimilarAmounts(Plain):
    """Whether similar people get alike."""

    columns: tuple[str, ...] = setting("The columns that say who is similar.")
    n_neighbors: int = setting(
        "How many similar people each is compared among, the person included; more where several are equally near.",
        label="similar people for each row",
        kind="count",
    )
    n_usable: Hideable[int] = figure(
        "Rows with an amount and a known group.", label="rows that could be used", kind="count"
    )
    n_rows: Hideable[int] = figure(
        "Those of them that were used: all, or as many as were drawn.", label="rows that were used", kind="count"
    )
    dtdi: float = figure(
        "The disparate treatment discrimination index of these rows.",
        label="DTDI, over all rows and groups",
        kind="amount",
    )
    average: float = figure(
        "The index divided by rows and groups: how far the mean of a group among similar people is, on average, "
        "from the mean of all of them; in the unit of the amount.",
        label="distance of groups' means among similar people",
        kind="amount",
    )
    by_chance: float = figure(
        "What `average` would be if chance alone made similar people's amounts differ: its mean over random "
        "shuffles, and the value that only one shuffle in twenty exceeds.",
        label="the same by chance, on average",
        kind="amount",
    )
    by_chance_high: float = figure(AS_ABOVE, label="the same by chance, one time in twenty", kind="amount")
    difference: float = figure(
        "Protected minus the rest among similar people, on average over the rows that have both among them; NaN "
        "where none has.",
        label="difference among similar people, on average",
        kind="difference",
    )
    difference_by_chance: Interval = figure(
        "Where `difference` would be, nineteen times in twenty, if chance alone made similar people's amounts differ.",
        label="the same by chance, 19 times in 20",
        kind="difference_interval",
    )
    n_alone: tuple[Hideable[int], Hideable[int]] = figure(
        "Rows without a protected person, and without a person of the rest, among those similar to them."
    )

    @property
    def is_beyond_chance(self) -> bool:
        """Whether `difference` is outside what chance alone would bring about, but for one time in twenty."""
        return self.difference < self.difference_by_chance.low or self.difference > self.difference_by_chance.high


def check_similar(
    table: object,
    *,
    decision: str,
    protected: Condition | str,
    columns: str | Sequence[str],
    where: Condition | str | None = None,
    n_neighbors: int = N_NEIGHBORS,
    max_rows: int = MOST_ROWS,
    random_state: int = 0,
) -> SimilarAmounts:
    """Compare the amounts of the protected group and of the rest among the people who are most similar.

    Notes
    -----
    What chance alone brings about is found by dealing out the amounts anew within blocks of similar people: each block
    holds the neighborhood of a row, less what earlier blocks hold. Groups and neighborhoods stay as they are.

    Amounts may spread more in one group than in the other. Let ``e_j`` be how far an amount is from the mean of its own
    group in its neighborhood, times ``sqrt(k / (k - 1))`` for its own part in that mean of ``k``, and ``s`` the spread
    of a group, ``sqrt(mean(e_j^2))``. In a block with the mean ``b``, in which each amount weighs ``1 / s^2``, what is
    dealt out is ``z_j = (y_j - b) / s``; it becomes ``b + s z`` with the spread of the group that gets it. All z of a
    block always have one sum, which would keep the means of groups of unlike spreads too near to each other: so all get
    a draw with the variance of their mean, and the weighted mean is set to ``b`` again. Where both groups spread alike,
    this deals out the amounts themselves. The spread of one group is taken to be the same multiple of that of the other
    everywhere; how far both spread may differ from block to block.

    The difference is also divided by its standard error before it is compared: with ``difference = sum_j c_j y_j`` that
    is ``sqrt(sum_j c_j^2 e_j^2)``.

    Rows are taken in the order of their values, so nothing depends on the order that they stand in.

    References
    ----------
    Aghaei, Azizi and Vayanos (2019), definition 2.8; Chung and Romano (2013) on permutations of studentized statistics.

    Examples
    --------
    >>> data = pd.DataFrame({"sex": list("FMFMFM"), "grade": [1, 1, 1, 2, 2, 2], "pay": [10, 14, 10, 24, 20, 24]})
    >>> check_similar(data, decision="pay", protected="sex = 'F'", columns="grade", n_neighbors=3).difference
    -4.0
    """
    table = as_cases(table, decision=decision)
    if table.is_connected:
        raise InputError(
            f"Comparing similar people needs rows, but they stay in {require(table.connection).engine}.",
            hint="Draw some and compare those: table.sample(5000, by=[...], seed=0).table.",
        )
    names = column_list(columns, "similar_by", table)
    if decision in names:
        raise InputError(
            "'similar_by' must not name the decision: people are similar before it is made.",
            hint="Choose what may rightly count, such as grade and years of service.",
        )
    condition = protected_condition(table, protected)
    wanted = list(dict.fromkeys((decision, *names, *condition.columns)))
    frame = table.to_pandas(wanted, where=table.condition(where))
    amounts = pd.to_numeric(frame[decision], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    truth = condition.truth(frame)
    inside = truth.fillna(False).to_numpy(dtype=bool)
    order = _by_value([*(frame[name] for name in names), pd.Series(amounts), pd.Series(inside)])
    usable = order[(np.isfinite(amounts) & truth.notna().to_numpy())[order]]
    sizes = int(inside[usable].sum()), int((~inside[usable]).sum())
    if len(usable) < n_neighbors or 0 in sizes:
        raise GroupError(
            f"There are {sizes[0]:,} protected and {sizes[1]:,} other rows with an amount; "
            f"{n_neighbors} rows and both groups are needed.",
            uncounted="There are too few rows to look at similar people.",
            hint="Choose a wider filter.",
        )
    within = table.condition(where)
    refuse_open(find_not_known(table, decision, where=within, protected=condition, sizes=sizes, used=names))
    random = np.random.default_rng(random_state)
    rows = usable
    if len(usable) > max_rows:
        rows = usable[np.sort(random.choice(len(usable), max_rows, replace=False))]
        if not 0 < inside[rows].sum() < len(rows):
            raise GroupError(
                f"Of the {max_rows:,} rows that were drawn, one group has none.",
                hint=f"Choose a filter that keeps at most {max_rows:,} rows.",
            )
    X, y, groups = frame.iloc[rows][list(names)].reset_index(drop=True), amounts[rows], inside[rows]
    try:
        neighbors = neighborhoods_of(X, len(rows), n_neighbors)
    except InputError as error:
        raise type(error)(error.message.replace("'X'", "'similar_by'"), hint=error.hint) from None
    near = _Near(neighbors, groups)
    average, (averages, by_chance) = near.average(y), near.by_chance(y, random)
    return SimilarAmounts(
        columns=names,
        n_neighbors=n_neighbors,
        n_usable=len(usable),
        n_rows=len(rows),
        dtdi=average * 2 * len(rows),
        average=average,
        by_chance=float(averages.mean()),
        by_chance_high=float(np.quantile(averages, 0.95)),
        difference=near.difference(y),
        difference_by_chance=by_chance,
        n_alone=near.alone(),
    )


def _by_value(columns: Sequence[pd.Series]) -> NDArray[np.int64]:
    """Return the row numbers in the order of the values, of the first column first."""
    return np.lexsort([pd.factorize(column, sort=True)[0] for column in reversed(columns)])


class _Near:
    """Means of the protected group, of the rest and of both in the neighborhood of each distinct row."""

    def __init__(self, neighbors: Neighborhoods, groups: NDArray[np.bool_]):
        self.pattern, self.times, self.near = neighbors.pattern, neighbors.times, neighbors.near
        self.groups = groups.astype(int)
        self.cells = self.pattern * 2 + groups
        self.sizes = self._around(np.ones(len(groups)))
        self.n = len(groups)

    def _around(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.bincount(self.cells, weights=values, minlength=2 * len(self.times)).reshape(-1, 2)
        return self.near @ sums

    def _means(self, y: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        sums = self._around(y)
        return ratio(sums, self.sizes), sums.sum(axis=1) / self.sizes.sum(axis=1)

    def average(self, y: NDArray[np.float64]) -> float:
        """Return the index divided by rows and groups."""
        inside, everywhere = self._means(y)
        gaps = np.where(self.sizes == 0, 0.0, np.abs(everywhere[:, None] - inside))
        return float((gaps * self.times[:, None]).sum() / (2 * self.n))

    def difference(self, y: NDArray[np.float64]) -> float:
        """Return protected minus the rest, on average over the rows that have both near them."""
        inside, _ = self._means(y)
        both = (self.sizes > 0).all(axis=1)
        weights = self.times[both]
        return float(ratio((weights * (inside[both, 1] - inside[both, 0])).sum(), weights.sum()))

    def alone(self) -> tuple[int, int]:
        """Return how many rows have no protected person, and none of the rest, near them."""
        rest, protected = ((self.sizes == 0) * self.times[:, None]).sum(axis=0).tolist()
        return int(protected), int(rest)

    def by_chance(self, y: NDArray[np.float64], random: np.random.Generator) -> tuple[NDArray[np.float64], Interval]:
        """Return averages, and where the difference lies, with amounts dealt out anew among similar people."""
        blocks = np.unique(self._blocks()[self.pattern], return_inverse=True)[1].reshape(-1)
        weights = self._weights()
        dealing = _Dealing(y, blocks, self._spreads(y)[self.groups])
        averages, found = [], []
        for _ in range(N_SHUFFLES):
            dealt = dealing.anew(random)
            averages.append(self.average(dealt))
            found.append((weights @ dealt, self._error(dealt, weights)))
        differences, errors = np.array(found).T
        error = self._error(y, weights)
        if error > 0:
            differences = error * differences / np.maximum(errors, SMALLEST * error)
        return np.array(averages), Interval(*(float(end) for end in np.quantile(differences, [0.025, 0.975])))

    def _blocks(self) -> NDArray[np.int64]:
        """Return for each distinct row the block that amounts are dealt out in."""
        block = np.full(len(self.times), -1)
        for row in range(len(self.times)):
            if block[row] < 0:
                near = self.near.indices[self.near.indptr[row] : self.near.indptr[row + 1]]
                block[near[block[near] < 0]] = row
        return block

    def _weights(self) -> NDArray[np.float64]:
        """Return what each amount counts in the difference, their weighted sum; shape (n_rows,)."""
        both = np.all(self.sizes > 0, axis=1)
        share = ratio(self.times * both, self.times[both].sum())
        cells = self.near.T @ np.where(both[:, None], share[:, None] / np.maximum(self.sizes, 1), 0.0)
        return np.where(self.groups, 1, -1) * cells[self.pattern, self.groups]

    def _error(self, y: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
        """Return the standard error of the difference."""
        return float(np.sqrt((weights**2 * self._squares(y)).sum()))

    def _spreads(self, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far amounts of the rest and of the protected group spread among similar people, shape (2,)."""
        spreads = np.sqrt(np.bincount(self.groups, self._squares(y)) / np.bincount(self.groups))
        return np.maximum(spreads / (spreads.max() or 1.0), SMALLEST)

    def _squares(self, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what each amount says of the variance of its group; alone in it, it is compared with all near ones."""
        own, everywhere = self._means(y)
        k = self.sizes[self.pattern, self.groups]
        all_near = self.sizes.sum(axis=1)[self.pattern]
        mean = np.where(k > 1, own[self.pattern, self.groups], everywhere[self.pattern])
        k = np.where(k > 1, k, all_near)
        return (y - mean) ** 2 * k / np.maximum(k - 1, 1)


class _Dealing:
    """Amounts that are dealt out anew within blocks, in units of the spread of the group that they go to.

    Shapes: `y`, `blocks`, `spread` (n,).
    """

    def __init__(self, y: NDArray[np.float64], blocks: NDArray[np.int64], spread: NDArray[np.float64]):
        self.blocks, self.spread = blocks, spread
        self.sizes, self.place = np.bincount(blocks), np.argsort(blocks, kind="stable")
        self.precision = spread**-2.0
        self.total = np.bincount(blocks, self.precision)
        self.middle = self._middle(y)
        units = (y - self.middle) / spread
        squares = np.bincount(blocks, units**2)
        units -= (np.bincount(blocks, units) / self.sizes)[blocks]
        self.units = units * np.sqrt(np.nan_to_num(ratio(squares, np.bincount(blocks, units**2))))[blocks]
        self.error = np.sqrt(squares / np.maximum(self.sizes - 1, 1) / self.sizes)

    def anew(self, random: np.random.Generator) -> NDArray[np.float64]:
        """Return amounts that are dealt out in another way."""
        units = np.empty_like(self.units)
        units[self.place] = self.units[np.lexsort((random.random(len(units)), self.blocks))]
        units += (self.error * random.standard_normal(len(self.sizes)))[self.blocks]
        apart = self.spread * units
        return self.middle + apart - self._middle(apart)

    def _middle(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each row the mean of its block, in which a value weighs as much as it is precise."""
        return (np.bincount(self.blocks, self.precision * values) / self.total)[self.blocks]
