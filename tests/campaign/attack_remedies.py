"""An attack on the hidden counts of an export with remedies: who is held out, and what models predict for them.

To the numbers of people that ``attack.py`` works with come those of each combination of attributes, outcome, and
predictions of all models that are held out. Held-out counts, shares, the intervals of changes, who meets the rules and
the questions of a tree that are shown, and that one in five of each group and outcome is held out, are what the
attacker reads; of some audits tables, PDF, descriptions of charts and SQL are read, too. Not used: areas
under the curve, which hang on scores, and intervals of changes in false discovery and omission rates, which choose
among numbers of differing rows that are each taken to be possible.

``PYTHONPATH=.:tests/support python tests/campaign/attack_remedies.py --seeds 0 60`` prints what leaks.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from attack import AMONG, READ, Attacker, Leaks, Reader, attack_texts, documents
from random_audits import Drawn
from random_remedies import drawn_with_remedies
from scipy.optimize import Bounds, milp

from fairaudit.audit.result import AuditResult
from fairaudit.audit.running import run
from fairaudit.errors import FairauditError
from fairaudit.estimators.base import Split
from fairaudit.measure.intervals import two_sided_z
from fairaudit.study.judging.held_out import HeldOut

RATES_OF = {"tp": ("tpr", "ppv"), "fp": ("fpr", "fdr"), "tn": ("tnr", "npv"), "fn": ("fnr", "for_")}
MOST_MODELS = 5
"""So many models may predict otherwise than each other, the rest are left aside."""
MOST_TARGETS = 700
CELLS = ("tp", "fp", "tn", "fn")
COUNTED = {
    **{rate: (cell,) for cell, rates in RATES_OF.items() for rate in rates},
    "base_rate": ("tp", "fn"),
    "selection_rate": ("tp", "fp"),
    "accuracy": ("tp", "tn"),
}
"""The cells that a rate counts."""
SAME = 1e-9
"""How near numbers must be that are the same but for the computer's rounding."""
MOST_ROWS = 5_000
"""Shares are of at most so many rows."""

Key = tuple[int, str | int]
"""A model: which remedy's, and "before", "after" or which yardstick."""


@dataclass
class Found:
    """What an attack on remedies found out about one audit."""

    seed: int
    shown: int = 0
    hidden: int = 0
    leaks: list[str] = field(default_factory=list)
    open: int = 0
    asked: int = 0
    by_group: int = 0
    """Models whose figures by group are shown."""
    remedies: int = 0


@dataclass(frozen=True)
class Figure:
    """A count of rows of the export: where it stands, whom it counts, its value; an outcome of 0 is small, too."""

    path: tuple[Any, ...]
    inside: np.ndarray
    value: int | None
    of: np.ndarray | None = None


class Recorder:
    """What happened in a run that no export says: which rows were held out, and what each model predicts for them."""

    def __init__(self) -> None:
        self.held_out: np.ndarray | None = None
        self.predictions: dict[int, np.ndarray] = {}
        self.kept: list[Any] = []

    def run(self, case: Drawn) -> AuditResult:
        about, evaluate = Split.about, HeldOut.evaluate

        def splits(*args: Any, **given: Any) -> Any:
            found = about(*args, **given)
            # Other divisions come later.
            self.held_out = found.held_out if self.held_out is None else self.held_out
            return found

        def evaluates(judge: HeldOut, name: str, prediction: Any, score: Any = None) -> Any:
            found = evaluate(judge, name, prediction, score)
            self.kept.append(found.errors)
            self.predictions[id(found.errors)] = np.asarray(prediction, dtype=int)
            return found

        with patch.object(Split, "about", splits), patch.object(HeldOut, "evaluate", evaluates):
            return run(case.plan, table=case.frame)


class Space:
    """All kinds of rows: attributes and outcome, held out or not, and what models predict for those that are."""

    def __init__(self, case: Drawn, attacker: Attacker, result: AuditResult, document: dict, recorder: Recorder):
        self.attacker, self.document = attacker, document
        self.remedies, self.facts = document["remedies"]["remedies"], document["remedies"]["facts"]
        models = case.plan.models
        self.positive_is_good = models.positive == "favorable"
        self.true = self._predictions(result, recorder)
        self.known, self.free = self._models()
        columns = list(dict.fromkeys(self.free.values()))
        protected, rest = attacker.truth(models.protected)
        where, _ = attacker.truth(models.where)
        # Nobody of an unknown group is held out, and nobody who does not meet the filter.
        judged = np.flatnonzero(attacker.decided() & (protected | rest) & where)
        bits = list(itertools.product((0, 1), repeat=len(columns)))
        held = [(atom, 1, *some) for atom in judged for some in bits]
        kinds = [(atom, 0, *(0,) * len(columns)) for atom in range(len(attacker.atoms))] + held
        self.kinds = np.array(kinds, dtype=int)
        self.atom, self.held = self.kinds[:, 0], self.kinds[:, 1] == 1
        self.column = {key: 2 + columns.index(name) for key, name in self.free.items()}
        rows = np.flatnonzero(case.frame["y"].notna().to_numpy())[recorder.held_out]
        self.counts = self._counts(case, rows, {name: 2 + place for place, name in enumerate(columns)})
        self.good = attacker.good()[self.atom]
        self.protected, self.rest, self.where = protected[self.atom], rest[self.atom], where[self.atom]
        if models.by:
            names = attacker.atoms[list(models.by)].astype(object)
            names = names.where(names.notna(), "missing").agg(", ".join, axis=1).to_numpy()
        else:
            sides = self.facts["decisions"]
            own = (sides["protected"]["name"], sides["reference"]["name"])
            names = np.where(protected, own[0], np.where(rest, own[1], "missing"))
        self.group = names[self.atom]

    def _predictions(self, result: AuditResult, recorder: Recorder) -> dict[Key, np.ndarray]:
        found: dict[Key, np.ndarray] = {}
        for i, remedy in enumerate(result.tried.remedies):
            for when in ("before", "after"):
                found[i, when] = recorder.predictions[id(getattr(remedy, when).errors)]
            for j, yardstick in enumerate(remedy.yardsticks):
                found[i, j] = recorder.predictions[id(yardstick.evaluation.errors)]
        return found

    def _models(self) -> tuple[dict[Key, int], dict[Key, Key]]:
        """Return which models predict the same for everybody, and of the others which is the same as which."""
        known: dict[Key, int] = {}
        same: dict[Key, Key] = {}
        names: dict[str, Key] = {}
        for i, remedy in enumerate(self.remedies):
            for when in ("before", "after"):
                key, model = (i, when), remedy[when]
                if self._is_constant(key):
                    known[key] = int(self.true[key][0])
                    continue
                if when == "after" and (not remedy["predictions_differ"] or remedy["plan"]["method"] == "plain"):
                    same[key] = same[i, "before"]
                elif self._says_something(model):
                    first = names.setdefault(f"{when} {model['name']}", key)
                    same[key] = first if np.array_equal(self.true[first], self.true[key]) else key
                else:
                    same[key] = key
            for j, yardstick in enumerate(remedy["yardsticks"]):
                if self._is_constant((i, j)):
                    known[i, j] = int(self.true[i, j][0])
                elif yardstick["kind"] == "plain" and np.array_equal(self.true[i, j], self.true[i, "before"]):
                    same[i, j] = same[i, "before"]
                elif self._says_something(yardstick):
                    same[i, j] = (i, j)
        # The fewest that say something; others would be figures that nothing is said of.
        saying = [key for key in dict.fromkeys(same.values()) if self._said(key)]
        saying.sort(key=lambda key: isinstance(key[1], int))
        kept = set(saying[:MOST_MODELS])
        return known, {key: first for key, first in same.items() if first in kept}

    def _is_constant(self, key: Key) -> bool:
        """Say whether a model gives everybody the same answer, as its balanced accuracy tells anyway."""
        return len(set(self.true[key].tolist())) == 1

    def _said(self, key: Key) -> bool:
        i, which = key
        remedy = self.remedies[i]
        return self._says_something(remedy["yardsticks"][which] if isinstance(which, int) else remedy[which])

    @staticmethod
    def _says_something(model: dict[str, Any]) -> bool:
        shown = any(measure["value"] is not None for measure in model["measures"])
        return shown or bool(model.get("errors") and model["errors"]["counts"])

    def _counts(self, case: Drawn, rows: np.ndarray, columns: dict[Key, int]) -> np.ndarray:
        kinds = np.zeros((len(case.frame), self.kinds.shape[1]), dtype=int)
        kinds[:, 0] = self.attacker.place
        kinds[rows, 1] = 1
        for name, column in columns.items():
            kinds[rows, column] = self.true[name]
        places = {tuple(kind): place for place, kind in enumerate(self.kinds.tolist())}
        return np.bincount([places[tuple(kind)] for kind in kinds.tolist()], minlength=len(self.kinds))

    def predicts(self, key: Key) -> np.ndarray | None:
        """Return for whom a model predicts the good outcome; None where nothing is said of it."""
        if key in self.known:
            return self.held & bool(self.known[key])
        return self.held & (self.kinds[:, self.column[key]] == 1) if key in self.column else None

    def cells(self, inside: np.ndarray, key: Key) -> dict[str, np.ndarray] | None:
        said = self.predicts(key)
        if said is None:
            return None
        really, said = (self.good, said) if self.positive_is_good else (~self.good, self.held & ~said)
        inside = inside & self.held
        return {
            "tp": inside & really & said,
            "fp": inside & ~really & said,
            "tn": inside & ~really & ~said,
            "fn": inside & really & ~said,
        }

    def right(self, key: Key) -> np.ndarray:
        return self.held & (self.predicts(key) == self.good)


def held_out_figures(space: Space, document: dict[str, Any]) -> Iterator[Figure]:
    """Yield the held-out counts of an export, hidden ones too."""
    facts, held = document["remedies"]["facts"], space.held
    decided = space.attacker.decided()[space.atom]
    yield Figure(("facts", "n_rows"), decided, facts["n_rows"])
    yield Figure(("facts", "n_undecided"), ~decided, facts["n_undecided"])
    yield Figure(("facts", "n_held_out"), held, facts["n_held_out"])
    known = space.protected | space.rest
    yield Figure(("facts", "n_unknown"), decided & ~known, facts["n_unknown"])
    yield Figure(("facts", "n_filtered_out"), decided & known & ~space.where, facts["n_filtered_out"])
    yield from _fairness(space, ("facts",), facts["decisions"], space.good)
    for i, remedy in enumerate(document["remedies"]["remedies"]):
        for when in ("before", "after"):
            path, model = (i, remedy["plan"]["method"], when), remedy[when]
            yield Figure((*path, "n"), held, model["n"])
            if (said := space.predicts((i, when))) is None:
                continue
            yield from _fairness(space, path, model["fairness"], said)
            for record in model["errors"]["counts"]:
                inside = held & (space.group == record["group"])
                for name, who in space.cells(inside, (i, when)).items():
                    yield Figure((*path, record["group"], name), who, record[name], inside)
            for record in model["errors"]["intervals"]:
                yield from _rate(space, path, record, (i, when))
            shown = {record["group"] for record in model["errors"]["counts"]}
            for group in sorted(set(space.group[held]) - shown):
                inside = held & (space.group == group)
                for name, who in space.cells(inside, (i, when)).items():
                    yield Figure((*path, group, name), who, None, inside)
        for j, yardstick in enumerate(remedy["yardsticks"]):
            if (said := space.predicts((i, j))) is not None:
                yield from _fairness(space, (i, yardstick["kind"]), yardstick["fairness"], said)


def _rate(space: Space, path: tuple, record: dict[str, Any], key: Key) -> Iterator[Figure]:
    """Yield of how many a rate is a share, and how many it counts, if both are said."""
    cells = space.cells(space.held & (space.group == record["group"]), key)
    among, path = AMONG.get(record["metric"], CELLS), (*path, record["group"], record["metric"])
    of = np.logical_or.reduce([cells[cell] for cell in among])
    n, share = record["n"], record["value"]
    if n is not None:
        yield Figure((*path, "of"), of, n)
    if share is not None and not np.isnan(share):
        assert n is not None, (path, "a share without its number")
        counted = np.logical_or.reduce([cells[cell] for cell in COUNTED[record["metric"]]])
        yield Figure((*path, "counted"), counted, round(share * n), of)


def _fairness(space: Space, path: tuple, found: dict[str, Any], said: np.ndarray) -> Iterator[Figure]:
    where = space.held & space.where
    for side, who in (("protected", space.protected), ("reference", space.rest)):
        n, positives, inside = found[side]["n"], found[side]["positives"], where & who
        yield Figure((*path, side, "n"), inside, n)
        yield Figure((*path, side, "good"), inside & said, positives, inside)
        yield Figure((*path, side, "bad"), inside & ~said, None if None in (n, positives) else n - positives, inside)
    yield Figure((*path, "unknown"), where & ~space.protected & ~space.rest, found["unknown"])
    yield Figure((*path, "population"), where, found["n_population"])
    yield Figure((*path, "filtered"), space.held & ~space.where, found["n_filtered_out"])


Limit = tuple[np.ndarray, float, float]
"""Weights of the kinds of rows, and what these add up to at least and at most."""


class Knowledge:
    """What follows from the shares, intervals and settings of an export."""

    def __init__(self, space: Space, shown: dict[bytes, int], of_people: set[bytes]):
        self.space, self.shown, self.of_people = space, shown, of_people
        self.sums = self._sums()
        divided = list(self._divided())
        self.n_divided = len(divided)
        self.limits = [*divided, *self._shares(), *self._changes(), *self._cuts()]

    def value(self, inside: np.ndarray) -> int | None:
        """Return a count that is shown."""
        return self.shown.get(inside.tobytes())

    def _divided(self) -> Iterator[Limit]:
        """Yield that one in five of each known group, standing and outcome in the filter is held out, rounded."""
        space = self.space
        decided = space.attacker.decided()[space.atom] & (space.protected | space.rest) & space.where
        parts = pd.DataFrame({"g": space.group, "p": space.protected, "r": space.rest, "y": space.good})
        for _, rows in parts[decided].groupby(list(parts), sort=False).groups.items():
            inside = np.zeros(len(parts), dtype=bool)
            inside[rows] = True
            yield 5.0 * (inside & space.held) - inside, -4, 4

    def _measured(self) -> Iterator[tuple[Key, dict[str, float]]]:
        for i, remedy in enumerate(self.space.remedies):
            models = {"before": remedy["before"], "after": remedy["after"]} | dict(enumerate(remedy["yardsticks"]))
            for which, model in models.items():
                if self.space.predicts((i, which)) is not None:
                    yield (i, which), {m["measure"]: m["value"] for m in model["measures"] if m["value"] is not None}

    def _sums(self) -> tuple[int, int] | None:
        """Return how many held-out rows there are, and with the good outcome, where the shares leave no doubt."""
        found = []
        decided = self.space.attacker.decided()[self.space.atom]
        rows = self.value(decided) or int(self.space.counts[decided].sum())
        measured = [(key, said) for key, said in self._measured() if "accuracy" in said]
        if not measured:
            return None
        known = self.value(self.space.held)
        for n in [known] if known else range(max(1, rows // 5 - 60), rows // 5 + 60):
            if all(abs(n * said["accuracy"] - round(n * said["accuracy"])) < 1e-7 for _, said in measured):
                found += [(n, good) for good in range(1, n) if self._fits(n, good, measured)]
        return found[0] if len(found) == 1 else None

    def _fits(self, n: int, good: int, measured: list[tuple[Key, dict[str, float]]]) -> bool:
        for key, said in measured:
            if key in self.space.known:
                if round(n * said["accuracy"]) != (good if self.space.known[key] else n - good):
                    return False
            elif "balanced_accuracy" in said and not _right_in_each(n, good, **_both(said)):
                return False
        return True

    def _shares(self) -> Iterator[Limit]:
        space = self.space
        if self.sums is not None:
            n, good = self.sums
            yield space.held.astype(float), n, n
            yield (space.held & space.good).astype(float), good, good
        for key, said in self._measured():
            if "accuracy" not in said:
                continue
            share = Fraction(said["accuracy"]).limit_denominator(MOST_ROWS)
            yield share.denominator * space.right(key) - float(share.numerator) * space.held, 0, 0
            if self.sums is not None and "balanced_accuracy" in said and key not in space.known:
                ways = _right_in_each(*self.sums, **_both(said))
                yield self._among(space.right(key) & space.good, [way[0] for way in ways])

    @staticmethod
    def _among(inside: np.ndarray, values: list[int]) -> Limit:
        return inside.astype(float), min(values), max(values)

    def _changes(self) -> Iterator[Limit]:
        """Yield what intervals of changes say of how many rows two models differ on."""
        space = self.space
        for i, remedy in enumerate(space.remedies):
            confidence = remedy["after"]["errors"]["confidence"]
            changes = {change["measure"]: change for change in remedy["changes"]}
            pairs = [((i, "before"), changes.get("accuracy"))]
            pairs += [((i, j), yardstick["change"]) for j, yardstick in enumerate(remedy["yardsticks"])]
            for before, change in pairs:
                if space.predicts(before) is None or space.predicts((i, "after")) is None or self.sums is None:
                    continue
                if change is None or change["interval"]["low"] is None:
                    continue
                was, now, n = space.right(before), space.right((i, "after")), self.sums[0]
                gained = round(n * change["difference"])
                for differing in _differing(change["interval"], [(n, gained)], confidence):
                    yield (was != now).astype(float), differing[0], differing[0]
                    yield (now & ~was).astype(float) - (was & ~now), gained, gained
            yield from self._gap_changes(i, changes, confidence)

    def _gap_changes(self, i: int, changes: dict[str, Any], confidence: float) -> Iterator[Limit]:
        space = self.space
        was, now = space.predicts((i, "before")), space.predicts((i, "after"))
        if was is None or now is None:
            return
        really = space.good if space.positive_is_good else ~space.good
        places = {
            "gap": (space.held & space.where, ("protected", "reference")),
            "selection_gap": (space.held, None),
            "tpr_gap": (space.held & really, None),
            "fpr_gap": (space.held & ~really, None),
        }
        for measure, (among, sides) in places.items():
            change = changes.get(measure)
            if change is None or change["interval"]["low"] is None or np.isnan(change["interval"]["low"]):
                continue
            inside = (
                [among & space.protected, among & space.rest]
                if sides
                else [among & (space.group == change[name]) for name in ("first", "second")]
            )
            sizes = [self._size(who, now, was) for who in inside]
            if None in sizes:
                continue
            ways = _differing(change["interval"], sizes, confidence)
            for place, who in enumerate(inside):
                differing = [way[place] for way in ways]
                if differing:
                    yield self._among(who & (was != now), differing)

    def _size(self, who: np.ndarray, now: np.ndarray, was: np.ndarray) -> tuple[int, int] | None:
        n = self._sum(who)
        counts = [self._sum(who & said) for said in (now, was)]
        return None if n is None or None in counts else (n, counts[0] - counts[1])

    def _sum(self, who: np.ndarray) -> int | None:
        """Return a count that follows from what is shown, as a sum of shown counts or by itself."""
        if (value := self.value(who)) is not None:
            return value
        rows = np.array([np.frombuffer(key, dtype=bool) for key in self.shown], dtype=float)
        weights = np.linalg.lstsq(rows.T, who.astype(float), rcond=None)[0]
        if np.abs(rows.T @ weights - who).max() > 1e-6:
            return None
        return round(float(weights @ np.array(list(self.shown.values()))))

    def _cuts(self) -> Iterator[Limit]:
        """Yield that a group whose threshold is lowered loses nobody, and one whose is raised gains nobody."""
        space = self.space
        for i, remedy in enumerate(space.remedies):
            was, now = space.predicts((i, "before")), space.predicts((i, "after"))
            auc = [change["interval"] for change in remedy["changes"] if change["measure"] == "auc"]
            is_cut = remedy["plan"]["method"] == "thresholds" or (auc and auc[0]["low"] == auc[0]["high"] == 0)
            if not is_cut or was is None or now is None:
                continue
            for group in sorted(set(space.group[space.held])):
                inside = space.held & (space.group == group)
                if (size := self._size(inside, now, was)) is not None:
                    yield from _one_way(inside, was, now, size[1])
        yield from self._common_cuts()

    def _common_cuts(self) -> Iterator[Limit]:
        """Yield that of two cuts of one score the lower one says yes to all that the higher one does."""
        space, good = self.space, {}
        scores: dict[str, list[Key]] = {}
        for i, remedy in enumerate(space.remedies):
            for j, yardstick in enumerate(remedy["yardsticks"]):
                if yardstick["kind"] in ("plain", "shifted", "shifted_closer") and (i, j) in space.column:
                    name = yardstick["name"].split(" with another threshold")[0]
                    scores.setdefault(name, []).append((i, j))
        for key, said in self._measured():
            if self.sums is not None and "balanced_accuracy" in said and key not in space.known:
                n, sure = self.sums, _right_in_each(*self.sums, **_both(said))
                if len(sure) == 1:
                    good[key] = sure[0][0] + (n[0] - n[1] - sure[0][1])
        for cuts in scores.values():
            for one, other in itertools.combinations(cuts, 2):
                if one in good and other in good:
                    was, now = space.predicts(one), space.predicts(other)
                    yield from _one_way(space.held, was, now, good[other] - good[one])


def _one_way(inside: np.ndarray, was: np.ndarray, now: np.ndarray, gained: int) -> Iterator[Limit]:
    if gained >= 0:
        yield (inside & was & ~now).astype(float), 0, 0
    if gained <= 0:
        yield (inside & now & ~was).astype(float), 0, 0


def _both(said: dict[str, float]) -> dict[str, float]:
    return {"accuracy": said["accuracy"], "balanced": said["balanced_accuracy"]}


def _right_in_each(n: int, good: int, accuracy: float, balanced: float) -> list[tuple[int, int]]:
    """Return how many of either outcome a model may be right for."""
    right = round(n * accuracy)
    of_good = np.arange(max(0, right - (n - good)), min(good, right) + 1)
    fits = np.abs((of_good / good + (right - of_good) / (n - good)) / 2 - balanced) < SAME
    return [(int(k), right - int(k)) for k in of_good[fits]]


def _differing(interval: dict[str, float], sizes: list[tuple[int, int]], confidence: float) -> list[tuple[int, ...]]:
    """Return on how many rows two models may differ, in one group or two, by the width of an interval.

    Each of `sizes` is how many rows a share is of, and by how many rows it grew.
    """
    variance = ((interval["high"] - interval["low"]) / 2 / two_sided_z(confidence)) ** 2
    ways = [np.arange(abs(gained), n + 1, 2) for n, gained in sizes]
    parts = [(way + 2 - gained**2 / (n + 2)) / (n + 2) ** 2 for way, (n, gained) in zip(ways, sizes, strict=True)]
    total = parts[0] if len(parts) == 1 else parts[0][:, None] + parts[1][None, :]
    return [
        tuple(int(way[k]) for way, k in zip(ways, place, strict=True))
        for place in np.argwhere(np.abs(total - variance) < SAME * variance + 1e-14)
    ]


def attacked(case: Drawn) -> Found | None:
    """Run an audit with remedies and attack it; None where the data do not allow it."""
    recorder, found = Recorder(), Found(case.seed)
    try:
        result = recorder.run(case)
    except FairauditError:
        return None
    if result.tried is None or not result.tried.remedies:
        return None
    hidden, plain = documents(result)
    attacker = Attacker(case)
    space = Space(case, attacker, result, hidden, recorder)
    figures = [*_of_people(space, hidden), *held_out_figures(space, hidden)]
    whole = [*_of_people(space, plain), *held_out_figures(space, plain)]
    for figure in whole:
        if figure.value is not None:
            counted = int(space.counts[figure.inside].sum())
            assert counted == figure.value, (case.seed, figure.path, counted, figure.value)
    found.remedies = len(space.remedies)
    found.by_group = sum(bool(r[when]["errors"]["counts"]) for r in space.remedies for when in ("before", "after"))
    shown: dict[bytes, int] = {}
    for figure in figures:
        if figure.value is not None:
            found.shown += 1
            counted = int(space.counts[figure.inside].sum())
            assert counted == figure.value, (case.seed, figure.path, counted, figure.value)
            shown[figure.inside.tobytes()] = figure.value
            if _is_small(figure, space.counts, case.minimum) and figure.path[0] not in PEOPLE:
                found.leaks.append(f"shown: {figure.path} = {figure.value}")
        else:
            found.hidden += 1
    of_people = {f.inside.tobytes() for f in figures if f.value is not None and f.path[0] in PEOPLE}
    knowledge = Knowledge(space, shown, of_people)
    _attack(space, figures, whole, knowledge, case.minimum, found)
    if case.seed % READ == 0:
        true = {figure.path: figure.value for figure in whole}
        gone = {true[figure.path] for figure in figures if figure.value is None and figure.path in true}
        read = Leaks(case.seed)
        attack_texts(result, hidden, gone - {figure.value for figure in figures}, read)
        found.leaks += [f"in a text: {number}" for number in read.texts]
    return found


PEOPLE = ("rows", "plan rows", "check", "errors", "form")


def _of_people(space: Space, document: dict[str, Any]) -> Iterator[Figure]:
    for each in space.attacker.figures(document):
        of = None if each.of is None else each.of[space.atom]
        yield Figure(each.path, each.inside[space.atom], each.value, of)


def _is_small(figure: Figure, counts: np.ndarray, minimum: int) -> bool:
    n = int(counts[figure.inside].sum())
    return 0 < n < minimum or (n == 0 and figure.of is not None and counts[figure.of].sum() > 0)


def _attack(
    space: Space, figures: list[Figure], whole: list[Figure], knowledge: Knowledge, minimum: int, found: Found
) -> None:
    counts = space.counts
    targets: dict[bytes, tuple[str, np.ndarray]] = {}

    def aim(name: str, inside: np.ndarray) -> None:
        if inside.any():
            targets.setdefault(inside.tobytes(), (name, inside))

    for figure in (*figures, *whole):
        if _is_small(figure, counts, minimum):
            aim(f"hidden {figure.path}", figure.inside)
    for name, inside in _others(space, figures):
        if 0 < counts[inside].sum() < minimum:
            aim(name, inside)
    for key in targets.keys() & knowledge.shown.keys():
        del targets[key]
    masks = [np.frombuffer(key, dtype=bool) for key in knowledge.shown]
    weights = [row for row, _, _ in knowledge.limits]
    columns = np.array([*masks, *weights, *(inside for _, inside in targets.values())], dtype=float)
    columns, place = np.unique(columns, axis=1, return_inverse=True)
    merged = np.bincount(place.ravel(), weights=counts, minlength=columns.shape[1]).astype(int)
    some = len(masks), len(masks) + len(weights)
    rows, limits, aims = columns[: some[0]], columns[some[0] : some[1]], columns[some[1] :]
    named = [*zip([name for name, _ in targets.values()], aims, strict=True)]
    few = np.flatnonzero((merged > 0) & (merged < minimum))
    kinds = {row.tobytes() for _, row in named}
    for i in few:
        row = np.eye(len(merged))[i]
        if row.tobytes() not in kinds:
            named.append((f"class {i}", row))
    if len(named) > MOST_TARGETS:
        chosen = np.random.default_rng(0).permutation(len(named))[:MOST_TARGETS]
        named = [named[i] for i in sorted(chosen)]
    values = np.array(list(knowledge.shown.values()), dtype=float)
    ends = [(row, low, high) for row, (_, low, high) in zip(limits, knowledge.limits, strict=True)]
    reader = Reader(rows, values, merged, (minimum + 1) // 2, ends)
    found.asked = len(named)
    if not named:
        return
    reader.widen(np.array([row for _, row in named]), minimum)
    n_divided = knowledge.n_divided
    people = [i for i, key in enumerate(knowledge.shown) if key in knowledge.of_people]
    before = Reader(rows[people], values[people], merged, reader.spread, ends[:n_divided])
    for name, row in named:
        verdict = reader.verdict(row)
        if verdict in ("exact", "narrow") and not _follows(before, reader, row):
            found.leaks.append(f"{verdict}: {name} is {int(row @ merged)}: {reader.low_high(row)}")
        found.open += verdict == "open"


def _follows(before: Reader, reader: Reader, row: np.ndarray) -> bool:
    """Say whether a count is as narrow without what is said of remedies: by full counts, and one in five of them."""
    return before.verdict(row) in ("exact", "narrow") and _ends(before, row) == _ends(reader, row)


def _ends(reader: Reader, row: np.ndarray) -> list[int]:
    """Return the least and the most that a count may be."""
    ends = []
    for sign in (1.0, -1.0):
        found = milp(sign * row, integrality=np.ones(len(row)), bounds=Bounds(0, np.inf), constraints=reader.known)
        ends.append(round(row @ found.x))
    return ends


def _others(space: Space, figures: list[Figure]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield who is not held out of whom is counted, who is predicted otherwise, and what figures differ by."""
    learned = ~space.held
    decided = space.attacker.decided()[space.atom]
    names = sorted(set(space.group))
    groups = {name: space.group == name for name in names}
    groups |= {"protected": space.where & space.protected, "rest": space.where & space.rest}
    groups |= {"filtered": ~space.where, "unknown": ~space.protected & ~space.rest, "all": np.ones(len(learned), bool)}
    for name, inside in groups.items():
        for outcome, who in (("good", space.good), ("bad", ~space.good), ("any", decided)):
            yield f"learned {name} {outcome}", inside & who & decided & learned
            yield f"held out {name} {outcome}", inside & who & space.held
    for i, _ in enumerate(space.remedies):
        was, now = space.predicts((i, "before")), space.predicts((i, "after"))
        if was is None or now is None:
            continue
        for name, inside in groups.items():
            for outcome, who in (("good", space.good), ("bad", ~space.good), ("any", decided)):
                yield f"remedy {i}: {name} {outcome} loses", inside & who & was & ~now
                yield f"remedy {i}: {name} {outcome} gains", inside & who & now & ~was
        for j, _ in enumerate(space.remedies[i]["yardsticks"]):
            if (cut := space.predicts((i, j))) is not None:
                for outcome, who in (("good", space.good), ("bad", ~space.good), ("any", decided)):
                    yield f"remedy {i}: {outcome} loses beside answer {j}", who & cut & ~now
                    yield f"remedy {i}: {outcome} gains beside answer {j}", who & now & ~cut
                    yield f"remedy {i}: {outcome} loses by answer {j}", who & was & ~cut
                    yield f"remedy {i}: {outcome} gains by answer {j}", who & cut & ~was
    rows = list({figure.inside.tobytes(): figure for figure in figures if figure.value is not None}.values())
    for one, other in itertools.permutations(rows, 2):
        if "check" in (one.path[0], other.path[0]) and one.path[0] != other.path[0]:
            yield f"{one.path} less {other.path}", one.inside & ~other.inside


def main() -> None:
    """Attack many audits with remedies and print what was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 60), metavar=("FIRST", "END"))
    options = parser.parse_args()
    found = []
    for seed in range(*options.seeds):
        began = time.process_time()
        try:
            each = attacked(drawn_with_remedies(seed))
        except AssertionError as error:
            each = Found(seed, leaks=[f"not as the attacker counts: {error}"])
        if each is not None:
            found.append(each)
            line = {k: v for k, v in vars(each).items() if k != "leaks"} | {
                "leaks": each.leaks[:6],
                "n": len(each.leaks),
            }
            sys.stdout.write(f"{json.dumps(line)} {time.process_time() - began:.1f} s\n")
            sys.stdout.flush()
    sys.stdout.write(
        f"{len(found)} audits, {sum(f.remedies for f in found)} remedies, {sum(f.by_group for f in found)} models by "
        f"group, {sum(f.asked for f in found)} targets, {sum(f.open for f in found)} not settled, "
        f"{sum(bool(f.leaks) for f in found)} leak\n"
    )


if __name__ == "__main__":
    main()
