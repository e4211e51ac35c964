"""An attack on two reports on the same data, of which the second was hidden beside the first.

The second asks with another filter, hides under another number, asks something else besides, or tries a remedy more.
The attacker reads the JSON of both and looks for what follows from them together.

``PYTHONPATH=.:tests/support python tests/campaign/attack_pairs.py --seeds 0 100`` prints what leaks and how much is
hidden, by kind of second report, and why some were not made; with ``--apart``, of second reports that know nothing of
the first. Parts are run by seed; with ``--out`` each pair is a line of a file, and seeds that stand there are not done
again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from attack import Attacker, Figure, Leaks, _attack_counts, documents
from random_audits import Drawn, _check, _filter, _harder, simply_drawn

from fairaudit.audit.running import run
from fairaudit.disclosure.gate import with_published
from fairaudit.errors import FairauditError
from fairaudit.plan.audit_plan import AuditPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.report.json_export import to_json

KINDS = ("another filter", "another minimum", "another question", "a remedy more")


def second_of(case: Drawn, *, small: bool) -> AuditPlan:
    """Return the plan of a second report on the same data."""
    rng = np.random.default_rng([case.seed, 7])
    plan, kind = case.plan, kind_of(case.seed)
    changes: dict[str, Any] = {"errors": (), "prediction": None, "models": None, "remedies": (), "presets": ()}
    first = plan.checks[0]
    if plan.prediction is not None:
        changes |= {"errors": plan.errors, "prediction": plan.prediction}
    if kind == "another filter":
        where = _filter(rng, case.frame) or f"id <> {int(rng.integers(len(case.frame)))}"
        changes["checks"] = tuple(check.model_copy(update={"where": where}) for check in plan.checks)
        changes["errors"] = tuple(errors.model_copy(update={"where": where}) for errors in changes["errors"])
    elif kind == "another minimum":
        changes["small_cells"] = SmallCellsPlan(mask=True, minimum=max(2, case.minimum - int(rng.integers(1, 4))))
    elif kind == "another question":
        changes["checks"] = tuple(_check(rng, case.frame, False) for _ in range(1 if small else 2))
    else:
        changes |= {"models": ModelsPlan(features=("area", "race"), protected=first.protected)}
        changes |= {"remedies": (PlainPlan(),)}
    return plan.model_copy(update=changes)


def kind_of(seed: int) -> str:
    """Return what is another thing in the second report."""
    return KINDS[seed % len(KINDS)]


class NoPairError(Exception):
    """No two reports are made of these data and plans; its text says why."""


def attacked_pair(seed: int, *, apart: bool = False, small: bool = False) -> Leaks:
    """Make two reports and attack them together; raise `NoPairError` where the data do not allow it.

    Small ones ask one question each, and take a third of the time.
    """
    case = _harder(simply_drawn(seed))
    forms = [form for form in case.plan.presets if "amounts" not in form.columns]
    values: dict[str, Any] = {"remedies": (), "models": None, "presets": tuple(forms)}
    if small:
        values |= {"checks": case.plan.checks[:1], "errors": (), "prediction": None, "presets": ()}
    case = replace(case, plan=case.plan.model_copy(update=values))
    if case.plan.decision.amount:
        raise NoPairError("the decision is an amount")
    second, leaks = second_of(case, small=small), Leaks(seed)
    try:
        earlier = run(case.plan, table=case.frame)
        if not apart:
            second = with_published(second, [earlier])
        later = run(second, table=case.frame, published=() if apart else [earlier])
        pairs = [documents(earlier), (json.loads(to_json(later)), _plain(later))]
    except FairauditError as error:
        raise NoPairError(f"{type(error).__name__}: {error.message}") from None
    both = {name: (*getattr(case.plan, name), *getattr(second, name)) for name in ("checks", "errors", "presets")}
    attacker = Attacker(replace(case, plan=case.plan.model_copy(update=both)))
    figures, true_value = [], {}
    for number, (hidden, plain) in enumerate(pairs):
        figures += list(_numbered(attacker.figures(hidden), number))
        true_value |= {figure.path: figure.value for figure in _numbered(attacker.figures(plain), number)}
    for figure in figures:
        if true_value[figure.path] is not None:
            assert attacker.counts[figure.inside].sum() == true_value[figure.path], (seed, figure.path)
    known = {figure.inside.tobytes() for figure in figures if figure.value is not None}
    # What stands in one of the two is shown, wherever else it is hidden.
    figures = [each for each in figures if each.value is not None or each.inside.tobytes() not in known]
    own = Leaks(seed)
    earlier_limits = [*attacker.limits(pairs[0][0]), *attacker.common_gaps(pairs[0][0])]
    alone = [each if each.path[0] == 0 else replace(each, value=None) for each in figures]
    _attack_counts(attacker, alone, earlier_limits, [*attacker.common_intervals(pairs[0][0])], case.minimum, own)
    leaks.shown = sum(figure.value is not None for figure in figures)
    leaks.hidden = len(figures) - leaks.shown
    limits = [each for hidden, _ in pairs for each in (*attacker.limits(_without_remedies(hidden)),)]
    limits += [each for hidden, _ in pairs for each in attacker.common_gaps(hidden)]
    common = [each for hidden, _ in pairs for each in attacker.common_intervals(hidden)]
    _attack_counts(attacker, figures, limits, common, case.minimum, leaks)
    # What follows from the first alone, of which the second says nothing, the second cannot take back.
    known_alone = {text.partition(" is ")[0] for text in (*own.exact, *own.narrow)}
    leaks.exact = [text for text in leaks.exact if text.partition(" is ")[0] not in known_alone]
    leaks.narrow = [text for text in leaks.narrow if text.partition(" is ")[0] not in known_alone]
    return leaks


def _plain(result: Any) -> dict[str, Any]:
    plain = result.plan.model_copy(update={"small_cells": SmallCellsPlan()})
    return json.loads(to_json(replace(result, plan=plain, published=())))


def _without_remedies(document: dict[str, Any]) -> dict[str, Any]:
    shown = [change for each in (document["remedies"] or {"remedies": ()})["remedies"] for change in each["changes"]]
    assert all(change["after"] is None for change in shown), "figures of a remedy are shown beside a published report"
    return document | {"remedies": None}


def _numbered(figures: Iterator[Figure], number: int) -> Iterator[Figure]:
    for figure in figures:
        table = None if figure.table is None else (number, *figure.table)
        yield replace(figure, path=(number, *figure.path), table=table)


def outcome_of(seed: int, *, apart: bool = False, small: bool = False) -> dict[str, Any]:
    """Return what came out of a seed, as values for a line of a file."""
    began = time.process_time()
    found: dict[str, Any] = {"seed": seed, "kind": kind_of(seed), "apart": apart, "small": small}
    try:
        leaks = attacked_pair(seed, apart=apart, small=small)
    except NoPairError as error:
        found["no_pair"] = str(error)
    else:
        found |= {"exact": leaks.exact, "narrow": leaks.narrow, "not_settled": leaks.open}
        found |= {"hidden": leaks.hidden, "shown": leaks.shown}
    return found | {"processor_s": round(time.process_time() - began, 2)}


def summary_of(outcomes: list[dict[str, Any]]) -> str:
    """Return how many pairs of each kind were attacked, and what was found."""
    lines = []
    for kind in (*KINDS, "all"):
        tried = [each for each in outcomes if kind in (each["kind"], "all")]
        pairs = [each for each in tried if "no_pair" not in each]
        figures = sum(each["hidden"] + each["shown"] for each in pairs)
        lines.append(
            f"{kind}: {len(tried)} seeds, {len(pairs)} pairs, "
            f"{sum(bool(each['exact']) for each in pairs)} with a hidden count worked out, "
            f"{sum(bool(each['narrow']) for each in pairs)} within k/2, "
            f"{sum(each['not_settled'] for each in pairs)} targets not settled, "
            f"{sum(each['hidden'] for each in pairs) / max(figures, 1):.0%} of {figures} figures hidden, "
            f"{sum(each['processor_s'] for each in tried):.0f} s"
        )
    why = Counter(each["no_pair"].partition(":")[0] for each in outcomes if "no_pair" in each)
    return "\n".join([*lines, *(f"no pair, {reason}: {n}" for reason, n in why.most_common())])


def main() -> None:
    """Attack many pairs and print what was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 100), metavar=("FIRST", "END"))
    parser.add_argument("--apart", action="store_true", help="let the second know nothing of the first")
    parser.add_argument("--small", action="store_true", help="ask one question in each")
    parser.add_argument("--out", type=Path, metavar="FILE", help="a line for each seed; those that are there stay")
    options = parser.parse_args()
    how = {"apart": options.apart, "small": options.small}
    outcomes: list[dict[str, Any]] = []
    if options.out is not None and options.out.is_file():
        lines = map(json.loads, options.out.read_text(encoding="utf-8").splitlines())
        outcomes = [each for each in lines if how.items() <= each.items() and each["seed"] in range(*options.seeds)]
    for seed in sorted({*range(*options.seeds)} - {each["seed"] for each in outcomes}):
        outcomes.append(outcome_of(seed, **how))
        if options.out is not None:
            with options.out.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(outcomes[-1]) + "\n")
        if outcomes[-1].get("exact") or outcomes[-1].get("narrow"):
            sys.stdout.write(f"{outcomes[-1]}\n")
    sys.stdout.write(f"{summary_of(outcomes)}\n")


if __name__ == "__main__":
    main()
