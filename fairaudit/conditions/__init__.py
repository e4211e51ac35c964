"""Conditions on the rows of a table, written as in SQL.

A condition is read from text, checked against the columns of a table, and kept as a tree. It prints back as text and
as SQL, says itself in words, and is evaluated in a database or on a DataFrame with the same answers: true, false or
unknown.

The language: ``= <> != < <= > >=``, ``AND OR NOT``, ``IN``, ``BETWEEN``, ``LIKE`` (``%`` any text, ``_`` any one
character), ``ILIKE`` (whatever the case), ``IS NULL``, each with ``NOT``, and parentheses; ``+ - * / %`` between
numbers; numbers, ``'text'``, ``TRUE``, ``FALSE``, ``DATE '2014-01-31'``, ``TIMESTAMP '2014-01-31 10:30:00'``; names
as they are or between double quotes; the functions ``lower upper trim length abs round coalesce`` and ``extract(year
from born)``, also ``month`` and ``day``. Arithmetic is in double precision and gives a missing value where there is
no number, as in division by zero.
"""

from fairaudit.conditions.condition import Condition

__all__ = ["Condition"]
