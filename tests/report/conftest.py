"""Charts as the app draws them: each is compared with Vega-Lite's schema as a whole, and not part by part as well."""

from __future__ import annotations

import pytest
from altair.utils import schemapi


@pytest.fixture(autouse=True, scope="session")
def charts_checked_as_a_whole() -> None:
    """Do as the pages do, whichever tests ran before in this process."""
    schemapi.disable_debug_mode()
