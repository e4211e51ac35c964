"""What Spark complains about, in sentences that hold none of its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairaudit.data.engines.door import gone
from fairaudit.errors import ConnectError, FairauditError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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
    is_sparks = _is_sparks(error)
    if not is_sparks and not isinstance(error, (OSError, AttributeError)):
        return None
    if _has_ended(session):
        return ConnectError("The Spark session has ended.", hint="Start a session and open the table again.")
    if not is_sparks:
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
        if not _is_sparks(error) and not isinstance(error, (OSError, AttributeError)):
            raise
        return True


def _is_sparks(error: Exception) -> bool:
    """Say whether an error is one of Spark, or of the way to its process."""
    from pyspark.errors import PySparkException

    return isinstance(error, PySparkException) or type(error).__module__.startswith("py4j.")


def _condition(error: Exception) -> str:
    """Return Spark's own name for an error, such as ``DIVIDE_BY_ZERO``; empty where it has none."""
    found = getattr(error, "getCondition", lambda: None)()
    return found if isinstance(found, str) and found.replace("_", "").replace(".", "").isalnum() else ""
