"""What the parts of a question, and groups that nobody named beforehand, are called in sentences."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.disclosure.fields import figure, setting
from fairaudit.findings.message import REST, Argument, Group, Message, Phrase


@dataclass(frozen=True)
class Names:
    """Groups as plurals, and what is said of them.

    Parameters
    ----------
    protected : Argument
        The people the audit asks about: "women".
    others : Argument
        All others in the comparison: "men", or everyone else.
    verb : Argument
        What is said of people with the favourable result, or of those who got an amount: "were approved", "were paid".
    of_unfavorable : bool
        Whether that is said of the people without the favourable result: "were searched".
    what : Argument
        What an amount is, where the verb does not say it: "pay"; else empty.
    similar : Argument, optional
        How cases are alike within the strata: "at similar incomes"; None without strata.
    """

    protected: Argument = setting()
    others: Argument = setting()
    verb: Argument = setting()
    of_unfavorable: bool = setting(default=False)
    what: Argument = setting(default=Phrase(""))
    similar: Argument | None = setting(default=None)


UNNAMED = Names(Phrase("protected"), Group(REST), Phrase(""))
"""The groups of a question that gives them no names."""


@dataclass(frozen=True)
class SearchNames:
    """What is said of people in a search for worst groups.

    Parameters
    ----------
    verb : Argument
        What is said of people with the favourable result, or of those who got an amount: "were approved", "were paid".
    of_unfavorable : bool
        Whether that is said of the people without the favourable result: "were searched".
    what : Argument
        What an amount is, where the verb does not say it: "pay"; else empty.
    favorable, unfavorable : Argument
        What is said of people with either result after who they are, "with a new offence"; empty for amounts.
    flagged : Argument
        What is said of people whom the prediction warns of: "were flagged".
    """

    verb: Argument = setting()
    of_unfavorable: bool = setting(default=False)
    what: Argument = setting(default=Phrase(""))
    favorable: Argument = setting(default=Phrase(""))
    unfavorable: Argument = setting(default=Phrase(""))
    flagged: Argument = setting(default=Phrase(""))


@dataclass(frozen=True)
class ErrorNames:
    """What outcomes, predictions and groups are called where errors are compared.

    Parameters
    ----------
    happened, not_happened : Argument
        What is said of people with the outcome that is warned of, and of those without: "reoffended".
    flagged : Argument
        What is said of people who are warned of: "were rated high risk".
    groups : tuple of tuple of str
        Groups and who is in them, as a plural: "women".
    protected : tuple of str
        Groups that questions of the audit ask about.
    when : str
        In words, for whom the outcome that is warned of is predicted; empty without a prediction.
    """

    happened: Argument = setting(default=Message("errors-happened"))
    not_happened: Argument = setting(default=Message("errors-not-happened"))
    flagged: Argument = setting(default=Message("errors-flagged"))
    groups: tuple[tuple[str, str], ...] = setting(default=())
    protected: tuple[str, ...] = setting(default=())
    when: str = setting(default="")


@dataclass(frozen=True)
class GroupName:
    """What the people who meet a condition are called.

    Parameters
    ----------
    said : Argument
        A plural: "men under 25", or "people whose sex is male".
    label : Argument
        The same in a few words, beside a row: "male, under 25".
    n_clauses : int
        How many conditions the plural tells by column and value, as nobody has said what these people are called.
    """

    said: Argument = figure()
    label: Argument = figure()
    n_clauses: int = figure()
