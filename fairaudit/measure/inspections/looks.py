"""Who was looked at, and where something was found: by group and place, from rows or from counts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Literal

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition, tree
from fairaudit.data.case_counts import as_cases
from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import REST, Argument, Message, Phrase
from fairaudit.measure.comparison import said_rows
from fairaudit.measure.controlled import column_list, no_rows
from fairaudit.measure.grouping import check_group_count, group_names, place_of, plain_value
from fairaudit.measure.inspections.results import Form
from fairaudit.measure.not_known import (
    Meaning,
    Value,
    columns_not_known,
    groups_not_known,
    named_values,
    odd_values,
    refuse_open,
    refuse_open_values,
)

CASES = ["n_cases", "n_acted", "n_known", "n_found"]
"""Cases; those looked at; those of them with a known outcome; those where something was found."""

_UNKNOWN = frozenset({"not known", "perhaps"})
_BLANKS = frozenset({"na", "null", "nan", "nil"})
"""What programs write for an empty cell."""
_MOST_ANSWERS = 2
"""A column of more numbers than yes and no holds amounts."""

Role = Literal["stopped", "searched", "acted", "found"]


@dataclass(frozen=True, eq=False)
class Groups:
    """What makes the groups, and which of them occur.

    Parameters
    ----------
    columns : tuple of str
        The columns, or the condition.
    terms : tuple
        The same as a table counts by them.
    is_condition : bool
        Whether a condition makes two groups.
    """

    columns: tuple[str, ...]
    terms: tuple[str | Condition, ...]
    is_condition: bool

    def values(self, key: Sequence[object]) -> tuple[tuple[str, object], ...]:
        """Return the columns and values that make a group; nothing for a condition."""
        return () if self.is_condition else tuple(zip(self.columns, map(plain_value, key), strict=True))

    def names(self, keys: pd.DataFrame) -> list[str]:
        """Name groups, one a row of keys."""
        if self.is_condition:
            return [self.columns[0] if inside else REST for inside in keys.iloc[:, 0].astype(bool)]
        return group_names(keys)


@dataclass(frozen=True, eq=False)
class Looks:
    """Cases by group and place.

    Parameters
    ----------
    cells : pandas.DataFrame
        One row a group and place that occur together: `group` and `place` as codes, and :data:`CASES`.
    groups : tuple of str
        Names of the groups, ascending; for a condition, those who meet it come first.
    group_values : tuple
        The columns and values that make each of them.
    places : tuple of str
        Names of the places, ascending.
    place_values : tuple
        The columns and values that make each of them.
    form : {"rows", "counts"}
        Whether a row of the table is one case or holds counts.
    stopped, acted, found : str or None
        What was asked for, as text.
    group_columns, place_columns : tuple of str
        What makes groups and places.
    where : str or None
        The filter.
    n_unknown : int
        Cases (without stops: those looked at) whose group, or whether they were looked at, is not known.
    n_uncounted : int
        Rows of counts that do not say how many cases there were, or how many were looked at.
    knows_cases : bool
        Whether cases that were not looked at are counted.
    as_unknown : tuple of (str, tuple of str)
        Columns of the conditions and the values in them that are read as not known.
    """

    cells: pd.DataFrame
    groups: tuple[str, ...]
    group_values: tuple[tuple[tuple[str, object], ...], ...]
    places: tuple[str, ...]
    place_values: tuple[tuple[tuple[str, object], ...], ...]
    form: Form
    stopped: str | None
    acted: str
    found: str
    group_columns: tuple[str, ...]
    place_columns: tuple[str, ...]
    where: str | None
    n_unknown: int
    n_uncounted: int
    knows_cases: bool
    as_unknown: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def n_undecided(self) -> int:
        """Cases looked at without a known outcome."""
        return int((self.cells["n_acted"] - self.cells["n_known"]).sum())

    def say_uncounted(self) -> list[Message]:
        """Say which rows are left out because their counts are missing; nothing where there are none."""
        columns = " or ".join(quote(name) for name in (self.stopped, self.acted) if name is not None)
        left_out: dict[str, Argument] = {"rows": said_rows(self.n_uncounted), "columns": Phrase(columns)}
        return [Message("doubt-search-uncounted", left_out)] if self.n_uncounted else []

    def by_group(self) -> pd.DataFrame:
        """Return the counts of each group, one row a group in order."""
        return self.cells.groupby("group")[CASES].sum().reindex(range(len(self.groups)), fill_value=0)

    def reference_of(self, reference: object) -> int:
        """Return the code of the reference: the named group, or the one with most cases looked at."""
        if reference is None:
            return int(self.by_group()["n_acted"].to_numpy().argmax())
        return place_of(reference, self.groups)


def read_looks(
    table: object,
    *,
    acted: object,
    found: object,
    group: object,
    places: str | Sequence[str] | None,
    stopped: object = None,
    where: Condition | str | None = None,
    acted_role: Role = "acted",
    place_role: str = "strata",
    missing_places: bool = True,
) -> Looks:
    """Count a table by group, place, whether a case was looked at, and whether something was found.

    `missing_places` makes a place of rows without one; otherwise they are unknown.
    """
    table = as_table(table)
    roles: dict[Role, object] = {acted_role: acted, "found": found}
    if stopped is not None:
        roles["stopped"] = stopped
    terms: dict[str, str | Condition] = {role: _term(table, given, role) for role, given in roles.items()}
    kinds = {role: isinstance(term, str) for role, term in terms.items()}
    if len(set(kinds.values())) > 1:
        counts = next(role for role, is_count in kinds.items() if is_count)
        rows = next(role for role, is_count in kinds.items() if not is_count)
        raise InputError(
            f"{counts!r} is a column of counts and {rows!r} is a condition on rows; both must be of one kind.",
            hint=f"Name columns of counts for all of {', '.join(kinds)}, or write a condition for each.",
        )
    form: Form = "counts" if kinds["found"] else "rows"
    if form == "rows":
        as_cases(table)
    groups = read_groups(table, group)
    place_names = () if places is None else column_list(places, place_role, table)
    for name in place_names:
        if name in groups.columns:
            raise InputError(f"{quote(name)} makes the groups, so it cannot make the {place_role}, too.")
    condition = table.condition(where)
    by: dict[str, str | Condition] = {f"group {i}": term for i, term in enumerate(groups.terms)}
    by |= {f"place {i}": name for i, name in enumerate(place_names)}
    by |= terms
    as_unknown = _read_as_unknown(table, terms, acted_role)
    by |= {f"{role} unknown": Condition.one_of(*odd, table.columns) for role, odd in as_unknown.items()}
    counted = _with_unknown(table.counts(by, where=condition), terms, as_unknown)
    if not counted["n"].sum():
        raise no_rows(table, condition)
    read = _from_counts if form == "counts" else _from_rows
    tally, knows = read(counted, acted_role, stopped is not None, terms)
    group_keys = [f"group {i}" for i in range(len(groups.terms))]
    place_keys = [f"place {i}" for i in range(len(place_names))]
    needed = group_keys if missing_places else [*group_keys, *place_keys]
    known = tally[needed].notna().all(axis=1) & ~tally["unknown"]
    n_unknown = int(tally.loc[~known, "n_cases" if knows else "n_acted"].sum())
    n_uncounted = int(tally.loc[tally["unknown"], "n"].sum()) if form == "counts" else 0
    tally = tally[known]
    group_table, group_codes = levels(tally[group_keys], descending=groups.is_condition)
    place_table, place_codes = levels(tally[place_keys])
    check_group_count(len(group_table), groups.columns)
    check_group_count(len(place_table), place_names)
    cells = tally.assign(group=group_codes, place=place_codes).groupby(["group", "place"])[CASES].sum().reset_index()
    names = groups.names(group_table) if len(group_table) else []
    if len(names) < 2:
        there = f"only the group {quote(names[0])}" if names else "no group"
        label = ", ".join(map(quote, groups.columns))
        raise GroupError(
            f"{label} has {there} among the rows looked at ({n_unknown:,} unknown).",
            uncounted=f"{label} has {there} among the rows looked at.",
            hint="Check how the values are spelled, or choose another column or a wider filter.",
        )
    sizes = counted.groupby("group 0")["n"].sum()
    refuse_open_groups(table, groups, (int(sizes.get(True, 0)), int(sizes.get(False, 0))), condition)
    refuse_open_values(table, place_names, where=condition)
    looks = Looks(
        cells=cells,
        groups=tuple(names),
        group_values=tuple(groups.values(key) for key in group_table.itertuples(index=False)),
        places=tuple(group_names(place_table)) if place_names else ("",),
        place_values=tuple(
            tuple(zip(place_names, map(plain_value, key), strict=True)) for key in place_table.itertuples(index=False)
        )
        if place_names
        else ((),),
        form=form,
        stopped=None if stopped is None else str(terms["stopped"]),
        acted=str(terms[acted_role]),
        found=str(terms["found"]),
        group_columns=groups.columns,
        place_columns=tuple(place_names),
        where=None if condition is None else str(condition),
        n_unknown=n_unknown,
        n_uncounted=n_uncounted,
        knows_cases=knows and bool((cells["n_cases"] > cells["n_acted"]).any()),
        as_unknown=tuple(dict.fromkeys((column, tuple(map(str, values))) for column, values in as_unknown.values())),
    )
    _check_looked(looks)
    return looks


def refuse_open_groups(table: Table, groups: Groups, sizes: tuple[int, int], where: Condition | None) -> None:
    """Refuse groups of which a value may say that they are not known; two of a condition have `sizes` rows."""
    [condition, *_] = groups.terms
    if isinstance(condition, Condition):
        refuse_open(groups_not_known(table, condition, sizes=sizes, where=where))
    else:
        refuse_open(columns_not_known(table, groups.columns, where=where))


def read_groups(table: Table, group: object) -> Groups:
    """Read what makes the groups: a column, several crossed, or a condition that makes two."""
    if isinstance(group, str) and group in table.columns:
        return Groups((group,), (group,), is_condition=False)
    if isinstance(group, (str, Condition)):
        condition = table.condition(group)
        if condition is None:
            raise InputError(
                "'group' must be a column or a condition, got an empty text.", hint="Write one such as: sex = 'F'."
            )
        return Groups((str(condition),), (condition,), is_condition=True)
    names = column_list(group, "group", table)
    return Groups(names, names, is_condition=False)


def _term(table: Table, given: object, role: Role) -> str | Condition:
    """Return the name of a column of counts, or a condition on rows."""
    if isinstance(given, str) and given in table.columns:
        kind = table.column(given).kind
        if kind == "number":
            return given
        if kind == "boolean":
            return Condition.equals(given, True, table.columns)
        raise InputError(
            f"{role!r} names the column {quote(given)}, which holds {kind} values; it must be a condition or a column "
            "of counts.",
            hint=f"Say which value counts, such as: {given} = 'yes'.",
        )
    condition = table.condition(given) if isinstance(given, (str, Condition)) else None
    if condition is None:
        raise InputError(
            f"{role!r} must be a condition or the name of a column of counts, got {given!r}.",
            hint="Write one such as: searched = 'yes'.",
        )
    return condition


def _read_as_unknown(
    table: Table, terms: dict[str, str | Condition], acted: Role
) -> dict[str, tuple[str, list[Value]]]:
    """Return by role the column and those of its values that say that it is not known, and that nobody names."""
    found = {}
    for role, term in terms.items():
        if not (isinstance(term, Condition) and len(term.columns) == 1):
            continue
        [column] = term.columns
        odd = _codes(table, column, term)
        if values := _without_answers(table, role, term, odd, terms[acted] if role == "found" else None):
            found[role] = column, values
    return found


def _codes(table: Table, column: str, term: Condition) -> dict[Value, Meaning]:
    """Return the values that say that something is not known; high numbers are amounts where a term compares sizes."""
    odd = odd_values(table, column, "decision")
    odd = {value: meaning for value, meaning in odd.items() if meaning in _UNKNOWN}
    named = named_values(term, column, odd)
    others = {value for value in table.common_values(column) if value is not None} - set(odd)
    if _compares_sizes(term) and len(others) > _MOST_ANSWERS:
        odd = {value: meaning for value, meaning in odd.items() if isinstance(value, str) or value < 0}
    return {value: meaning for value, meaning in odd.items() if value not in named}


def _compares_sizes(term: Condition) -> bool:
    return any(
        isinstance(node, tree.Between) or (isinstance(node, tree.Compare) and node.operator not in ("=", "<>"))
        for node in tree.walk(term.tree)
    )


def _without_answers(
    table: Table, role: str, term: Condition, odd: dict[Value, Meaning], looked: str | Condition | None
) -> list[Value]:
    """Return the values without those that are the only answer "no": NA where all else is a find.

    Words such as "unknown" are no such answer; where they alone stand beside the finds, nothing is read.
    """
    if not odd:
        return []
    [column] = term.columns
    blank = [value for value, meaning in odd.items() if meaning == "perhaps" or _letters(value) in _BLANKS]
    is_odd = Condition.one_of(column, list(odd), table.columns)
    by: dict[str, str | Condition] = {"answer": term, "odd": is_odd}
    by |= {"blank": Condition.one_of(column, blank, table.columns)} if blank else {}
    by |= {} if looked is None else {"looked": looked}
    counted = table.counts(by)
    is_true = {name: counted[name].astype("boolean").fillna(False).astype(bool) for name in by}
    among = is_true.get("looked", pd.Series(True, index=counted.index))
    no = counted["answer"].notna() & ~is_true["answer"]
    if (among & no & ~is_true["odd"]).any():
        return list(odd)
    is_blank = is_true.get("blank", pd.Series(False, index=counted.index)) & among
    if (is_blank & no).any() and not (is_blank & is_true["answer"]).any():
        return [value for value in odd if value not in blank]
    if role == "found" and (among & is_true["odd"]).any() and (among & ~is_true["odd"] & is_true["answer"]).any():
        text = f"No row looked at says that nothing was found: {quote(column)} has only finds, and what is not known"
        raise GroupError(
            f"{text} ({', '.join(quote(str(value), limit=40) for value in list(odd)[:5])}).",
            uncounted=f"{text}.",
            hint=f"If that means that nothing was found, name it: {term & ~is_odd}",
        )
    return list(odd)


def _letters(value: Value) -> str:
    return "".join(filter(str.isalnum, str(value))).casefold()


def _with_unknown(
    counted: pd.DataFrame, terms: dict[str, str | Condition], as_unknown: dict[str, tuple[str, list[Value]]]
) -> pd.DataFrame:
    """Return counts in which a condition is not known where its column says so."""
    if not as_unknown:
        return counted
    for role in as_unknown:
        is_unknown = counted.pop(f"{role} unknown").fillna(False).astype(bool)
        counted[role] = counted[role].astype("boolean").mask(is_unknown)
    keys = [name for name in counted if name != "n"]
    return counted.groupby(keys, dropna=False, sort=False)["n"].sum().reset_index()


def _from_rows(
    counted: pd.DataFrame, acted: Role, has_stopped: bool, terms: dict[str, str | Condition]
) -> tuple[pd.DataFrame, bool]:
    """Return cases by group and place where each row is one."""
    n = counted["n"].astype("int64")
    looked, hit = counted[acted].astype("boolean"), counted["found"].astype("boolean")
    yes = looked.fillna(False).astype(bool)
    outside = hit.fillna(False).astype(bool) & (~looked.fillna(True)).astype(bool)
    if outside.any():
        _refuse_found(int(n[outside].sum()), terms[acted], terms["found"])
    unknown = looked.isna()
    if has_stopped:
        stop = counted["stopped"].astype("boolean")
        if (bad := yes & (~stop.fillna(True)).astype(bool)).any():
            rows = int(n[bad].sum())
            text = f"rows meet {acted!r} ({quote(terms[acted])}) but not 'stopped' ({quote(terms['stopped'])})"
            raise GroupError(
                f"{rows:,} {text}.", uncounted=f"Some {text}.", hint="Everybody who was looked at must count as a stop."
            )
        n = n.where(stop.fillna(True).astype(bool), 0)
        unknown |= stop.isna()
    known = yes & hit.notna()
    return counted.assign(
        n_cases=n,
        n_acted=n.where(yes, 0),
        n_known=n.where(known, 0),
        n_found=n.where(known & hit.fillna(False).astype(bool), 0),
        unknown=unknown,
    ), True


def _from_counts(
    counted: pd.DataFrame, acted: Role, has_stopped: bool, terms: dict[str, str | Condition]
) -> tuple[pd.DataFrame, bool]:
    """Return cases by group and place where rows hold counts."""
    n = counted["n"].astype("int64")
    values = {}
    for role in terms:
        numbers = counted[role].astype(float)
        bad = numbers.notna() & ~((numbers >= 0) & (numbers == np.floor(numbers)) & (numbers < 2**53))
        if bad.any():
            raise InputError(
                f"{role!r} must name a column of counts, but {quote(terms[role])} holds numbers below 0 or with "
                "decimals.",
                hint="Name the column that says how many there were.",
            )
        values[role] = numbers
    order = [*(("stopped",) if has_stopped else ()), acted, "found"]
    for more, fewer in itertools.pairwise(order):
        wrong = values[fewer] > values[more]
        if wrong.any():
            text = f"{quote(terms[fewer])} is larger than {quote(terms[more])}"
            rows = int(n[wrong].sum())
            if fewer == "found" and (values[more][wrong] == 0).all():
                _refuse_found(rows, terms[acted], terms["found"])
            raise GroupError(
                f"In {rows:,} row{'' if rows == 1 else 's'} {text}.",
                uncounted=f"In some rows {text}.",
                hint="Of those stopped some are searched, and of those something is found: correct these rows.",
            )
    unknown = values[acted].isna() | (values["stopped"].isna() if has_stopped else False)
    looked = values[acted].fillna(0).astype("int64")
    cases = values["stopped"].fillna(0).astype("int64") if has_stopped else looked
    known = values["found"].notna()
    return counted.assign(
        n_cases=cases * n,
        n_acted=looked * n,
        n_known=looked.where(known, 0) * n,
        n_found=values["found"].fillna(0).astype("int64") * n,
        unknown=unknown,
    ), has_stopped


def _refuse_found(rows: int, acted: str | Condition, found: str | Condition) -> None:
    if isinstance(acted, Condition) and isinstance(found, Condition):
        text = f"where {found.in_words()} but {(~acted).in_words()}"
        keeps = str(_is_missing(found) | ~found | acted)
        remedy = f"leave them out by the filter: {keeps}"
    else:
        text, keeps = f"where {quote(found)} counts finds but {quote(acted)} counts nobody", None
        remedy = "leave them out by the filter."
    raise GroupError(
        f"There {'is 1 row' if rows == 1 else f'are {rows:,} rows'} {text}.",
        uncounted=f"There are rows {text}.",
        hint=f"Something can only be found where somebody looked: correct these rows, or {remedy}",
        keeps=keeps,
    )


def _is_missing(condition: Condition) -> Condition:
    """Return where some column of a condition is missing."""
    return reduce(or_, [Condition.equals(name, None, condition.columns) for name in condition.columns])


def levels(keys: pd.DataFrame, *, descending: bool = False) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the different keys in order, missing last, and for each row the place of its own among them."""
    if keys.shape[1] == 0:
        return keys.drop_duplicates(), np.zeros(len(keys), dtype=np.int64)
    names = list(keys)
    level = keys.drop_duplicates().sort_values(names, ascending=not descending, kind="stable", na_position="last")
    level = level.reset_index(drop=True)
    codes = keys.merge(level.assign(code=range(len(level))), on=names, how="left", validate="many_to_one")["code"]
    return level, codes.to_numpy(dtype=np.int64)


def _check_looked(looks: Looks) -> None:
    """Refuse data in which nobody was looked at, or no look has an outcome."""
    total = looks.cells[CASES].sum()
    if not total["n_acted"]:
        text = f"No row meets {quote(looks.acted)}: nobody was looked at."
        raise GroupError(text, uncounted=text, hint="Check how the value is spelled, or choose a wider filter.")
    if not total["n_known"]:
        raise GroupError(
            f"None of the {int(total['n_acted']):,} cases looked at has an outcome ({quote(looks.found)} is unknown).",
            uncounted=f"No case looked at has an outcome ({quote(looks.found)} is unknown).",
            hint="Choose the column that says whether something was found.",
        )
