"""An attack on hidden counts: every table of people that agrees with an export, found by integer programs.

The attacker reads the numbers of the JSON, knows the plan, the values of each column and which groups occur, and tries
to work out what is hidden. The numbers of tables, PDF, charts and SQL are compared with those of the JSON. Nothing here
uses the code that hides.

``PYTHONPATH=.:tests/support python tests/campaign/attack.py --seeds 0 2000`` prints what leaks and how much is hidden,
and with ``--out FILE`` a line of JSON for each plan.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import re
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pypdf import PdfReader
from random_audits import Drawn, drawn, drawn_in_bands, drawn_on_tariff, drawn_with_common_gap
from scipy.linalg import qr
from scipy.optimize import Bounds, LinearConstraint, milp

from fairaudit.audit.result import AuditResult
from fairaudit.audit.running import run
from fairaudit.errors import FairauditError
from fairaudit.measure.detectable import detectable_gap
from fairaudit.measure.strata import common_difference
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import to_pdf
from tests.support.whole_report import whole_report

NODES = 300
NODE_LIMIT = 1
MOST_TARGETS = 1_500
ROUNDS = 12
"""Programs that look for tables in which many targets are far from the true ones."""
TRIES = 6
"""So many tables are looked at for each value that a count may have beside the interval of a common gap."""
MORE_TRIES = 200
"""The same where there are too many tables to look at all."""
MOST_TABLES = 20_000_000
"""At most so many tables are looked at where all are, as few numbers decide all others."""
CHUNK = 500_000
NEAR = 3
"""In these programs no count of a class is further from the true one than so many times the minimum."""
READ = 20
"""Of one plan in so many the tables, the PDF, the descriptions of charts and the SQL are read."""

ANY = 1_000_000_000
"""No limit on how many there are."""

ALL_HIDDEN = 1_000_000
"""Under this minimum all counts are hidden."""

AMONG = {
    **dict.fromkeys(("tpr", "fnr"), ("tp", "fn")),
    **dict.fromkeys(("fpr", "tnr"), ("fp", "tn")),
    **dict.fromkeys(("ppv", "fdr"), ("tp", "fp")),
    **dict.fromkeys(("npv", "for_"), ("tn", "fn")),
}
"""Which cells a rate is a share of, if not of all."""

MOST_KNOWN = 5
"""So many amounts of a group the attacker knows."""

STEPS = (0.02, 0.01, 0.005, 0.002, 0.001)
"""In what steps common gaps are rounded where counts of their strata are hidden."""

LARGE = 3
"""A main comparison whose counts are all so many times the minimum should be shown."""


@dataclass(frozen=True)
class Figure:
    """A count of people: where it stands, whom it counts (one boolean an atom), and its value; None if hidden.

    Of cells that have nobody in common, `table` names the table. Of those who have an outcome, `of` are all who may.
    """

    path: tuple[Any, ...]
    inside: np.ndarray
    value: int | None
    table: tuple[Any, ...] | None = None
    of: np.ndarray | None = None


@dataclass
class Leaks:
    """What an attack found out about one audit."""

    seed: int
    shown: int = 0
    hidden: int = 0
    exact: list[str] = field(default_factory=list)
    narrow: list[str] = field(default_factory=list)
    amounts: list[str] = field(default_factory=list)
    open: int = 0
    common: int = 0
    """Common gaps of strata that are shown with all numbers of people."""
    common_hidden: int = 0
    """Of these, those beside hidden outcomes in strata."""
    common_sizes: int = 0
    """Common gaps that are shown beside hidden numbers of people, so that they are no sums."""
    large: int = 0
    large_hidden: int = 0
    texts: list[int] | None = None
    """Hidden counts that stand in a text; None where none was read."""
    crashed: str | None = None

    @property
    def found(self) -> bool:
        return bool(self.texts or self.exact or self.narrow or self.amounts or self.crashed)


@dataclass(frozen=True)
class Common:
    """A common gap with its interval: of good outcomes and of all people, on both sides of each stratum."""

    cells: np.ndarray
    confidence: float
    said: list[float]

    def of_classes(self, first: np.ndarray) -> Common:
        """Return the same, of classes of atoms; `first` has an atom of each."""
        return replace(self, cells=self.cells[:, first].astype(float))

    def are_near(self, tables: np.ndarray) -> np.ndarray:
        """Say which tables, one a row, have this common gap, whatever its interval; quick, as it is for many."""
        a, n1, b, n0 = np.moveaxis((tables @ self.cells.T).reshape(len(tables), -1, 4), 2, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            gaps = ((a * n0 - b * n1) / (n1 + n0)).sum(axis=1) / (n1 * n0 / (n1 + n0)).sum(axis=1)
        return np.abs(gaps - self.said[0]) <= coarseness(self.said) + 1e-6

    def agrees(self, counts: np.ndarray) -> bool:
        """Say whether so many people of each class have this common gap and this interval."""
        found, (low, high) = common_difference((self.cells @ counts).reshape(-1, 4), self.confidence)
        off = coarseness(self.said) + 1e-9
        return all(abs(one - other) <= off for one, other in zip((found, high, low), self.said, strict=True))


def coarseness(said: list[float]) -> float:
    """Return half of the step that all of these are rounded to; 0 if they are not."""
    return next((s for s in STEPS if all(abs(each - round(each / s) * s) < 1e-9 for each in said)), 0.0) / 2


# What the attacker makes of a condition: three-valued, on texts and whole numbers.
LEAF = re.compile(r"(\w+) (=|<>|>=) (?:'(\w+)'|(\d+))")


def truth(condition: str | None, atoms: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return where a condition is true, and where it is false."""
    if condition is None:
        return np.ones(len(atoms), bool), np.zeros(len(atoms), bool)
    for word in (" AND ", " OR "):
        if word in condition:
            (t1, f1), (t2, f2) = (truth(part, atoms) for part in condition.split(word))
            return (t1 & t2, f1 | f2) if word == " AND " else (t1 | t2, f1 & f2)
    name, sign, text, number = LEAF.fullmatch(condition).groups()
    known = atoms[name].notna().to_numpy()
    if sign == ">=":
        met = (atoms[name] >= int(number)).to_numpy()
    else:
        met = (atoms[name] == (text if text is not None else int(number))).to_numpy() == (sign == "=")
    return met & known, ~met & known


def band(number: float, cuts: tuple[float, ...]) -> str | None:
    """Return what the attacker calls the band that a number is in."""
    if np.isnan(number):
        return None
    place = sum(number >= cut for cut in cuts)
    if place == 0:
        return f"age under {cuts[0]}"
    return f"age {cuts[place - 1]} " + ("and over" if place == len(cuts) else f"to under {cuts[place]}")


class Attacker:
    """What an attacker knows before reading: the columns, the plan, which combinations of attributes occur."""

    def __init__(self, case: Drawn):
        frame, self.plan, self.normal = case.frame, case.plan, case.normal
        self.conditions = [text for check in self.plan.checks for text in (check.protected, check.where)]
        self.conditions += [part.where for part in (*self.plan.errors, *self.plan.presets)]
        self.conditions += [self.plan.models.where] if self.plan.models else []
        self.conditions = [self.normal.get(text, text) for text in self.conditions]
        wheres = {text for text in self.conditions if text and text.startswith(("id ", "age "))}
        people = frame.assign(**{text: truth(text, frame)[0] for text in wheres})
        cut = {cuts for check in self.plan.checks for cuts in check.strata_cuts.values()}
        people = people.assign(**{str(list(cuts)): [band(age, cuts) for age in frame["age"]] for cuts in cut})
        who = ["sex", "race", "area", *sorted(wheres), *sorted(str(list(cuts)) for cuts in cut)]
        outcome = [] if self.plan.decision.amount else ["y", "h"] if self.plan.prediction else ["y"]
        if self.plan.decision.amount or any("amounts" in form.columns for form in self.plan.presets):
            outcome.append("pay?")
        people = people.assign(**{"pay?": frame["pay"].notna()})
        people[who + outcome] = people[who + outcome].astype(object).where(people[who + outcome].notna(), None)
        counted = people.groupby(who + outcome, dropna=False, sort=False).size()
        groups = list(dict.fromkeys(map(tuple, people[who].itertuples(index=False, name=None))))
        # That there are two outcomes is known, that one of them occurs is not.
        both = {"y": ("good", "bad"), "h": ("good", "bad")}
        states = list(itertools.product(*(dict.fromkeys((*both.get(name, ()), *people[name])) for name in outcome)))
        self.atoms = pd.DataFrame(
            [(*group, *state) for group in groups for state in states], columns=who + outcome, dtype=object
        )
        found = {tuple(None if pd.isna(v) else v for v in _tuple(key)): n for key, n in counted.items()}
        self.counts = np.array([found.get(tuple(row), 0) for row in self.atoms.itertuples(index=False, name=None)])
        self.people = people
        places = {key: place for place, key in enumerate(self.atoms.itertuples(index=False, name=None))}
        self.place = np.array([places[key] for key in people[who + outcome].itertuples(index=False, name=None)])

    def truth(self, condition: str | None) -> tuple[np.ndarray, np.ndarray]:
        condition = self.normal.get(condition, condition)
        if condition in self.atoms.columns:
            met = self.atoms[condition].astype(bool).to_numpy()
            return met, ~met
        return truth(condition, self.atoms)

    def group(self, values: list[list[Any]], plan: dict[str, Any] | None = None) -> np.ndarray:
        inside, cuts = np.ones(len(self.atoms), bool), (plan or {}).get("strata_cuts", {})
        for name, value in values:
            column = str(cuts[name]) if name in cuts else name
            inside &= (self.atoms[column].isna() if value is None else self.atoms[column] == value).to_numpy()
        return inside

    def known(self, columns: list[str]) -> np.ndarray:
        return self.atoms[list(columns)].notna().all(axis=1).to_numpy()

    def decided(self) -> np.ndarray:
        if self.plan.decision.amount:
            return self.atoms["pay?"].astype(bool).to_numpy()
        return self.atoms["y"].notna().to_numpy()

    def good(self) -> np.ndarray:
        return (self.atoms["y"] == "good").to_numpy() if "y" in self.atoms else np.zeros(len(self.atoms), bool)

    def figures(self, document: dict[str, Any]) -> Iterator[Figure]:
        """Yield every count of a JSON export."""
        everyone = np.ones(len(self.atoms), bool)
        yield Figure(("rows",), everyone, document["data"]["n_rows"])
        yield Figure(("plan rows",), everyone, document["plan"]["data"].get("n_rows", document["data"]["n_rows"]))
        for number, check in enumerate((*document["checks"], *document["amounts"])):
            yield from self._check(check, number)
        for number, errors in enumerate(document["errors"]):
            yield from self._errors(errors, number)
        for number, form in enumerate(document["presets"]):
            yield from self._form(form, number)

    def _side(
        self, path: tuple, side: dict[str, Any], inside: np.ndarray, table: tuple | None = None
    ) -> Iterator[Figure]:
        decided = self.decided()
        yield Figure((*path, "n"), inside & decided, side["n"], table)
        yield Figure((*path, "undecided"), inside & ~decided, side["undecided"])
        if not self.plan.decision.amount:
            good = self.good()
            both, of = (side["n"], side["positives"]), inside & decided
            yield Figure((*path, "good"), inside & good, side["positives"], table, of)
            yield Figure((*path, "bad"), of & ~good, None if None in both else both[0] - both[1], table, of)
            if side["positives"] is None and side["ratio"] is not None:
                yield Figure((*path, "good by rate"), inside & good, round(side["ratio"] * (side["n"] or 0)))
        elif side["mean"] is not None and side["n"] is None:
            yield Figure((*path, "mean without its number"), inside, -1)

    def _whole(
        self, path: tuple, result: dict[str, Any], where: np.ndarray, protected: np.ndarray, rest: np.ndarray
    ) -> Iterator[Figure]:
        yield from self._side((*path, "p"), result["protected"], where & protected)
        yield from self._side((*path, "r"), result["reference"], where & rest)
        yield Figure((*path, "unknown"), where & ~protected & ~rest, result["unknown"])
        yield Figure((*path, "undecided"), where & (protected | rest) & ~self.decided(), result["undecided"])
        yield Figure((*path, "population"), where, result["n_population"])
        yield Figure((*path, "filtered"), ~where, result["n_filtered_out"])

    def _check(self, check: dict[str, Any], number: int) -> Iterator[Figure]:
        path = ("check", number)
        where, _ = self.truth(check["plan"].get("where"))
        protected, rest = self.truth(check["plan"]["protected"])
        yield from self._whole(path, check["result"], where, protected, rest)
        if check["strata"]:
            yield from self._whole((*path, "pooled"), check["strata"]["pooled"], where, protected, rest)
        if check["detectable"]:
            for side, who in (("n_protected", protected), ("n_reference", rest)):
                yield Figure((*path, side), where & who & self.decided(), check["detectable"][side])
        for i, table in enumerate(check["groups"]):
            known = where & self.known(table["columns"])
            yield Figure((*path, "groups", i, "unknown"), where & ~known, table["unknown"])
            yield Figure((*path, "groups", i, "undecided"), known & ~self.decided(), table["undecided"])
            for row in table["rows"]:
                inside = known & self.group(row["values"])
                name = (*path, "groups", i, str(row["values"]))
                yield from self._side((*name, "own"), row["comparison"]["protected"], inside, (*path, i))
                yield from self._side((*name, "rest"), row["comparison"]["reference"], known & ~inside)
        for row in check["strata"]["strata"] if check["strata"] else ():
            inside = where & self.group(row["values"], check["plan"])
            name = (*path, "strata", str(row["values"]))
            for side, who, table in (("protected", protected, "p"), ("reference", rest, "r")):
                whole = (*path, "strata", table)
                yield from self._side((*name, table), row["comparison"][side], inside & who, whole)
            yield Figure((*name, "unknown"), inside & ~protected & ~rest, row["unknown"])

    def _errors(self, finding: dict[str, Any], number: int) -> Iterator[Figure]:
        plan, errors = finding["plan"], finding["errors"]
        where, _ = self.truth(plan.get("where"))
        positive = "good" if plan.get("positive", "favorable") == "favorable" else "bad"
        y, h = (self.atoms[name] for name in ("y", "h"))
        known = (y.notna() & h.notna()).to_numpy()
        really, said = (y == positive).to_numpy(), (h == positive).to_numpy()
        cells = {"tp": really & said, "fp": ~really & said, "tn": ~really & ~said, "fn": really & ~said}
        names = [", ".join("missing" if v is None else v for v in row) for row in self._rows(plan["by"])]
        for record in errors["counts"]:
            inside = where & (np.array(names) == record["group"])
            for cell, which in cells.items():
                path, of = ("errors", number, record["group"], cell), inside & known
                yield Figure(path, of & which, record[cell], ("errors", number), of)
            yield Figure(("errors", number, record["group"], "unknown"), inside & ~known, record["unknown"])
        for record in errors["metrics"]:
            inside = where & (np.array(names) == record["group"])
            yield Figure(("errors", number, record["group"], "n"), inside & known, record["n"], ("errors", number))
        for record in errors["intervals"]:
            inside = where & (np.array(names) == record["group"]) & known
            among = np.logical_or.reduce([cells[cell] for cell in AMONG.get(record["metric"], cells)])
            # Hidden for its rate, it may well stand elsewhere.
            if record["n"] is not None:
                yield Figure(("errors", number, record["group"], record["metric"], "of"), inside & among, record["n"])

    def _form(self, form: dict[str, Any], number: int) -> Iterator[Figure]:
        where, _ = self.truth(form["plan"].get("where"))
        decided, good = self.decided(), self.good()
        path = ("form", number)
        yield Figure((*path, "population"), where, form["n_population"])
        if form["rates"]:
            yield Figure((*path, "undecided"), where & ~decided, form["undecided"])
        used = sorted({column for rates in form["rates"] for column in rates["columns"]})
        complete = self.known(used) if form["key"] == "nyc144" else None
        for i, rates in enumerate(form["rates"]):
            known = self.known(rates["columns"]) if complete is None else complete
            inside = where & decided & known
            yield Figure((*path, i, "n"), inside, rates["n"])
            yield Figure((*path, i, "unknown"), where & decided & ~known, rates["unknown"])
            for row in rates["rows"]:
                cell = inside & self.group(row["values"])
                group, name = row["group"], (*path, i, str(row["values"]))
                table = (*path, i)
                yield Figure((*name, "n"), cell, group["n"], table)
                yield Figure((*name, "good"), cell & good, group["positives"], table, cell)
                both = (group["n"], group["positives"])
                bad = None if None in both else both[0] - both[1]
                yield Figure((*name, "bad"), cell & ~good, bad, table, cell)
                if group["n"] and row["share"]:
                    yield Figure((*path, i, "n by share"), inside, round(group["n"] / row["share"]))
        for i, means in enumerate(form["means"]):
            there = self.atoms["pay?"].astype(bool).to_numpy()
            known, name = self.known(means["columns"]), (*path, "means", i)
            yield Figure((*name, "n"), where & there & known, means["n"])
            yield Figure((*name, "unknown"), where & there & ~known, means["unknown"])
            yield Figure((*name, "missing"), where & known & ~there, means["missing"])
            for row in means["rows"]:
                inside = where & there & known & self.group(row["values"])
                yield Figure((*name, str(row["values"]), "n"), inside, row["n"], name)

    def limits(self, document: dict[str, Any]) -> Iterator[tuple[np.ndarray, int, int]]:
        """Yield how many there are of whom, at least and at most.

        A stratum that is compared has somebody on both sides; one in five of each group and outcome is held out.
        """
        for check in (*document["checks"], *document["amounts"]):
            where, _ = self.truth(check["plan"].get("where"))
            for row in check["strata"]["strata"] if check["strata"] else ():
                for side in self.truth(check["plan"]["protected"]):
                    yield where & side & self.group(row["values"], check["plan"]) & self.decided(), 1, ANY
        if not document["remedies"]:
            return
        facts, good = document["remedies"]["facts"], self.good()
        sides, by = self.truth(self.plan.models.protected), list(self.plan.models.by)
        apart = np.array([str(row) for row in zip(*sides, self._rows(by), strict=True)])
        counted = []
        for side, inside in zip(("protected", "reference"), sides, strict=True):
            group = facts["decisions"][side]
            if group["positives"] is not None:
                counted += [(inside & good, group["positives"]), (inside & ~good, group["n"] - group["positives"])]
        really = good if self.plan.models.positive == "favorable" else ~good
        names = np.array([", ".join("missing" if v is None else v for v in row) for row in self._rows(by)])
        for record in document["remedies"]["remedies"][0]["before"]["errors"]["counts"] if by else ():
            for which, cells in ((really, ("tp", "fn")), (~really, ("tn", "fp"))):
                held = [record[cell] for cell in cells]
                counted += [] if None in held else [((names == record["group"]) & which, sum(held))]
        for who, held in counted:
            inside = who & self.decided()
            # Rounded up or down in each of the groups that are divided.
            off = 4 * len(np.unique(apart[inside]))
            yield inside, 5 * held - off, 5 * held + off

    def common_gaps(self, document: dict[str, Any]) -> Iterator[tuple[np.ndarray, float, float]]:
        """Yield what common gaps of strata say, rounded, where the numbers of people are shown: sums of those counted.

        With hidden numbers of people they are no sums: tables are only asked whether they agree with them, as with
        intervals. How they are rounded is read off the gap and its interval.
        """
        good = self.good()
        for check in document["checks"]:
            strata = check["strata"]
            shares = strata["strata"] if strata else []
            sizes = [[row["comparison"][side]["n"] for side in ("protected", "reference")] for row in shares]
            if not sizes or strata["common_difference"] is None or any(None in own for own in sizes):
                continue
            where, _ = self.truth(check["plan"].get("where"))
            protected, rest = self.truth(check["plan"]["protected"])
            weights, total = np.zeros(len(self.atoms)), 0.0
            for row, (n_protected, n_rest) in zip(shares, sizes, strict=True):
                inside = where & good & self.group(row["values"], check["plan"])
                weights[inside & protected] = n_rest / (n_protected + n_rest)
                weights[inside & rest] = -n_protected / (n_protected + n_rest)
                total += n_protected * n_rest / (n_protected + n_rest)
            true = weights @ self.counts / total
            said = [strata["common_difference"], *strata["common_difference_interval"].values()]
            off = coarseness(said) + 1e-9
            assert abs(true - said[0]) <= off, ("a common gap that is not the true one, rounded", true, said)
            ends = [(said[0] + side * off) * total for side in (-1, 1)]
            yield weights, ends[0] - 1e-6, ends[1] + 1e-6

    def common_intervals(self, document: dict[str, Any]) -> Iterator[Common]:
        """Yield what common gaps and their intervals say, also where numbers of people are hidden."""
        for check in document["checks"]:
            strata = check["strata"]
            if not strata or not strata["strata"] or strata["common_difference"] is None:
                continue
            where, _ = self.truth(check["plan"].get("where"))
            sides = self.truth(check["plan"]["protected"])
            insides = [where & self.group(row["values"], check["plan"]) & self.decided() for row in strata["strata"]]
            cells = [inside & side & who for inside in insides for side in sides for who in (self.good(), True)]
            said = [strata["common_difference"], *strata["common_difference_interval"].values()]
            yield Common(np.array(cells), strata["pooled"]["confidence"], said)

    def _rows(self, by: list[str]) -> list[tuple[Any, ...]]:
        return list(self.atoms[list(by)].itertuples(index=False, name=None))

    def means(self, document: dict[str, Any]) -> Iterator[tuple[tuple, np.ndarray, dict[str, Any], tuple | None]]:
        """Yield every mean, hidden ones too: where it stands, whom it is of, its figures, the table it is a cell of."""
        decided = self.decided()
        for number, check in enumerate(document["amounts"]):
            where, _ = self.truth(check["plan"].get("where"))
            protected, rest = self.truth(check["plan"]["protected"])
            path = ("check", number)
            parts = [(path, check["result"], (protected, rest), (path, path))]
            for i, table in enumerate(check["groups"]):
                known = self.known(table["columns"])
                for row in table["rows"]:
                    inside, name = self.group(row["values"]), (*path, i, str(row["values"]))
                    parts.append((name, row["comparison"], (known & inside, known & ~inside), ((*path, i), None)))
            for row in check["strata"]["strata"] if check["strata"] else ():
                inside = self.group(row["values"], check["plan"])
                name = (*path, "strata", str(row["values"]))
                tables = ((*path, "strata"),) * 2
                parts.append((name, row["comparison"], (protected & inside, rest & inside), tables))
            for name, comparison, whom, tables in parts:
                for side, inside, table in zip(("protected", "reference"), whom, tables, strict=True):
                    yield (*name, side), where & decided & inside, comparison[side], table
        for number, form in enumerate(document["presets"]):
            where, _ = self.truth(form["plan"].get("where"))
            for i, means in enumerate(form["means"]):
                there = self.atoms["pay?"].astype(bool).to_numpy()
                for row in means["rows"]:
                    inside = where & there & self.known(means["columns"]) & self.group(row["values"])
                    yield ("form", number, i, str(row["values"])), inside, row, ("form", number, i)


def _tuple(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def documents(result: AuditResult) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the JSON with small counts hidden, and with none hidden."""
    plain = result.plan.model_copy(update={"small_cells": SmallCellsPlan()})
    return json.loads(to_json(result)), json.loads(to_json(replace(result, plan=plain)))


def attacked(case: Drawn) -> Leaks | None:
    """Run an audit and attack it; None where the data do not allow it."""
    leaks = Leaks(case.seed)
    try:
        result = run(case.plan, table=case.frame)
    except FairauditError:
        return None
    try:
        hidden, plain = documents(result)
    except (ValueError, TypeError, KeyError, IndexError, AssertionError) as error:
        leaks.crashed = f"{type(error).__name__}: {error}"
        return leaks
    attacker = Attacker(case)
    figures, whole = list(attacker.figures(hidden)), list(attacker.figures(plain))
    true_value = {figure.path: figure.value for figure in whole}
    for figure in whole:
        counted = int(attacker.counts[figure.inside].sum())
        assert counted == figure.value, (case.seed, figure.path, counted, figure.value)
    leaks.shown = sum(figure.value is not None for figure in figures)
    leaks.hidden = len(figures) - leaks.shown
    asked = [(*document["checks"], *document["amounts"]) for document in (hidden, plain)]
    for shown, whole in zip(*asked, strict=True):
        is_large = _least(whole["result"]) >= LARGE * case.minimum
        leaks.large += is_large
        leaks.large_hidden += is_large and shown["result"]["difference"] is None
    for figure in figures:
        outcome = figure.path[-1] in ("tp", "fp", "tn", "fn", "good", "bad") and true_value[figure.path] == 0
        if figure.value is not None and (0 < figure.value < case.minimum or figure.value < 0):
            leaks.exact.append(f"shown: {figure.path} = {figure.value}")
        assert outcome or figure.value in (None, true_value[figure.path]), figure.path
    _count_common_gaps(hidden, leaks)
    limits = [*attacker.limits(hidden), *attacker.common_gaps(hidden)]
    _attack_counts(attacker, figures, limits, [*attacker.common_intervals(hidden)], case.minimum, leaks)
    if case.seed % READ == 0:
        gone = {true_value[figure.path] for figure in figures if figure.value is None}
        attack_texts(result, hidden, gone - {figure.value for figure in figures}, leaks)
    _attack_amounts(attacker, hidden, case.minimum, leaks)
    _attack_remedies(hidden, case.minimum, leaks)
    _attack_models_of_amounts(hidden, case.frame["pay"].dropna().to_numpy(dtype=float), case.minimum, leaks)
    return leaks


def _count_common_gaps(document: dict[str, Any], leaks: Leaks) -> None:
    """Count the common gaps that are shown, by what is hidden of their strata."""
    for check in document["checks"]:
        rows = check["strata"]["strata"] if check["strata"] else []
        if not rows or check["strata"]["common_difference"] is None:
            continue
        sides = [row["comparison"][side] for row in rows for side in ("protected", "reference")]
        sizes, outcomes = (any(side[name] is None for side in sides) for name in ("n", "positives"))
        leaks.common_sizes += sizes
        leaks.common += not sizes
        leaks.common_hidden += outcomes and not sizes


def _least(result: dict[str, Any]) -> int:
    """Return the least count that a main comparison is made of."""
    sides = [result["protected"], result["reference"]]
    parts = [n for side in sides for n in (side.get("positives", side["n"]), side["n"] - side.get("positives", 0))]
    return min(parts)


def _attack_counts(
    attacker: Attacker,
    figures: list[Figure],
    limits: list[tuple[np.ndarray, float, float]],
    common: list[Common],
    minimum: int,
    leaks: Leaks,
) -> None:
    whom = [*(figure.inside for figure in figures), *(inside for inside, _, _ in limits)]
    whom += [cell for gap in common for cell in gap.cells]
    masks = np.unique(np.array(whom, dtype=float), axis=0)
    classes, place = np.unique(masks, axis=1, return_inverse=True)
    place = place.ravel()
    counts = np.bincount(place, weights=attacker.counts, minlength=classes.shape[1]).astype(int)

    def merged(inside: np.ndarray) -> np.ndarray:
        row = np.zeros(classes.shape[1], dtype=np.int8)
        row[place[inside]] = 1
        return row

    shown = [figure for figure in figures if figure.value is not None]
    rows, values = np.zeros((0, len(counts))), np.zeros(0)
    if shown:
        rows = np.array([merged(figure.inside) for figure in shown], dtype=float)
        rows, first = np.unique(rows, axis=0, return_index=True)
        values = np.array([shown[i].value for i in first], dtype=float)
    targets: dict[bytes, tuple[str, np.ndarray]] = {}

    def aim(name: str, row: np.ndarray) -> None:
        if row.any() and len(targets) < MOST_TARGETS:
            targets.setdefault(row.astype(np.int8).tobytes(), (name, row))

    for figure in figures:
        # A table of means is hidden for its means: its numbers may follow from others, and that nobody lacks one.
        if figure.value is None and ("means" not in figure.path or 0 < counts @ merged(figure.inside) < minimum):
            aim(str(figure.path), merged(figure.inside))
    for i in np.flatnonzero((counts > 0) & (counts < minimum)):
        row = np.zeros(len(counts), dtype=np.int8)
        row[i] = 1
        aim(f"class {i}", row)
    for name, row in itertools.chain(
        _unions(figures, merged, counts, minimum), _rests_without_outcome(figures, merged, counts)
    ):
        aim(name, row)
    distinct = np.unique(np.array([merged(figure.inside) for figure in figures]), axis=0, return_index=True)
    names = [figures[first].path for first in distinct[1]]
    for pairs in (_pairs(distinct[0], names, counts, minimum), _less_two(distinct[0], names, counts, minimum)):
        # Where there are too many, some of each kind.
        pairs = list(pairs)
        for i in np.random.default_rng(0).permutation(len(pairs))[: MOST_TARGETS // 2]:
            aim(*pairs[i])
    spread = (minimum + 1) // 2
    first = np.unique(place, return_index=True)[1]
    # Everybody of a class has the same weight.
    merged_limits = [(np.asarray(inside)[first], *ends) for inside, *ends in limits]
    reader = Reader(rows, values, counts, spread, merged_limits, [gap.of_classes(first) for gap in common])
    reader.widen(np.array([row for _, row in targets.values()], dtype=float).reshape(-1, len(counts)), minimum)
    for name, row in targets.values():
        verdict = reader.verdict(row.astype(float))
        text = f"{name} is {int(row @ counts)}: {reader.low_high(row)}"
        if verdict == "exact":
            leaks.exact.append(text)
        elif verdict == "narrow":
            leaks.narrow.append(text)
        elif verdict == "open":
            leaks.open += 1


Target = tuple[str, np.ndarray]


def _unions(figures: list[Figure], merged: Callable, counts: np.ndarray, minimum: int) -> Iterator[Target]:
    """Yield what hidden cells of a table have together, two of them or all, where these are few."""
    tables: dict[tuple, list[Figure]] = {}
    for figure in figures:
        if figure.table is not None and figure.value is None:
            tables.setdefault((figure.table, figure.path[-1]), []).append(figure)
    for name, cells in tables.items():
        rows = [merged(figure.inside) for figure in cells]
        sets = [*itertools.combinations(range(len(rows)), 2), tuple(range(len(rows)))]
        for some in sets:
            row = np.logical_or.reduce([rows[i] for i in some]).astype(np.int8)
            if 0 < row @ counts < minimum:
                yield f"union of {len(some)} of {name}", row


def _rests_without_outcome(figures: list[Figure], merged: Callable, counts: np.ndarray) -> Iterator[Target]:
    """Yield who has an outcome among the people of one group who are not in another one inside it, where nobody has."""
    kinds: dict[str, dict[bytes, tuple[np.ndarray, np.ndarray]]] = {}
    for figure in figures:
        if figure.of is not None:
            whole, part = merged(figure.of), merged(figure.inside)
            kinds.setdefault(figure.path[-1], {})[whole.tobytes() + part.tobytes()] = whole, part
    for kind, found in kinds.items():
        for (whole, part), (other, own) in itertools.permutations(found.values(), 2):
            # The same outcome in both: tp may be of the good outcome or of the other one.
            if (other <= whole).all() and ((part & other) == own).all():
                rest, row = whole & ~other & 1, part & ~own & 1
                if rest @ counts > 0 and row @ counts == 0:
                    yield f"rest without {kind} of {rest @ counts}", row


def _pairs(rows: np.ndarray, names: list[tuple], counts: np.ndarray, minimum: int) -> Iterator[Target]:
    """Yield what two counts have in common, and what is left of one without the other, where that is few."""
    for one, other in itertools.combinations(range(len(rows)), 2):
        for row in (rows[one] & rows[other], rows[one] & ~rows[other] & 1, rows[other] & ~rows[one] & 1):
            if 0 < row @ counts < minimum:
                yield f"pair {names[one]} {names[other]}", row


def _less_two(rows: np.ndarray, names: list[tuple], counts: np.ndarray, minimum: int) -> Iterator[Target]:
    """Yield what is left of a count less two others inside it that have nobody in common, where that is few."""
    sizes, both = rows @ counts, rows.astype(int) @ rows.T
    for one, size in enumerate(sizes):
        held = np.flatnonzero((both[one] == rows.sum(axis=1)) & (sizes > 0) & (sizes < size))
        left = size - sizes[held][:, None] - sizes[held][None, :]
        for i, j in np.argwhere(np.triu((left > 0) & (left < minimum) & (both[np.ix_(held, held)] == 0), 1)):
            row = rows[one] & ~rows[held[i]] & ~rows[held[j]] & 1
            yield f"rest of {names[one]} less {names[held[i]]} and {names[held[j]]}", row


class Reader:
    """All tables that agree with what is shown; `counts` is the one that is true, and so one of them."""

    def __init__(
        self,
        rows: np.ndarray,
        values: np.ndarray,
        counts: np.ndarray,
        spread: int,
        limits: list[tuple[np.ndarray, int, int]],
        common: list[Common] | None = None,
    ):
        self.common = common or []
        assert all(gap.agrees(counts) for gap in self.common)
        assert np.array_equal(rows @ counts, values)
        self.rows, self.values, self.spread = rows, values, spread
        self.known = [LinearConstraint(rows, values, values)] if len(rows) else []
        self.limits = limits
        for row, low, high in limits:
            assert low <= row @ counts <= high, (low, row @ counts, high)
            self.known.append(LinearConstraint(row.astype(float), low, high))
        self.seen = [counts.astype(float)]
        self.basis = np.linalg.svd(rows, full_matrices=False)[2][: np.linalg.matrix_rank(rows)] if len(rows) else rows

    def low_high(self, row: np.ndarray) -> tuple[int, int]:
        values = np.array(self.seen) @ row
        return int(values.min()), int(values.max())

    def widen(self, targets: np.ndarray, minimum: int) -> None:
        """Look for tables in which many targets are far from the true ones."""
        rng, true = np.random.default_rng(0), self.seen[0]
        low = high = targets @ true
        for _ in range(ROUNDS):
            left = targets[high - low < self.spread]
            if not len(left):
                return
            found = milp(
                rng.choice([-1.0, 0.0, 1.0], len(left)) @ left,
                integrality=np.ones(len(true)),
                bounds=Bounds(np.maximum(true - NEAR * minimum, 0), true + NEAR * minimum),
                constraints=self.known,
                options={"node_limit": NODES // 10},
            )
            if found.x is not None and self._agrees(point := np.round(found.x)):
                self.seen.append(point)
                low, high = np.minimum(low, targets @ point), np.maximum(high, targets @ point)

    def _agrees(self, point: np.ndarray) -> bool:
        """Say whether a table agrees with what is shown, and with the limits."""
        agrees = (self.rows @ point == self.values).all()
        agrees = bool(agrees) and all(low <= row @ point <= high for row, low, high in self.limits)
        return agrees and all(gap.agrees(point) for gap in self.common)

    def _searched(self, row: np.ndarray, tries: int = TRIES) -> bool:
        """Look at many tables near the true one, where intervals do not agree with the farthest; say if it is wide."""
        rng, true = np.random.default_rng(0), self.seen[0]
        for far, _ in itertools.product(range(self.spread, 0, -1), range(tries)):
            for off in (-far, far):
                found = milp(
                    rng.integers(-3, 4, len(true)),
                    integrality=np.ones(len(true)),
                    bounds=Bounds(np.maximum(true - 3 * far, 0), true + 3 * far),
                    constraints=[*self.known, LinearConstraint(row, row @ true + off, row @ true + off)],
                    options={"node_limit": NODES},
                )
                if found.x is not None and self._agrees(point := np.round(found.x)):
                    self.seen.append(point)
            low, high = self.low_high(row)
            if high - low >= self.spread:
                return True
        return False

    def verdict(self, row: np.ndarray) -> str:
        """Say whether a count follows exactly, or to a range that is too narrow; "open" if it was not settled."""
        low, high = self.low_high(row)
        if high - low >= self.spread:
            return "wide"
        if len(self.basis) and np.abs(row - (row @ self.basis.T) @ self.basis).max() < 1e-7:
            return "exact"
        if not self.known:
            return "wide"
        ends = []
        for sign in (1.0, -1.0):
            found = milp(
                sign * row,
                integrality=np.ones(len(row)),
                bounds=Bounds(0, np.inf),
                constraints=self.known,
                options={"node_limit": NODES},
            )
            if found.x is None and found.status != NODE_LIMIT:
                # There is a table that agrees, the true one: so there is no end to others.
                return "wide"
            if found.x is not None:
                point = np.round(found.x)
                if self._agrees(point):
                    self.seen.append(point)
            low, high = self.low_high(row)
            if high - low >= self.spread:
                return "wide"
            bound = found.mip_dual_bound
            ends.append(np.inf if bound is None else sign * bound)
        low, high = np.ceil(ends[0] - 1e-6), np.floor(ends[1] + 1e-6)
        if high - low < self.spread:
            return "exact" if high == low else "narrow"
        if not self.common:
            return "open"
        if self._searched(row):
            return "wide"
        # No linear program knows what an interval says of counts: so all tables are looked at.
        tables = self.all_tables
        if tables is None:
            return "wide" if self._searched(row, MORE_TRIES) else "open"
        seen = np.unique(tables @ row)
        if seen[-1] - seen[0] >= self.spread:
            return "wide"
        return "exact" if len(seen) == 1 else "narrow"

    @cached_property
    def all_tables(self) -> np.ndarray | None:
        """All tables that agree with what is shown; None where there are too many to look at."""
        n, true = len(self.seen[0]), self.seen[0]
        _, _, order = qr(self.rows, pivoting=True)
        pivots, free = np.sort(order[: len(self.basis)]), np.sort(order[len(self.basis) :])
        ends = [[self._end(i, sign) for sign in (1.0, -1.0)] for i in free]
        if any(None in pair for pair in ends) or np.prod([high - low + 1.0 for low, high in ends]) > MOST_TABLES:
            return None
        shape = [high - low + 1 for low, high in ends]
        solved = np.linalg.pinv(self.rows[:, pivots])
        found = [np.empty((0, n))]
        for start in range(0, int(np.prod(shape)), CHUNK):
            places = np.arange(start, min(start + CHUNK, int(np.prod(shape))))
            tables = np.empty((len(places), n))
            tables[:, free] = np.stack(np.unravel_index(places, shape), axis=1) + [low for low, _ in ends]
            tables[:, pivots] = np.round((self.values - tables[:, free] @ self.rows[:, free].T) @ solved.T)
            keep = (tables >= 0).all(axis=1) & (tables @ self.rows.T == self.values).all(axis=1)
            for row, low, high in self.limits:
                keep &= (low <= tables @ row) & (tables @ row <= high)
            for gap in self.common:
                keep[keep] = gap.are_near(tables[keep])
            found.append(np.array([each for each in tables[keep] if self._agrees(each)]).reshape(-1, n))
        tables = np.concatenate(found)
        assert (tables == true).all(axis=1).any(), "the true table is none of those that agree"
        return tables

    def _end(self, place: int, sign: float) -> int | None:
        """Return the least, or the greatest, count of a class by linear programs; None where there is none."""
        aim = np.zeros(len(self.seen[0]))
        aim[place] = sign
        found = milp(aim, bounds=Bounds(0, np.inf), constraints=self.known)
        return None if found.x is None else int(sign * np.ceil(found.fun - 1e-6))


def attack_texts(result: AuditResult, document: dict[str, Any], hidden: set[int], leaks: Leaks) -> None:
    """Look for hidden counts in tables, in the text of the PDF, in descriptions of charts and in SQL.

    A number is suspicious if it is a hidden count, no figure of the JSON, and no number of a document in which every
    count is hidden.
    """
    plan = result.plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True, minimum=ALL_HIDDEN)})
    none = replace(result, plan=plan)
    # Amounts are rounded.
    figures = [value for value in _values(document) if isinstance(value, int | float)]
    # Shares and gaps that are shown are said in points, too.
    known = {round(value) for value in figures} | {round(100 * abs(value)) for value in figures if abs(value) < 1}
    known |= _texts(none) | _sentences(json.loads(to_json(none)))
    # With which chance a gap is seen is a setting of each answer.
    known.add(round(100 * signature(detectable_gap).parameters["power"].default))
    leaks.texts = sorted(((_texts(result) | _sentences(document)) - known) & hidden)


def _sentences(document: dict[str, Any]) -> set[int]:
    """Return the whole numbers in the texts of a JSON, such as its warnings."""
    return _numbers("\n".join(value for value in _values(document) if isinstance(value, str)))


def _texts(result: AuditResult) -> set[int]:
    """Return the whole numbers of all documents."""
    document = whole_report(result)
    pages = PdfReader(io.BytesIO(to_pdf(document))).pages
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        tables = [bundle.read(name).decode("utf-8-sig") for name in bundle.namelist()]
    return _numbers("\n".join([repr(document), *(page.extract_text() for page in pages), *tables]))


def _numbers(text: str) -> set[int]:
    # A digest may be broken at the end of a line.
    text = re.sub(r"\b(?:[0-9a-f]\n?){64}\b", "", text)
    text = re.sub(r"page \d+ of \d+|(?:Figure|Table)\s\d+|the \d+ (?:lowest|highest)|\d+ (?:groups|models)", "", text)
    # None with a sign: those are of differences, and of the axes of charts.
    found = re.findall(
        r"(?<![\w.,+−-])\d{1,3}(?:,\d{3})+(?![\w.%])|(?<![\w.,+−-])\d+(?![\w%]|[.,]\d| %|\spoints?\b)", text
    )
    return {int(number.replace(",", "")) for number in found}


def _attack_amounts(attacker: Attacker, document: dict[str, Any], minimum: int, leaks: Leaks) -> None:
    """Look for sums of few people in what sums of means add up to, for what few of many have, for single amounts."""
    for check in document["amounts"]:
        if check["similar"] and any(isinstance(value, float) for value in _values(check["similar"], "plan")):
            leaks.amounts.append("what similar people get")
    means = list(attacker.means(document))
    shown = [(path, inside, side) for path, inside, side, _ in means if side["mean"] is not None]
    if not shown:
        return
    every = np.array([inside for _, inside, _, _ in means], dtype=np.int8)
    atoms, place = np.unique(every, axis=1, return_inverse=True)
    counts = np.bincount(place.ravel(), weights=attacker.counts, minlength=atoms.shape[1])
    is_shown = np.array([side["mean"] is not None for _, _, side, _ in means])
    classes = np.unique(atoms[is_shown], axis=0)
    basis = np.linalg.svd(classes.astype(float), full_matrices=False)[2][: np.linalg.matrix_rank(classes)]
    sets = {tuple(row) for row in np.eye(len(counts), dtype=np.int8)[counts > 0].tolist()}
    for one, other in itertools.combinations(classes, 2):
        sets |= {tuple((one & other).tolist()), tuple((one & ~other & 1).tolist()), tuple((other & ~one & 1).tolist())}
    tables: dict[tuple, list[np.ndarray]] = {}
    for (_, _, _, table), row, known in zip(means, atoms, is_shown, strict=True):
        if table is not None and not known:
            tables.setdefault(table, []).append(row)
    for cells in tables.values():
        for some in (*itertools.combinations(cells, 2), cells):
            sets.add(tuple(np.logical_or.reduce(some).astype(np.int8).tolist()))
    sets |= _rests(classes, counts)
    pay = attacker.people["pay"].to_numpy(dtype=float)
    where = place.ravel()[attacker.place]
    codes = len(np.unique(pay[~np.isnan(pay)])) == 2
    rows = np.array([*sets, *map(tuple, classes)], dtype=float)
    for row in rows[np.abs(rows - (rows @ basis.T) @ basis).max(axis=1) < 1e-7]:
        if n := round(row @ counts):
            there = pay[row[where] > 0]
            said = f"the sum of {n} people" if n < minimum else _what_few_have(there[~np.isnan(there)], minimum, codes)
            leaks.amounts += [said] if said else []
    for path, inside, side in shown:
        if 0 < attacker.counts[inside].sum() < minimum:
            leaks.amounts.append(f"the mean of few: {path}")
        for name in ("quarter", "median", "three_quarters"):
            if side.get(name) is not None and _who_have(side[name], pay[inside[attacker.place]]) < minimum:
                leaks.amounts.append(f"one person's amount: {path} {name}")


def _rests(groups: np.ndarray, counts: np.ndarray) -> set[tuple[int, ...]]:
    """Return what is left of each group less two others inside it that have nobody in common."""
    both, found = groups.astype(int) @ groups.T, set()
    for one, group in enumerate(groups):
        held = np.flatnonzero((both[one] == groups.sum(axis=1)) & (groups @ counts < group @ counts))
        for i, j in np.argwhere(np.triu(both[np.ix_(held, held)] == 0, 1)):
            found.add(tuple((group & ~groups[held[i]] & ~groups[held[j]] & 1).tolist()))
    return found


def _what_few_have(amounts: np.ndarray, minimum: int, codes: bool) -> str | None:
    """Say what a mean and a deviation show of few people; `codes` says that the column has two values, as all know."""
    n, (values, times) = len(amounts), np.unique(amounts, return_counts=True)
    if len(values) == 1:
        return f"all of {n} people have the same"
    if len(values) == 2 and times.min() < minimum and (codes or values[0] == 0):
        return f"{times.min()} of {n} people have one of two amounts"
    if 3 <= len(values) <= MOST_KNOWN and times.min() < minimum:
        low, high = _fitting(values, times)
        for place in np.flatnonzero(times < minimum):
            if high[place] - low[place] < (minimum + 1) // 2:
                return f"{times[place]} ({low[place]} to {high[place]}) of {n} people have one of {len(values)} amounts"
    if values[0] >= 0 and values[-1] > amounts.sum() / 2:
        return f"one of {n} people has most"
    return None


def _fitting(values: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the most people that each amount may have, with the number, sum and sum of squares known."""
    # In whole hundredths, so that all is exact.
    units, n = np.round(100 * values).astype(np.int64), int(times.sum())
    moments = [int((times * units**power).sum()) for power in range(3)]
    free = np.array(list(itertools.product(range(n + 1), repeat=len(values) - 3)), dtype=np.int64)
    free = free.reshape(-1, len(values) - 3)
    left = [moments[power] - free @ units[3:] ** power for power in range(3)]
    found = []
    for own, one, other in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        a, b, c = units[own], units[one], units[other]
        found.append((left[2] - (b + c) * left[1] + b * c * left[0], (a - b) * (a - c)))
    whole = np.logical_and.reduce([(top % bottom == 0) & (top // bottom >= 0) for top, bottom in found])
    each = np.column_stack([*(top[whole] // bottom for top, bottom in found), free[whole]])
    return each.min(axis=0), each.max(axis=0)


def _values(part: Any, *but: str) -> Iterator[Any]:
    """Yield all values of a part of a JSON, but those under some names."""
    if isinstance(part, dict | list):
        items = part.items() if isinstance(part, dict) else enumerate(part)
        for key, value in items:
            if key not in but:
                yield from _values(value, *but)
    else:
        yield part


def _attack_remedies(document: dict[str, Any], minimum: int, leaks: Leaks) -> None:
    """Look for small held-out counts that are shown."""
    if not document["remedies"]:
        return
    facts = document["remedies"]["facts"]["decisions"]
    parts = [*_records(document["remedies"]["remedies"]), facts["protected"], facts["reference"]]
    for part in parts:
        cells = [part.get(cell) for cell in ("tp", "fp", "tn", "fn")]
        both = part.get("n"), part.get("positives")
        cells += [both[1], both[0] - both[1]] if None not in both else []
        leaks.exact += [f"held out: {part} {cell}" for cell in cells if isinstance(cell, int) and cell < minimum]


def _attack_models_of_amounts(document: dict[str, Any], pay: np.ndarray, minimum: int, leaks: Leaks) -> None:
    """Look for what one person has in held-out figures, in leaves, and in what predictions add up to."""
    if not document["amount_remedies"]:
        return
    decisions, codes = document["amount_remedies"]["facts"]["decisions"], np.unique(pay)
    for side in ("protected", "reference"):
        own = decisions[side]
        leaks.exact += [f"held out: {own['n']} in {side}"] if own["n"] is not None and own["n"] < minimum else []
        leaks.amounts += [
            f"held out: {n} of {side}" for n in ("quarter", "median", "three_quarters") if own[n] is not None
        ]
        if own["mean"] is not None and 3 <= len(codes) <= MOST_KNOWN:
            leaks.amounts.append(f"held out: the mean of {side}, of {len(codes)} known amounts")
        if own["mean"] is not None and len(codes) == 2:
            n = round(own["n"] * (own["mean"] - codes[0]) / (codes[1] - codes[0]))
            leaks.amounts += [f"held out: {n} of {side} have more"] if min(n, own["n"] - n) < minimum else []
    for remedy in document["amount_remedies"]["remedies"]:
        details, sides = remedy["details"], ("protected", "reference")
        found = [remedy[model]["predicted"][side] for model in ("before", "after") for side in sides]
        said = [own["mean"] for own in found if own["mean"] is not None and (details or not own["deviation"])]
        for node in details["nodes"] if details else ():
            said += [node["prediction"]] if node["prediction"] is not None else []
            if node["is_leaf"] and node["words"] is not None:
                said += [float(text.replace(",", "")) for text in re.findall(r"\d[\d,.]*", node["words"])]
        few = [figure for figure in said if max(_who_have(sign * figure, pay) for sign in (1, -1)) < minimum]
        leaks.amounts += [f"a model of amounts: {figure}" for figure in few]


def _records(part: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects of a part of a JSON."""
    if isinstance(part, dict):
        yield part
    for value in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from _records(value)


def _who_have(figure: float, amounts: np.ndarray) -> int:
    """Return how many amounts may stand behind a figure that is rounded, or is not."""
    if not figure:
        return int((amounts == 0).sum())
    unit = 10.0 ** (np.floor(np.log10(abs(figure))) - 1)
    most = int((amounts == figure).sum())
    for step in (1, 2, 5, 10):
        if abs(figure / (step * unit) - round(figure / (step * unit))) < 1e-9:
            # Under a power of ten, numbers have one digit less before the point.
            below = step * unit / (20 if round(figure / unit) == 10 else 2)
            most = max(most, int(((amounts >= figure - below) & (amounts <= figure + step * unit / 2)).sum()))
    return most


def main() -> None:
    """Attack many plans and print what was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 200), metavar=("FIRST", "END"))
    parser.add_argument("--out", type=Path, help="a file that a line of JSON for each plan is added to")
    parser.add_argument("--bands", action="store_true", help="draw plans with bands of numbers as strata")
    parser.add_argument("--tariff", action="store_true", help="draw plans about one of a few known amounts")
    parser.add_argument("--common", action="store_true", help="draw plans with a common gap beside hidden strata")
    options = parser.parse_args()
    chosen = {"bands": drawn_in_bands, "tariff": drawn_on_tariff, "common": drawn_with_common_gap}
    draw = next((of for name, of in chosen.items() if getattr(options, name)), drawn)
    found = []
    for seed in range(*options.seeds):
        began = time.process_time()
        try:
            leaks = attacked(draw(seed))
        except AssertionError as error:
            leaks = Leaks(seed, crashed=f"not as the attacker counts: {error}")
        if leaks is not None:
            found.append(leaks)
        if options.out:
            line = {"seed": seed, "seconds": round(time.process_time() - began, 2)} | (asdict(leaks) if leaks else {})
            with options.out.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(line)}\n")
        if leaks is not None and leaks.found:
            found_here = (leaks.seed, leaks.crashed, leaks.exact[:2], leaks.narrow[:2], leaks.amounts[:2])
            sys.stdout.write(f"{found_here}\n")
    sys.stdout.write(f"{summary(found)}\n")


def summary(found: list[Leaks]) -> str:
    """Say what an attack found."""
    figures = sum(each.shown + each.hidden for each in found)
    quartiles = [[text for text in each.amounts if not text.startswith("one person")] for each in found]
    parts = {
        "plans": len(found),
        "plans that crash": sum(bool(each.crashed) for each in found),
        "plans with an exact hidden figure or cell": sum(any(_is_figure(text) for text in e.exact) for e in found),
        "plans with a hidden figure or cell within k/2": sum(any(_is_figure(text) for text in e.narrow) for e in found),
        "plans with an exact difference of figures": sum(bool(each.exact) for each in found),
        "plans with a difference of figures within k/2": sum(bool(each.narrow) for each in found),
        "plans whose texts were read": sum(each.texts is not None for each in found),
        "of these with a hidden count in a text": sum(bool(each.texts) for each in found),
        "plans with a sum of few": sum(map(bool, quartiles)),
        "plans that show one person's amount": sum(
            any(text.startswith("one person") for text in each.amounts) for each in found
        ),
        "common gaps shown, with the numbers of people": sum(each.common for each in found),
        "of these beside hidden outcomes": sum(each.common_hidden for each in found),
        "common gaps beside hidden numbers of people": sum(each.common_sizes for each in found),
        "targets not settled": sum(each.open for each in found),
        "figures hidden, %": round(100 * sum(each.hidden for each in found) / max(figures, 1), 1),
        "main comparisons of large counts": sum(each.large for each in found),
        "of these hidden": sum(each.large_hidden for each in found),
    }
    return "\n".join(f"{name}: {value}" for name, value in parts.items())


def _is_figure(text: str) -> bool:
    return not text.startswith(("pair", "rest", "union"))


if __name__ == "__main__":
    main()
