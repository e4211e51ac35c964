"""What the parts of a question, and groups that nobody named beforehand, are called in sentences."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.findings.message import REST, Argument, Group, Message, Phrase


@dataclass(frozen=True)
class Names:
    """Groups as plurals, and what is said of them."""

    protected: Argument = setting('The people the audit asks about: "women".')
    others: Argument = setting('All others in the comparison: "men", or everyone else.')
    verb: Argument = setting(
        'What is said of people with the favourable result, or of those who got an amount: "were approved", "were '
        'paid".'
    )
    of_unfavorable: bool = setting(
        'Whether that is said of the people without the favourable result: "were searched".', default=False
    )
    what: Argument = setting(
        'What an amount is, where the verb does not say it: "pay"; else empty.', default=Phrase("")
    )
    similar: Argument | None = setting(
        'How cases are alike within the strata: "at similar incomes"; None without strata.', default=None
    )


UNNAMED = Names(Phrase("protected"), Group(REST), Phrase(""))
"""The groups of a question that gives them no names."""


@dataclass(frozen=True)
class SearchNames:
    """What is said of people in a search for worst groups."""

    verb: Argument = setting(
        'What is said of people with the favourable result, or of those who got an amount: "were approved", "were '
        'paid".'
    )
    of_unfavorable: bool = setting(
        'Whether that is said of the people without the favourable result: "were searched".', default=False
    )
    what: Argument = setting(
        'What an amount is, where the verb does not say it: "pay"; else empty.', default=Phrase("")
    )
    favorable: Argument = setting(
        'What is said of people with either result after who they are, "with a new offence"; empty for amounts.',
        default=Phrase(""),
    )
    unfavorable: Argument = setting(AS_ABOVE, default=Phrase(""))
    flagged: Argument = setting(
        'What is said of people whom the prediction warns of: "were flagged".', default=Phrase("")
    )


@dataclass(frozen=True)
class ErrorNames:
    """What outcomes, predictions and groups are called where errors are compared."""

    happened: Argument = setting(
        'What is said of people with the outcome that is warned of, and of those without: "reoffended".',
        default=Message("errors-happened"),
    )
    not_happened: Argument = setting(AS_ABOVE, default=Message("errors-not-happened"))
    flagged: Argument = setting(
        'What is said of people who are warned of: "were rated high risk".', default=Message("errors-flagged")
    )
    groups: tuple[tuple[str, str], ...] = setting('Groups and who is in them, as a plural: "women".', default=())
    protected: tuple[str, ...] = setting("Groups that questions of the audit ask about.", default=())
    when: str = setting(
        "In words, for whom the outcome that is warned of is predicted; empty without a prediction.", default=""
    )
    similar: Argument | None = setting(
        'How cases are alike within the strata: "in the same district"; None without strata.', default=None
    )


@dataclass(frozen=True)
class GroupName:
    """What the people who meet a condition are called."""

    said: Argument = figure('A plural: "men under 25", or "people whose sex is male".')
    label: Argument = figure('The same in a few words, beside a row: "male, under 25".')
    n_clauses: int = figure(
        "How many conditions the plural tells by column and value, as nobody has said what these people are called."
    )
