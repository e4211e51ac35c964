"""All models of an audit side by side, whatever they predict: which are not beaten, the chart and the table."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import NO_BREAK
from fairaudit.present.words import listed
from fairaudit.remedies.shared.chart_texts import frontier_alt
from fairaudit.remedies.shared.charts import frontier_chart
from fairaudit.remedies.shared.compared_models import letters
from fairaudit.remedies.shared.decided_words import decided_place
from fairaudit.remedies.shared.one_answer_words import SAYS_LITTLE
from fairaudit.study.amounts.findings import AmountRemediesFinding
from fairaudit.study.findings import RemediesFinding
from ui.charts import show_chart
from ui.look import beside
from ui.remedies.compare.for_report import show_next
from ui.remedies.names import LONGEST, names_of, numbers_of
from ui.remedies.plain.page import PLAIN
from ui.remedies.registry import page_of
from ui.state import AuditState
from ui.tables import show_table
from ui.text import literal

FIGURES = "The figures of all models as a table"
NOT_COUNTED = (
    "The same answer for everybody is listed below, but not counted: it is no proposal. It leaves no gap, whatever it "
    "does to people, and shows how often one is right without knowing anything about them."
)
NO_BETTER = "one answer for all is at least as good in both figures"
MOST_NAMED = 3
"""Models that the verdict names."""
WIDER = "its gap is wider than in the decisions"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How well each model does against how far apart it leaves the groups, with the words and columns to show it.

    Parameters
    ----------
    rows : DataFrame
        As :func:`~fairaudit.remedies.shared.tables.frontier_rows`: a point a model.
    x, y : str
        Both figures in words.
    figures : callable
        ``(x, y)`` -> both figures of a model, as they stand in the list. Models for which they read the same are equal.
    titles : dict
        Of the axes, and the gap of the decisions with its words, as
        :func:`~fairaudit.remedies.shared.charts.frontier_chart` takes them.
    table : Table
        One row a model, with a column "model".
    columns : tuple of str
        Those that are drawn, and "unbeaten".
    no_interval : str
        Said behind "Lines: intervals".
    about, legend : str
        What is said above the chart, and below the table.
    points : dict
        What points of the chart are called that are no remedies, by their names.
    constants : frozenset of str
        The names of the simple answers that are the same for everybody: nothing that anybody should take.
    same : dict
        Models that predict the same for all or nearly all people, by their names: that, and what each finds, in words.
    remedies : frozenset of str
        The names of what was tried, and not only compared with.
    rare : bool
        Whether one outcome is so rare that accuracy says little.
    decision_is_outcome : bool
        Whether the decisions are what truly happened: then a gap that is wider than theirs is nothing to hold against
        a model.
    """

    rows: pd.DataFrame
    x: str
    y: str
    figures: Callable[[float, float], str]
    titles: dict[str, Any]
    table: Table
    columns: tuple[str, ...]
    no_interval: str = ""
    about: str = ""
    legend: str = ""
    points: dict[str, str] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()
    same: dict[str, str] = field(default_factory=dict)
    remedies: frozenset[str] = frozenset()
    rare: bool = False
    decision_is_outcome: bool = False


def current_findings(state: AuditState) -> list[tuple[Any, str]]:
    """Return what was found by all models that are fitted to the present rows, each with its name."""
    names = names_of(state)
    current = {key: one.candidate.finding for key, one in state.fitted.items() if state.is_current(one)}
    return [(finding, names[key]) for key, finding in current.items()]


def numbered(state: AuditState, rows: pd.DataFrame) -> pd.DataFrame:
    """Give models the numbers that they have in the report, and letters to those that are not in it."""
    numbers, names = numbers_of(state), names_of(state)
    known = {name: numbers[key] for key, name in names.items() if key in numbers}
    free = map(letters, itertools.count())
    return rows.assign(number=[known.get(name) or next(free) for name in rows["name"]])


def show_answer(findings: RemediesFinding | AmountRemediesFinding, compared: Comparison) -> None:
    """Draw which models are not beaten, what picking one does, and the way on; beside it all models as points."""
    rows = compared.rows
    left, right = beside("compare_answer")
    with left, st.container(border=True, key="compare_verdict"):
        st.header(literal(" ".join(verdict_sentences(compared)), limit=1200), anchor=False)
        if compared.rare:
            st.markdown(f"{SAYS_LITTLE}: choose balanced accuracy above, where one answer for all has 50{NO_BREAK}%.")
        if not compared.constants.isdisjoint(rows["name"]):
            st.caption(NOT_COUNTED)
        st.markdown(flattery(int((~rows["same"]).sum())))
        show_next()
        models = rows[["number", "name", "x", "y", "same", "unbeaten", "on_frontier"]].itertuples(index=False)
        st.markdown("\n".join(f"- **{literal(row.number)}** {line_of(row, compared)}" for row in models))
    if rows.empty:
        with right:
            st.info(
                f"No chart: no model has both {literal(compared.x)} and {literal(compared.y)}, such as where a group "
                "has no row that the rate is a share of. Choose other figures, or groups with more rows."
            )
        return
    points = {finding.name: page_of(finding.plan.method).point for finding in findings.remedies} | compared.points
    across = f"Line across: the gap {decided_place(findings.facts)}. "
    short = rows.assign(name=[points.get(name, PLAIN.point) for name in rows["name"]])
    with right, st.container(border=True, key="compare_chart"):
        show_chart(
            frontier_chart(short, **compared.titles),
            description=frontier_alt(rows, **compared.titles),
            note=f"Lines: intervals{compared.no_interval}. Filled points, joined: no other model beats them in both. "
            f"{'One answer for all, or nearly all, is never filled. ' if rows['same'].any() else ''}"
            f"{across if compared.titles.get('decided') is not None else ''}"
            "Where intervals overlap, the order of two models may be chance.",
        )


def show_models(compared: Comparison) -> None:
    """Draw all models as a table, with what they are compared with."""
    with st.expander(FIGURES):
        figures = f"{compared.x} and {compared.y}"
        show_table(with_unbeaten(compared.table, compared.rows, figures), columns=compared.columns)
    for said in (compared.legend, literal(compared.about, limit=900)):
        if said:
            st.caption(said)


def line_of(row: Any, compared: Comparison) -> str:
    """Return what the list says of a model: its name, its figures, whether it is beaten, and which has the same."""
    name, figures = literal(row.name, limit=LONGEST + 10), literal(compared.figures(row.x, row.y))
    twins = _twins(row, compared)
    same = f", the same as {' and '.join(twins)}" if twins else ""
    return f"{name}: {figures}{same}{_mark(row, compared)}"


def _twins(row: Any, compared: Comparison) -> list[str]:
    """Return the numbers of the other models whose figures read the same, but for those that tell nobody apart."""
    if row.same:
        return []
    own, rows = compared.figures(row.x, row.y), compared.rows
    figures = zip(rows["number"], rows["name"], rows["x"], rows["y"], rows["same"], strict=True)
    return [
        literal(number)
        for number, name, x, y, same in figures
        if name != row.name and not same and compared.figures(x, y) == own
    ]


def _mark(row: Any, compared: Comparison) -> str:
    """Return what stands behind the figures of a model in the list."""
    if row.name in compared.constants:
        return " (only to compare with)"
    if row.same:
        return f" ({literal(compared.same[row.name])}; not counted)"
    decided = None if compared.decision_is_outcome else compared.titles.get("decided")
    said = ["not beaten"] if row.on_frontier else ["not beaten by the others"] if row.unbeaten else []
    but = [NO_BETTER] if row.unbeaten and not row.on_frontier else []
    but += [WIDER] if decided is not None and row.y > decided else []
    text = ", but ".join(part for part in (*said, " and ".join(but)) if part)
    return f" **({text})**" if row.on_frontier else f" ({text})" if text else ""


def verdict_sentences(compared: Comparison) -> list[str]:
    """Return which remedies predict the same for nearly everybody, and which of the other models are not beaten."""
    rows, figures = compared.rows, f"{compared.x} and {compared.y}"
    same = rows[rows["same"] & rows["name"].isin(compared.remedies)]
    texts = [_same_sentence(list(zip(same["number"], same["name"], strict=True)), compared)] if len(same) else []
    return [*texts, frontier_sentence(rows, figures, compared.figures, rare=compared.rare, beside=bool(texts))]


def _same_sentence(named: list[tuple[str, str]], compared: Comparison) -> str:
    """Return that remedies, with their numbers in the list, predict the same for all or nearly all people."""
    if len(named) > 1:
        numbers = listed([number for number, _ in named])
        return f"Models {numbers} predict the same for all or nearly all people, and are not counted."
    [(_, name)] = named
    return f"{brief.shorten(name, LONGEST)} {compared.same[name]}."


def frontier_sentence(
    rows: pd.DataFrame,
    figures: str,
    printed: Callable[[float, float], str],
    *,
    rare: bool = False,
    beside: bool = False,
) -> str:
    """Return which models are not beaten in both figures, in words; one answer for all, or nearly all, is none of them.

    `printed` writes both figures: models for which it reads the same are equal. `rare` says that one outcome is so rare
    that accuracy says little, `beside` that a remedy is such an answer.
    """
    counted = rows[~rows["same"]]
    best = [brief.shorten(name, LONGEST) for name in counted.loc[counted["unbeaten"], "name"]]
    others = f"{len(counted)} other models" if beside else f"{len(counted)} models"
    if not best:
        return f"No {'other ' if beside else ''}model has both figures: {figures}."
    if not counted["on_frontier"].any():
        return f"{_no_better(figures, rare=rare)} {_unbeaten(best, len(counted), others)}".rstrip()
    if len(counted) == 1:
        return f"There is one {'other model' if beside else 'model'} so far: {best[0]}."
    if len(best) == 1:
        return f"{best[0]}: no other of the {others} does better in {figures}."
    points = counted.loc[counted["unbeaten"], ["x", "y"]].itertuples(index=False)
    n_different = len({printed(x, y) for x, y in points})
    if n_different == 1:
        names = f"{listed(best)}: " if len(best) <= MOST_NAMED else f"{len(best)} models: "
        return f"{names}the same {figures}, and none of the {others} does better."
    if len(best) == len(counted):
        trade = " Each is a trade of one for the other." if n_different == len(best) else ""
        return f"None of the {others} beats another in both {figures}.{trade}"
    return f"{len(best)} of {others} are not beaten by another in {figures}."


def _no_better(figures: str, *, rare: bool) -> str:
    """Return that one answer for all is at least as good as every model, and what to make of that."""
    said = f"The same answer for everybody is at least as good in {figures} as each model here."
    return said if rare else f"{said} That speaks against these models, not for that answer."


def _unbeaten(best: list[str], n: int, others: str) -> str:
    """Return which models none of the others beats, where one answer for all is as good as each of them."""
    if n == 1:
        return ""
    if len(best) == 1:
        return f"Of the {others}, {best[0]} is not beaten by another."
    return f"Of the {others}, {len(best)} are not beaten by another."


def flattery(n: int) -> str:
    """Return what picking among models on held-out rows does to the figures of the one that is picked."""
    if n < 2:
        return "With more models here, their strengths can be compared."
    return (
        f"**{n} models are compared on the same held-out rows.** The one that you pick because it looks best here will "
        "do somewhat less well with new people. The more models, the more so."
    )


def with_unbeaten(table: Table, rows: pd.DataFrame, figures: str) -> Table:
    """Return a table of models with a last column that says which are not beaten in both figures; `rows` has both."""
    known = {row.name: _unbeaten_cell(row) for row in rows.itertuples(index=False)}
    place = [column.name for column in table.columns].index("model")
    meaning = f"yes: no other model is at least as good in {figures} and better in one. Empty: one answer for all."
    column = ColumnSpec("unbeaten", "unbeaten", "text", meaning)
    cells = tuple((*row, known.get(row[place], "")) for row in table.rows)
    return replace(table, columns=(*table.columns, column), rows=cells)


def _unbeaten_cell(row: Any) -> str | bool:
    if row.same:
        return ""
    return "only by one answer for all" if row.unbeaten and not row.on_frontier else bool(row.on_frontier)
