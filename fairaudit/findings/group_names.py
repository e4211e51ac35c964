"""What groups of people are called that nobody named beforehand."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.disclosure.fields import figure
from fairaudit.findings.message import Argument


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
