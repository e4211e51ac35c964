"""Connecting to a table in a database that an administrator named: no secret is typed, kept or shown here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from fairaudit import AuditPlan, Table
from fairaudit.data import ReadOptions
from fairaudit.data.engines.door import Door
from fairaudit.data.engines.named import (
    PREFIX,
    NamedConnection,
    has_rules,
    list_tables,
    named_connections,
    open_connection,
    read_connections,
)
from fairaudit.data.engines.table import ConnectedTable
from fairaudit.errors import ConnectError, FairauditError, StoppedError, quote, require
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.data import as_planned
from ui.runtime import activity
from ui.runtime.questions import PageAnswers
from ui.state import AuditState
from ui.text import labels, literal, shortened, show_error, stated
from ui.widgets import start_choice

STAY = (
    "The rows stay there: every question is counted in the database, and only the counts come back. "
    "These 100 rows are fetched for you to look at:"
)
_SECRETS = "connections"
_LISTED = "data_tables_listed"


@dataclass(frozen=True)
class Offer:
    """What the administrator offers: connections by name, or why they cannot be read."""

    connections: dict[str, NamedConnection]
    failure: FairauditError | None = None

    def __bool__(self) -> bool:
        return bool(self.connections) or self.failure is not None


def offered() -> Offer:
    """Return the connections of Streamlit's secrets and of the administrator's file; of one name, that of the file."""
    try:
        found = named_connections()
        if st.secrets.load_if_toml_exists() and _SECRETS in st.secrets:
            found = (*read_connections(st.secrets[_SECRETS].to_dict()), *found)
    except ConnectError as error:
        return Offer({}, error)
    return Offer({connection.name: connection for connection in found})


def show_connect(state: AuditState, offer: Offer) -> None:
    """Draw the choice of a connection and of a table or query in it."""
    if offer.failure is not None:
        st.caption("What the administrator wrote about databases cannot be used, so ask them to look at it:")
        show_error(offer.failure)
        return
    names = list(offer.connections)
    present = state.table.connection if state.table is not None else None
    first = present.connection if present is not None else names[0] if len(names) == 1 else None
    name = st.selectbox(
        "Database",
        names,
        format_func=labels(names),
        placeholder="Choose a database",
        key=start_choice("data_connection", first, names),
        help="Named by the administrator of this server. The rows stay there: only counts come back, and a look at "
        "100 rows. Nothing can be changed there from here.",
    )
    if not name:
        return
    named = offer.connections[name]
    tables = _tables(state, named)
    if tables is None:
        st.caption("Tell the administrator of this server, and choose another database or bring a file meanwhile.")
        st.button("Try again", key="data_tables_again", on_click=_forget_tables, args=(name,))
        return
    first = present.table if present is not None and present.connection == name else None
    table = st.selectbox(
        "Table or view",
        tables,
        format_func=labels(tables),
        placeholder="Choose a table",
        key=start_choice(f"data_table_{name}", tables[0] if len(tables) == 1 else first, tables),
    )
    buttons = st.container(horizontal=True)
    pressed = buttons.button("Connect", key="data_connect", disabled=table is None)
    buttons.button(
        "Look for tables again", key="data_tables_again", type="tertiary", on_click=_forget_tables, args=(name,)
    )
    if pressed:
        connect(state, named, table=table)
    with st.expander("Or write one SELECT of your own"):
        query = st.text_area(
            "One SELECT",
            key=f"data_query_{name}",
            placeholder="SELECT sex, age, decision FROM applications WHERE year = 2025",
            help="It is read before it is sent: one statement that only reads. Leave out names and addresses: they "
            "are not needed.",
        )
        if st.button("Connect to this query", key="data_connect_query", disabled=not query.strip()):
            connect(state, named, query=query.strip())


def connect(state: AuditState, named: NamedConnection, *, table: str | None = None, query: str | None = None) -> None:
    """Open a table or query, make it that of the audit and draw the page anew; the present one stays if that fails."""
    try:
        open_connected(state, named, table=table, query=query)
    except StoppedError:
        st.info("Connecting was stopped. Nothing was changed.")
    except FairauditError as error:
        show_error(error)
        if state.table is not None:
            st.caption(stated("page-in-use", what=Phrase(state.table.name), limit=120))
    else:
        st.rerun()


def _ask(state: AuditState, key: tuple, work: Callable[[Callable[[Door], None]], Any]) -> Any:
    """Wait for the answer of a database; end the doors that `work` opens as soon as nobody waits any more."""
    doors: list[Door] = []

    def cancel() -> None:
        for door in doors:
            door.end()

    return state.asking.ask(key, lambda: work(doors.append), cancel)


@activity.noted("table")
def open_connected(
    state: AuditState,
    named: NamedConnection,
    *,
    table: str | None = None,
    query: str | None = None,
    options: ReadOptions | None = None,
) -> None:
    """Open a table or query and make it that of the audit."""
    plan = state.opened_plan

    def read(options: ReadOptions) -> Table:
        key = ("open", named.name, table, query, options)
        opened = _ask(
            state, key, lambda met: open_connection(named, table=table, query=query, met=met, options=options)
        )
        return opened.through(lambda answers: PageAnswers(answers, state.asking))

    with st.spinner("Connecting …"), state.asking.raised():
        planned = state.data_awaited and has_rules(named)
        if options is None and plan is not None and planned:
            opened = as_planned(plan.data, read)
        elif options is None and plan is not None and state.data_awaited:
            opened = read(plan.data.options)
        else:
            opened = read(options or ReadOptions())
        if plan is not None and plan.data.fingerprint is not None:
            # Asked before anything is changed: it may take long, fail or be stopped.
            _ = opened.fingerprint
        state.put_table(opened, source=f"{PREFIX}{named.name}")


def connect_as_planned(state: AuditState) -> None:
    """Connect to the table that the saved audit names, where its database is named here and it is not there yet."""
    plan = require(state.opened_plan)
    named = _planned(plan)
    if named is not None and state.data_awaited:
        connect(state, named, table=plan.data.table, query=plan.data.query)


def show_planned(state: AuditState) -> None:
    """Draw the way to the table that the saved audit names, or say why there is none; nothing where it names a file."""
    plan = require(state.opened_plan)
    if plan.data.connection is None:
        return
    named = _planned(plan)
    if named is None:
        st.info(stated("data-database-unknown", name=Phrase(quote(plan.data.connection))))
    elif st.button("Connect to it", key="home_connect"):
        connect(state, named, table=plan.data.table, query=plan.data.query)


def is_planned(state: AuditState) -> bool:
    """Say whether the table is the one that the saved audit names in its database, even if its rows have changed."""
    data, facts = require(state.opened_plan).data, state.present_table.connection
    planned = (data.connection, data.table, data.query)
    return facts is not None and planned == (facts.connection, facts.table, facts.query)


def awaited_words(plan: AuditPlan) -> str:
    """Return which data a saved audit waits for, in words."""
    data = plan.data
    if data.connection is None:
        return data.source
    where = {"database": Phrase(shortened(data.connection, 60))}
    if data.table is None:
        return say(Message("data-awaited-query", where))
    return say(Message("data-awaited-table", {"table": Phrase(shortened(data.table, 80)), **where}))


def _planned(plan: AuditPlan) -> NamedConnection | None:
    name = plan.data.connection
    return None if name is None else offered().connections.get(name)


def where_words(table: ConnectedTable) -> str:
    """Return where a connected table is, in words: its database, engine and table."""
    facts = table.connection
    where = {"database": Phrase(f"{shortened(facts.connection or facts.engine, 60)} ({facts.engine})")}
    if facts.table is None:
        return say(Message("data-connected-query", where))
    return say(Message("data-connected-table", {"table": Phrase(shortened(facts.table, 80)), **where}))


def show_connection(state: AuditState) -> None:
    """Draw how a connected table is read, and what follows from that for its fingerprint."""
    facts = require(state.present_table.connection)
    with st.expander("How the table is read"):
        database = Phrase(f"{facts.connection or facts.engine} ({facts.engine})")
        st.markdown(stated("data-database", database=database, limit=600))
        if facts.query is not None:
            st.caption("The query:")
            st.code(facts.query, language="sql", wrap_lines=True)
        else:
            st.markdown(f"Table: {literal(facts.table)}.")
        st.markdown(
            "**Fingerprint.** A file is known again by a fingerprint of all its cells. That of a table in a database "
            "is weaker, because the rows do not leave it: it is made from the names of the columns, the number of rows "
            "and, of each column, how many values are known, how many differ, the smallest, the largest and sums. "
            "If values change places between rows, it stays as it is. The report says which of the two it is."
        )
        st.caption("Rows may come and go while you work. Results stay as they were when they were asked for.")
        named = offered().connections.get(facts.connection or "")
        if named is not None and st.button("Read the table again", key="data_look_again"):
            connect(state, named, table=facts.table, query=facts.query)


def _forget_tables(name: str) -> None:
    st.session_state.get(_LISTED, {}).pop(name, None)


def _tables(state: AuditState, named: NamedConnection) -> tuple[str, ...] | None:
    """Return the tables of a connection, asked for once a session; where that fails, say why and return None."""
    listed = st.session_state.setdefault(_LISTED, {})
    if named.name not in listed:
        try:
            with st.spinner("Looking for tables …"), state.asking.raised():
                listed[named.name] = _ask(state, ("tables", named.name), lambda met: list_tables(named, met=met))
        except FairauditError as error:
            listed[named.name] = error.with_traceback(None)
    found = listed[named.name]
    if isinstance(found, FairauditError):
        show_error(found)
        return None
    if not found:
        st.info("There is no table that may be read in this database. Ask its administrator.")
    return found
