"""From a table to literals: which comparisons rules may be made of, and where each holds."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any
from typing import Literal as OneOf

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from fairaudit.conditions.limits import MAX_ITEMS
from fairaudit.errors import InputError, MissingColumnError
from fairaudit.estimators.preparation import read_features
from fairaudit.estimators.rules.column_literals import ColumnLiterals, LiteralChoice, find_literals
from fairaudit.estimators.rules.literals import Literal, as_frame


@dataclass(frozen=True)
class Dropped:
    """A literal, or all of a column, that rules cannot use.

    Parameters
    ----------
    column : str
        The column.
    reason : {"constant", "duplicate"}
        It is the same for all training rows, or for each of them the same as another literal.
    literal : Literal, optional
        The literal; None for all of the column.
    same_as : Literal, optional
        The literal that is kept for it.
    """

    column: str
    reason: OneOf["constant", "duplicate"]
    literal: Literal | None = None
    same_as: Literal | None = None


class Binarizer(TransformerMixin, BaseEstimator):
    """Turn a table into literals: comparisons that hold or do not hold for a row.

    Numbers and dates are cut at quantiles of the training rows, each written as the roundest number that divides these
    rows alike. With up to `n_bins` different values, each is separated; columns of two codes such as 0 and 1 are
    compared with the codes. Categories (texts, true and false, numbers of the dtype "category") are compared with each
    frequent value; all others, and values never seen, are "none of" these. A missing value meets "is missing" and no
    other literal.

    Parameters
    ----------
    n_bins : int
        Parts that numbers and dates are cut into, at most: 10 cuts at the deciles.
    cuts : dict of str to sequence, optional
        Where to cut a column instead.
    min_level_count : int
        The fewest training rows that give a category a literal of its own.
    max_levels : int
        The most categories of a column that have one; the most frequent are taken.
    add_negations : bool
        Whether the opposite of each literal is one too.
    spread_cuts : bool
        Where many rows have the same value, several quantiles fall on it: nine of ten people have no capital gain.
        True spreads the cuts that are spared by that over the other values, at least `min_level_count` rows apart;
        False takes the plain quantiles.
    columns : sequence of str, optional
        The columns to use; all without it.

    Attributes
    ----------
    literals_ : tuple of Literal
        What the columns of the result stand for. Literals that hold for the same training rows are kept once: the
        first.
    dropped_ : tuple of Dropped
        What was left out.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [20, 31, 47, 52], "job": ["a", "b", "a", "b"]})
    >>> binarizer = Binarizer(n_bins=2, min_level_count=1).fit(table)
    >>> [literal.words() for literal in binarizer.literals_]
    ['age is at most 40', 'age is more than 40', 'job is a', 'job is b']
    >>> binarizer.transform(table.iloc[:1])
    array([[ True, False,  True, False]])
    """

    def __init__(
        self,
        *,
        n_bins: int = 10,
        cuts: dict[str, Sequence[Any]] | None = None,
        min_level_count: int = 10,
        max_levels: int = 50,
        add_negations: bool = True,
        spread_cuts: bool = True,
        columns: Sequence[str] | None = None,
    ):
        self.n_bins = n_bins
        self.cuts = cuts
        self.min_level_count = min_level_count
        self.max_levels = max_levels
        self.add_negations = add_negations
        self.spread_cuts = spread_cuts
        self.columns = columns

    def fit(self, X: Any, y: Any = None) -> Binarizer:
        """Choose the literals.

        Shapes: `X` (n, n_features).
        """
        for _ in self.iter_fit(X):
            pass
        return self

    def iter_fit(self, X: Any) -> Generator[tuple[int, int], None, None]:
        """Choose the literals, yielding after each column how many have been read, and of how many.

        Who ends here leaves out the columns that have not been read.

        Shapes: `X` (n, n_features).
        """
        choice = self._checked_choice()
        frame = _named(read_features(self, X, reset=True))
        cuts = {} if self.cuts is None else dict(self.cuts)
        used = [str(name) for name in frame.columns] if self.columns is None else list(self.columns)
        lacking = next((name for name in (*used, *cuts) if name not in frame.columns), None)
        if lacking is not None:
            raise MissingColumnError(lacking, frame.columns)
        if len(set(used)) < len(used):
            raise InputError("'columns' must name each column once.")
        seen: dict[bytes, Literal] = {}
        kept: list[ColumnLiterals] = []
        dropped: list[Dropped] = []
        self._take(kept, dropped)
        for number, name in enumerate(used, 1):
            found = find_literals(frame, name, choice, cuts.get(name))
            own, left_out = _distinct(found, found.codes(frame), seen)
            kept.append(own)
            dropped += left_out
            self._take(kept, dropped)
            yield number, len(used)

    def _take(self, kept: list[ColumnLiterals], dropped: list[Dropped]) -> None:
        self._columns = tuple(column for column in kept if column.literals)
        self.literals_ = tuple(literal for column in kept for literal in column.literals)
        self.dropped_ = tuple(dropped)

    def transform(self, X: Any) -> NDArray[np.bool_]:
        """Return whether each literal holds for each row.

        Shapes: `X` (n, n_features); returns (n, n_literals).
        """
        check_is_fitted(self)
        frame = _named(read_features(self, X, reset=False))
        held = np.empty((len(frame), len(self.literals_)), dtype=bool)
        start = 0
        for column in self._columns:
            end = start + len(column.literals)
            held[:, start:end] = column.block(frame)
            start = end
        return held

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the literals as conditions write them."""
        check_is_fitted(self)
        return np.array([literal.to_condition_text() for literal in self.literals_], dtype=object)

    def __sklearn_tags__(self) -> Any:
        """Say that missing values and categories are taken, and that the result is true or false."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _checked_choice(self) -> LiteralChoice:
        for name, least, most in (("n_bins", 2, 1_000), ("min_level_count", 1, None), ("max_levels", 1, MAX_ITEMS)):
            value = getattr(self, name)
            whole = isinstance(value, Integral) and not isinstance(value, bool)
            if not whole or value < least or (most is not None and value > most):
                upto = "" if most is None else f" and at most {most:,}"
                raise InputError(f"{name!r} must be a whole number of at least {least}{upto}, got {value!r}.")
        if self.cuts is not None and not hasattr(self.cuts, "keys"):
            raise InputError(f"'cuts' must map columns to numbers, got {type(self.cuts).__name__}.")
        if isinstance(self.columns, str):
            raise InputError("'columns' must be a list of names, got one text.", hint=f"Write [{self.columns!r}].")
        return LiteralChoice(
            self.n_bins, self.min_level_count, self.max_levels, bool(self.add_negations), bool(self.spread_cuts)
        )


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    named = as_frame(frame)
    if not named.columns.is_unique:
        raise InputError("'X' has two columns with the same name as text.", hint="Rename one of them.")
    return named


def _distinct(
    found: ColumnLiterals, codes: NDArray[np.int64], seen: dict[bytes, Literal]
) -> tuple[ColumnLiterals, list[Dropped]]:
    """Return the literals of a column that divide the rows as none before does, and add them to those seen."""
    counts = np.bincount(codes, minlength=len(found.table))
    kept: list[int] = []
    dropped: list[Dropped] = []
    for place, literal in enumerate(found.literals):
        holds = found.table[:, place]
        if counts[holds].sum() in (0, len(codes)):
            dropped.append(Dropped(found.column, "constant", literal))
            continue
        # A digest, for the rows of 2,000 literals would not fit into memory.
        digest = hashlib.blake2b(np.packbits(holds[codes]).tobytes(), digest_size=20).digest()
        same_as = seen.setdefault(digest, literal)
        if same_as is literal:
            kept.append(place)
        else:
            dropped.append(Dropped(found.column, "duplicate", literal, same_as))
    if np.count_nonzero(counts) < 2 or (not kept and all(part.reason == "constant" for part in dropped)):
        dropped = [Dropped(found.column, "constant")]
    return found.take(kept), dropped
