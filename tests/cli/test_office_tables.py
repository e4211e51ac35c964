"""Tables in the forms that offices publish: nothing wrong is answered in silence, and the ways that refusals name lead
to the right answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from office_tables import OFFICES, OfficeTable, Right
from sweeps import part_of

from fairaudit.cli.main import BAD_INPUT, DONE, main

# One of codes, one of counts in two columns, and one of a statistics program.
USUAL = ("home_loans", "hiring_tool", "survey")
MOST_REFUSALS = 12


@pytest.fixture
def check(tmp_path, capsys):
    """Return a function that asks the question of a table with some ways said: exit code, what was said."""

    def ask(table: OfficeTable, ways: list[tuple[str, ...]]) -> tuple[int, str]:
        path = tmp_path / table.file
        path.write_bytes(table.content)
        code = main(["check", str(path), *table.question, *(part for way in ways for part in way), "--json"])
        out, err = capsys.readouterr()
        return code, out if code == DONE else err

    return ask


def answered(out: str) -> Right:
    """Return what an answer says: shares or means, people of both groups, and shares of further groups."""
    found = json.loads(out)
    [check] = [*found["checks"], *found["amounts"]]
    own, other = check["result"]["protected"], check["result"]["reference"]
    value = "ratio" if "ratio" in own else "mean"
    rows = [row["comparison"]["protected"] for each in check["groups"] for row in each["rows"]]
    groups = {row["name"]: row[value] for row in rows}
    return Right(own[value], other[value], own["n"], other["n"], groups)


def is_named(way: tuple[str, ...], refusal: str) -> bool:
    """Say whether a refusal names an option, and the column that it is about where the table shows which."""
    names = [part.partition("=")[0].partition(":")[0] for part in way if not part.startswith("--")]
    columns = [name for name in names if name not in ("favorable", "all", "others")]
    return way[0] in refusal and (not columns or any(name in refusal for name in columns))


def led(table: OfficeTable, check) -> Iterator[tuple[list[tuple[str, ...]], int, str]]:
    """Ask, and say what each refusal names, until there is an answer; yield what was said, and what came."""
    said: list[tuple[str, ...]] = []
    for _ in range(MOST_REFUSALS):
        code, text = check(table, said)
        yield said, code, text
        if code == DONE:
            return
        left = [way for way in table.ways if way not in said]
        said = [*said, *[way for way in left if is_named(way, text)][:1]]


@pytest.mark.parametrize("name", part_of(OFFICES, USUAL, "thorough"))
def test_what_refusals_name_leads_to_the_right_answer_and_nothing_else_is_answered(name, check):
    table = OFFICES[name]()
    *refused, (said, code, text) = led(table, check)
    assert refused, "answered without a question"
    assert all(code == BAD_INPUT for _, code, _ in refused)
    said_after = [*(ways for ways, _, _ in refused[1:]), said]
    unnamed = [text for (ways, _, text), after in zip(refused, said_after, strict=True) if len(ways) == len(after)]
    assert not unnamed
    assert code == DONE and said and set(said) == set(table.ways)
    found = answered(text)
    assert (found.n_protected, found.n_rest) == (table.right.n_protected, table.right.n_rest)
    assert (found.protected, found.rest) == pytest.approx((table.right.protected, table.right.rest), abs=1e-9)
    if table.right.groups:
        assert found.groups == pytest.approx(table.right.groups, abs=1e-9)
