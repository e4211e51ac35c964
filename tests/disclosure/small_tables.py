"""Small random tables, audits of them, and all tables that agree with what an audit shows."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from fairaudit.audit.result import AuditResult
from fairaudit.audit.running import run
from fairaudit.conditions import Condition
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan


def frame_of(atoms: pd.DataFrame, counts: np.ndarray) -> pd.DataFrame:
    """Return rows: atom i occurs counts[i] times."""
    return atoms.loc[atoms.index.repeat(counts)].reset_index(drop=True)


def audit(frame: pd.DataFrame, checks: tuple[CheckPlan, ...], *, errors=(), prediction=None, minimum=4) -> AuditResult:
    plan = AuditPlan(
        data=DataPlan(source="memory.csv"),
        decision=OutcomePlan(column="y", favorable=("good",)),
        prediction=prediction,
        checks=checks,
        errors=errors,
        small_cells=SmallCellsPlan(mask=True, minimum=minimum),
        report=ReportPlan(quality=False),
    )
    return run(plan, table=frame)


def compositions(total: int, parts: int) -> np.ndarray:
    """Return every way to spread `total` rows over `parts` atoms."""
    bars = np.array(list(itertools.combinations(range(total + parts - 1), parts - 1)))
    edges = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), total + parts - 1)])
    return np.diff(edges, axis=1) - 1


def published(result: AuditResult, atoms: pd.DataFrame) -> dict[tuple, tuple[int | None, np.ndarray]]:
    """Return every count of a result with the atoms that it adds up."""
    good, bad, none = (np.array([y == value for y in atoms["y"]]) for value in ("good", "bad", None))
    found = {}

    def group(path, ratio, inside):
        found[*path, "n"] = ratio.n, inside & ~none
        found[*path, "positives"] = ratio.positives, inside & good
        negatives = None if None in (ratio.n, ratio.positives) else ratio.n - ratio.positives
        found[*path, "negatives"] = negatives, inside & bad
        found[*path, "undecided"] = ratio.undecided, inside & none

    for number, finding in enumerate(result.checks):
        population = np.ones(len(atoms), bool) if finding.plan.where is None else _mask(atoms, finding.plan.where)
        protected = _mask(atoms, finding.plan.protected) & population
        rest = _mask(atoms, f"NOT ({finding.plan.protected})") & population
        c = finding.result
        group((number, "p"), c.protected, protected)
        group((number, "r"), c.reference, rest)
        found[number, "unknown"] = c.unknown, population & ~protected & ~rest
        found[number, "undecided"] = c.undecided, (protected | rest) & none
        found[number, "population"] = c.n_population, population
        found[number, "filtered"] = c.n_filtered_out, ~population
        for i, table in enumerate(finding.groups):
            known = population & atoms[list(table.columns)].notna().all(axis=1).to_numpy()
            found[number, i, "unknown"] = table.unknown, population & ~known
            found[number, i, "undecided"] = table.undecided, known & none
            for row in table.rows:
                inside = known & _same(atoms, row.values)
                group((number, i, row.name, "own"), row.comparison.protected, inside)
                group((number, i, row.name, "rest"), row.comparison.reference, known & ~inside)
        for row in finding.strata.strata if finding.strata else ():
            inside = population & _same(atoms, row.values)
            group((number, "s", row.name, "p"), row.comparison.protected, inside & protected)
            group((number, "s", row.name, "r"), row.comparison.reference, inside & rest)
            found[number, "s", row.name, "unknown"] = row.unknown, inside & ~protected & ~rest
    for number, finding in enumerate(result.errors):
        for record in finding.errors.counts.to_dict("records"):
            inside = (atoms[finding.plan.by[0]] == record["group"]).to_numpy()
            hit = (atoms["h"] == "good").to_numpy()
            cells = {"tp": good & hit, "fp": bad & hit, "tn": bad & ~hit, "fn": good & ~hit, "unknown": none}
            for name, cell in cells.items():
                value = record[name]
                found["e", number, record["group"], name] = None if value is None else int(value), inside & cell
    return found


def agreeing(result: AuditResult, atoms: pd.DataFrame, total: int) -> tuple[np.ndarray, dict]:
    """Return every table of counts that agrees with the counts that a masked result shows.

    Where it does not show how many rows there are, tables of some rows more or fewer agree too.
    """
    counts = published(result, atoms)
    totals = [total] if result.data.n_rows is not None else range(total - 3, total + 4)
    found = []
    for rows in totals:
        tables = compositions(rows, len(atoms))
        for value, inside in counts.values():
            if value is not None:
                tables = tables[tables[:, inside].sum(axis=1) == value]
        found.append(tables)
    return np.concatenate(found), counts


WORDS = frozenset(("answer", "verdict", "warning", "sentence", "flagged", "missed"))
"""What is said of figures: where some are hidden, of those that are left."""


def _has_hidden(part):
    """Whether a comparison has a figure that is hidden, or errors a group that is."""
    if not isinstance(part, dict):
        return False
    cells = [row.get("tp", 0) for row in part.get("counts", ()) if isinstance(row, dict)]
    return part.get("difference", 0) is None or None in cells


def differences(shown, other, path=""):
    """Yield where two JSON values differ, hidden ones (null, or texts made of them) left aside."""
    if shown is None or shown == []:
        return
    if isinstance(shown, dict):
        hidden = "not_shown" in (shown.get("verdict"), shown.get("flagged")) or shown.get("reversal", 0) is None
        hidden = hidden or _has_hidden(shown.get("result")) or _has_hidden(shown.get("errors"))
        for key in shown:
            if not (key in {"fingerprint", "size_bytes"} or (hidden and key in WORDS)):
                yield from differences(shown[key], other[key], f"{path}.{key}")
    elif isinstance(shown, list):
        if len(shown) != len(other):
            yield path
        for i, (one, two) in enumerate(zip(shown, other, strict=False)):
            yield from differences(one, two, f"{path}[{i}]")
    elif shown != other:
        yield f"{path}: {shown!r} and {other!r}"


def _mask(atoms: pd.DataFrame, condition: str) -> np.ndarray:
    return Condition.parse(condition, atoms).mask(atoms)


def _same(atoms: pd.DataFrame, values) -> np.ndarray:
    inside = np.ones(len(atoms), bool)
    for column, value in values:
        inside &= (atoms[column].isna() if pd.isna(value) else atoms[column] == value).to_numpy()
    return inside
