"""No hidden count can be worked out from an export with remedies: what they say of people is attacked, too.

``FAIRAUDIT_ATTACKED_REMEDIES`` says how many random audits are attacked; ``tests/campaign/attack_remedies.py`` attacks
any others.
"""

from __future__ import annotations

import os

import pytest
from attack_remedies import attacked
from random_remedies import drawn_with_remedies

pytestmark = pytest.mark.campaign

INTERVALS_LEAKED = (14, 17, 25, 99, 145)
"""Audits that showed how many people gain or lose by a remedy: by the width of the interval of a change."""

CUTS_LEAKED = (19, 21, 29, 165, 280)
"""Audits that showed whose score lies between two thresholds."""

RESTS_LEAKED = (47, 55)
"""Audits that showed which outcomes the held-out people have whose group is not known."""

OUTSIDE_LEAKED = (281, 297)
"""Audits that showed which outcomes the few held-out people have who do not meet the filter."""

AUDITS = range(int(os.environ.get("FAIRAUDIT_ATTACKED_REMEDIES", "10")))


@pytest.mark.parametrize("seed", sorted({*AUDITS, *INTERVALS_LEAKED, *CUTS_LEAKED, *RESTS_LEAKED, *OUTSIDE_LEAKED}))
def test_an_attack_on_all_that_remedies_show_finds_no_hidden_count(seed):
    found = attacked(drawn_with_remedies(seed))
    if found is None:
        pytest.skip("these data have no answer to this plan")
    assert not found.leaks, found
