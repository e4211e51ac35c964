from __future__ import annotations

import pandas as pd
import pytest

from fairaudit.errors import InputError
from fairaudit.estimators.relabeling import GROUP_COLUMNS, add_group_columns


def test_three_columns_reveal_the_groups_and_the_table_stays_as_it_was():
    table = pd.DataFrame({"age": [1, 2, 3, 4]}, index=list("qrst"))
    found = add_group_columns(table, protected=[1, 1, 0, 0], population=[1, 0, 1, 0])
    assert found[list(GROUP_COLUMNS)].to_numpy().tolist() == [[1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert list(table) == ["age"] and list(found.index) == list("qrst")


def test_a_name_that_is_taken_is_left_alone():
    table = pd.DataFrame({GROUP_COLUMNS[0]: ["mine"], f"{GROUP_COLUMNS[0]} 2": ["too"]})
    found = add_group_columns(table, protected=[True])
    assert found.shape == (1, 5)
    assert found[GROUP_COLUMNS[0]].tolist() == ["mine"] and found[f"{GROUP_COLUMNS[0]} 3"].tolist() == [1.0]


def test_rows_that_do_not_fit_are_named():
    with pytest.raises(InputError, match="'protected' must have one value for each of the 1 rows"):
        add_group_columns(pd.DataFrame({"age": [1]}), protected=[True, False])
