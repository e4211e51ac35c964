"""A query that a person wrote: let through only if it is one SELECT that reads.

The text is parsed, every part of its tree is looked at, and what is sent is printed from the tree: nothing that the
parser did not see can reach the engine. Functions are let through by name; a name that is not listed may do anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from sqlglot import exp, tokenize
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.tokens import TokenType

from fairaudit.data.writing import Dialect
from fairaudit.errors import ConnectError, quote

# Names of tables, with their schema, as people write them.

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
int_div interval pad regexp_i_like ts_or_ds_to_timestamp ascii chr char repeat collate isfinite grouping datetime time
localtimestamp s_h_a2_digest dayofweek_iso bround hex
"""
FUNCTIONS = frozenset(_NAMES.split())
"""Names of functions that a query may use: they read their arguments and nothing else."""

# What a query may be made of besides functions; whatever the parser knows more may do anything.
_PARTS: tuple[type[exp.Expression], ...] = (
    exp.Select, exp.SetOperation, exp.Subquery, exp.With, exp.CTE, exp.Table, exp.TableAlias, exp.Values, exp.Lateral,
    exp.From, exp.Join, exp.Where, exp.Group, exp.GroupingSets, exp.Rollup, exp.Cube, exp.Having, exp.Qualify,
    exp.Order, exp.Ordered, exp.Distinct, exp.Limit, exp.Offset, exp.Fetch, exp.LimitOptions, exp.TableSample,
    exp.Column, exp.Identifier, exp.Alias, exp.Star, exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.Tuple,
    exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Not, exp.Between, exp.In,
    exp.Is, exp.Like, exp.ILike, exp.Glob, exp.SimilarTo, exp.Escape, exp.Any, exp.All, exp.Bracket,
    exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Neg, exp.DPipe, exp.Collate,
    exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot, exp.BitwiseLeftShift, exp.BitwiseRightShift,
    exp.DataType, exp.DataTypeParam, exp.AtTimeZone, exp.Interval, exp.Var,
    exp.Window, exp.WindowSpec, exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls,
    exp.JSONPath, exp.JSONPathPart,
)  # fmt: skip
_WORDS: dict[type[exp.Expr], str] = {
    exp.Into: "INTO",
    exp.Lock: "FOR UPDATE",
    exp.Placeholder: "parameters",
    exp.Parameter: "parameters",
    exp.SessionParameter: "settings",
    exp.QueryTransform: "TRANSFORM",
    exp.Dot: "a dot after parentheses or a function",
    exp.ObjectIdentifier: "names of the database's own tables and users",
    exp.Aliases: "several names after AS, or a function that is taken for an operator",
}
# What stands for the connection where it is no column.
_CONNECTION = frozenset({"user", "current_user", "session_user", "system_user", "current_role", "current_catalog",
                         "current_database", "current_schema"})  # fmt: skip
_HINT = "Write one SELECT that only reads, such as SELECT a, b FROM decisions WHERE year = 2024."


def checked_query(query: str, dialect: Dialect) -> str:
    r"""Return a query as it may be sent, printed anew from its parse tree.

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
        if (wrong := _refusal(node, dialect)) is not None:
            raise ConnectError(f"A query that is read may not use {wrong}.", hint=_HINT)
    made = None
    with suppress(SqlglotError):
        made = tree.sql(dialect=dialect, comments=False, unsupported_level=ErrorLevel.RAISE)
    if made is None:
        raise ConnectError("The query uses something that cannot be checked.", hint=_HINT)
    return made


def _parsed(query: str, dialect: Dialect) -> exp.Query:
    found: exp.Expr | None = None
    try:
        tokens = tokenize(query, read=dialect)
        while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
            tokens.pop()
        kinds = [token.token_type for token in tokens]
        if TokenType.SEMICOLON in kinds:
            raise ConnectError("The query must be one statement.", hint=_HINT)
        if dialect == "sqlite" and (TokenType.STRING, TokenType.STRING) in pairwise(kinds):
            # For SQLite the second is a name; the parser would join them.
            raise ConnectError(
                "The query has two texts side by side.", hint="Write AS before a name, || between texts."
            )
        # Looked at before parsing: the parser writes what it does not know into the log.
        if kinds and kinds[0] in (TokenType.SELECT, TokenType.WITH):
            [found] = Grammar.get_or_raise(dialect).parser().parse(tokens, query)
    except ConnectError:
        raise
    except (SqlglotError, RecursionError, ValueError, LookupError, TypeError, AttributeError):
        # The parser stumbles over some of what it half knows.
        raise ConnectError("The query cannot be read.", hint=_HINT) from None
    if not isinstance(found, (exp.Select, exp.SetOperation)):
        raise ConnectError("The query must be a SELECT.", hint=_HINT)
    return found


def _refusal(node: exp.Expr, dialect: Dialect) -> str | None:
    """Return what a part of the tree is that may not be there; None where it may."""
    if isinstance(node, exp.Func):
        return _refused_function(node, dialect)
    if type(node) in _WORDS or not isinstance(node, _PARTS):
        return _WORDS.get(type(node), node.key.upper())
    if isinstance(node, exp.Identifier) and not node.quoted and not _NAME.fullmatch(node.name):
        return "parameters"
    if isinstance(node, exp.Table):
        if isinstance(node.this, exp.Identifier):
            is_about_itself = is_system_table([part.name for part in node.parts], dialect)
            return (
                f"what the database says of itself, such as {quote(node.name, limit=40)}" if is_about_itself else None
            )
        if not isinstance(node.this, exp.Func):
            return "anything but tables after FROM"
        return _refused_function(node.this, dialect)
    if isinstance(node, exp.Column) and _is_of_connection(node, dialect):
        return f"{quote(node.name)}, which the database may take for who asks, unless its table is named: t.{node.name}"
    return None


def _is_of_connection(column: exp.Column, dialect: Dialect) -> bool:
    """Say whether an engine gives something of the connection in place of a column."""
    if dialect == "sqlite" or column.table or column.name.lower() not in _CONNECTION:
        return False
    # Between quotes as well, Spark does so where there is no such column.
    return dialect == "spark" or not column.this.args.get("quoted")


def _refused_function(node: exp.Func, dialect: Dialect) -> str | None:
    if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        name = node.name
        # A schema before the name makes it someone's own function.
        if isinstance(node.parent, exp.Dot) or name.lower() not in FUNCTIONS:
            return f"the function {quote(name, limit=40)}"
        return None
    names = {name.lower() for name in type(node).sql_names()}
    if names & FUNCTIONS:
        return None
    # As the engine calls it: the parser has names of its own.
    written = re.match(r"\w+(?=\()", node.sql(dialect=dialect, unsupported_level=ErrorLevel.IGNORE))
    return f"the function {quote((written[0] if written else node.sql_name()).lower(), limit=40)}"
