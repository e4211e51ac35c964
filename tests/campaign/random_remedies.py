"""Random small tables and random plans with one to three remedies of all kinds, for the attack on hidden counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
from random_audits import Drawn, written

from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan

KINDS = ("plain", "relabel", "thresholds", "equalize", "constrain", "rules", "trees")
RACES, AREAS = ["a", "b", "c", "d"], ["u", "v", "w", "x", "z"]


def drawn_with_remedies(seed: int) -> Drawn:
    """Draw a table, checks of it, and one to three remedies."""
    rng = np.random.default_rng([seed, 3])
    minimum = int(rng.choice([2, 3, 4, 5]))
    frame = _table(rng, int(rng.choice([400, 800, 1_600, 3_200])))
    protected = str(rng.choice(["sex = 'F'", "race = 'a'", "sex = 'F' AND race <> 'a'"]))
    wheres = (None, "area <> 'u'", f"id >= {int(rng.integers(1, 40))}")
    where = wheres[int(rng.choice(3, p=[0.7, 0.15, 0.15]))]
    compare = (("race",),) if rng.random() < 0.4 else ()
    strata = ("area",) if rng.random() < 0.4 else ()
    other = where if rng.random() < 0.6 else wheres[int(rng.integers(3))]
    check = CheckPlan(protected=protected, where=other, compare=compare, strata=strata)
    by = (("race",), ("sex",), ())[int(rng.choice(3, p=[0.2, 0.1, 0.7]))]
    features = tuple(rng.permutation(["area", "race", "sex"])[: int(rng.integers(1, 4))].tolist())
    models = ModelsPlan(
        features=features,
        protected=protected,
        where=where,
        by=by,
        positive=str(rng.choice(["favorable", "unfavorable"], p=[0.8, 0.2])),
    )
    kinds = rng.choice(KINDS, int(rng.integers(1, 4)), replace=rng.random() < 0.3)
    remedies = dict.fromkeys(_remedy(rng, str(kind)) for kind in kinds)
    plan = AuditPlan(
        data=DataPlan(source="memory.csv"),
        decision=OutcomePlan(column="y", favorable=("good",)),
        checks=(check,),
        models=models,
        remedies=tuple(remedies),
        small_cells=SmallCellsPlan(mask=True, minimum=minimum),
        report=ReportPlan(quality=False),
        seed=seed,
    )
    return written(Drawn(frame, plan, seed, minimum))


def _table(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    races, areas = RACES[: int(rng.integers(2, 4))], AREAS[: int(rng.integers(2, 6))]
    frame = pd.DataFrame(
        {
            "sex": rng.choice(np.array(["F", "M"], dtype=object), rows),
            "race": rng.choice(np.array(races, dtype=object), rows, p=rng.dirichlet(np.full(len(races), 6.0))),
            "area": rng.choice(np.array(areas, dtype=object), rows, p=rng.dirichlet(np.full(len(areas), 6.0))),
        }
    )
    if rng.random() < 0.2:
        frame.loc[rng.random(rows) < 0.03, "sex"] = None
    steps = rng.choice([0.02, 0.1, 0.2], 2) * rng.random(2)
    shifts = [np.where(frame[name] == value, step, -step) for step, (name, value) in zip(steps, FAVORED, strict=True)]
    of_areas = dict(zip(areas, rng.uniform(-0.25, 0.25, len(areas)), strict=True))
    good = 0.45 + 0.1 * rng.random() + sum(shifts) + frame["area"].map(of_areas).to_numpy()
    frame["y"] = np.where(rng.random(rows) < good, "good", "bad").astype(object)
    if rng.random() < 0.2:
        frame.loc[rng.random(rows) < 0.03, "y"] = None
    return frame.assign(h="good", id=np.arange(rows), pay=1.0)


FAVORED = (("sex", "M"), ("race", "b"))


def _remedy(rng: np.random.Generator, kind: str) -> RemedyPlan:
    weight, gap = float(rng.choice([0.2, 1.0, 5.0])), float(rng.choice([0.02, 0.05, 0.2]))
    match kind:
        case "plain":
            return PlainPlan()
        case "relabel":
            algorithm = str(rng.choice(["risk_adjustment", "risk_flipping"]))
            return RelabelPlan(algorithm=algorithm, final_model="logistic_regression")
        case "thresholds":
            return ThresholdsPlan(fairness_weight=weight)
        case "equalize":
            return EqualizePlan(accuracy_weight=float(rng.choice([0.2, 0.5, 0.9])), max_iter=50)
        case "constrain":
            return ConstrainPlan(constraints=(f"{rng.choice(['demographic_parity', 'fpr', 'fnr'])} by sex <= {gap}",))
        case "rules":
            return RulesPlan(max_difference=gap, max_complexity=int(rng.choice([4, 8, 15])), time_limit=1)
    return TreesPlan(max_depth=2, max_difference=gap, time_limit=1)
