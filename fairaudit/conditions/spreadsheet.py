"""Conditions for a spreadsheet: bounds as columns, and a formula that is TRUE for the people whom one selects."""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from fairaudit.conditions import tree
from fairaudit.conditions.condition import Condition
from fairaudit.conditions.names import AnyNames
from fairaudit.conditions.printing import value_to_text
from fairaudit.conditions.words import pushed
from fairaudit.data.formulas import neutralised

BOUNDS: Final[Mapping[str, str]] = {">=": "at least", ">": "more than", "<": "less than", "<=": "at most"}
"""What a column of bounds is called, after the name of the column that is compared."""
ONE_OF, NONE_OF, EMPTY, ALSO = "is one of", "is none of", "empty", "also"
FORMULA: Final = "formula"
FIRST_ROW: Final = 2
"""The row of the first person in a sheet whose first row has the names of columns."""


@dataclass(frozen=True)
class SpreadsheetTable:
    """Conditions as the rows of a table.

    A formula is to be copied into a sheet with one person a row, after ``=``. `columns` says which column of the table
    stands in A, B and so on of that sheet. It is empty where a spreadsheet compares otherwise than a condition does.
    """

    # The columns that are compared, in the order of the letters that formulas call them by.
    columns: tuple[str, ...]
    # What stands above the bounds, such as "age at most".
    heads: tuple[str, ...]
    # For each condition what is under each head, and its formula.
    rows: tuple[tuple[tuple[object, ...], str], ...]

    @classmethod
    def of(cls, conditions: Sequence[str]) -> SpreadsheetTable:
        """Put conditions into a table.

        Examples
        --------
        >>> table = SpreadsheetTable.of(["age <= 25 AND job IN ('cook')", "age > 25 OR age IS NULL"])
        >>> table.columns, table.heads
        (('age', 'job'), ('age more than', 'age at most', 'age empty', 'job is one of'))
        >>> table.rows[1]
        ((25, None, 'yes', None), 'OR(AND(ISNUMBER(A2),A2>25),A2="")')
        """
        nodes = [pushed(Condition.parse(text, AnyNames()).tree) for text in conditions]
        names = dict.fromkeys(name for node in nodes for name in _columns(node))
        cells = {name: f"{letters(place)}{FIRST_ROW}" for place, name in enumerate(names)}
        lines = [_Bounds.of(node) for node in nodes]
        order = (*BOUNDS.values(), ONE_OF, NONE_OF, EMPTY)
        keys = [(name, what) for name in names for what in order if any((name, what) in line.values for line in lines)]
        heads = [f"{name} {what}" for name, what in keys]
        heads += [ALSO] if any(line.others for line in lines) else []
        rows = []
        for node, line in zip(nodes, lines, strict=True):
            cell = [line.values.get(key) for key in keys]
            cell += [" AND ".join(line.others) or None] if ALSO in heads else []
            rows.append((tuple(cell), formula(node, cells) or ""))
        return cls(tuple(names), tuple(heads), tuple(rows))

    @property
    def formula_head(self) -> str:
        """What stands above the formulas: where their cells are.

        Examples
        --------
        >>> SpreadsheetTable.of(["age <= 25 AND job = 'cook'"]).formula_head
        'formula (A: age, B: job)'
        """
        named = ", ".join(f"{letters(place)}: {name}" for place, name in enumerate(self.columns))
        return f"{FORMULA} ({named})" if named else FORMULA


@dataclass(frozen=True)
class SpreadsheetLine:
    """A rule, or the way to a leaf of a tree."""

    number: int
    words: str
    condition: str
    # What is predicted where it holds.
    prediction: object


def spreadsheet_csv(what: str, lines: Sequence[SpreadsheetLine]) -> str:
    """Return lines as CSV, with a row for each; `what` is what their numbers count."""
    table = SpreadsheetTable.of([line.condition for line in lines])
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([neutralised(head) for head in (what, "holds where", *table.heads, "predicts", table.formula_head)])
    for line, (bounds, text) in zip(lines, table.rows, strict=True):
        writer.writerow([line.number, *map(_cell, (line.words, *bounds, line.prediction, text))])
    return stream.getvalue()


def _cell(value: object) -> object:
    if _is_number(value):
        return value
    return "" if value is None else neutralised(str(value))


def letters(place: int) -> str:
    """Return the name of a column of a spreadsheet, counted from 0.

    Examples
    --------
    >>> letters(0), letters(25), letters(26), letters(702)
    ('A', 'Z', 'AA', 'AAA')
    """
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def _columns(node: tree.Node) -> list[str]:
    return [part.name for part in tree.walk(node) if isinstance(part, tree.ColumnName)]


@dataclass
class _Bounds:
    """What a condition asks of each column, and what does not fit there."""

    values: dict[tuple[str, str], object] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, node: tree.Node) -> _Bounds:
        found = cls()
        for part in node.parts if isinstance(node, tree.And) else (node,):
            if not found.take(part) and not (isinstance(part, tree.Truth) and isinstance(part.value, tree.Constant)):
                found.others.append(Condition(part).text)
        return found

    def take(self, part: tree.Node) -> bool:
        """Write a part down under the column that it compares; say whether it does that."""
        match part:
            case tree.Compare(left=tree.ColumnName(name=name), right=tree.Constant(value=value)):
                if part.operator in BOUNDS:
                    self._tighten(name, part.operator, value)
                else:
                    self._list(name, ONE_OF if part.operator == "=" else NONE_OF, (value,))
            case tree.InList(value=tree.ColumnName(name=name), items=items, negated=negated):
                self._list(name, NONE_OF if negated else ONE_OF, tuple(item.value for item in items))
            case tree.IsNull(value=tree.ColumnName(name=name), negated=negated):
                self.values[name, EMPTY] = "no" if negated else "only"
            case tree.Truth(value=tree.ColumnName(name=name)):
                self._list(name, ONE_OF, (True,))
            case tree.Not(part=tree.Truth(value=tree.ColumnName(name=name))):
                self._list(name, ONE_OF, (False,))
            case tree.Or(parts=(first, tree.IsNull(value=tree.ColumnName(name=name), negated=False))):
                if _columns(first) != [name] or not self.take(first):
                    return False
                self.values[name, EMPTY] = "yes"
            case _:
                return False
        return True

    def _tighten(self, name: str, operator: tree.ComparisonOperator, value: tree.Written) -> None:
        key = (name, BOUNDS[operator])
        if key in self.values:
            both: list[Any] = [self.values[key], value]
            value = min(both) if operator in ("<", "<=") else max(both)
        self.values[key] = value

    def _list(self, name: str, what: str, values: tuple[tree.Written, ...]) -> None:
        own = [_plain(value) for value in values]
        before = self.values.get((name, what))
        if isinstance(before, str):
            known = before.split("; ")
            own = [value for value in known if value in own] if what == ONE_OF else list(dict.fromkeys([*known, *own]))
        self.values[name, what] = "; ".join(own)


def _plain(value: tree.Written) -> str:
    return value if isinstance(value, str) else value_to_text(tree.Constant(value))


# Formulas in the form that spreadsheets share: English names, commas between arguments.
#
# A blank cell is a missing value. A spreadsheet takes it for 0, for false and for "", so each comparison asks first
# whether there is something.


def formula(node: tree.Node, cells: Mapping[str, str]) -> str | None:
    """Return a formula that is TRUE where a condition holds; None where no formula says the same.

    `cells` has for each column the cell of a person.

    Examples
    --------
    >>> formula(Condition.parse("job <> 'cook'", ["job"]).tree, {"job": "A2"})
    'AND(A2<>"",NOT(EXACT(A2,"cook")))'
    """
    node = pushed(node)
    match node:
        case tree.And() | tree.Or():
            parts = [formula(part, cells) for part in node.parts]
            if None in parts:
                return None
            return f"{'AND' if isinstance(node, tree.And) else 'OR'}({','.join(map(str, parts))})"
        case tree.Compare(left=tree.ColumnName(name=name), right=tree.Constant(value=value)):
            return _compared(cells[name], node.operator, value)
        case tree.Compare(right=tree.Constant(value=value)) if _is_number(value):
            return _weighed(node, cells)
        case tree.InList(value=tree.ColumnName(name=name), items=items, negated=negated):
            equal = [_compared(cells[name], "=", item.value) for item in items]
            one = f"OR({','.join(map(str, equal))})"
            return None if None in equal else f'AND({cells[name]}<>"",NOT({one}))' if negated else one
        case tree.IsNull(value=tree.ColumnName(name=name), negated=negated):
            return f'{cells[name]}{"<>" if negated else "="}""'
        case tree.Truth(value=tree.Constant(value=bool() as value)):
            return str(value).upper()
        case tree.Truth(value=tree.ColumnName(name=name)):
            return _compared(cells[name], "=", value=True)
        case tree.Not(part=tree.Truth(value=tree.ColumnName(name=name))):
            return _compared(cells[name], "=", value=False)
    return None


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _compared(cell: str, operator: tree.ComparisonOperator, value: tree.Written) -> str | None:
    match value:
        case bool():
            return f"AND(ISLOGICAL({cell}),{cell}{operator}{str(value).upper()})"
        case int() | float():
            return f"AND(ISNUMBER({cell}),{cell}{operator}{value!r})"
        case str() if operator in ("=", "<>"):
            quoted = '"' + value.replace('"', '""') + '"'
            same = f"EXACT({cell},{quoted})"
            return same if operator == "=" else f'AND({cell}<>"",NOT({same}))'
        case datetime.datetime():
            moment = f"DATE({value.year},{value.month},{value.day})+TIME({value.hour},{value.minute},{value.second})"
            return None if value.microsecond else f"AND(ISNUMBER({cell}),{cell}{operator}{moment})"
        case datetime.date():
            day = f"DATE({value.year},{value.month},{value.day})"
            return f"AND(ISNUMBER({cell}),{cell}{operator}{day})"
    # Texts are ordered by the language of a spreadsheet.
    return None


def _weighed(node: tree.Compare, cells: Mapping[str, str]) -> str | None:
    """Return the formula of a weighted sum that is compared with a number."""
    total = _sum(node.left, cells)
    if total is None:
        return None
    known = ",".join(f"ISNUMBER({cells[name]})" for name in dict.fromkeys(_columns(node)))
    limit = node.right.value if isinstance(node.right, tree.Constant) else None
    return f"AND({known},{total}{node.operator}{limit!r})"


def _sum(value: tree.Value, cells: Mapping[str, str]) -> str | None:
    match value:
        case tree.ColumnName(name=name):
            return cells[name]
        case tree.Constant(value=number) if _is_number(number):
            return f"({number!r})" if float(str(number)) < 0 else repr(number)
        case tree.Negative(value=inner):
            part = _sum(inner, cells)
            return None if part is None else f"(-{part})"
        case tree.Arithmetic(operator="+" | "-" | "*" as operator, left=left, right=right):
            one, other = _sum(left, cells), _sum(right, cells)
            return None if one is None or other is None else f"({one}{operator}{other})"
    return None
