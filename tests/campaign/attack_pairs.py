"""An attack on two reports on the same data, of which the second was hidden beside the first.

The second asks with another filter, hides under another number, asks something else besides, or tries a remedy more.
The attacker reads the JSON of both and looks for what follows from them together.

``PYTHONPATH=.:tests/support python tests/campaign/attack_pairs.py --seeds 0 100`` prints what leaks and how much is
hidden; with ``--apart``, of second reports that know nothing of the first.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from attack import Attacker, Figure, Leaks, _attack_counts, documents, summary
from random_audits import Drawn, _check, _filter, _harder, simply_drawn

from fairaudit.audit.running import run
from fairaudit.disclosure.gate import with_published
from fairaudit.errors import DisclosureError, FairauditError
from fairaudit.plan.audit_plan import AuditPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.report.json_export import to_json

KINDS = ("another filter", "another minimum", "another question", "a remedy more")


def second_of(case: Drawn) -> AuditPlan:
    """Return the plan of a second report on the same data."""
    rng = np.random.default_rng([case.seed, 7])
    plan, kind = case.plan, KINDS[case.seed % len(KINDS)]
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
        changes["checks"] = (_check(rng, case.frame, False), _check(rng, case.frame, False))
    else:
        changes |= {"models": ModelsPlan(features=("area", "race"), protected=first.protected)}
        changes |= {"remedies": (PlainPlan(),)}
    return plan.model_copy(update=changes)


def attacked_pair(seed: int, *, apart: bool = False) -> Leaks | None:
    """Make two reports and attack them together; None where the data do not allow it."""
    case = _harder(simply_drawn(seed))
    forms = [form for form in case.plan.presets if "amounts" not in form.columns]
    case = replace(case, plan=case.plan.model_copy(update={"remedies": (), "models": None, "presets": tuple(forms)}))
    if case.plan.decision.amount:
        return None
    second, leaks = second_of(case), Leaks(seed)
    try:
        earlier = run(case.plan, table=case.frame)
        if not apart:
            second = with_published(second, [earlier])
        later = run(second, table=case.frame, published=() if apart else [earlier])
        pairs = [documents(earlier), (json.loads(to_json(later)), _plain(later))]
    except (DisclosureError, FairauditError):
        return None
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


def main() -> None:
    """Attack many pairs and print what was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 100), metavar=("FIRST", "END"))
    parser.add_argument("--apart", action="store_true", help="let the second know nothing of the first")
    options = parser.parse_args()
    found, began = [], time.process_time()
    for seed in range(*options.seeds):
        leaks = attacked_pair(seed, apart=options.apart)
        if leaks is None:
            continue
        found.append(leaks)
        if leaks.found:
            sys.stdout.write(f"{(seed, KINDS[seed % len(KINDS)], leaks.exact[:2], leaks.narrow[:2])}\n")
    sys.stdout.write(f"{summary(found)}\n{time.process_time() - began:.0f} s\n")


if __name__ == "__main__":
    main()
