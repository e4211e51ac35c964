"""A number that a person types, with a point or with a comma before its decimals."""

from __future__ import annotations

import math

from streamlit.delta_generator import DeltaGenerator

from fairaudit.errors import quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from ui.text import literal
from ui.widgets import start


def type_number(
    place: DeltaGenerator,
    label: str,
    key: str,
    value: float | None,
    *,
    low: float,
    high: float,
    example: str,
    help: str | None = None,
) -> float | None:
    """Draw the field and return its number; None where it is empty, or not right, which is said below it."""
    first = "" if value is None else f"{value:.10g}"
    field = place.text_input(label, placeholder=f"such as {example}", max_chars=40, key=start(key, first), help=help)
    text = field.strip()
    number = read_number(text)
    if text and (number is None or not low <= number <= high):
        place.warning(
            literal(
                say(
                    Message(
                        "searches-typed-wrong",
                        {
                            "label": Phrase(label),
                            "low": Phrase(f"{low:g}"),
                            "high": Phrase(f"{high:g}"),
                            "text": Phrase(quote(text, limit=40)),
                            "example": Phrase(example),
                        },
                    )
                )
            )
        )
        return None
    return number


def read_number(text: str) -> float | None:
    """Return the number that a text says with a decimal point or a decimal comma; None where it says none.

    Examples
    --------
    >>> read_number("52,37"), read_number("-0.1278"), read_number("5.2,3")
    (52.37, -0.1278, None)
    """
    try:
        number = float(text.strip().replace("\N{MINUS SIGN}", "-").replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) else None
