"""The formulas of a spreadsheet table select whom its conditions select, blank cells included."""

from __future__ import annotations

import csv
import datetime
import functools
import io
import re

import numpy as np
import pandas as pd
import pytest

from fairaudit import OptimalTreeClassifier
from fairaudit.conditions import Condition
from fairaudit.conditions.spreadsheet import SpreadsheetTable
from fairaudit.estimators.rules.literals import RuleSet

EPOCH = datetime.datetime(1899, 12, 30)
COLUMNS = ["age", "job", "member", "since", "bonus"]


@functools.total_ordering
class Cell:
    """A value as spreadsheets compare it: a blank is 0, false and "" alike; numbers are below texts, and those below
    truth values; case does not count."""

    def __init__(self, value: object):
        if isinstance(value, Cell):
            value = value.value
        if isinstance(value, datetime.datetime):
            value = (value - EPOCH) / datetime.timedelta(days=1)
        self.value = value

    def _pair(self, other: object) -> tuple[tuple[int, object], tuple[int, object]]:
        values = [self.value, Cell(other).value]
        for place in (0, 1):
            if values[place] is None:
                values[place] = {str: "", bool: False}.get(type(values[1 - place]), 0)
        ranked = [
            (2, v) if isinstance(v, bool) else (1, v.lower()) if isinstance(v, str) else (0, float(v)) for v in values
        ]
        return ranked[0], ranked[1]

    def __eq__(self, other: object) -> bool:
        one, two = self._pair(other)
        return one == two

    def __lt__(self, other: object) -> bool:
        one, two = self._pair(other)
        return one < two

    __hash__ = None

    def _number(self) -> float:
        return float(self.value or 0)

    def __add__(self, other):
        return Cell(self._number() + Cell(other)._number())

    def __sub__(self, other):
        return Cell(self._number() - Cell(other)._number())

    def __mul__(self, other):
        return Cell(self._number() * Cell(other)._number())

    __rmul__ = __mul__
    __radd__ = __add__


FUNCTIONS = {
    "AND": lambda *parts: all(parts),
    "OR": lambda *parts: any(parts),
    "NOT": lambda part: not part,
    "ISNUMBER": lambda cell: isinstance(cell.value, (int, float)) and not isinstance(cell.value, bool),
    "ISLOGICAL": lambda cell: isinstance(cell.value, bool),
    "EXACT": lambda cell, text: ("" if cell.value is None else str(cell.value)) == text,
    "DATE": lambda *day: Cell(datetime.datetime(*day)),
    "TIME": lambda h, m, s: Cell((3600 * h + 60 * m + s) / 86400),
    "TRUE": True,
    "FALSE": False,
}


def evaluated(formula: str, cells: dict[str, object]) -> bool:
    """Return what a spreadsheet makes of a formula."""
    texts: list[str] = []

    def kept(match: re.Match) -> str:
        texts.append(match[0][1:-1].replace('""', '"'))
        return f"text({len(texts) - 1})"

    code = re.sub(r'"(?:[^"]|"")*"', kept, formula)
    code = re.sub(r"(?<![<>])=", "==", code).replace("<>", "!=")
    names = FUNCTIONS | {name: Cell(value) for name, value in cells.items()} | {"text": texts.__getitem__}
    found = eval(code, {"__builtins__": {}}, names)
    assert isinstance(found, bool), formula
    return found


def people() -> pd.DataFrame:
    """Return people with blank cells in each column, and values that a spreadsheet takes for others."""
    rng = np.random.default_rng(0)
    n = 200
    frame = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.2, np.nan, rng.integers(-3, 60, n)),
            "job": rng.choice(np.array(["cook", "Cook", "", 'a "b"', "clerk", None], dtype=object), n),
            "member": rng.choice(np.array([True, False, None], dtype=object), n),
            "since": pd.to_datetime(
                rng.choice(np.array(["2020-01-31", "2020-02-01", "2021-06-05", None], dtype=object), n)
            ),
            "bonus": np.where(rng.random(n) < 0.2, np.nan, np.round(rng.normal(0, 2, n), 1)),
        }
    )
    frame["job"] = frame["job"].replace("", "none")
    return frame.astype({"member": "boolean"})


def cells_of(row: pd.Series, columns: tuple[str, ...]) -> dict[str, object]:
    """Return the cells of a person, in the columns that a table names."""
    found = {}
    for place, name in enumerate(columns):
        value = row[name]
        plain = None if pd.isna(value) else value.to_pydatetime() if isinstance(value, pd.Timestamp) else value
        found[f"{'ABCDEFGH'[place]}2"] = plain.item() if isinstance(plain, np.generic) else plain
    return found


@pytest.mark.parametrize(
    "text",
    [
        "age <= 25",
        "age > 0 OR age IS NULL",
        "age = 0",
        "age <> 0",
        "age BETWEEN -2 AND 10",
        "job = 'cook'",
        "job <> 'a \"b\"'",
        "job IN ('cook', 'clerk')",
        "job NOT IN ('cook', 'clerk')",
        "job IS NULL",
        "member",
        "NOT member",
        "member = FALSE",
        "since <= DATE '2020-01-31'",
        "since > TIMESTAMP '2020-01-31 12:00:00'",
        "0.5 * age + -2.0 * bonus <= 10.5",
        "NOT (age <= 25 AND job = 'cook')",
        "age > 3 AND (job NOT IN ('cook') OR job IS NULL) AND bonus <= 0",
    ],
)
def test_a_formula_selects_whom_the_condition_selects(text):
    frame = people()
    if "BETWEEN" in text:
        assert SpreadsheetTable.of([text]).rows[0][1] == ""
        text = "age >= -2 AND age <= 10"
    table = SpreadsheetTable.of([text])
    expected = Condition.parse(text, frame).mask(frame)
    found = [evaluated(table.rows[0][1], cells_of(row, table.columns)) for _, row in frame.iterrows()]
    assert found == expected.tolist(), table.rows[0][1]
    assert 0 < sum(found) < len(found)


def test_no_formula_stands_where_a_spreadsheet_orders_texts_otherwise():
    assert SpreadsheetTable.of(["job <= 'cook'"]).rows == ((("cook",), ""),)


def test_bounds_of_a_column_are_the_narrowest():
    table = SpreadsheetTable.of(["age <= 40 AND age <= 25 AND age > 3 AND job IN ('a', 'b') AND job IN ('b', 'c')"])
    assert dict(zip(table.heads, table.rows[0][0], strict=True)) == {
        "age more than": 3, "age at most": 25, "job is one of": "b",
    }  # fmt: skip


def test_each_person_comes_to_one_leaf_of_a_tree_and_gets_its_prediction():
    frame = people()[["age", "job", "bonus"]]
    y = (frame["age"].fillna(70) > 30) ^ (frame["job"] == "cook").fillna(value=False)
    model = OptimalTreeClassifier(2, time_limit=10).fit(frame, y)
    rows = list(csv.DictReader(io.StringIO(model.tree_.to_spreadsheet())))
    head = next(name for name in rows[0] if name.startswith("formula"))
    columns = tuple(part.split(": ")[1] for part in head.removeprefix("formula (").removesuffix(")").split(", "))
    assert len(rows) == model.tree_.n_leaves > 2
    for (_, person), expected in zip(frame.iterrows(), model.predict(frame), strict=True):
        here = [row["predicts"] for row in rows if evaluated(row[head], cells_of(person, columns))]
        assert here == [str(expected)]


def test_a_list_of_rules_predicts_where_one_of_its_formulas_holds():
    frame = people()
    rules = RuleSet.of_conditions(["age > 30 AND bonus <= 1", "job = 'cook' AND member"], frame, outcome="=HIRED")
    rows = list(csv.DictReader(io.StringIO(rules.to_spreadsheet())))
    head = next(name for name in rows[0] if name.startswith("formula"))
    assert {row["predicts"] for row in rows} == {"'=HIRED"}
    columns = tuple(part.split(": ")[1] for part in head.removeprefix("formula (").removesuffix(")").split(", "))
    found = [any(evaluated(row[head], cells_of(person, columns)) for row in rows) for _, person in frame.iterrows()]
    assert found == rules.predict(frame).astype(bool).tolist()
