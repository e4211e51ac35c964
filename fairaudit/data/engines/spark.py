"""Spark, through a session that the caller has made: each question is one statement, run as a job group of its own."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

from sqlglot import exp, parse_one

from fairaudit.columns import Kind
from fairaudit.data.engine import quoted
from fairaudit.data.engines.door import Description, Door, FoundColumn, describe, gone
from fairaudit.data.engines.guard import join_name
from fairaudit.data.writing import Dialect, SqlWriter
from fairaudit.errors import ConnectError, FairauditError, InputError, quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructField


# What Spark complains about, in sentences that hold none of its words.

# By the beginning of the error condition, which Spark documents; the first that fits.
_CONDITIONS = (
    (("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND", "CATALOG_NOT_FOUND", "PATH_NOT_FOUND", "FAILED_READ_FILE",
      "INCOMPATIBLE_COLUMN_CHANGES_AFTER_VIEW", "INCOMPATIBLE_TABLE_CHANGE_AFTER_ANALYSIS"), None, None),
    (("PARSE_", "UNSUPPORTED_FEATURE", "INVALID_SQL"),
     "The query cannot be read by Spark.", "Try it in Spark first."),
    (("UNRESOLVED_ROUTINE", "DATATYPE_MISMATCH", "WRONG_NUM_ARGS"),
     "The query uses a function or comparison that Spark does not have for these types.", "Try it in Spark first."),
    (("DIVIDE_BY_ZERO", "REMAINDER_BY_ZERO", "ARITHMETIC_OVERFLOW", "BINARY_ARITHMETIC_OVERFLOW", "CAST_",
      "NUMERIC_VALUE_OUT_OF_RANGE", "INVALID_ARRAY_INDEX", "CANNOT_PARSE_TIMESTAMP"),
     "The view or query that is read computes something that has no result for some row.",
     "Have the view mended, leave these rows out of it, or use functions such as try_divide and try_cast."),
    (("INSUFFICIENT_PERMISSIONS", "INSUFFICIENT_TABLE_PROPERTY"),
     "Spark does not allow this user to read the table.", "Ask its administrator for the right to SELECT from it."),
    (("AMBIGUOUS_REFERENCE", "COLUMN_ALREADY_EXISTS"),
     "The query has two columns that Spark cannot tell apart.", "Give each a name of its own."),
)  # fmt: skip


def spark_failure(error: Exception, session: SparkSession) -> FairauditError | None:
    """Return the sentence for a question that Spark did not answer."""
    is_spark_error = _is_spark_error(error)
    if not is_spark_error and not isinstance(error, (OSError, AttributeError)):
        return None
    if _has_ended(session):
        return ConnectError("The Spark session has ended.", hint="Start a session and open the table again.")
    if not is_spark_error:
        return None
    condition = _condition(error)
    if condition.startswith("UNRESOLVED_COLUMN"):
        return gone("column")
    for beginnings, message, hint in _CONDITIONS:
        if condition.startswith(beginnings):
            return gone("table") if message is None else ConnectError(message, hint=hint)
    code = f" (error {condition})" if condition else ""
    return ConnectError(
        f"Spark cannot answer this question{code}.",
        hint="If it is a view or a query that is read, try in Spark whether it works.",
    )


def _has_ended(session: SparkSession) -> bool:
    context = session.sparkContext
    try:
        return context._jsc is None or bool(context._jsc.sc().isStopped())
    except Exception as error:
        # Where the process that would answer, or the way to it, is gone, that is an end, too. All else goes on.
        if not _is_spark_error(error) and not isinstance(error, (OSError, AttributeError)):
            raise
        return True


def _is_spark_error(error: Exception) -> bool:
    """Say whether an error is one of Spark, or of the way to its process."""
    from pyspark.errors import PySparkException

    return isinstance(error, PySparkException) or type(error).__module__.startswith("py4j.")


def _condition(error: Exception) -> str:
    """Return Spark's own name for an error, such as ``DIVIDE_BY_ZERO``; empty where it has none."""
    found = getattr(error, "getCondition", lambda: None)()
    return found if isinstance(found, str) and found.replace("_", "").replace(".", "").isalnum() else ""


_WHOLE_DIGITS = 18
_MISSING = "CAST(NULL AS DOUBLE)"
_WHOLE, _REAL = "CAST({0} AS BIGINT)", f"nanvl(CAST({{0}} AS DOUBLE), {_MISSING})"
# Through its text: 0.1 of single precision is shown, filtered and counted as 0.1.
_SINGLE = f"nanvl(CAST(CAST({{0}} AS STRING) AS DOUBLE), {_MISSING})"
# A cast to a time stamp without zone would depend on the zone of the session.
_UTC = "timestampadd(MICROSECOND, unix_micros({0}), TIMESTAMP_NTZ'1970-01-01 00:00:00')"
_READ: dict[str, tuple[str, Kind]] = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), (_WHOLE, "number")),
    "float": (_SINGLE, "number"),
    "double": (_REAL, "number"),
    "boolean": ("{0}", "boolean"),
    "date": ("{0}", "date"),
    "timestamp": (_UTC, "timestamp"),
    "timestamp_ntz": ("{0}", "timestamp"),
    "string": ("{0}", "text"),
}
_VARIABLE = "${"
# In place of a database, the name of a format makes Spark read whatever file is named.
_FILES = ("parquet", "csv", "json", "text", "orc", "avro", "xml", "binaryfile", "delta", "iceberg", "jdbc")
_LOGGER = "SQLQueryContextLogger"
_KEPT = ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel")


class SparkDoor(Door[str]):
    """A way to what a Spark session sees: tables, views and temporary views.

    The session's settings are left as they are; questions mean the same whatever they are, ANSI mode and time zone
    among them. A question is stopped by cancelling its job group.

    Parameters
    ----------
    session : pyspark.sql.SparkSession
        Of Spark 4 or later, in this process or its driver; not a Spark Connect client.
    timeout : float
        Seconds that a question may take.

    Raises
    ------
    InputError
        If it is no such session.
    """

    dialect: ClassVar[Dialect] = "spark"
    title: ClassVar[str] = "Spark"

    def __init__(self, session: SparkSession, timeout: float):
        super().__init__(timeout)
        if getattr(session, "_jsparkSession", None) is None:
            raise InputError(
                f"'source' must be a classic Spark session, got {type(session).__name__}.",
                hint="Make it with SparkSession.builder.master(...).getOrCreate().",
            )
        self._session = session

    def open(self) -> str:
        """Return the name of a new job group."""
        return f"fairaudit-{uuid.uuid4()}"

    def answer(self, connection: str, query: str) -> list[tuple]:
        """Answer a statement as a job group of its own."""
        with _job_group(self._session.sparkContext, connection), _quiet():
            return [tuple(row) for row in self._session.sql(query).collect()]

    def interrupt(self, connection: str) -> None:
        """Cancel a job group, and jobs of it that begin later."""
        context = self._session.sparkContext
        if context._jsc is not None:
            context._jsc.sc().cancelJobGroupAndFutureJobs(connection)

    def close(self, connection: str) -> None:
        """Do nothing: a job group ends with its question."""

    def describe(self, origin: str) -> Description:
        """Return the columns, known by their types; nothing is run."""
        self.guarded(_check_origin, origin, self._session)
        fields = self.guarded(self._fields, origin)
        folded = [field.name.casefold() for field in fields]
        writer = SqlWriter(self.dialect)
        columns = []
        for field in fields:
            read, note = _read(f"t.{writer.quoted(field.name)}", field), None
            if folded.count(field.name.casefold()) > 1 or _VARIABLE in field.name:
                read, note = None, say(Message("read-spark-name", {"column": Phrase(quote(field.name))}))
            columns.append(FoundColumn(field.name, read, field.dataType.simpleString(), note))
        return describe(columns)

    def tables(self) -> tuple[str, ...]:
        """Return the tables and views of the current database, temporary views among them."""
        return tuple(
            join_name([part for part in (namespace, name) if part])
            for namespace, name, *_ in self.ask("SHOW TABLES")
        )  # fmt: skip

    def translate(self, error: Exception) -> FairauditError | None:
        """Return the sentence for an error of Spark or of the way to its driver."""
        return spark_failure(error, self._session)

    def _fields(self, origin: str) -> list[StructField]:
        with _quiet():
            return list(self._session.sql(f"SELECT * FROM {origin}").schema.fields)


def _check_origin(origin: str, session: SparkSession) -> None:
    """Refuse what Spark would take for the path of a file, or replace by a setting or an environment variable.

    Where there is no such table, Spark takes the name of a database for that of a format, or of a class that reads one.
    """
    if _VARIABLE in origin:
        raise ConnectError("What Spark reads may not hold '${', which it would replace by something else.")
    for table in parse_one(f"SELECT * FROM {origin}", dialect="spark").find_all(exp.Table):
        if table.db.lower() in _FILES or "." in table.db:
            raise ConnectError(
                f"{quote(f'{table.db}.{table.name}', limit=60)} would read a file, not a table.",
                hint="Have a table or view made of it.",
            )
        parts = [part.name for part in table.parts]
        if len(parts) > 1 and not session.catalog.tableExists(".".join(quoted(part, "`") for part in parts)):
            raise gone("table")


@contextmanager
def _job_group(context: SparkContext, group: str) -> Iterator[None]:
    """Run what this thread begins as a job group, and give the thread back as it was."""
    before = {name: context.getLocalProperty(name) for name in _KEPT}
    context.setJobGroup(group, "fairaudit", interruptOnCancel=True)
    try:
        yield
    finally:
        if context._jsc is not None:
            for name, value in before.items():
                context.setLocalProperty(name, value)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep errors that this thread's questions make out of PySpark's log, which would hold them word by word."""
    from pyspark.logger import PySparkLogger

    logger, own = PySparkLogger.getLogger(_LOGGER), threading.get_ident()

    def others(record: logging.LogRecord) -> bool:
        return record.thread != own

    logger.addFilter(others)
    try:
        yield
    finally:
        logger.removeFilter(others)


def _read(place: str, field: StructField) -> tuple[str, Kind] | None:
    """Return how a column is read and what it then holds; None where it is not."""
    from pyspark.sql.types import DecimalType

    sql, kind = _READ.get(field.dataType.simpleString(), ("", "text"))
    found = field.dataType
    if isinstance(found, DecimalType):
        whole = found.scale == 0 and found.precision <= _WHOLE_DIGITS
        return (_WHOLE if whole else _REAL).format(place), "number"
    match found.typeName():
        case "string" if getattr(field.dataType, "collation", "UTF8_BINARY") != "UTF8_BINARY":
            sql = "collate({0}, 'UTF8_BINARY')"
        case "string" if field.metadata.get("__CHAR_VARCHAR_TYPE_STRING", "").startswith("char("):
            # Filled up with blanks to its length.
            sql = "rtrim({0})"
    return (sql.format(place), kind) if sql else None
