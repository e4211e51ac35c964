"""Connections that an administrator named: where they lead, and in which environment variables their secrets are.

A file of connections holds no secret. It is TOML, such as::

    [connections.hr]
    url = "postgresql://db.example.org/personnel"
    user = "HR_USER"
    password = "HR_PASSWORD"
    tables = ["audit.decisions", "audit.pay"]

``user`` and ``password`` are names of environment variables. Who may read which tables is for the database to say;
``tables`` only says which are offered.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fairaudit.columns import ReadOptions
from fairaudit.data.engines.answers import EngineAnswers
from fairaudit.data.engines.connect import ENGINES, open_door, open_table
from fairaudit.data.engines.door import DEFAULT_TIMEOUT, Door, NamedDoor
from fairaudit.data.engines.table import ConnectedTable
from fairaudit.data.prepare import with_what_rows_are
from fairaudit.errors import ConnectError, near_names, quote
from fairaudit.settings import CONNECTIONS

if TYPE_CHECKING:
    from sqlalchemy import URL

PREFIX = "connection:"
"""What a plan's source and the command line write before the name of a connection."""

_FIELDS = ("url", "user", "password", "timeout", "tables")
# What may stand after '?' in an address; of all the others some hold secrets, or name files that do.
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "postgresql": (
        "application_name", "channel_binding", "connect_timeout", "gssencmode", "host", "hostaddr", "options", "port",
        "sslcert", "sslcrl", "sslkey", "sslmode", "sslnegotiation", "sslrootcert", "target_session_attrs",
    ),
}  # fmt: skip
_HINT = 'Write for example: [connections.hr] url = "postgresql://host/database" password = "HR_PASSWORD"'


@dataclass(frozen=True)
class NamedConnection:
    """A connection under the name that it is chosen by.

    Parameters
    ----------
    name : str
        The name; in plans, reports and pages this is all that is shown.
    url : str
        The address, without a password.
    user : str, optional
        The environment variable that holds the user; without it the address says it.
    password : str, optional
        The environment variable that holds the password.
    timeout : float
        Seconds that a question may take.
    tables : tuple of str
        The tables that are offered; empty for all that may be read.
    """

    name: str
    url: str
    user: str | None = None
    password: str | None = None
    timeout: float = DEFAULT_TIMEOUT
    tables: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"NamedConnection({self.name!r})"


def read_connections(source: str | Mapping[str, object]) -> tuple[NamedConnection, ...]:
    r"""Read connections from TOML or from a mapping of the same form.

    Examples
    --------
    >>> [found] = read_connections('[connections.hr]\nurl = "sqlite:///hr.sqlite"')
    >>> found.name
    'hr'
    """
    content = _parsed(source) if isinstance(source, str) else source
    found = content.get("connections", content)
    if not isinstance(found, Mapping):
        raise ConnectError("The connections must be tables named [connections.NAME].", hint=_HINT)
    return tuple(_read(str(name), fields) for name, fields in found.items())


def named_connections() -> tuple[NamedConnection, ...]:
    """Return the connections of the file that the environment variable FAIRAUDIT_CONNECTIONS names."""
    path = CONNECTIONS.text
    if not path:
        return ()
    text = None
    with suppress(OSError, UnicodeDecodeError):
        text = Path(path).read_text(encoding="utf-8")
    if text is None:
        raise ConnectError(
            f"The file of connections {quote(path)} cannot be read.",
            hint=f"Look at the variable {CONNECTIONS.variable}.",
        )
    return read_connections(text)


def find_connection(name: str) -> NamedConnection:
    """Return a connection of :func:`named_connections` by name."""
    known = {connection.name: connection for connection in named_connections()}
    if name in known:
        return known[name]
    hint = (
        near_names(name, known)
        if known
        else f"Name a file of connections in the environment variable {CONNECTIONS.variable}."
    )
    raise ConnectError(f"There is no connection {quote(name)}.", hint=hint)


def open_connection(
    named: NamedConnection,
    *,
    table: str | None = None,
    query: str | None = None,
    met: Callable[[Door], None] | None = None,
    options: ReadOptions | None = None,
) -> ConnectedTable:
    """Open a table or query of a named connection."""
    address = _address(named)
    opened = open_table(
        address,
        table=table,
        query=query,
        timeout=named.timeout,
        connection=named.name,
        met=met,
        options=options,
    )
    door = NamedDoor(lambda: open_door(_address(named), timeout=named.timeout))
    opened = opened.through(lambda answers: EngineAnswers(door, answers.writer, opened.n_rows))
    return opened if options is None else with_what_rows_are(opened, options)


def has_rules(named: NamedConnection) -> bool:
    """Say whether the kinds of columns are found by rules of ours, as in a file, and not said by the engine."""
    return named.url.startswith("sqlite")


def list_tables(named: NamedConnection, *, met: Callable[[Door], None] | None = None) -> tuple[str, ...]:
    """Return the tables and views of a connection that are offered."""
    if named.tables:
        return named.tables
    door = open_door(_address(named), timeout=named.timeout)
    if met is not None:
        met(door)
    return door.tables()


def _parsed(text: str) -> dict[str, object]:
    # Not TOML, a number of thousands of digits, or brackets that are nested too deeply.
    with suppress(ValueError, RecursionError):
        return tomllib.loads(text.removeprefix("\ufeff"))
    # Raised out here: the parser's error would show the line.
    raise ConnectError("The file of connections is not valid TOML.", hint=_HINT)


def _read(name: str, fields: object) -> NamedConnection:
    if not isinstance(fields, Mapping) or not isinstance(fields.get("url"), str):
        raise ConnectError(f"Connection {quote(name)} needs a 'url'.", hint=_HINT)
    unknown = next((field for field in fields if field not in _FIELDS), None)
    if unknown is not None:
        raise ConnectError(
            f"Connection {quote(name)} has the unknown field {quote(unknown)}.", hint=f"Known are {', '.join(_FIELDS)}."
        )
    url = _plain_url(name, fields["url"])
    variables = {field: fields.get(field) for field in ("user", "password")}
    for field, variable in variables.items():
        if variable is not None and not (isinstance(variable, str) and variable.isidentifier()):
            # Not shown: someone may have written the secret itself.
            raise ConnectError(
                f"{field!r} of connection {quote(name)} must be the name of an environment variable.", hint=_HINT
            )
    timeout, tables = fields.get("timeout", DEFAULT_TIMEOUT), fields.get("tables", ())
    if not isinstance(timeout, (int, float)) or isinstance(timeout, bool) or not 0 < timeout <= 86_400:
        raise ConnectError(f"'timeout' of connection {quote(name)} must be a number of seconds, at most 86,400.")
    if not isinstance(tables, (list, tuple)) or not all(isinstance(table, str) for table in tables):
        raise ConnectError(f"'tables' of connection {quote(name)} must be a list of names.")
    return NamedConnection(name, url, timeout=float(timeout), tables=tuple(tables), **variables)


def _plain_url(name: str, text: str) -> str:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    url = None
    with suppress(ArgumentError, ValueError):
        url = make_url(text)
    if url is None or url.get_backend_name() not in ENGINES:
        raise ConnectError(
            f"The address of connection {quote(name)} must start with {', '.join(f'{e}:' for e in ENGINES)}.",
            hint=_HINT,
        )
    if url.password is not None or any("password" in key.lower() for key in url.query):
        raise ConnectError(
            f"The address of connection {quote(name)} holds a password.",
            hint="Put the password into an environment variable and write its name as 'password'.",
        )
    allowed = _OPTIONS.get(url.get_backend_name(), ())
    if not set(url.query) <= set(allowed):
        # Its name is not shown: of an address with a secret in a wrong place, that may be the secret.
        raise ConnectError(
            f"The address of connection {quote(name)} has an option that is not taken.",
            hint=f"After '?' may stand {', '.join(allowed)}." if allowed else "Write it without what stands after '?'.",
        )
    return text


def _address(named: NamedConnection) -> URL:
    """Return the whole address, with what the environment holds."""
    from sqlalchemy import make_url

    user, password = _from_environment(named, "user", named.user), _from_environment(named, "password", named.password)
    return make_url(named.url).set(username=user, password=password)


def _from_environment(named: NamedConnection, field: str, variable: str | None) -> str | None:
    """Return what a variable of the environment holds; None where the connection names none."""
    if variable is None:
        return None
    value = os.environ.get(variable)
    if not value:
        # Not shown: someone may have written the secret itself.
        raise ConnectError(
            f"The environment variable that {field!r} of connection {quote(named.name)} names is not set.",
            hint="Set it where the program is started; the file holds the name of the variable, not the secret.",
        )
    return value
