"""Random audits of small tables are exported with small counts hidden; ``attack.py`` prints what can be worked out.

``FAIRAUDIT_ATTACKED_PLANS`` says how many random plans are attacked.
"""

from __future__ import annotations

import os

import pytest
from attack import attacked
from random_audits import drawn

pytestmark = pytest.mark.campaign


@pytest.mark.parametrize("seed", range(int(os.environ.get("FAIRAUDIT_ATTACKED_PLANS", "60"))))
def test_any_audit_is_exported_and_no_quartile_is_what_one_person_has(seed):
    leaks = attacked(drawn(seed))
    if leaks is None:
        pytest.skip("these data have no answer to this plan")
    assert leaks.crashed is None, leaks
    assert not [text for text in leaks.amounts if text.startswith("one person")], leaks
