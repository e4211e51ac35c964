"""Where chance moves a gap by more than a constraint allows, that is said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.estimators.constraints import ConstrainedRows, read_specs
from fairaudit.findings import REST
from fairaudit.study.cautions import chance_warning


def rows_of(spec: str, n: int) -> tuple[ConstrainedRows, np.ndarray]:
    """Half of `n` rows in each of two groups, predictions good for every other row."""
    sensitive = pd.DataFrame({"g": np.repeat(["a", "b"], n // 2)})
    h = np.tile([0, 1], n // 2)
    return ConstrainedRows.of(read_specs(spec), np.tile([0, 0, 1, 1], n // 4), sensitive), h


# Two shares of one half, of n / 2 rows each: 1.96 standard errors of their difference are 1.96 / sqrt(n).
@pytest.mark.parametrize(("n", "shown"), [(400, "9.7"), (1600, "4.9")])
def test_what_chance_does_is_said_where_it_is_more_than_the_limit(n, shown):
    rows, h = rows_of("demographic_parity by g <= 0.03", n)
    warning = chance_warning(rows, h, 0.95)
    assert shown in warning
    assert "share of positive predictions" in warning


def test_a_limit_above_what_chance_does_needs_no_warning():
    rows, h = rows_of("demographic_parity by g <= 0.03", 8000)
    assert chance_warning(rows, h, 0.95) is None


def test_the_constraint_that_chance_moves_most_is_named():
    rows, h = rows_of("demographic_parity by g <= 0.03; fpr by g <= 0.03", 1600)
    assert "false positive rate" in chance_warning(rows, h, 0.95)


def test_groups_are_called_as_people_read_them():
    sensitive = pd.DataFrame({"g": np.repeat(["women", REST], 200)})
    rows = ConstrainedRows.of(read_specs("demographic_parity by g <= 0.03"), np.tile([0, 0, 1, 1], 100), sensitive)
    warning = chance_warning(rows, np.tile([0, 1], 200), 0.95)
    assert REST not in warning
    assert "'everyone else' and 'women'" in warning or "'women' and 'everyone else'" in warning


def test_costs_are_shown_as_numbers():
    rows, h = rows_of("aec(1, 5) by g <= 0.1", 400)
    assert "points" not in chance_warning(rows, h, 0.95)


def test_groups_with_few_rows_are_shown_elsewhere():
    rows, h = rows_of("demographic_parity by g <= 0.03", 40)
    assert chance_warning(rows, h, 0.95) is None
