"""A table that stays in its engine, with the same questions and answers as one that was read from a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Protocol, Self

import pandas as pd

from fairaudit.columns import Column, ColumnValues, ConnectionFacts, Labels, ReadOptions, Source
from fairaudit.conditions import Condition
from fairaudit.data.answers import Answering
from fairaudit.data.derived import boxes_of, columns_made, read_with_derived
from fairaudit.data.engines.sampling import EngineSample, draw_sample
from fairaudit.data.labels import check_numbers, codes_as_labels, labelling, read_with_labels
from fairaudit.data.table import Table
from fairaudit.data.writing import SqlWriter


class EngineAnswering(Answering, Protocol):
    """What a connected table needs of its engine besides answers."""

    def cancel(self) -> None:
        """Stop, in the engine, every question of this table that is being answered."""

    def close(self) -> None:
        """Give back what is held: connections, threads."""


class ConnectedTable(Table):
    """A table whose rows stay in a database or cluster.

    Made by :func:`fairaudit.connect_table`. Each question is one statement that the engine answers; only counts and
    aggregates come back, rows only from :meth:`to_pandas`, :meth:`head` and :meth:`sample`. Several threads may ask at
    once.

    Parameters
    ----------
    answers : EngineAnswering
        The engine.
    facts : ConnectionFacts
        What may be shown of the connection.
    columns : sequence of Column
        Names and kinds, in order.
    n_rows : int
        Rows, when the table was opened.
    name : str
        What to call it.
    notes : sequence of str
        What was found while connecting, in plain sentences.
    options : ReadOptions, optional
        How the columns are read, as far as that is not for the engine to say.
    """

    def __init__(
        self,
        answers: EngineAnswering,
        facts: ConnectionFacts,
        *,
        columns: Sequence[Column],
        n_rows: int,
        name: str,
        notes: Sequence[str] = (),
        options: ReadOptions | None = None,
    ):
        source = Source("database", in_place=True, options=options or ReadOptions())
        super().__init__(answers, columns=columns, n_rows=n_rows, name=name, source=source, notes=notes)
        self._facts = facts
        self._engine = answers
        self._sample: tuple[tuple[object, ...], EngineSample] | None = None

    @property
    def is_connected(self) -> bool:
        """True: the rows stay in the engine."""
        return True

    @property
    def connection(self) -> ConnectionFacts:
        """The engine, the connection's name and what is read; no address, user or password."""
        return self._facts

    def through(self, between: Callable[[EngineAnswering], EngineAnswering]) -> ConnectedTable:
        """Return this table with something between it and its engine, such as a page that shows how long it waits."""
        whole = self.without_design
        table = copy(whole)
        table._engine = table._answers = between(whole._engine)
        table._sample, table._fingerprint, table.name = None, None, self.name
        return table.with_design(self.design)

    def counting(
        self, writer: SqlWriter, *, columns: Sequence[Column], n_rows: int, source: Source, notes: Sequence[str]
    ) -> Self:
        """Return this table with rows that each stand for several cases."""
        table = super().counting(writer, columns=columns, n_rows=n_rows, source=source, notes=notes)
        table._engine, table._sample = self._engine.with_writer(writer), None
        table._answers = table._engine
        return table

    def with_numbers(self, numbers: tuple[str, ...]) -> Self:
        """Return this table, of some of whose columns is said that their numbers are no codes."""
        check_numbers("numbers", numbers, self.columns)
        return self.reread(replace(self.source.options, numbers=numbers))

    def with_codes(self, codes: tuple[str, ...]) -> Self:
        """Return this table as it was opened, with texts in place of numbers that are codes."""
        labels = codes_as_labels(self._engine, self.columns, codes)
        return self._labelled(labels, replace(self.source.options, codes=codes))

    def with_labels(self, labels: Labels) -> Self:
        """Return this table as it was opened, with the labels of codes in place of them, as its engine reads them."""
        return self._labelled(labels, replace(self.source.options, labels=labels))

    def _labelled(self, labels: Labels, options: ReadOptions) -> Self:
        found = labelling(self._engine, tuple(self.columns.values()), labels)
        engine = self._engine.with_writer(read_with_labels(self._engine.writer, found))
        return type(self)(
            engine,
            self._facts,
            columns=found.columns,
            n_rows=self.n_rows,
            name=self.name,
            notes=(*self.notes, *found.notes),
            options=options,
        )

    def with_derived(self, derived: ColumnValues) -> Self:
        """Return this table as it was opened, with columns made of several others, as its engine reads them."""
        boxes = boxes_of(self._engine, self.columns, derived)
        return type(self)(
            self._engine.with_writer(read_with_derived(self._engine.writer, boxes)),
            self._facts,
            columns=(*self.columns.values(), *columns_made(boxes)),
            n_rows=self.n_rows,
            name=self.name,
            notes=self.notes,
            options=replace(self.source.options, derived=derived),
        )

    def cancel(self) -> None:
        """Stop, in the engine, every question of this table that is being answered; safe from any thread.

        Whoever asked gets a :class:`~fairaudit.errors.StoppedError`.
        """
        self._engine.cancel()

    def close(self) -> None:
        """Give back the connections; the table cannot be asked afterwards."""
        self._engine.close()

    def _answer(self, query: str) -> pd.DataFrame:
        """Answer a statement whose rows have the columns of this table."""
        return self._answers.frame(query, list(self.columns), [column.kind for column in self.columns.values()])

    def sample(
        self, n: int, *, by: Sequence[Condition | str], seed: int, where: Condition | str | None = None
    ) -> EngineSample:
        """Draw rows in the engine, in proportion from each stratum, and keep them in memory.

        The last sample is kept: asked for again, it is the same, also where rows have come or gone meanwhile.
        """
        key = (n, tuple(map(str, by)), seed, str(where))
        if self._sample is None or self._sample[0] != key:
            self._sample = (key, draw_sample(self, self._answer, n, by=by, seed=seed, where=where))
        return self._sample[1]
