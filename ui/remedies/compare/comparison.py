"""All models of an audit side by side, whatever they predict: which are not beaten, the chart and the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.remedies.shared.chart_texts import frontier_alt
from fairaudit.remedies.shared.charts import frontier_chart
from fairaudit.study.amounts.findings import AmountRemediesFinding
from fairaudit.study.findings import RemediesFinding
from ui.charts import show_chart
from ui.look import beside
from ui.remedies.compare.for_report import show_next
from ui.remedies.names import LONGEST, names_of
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
        ``(x, y)`` -> both figures of a model, as they stand in the list.
    titles : dict
        Of the axes, and the gap of the decisions, as :func:`~fairaudit.remedies.shared.charts.frontier_chart` takes
        them.
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


def current_findings(state: AuditState) -> list[tuple[Any, str]]:
    """Return what was found by all models that are fitted to the present rows, each with its name."""
    names = names_of(state)
    current = {key: one.candidate.finding for key, one in state.fitted.items() if state.is_current(one)}
    return [(finding, names[key]) for key, finding in current.items()]


def show_answer(findings: RemediesFinding | AmountRemediesFinding, compared: Comparison) -> None:
    """Draw which models are not beaten, what picking one does, and the way on; beside it all models as points."""
    rows = compared.rows
    left, right = beside("compare_answer")
    with left, st.container(border=True, key="compare_verdict"):
        said = frontier_sentence(rows, compared.x, compared.y, constants=compared.constants)
        st.header(literal(said, limit=900), anchor=False)
        if not compared.constants.isdisjoint(rows["name"]):
            st.caption(NOT_COUNTED)
        st.markdown(flattery(int((~rows["name"].isin(compared.constants)).sum())))
        show_next()
        listed = rows[["name", "x", "y", "on_frontier"]].itertuples(index=False)
        st.markdown("\n".join(f"{i}. {line_of(row, compared)}" for i, row in enumerate(listed, start=1)))
    if rows.empty:
        with right:
            st.info(
                f"No chart: no model has both {literal(compared.x)} and {literal(compared.y)}, such as where a group "
                "has no row that the rate is a share of. Choose other figures, or groups with more rows."
            )
        return
    points = {finding.name: page_of(finding.plan.method).point for finding in findings.remedies} | compared.points
    short = rows.assign(name=[points.get(name, PLAIN.point) for name in rows["name"]])
    with right, st.container(border=True, key="compare_chart"):
        show_chart(
            frontier_chart(short, **compared.titles),
            description=frontier_alt(rows, **compared.titles),
            note=f"Lines: intervals{compared.no_interval}. Filled points, joined: no other model beats them in both. "
            f"{'Line across: the gap in the decisions. ' if compared.titles.get('decided') is not None else ''}"
            "Where intervals overlap, the order of two models may be chance.",
        )


def show_models(compared: Comparison) -> None:
    """Draw all models as a table, with what they are compared with."""
    with st.expander(FIGURES):
        figures = f"{compared.x} and {compared.y}"
        show_table(with_unbeaten(compared.table, compared.rows, figures, compared.constants), columns=compared.columns)
    for said in (compared.legend, literal(compared.about, limit=900)):
        if said:
            st.caption(said)


def line_of(row: Any, compared: Comparison) -> str:
    """Return what the list says of a model: its name, its figures and whether it is beaten."""
    name, figures = literal(row.name, limit=LONGEST + 10), literal(compared.figures(row.x, row.y))
    return f"{name}: {figures}{_mark(row, compared)}"


def _mark(row: Any, compared: Comparison) -> str:
    """Return what stands behind the figures of a model in the list."""
    if row.name in compared.constants:
        return " (only to compare with)"
    decided = compared.titles.get("decided")
    if decided is not None and row.y > decided:
        return f" **(not beaten, but {WIDER})**" if row.on_frontier else f" ({WIDER})"
    return " **(not beaten)**" if row.on_frontier else ""


def frontier_sentence(rows: pd.DataFrame, x: str, y: str, *, constants: frozenset[str] = frozenset()) -> str:
    """Return which models are not beaten in both measures, in words; the same answer for everybody is none of them."""
    by_the_same = len(rows) and not rows["on_frontier"].any()
    rows = rows[~rows["name"].isin(constants)]
    best = [brief.shorten(name, LONGEST) for name in rows.loc[rows["on_frontier"], "name"]]
    figures = f"{x} and {y}"
    if len(rows) and by_the_same:
        return (
            f"The same answer for everybody is at least as good in {figures} as each model here. That speaks against "
            "these models, not for that answer."
        )
    if not best:
        return f"No model has both figures: {figures}."
    if len(rows) == 1:
        return f"There is one model so far: {best[0]}."
    if len(best) == 1:
        return f"{best[0]}: no other of the {len(rows)} models does better in {figures}."
    if len(best) == len(rows):
        return f"None of the {len(rows)} models beats another in both {figures}. Each is a trade of one for the other."
    return f"{len(best)} of {len(rows)} models are not beaten by another in {figures}."


def flattery(n: int) -> str:
    """Return what picking among models on held-out rows does to the figures of the one that is picked."""
    if n < 2:
        return "With more models here, their strengths can be compared."
    return (
        f"**{n} models are compared on the same held-out rows.** The one that you pick because it looks best here will "
        "do somewhat less well with new people. The more models, the more so."
    )


def with_unbeaten(table: Table, rows: pd.DataFrame, figures: str, constants: Iterable[str] = ()) -> Table:
    """Return a table of models with a last column that says which are not beaten in both figures; `rows` has both."""
    unbeaten = dict(zip(rows["name"], map(bool, rows["on_frontier"]), strict=True)) | dict.fromkeys(constants, "")
    place = [column.name for column in table.columns].index("model")
    column = ColumnSpec("unbeaten", "unbeaten", "text", f"yes: no other model is at least as good in {figures}.")
    cells = tuple((*row, unbeaten.get(row[place], "")) for row in table.rows)
    return replace(table, columns=(*table.columns, column), rows=cells)
