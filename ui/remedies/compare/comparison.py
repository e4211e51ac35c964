"""All models of an audit side by side, whatever they predict: the answer, and what stands behind *More*."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.present.blocks import Table
from fairaudit.remedies.shared.charts import frontier_alt, frontier_chart
from fairaudit.remedies.shared.compared_models import letters
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.charts import compare_chart, compare_chart_text, compare_chart_title
from fairaudit.study.amounts.findings import AmountRemediesFinding
from fairaudit.study.findings import RemediesFinding
from ui.check.questions import asked_of_models, show_asked
from ui.manual import offer_manual
from ui.remedies.names import all_numbers_of, names_of
from ui.remedies.plain.page import PLAIN
from ui.remedies.registry import page_of
from ui.result import show_caution, show_chart, show_said, show_table, show_wide_and_narrow
from ui.state import AuditState
from ui.text import literal


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How well each model does against how far apart it leaves the groups, and all their figures.

    Parameters
    ----------
    rows : DataFrame
        As :func:`~fairaudit.remedies.shared.tables.frontier_rows`: a point a model.
    titles : dict
        Of the axes, and the gap of the decisions with its words, as
        :func:`~fairaudit.remedies.shared.charts.frontier_chart` takes them.
    points : dict
        What points of the chart are called that are no remedies, by their names.
    """

    rows: pd.DataFrame
    titles: dict[str, Any]
    points: dict[str, str] = field(default_factory=dict)


def current_findings(state: AuditState) -> list[tuple[Any, str]]:
    """Return what was found by all models that are fitted to the present rows, each with its name."""
    names = names_of(state)
    current = {key: one.candidate.finding for key, one in state.fitted.items() if state.is_current(one)}
    return [(finding, names[key]) for key, finding in current.items()]


def is_answered(state: AuditState) -> bool:
    """Whether any remedy is made from the present rows."""
    return state.decision is not None and state.models is not None and any(map(state.is_current, state.fitted.values()))


def numbered(state: AuditState, rows: pd.DataFrame) -> pd.DataFrame:
    """Give models their numbers, and letters to what they are compared with."""
    numbers, free = _numbers_by_name(state), map(letters, itertools.count())
    return rows.assign(number=[str(numbers.get(name) or next(free)) for name in rows["name"]])


def _numbers_by_name(state: AuditState) -> dict[str, int]:
    numbers = all_numbers_of(state)
    return {name: numbers[key] for key, name in names_of(state).items()}


def show_context(state: AuditState, findings: RemediesFinding | AmountRemediesFinding) -> None:
    """Draw on how many people all models are tested, and the way to the manual."""
    n = findings.facts.n_held_out
    with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
        if n is not None:
            show_asked(Message("compare-context", {"n": Count(n)} | asked_of_models(state)))
        offer_manual()


def show_answer(state: AuditState, findings: RemediesFinding | AmountRemediesFinding) -> None:
    """Draw which remedies meet the limit, and all of them on its band."""
    known = _numbers_by_name(state)
    numbers = [known[remedy.name] for remedy in findings.remedies]
    said = say_comparison(findings, numbers)
    show_said(said)
    if read_comparison(findings).rows:
        show_wide_and_narrow(
            compare_chart(findings, numbers),
            compare_chart(findings, numbers, narrow=True),
            title=compare_chart_title(findings),
            description=compare_chart_text(findings, numbers),
        )
    show_caution(said)


def show_figures(state: AuditState, table: Table, columns: tuple[str, ...], legend: str = "") -> None:
    """Draw the figures of all models, with what they are compared with; the first column numbers them."""
    st.subheader(literal(say(Message("compare-more-figures"))), anchor=False)
    numbers, names = _numbers_by_name(state), [column.name for column in table.columns]
    number, model = names.index(columns[0]), names.index("model")
    written = str if table.columns[number].kind == "text" else int
    rows = (
        (*row[:number], written(numbers[row[model]]), *row[number + 1 :]) if row[model] in numbers else row
        for row in table.rows
    )
    show_table(replace(table, rows=tuple(rows)), columns=columns)
    if legend:
        st.caption(literal(legend, limit=900))


def show_trade(findings: RemediesFinding | AmountRemediesFinding, compared: Comparison) -> None:
    """Draw all models as points: how well each does, and how far apart it leaves the groups."""
    rows = compared.rows
    if rows.empty:
        st.info(literal(say(Message("compare-trade-none"))))
        return
    points = {finding.name: page_of(finding.plan.method).point for finding in findings.remedies} | compared.points
    short = rows.assign(name=[points.get(name, PLAIN.point) for name in rows["name"]])
    show_chart(
        frontier_chart(short, **compared.titles),
        description=frontier_alt(rows, **compared.titles),
        note=say(Message("compare-computed-beaten")),
    )
