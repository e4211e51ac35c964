"""The same condition written in many ways."""

from __future__ import annotations

import re

import numpy as np

from fairaudit.errors import require

LEAF = re.compile(r"(?P<name>\w+) (?P<sign>=|<>|>=) (?P<value>'\w+'|\d+)")
SIGNS = {"=": ("=", "=="), "<>": ("<>", "!="), ">=": (">=",)}
OPPOSITE = {"=": ("<>", "!="), "<>": ("=", "=="), ">=": ("<",)}
MIRRORED = {"=": "=", "<>": "<>", ">=": "<="}


def spelled(condition: str, rng: np.random.Generator) -> str:
    """Return a condition, of comparisons joined by AND or by OR, written otherwise."""
    word = next((word for word in (" AND ", " OR ") if word in condition), "")
    parts = [_leaf(part, rng) for part in (condition.split(word) if word else [condition])]
    if word:
        parts = [parts[i] for i in rng.permutation(len(parts))]
        written = str(rng.choice([word.strip(), word.strip().lower(), word.strip().title()]))
        text = str(rng.choice([f" {written} ", f"\n{written}  "])).join(parts)
        text = f"NOT(NOT ({text}))" if rng.random() < 0.2 else text
    else:
        text = parts[0]
    return f"( {text})" if rng.random() < 0.2 else text


def _leaf(text: str, rng: np.random.Generator) -> str:
    name, sign, value = require(LEAF.fullmatch(text)).groups()
    name = str(rng.choice([name, f'"{name}"', name.upper()]))
    draw = rng.random()
    if draw < 0.1 and sign != ">=":
        return f"{name} {'NOT IN' if sign == '<>' else 'in'} ({value})"
    if draw < 0.25:
        return f"{rng.choice(['NOT', 'not'])} {name}{rng.choice(OPPOSITE[sign])}{value}"
    if draw < 0.35:
        return f"{value} {MIRRORED[sign]} {name}"
    space = str(rng.choice(["", " ", "  "]))
    found = f"{name}{space}{rng.choice(SIGNS[sign])}{space}{value}"
    return f"({found})" if rng.random() < 0.3 else found
