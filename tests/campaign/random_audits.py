"""Random small tables and random plans of one to three questions, for the attack on hidden counts.

A drawn plan may be made harder: by a question inside another one, by groups in which nobody has the good outcome or all
have one amount, by forms with means, by remedies of several kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd
from spellings import spelled

from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan
from fairaudit.presets.plan import PresetPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan

VALUES = {"sex": ["F", "M"], "race": ["a", "b", "c", "d"], "area": ["u", "v", "w"]}


@dataclass(frozen=True)
class Drawn:
    """A table and a plan for it; `normal` has the normal form of conditions that the plan writes otherwise."""

    frame: pd.DataFrame
    plan: AuditPlan
    seed: int
    minimum: int = field(default=10)
    normal: Mapping[str, str] = field(default_factory=dict)


def written(case: Drawn) -> Drawn:
    """Write the conditions of a plan in many ways."""
    rng, normal = np.random.default_rng([case.seed, 4]), {}

    def otherwise(text: str | None) -> str | None:
        if text is None:
            return None
        found = spelled(text, rng)
        normal[found] = text
        return found

    plan, respelled = case.plan, partial(_respelled, otherwise)
    values = {name: tuple(map(respelled, getattr(plan, name))) for name in ("checks", "errors", "presets")}
    values["models"] = plan.models and respelled(plan.models)
    return replace(case, plan=plan.model_copy(update=values), normal=normal)


def _respelled(otherwise: Callable, part):
    names = [name for name in ("where", "protected") if name in type(part).model_fields]
    return part.model_copy(update={name: otherwise(getattr(part, name)) for name in names})


REMEDIES = (
    PlainPlan(),
    ThresholdsPlan(),
    RelabelPlan(final_model="logistic_regression"),
    ConstrainPlan(constraints=("fpr by sex <= 0.05",)),
)


AMOUNT_REMEDIES = (
    PlainPlan(model="median"),
    PlainPlan(model="linear_regression"),
    TreesPlan(max_depth=2, time_limit=1),
)


def drawn(seed: int) -> Drawn:
    """Draw a table and a plan, make them harder, and write conditions in many ways."""
    return written(_harder(simply_drawn(seed)))


def drawn_on_tariff(seed: int) -> Drawn:
    """Draw a table and a plan, make them harder, and ask about an amount that is one of a few known ones."""
    case = _harder(simply_drawn(seed))
    rng, plan = np.random.default_rng([seed, 5]), case.plan
    n = int(rng.integers(3, 6))
    steps = rng.choice(np.arange(2, 30), n, replace=False) if rng.random() < 0.6 else np.arange(2, 2 + n)
    values = np.sort(steps) * float(rng.choice([1, 500, 0.25]))
    shares = rng.dirichlet(np.full(n, rng.choice([0.3, 1.0, 5.0])))
    pay = rng.choice(values, len(case.frame), p=shares)
    known = case.frame["pay"].notna().to_numpy()
    values = {"decision": OutcomePlan(column="pay", amount=True), "prediction": None, "errors": ()}
    values["presets"] = tuple(form for form in plan.presets if form.preset == "fair_lending")
    values["models"], values["remedies"] = None, ()
    if rng.random() < 0.1:
        values["models"] = ModelsPlan(features=("area", "race"), protected=plan.checks[0].protected)
        values["remedies"] = (PlainPlan(model="median"),)
    frame = case.frame.assign(pay=np.where(known, pay, np.nan))
    return written(replace(case, frame=frame, plan=plan.model_copy(update=values)))


def drawn_with_common_gap(seed: int) -> Drawn:
    """Draw a table in which few of some strata have the good outcome, and a plan with these strata; make it harder."""
    rng = np.random.default_rng([seed, 6])
    minimum = int(rng.choice([4, 6, 10]))
    rows = int(minimum * rng.choice([40, 80, 160]))
    strata = str(rng.choice(["race", "area"]))
    shares = {"sex": rng.dirichlet(np.full(2, 40.0))}
    shares |= {name: rng.dirichlet(np.full(len(VALUES[name]), 8.0)) for name in ("race", "area")}
    if rng.random() < 0.4:
        # Few people in a stratum, or in two of them.
        rare = np.append(rng.integers(1, 3 * minimum, int(rng.integers(1, 3))) / rows, 0)
        shares[strata] = np.append(rare, shares[strata][len(rare) :] + 0.2)[: len(VALUES[strata])]
        shares[strata] /= shares[strata].sum()
    frame = pd.DataFrame(
        {name: rng.choice(np.array(VALUES[name], dtype=object), rows, p=share) for name, share in shares.items()}
    )
    good = rng.random(rows) < 0.4 + 0.2 * rng.random() * (frame["sex"] == "M").to_numpy()
    for value in rng.permutation(VALUES[strata])[: int(rng.integers(1, 3))]:
        few = (frame[strata] == value).to_numpy() & ((frame["sex"] == "F").to_numpy() | (rng.random() < 0.5))
        good[few] = np.arange(few.sum()) < rng.integers(0, minimum)
    frame = frame.assign(y=np.where(good, "good", "bad").astype(object), id=np.arange(rows))
    right = rng.random(rows) < 0.8
    frame["h"] = np.where(right == good, "good", "bad").astype(object)
    frame["pay"] = np.round(np.exp(rng.normal(8, 0.5, rows)), 2)
    other = str(rng.choice([name for name in ("race", "area") if name != strata]))
    crossed = (strata, other) if rng.random() < 0.2 else (strata,)
    compare = ((strata,), (other,), ("sex", strata))
    check = CheckPlan(
        protected="sex = 'F'" if rng.random() < 0.7 else f"sex = 'F' AND {other} = '{VALUES[other][0]}'",
        where=_filter(rng, frame) if rng.random() < 0.4 else None,
        compare=tuple(part for part in compare if rng.random() < 0.25),
        strata=crossed,
    )
    checks = (check,) if rng.random() < 0.5 else (check, _check(rng, frame, amount=False))
    predicted = rng.random() < 0.2
    plan = AuditPlan(
        data=DataPlan(source="memory.csv"),
        decision=OutcomePlan(column="y", favorable=("good",)),
        prediction=OutcomePlan(column="h", favorable=("good",)) if predicted else None,
        checks=checks,
        errors=(_errors(rng, frame),) if predicted else (),
        presets=(_form(rng, frame),) if rng.random() < 0.2 else (),
        small_cells=SmallCellsPlan(mask=True, minimum=minimum),
        report=ReportPlan(quality=False),
    )
    case = Drawn(frame, plan, seed, minimum)
    return written(_harder(case) if rng.random() < 0.5 else case)


def drawn_in_bands(seed: int) -> Drawn:
    """Draw a table and a plan, make them harder, and cut a column of numbers into bands as strata."""
    case = _harder(simply_drawn(seed))
    rng = np.random.default_rng([seed, 2])
    age = rng.integers(18, 70, len(case.frame)).astype(float) + 8 * (case.frame["sex"] == "F").to_numpy()
    age[rng.random(len(age)) < rng.choice([0.0, 0.02])] = np.nan
    checks = [check.model_copy(update=_bands(rng, check)) for check in case.plan.checks]
    if len(checks) < 3:
        checks.append(checks[0].model_copy(update={**_bands(rng, checks[0]), "compare": ()}))
    plan = case.plan.model_copy(update={"checks": tuple(checks)})
    return written(replace(case, frame=case.frame.assign(age=age), plan=plan))


def _bands(rng: np.random.Generator, check: CheckPlan) -> dict[str, object]:
    """Return strata with bands of age for a check, which may look at some of these ages alone."""
    cuts = tuple(sorted(rng.choice(np.arange(20, 76), int(rng.integers(1, 4)), replace=False).tolist()))
    strata = ("age",) if rng.random() < 0.6 else ("age", str(rng.choice(["race", "area"])))
    where = f"age >= {cuts[0] + int(rng.integers(0, 2))}" if rng.random() < 0.3 else check.where
    return {"strata": strata, "strata_cuts": {"age": cuts}, "where": where}


def simply_drawn(seed: int) -> Drawn:
    """Draw a table and a plan."""
    rng = np.random.default_rng(seed)
    minimum = int(rng.choice([4, 6, 10]))
    amount = rng.random() < 0.25
    frame = _table(rng, minimum)
    checks = tuple(_check(rng, frame, amount) for _ in range(rng.integers(1, 4)))
    errors, prediction, presets = (), None, ()
    if not amount and rng.random() < 0.5:
        prediction = OutcomePlan(column="h", favorable=("good",))
        errors = tuple(_errors(rng, frame) for _ in range(rng.integers(1, 4)))
    if not amount and rng.random() < 0.2:
        presets = tuple(_form(rng, frame) for _ in range(rng.integers(1, 3)))
    if errors and rng.random() < 0.3:
        checks = checks[:1]
    remedies = not amount and rng.random() < 0.1
    decision = OutcomePlan(column="pay", amount=True) if amount else OutcomePlan(column="y", favorable=("good",))
    plan = AuditPlan(
        data=DataPlan(source="memory.csv"),
        decision=decision,
        prediction=prediction,
        checks=checks,
        errors=errors,
        presets=presets,
        models=ModelsPlan(features=("area", "race"), protected=checks[0].protected) if remedies else None,
        remedies=(PlainPlan(),) if remedies else (),
        small_cells=SmallCellsPlan(mask=True, minimum=minimum),
        report=ReportPlan(quality=False),
    )
    return Drawn(frame, plan, seed, minimum)


def _harder(case: Drawn) -> Drawn:
    rng = np.random.default_rng([case.seed, 1])
    frame, plan = case.frame.copy(), case.plan
    values: dict[str, object] = {}
    column = str(rng.choice(["race", "area"]))
    value = str(rng.choice(sorted(frame[column].dropna().unique())))
    here = (frame[column] == value).to_numpy() & ((frame["sex"] == "F").to_numpy() | (rng.random() < 0.5))
    if rng.random() < 0.4:
        frame.loc[here & frame["y"].notna(), "y"] = str(rng.choice(["good", "bad"]))
    if rng.random() < 0.6 and len(plan.checks) < 3:
        inner = plan.checks[0].model_copy(update={"where": f"{column} <> '{value}'"})
        values["checks"] = (*plan.checks, inner)
    if rng.random() < 0.5 and here.any():
        frame.loc[here, "pay"] = _pay_of_few(rng, frame.loc[here, "pay"].to_numpy())
    if plan.decision.amount and rng.random() < 0.3:
        checks = values.get("checks", plan.checks)
        values["checks"] = tuple(check.model_copy(update={"similar_by": ("area",)}) for check in checks)
    if rng.random() < 0.25:
        columns = {"sex": ("sex",), "race": ("race",), "amounts": ("pay",)}
        wheres = (_filter(rng, frame), f"{column} <> '{value}'")[: int(rng.integers(1, 3))]
        forms = tuple(PresetPlan(preset="fair_lending", columns=columns, where=where) for where in wheres)
        values["presets"] = (*plan.presets, *forms)
    if not plan.decision.amount and (plan.remedies or rng.random() < 0.05):
        by = ("race",) if rng.random() < 0.5 else ()
        values["models"] = ModelsPlan(features=("area", "race"), protected=plan.checks[0].protected, by=by)
        values["remedies"] = (REMEDIES[int(rng.integers(len(REMEDIES)))],)
    if plan.decision.amount and rng.random() < 0.4:
        values["models"] = ModelsPlan(features=("area", "race"), protected=plan.checks[0].protected)
        values["remedies"] = tuple(each for each in AMOUNT_REMEDIES if rng.random() < 0.6) or AMOUNT_REMEDIES[:1]
    return replace(case, frame=frame, plan=plan.model_copy(update=values))


def _pay_of_few(rng: np.random.Generator, pay: np.ndarray) -> np.ndarray:
    """Return amounts that say what few people have: all the same, one who has most, few who have any."""
    draw = rng.random()
    if draw < 0.4:
        return np.full(len(pay), 3_000.0)
    if draw < 0.7:
        first = np.arange(len(pay)) == 0
        return np.where(first, np.nansum(pay) * rng.choice([1.5, 4.0]) + 1, pay).round(2)
    return np.where(np.arange(len(pay)) < rng.integers(1, 4), 5_000.0, 0.0)


def _table(rng: np.random.Generator, minimum: int) -> pd.DataFrame:
    rows = int(minimum * rng.choice([6, 10, 20, 40, 80]))
    columns = {}
    for name, values in VALUES.items():
        many = int(rng.integers(2, len(values) + 1))
        shares = rng.dirichlet(np.full(many, rng.choice([0.7, 2.0, 8.0])))
        drawn_values = rng.choice(np.array(values[:many], dtype=object), rows, p=shares)
        if rng.random() < 0.35:
            drawn_values[rng.random(rows) < rng.choice([0.01, 0.05, 0.2])] = None
        columns[name] = drawn_values
    frame = pd.DataFrame(columns)
    good = rng.random(rows) < 0.3 + 0.4 * (frame["sex"] == "M") * rng.random()
    frame["y"] = np.where(good, "good", "bad").astype(object)
    if rng.random() < 0.3:
        frame.loc[rng.random(rows) < rng.choice([0.01, 0.05]), "y"] = None
    right = rng.random(rows) < rng.choice([0.6, 0.9])
    frame["h"] = np.where(right == good, "good", "bad").astype(object)
    if rng.random() < 0.2:
        frame.loc[rng.random(rows) < 0.03, "h"] = None
    frame["id"] = np.arange(rows)
    frame["pay"] = np.round(np.exp(rng.normal(8, rng.choice([0.1, 0.5, 1.0]), rows)), 2)
    if rng.random() < 0.2:
        frame.loc[rng.random(rows) < 0.03, "pay"] = None
    return frame


def _columns(rng: np.random.Generator, most: int) -> tuple[str, ...]:
    return tuple(rng.permutation(list(VALUES))[: int(rng.integers(1, most + 1))].tolist())


def _condition(rng: np.random.Generator, frame: pd.DataFrame) -> str:
    column = str(rng.choice(list(VALUES)))
    values = sorted(frame[column].dropna().unique())
    value = str(rng.choice(values))
    draw = rng.random()
    if draw < 0.6:
        return f"{column} = '{value}'"
    if draw < 0.75:
        return f"{column} <> '{value}'"
    other = str(rng.choice([name for name in VALUES if name != column]))
    second = str(rng.choice(sorted(frame[other].dropna().unique())))
    return f"{column} = '{value}' {'AND' if draw < 0.9 else 'OR'} {other} = '{second}'"


def _filter(rng: np.random.Generator, frame: pd.DataFrame) -> str | None:
    draw = rng.random()
    if draw < 0.55:
        return None
    if draw < 0.75:
        return f"id <> {int(rng.integers(len(frame)))}"
    if draw < 0.85:
        return f"id >= {int(rng.integers(1, 12))}"
    return _condition(rng, frame)


def _check(rng: np.random.Generator, frame: pd.DataFrame, amount: bool) -> CheckPlan:
    compare = tuple({_columns(rng, 2): None for _ in range(rng.integers(0, 3))})
    strata = _columns(rng, 2) if rng.random() < 0.5 else ()
    options = {"amount_tolerance": 50.0} if amount and rng.random() < 0.5 else {}
    return CheckPlan(
        protected=_condition(rng, frame), where=_filter(rng, frame), compare=compare, strata=strata, **options
    )


def _errors(rng: np.random.Generator, frame: pd.DataFrame) -> ErrorsPlan:
    positive = str(rng.choice(["favorable", "unfavorable"]))
    return ErrorsPlan(by=_columns(rng, 2), where=_filter(rng, frame), positive=positive)


def _form(rng: np.random.Generator, frame: pd.DataFrame) -> PresetPlan:
    preset = str(rng.choice(["nyc144", "eeoc_uniform_guidelines"]))
    return PresetPlan(preset=preset, columns={"sex": ("sex",), "race": ("race",)}, where=_filter(rng, frame))
