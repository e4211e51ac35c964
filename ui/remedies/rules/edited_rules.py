"""A rule set that a person edits by hand: what it is now, what it was before each change, and what was refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fairaudit.errors import FairauditError
from fairaudit.estimators.rules import RuleSet
from fairaudit.estimators.rules.literals import Literal

_MOST_UNDO = 100


@dataclass
class RulesEdit:
    """The rules of a result, changed by hand. A change that cannot be made is refused and changes nothing.

    Parameters
    ----------
    found : RuleSet
        The rules of the result.
    rules : RuleSet
        The rules as they are now.
    undo : list of RuleSet
        What `rules` was before each change.
    refused : FairauditError, optional
        Why the last change was not made.
    """

    found: RuleSet
    rules: RuleSet
    undo: list[RuleSet] = field(default_factory=list)
    refused: FairauditError | None = None

    @classmethod
    def of(cls, rules: RuleSet) -> RulesEdit:
        """Return the edit of rules that are not changed yet."""
        return cls(rules, rules)

    @property
    def is_changed(self) -> bool:
        """Whether the rules are others than those of the result."""
        return self.rules != self.found

    def drop_rule(self, rule: int) -> None:
        """Take a rule away; rules are counted from 0."""
        self._change(lambda: self.rules.drop(rule))

    def drop_condition(self, rule: int, literal: Literal) -> None:
        """Take a condition of a rule away, and with the last one the rule."""
        if len(self.rules.literals_of(rule)) == 1:
            self.drop_rule(rule)
        else:
            self._change(lambda: self.rules.without_literal(rule, literal))

    def add_conditions(self, rule: int | None, literals: tuple[Literal, ...]) -> None:
        """Add conditions to a rule, or a rule that is made of them after the last one (None)."""

        def made() -> RuleSet:
            if rule is None:
                return self.rules.with_rule(literals)
            rules = self.rules
            for literal in literals:
                rules = rules.with_literal(rule, literal)
            return rules

        self._change(made)

    def take_back(self) -> None:
        """Undo the last change."""
        self.refused = None
        if self.undo:
            self.rules = self.undo.pop()

    def reset(self) -> None:
        """Go back to the rules of the result."""
        self._change(lambda: self.found)

    def _change(self, made: Callable[[], RuleSet]) -> None:
        self.refused = None
        try:
            rules = made()
        except FairauditError as error:
            self.refused = error
            return
        if rules != self.rules:
            self.undo = [*self.undo[1 - _MOST_UNDO :], self.rules]
            self.rules = rules
