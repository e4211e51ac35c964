"""From sensitive features to groups: one code a row, one name a group, nobody dropped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import GroupError, InputError, ManyValuesError, near_names, quote

# Frames of other libraries, such as polars or pyarrow, as frames of pandas: with the names of their columns.


def as_pandas(values: object) -> object:
    """Return a frame or series that narwhals reads as one of pandas; anything else as it is.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_pandas(pa.table({"age": [20, 31]})).columns.tolist(), as_pandas([1, 2])
    (['age'], [1, 2])
    """
    if isinstance(values, pd.DataFrame | pd.Series):
        return values
    import narwhals as nw

    read = nw.from_native(values, pass_through=True, allow_series=True)
    if isinstance(read, nw.LazyFrame):
        read = read.collect()
    return read.to_pandas() if isinstance(read, nw.DataFrame | nw.Series) else values


def has_column_names(values: object) -> bool:
    """Say whether a table is a frame, whose columns have names."""
    if isinstance(values, pd.DataFrame):
        return True
    import narwhals as nw

    return isinstance(nw.from_native(values, pass_through=True), nw.DataFrame | nw.LazyFrame)


MISSING = "missing"
"""What a group of rows without a value is called."""

MAX_GROUPS = 1_000


@dataclass(frozen=True)
class Grouping:
    """Rows divided by one or more sensitive columns.

    Parameters
    ----------
    codes : ndarray of int, shape (n,)
        The group of each row, an index into `labels`; `n_groups` for a row that is in none.
    labels : tuple of tuple
        The values that make each group, one a column; ``"missing"`` where there is none.
    names : tuple of str
        The names of the columns.
    """

    codes: NDArray[np.int64]
    labels: tuple[tuple[object, ...], ...]
    names: tuple[str, ...]

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return len(self.labels)

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which rows are in a group, shape (n,)."""
        return self.codes < self.n_groups

    def among(self, population: NDArray[np.bool_]) -> Grouping:
        """Return the groups of some rows; all others are in none.

        Shapes: `population` (n,).

        Examples
        --------
        >>> group_rows(["b", "a", "c"], 3).among(np.array([True, True, False])).codes.tolist()
        [1, 0, 2]
        """
        if population.all():
            return self
        kept, codes = np.unique(self.codes[population], return_inverse=True)
        found = np.full(len(self.codes), len(kept), dtype=np.int64)
        found[population] = codes
        return Grouping(found, tuple(self.labels[code] for code in kept.tolist()), self.names)

    def index(self) -> pd.Index:
        """Return the groups as the index of a frame."""
        if len(self.names) == 1:
            return pd.Index([label[0] for label in self.labels], name=self.names[0])
        return pd.MultiIndex.from_tuples(self.labels, names=self.names)


def group_rows(sensitive_features: object, n_rows: int) -> Grouping:
    """Divide the rows by their sensitive features.

    Examples
    --------
    >>> group_rows(["b", "a", None], 3).labels
    (('a',), ('b',), ('missing',))
    """
    if sensitive_features is None:
        return Grouping(np.zeros(n_rows, dtype=np.int64), (("all",),), ("group",))
    columns = _columns(sensitive_features)
    if not columns:
        raise InputError(
            "'sensitive_features' must have at least one column, got none.", hint="Pass None for one group."
        )
    for name, values in columns:
        if len(values) != n_rows:
            raise InputError(
                f"'sensitive_features' must have {n_rows:,} rows like the labels, {name!r} has {len(values):,}."
            )
    codes = np.zeros(n_rows, dtype=np.int64)
    labels: list[tuple[object, ...]] = [()]
    for _, values in columns:
        code, level = _factorize(values)
        if len(labels) == 1:
            found, codes = np.arange(len(level)), code
        else:
            found, codes = _dense(codes * len(level) + code, len(labels) * len(level))
        labels = [(*labels[f // len(level)], level[f % len(level)]) for f in found.tolist()]
    return Grouping(codes, tuple(labels), tuple(name for name, _ in columns))


def value_names(values: Sequence[object]) -> list[object]:
    """Give missing values the name "missing", distinct from a value that is spelled so.

    Examples
    --------
    >>> value_names(["a", None]), value_names(["missing", None])
    (['a', 'missing'], ['missing', 'missing (no value)'])
    """
    plain = [plain_value(v) for v in values]
    taken = any(isinstance(v, str) and v == MISSING for v in plain)
    name = f"{MISSING} (no value)" if taken else MISSING
    return [name if is_missing(v) else v for v in plain]


def value_text(value: object) -> str:
    """Write a value of a column for people.

    Examples
    --------
    >>> value_text(3.0), value_text("3.0"), value_text(None)
    ('3', '3.0', 'missing')
    """
    if is_missing(value):
        return MISSING
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, pd.Timestamp) and value == value.normalize():
        return str(value.date())
    return str(value)


def plain_value(value: object) -> Any:
    """Turn a cell into a plain Python value."""
    if is_missing(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def place_of(reference: object, names: Sequence[str], people: str = "rows") -> int:
    """Return which of the groups others are compared with: the one with a value, or with one value a column.

    Examples
    --------
    >>> place_of("b", ["a", "b"]), place_of(["b"], ["a", "b"]), place_of("1.0", ["0", "1"])
    (1, 1, 1)
    """
    values = list(reference) if isinstance(reference, (list, tuple)) else [reference]
    name = group_names(pd.DataFrame([values]))[0] if values else ""
    if name not in names and values:
        # A number that is written as text is that number, as in the good outcome.
        read = group_names(pd.DataFrame([[_as_number(value) for value in values]]))[0]
        name = read if read in names else name
    if name not in names:
        message = f"There is no reference group {quote(name)} among the {people} looked at."
        raise GroupError(message, uncounted=message, hint=near_names(name, names))
    return names.index(name)


def _as_number(value: object) -> object:
    try:
        number = float(value) if isinstance(value, str) else math.nan
    except ValueError:
        return value
    # "nan" is a text, and no group without a value.
    return number if math.isfinite(number) else value


def group_names(keys: pd.DataFrame) -> list[str]:
    """Name groups by their values, with one name a row.

    Examples
    --------
    >>> group_names(pd.DataFrame({"sex": ["F", "M"], "age": [30.0, None]}))
    ['F, 30', 'M, missing']
    """
    texts = []
    for column in keys:
        code, level = _factorize(keys[column])
        words = [value_text(v) for v in level]
        texts.append([words[c] for c in code])
    return [", ".join(parts) for parts in zip(*texts, strict=True)]


def distinct_names(names: Sequence[str]) -> list[str]:
    """Give groups whose names read alike a number each.

    Examples
    --------
    >>> distinct_names(["1", "2", "1"])
    ['1', '2', '1 (2)']
    """
    seen: dict[str, int] = {}
    distinct = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return distinct


def names_of_groups(grouping: Grouping) -> tuple[str, ...]:
    """Return what the groups are called."""
    return tuple(distinct_names([", ".join(map(value_text, label)) for label in grouping.labels]))


def check_group_count(n_groups: int, columns: Sequence[str]) -> None:
    """Refuse more than 1,000 groups."""
    if n_groups > MAX_GROUPS:
        raise ManyValuesError(
            f"{', '.join(map(repr, columns))} would make {n_groups:,} groups; at most {MAX_GROUPS:,} can be compared.",
            hint="Choose columns with fewer different values, or put the values into classes first.",
        )


def is_missing(value: object) -> bool:
    """Say whether a cell has no value."""
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value)


def _columns(features: Any) -> list[tuple[str, pd.Series]]:
    features = as_pandas(features)
    if isinstance(features, pd.DataFrame):
        return [(str(name), features.iloc[:, i]) for i, name in enumerate(features.columns)]
    if isinstance(features, pd.Series):
        return [("group" if features.name is None else str(features.name), features)]
    if isinstance(features, pd.Index | pd.Categorical):
        return [("group", pd.Series(features))]
    if isinstance(features, str) or not hasattr(features, "__len__"):
        raise InputError(
            f"'sensitive_features' must be a Series, DataFrame, array or list, got {type(features).__name__}.",
            hint="Pass the values themselves, one a row.",
        )
    array = features if isinstance(features, np.ndarray) else np.array(list(features), dtype=object)
    if array.ndim == 1:
        return [("group", pd.Series(array).infer_objects())]
    if array.ndim == 2:
        return [(f"group_{i}", pd.Series(array[:, i]).infer_objects()) for i in range(array.shape[1])]
    raise InputError(f"'sensitive_features' must have one or two dimensions, got {array.ndim}.")


def _dense(codes: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the codes below `size` that occur, ascending, and for each row the place of its code among them."""
    if size > max(4 * len(codes), 1_000):
        return np.unique(codes, return_inverse=True)
    present = np.bincount(codes, minlength=size) > 0
    return np.flatnonzero(present), (present.cumsum() - 1)[codes]


def _factorize(values: pd.Series) -> tuple[NDArray[np.int64], list[object]]:
    codes, level = pd.factorize(values)
    order = _ascending(list(level))
    rank = np.empty(len(level) + 1, dtype=np.int64)
    rank[order] = np.arange(len(level))
    rank[-1] = len(level)
    ordered = [level[i] for i in order]
    if (codes < 0).any():
        return rank[codes], value_names([*ordered, None])
    return rank[codes], value_names(ordered)


def _ascending(level: list[Any]) -> list[int]:
    try:
        return sorted(range(len(level)), key=level.__getitem__)
    except TypeError:
        return sorted(range(len(level)), key=lambda i: (type(level[i]).__name__, str(level[i])))
