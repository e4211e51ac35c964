"""No hidden count, and nobody's amount, can be worked out from an export.

``FAIRAUDIT_ATTACKED_PLANS`` says how many random plans are attacked; ``tests/campaign/attack.py`` attacks any others.
"""

from __future__ import annotations

import os

import pytest
from attack import attacked
from random_audits import drawn, drawn_in_bands, drawn_on_tariff, drawn_with_common_gap, simply_drawn

pytestmark = pytest.mark.campaign


ONCE_LEAKED = (5023, 5032, 5041, 6045)
"""Plans that leaked when a proof was forgotten, when counts were taken to vary that cannot, and when quartiles of two
digits were shown as they are.
"""

SUMS_LEAKED = (61422, 61576)
"""Plans that showed of two of several hidden groups how few people they have together."""

RATES_LEAKED = (88527,)
"""A plan that showed who is left of a group beside of how many a rate is a share, which is of two sorts of errors."""


STRATA_LEAKED = (94559, 97081)
"""Plans that showed how many people both sides of a stratum are, and what two hidden cells of a table have together."""

MODELS_LEAKED = (200128, 200168, 200188)
"""Plans that showed what one person has: in leaves, as the median for everybody, and as quartiles of held-out rows."""

PLANS = range(int(os.environ.get("FAIRAUDIT_ATTACKED_PLANS", "30")))


@pytest.mark.parametrize(
    ("draw", "seed"),
    [
        *((drawn, n) for n in (*PLANS, *SUMS_LEAKED, *RATES_LEAKED, *STRATA_LEAKED, *MODELS_LEAKED)),
        *((simply_drawn, n) for n in ONCE_LEAKED),
        *((drawn_in_bands, n) for n in PLANS[:10]),
        *((drawn_on_tariff, n) for n in PLANS[:10]),
        *((drawn_with_common_gap, n) for n in PLANS[:10]),
    ],
)
def test_an_attack_on_all_numbers_of_an_export_finds_no_hidden_count(draw, seed):
    leaks = attacked(draw(seed))
    if leaks is None:
        pytest.skip("these data have no answer to this plan")
    assert not leaks.found, leaks
