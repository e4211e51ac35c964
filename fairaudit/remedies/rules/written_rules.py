"""Rules that a person wrote, read against the features of a study."""

from __future__ import annotations

from collections.abc import Sequence

from fairaudit.conditions import Condition
from fairaudit.conditions.names import AnyNames, Names
from fairaudit.errors import ConditionError, InputError, near_names, quote
from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.study.rows import Study


def read_rules(study: Study, texts: Sequence[str]) -> RuleSet:
    """Read rules from text."""
    try:
        return RuleSet.of_conditions(texts, study.X, outcome=study.facts.positive_meaning)
    except ConditionError as error:
        _refuse_other_columns(study, error.text)
        raise


def _refuse_other_columns(study: Study, text: str) -> None:
    """Refuse a rule that cannot be read because it uses a column that is no feature, and name the features."""
    try:
        used = Condition.parse(text, AnyNames()).columns
    except ConditionError:
        return
    names = Names(study.X)
    missing = next((name for name in used if names.find(name) is None), None)
    if missing is not None:
        raise InputError(
            f"The rule {quote(text)} uses {quote(missing)}, which is not among the features of the models.",
            hint=near_names(missing, study.facts.features),
        )
