"""Random plans with keys dropped, types changed and settings that contradict each other: a result, or one sentence.

``python -m tests.campaign.mutated_plans --cases 2000 --seed 0`` opens so many, and runs those that open on small random
tables, with the JSON and the tables that a report is made of.
"""

from __future__ import annotations

import copy
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import tomli_w

from fairaudit.audit.running import iter_run
from fairaudit.data import Table
from fairaudit.disclosure.gate import exported
from fairaudit.errors import FairauditError
from fairaudit.events import STOP, Finished
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json
from tests.campaign import mutations
from tests.campaign.cases import Try, is_a_sentence, main
from tests.campaign.random_audits import drawn

PATIENCE_S = 5.0
"""Seconds after which a case asks remedies to stop, as a person would whose plan asks for too much."""

REMEDIES: tuple[dict[str, Any], ...] = (
    {"method": "plain", "model": "decision_tree"},
    {"method": "relabel"},
    {"method": "thresholds"},
    {"method": "equalize"},
    {"method": "constrain", "constraints": ["demographic_parity by sex <= 0.05"]},
    {"method": "rules", "time_limit": 1.0},
    {"method": "trees", "max_depth": 2, "time_limit": 1.0},
)
WORDS = (
    "", " ", "sex", "race", "area", "y", "h", "id", "pay", "none such", "good", "bad", "\0", "a\0b", "\u202e",
    "x" * 3_000,
    "sex = 'F'", "sex = 'F", "NOT", "((((", "(" * 2_000 + "sex = 'F'" + ")" * 2_000, "sex = sex", "1 = 1", "1 = 0",
    "pay / 0 > 1", "pay * 1e308 * 1e308 > 1", "id > 9223372036854775808", "sex IN ()", "sex LIKE '%'", "sex IS NULL",
    "extract(year from sex) = 1", "y = 'good'", "sex < 5", "id BETWEEN 5 AND 1", "lower(race) = 'a' OR NOT sex = 'M'",
    "id % 0 = 1", "DROP TABLE data", "sex = 'F' -- x", "favorable", "unfavorable", "plain", "nyc144", "score", "exact",
    "fpr by sex <= 0.1", "fnr by none <= 0.1", "../x.toml", "nan", "1e400", "2026-02-30", "logistic_regression",
)  # fmt: skip
VALUES = (
    0, 1, -1, 2, 7, 10**6, 2**63 - 1, -(2**63), 10**30, 0.0, -0.0, 0.5, 1.0, 1.5, 1e308, 5e-324, float("nan"),
    float("inf"), True, False, [], [[]], {}, [1, "a"], [["sex"]], [["sex", "sex"]], ["sex", "race", "area", "h"],
    {"sex": "sex"}, {"a": {"b": {"c": 1}}},
)  # fmt: skip
NAMES = ("where", "strata", "strata_cuts", "compare", "reference", "min_count", "tolerance", "confidence", "cluster",
         "similar_by", "amount_tolerance", "protected", "cut", "seed", "by", "positive", "features", "divisions",
         "n_components", "sample_rows", "cost_false_positive", "title", "favorable_when", "higher_is_favorable",
         "none_such", "model", "final_model", "search", "max_depth", "fairness_weight", "rules", "constraint",
         "max_difference", "unknown", "known", "references", "leave_out_small", "time_limit", "scale",
         "thresholds")  # fmt: skip


def places(values: Any) -> Iterator[tuple[Any, Any]]:
    """Go through everything that holds something, with the key of what it holds."""
    for key in list(values) if isinstance(values, dict) else range(len(values)):
        yield values, key
        if isinstance(values[key], (dict, list)):
            yield from places(values[key])


def other(value: Any, rng: Random) -> Any:
    """Return something in the place of a value, most often of its type."""
    if isinstance(value, str) and rng.random() < 0.7:
        return rng.choice(WORDS)
    if isinstance(value, (int, float)) and rng.random() < 0.7:
        return rng.choice([v for v in VALUES if isinstance(v, (int, float))])
    if isinstance(value, list) and rng.random() < 0.5:
        return [*value, *value[:1], rng.choice(WORDS)]
    return rng.choice([*WORDS, *map(copy.deepcopy, VALUES)])


def change(values: dict[str, Any], rng: Random) -> None:
    """Change one thing in a plan."""
    found = list(places(values))
    inside, key = rng.choice(found)
    match rng.randrange(6):
        case 0:
            del inside[key]
        case 1 | 2:
            inside[key] = other(inside[key], rng)
        case 3:
            tables = [values, *(table[name] for table, name in found if isinstance(table[name], dict))]
            table = rng.choice(tables)
            table[rng.choice(NAMES)] = rng.choice([*WORDS, *map(copy.deepcopy, VALUES)])
        case 4:
            inside[key] = copy.deepcopy(rng.choice(found)[0])
        case _:
            lists = [table[name] for table, name in found if isinstance(table[name], list) and table[name]]
            if lists:
                chosen = rng.choice(lists)
                chosen.append(copy.deepcopy(rng.choice(chosen)))


def attempt(rng: Random, folder: Path) -> str:
    """Open a changed plan; where it opens, run it."""
    made = drawn(rng.randrange(400))
    values = tomllib.loads(made.plan.to_toml())
    if rng.random() < 0.3 and "amount" not in values["decision"]:
        values["models"] = {"features": ["area", "race"], "protected": values["checks"][0]["protected"]}
        values["remedies"] = [dict(rng.choice(REMEDIES)) for _ in range(rng.choice([1, 1, 2]))]
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        change(values, rng)
    content = tomli_w.dumps(values).encode()
    if rng.random() < 0.15:
        content = rng.choice((mutations.toml, mutations.flip, mutations.cut))(content, rng)
    path = folder / "plan.toml"
    path.write_bytes(content)
    plan = AuditPlan.load(path)
    assert AuditPlan.from_toml(plan.to_toml()) == plan
    try:
        run(plan, Table.from_pandas(made.frame), folder)
    except FairauditError as error:
        if not is_a_sentence(error):
            raise
        return "opened and refused when run"
    return "run"


def run(plan: AuditPlan, table: Table, folder: Path) -> None:
    """Run a plan, and make what is exported of it but the pages."""
    began, command = time.monotonic(), None
    events = iter_run(plan, table=table, base=folder, ignore_fingerprint=True)
    while True:
        event = events.send(command)
        if isinstance(event, Finished):
            break
        command = STOP if time.monotonic() - began > PATIENCE_S else None
    shown = exported(event.result)
    to_json(shown)
    to_csv_bundle(shown)


KINDS: dict[str, Try] = {"plans": attempt}

if __name__ == "__main__":
    main("tests.campaign.mutated_plans", KINDS, cases=2_000)
