"""A query that a person wrote: let through only if it is one SELECT that reads.

The text is parsed, every part of its tree is looked at, and what is sent is printed from the tree: nothing that the
parser did not see can reach the engine. Functions are let through by name; a name that is not listed may do anything.
"""

from __future__ import annotations

import re

from sqlglot import exp, tokenize
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.tokens import TokenType

from fairaudit.data.writing import Dialect
from fairaudit.errors import ConnectError, quote

MAX_LENGTH = 20_000
_NAME = re.compile(r"[^\W\d][\w$#]*")

_NAMES = """
abs acos asin atan atan2 avg btrim case cast cbrt ceil ceiling char_length character_length coalesce concat concat_ws
corr cos count count_if covar_pop covar_samp cume_dist current_date current_timestamp date date_add date_diff date_part
date_sub date_trunc datediff dayofmonth dayofweek dayofyear day day_of_month day_of_week day_of_year decode degrees
dense_rank div every exists exp extract first first_value filter floor greatest hour if ifnull iif initcap instr isnan
julianday lag last last_day last_value lead least left length ln log log10 log2 lower lpad ltrim make_date max md5 mean
median min minute mod mode month months_between nth_value ntile nullif nvl nvl2 octet_length overlay percent_rank
percentile percentile_cont percentile_disc pi position pow power quantile quantile_cont quarter radians rank
regexp_like regexp_replace regexp_substr replace reverse right round row_number rpad rtrim safe_divide second sha2 sign
sin split_part sqrt stddev stddev_pop stddev_samp strftime str_position strpos str_to_date str_to_time substr substring
sum tan time_to_str timestamp timestamp_trunc to_char to_date to_number to_timestamp total translate trim trunc try_cast
ts_or_ds_to_date typeof unicode unix_to_time upper var_pop var_samp variance variance_pop week weekofyear week_of_year
width_bucket xor year array_agg string_agg group_concat bool_and bool_or logical_and logical_or and or not
approx_distinct approx_count_distinct any_value arg_max arg_min max_by min_by ts_or_ds_add ts_or_ds_diff timestamp_diff
json_extract json_extract_scalar age timestamp_add timestamp_sub time_str_to_time date_str_to_date date_from_parts
int_div interval
"""
FUNCTIONS = frozenset(_NAMES.split())
"""Names of functions that a query may use: they read their arguments and nothing else."""

_FORBIDDEN: dict[type[exp.Expression], str] = {
    exp.Into: "INTO",
    exp.Lock: "FOR UPDATE",
    exp.Placeholder: "parameters",
    exp.Parameter: "parameters",
    exp.SessionParameter: "settings",
    exp.Command: "commands",
    exp.Pragma: "PRAGMA",
    exp.Set: "SET",
    exp.Use: "USE",
    exp.Attach: "ATTACH",
    exp.Copy: "COPY",
}
_HINT = "Write one SELECT that only reads, such as SELECT a, b FROM decisions WHERE year = 2024."


def checked_query(query: str, dialect: Dialect) -> str:
    r"""Return a query as it may be sent, printed anew from its parse tree.

    Parameters
    ----------
    query : str
        What a person wrote.
    dialect : {"duckdb", "postgres", "sqlite", "spark"}
        The engine's SQL.

    Returns
    -------
    str
        One SELECT.

    Raises
    ------
    ConnectError
        If it cannot be read, is more than one statement, or does anything but read.

    Examples
    --------
    >>> checked_query("select sex -- of the applicant\n from people;", "postgres")
    'SELECT sex FROM people'
    """
    if not isinstance(query, str) or not query.strip():
        raise ConnectError("The query is empty.", hint=_HINT)
    if len(query) > MAX_LENGTH or "\0" in query:
        raise ConnectError(f"A query can have {MAX_LENGTH:,} plain characters.", hint=_HINT)
    tree = _parsed(query, dialect)
    for node in tree.walk():
        if (wrong := _refusal(node)) is not None:
            raise ConnectError(f"A query that is read may not use {wrong}.", hint=_HINT)
    made = None
    try:
        made = tree.sql(dialect=dialect, comments=False, unsupported_level=ErrorLevel.RAISE)
    except SqlglotError:
        made = None
    if made is None:
        raise ConnectError("The query uses something that cannot be checked.", hint=_HINT)
    return made


def _parsed(query: str, dialect: Dialect) -> exp.Query:
    found: exp.Expression | None = None
    try:
        tokens = tokenize(query, read=dialect)
        while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
            tokens.pop()
        kinds = [token.token_type for token in tokens]
        if TokenType.SEMICOLON in kinds:
            raise ConnectError("The query must be one statement.", hint=_HINT)
        # Looked at before parsing: the parser writes what it does not know into the log.
        if kinds and kinds[0] in (TokenType.SELECT, TokenType.WITH):
            [found] = Grammar.get_or_raise(dialect).parser().parse(tokens, query)
    except ConnectError:
        raise
    except (SqlglotError, RecursionError, ValueError):
        raise ConnectError("The query cannot be read.", hint=_HINT) from None
    if not isinstance(found, (exp.Select, exp.SetOperation)):
        raise ConnectError("The query must be a SELECT.", hint=_HINT)
    return found


def _refusal(node: exp.Expression) -> str | None:
    """Return what a part of the tree is that may not be there; None where it may."""
    for kind, word in _FORBIDDEN.items():
        if isinstance(node, kind):
            return word
    if isinstance(node, (exp.DML, exp.DDL)) and not isinstance(node, exp.Query):
        return node.key.upper()
    if isinstance(node, exp.Identifier) and not node.quoted and not _NAME.fullmatch(node.name):
        return "parameters"
    if isinstance(node, exp.Table):
        if isinstance(node.this, exp.Identifier):
            return None
        return "anything but tables after FROM" if not isinstance(node.this, exp.Func) else _function(node.this)
    return _function(node) if isinstance(node, exp.Func) else None


def _function(node: exp.Func) -> str | None:
    if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        name = node.name
        # A schema before the name makes it someone's own function.
        if isinstance(node.parent, exp.Dot) or name.lower() not in FUNCTIONS:
            return f"the function {quote(name, limit=40)}"
        return None
    names = {name.lower() for name in type(node).sql_names()}
    return None if names & FUNCTIONS else f"the function {quote(node.sql_name().lower(), limit=40)}"
