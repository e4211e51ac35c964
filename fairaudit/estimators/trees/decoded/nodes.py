"""One node of a tree, with the rows that the tree was learned from."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.estimators.trees.decoded.linear import LinearForm
from fairaudit.estimators.trees.decoded.paths import Split


@dataclass(frozen=True)
class Node:
    """One node, with the rows that the tree was learned from.

    Parameters
    ----------
    number : int
        The root is 1; the children of node t are 2 t, where its split holds, and 2 t + 1.
    split : Literal or LinearSplit or None
        None in a leaf.
    value : float
        What is predicted in a leaf: 0 or 1, or a number. In other nodes, what a leaf would predict that serves most
        rows. In a leaf with a `form`, the mean of the targets.
    sizes : tuple of int
        Rows of each group.
    sums : tuple of float
        Rows with label 1 of each group, or the sum of the targets.
    form : LinearForm, optional
        What a leaf predicts in place of `value`.
    """

    number: int
    split: Split | None
    value: float
    sizes: tuple[int, ...]
    sums: tuple[float, ...]
    form: LinearForm | None = None

    @property
    def depth(self) -> int:
        """Steps from the root."""
        return self.number.bit_length() - 1

    @property
    def is_leaf(self) -> bool:
        """Whether rows end here."""
        return self.split is None

    @property
    def n_rows(self) -> int:
        """Rows of all groups."""
        return sum(self.sizes)

    @property
    def rate(self) -> float:
        """The share of label 1 among all rows, or the mean target; NaN without rows."""
        return sum(self.sums) / self.n_rows if self.n_rows else float("nan")

    @property
    def rates(self) -> tuple[float, ...]:
        """The share of label 1, or the mean target, of each group; NaN without rows."""
        return tuple(total / size if size else float("nan") for total, size in zip(self.sums, self.sizes, strict=True))
