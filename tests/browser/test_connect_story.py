"""A table that stays in a real PostgreSQL: connected, filtered, judged, filled into a form of law, and reported."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator

import pytest
from auditor import Auditor, text_of_pdf
from playwright.sync_api import expect
from postgres_server import Postgres, started

from fairaudit.findings import Message
from fairaudit.messages import say

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")

SECRET = "pw-of-the-story-4711"
USER = "story_auditor"
FILL = (
    "CREATE SCHEMA hiring",
    """CREATE TABLE hiring.applications AS SELECT
    n AS number, (ARRAY['female', 'male'])[1 + n % 2] AS sex,
    (ARRAY['White', 'White', 'White', 'Black or African American', 'Latino', 'Asian'])[1 + n / 7 % 6] AS race,
    20 + n * 13 % 40 AS age, CASE WHEN n * 37 % 100 >= 60 - 15 * (n % 2) THEN 'hired' ELSE 'rejected' END AS decision
    FROM generate_series(1, 6000) AS n""",
    f"CREATE ROLE {USER} LOGIN PASSWORD '{SECRET}'",
    f"GRANT USAGE ON SCHEMA hiring TO {USER}",
    f"GRANT SELECT ON hiring.applications TO {USER}",
)
WAITING = (
    f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{USER}' AND state = 'active' AND wait_event_type = 'Lock'"
)


@pytest.fixture(scope="session")
def personnel(tmp_path_factory) -> Iterator[Postgres]:
    """A server with applications for jobs, or a visible skip where there is none to run."""
    with started(tmp_path_factory.mktemp("personnel") / "server") as server:
        server.execute(*FILL)
        yield server


@pytest.fixture(scope="session")
def app_server(serve, personnel, tmp_path_factory):
    """The app where an administrator named the database; its secret is in the environment only."""
    path = tmp_path_factory.mktemp("named") / "connections.toml"
    url = f"postgresql://127.0.0.1:{personnel.port}/postgres"
    path.write_text(
        f'[connections.personnel]\nurl = "{url}"\nuser = "PERSONNEL_USER"\npassword = "PERSONNEL_PASSWORD"\n'
    )
    return serve(FAIRAUDIT_CONNECTIONS=str(path), PERSONNEL_USER=USER, PERSONNEL_PASSWORD=SECRET)


@pytest.fixture(scope="session")
def app_url(app_server) -> str:
    """Where this app is served."""
    return app_server.url


@pytest.fixture
def connected(auditor) -> Auditor:
    """A person whose table is in the database, with the decision and the protected group said."""
    auditor.go("Data")
    auditor.turn("From a database")
    auditor.press("Connect")
    auditor.expect_table("applications")
    auditor.choose("Decision column", "decision")
    auditor.choose("Good for the person", "hired")
    auditor.go("Groups")
    auditor.turn("Write a condition")
    auditor.type("Protected: rows where", "sex = 'female'")
    return auditor


def test_table_in_postgresql_is_judged_where_it_is_and_the_report_says_so_without_a_secret(
    connected, app_server, look, tmp_path
):
    auditor = connected
    auditor.go("Data")
    auditor.expect_text(re.compile("table hiring.applications in the database personnel"))
    auditor.open_more()
    look(auditor, "How the table is read")
    auditor.go("Groups")
    auditor.type("Filter (empty: every row)", "age >= 25")
    auditor.expect_text("age is at least 25")
    auditor.go("Check")
    expect(auditor.said).to_contain_text(re.compile(r"40%.* 56%"))

    auditor.go("Legal forms")
    auditor.open_form()
    auditor.choose("Form", "NYC Local Law 144: bias audit")
    auditor.open_form()
    auditor.choose("Who is looked at", "everybody")
    auditor.tick("Put this in the report")

    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    for claim in ("PostgreSQL", "personnel", "hiring.applications", "6 RCNY", "age >= 25"):
        assert claim in text, claim
    plan = auditor.download("Saved audit (TOML)").decode()
    assert 'connection = "personnel"' in plan and "fingerprint" in plan
    with zipfile.ZipFile(io.BytesIO(auditor.download("Tables (CSV, zip)"))) as bundle:
        files = "".join(bundle.read(name).decode("utf-8", errors="replace") for name in bundle.namelist())
    result = auditor.download("JSON").decode()
    page = auditor.page.content()
    for shown in (text, plan, files, result, page, app_server.log):
        assert SECRET not in shown and USER not in shown


def test_saved_audit_connects_by_itself(connected, new_auditor):
    connected.go("Check")
    shown = connected.said.inner_text()
    other = new_auditor()
    other.open_plan(connected.save_audit())
    other.go("Check")
    assert other.said.inner_text() == shown


def test_question_that_waits_is_shown_stopped_in_the_server_and_asked_again(connected, personnel, assert_accessible):
    auditor = connected
    with psycopg.connect(personnel.url.replace("+psycopg", "")) as holder, personnel_watch(personnel) as watch:
        holder.execute("LOCK TABLE hiring.applications IN ACCESS EXCLUSIVE MODE")
        box = auditor.main.get_by_label("Filter (empty: every row)", exact=True)
        box.fill("age >= 31")
        box.press("Enter")
        auditor.expect_text(re.compile(r"Asking the database … \d+ s"))
        assert watch.execute(WAITING).fetchone()[0] == 1
        assert_accessible(auditor.page, colours=False)
        auditor.main.get_by_role("button", name="Stop the question").click()
        auditor.expect_text(say(Message("page-question-stopped")))
        auditor.settle()
        assert watch.execute(WAITING).fetchone()[0] == 0
    auditor.press("Ask again")
    auditor.expect_text("age is at least 31")


def test_what_happens_to_the_table_meanwhile_is_a_sentence_and_the_audit_goes_on(connected, personnel):
    auditor = connected
    table = "hiring.applications"
    rename = f"ALTER TABLE {table} RENAME"
    meanwhile = (
        (f"{rename} decision TO outcome", f"{rename} outcome TO decision", "renamed"),
        (f"REVOKE SELECT ON {table} FROM {USER}", f"GRANT SELECT ON {table} TO {USER}", "allow"),
        (f"ALTER ROLE {USER} PASSWORD 'another'", f"ALTER ROLE {USER} PASSWORD '{SECRET}'", "password"),
    )
    for place, (harm, remedy, said) in enumerate(meanwhile):
        personnel.execute(harm)
        auditor.go("Check")
        expect(auditor.main.get_by_role("alert").first).to_contain_text(said)
        personnel.execute(remedy)
        auditor.press("Ask again")
        expect(auditor.said).to_contain_text("40%")
        auditor.go("Groups")
        # Another filter, so that the next check is asked anew.
        auditor.type("Filter (empty: every row)", f"number >= {-place}")


def personnel_watch(server: Postgres):
    """A connection that watches the others."""
    return psycopg.connect(server.url.replace("+psycopg", ""), autocommit=True)
