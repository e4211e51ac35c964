"""What is said of an answer beside its gap."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit import check_controlled_fairness, didi
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.present.gap_texts import texts_of


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_index_of_decisions_is_that_of_the_rows(seed):
    random = np.random.default_rng(seed)
    group = random.choice(["a", "b"], 200, p=[0.3, 0.7])
    decision = np.where(random.random(200) < np.where(group == "a", 0.3, 0.6), "yes", "no")
    table = pd.DataFrame({"group": group, "decision": decision})
    answer = check_controlled_fairness(table, decision="decision", favorable="yes", protected="group = 'a'")
    size = f"{didi(decision, sensitive_features=group):.3f}"
    assert texts_of(answer).note == say(Message("share-didi", {"size": Phrase(size)}))


def test_nothing_is_said_of_the_index_where_rows_have_weights():
    table = pd.DataFrame({"group": list("aabb"), "decision": list("yynn"), "w": [1.0, 2.0, 1.5, 1.0]})
    answer = check_controlled_fairness(table, decision="decision", favorable="y", protected="group = 'a'", weights="w")
    assert texts_of(answer).note == ""
