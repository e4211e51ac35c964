"""The condition itself: what the rest of fairaudit holds and passes around."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from sqlglot.dialects.dialect import Dialects

from fairaudit.columns import DAY_KINDS, Kind
from fairaudit.conditions import tree
from fairaudit.conditions.evaluation import evaluate
from fairaudit.conditions.names import ColumnNames, frame_kind
from fairaudit.conditions.parsing import parse, scan
from fairaudit.conditions.printing import name_to_text, to_sql, to_text, value_to_text
from fairaudit.conditions.tree import Node, plain_value
from fairaudit.conditions.words import to_words
from fairaudit.errors import InputError, MissingColumnError, quote


@dataclass(frozen=True, eq=False, repr=False)
class Condition:
    """A yes-or-no question about a row, which may also be unknown.

    Build one with :meth:`parse`, :meth:`equals` or :meth:`one_of`; combine with ``~``, ``&`` and ``|``. Two conditions
    are equal when their texts are. A comparison with a missing value is unknown, NOT unknown is unknown, and a row is
    only selected where the answer is "true".

    Parameters
    ----------
    tree : Node
        The condition as a tree, see :mod:`fairaudit.conditions.tree`.

    Examples
    --------
    >>> c = Condition.parse("race != 'White' and age>=25", {"race": "text", "age": "number"})
    >>> str(c)
    "race <> 'White' AND age >= 25"
    >>> str(~c)
    "NOT (race <> 'White' AND age >= 25)"
    >>> c.in_words()
    'race is not White and age is at least 25'
    """

    tree: tree.Node

    @classmethod
    def parse(cls, text: str, columns: object) -> Condition:
        """Read a condition from text.

        Parameters
        ----------
        text : str
            The condition, as after SQL's WHERE.
        columns : Table, mapping, pandas.DataFrame or iterable of str
            What it may name: a table, its columns, a mapping of names to kinds, or names alone (of unknown kinds).

        Returns
        -------
        Condition
            The condition, its names and kinds checked.

        Raises
        ------
        ConditionError
            If it cannot be read, is not allowed, names an unknown column or compares different kinds.
        InputError
            If `text` is not a text or `columns` holds no columns.
        """
        if not isinstance(text, str):
            raise InputError(f"A condition must be a text, got {type(text).__name__}.")
        names = columns if isinstance(columns, ColumnNames) else ColumnNames(columns)
        found = cls(parse(text, names))
        if found.text != text:
            # What is printed may have more parentheses, and must read back as well.
            scan(found.text, names)
        return found

    @classmethod
    def equals(cls, column: str, value: object, columns: object) -> Condition:
        """Return "this column has this value"; without a value, "this column is missing".

        Parameters
        ----------
        column : str
            The column.
        value : number, str, bool, date or None
            The value, as it is in the table.
        columns : Table, mapping, pandas.DataFrame or iterable of str
            As in :meth:`parse`.

        Raises
        ------
        MissingColumnError
            If the column is not there.
        ConditionError
            If the value is not of the column's kind.
        """
        return cls.one_of(column, [value], columns)

    @classmethod
    def one_of(cls, column: str, values: Iterable[object], columns: object) -> Condition:
        """Return "this column has one of these values"; None among them also selects missing values.

        Parameters
        ----------
        column : str
            The column.
        values : iterable
            The values, as they are in the table.
        columns : Table, mapping, pandas.DataFrame or iterable of str
            As in :meth:`parse`.

        Raises
        ------
        MissingColumnError
            If the column is not there.
        InputError
            If there are no values.
        ConditionError
            If a value is not of the column's kind, or there are more than a list can have.
        """
        names = ColumnNames(columns)
        found = names.find(column)
        if found is None:
            raise MissingColumnError(column, names)
        plain = [plain_value(value) for value in values]
        if not plain:
            raise InputError(f"Give at least one value of column {quote(column)}.")
        name = name_to_text(found)
        texts = list(dict.fromkeys(value_to_text(tree.Constant(value)) for value in plain if value is not None))
        parts = [f"{name} IN ({', '.join(texts)})" if len(texts) > 1 else f"{name} = {texts[0]}"] if texts else []
        if None in plain:
            parts.append(f"{name} IS NULL")
        return cls.parse(" OR ".join(parts), names)

    @cached_property
    def text(self) -> str:
        """The one text that stands for this condition; parsing it gives an equal condition."""
        return to_text(self.tree)

    @property
    def listed(self) -> tuple[str, tuple[object, ...]] | None:
        """The column and the values that :meth:`one_of` makes this condition of; None where it is another."""
        parts = self.tree.parts if isinstance(self.tree, tree.Or) else (self.tree,)
        values: list[object] = []
        for part in parts:
            match part:
                case tree.InList(tree.ColumnName(), items, False):
                    values += [item.value for item in items]
                case tree.Compare("=", tree.ColumnName(), tree.Constant(value)):
                    values.append(value)
                case tree.IsNull(tree.ColumnName(), False):
                    values.append(None)
        if not values or len(self.columns) != 1:
            return None
        same = Condition.one_of(self.columns[0], values, tree.column_names(self.tree)) == self
        return (self.columns[0], tuple(values)) if same else None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that it uses, in the order of first use."""
        return tuple(tree.column_names(self.tree))

    @property
    def compared(self) -> tuple[str, ...]:
        """The names of the columns whose values it looks at, not only whether there is one."""
        asked = [part.value for part in tree.walk(self.tree) if isinstance(part, tree.IsNull)]
        looked_at = [part for part in tree.walk(self.tree) if isinstance(part, tree.ColumnName)]
        return tuple(dict.fromkeys(part.name for part in looked_at if not any(part is value for value in asked)))

    def truth(self, frame: pd.DataFrame) -> pd.Series:
        """Return the answer for each row.

        Parameters
        ----------
        frame : pandas.DataFrame
            The rows, with the columns of the condition.

        Returns
        -------
        pandas.Series
            With the index of `frame` and dtype "boolean"; missing where the answer is unknown.

        Raises
        ------
        MissingColumnError
            If a column is not in `frame`.
        ConditionError
            If a column is of another kind than the condition needs.
        """
        answer = evaluate(self._for(frame), frame)
        return pd.Series(pd.arrays.BooleanArray(answer.values, ~answer.known), index=frame.index)

    def mask(self, frame: pd.DataFrame) -> np.ndarray:
        """Return whether each row is selected: the answer is "true", neither "false" nor unknown.

        Parameters
        ----------
        frame : pandas.DataFrame
            The rows, with the columns of the condition.

        Returns
        -------
        numpy.ndarray of bool
            One value a row.

        Raises
        ------
        MissingColumnError
            If a column is not in `frame`.
        ConditionError
            If a column is of another kind than the condition needs.
        """
        return evaluate(self._for(frame), frame).values

    def to_sql(self, dialect: str = "duckdb") -> str:
        """Return a truth-valued SQL expression, to stand after WHERE or between parentheses.

        Parameters
        ----------
        dialect : str
            An engine that sqlglot writes for, such as "duckdb". For "postgres", "sqlite" and "spark", columns are
            meant as a connected table reads them, see :mod:`fairaudit.conditions.engines`.

        Returns
        -------
        str
            The expression, with names quoted as that engine quotes them.

        Raises
        ------
        InputError
            If the dialect is not known.
        """
        known = [known.value for known in Dialects if known.value]
        if dialect not in known:
            raise InputError(f"The dialect must be one of {', '.join(sorted(known))}, got {dialect!r}.")
        return to_sql(self.tree, dialect)

    def in_words(self) -> str:
        """Return the condition in plain English, to stand in a sentence.

        Returns
        -------
        str
            Such as "race is not White and age is at least 25".
        """
        return to_words(self.tree)

    def about(self, column: str) -> Condition | None:
        """Return what must hold of one column by itself.

        Parameters
        ----------
        column : str
            The column.

        Returns
        -------
        Condition or None
            Those of the parts joined by AND that name this column and no other; None where there are none.

        Examples
        --------
        >>> c = Condition.parse("age >= 18 AND decision <> 'open'", {"age": "number", "decision": "text"})
        >>> str(c.about("decision"))
        "decision <> 'open'"
        """
        parts = self.tree.parts if isinstance(self.tree, tree.And) else (self.tree,)
        alone = [part for part in parts if [*tree.column_names(part)] == [column]]
        return Condition.parse(to_text(tree.join(tree.And, alone)), tree.column_names(self.tree)) if alone else None

    def __invert__(self) -> Condition:
        return self._with(tree.negate(self.tree), self)

    def __and__(self, other: Condition) -> Condition:
        if not isinstance(other, Condition):
            return NotImplemented
        return self._with(tree.join(tree.And, [self.tree, other.tree]), other)

    def __or__(self, other: Condition) -> Condition:
        if not isinstance(other, Condition):
            return NotImplemented
        return self._with(tree.join(tree.Or, [self.tree, other.tree]), other)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Condition({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Condition) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def _with(self, node: Node, other: Condition) -> Condition:
        # Reading the printed text again holds the whole to the same bounds as a written condition.
        kinds = tree.column_names(self.tree) | tree.column_names(other.tree)
        return Condition.parse(to_text(node), kinds)

    def _for(self, frame: pd.DataFrame) -> Node:
        """Return the tree with the kinds that the columns have in a frame."""
        known = tree.column_names(self.tree)
        missing = next((name for name in known if name not in frame.columns), None)
        if missing is not None:
            raise MissingColumnError(missing, (name for name in frame.columns if isinstance(name, str)))
        kinds = {name: _kind_here(frame, name, kind) for name, kind in known.items()}
        return self.tree if kinds == known else parse(self.text, ColumnNames(kinds))


def _kind_here(frame: pd.DataFrame, name: str, known: Kind | None) -> Kind | None:
    here = frame_kind(frame, name)
    same = here in (known, None) or {here, known} <= DAY_KINDS
    # A column without any value fits every kind.
    return known if same or frame[name].isna().all() else here


# Values of a column that a condition leaves out by naming them, beside whatever else it asks for.


def values_left_out(condition: Condition, column: str) -> tuple[object, ...]:
    """Return the values of a column that a condition leaves out, whatever else it says.

    Examples
    --------
    >>> columns = {"result": "text", "age": "number"}
    >>> values_left_out(Condition.parse("age > 18 AND (result <> 'pending' OR result IS NULL)", columns), "result")
    ('pending',)
    """
    return tuple(value for part in _parts(condition) for value in _left_out(part, column))


def without_left_out(condition: Condition, column: str) -> Condition | None:
    """Return the condition that keeps these values, too; None where it asks for nothing else.

    Examples
    --------
    >>> columns = {"result": "text", "age": "number"}
    >>> str(without_left_out(Condition.parse("age > 18 AND result <> 'pending'", columns), "result"))
    'age > 18'
    """
    kept = [part for part in _parts(condition) if not _left_out(part, column)]
    if not kept:
        return None
    return Condition.parse(to_text(tree.join(tree.And, kept)), tree.column_names(condition.tree))


def without(condition: Condition, taken: Condition) -> Condition | None:
    """Return the condition without a part that it asks for beside others, wherever that stands; None without more.

    Examples
    --------
    >>> columns = {"year": "number", "age": "number"}
    >>> str(without(Condition.parse("year = 2024 AND age > 18", columns), Condition.parse("year = 2024", columns)))
    'age > 18'
    """
    kept = [part for part in _parts(condition) if part not in _parts(taken)]
    if not kept:
        return None
    return Condition.parse(to_text(tree.join(tree.And, kept)), tree.column_names(condition.tree))


def _parts(condition: Condition) -> tuple[tree.Node, ...]:
    return condition.tree.parts if isinstance(condition.tree, tree.And) else (condition.tree,)


def _left_out(node: tree.Node, column: str) -> tuple[object, ...]:
    match node:
        case tree.Or((inner, tree.IsNull(tree.ColumnName(name), False))) if name == column:
            return _left_out(inner, column)
        case tree.Compare("<>", tree.ColumnName(name), tree.Constant(value)) if name == column:
            return (value,)
        case tree.Not(tree.Compare("=", tree.ColumnName(name), tree.Constant(value))) if name == column:
            return (value,)
        case tree.InList(tree.ColumnName(name), items, True) if name == column:
            return tuple(item.value for item in items)
    return ()
