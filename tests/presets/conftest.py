from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hired_people import drawn
from places import LOCAL_RULE

from fairaudit.data import Table


@pytest.fixture(scope="session")
def rows() -> pd.DataFrame:
    return drawn()


@pytest.fixture(scope="session")
def table(rows) -> Table:
    return Table.from_pandas(rows)


@pytest.fixture
def local_rule() -> Path:
    """The documented example of an office's own preset."""
    return LOCAL_RULE
