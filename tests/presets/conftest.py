from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hired_people import drawn

from fairaudit.data import Table

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def rows() -> pd.DataFrame:
    return drawn()


@pytest.fixture(scope="session")
def table(rows) -> Table:
    return Table.from_pandas(rows)


@pytest.fixture
def local_rule() -> Path:
    """The documented example of an office's own preset."""
    return ROOT / "sample_data" / "local_rules" / "anytown_grants.toml"
