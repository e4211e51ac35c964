"""Constraints whose groups follow the values that they name to another spelling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fairaudit.estimators.constraints import FairnessSpec, parse_specs
from fairaudit.remedies.constrain.plan import ConstrainPlan
from ui.data.spellings import Spelling
from ui.remedies.constrain.draft import ConstraintDraft


def respelled(asked: ConstrainPlan | ConstraintDraft, spelling: Spelling) -> ConstrainPlan | ConstraintDraft:
    """Return a remedy, or what its page works on, with groups in the spelling of their columns."""
    if isinstance(asked, ConstrainPlan):
        specs = _specs((spec for text in asked.constraints for spec in parse_specs(text)), spelling)
        return asked.model_copy(update={"constraints": tuple(map(str, specs))})
    names = (spelling.group_name(asked.columns, name) for name in asked.kept or ())
    return replace(
        asked,
        specs=_specs(asked.specs, spelling),
        undo=[_specs(specs, spelling) for specs in asked.undo],
        conditions=_named(asked.conditions, spelling),
        where=spelling.condition(asked.where),
        kept=None if asked.kept is None else tuple(dict.fromkeys(names)),
    )


def _specs(specs: Iterable[FairnessSpec], spelling: Spelling) -> tuple[FairnessSpec, ...]:
    return tuple(dict.fromkeys(_spec(spec, spelling) for spec in specs))


def _spec(spec: FairnessSpec, spelling: Spelling) -> FairnessSpec:
    named = spec.conditions or ()
    groups = dict(_named(named, spelling))
    # Two groups that became one cannot be compared: that stays as it is, to be corrected.
    return replace(spec, groups=groups) if groups and len(groups) == len(named) else spec


def _named(groups: Iterable[tuple[str, str]], spelling: Spelling) -> tuple[tuple[str, str], ...]:
    """Return groups that are named conditions; one that is called as it is written is called so still."""
    found = []
    for name, text in groups:
        follows = spelling.condition(text)
        found.append((follows if name == text else name, follows))
    return tuple(found)
