"""One word for each measure that groups are compared by, and what others call it.

Constraints, rules, trees, searches, plans, options and forms take their choices from here. A word of before, or of
another class, is read with a warning that says the word of today; that of another package is refused with a hint.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeVar, cast, get_args

from fairaudit.errors import near_names, nearest, quote

Differences = Literal["error_rate", "demographic_parity", "fpr", "fnr", "for_", "fdr"]
"""What a constraint may limit the differences of."""
Floors = Literal["selection_rate", "tpr", "tnr", "accuracy", "ppv", "npv"]
"""What a constraint may set a floor under in each group."""
AlikeInRules = Literal["equalized_odds", "equal_opportunity", "fpr", "demographic_parity", "error_rate"]
"""What a rule set may have alike."""
AlikeInTrees = Literal["demographic_parity", "four_fifths", "equal_opportunity", "equalized_odds"]
"""What a tree may have alike."""
Searched = Literal["selection", "fpr", "fnr", "fdr", "for_", "accuracy", "mean"]
"""What a search for the worst groups compares."""

RATES: Final[Mapping[str, tuple[Differences, ...]]] = {
    "demographic_parity": ("demographic_parity",),
    "four_fifths": ("demographic_parity",),
    "equal_opportunity": ("fnr",),
    "equalized_odds": ("fpr", "fnr"),
    "predictive_parity": ("for_", "fdr"),
    "error_rate": ("error_rate",),
    "fpr": ("fpr",),
    "fnr": ("fnr",),
    "for_": ("for_",),
    "fdr": ("fdr",),
}
"""By what must be alike, the rates that are compared between groups."""

ONE_GAP: Final = (
    ("demographic_parity", "selection_rate", "selection"),
    ("fnr", "equal_opportunity", "tpr"),
    ("fpr", "tnr"),
    ("error_rate", "accuracy"),
    ("fdr", "ppv"),
    ("for_", "npv"),
)
"""Words for the same gap: a rate, its complement, and what it is called where it must be alike."""

TURNED: Final[Mapping[str, str]] = {
    "tpr": "fnr",
    "equal_opportunity": "fnr",
    "tnr": "fpr",
    "error_rate": "accuracy",
    "ppv": "fdr",
    "npv": "for_",
}
"""Words for the same gap that are 1 minus what a search compares, which has a direction."""

FORMER: Final[Mapping[str, str]] = {
    "sp": "demographic_parity",
    "mr": "error_rate",
    "for": "for_",
    "statistical_parity": "demographic_parity",
    "false_positive_rate": "fpr",
}
"""What saved plans and programs may still say, and the word of today."""

ELSEWHERE: Final[Mapping[str, str]] = {
    "disparate_impact": "demographic_parity",
    "mean": "demographic_parity",
    "ppr": "demographic_parity",
    "pprev": "demographic_parity",
    "predicted_positive_rate": "demographic_parity",
    "impact": "demographic_parity",
    "true_positive_rate": "equal_opportunity",
    "recall": "equal_opportunity",
    "false_negative_rate": "fnr",
    "type_ii": "fnr",
    "true_negative_rate": "tnr",
    "type_i": "fpr",
    "false_omission_rate": "for_",
    "false_discovery_rate": "fdr",
    "precision": "ppv",
    "positive_predictive_value": "ppv",
    "negative_predictive_value": "npv",
    "average_odds": "equalized_odds",
    "average_abs_odds": "equalized_odds",
    "zero_one": "error_rate",
}
"""What fairlearn, AIF360 and Aequitas call it, without what they end with."""

_ENDING: Final = re.compile(r"_(difference|diff|ratio|disparity|parity|score|loss)$")

OURS: Final = frozenset((*RATES, *get_args(Floors), "selection"))

Choice = TypeVar("Choice", bound=str)


def read_word(word: Choice, allowed: Iterable[str], *, warn: bool = True) -> Choice:
    """Return a word as one of those that are allowed; what is neither one of today nor of before stays as it is.

    Warns
    -----
    FutureWarning
        If it is called otherwise today, or here.

    Examples
    --------
    >>> read_word("statistical_parity", ["demographic_parity"], warn=False), read_word("parity", ["fpr"])
    ('demographic_parity', 'parity')
    """
    if word in (among := tuple(allowed)) or not (word in FORMER or word in OURS):
        return word
    meant = FORMER.get(word, word)
    found = _as_here(meant, among)
    if found is None or _is_turned(meant, found, among):
        return word
    if warn:
        is_former = FORMER.get(word) == found
        said = f"{quote(word)} is {'now' if is_former else 'called'} {quote(found)}{'' if is_former else ' here'}."
        warnings.warn(said, FutureWarning, stacklevel=3)
    return cast("Choice", found)


def hint_on(word: object, allowed: Iterable[str]) -> str | None:
    """Return what a word of another package, or one that is misspelled, is called here; None where nobody knows.

    Examples
    --------
    >>> hint_on("DemographicParity", ["demographic_parity"]), hint_on("fdr_disparity", ["fdr"])
    ("'DemographicParity' is called 'demographic_parity' here.", "'fdr_disparity' is called 'fdr' here.")
    >>> hint_on("equalised_odds", ["equalized_odds"])
    "Did you mean 'equalized_odds'?"
    """
    if not isinstance(word, str):
        return None
    among = tuple(allowed)
    stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[\s-]+", "_", word.strip()).lower()
    while True:
        meant = FORMER.get(stem) or ELSEWHERE.get(stem) or (stem if stem in OURS else None)
        if meant is not None and (found := _as_here(meant, among)) is not None:
            if _is_turned(meant, found, among):
                return f"{quote(word)} is 1 minus {quote(found)}."
            return f"{quote(word)} is called {quote(found)} here."
        shorter = _ENDING.sub("", stem)
        if shorter == stem:
            break
        stem = shorter
    return near_names(word, among) if nearest(word, among) else None


def _as_here(word: str, allowed: tuple[str, ...]) -> str | None:
    """Return the allowed word for the same gap; None where there is none."""
    same = next((words for words in ONE_GAP if word in words), ())
    return next((each for each in (word, *same) if each in allowed), None)


def _is_turned(word: str, found: str, allowed: tuple[str, ...]) -> bool:
    """Say whether a word is 1 minus the one found, where what is allowed is searched in a direction."""
    return "selection" in allowed and TURNED.get(word) == found
