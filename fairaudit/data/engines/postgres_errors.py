"""What PostgreSQL and psycopg complain about, in sentences that hold none of their words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairaudit.conditions.engines.postgres import NO_REMAINDER
from fairaudit.data.engines.door import gone
from fairaudit.errors import ConnectError, FairauditError, InputError

if TYPE_CHECKING:
    from fairaudit.data.engines.door import Door

# Words of a refusal to connect, for which the client library has no code.
_REFUSALS = (
    (("password authentication failed", "no password supplied", "authentication failed", "28P01"),
     "The database refuses the user or the password.",
     "Look at the environment variables that hold them."),
    (("no pg_hba.conf entry", "is not permitted to log in"),
     "The database does not let this user in from this machine.",
     "Ask the administrator of the database for access."),
    (("does not exist",),
     "The database, or the user, does not exist on this server.",
     "Look at the name of the database in the address."),
    (("too many connections", "remaining connection slots"),
     "The database has no free connection.",
     "Try again later, or ask the administrator for more connections."),
    (("SSL", "certificate"),
     "The encrypted connection to the database cannot be made.",
     "Look at sslmode in the address, or ask the administrator."),
    (("invalid connection option", "invalid integer value", "invalid sslmode value", "invalid port number",
      "definition of service"),
     "The address of the database has a part that cannot be used.",
     "Look at its port and at the options after '?'."),
    (("starting up", "shutting down", "in recovery"),
     "The database is starting or stopping.",
     "Try again in a minute."),
)  # fmt: skip
_AWAY = ("refused", "timeout", "timed out", "resolve", "translate host", "unreachable", "No route", "No such file",
         "closed the connection", "reset by peer")  # fmt: skip


def connect_failure(error: Any) -> ConnectError:
    """Return the sentence for a connection that could not be made."""
    text = str(error)
    for words, message, hint in _REFUSALS:
        if any(word in text for word in words):
            return ConnectError(message, hint=hint)
    if any(word in text for word in _AWAY):
        return ConnectError(
            "The database cannot be reached.", hint="Look at host and port, and whether the server runs."
        )
    # A server that speaks another language.
    return ConnectError("The database refuses the connection.", hint="Look at user, password and database.")


def question_failure(error: Any, door: Door) -> FairauditError:
    """Return the sentence for a question that the server did not answer."""
    code = getattr(error, "sqlstate", None) or ""
    found = _CODES.get(code) or _CLASSES.get(code[:2])
    match code:
        case "57014":
            return door.too_long()
        case "42P01" | "3F000":
            return gone("table")
        case "42703":
            return gone("column")
        case "22P02" if NO_REMAINDER in str(error):
            return InputError(
                "PostgreSQL computes a remainder (%) only of whole numbers and of parts such as halves and quarters.",
                hint="Leave % out of the condition, or round the numbers first.",
            )
        case "22003":
            return InputError(
                "A calculation leaves the range of numbers.",
                hint="Look at the arithmetic in the condition, or in the view that is read.",
            )
    if found is not None:
        return ConnectError(found[0], hint=found[1])
    if not code:
        return ConnectError("The connection to the database was lost, or an answer cannot be read.", hint="Try again.")
    return ConnectError(
        f"PostgreSQL cannot answer this question (error {code}).",
        hint="If it is a view or a query that is read, try in the database whether it works.",
    )


_CODES = {
    "42501": (
        "The database does not allow this user to read the table.",
        "Ask the administrator of the database for the right to SELECT from it.",
    ),
    "25006": ("The query tries to change something, but the connection only reads.", "Write a SELECT that only reads."),
    "42704": (
        "The database lacks something that the question needs, such as the collation und-x-icu of capital letters.",
        "Leave out lower, upper and ILIKE, or ask the administrator for a PostgreSQL with ICU.",
    ),
    "22012": (
        "The view or query that is read divides by zero for some row.",
        "Have the view mended, or leave these rows out of it.",
    ),
    "57P01": ("The database was stopped while it answered.", "Try again in a minute."),
    "53300": ("The database has no free connection.", "Try again later."),
    "22021": ("The database cannot hold a character of the condition.", "Leave the character out."),
    "22P05": ("The database cannot hold a character of the condition.", "Leave the character out."),
    "42601": ("The query cannot be read by PostgreSQL.", "Try it in the database first."),
    "42883": (
        "The query uses a function or comparison that the database does not have for these types.",
        "Try it in the database first.",
    ),
}
_CLASSES = {
    "08": ("The connection to the database was lost.", "Try again."),
    "28": ("The database refuses the user or the password.", "Look at the environment variables that hold them."),
    "53": ("The database has no room left for the question.", "Ask for fewer columns, or tell its administrator."),
}
