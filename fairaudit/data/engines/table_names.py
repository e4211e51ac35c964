"""Names of tables, with their schema, as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairaudit.data.writing import Dialect
from fairaudit.errors import ConnectError, quote

_SYSTEM: dict[Dialect, tuple[str, ...]] = {
    "postgres": ("pg_",),
    "sqlite": ("sqlite_", "pragma_", "dbstat"),
    "duckdb": ("duckdb_", "pragma_", "sqlite_", "pg_"),
    "spark": (),
}


# Of a name: a part in double quotes, in which a quote is doubled, or one without any.
_PART = re.compile(r'"(?:[^"]|"")*"|[^".]+')
_WHOLE = re.compile(rf"(?:{_PART.pattern})(?:\.(?:{_PART.pattern}))*", re.DOTALL)


def split_name(name: str) -> tuple[str, ...]:
    """Split the name of a table at its dots, except between double quotes, which enclose whole parts.

    Examples
    --------
    >>> split_name('staff."pay 2.0"')
    ('staff', 'pay 2.0')
    """
    parts = [quoted[1:-1].replace('""', '"') if (quoted := found[0]).startswith('"') else quoted
             for found in _PART.finditer(name)]  # fmt: skip
    if not _WHOLE.fullmatch(name) or len(parts) > 3 or not all(parts) or "\0" in name:
        hint = 'Write table or schema.table, or "name with a .".'
        if '"' in name:
            hint = f'Write {join_name([name])} if it is the name of a table; or schema.table, or "name with a .".'
        raise ConnectError(f"{quote(name)} is not the name of a table.", hint=hint)
    return tuple(parts)


def join_name(parts: Sequence[str]) -> str:
    """Return names as :func:`split_name` reads them.

    Examples
    --------
    >>> join_name(["staff", "pay 2.0"])
    'staff."pay 2.0"'
    """
    return ".".join('"' + p.replace('"', '""') + '"' if "." in p or '"' in p else p for p in parts)


def is_system_table(parts: Sequence[str], dialect: Dialect) -> bool:
    """Say whether a name is that of a table in which a database describes itself: its users, settings, tables.

    Examples
    --------
    >>> is_system_table(["pg_roles"], "postgres"), is_system_table(["staff", "people"], "postgres")
    (True, False)
    """
    *before, name = (part.lower() for part in parts)
    if any(schema == "information_schema" or schema.startswith("pg_") for schema in before):
        return True
    # PostgreSQL looks there first only for names without a schema.
    return name.startswith(_SYSTEM[dialect]) and not (dialect == "postgres" and before)
