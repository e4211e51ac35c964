"""The models of an audit's remedies, each once: those without a remedy, and the remedies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from fairaudit.remedies.kind import RemedyKind
from fairaudit.remedies.registry import REMEDIES, kind_of
from fairaudit.study.findings import RemediesFinding
from fairaudit.study.judging.results import Evaluation, Yardstick


def judged(finding: RemediesFinding) -> list[tuple[str, Evaluation | Yardstick, bool]]:
    """Return each model once: those without a remedy that remedies are compared with, then all remedies.

    A model without a remedy whose figures are those of another one is that one under another name, and left out.
    """
    seen = {_figures(remedy.after) for remedy in finding.remedies}
    times: Counter[str] = Counter()
    found: list[tuple[str, Evaluation | Yardstick, bool]] = []
    for remedy in finding.remedies:
        rivals: list[tuple[str, Evaluation | Yardstick, bool]] = [(remedy.before.name, remedy.before, False)]
        rivals += [(each.name, each, each.kind.startswith("by_group")) for each in remedy.yardsticks]
        for name, model, needs_group in rivals:
            if _figures(model) not in seen:
                seen.add(_figures(model))
                times[name] += 1
                # Cut anew for each remedy, as each keeps to a limit of its own.
                found.append((name if times[name] == 1 else f"{name}, no. {times[name]}", model, needs_group))
    return [*found, *((remedy.name, remedy.after, bool(remedy.needs_group)) for remedy in finding.remedies)]


def labels(finding: RemediesFinding) -> dict[str, str]:
    """Return what each model is numbered with, by its name: remedies as in the plan, the others with letters.

    Examples
    --------
    >>> letters(0), letters(25), letters(26)
    ('A', 'Z', 'AA')
    """
    numbers = {remedy.name: str(number) for number, remedy in enumerate(finding.remedies, start=1)}
    others = [name for name, _, _ in judged(finding) if name not in numbers]
    return numbers | {name: letters(place) for place, name in enumerate(others)}


def letters_of(finding: RemediesFinding) -> dict[str, str]:
    """Return the letter that each model has in a table and in its picture, by its name."""
    return {name: letters(place) for place, (name, _, _) in enumerate(judged(finding))}


def letters(place: int) -> str:
    """Return A, B, ... Z, AA, AB, ... for 0, 1, ..."""
    first, last = divmod(place, 26)
    return (letters(first - 1) if first else "") + chr(ord("A") + last)


def by_kind(findings: Iterable[Any]) -> list[tuple[RemedyKind, list[Any]]]:
    """Return the findings of each kind of remedy that is among them, in the order of the registry."""
    grouped = [(kind, [each for each in findings if kind_of(each.plan) is kind]) for kind in REMEDIES]
    return [(kind, found) for kind, found in grouped if found]


def learned(finding: RemediesFinding) -> bool:
    """Say whether any model was fitted; thresholds on the score that the data hold need none."""
    return any(getattr(remedy.plan, "model", None) != "score" for remedy in finding.remedies)


def _figures(evaluation: Evaluation | Yardstick) -> str:
    # As text, so that figures that are not defined are the same.
    return repr([float("nan") if m.value is None else float(m.value) for m in evaluation.measures])
