"""From a table of numbers and categories to the numbers that a model takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.validation import check_is_fitted, validate_data

from fairaudit.errors import InputError, quote
from fairaudit.measure.grouping import as_pandas

NO_VALUE = "(no value)"

LARGEST = 1e150
"""Larger numbers are cut off at this: their squares could not be added up."""


class TablePreparation(TransformerMixin, BaseEstimator):
    """Impute, scale and one-hot encode a table.

    Numbers: missing values become the median, and a column says where; then mean 0 and spread 1. Categories (text,
    true/false, dates as text): one column a value, values in fewer than `min_level_count` rows folded into one, which
    values not seen in fitting join. A constant column is left at 0.

    Parameters
    ----------
    min_level_count : int
        The fewest rows that give a category a column of its own.
    n_components : int, optional
        Keep that many principal components; fewer where there are not as many.
    random_state : int, RandomState or None
        For the principal components.

    Attributes
    ----------
    pipeline_ : sklearn.pipeline.Pipeline
        The fitted steps.
    numeric_, categorical_ : tuple of int
        Positions of the columns of either kind.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [20, 40, None], "area": ["a", "b", "a"]})
    >>> TablePreparation(min_level_count=1).fit_transform(table).shape
    (3, 4)
    """

    def __init__(self, *, min_level_count: int = 10, n_components: int | None = None, random_state: Any = None):
        self.min_level_count = min_level_count
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> TablePreparation:
        """Learn medians, means, spreads and categories.

        Shapes: `X` (n, n_features).
        """
        frame = read_features(self, X, reset=True)
        numeric = [i for i in range(frame.shape[1]) if pd.api.types.is_numeric_dtype(_plain(frame.iloc[:, i]))]
        self.numeric_ = tuple(numeric)
        self.categorical_ = tuple(i for i in range(frame.shape[1]) if i not in set(numeric))
        numbers = Pipeline(
            [("impute", SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)),
             ("scale", StandardScaler())]
        )  # fmt: skip
        categories = OneHotEncoder(
            min_frequency=self.min_level_count, handle_unknown="infrequent_if_exist", sparse_output=False
        )
        steps: list[tuple[str, Any]] = [
            ("columns", ColumnTransformer([("numbers", numbers, [*self.numeric_]),
                                           ("categories", categories, [*self.categorical_])])),
        ]  # fmt: skip
        table = self._split_kinds(frame)
        if self.n_components is not None:
            width = steps[0][1].fit_transform(table).shape[1]
            kept = min(self.n_components, width, len(frame))
            steps.append(("components", PCA(n_components=kept, svd_solver="full", random_state=self.random_state)))
        self.pipeline_ = Pipeline(steps).fit(table)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return the numbers for a model.

        Shapes: `X` (n, n_features); returns (n, n_prepared).
        """
        check_is_fitted(self)
        frame = read_features(self, X, reset=False)
        return np.ascontiguousarray(self.pipeline_.transform(self._split_kinds(frame)), dtype=np.float64)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the prepared columns."""
        check_is_fitted(self)
        return self.pipeline_.get_feature_names_out()

    def __sklearn_tags__(self) -> Any:
        """Say that missing values and categories are taken."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags

    def _split_kinds(self, frame: pd.DataFrame) -> pd.DataFrame:
        columns = {}
        for i, name in enumerate(frame.columns):
            values = _plain(frame.iloc[:, i])
            if i in self.numeric_:
                columns[str(name)] = pd.to_numeric(values, errors="coerce").astype(float).clip(-LARGEST, LARGEST)
            else:
                columns[str(name)] = values.astype(object).where(values.notna(), NO_VALUE).astype(str)
        return pd.DataFrame(columns, index=frame.index)


def read_features(estimator: Any, X: Any, *, reset: bool) -> pd.DataFrame:
    """Check a table of features and return it as a frame; missing values are allowed, infinite ones are not.

    A frame keeps its names, whichever library it is of; an array gets x0, x1, ....

    Shapes: `X` (n, n_features).
    """
    X = as_pandas(X)
    if not isinstance(X, pd.DataFrame):
        values = validate_data(estimator, X, reset=reset, ensure_all_finite="allow-nan", dtype="numeric")
        return pd.DataFrame(values, columns=[f"x{i}" for i in range(values.shape[1])])
    if not X.columns.is_unique:
        twice = X.columns[X.columns.duplicated()][0]
        raise InputError(f"'X' has two columns called {quote(twice)}.", hint="Rename one of them.")
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    if X.shape[0] < 1 or X.shape[1] < 1:
        raise InputError(f"'X' must have at least one row and one column, got {X.shape[0]} x {X.shape[1]}.")
    for name in X.columns:
        values = _plain(X[name])
        if pd.api.types.is_float_dtype(values) and np.isinf(values.to_numpy(dtype=float, na_value=np.nan)).any():
            raise InputError(f"'X' has an infinite number in the column {quote(name)}.", hint="Replace or remove it.")
        if values.dtype == object and values.map(lambda value: isinstance(value, list | dict | set | tuple)).any():
            raise InputError(
                f"'X' has lists in the column {quote(name)}, which cannot be compared.",
                hint="Put one value into each cell.",
            )
    return X


def _plain(values: pd.Series) -> pd.Series:
    """Return true/false as categories: they are values, not amounts."""
    return values.astype(object) if pd.api.types.is_bool_dtype(values) else values
