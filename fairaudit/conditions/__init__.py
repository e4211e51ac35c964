"""Conditions on the rows of a table, written as in SQL.

A condition is read from text, checked against the columns of a table, and kept as a tree. It prints back as text and
as SQL, says itself in words, and is evaluated in a database or on a DataFrame with the same answers: true, false or
unknown.
"""

from fairaudit.conditions.condition import Condition

__all__ = ["Condition"]
