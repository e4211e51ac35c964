"""What a condition may hold: its words, its functions and its bounds."""

from __future__ import annotations

MAX_LENGTH = 50_000
MAX_DEPTH = 20
MAX_ITEMS = 1_000
MAX_ARITHMETIC = 50

FUNCTIONS = ("lower", "upper", "trim", "length", "abs", "round", "coalesce", "extract")
EXTRACT_PARTS = ("year", "month", "day")

KEYWORDS = frozenset(
    ["and", "or", "not", "in", "between", "like", "ilike", "is", "null", "true", "false", "date", "timestamp", "from"]
)

RESERVED = frozenset(
    [
        *("select", "from", "where", "union", "with", "exists", "distinct", "any", "all", "over", "case", "when"),
        *("cast", "try_cast", "interval", "array", "struct", "glob", "similar", "escape", "collate"),
        *("insert", "update", "delete", "drop", "create", "set", "copy", "attach", "pragma"),
    ]
)

EXAMPLE = "Write for example: race <> 'White' AND age >= 25."
