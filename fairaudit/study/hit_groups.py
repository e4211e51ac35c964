"""Whom a remedy hits: the search for worst groups, over what it predicts for the test cases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.engine import unused_name
from fairaudit.data.table import Table, table_of_read_rows
from fairaudit.errors import FairauditError
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.names import group_name
from fairaudit.study.divided import DividedRows
from fairaudit.study.fitting import Candidate
from fairaudit.subgroups.finding import find_subgroups
from fairaudit.subgroups.results import Subgroup, SubgroupSearch

MOST_CONDITIONS = 2
"""Conditions of a group: a third one multiplies the groups by twenty, and hardly any has the cases to be judged."""


def hit_groups(study: DividedRows, candidate: Candidate) -> SubgroupSearch | None:
    """Search what a remedy predicts for groups that fare worse: one half of the test cases searches, the other judges.

    Each group names a column that protected people or groups are made of. None where it is not asked, or too few test
    cases are left, or they are all predicted the same. It takes a fraction of a second.
    """
    people, after = study.people, candidate.prediction
    if people is None or candidate.before is None or len(after) != len(study.split.held_out):
        return None
    judged = study.population[study.split.held_out]
    rows = people.columns.iloc[study.split.held_out[judged]].reset_index(drop=True)
    name = unused_name("predicted", rows.columns)
    values = np.asarray(after)[judged]
    asked = study.plan.decision
    has_good = asked.kind.has_good_outcome
    table = table_of_read_rows(pd.concat([rows, pd.Series(values, name=name)], axis=1))
    try:
        found = find_subgroups(
            table,
            decision=name,
            favorable=1 if has_good else None,
            measure=asked.kind.searched,
            direction="lower" if has_good or asked.higher_is_favorable else "higher",
            columns=list(rows.columns),
            protected=people.protected,
            max_conditions=MOST_CONDITIONS,
            confidence=study.models.confidence,
            random_state=study.plan.seed,
        )
    except FairauditError:
        # Too few test cases, or one answer for all of them: there is nothing to search.
        return None
    return replace(found, subgroups=tuple(_called(each, table, study) for each in found.subgroups))


def _called(group: Subgroup, table: Table, study: DividedRows) -> Subgroup:
    """Call a group as the plan calls those that it is made of."""
    called = group_name(study.plan.names, Condition.parse(group.condition, table))
    return replace(group, words=say(Message("group-alone", {"group": called.said})))


def hit_first(found: SubgroupSearch) -> tuple[Subgroup, ...]:
    """Return the groups that fare worse among those that judge: those that stand out, the largest gap first."""
    worse = [each for each in found.subgroups if (each.gap > 0) == (found.direction == "higher")]
    return tuple(sorted(worse, key=lambda each: (not each.stands_out, -abs(each.gap))))
