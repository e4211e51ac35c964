"""Conditions in the SQL of engines other than the embedded one, with the same answers.

Each module prints one engine's SQL over the columns of :attr:`fairaudit.data.writing.SqlWriter.relation`: numbers are
whole or double precision and never NaN, texts compare by code point, dates and time stamps have no zone. What an
engine cannot answer in the same way is refused, never answered otherwise: PostgreSQL gives an error, which becomes a
sentence, where a step of arithmetic leaves the range of double precision and for ``%`` of numbers that are not whole in
parts of 1024, such as 0.1. One case is left: for SQLite, which has a type for each cell and not for each column,
``coalesce`` of a whole and a decimal column keeps whole numbers beyond 2^53 exact, where the others round them.
"""
