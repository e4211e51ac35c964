"""Take back the splits of a grown tree that are worth too little."""

from __future__ import annotations

import numpy as np

from fairaudit.estimators.trees.lookahead.growing_rows import Growing, GrowingRows, Grown, is_below
from fairaudit.estimators.trees.lookahead.leaf_prices import row_prices


def pruned(rows: GrowingRows, growing: Growing, grown: Grown) -> Grown:
    """Return a tree in which each split is worth its price.

    From the leaves up, a node becomes a leaf where that costs no more rows, at the prices that rates have in the whole
    tree, than the price of the splits that it spares.
    """
    if not growing.worth:
        # At the prices of a linear program, splits that whole labels need can be worth nothing.
        return grown
    prices = row_prices(rows, grown.leaf, weight=growing.split_weight, margin=growing.split_margin)
    price = growing.price_of_split + growing.worth * rows.n_rows
    numbers, places = np.unique(grown.leaf, return_inverse=True)
    costs = np.bincount(places, weights=1 - 2 * rows.labels + prices[rows.strata.cells])
    sums = dict.fromkeys(grown.values, 0.0) | dict(zip(numbers.tolist(), costs.tolist(), strict=True))
    best = {leaf: min(total, 0.0) for leaf, total in sums.items()}
    found = Grown(dict(grown.splits), {leaf: float(sums[leaf] < 0) for leaf in grown.values}, grown.leaf.copy(),
                  grown.is_complete)  # fmt: skip
    for number in sorted(grown.splits, reverse=True):
        sums[number] = sums[2 * number] + sums[2 * number + 1]
        best[number] = best[2 * number] + best[2 * number + 1] + price
        if min(sums[number], 0.0) <= best[number]:
            best[number] = min(sums[number], 0.0)
            found.graft(number, {}, {1: float(sums[number] < 0)})
    for number in found.values:
        inside = [leaf for leaf in numbers.tolist() if leaf != number and is_below(leaf, number)]
        found.leaf[np.isin(found.leaf, inside)] = number
    return found
