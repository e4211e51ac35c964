"""What one line of a form's file may hold: a text, an address, a number, a switch."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from fairaudit.errors import InputError

LONGEST_TEXT = 2_000
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode's categories of signs that break lines, turn the direction of a text, are not seen or mean nothing."""
DRAW_NOTHING = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U00016fe4\U0001d159"
    "\U000e0100-\U000e01ef]"
)
"""Letters, marks and symbols of other categories that draw nothing: fillers, joiners and selectors of variants."""


def _plain_line(text: str) -> str:
    bad = next((c for c in text if unicodedata.category(c) in UNSEEN or DRAW_NOTHING.match(c)), None)
    if bad is not None:
        raise InputError(
            f"must be one line of plain text, but holds the sign U+{ord(bad):04X}",
            hint="Take it out, or write a blank.",
        )
    return text


def _address_of_a_page(url: str) -> str:
    if not re.fullmatch(r"https?://\S+", url):
        raise InputError("must be the address of a page", hint='Begin with https://, as in url = "https://...".')
    return url


Filled = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TEXT), AfterValidator(_plain_line)
]
Address = Annotated[Filled, AfterValidator(_address_of_a_page)]
Switch = Annotated[bool, Field(strict=True)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Share = Annotated[Number, Field(ge=0, le=1)]
