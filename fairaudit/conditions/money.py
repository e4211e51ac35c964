"""Amounts of money that stand in a table as texts, with a sign or a code such as € or EUR."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

MARK = (
    "([A-Z]{0,3}[$£€¥₹₺₴₽]|EUR|[Ee]uros?|USD|GBP|CHF|SFr\\.?|Fr\\.|SEK|NOK|DKK|ISK|[Kk]r\\.?|PLN|zł|CZK|Kč|HUF|Ft|RON|lei|BGN"
    "|лв\\.?|TRY|UAH|JPY|CAD|AUD|NZD|INR)"
)
"""The pattern of a sign or a code of money."""
_SIGN = "[+\u2212-]?"
# Swiss and Dutch amounts may end in a stroke: 1'850.- and 1.850,-
_AMOUNT = "[0-9]([0-9.,'\u2019 \u00a0\u202f]*[0-9])?([.,][-\u2013\u2014])?"
_GAP = "[ \u00a0\u202f]?"
_END = "[\\s\u00a0\u202f]*"
MONEY = f"{_END}{_SIGN}({MARK}{_GAP}{_SIGN}{_AMOUNT}|{_AMOUNT}{_GAP}{MARK}){_END}"
"""The pattern of such an amount, as Python and the embedded database both read it."""

_MONEY = re.compile(MONEY)


def is_money(value: Any) -> bool:
    """Say whether a value is an amount with a sign or a code of money before or after it.

    Examples
    --------
    >>> [text for text in ("EUR 1.850,00", "€ 2,310", "1 850 kr", "1'850.- CHF", "1850", "Euro") if is_money(text)]
    ['EUR 1.850,00', '€ 2,310', '1 850 kr', "1'850.- CHF"]
    """
    return isinstance(value, str) and _MONEY.fullmatch(value) is not None


def are_money(values: Iterable[Any]) -> bool:
    """Say whether more than half of the texts among some values, blank ones aside, are such amounts.

    Examples
    --------
    >>> are_money(["EUR 1.850,00", "€ 2,310", "?", " ", None]), are_money(["1850", "€ 5"]), are_money([])
    (True, False, False)
    """
    texts = [value for value in values if isinstance(value, str) and value.strip()]
    return 2 * sum(map(is_money, texts)) > len(texts)
