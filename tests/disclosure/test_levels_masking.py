"""What a reader can work out of hidden counts by level, by integer programs over all that is shown."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from small_tables import frame_of, published

from fairaudit import run
from fairaudit.disclosure.gate import exported
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan

LEVELS = ("A", "B", "C")
MINIMUM = 4
ATOMS = pd.DataFrame(
    list(itertools.product(("x", "y"), ("F", "M"), (*LEVELS, None))), columns=["office", "sex", "grade"]
)
CHECKS = (
    CheckPlan(protected="sex = 'F'", strata=("office",), compare=(("office",),)),
    CheckPlan(protected="office = 'x'", compare=(("sex",),)),
)
FAVORABLE = (("A",), ("A", "B"))


def drawn(seed: int) -> np.ndarray:
    """Return how many people each combination has: cells of a few, of many, and of nobody."""
    rng = np.random.default_rng(seed)
    most = rng.choice((8, 14, 40))
    counts = rng.integers(0, most, len(ATOMS)) + rng.choice((0, 0, 12), len(ATOMS))
    counts[ATOMS["grade"].isna()] = rng.choice((0, 0, 1, 6), int(ATOMS["grade"].isna().sum()))
    return counts * (rng.random(len(ATOMS)) > 0.08)


def hidden_result(counts: np.ndarray, favorable: tuple[str, ...], checks=CHECKS):
    plan = AuditPlan(
        data=DataPlan(source="memory.csv"),
        decision=OutcomePlan(column="grade", favorable=favorable, levels=LEVELS, ordered=True),
        checks=checks,
        small_cells=SmallCellsPlan(mask=True, minimum=MINIMUM),
        report=ReportPlan(quality=False),
    )
    return exported(run(plan, table=frame_of(ATOMS, counts)))


def groups_of(number: int) -> dict[tuple, list[np.ndarray]]:
    """Return whose levels the tables of a check hold, by the path of the table."""
    office, sex = ATOMS["office"], ATOMS["sex"]
    sides = {0: (sex == "F", sex == "M"), 1: (office == "x", office == "y")}[number]
    by = {0: (office == "x", office == "y"), 1: (sex == "F", sex == "M")}[number]
    found = {("all",): [side.to_numpy() for side in sides], ("groups",): [part.to_numpy() for part in by]}
    if number == 0:
        found["within",] = [(part & side).to_numpy() for part in by for side in sides]
    return found


def levels_shown(result, counts: np.ndarray) -> dict[tuple, tuple[int | None, np.ndarray]]:
    """Return each count by level with the combinations that it adds up; its value where its table is shown."""
    found = {}
    for number, finding in enumerate(result.checks):
        levels = finding.levels
        for path, groups in groups_of(number).items():
            shown = levels.verdict is not None and {
                "all": True, "within": levels.within is not None, "groups": bool(levels.by_group)
            }[path[0]]  # fmt: skip
            for place, inside in enumerate(groups):
                for level in LEVELS:
                    mask = inside & (ATOMS["grade"] == level).to_numpy()
                    found[number, *path, place, level] = (int(counts[mask].sum()) if shown else None, mask)
    return found


def room(mask: np.ndarray, known: list[tuple[int, np.ndarray]], occurs: list[np.ndarray]) -> float:
    """Return how far apart the least and the most of a count may be, by all that is known."""
    rows = [each.astype(float) for _, each in known] + [each.astype(float) for each in occurs]
    low = np.array([value for value, _ in known] + [1] * len(occurs), dtype=float)
    high = np.array([value for value, _ in known] + [np.inf] * len(occurs), dtype=float)
    constraints = LinearConstraint(np.array(rows).reshape(-1, len(ATOMS)), low, high)
    ends = []
    for sign in (1, -1):
        found = milp(sign * mask.astype(float), constraints=constraints, integrality=np.ones(len(ATOMS)),
                     bounds=Bounds(0, 300))  # fmt: skip
        assert found.status == 0
        ends.append(sign * found.fun)
    return ends[1] - ends[0]


def attack(seed: int) -> tuple[int, list[str]]:
    """Return how many level tables are shown, and what can be worked out of the rest."""
    counts, favorable = drawn(seed), FAVORABLE[seed % 2]
    result = hidden_result(counts, favorable)
    grade = ATOMS["grade"]
    said = [None if pd.isna(level) else "good" if level in favorable else "bad" for level in grade]
    as_yes_no = ATOMS.assign(y=pd.Series(said, dtype=object))
    plain = published(result, as_yes_no)
    by_level = levels_shown(result, counts)
    known = [(value, mask) for value, mask in (*plain.values(), *by_level.values()) if value is not None]
    # A reader is taken to know who there is: which offices have which sexes.
    people = [((ATOMS["office"] == o) & (ATOMS["sex"] == s)).to_numpy() for o in ("x", "y") for s in ("F", "M")]
    known += [(0, mask) for mask in people if not counts[mask].sum()]
    occurs = [mask for mask in people if counts[mask].sum()]
    found = []
    for path, (value, mask) in {**plain, **by_level}.items():
        true = int(counts[mask].sum())
        if value is not None:
            if path in by_level and _is_secret(mask, counts) and true < MINIMUM:
                found.append(f"{seed} {path}: {true} is shown")
            continue
        is_target = mask.any() and (true < MINIMUM or path in plain) and _is_secret(mask, counts)
        if is_target and (wide := room(mask, known, occurs)) < (MINIMUM + 1) // 2:
            found.append(f"{seed} {path}: {true} is known within {wide}")
    return sum(value is not None for value, _ in by_level.values()), found


def _is_secret(mask: np.ndarray, counts: np.ndarray) -> bool:
    """Say whether somebody is there who could be counted: of nobody, everybody knows the level."""
    people = ATOMS.loc[mask, ["office", "sex"]].drop_duplicates()
    return any(counts[((ATOMS["office"] == o) & (ATOMS["sex"] == s)).to_numpy()].sum() for o, s in people.to_numpy())


@pytest.mark.parametrize("seed", range(12))
def test_no_hidden_count_by_level_can_be_worked_out(seed):
    _, found = attack(seed)
    assert not found


@pytest.mark.campaign
def test_no_hidden_count_by_level_can_be_worked_out_in_200_tables():
    answers = [attack(seed) for seed in range(100, 300)]
    assert not [each for _, found in answers for each in found]
    assert sum(n > 0 for n, _ in answers) >= 20
