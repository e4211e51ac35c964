"""Columns that count cases, found by their names, their numbers and their sums: what is open of them is asked."""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from fairaudit.columns import ByGroup, Column, Counts, WideCounts
from fairaudit.data.printed_counts import PRINTED
from fairaudit.data.table import Table
from fairaudit.data.unknown_values import unknown_meaning

FEWEST_ROWS = 4
MOST_ROWS = 1_000_000
MOST_ROWS_UNNAMED = 100_000
"""Counts whose column has no telling name are looked for in tables of at most this many rows."""
FEWEST_ROWS_UNNAMED = 8
MOST_COLUMNS_UNNAMED = 12
MOST_LEVELS_UNNAMED = 30
FULL = 0.5
"""The share of all combinations that must be there where no name tells, or further columns hold figures."""

_COUNTS = """
n freq freqs frequency frequencies count counts cnt total headcount population
anzahl haufigkeit haufigkeiten fallzahl nombre effectif effectifs frequence frecuencia cantidad conteo
aantal antal antall numero frequenza conteggio quantidade contagem frequencia liczba pocet lukumaara szam numar
"""
_PEOPLE = """
cases people persons individuals applicants applications candidates rows records observations obs
employees workers students pupils admissions decisions
falle personen bewerber antrage personnes candidats dossiers casos personas persone gevallen personer
"""
# They join words that count; alone, they may number the rows.
_JOINING = "number numbers num nr no nb numero of the de des der von van d los las di do da"
_FAVORABLE = """
selected selections hired hires hirings admitted admits admissions accepted approved approvals granted grants passed
promoted promotions offered offers awarded awards enrolled appointed shortlisted invited favorable favourable positive
successes successful
"""
_OTHERS = """
rejected rejections denied denials refused refusals declined failed unsuccessful unfavorable unfavourable negative
searched searches arrested arrests fined fines dismissed dismissals sanctioned sanctions
"""
_ALL = "all total considered stops stopped eligible tested screened decided processed assessed determined received"
_NEGATIONS = frozenset({"not", "non"})
_SEXES = """
men women man woman male males female females boys girls boy girl manner frauen mann frau jungen madchen maennlich
mannlich weiblich hommes femmes hombres mujeres uomini donne mannen vrouwen
"""
_ORIGINS = """
white black african american asian hispanic latino latina latinx native hawaiian pacific islander indian alaska
alaskan two more multiracial mixed race races nonwhite minority minorities
"""
_COUNT_WORDS, _CASE_WORDS, _JOINING_WORDS = (frozenset(text.split()) for text in (_COUNTS, _PEOPLE, _JOINING))
_FAVORABLE_WORDS, _OTHER_WORDS, _ALL_WORDS = (frozenset(text.split()) for text in (_FAVORABLE, _OTHERS, _ALL))
_SEX_WORDS, _ORIGIN_WORDS = (frozenset(text.split()) for text in (_SEXES, _ORIGINS))
_BETWEEN = frozenset({"or", "and", "all", "other"})
_ROLES = ("favorable", "others", "all")
FEWEST_PEOPLE = 30
"""In a table of more rows, a column beside others that is different in each row names people."""
FEWEST_SUMS = 3
"""In fewer rows, a number may be the sum of two others by chance."""
MOST_SUMMED = 40
"""Of more columns of numbers, it is not looked which two add up to a third."""
_LOOKED_AT = 50
_FIGURE = re.compile(r"\d*[.,]\d+|[\d.,]+\s*%")


@dataclass(frozen=True)
class NumberFacts:
    """What a column holds: known values, different ones, and for numbers their range and whether they are whole."""

    column: Column
    known: int
    distinct: int
    least: float
    most: float
    whole: bool

    @property
    def counts(self) -> bool:
        """Whether the values can be numbers of cases."""
        return self.whole and self.least >= 0 and self.most >= 2


def is_count_name(name: str) -> bool:
    """Say whether a column's name says that it counts cases.

    Examples
    --------
    >>> [name for name in ("Freq", "# Applicants", "n_cases", "priors_count", "num_dependents") if is_count_name(name)]
    ['Freq', '# Applicants', 'n_cases']
    """
    if name.strip().startswith("#"):
        return True
    words = [word for word in words_of(name) if word != "all"]
    return bool(words) and all(word in _COUNT_WORDS or word in _CASE_WORDS for word in words)


def words_of(name: str) -> list[str]:
    """Return the words of a column's name, without accents, digits and words that only join others."""
    text = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    return [word for word in re.split(r"[\W_\d]+", text) if word and word not in _JOINING_WORDS]


def find_group_counts(table: Table) -> ByGroup | None:
    """Return columns of each of some groups whose names say that they count people, beside other figures of these.

    Their names differ by one word, which is the group. What is no figure must not repeat a combination.
    """
    families = columns_by_group(table) if table.n_rows <= MOST_ROWS else []
    for heads in families:
        others = [each for each in families if each.groups == heads.groups and each != heads and not has_role(each)]
        if not others or not all(_COUNT_WORDS.union(_CASE_WORDS) & set(words_of(name)) for name in heads.columns):
            continue
        facts = number_facts(table)
        figures = {name for each in families for name in each.columns}
        keys = [fact for fact in facts if fact.column.name not in figures and not _is_figure(table, fact)]
        if table.n_rows > FEWEST_PEOPLE and any(fact.distinct == table.n_rows for fact in keys):
            continue
        counting = [fact for fact in facts if fact.column.name in heads.columns]
        if all(fact.counts for fact in counting) and (table.n_rows == 1 or (keys and _once_each(table, keys))):
            return heads
    return None


def has_role(family: ByGroup) -> bool:
    """Say whether columns by group count those with one result, so that they hold no means."""
    return any(_role(name) in ("favorable", "others") for name in family.columns)


def find_results_by_group(table: Table) -> ByGroup | None:
    """Return columns that count, for each group, those with one result, beside others that count all or the others.

    Such a table needs a row for each group before it can be counted.
    """
    families = columns_by_group(table, also_printed=True) if table.n_rows <= MOST_ROWS else []
    for results in filter(has_role, families):
        beside = [each for each in families if each.groups == results.groups and each != results]
        named = {name for each in (results, *beside) for name in each.columns}
        are_groups = all(map(is_group_name, results.groups))
        if are_groups and beside and len(columns_of_counts(table, named)) == len(named):
            return results
    return None


def columns_by_group(table: Table, *, also_printed: bool = False) -> list[ByGroup]:
    """Return columns of numbers whose names differ by one word alone: the group that they are of.

    Those with hidden numbers among others are texts, and come with them where they are wanted, too.
    """
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for name, column in table.columns.items():
        is_read = column.kind == "number" or (also_printed and len(words_of(name)) > 1 and _hides_numbers(table, name))
        words = re.split(r"[\s_.,/-]+", name.strip()) if is_read else []
        for place, word in enumerate(words if len(words) > 1 else ()):
            if word.isalpha():
                rest = tuple(each.casefold() for each in words)
                found.setdefault((*rest[:place], "", *rest[place + 1 :]), {})[word] = name
    return [ByGroup(tuple(columns.items())) for columns in found.values() if len(columns) > 1]


def find_group_columns(table: Table) -> ByGroup | None:
    """Return columns of whole numbers that are called after groups, such as men and women: numbers of their people.

    Where rows are many, what is no figure must not repeat a combination. None where results of the groups have columns,
    too.
    """
    if find_results_by_group(table) is not None:
        return None
    for vocabulary in (_SEX_WORDS, _ORIGIN_WORDS, _SEX_WORDS | _ORIGIN_WORDS):
        named = {
            name: " ".join(words)
            for name, column in table.columns.items()
            if column.kind in ("number", "text") and (words := _group_words(name, vocabulary))
        }
        if len(set(named.values())) < 2 or len(set(named.values())) < len(named) or table.n_rows > MOST_ROWS:
            continue
        facts = number_facts(table)
        counting = {fact.column.name: named[fact.column.name] for fact in facts if _names_count(table, fact, named)}
        keys = [fact for fact in facts if fact.column.name not in named and not _is_figure(table, fact)]
        if len(counting) > 1 and keys and (table.n_rows <= FEWEST_PEOPLE or _once_each(table, keys)):
            return ByGroup(tuple((group, name) for name, group in counting.items()))
    return None


def is_group_name(name: str) -> bool:
    """Say whether a column is called after a group of people, such as men or white women.

    Examples
    --------
    >>> [name for name in ("Men", "n_women", "White or Asian", "mean pay women", "other") if is_group_name(name)]
    ['Men', 'n_women', 'White or Asian']
    """
    return bool(_group_words(name, _SEX_WORDS | _ORIGIN_WORDS))


def _names_count(table: Table, fact: NumberFacts, named: Collection[str]) -> bool:
    """Say whether a column that is called after a group counts people: a box that is ticked with x does not."""
    name = fact.column.name
    return name in named and _counts(table, fact) and (fact.column.kind == "number" or _hides_numbers(table, name))


def _group_words(name: str, vocabulary: frozenset[str]) -> list[str]:
    """Return the words of a name that say a group; none where it has another word."""
    words = [word for word in words_of(name) if word not in _COUNT_WORDS | _CASE_WORDS]
    return words if vocabulary.union(_BETWEEN).issuperset(words) and not vocabulary.isdisjoint(words) else []


@dataclass(frozen=True)
class SummedColumns:
    """Two columns of whole numbers that add up to a third one in every row."""

    parts: tuple[str, str]
    whole: str


def find_sums(table: Table) -> tuple[SummedColumns, ...]:
    """Return which two columns of whole numbers add up to a third one in every row; none of a database."""
    if table.is_connected or not FEWEST_SUMS <= table.n_rows <= MOST_ROWS:
        return ()
    return table.remember(("summed_columns",), lambda: _find_sums(table))


def _find_sums(table: Table) -> tuple[SummedColumns, ...]:
    names = [fact.column.name for fact in number_facts(table) if fact.counts and fact.known == table.n_rows]
    if not 3 <= len(names) <= MOST_SUMMED:
        return ()
    first = table.head(_LOOKED_AT)[names].to_numpy(dtype=float)
    likely = [
        SummedColumns((names[one], names[two]), names[whole])
        for one, two in itertools.combinations(range(len(names)), 2)
        for whole in np.flatnonzero((first[:, [one]] + first[:, [two]] == first).all(axis=0))
        if whole not in (one, two)
    ]
    quoted = table.writer.quoted
    missed = table.aggregate([
        f"sum(CASE WHEN {quoted(each.parts[0])} + {quoted(each.parts[1])} <> {quoted(each.whole)} THEN 1 ELSE 0 END)"
        for each in likely
    ]) if likely else ()  # fmt: skip
    return tuple(each for each, n in zip(likely, missed, strict=True) if not n)


def find_summed_counts(table: Table) -> WideCounts | None:
    """Return the first of two columns that add up to a third, and that: which of the two is favourable is open."""
    for each in find_sums(table):
        columns = {*each.parts, each.whole}
        facts = [fact for fact in number_facts(table) if fact.column.name not in columns]
        keys = [fact for fact in facts if not _is_figure(table, fact)]
        if table.n_rows > FEWEST_PEOPLE and any(fact.distinct == table.n_rows for fact in keys):
            continue
        if keys and _once_each(table, keys):
            return WideCounts(min(each.parts, key=lambda name: _role(name) == "others"), all=each.whole)
    return None


def are_named(counts: WideCounts) -> bool:
    """Say whether the names of two columns say which cases they count."""
    return all(_role(column) == role for role, column in counts.roles.items())


def doubted_counts(table: Table, counts: Counts | None) -> WideCounts | None:
    """Return what two columns of a table as it is seem to count, where another was said; None without a doubt.

    What was said to be the others is all, where it is called so and never the smaller, or where another column and the
    favourable cases add up to it; what was said to be all is the others where it is called so, or adds up with the
    first.
    """
    if not isinstance(counts, WideCounts) or not set(counts.columns) <= set(table.columns):
        return None
    some, second = counts.favorable or counts.others, counts.all or counts.others
    if some is None or second is None or some == second:
        return None
    sums = find_sums(table)
    if counts.all is None:
        is_whole = any(each.whole == second and some in each.parts for each in sums)
        if is_whole or (_role(second) == "all" and _is_never_more(table, some, second)):
            return WideCounts(some, all=second)
    elif any({some, second} == set(each.parts) for each in sums) or _role(second) == "others":
        return WideCounts(some, others=second) if counts.favorable is not None else WideCounts(second, others=some)
    return None


def possible_counts(table: Table, some: str, second: str) -> tuple[WideCounts, ...]:
    """Return what a second column may count beside the favourable cases in `some`: all or the others, the likely first.

    What a doubt or the numbers rule out is left out.
    """
    every, rest = WideCounts(some, all=second), WideCounts(some, others=second)
    if not _is_never_more(table, some, second) or doubted_counts(table, every) is not None:
        return (rest,)
    return (every,) if doubted_counts(table, rest) is not None else (every, rest)


def _is_never_more(table: Table, some: str, every: str) -> bool:
    """Say whether the one column of numbers is never larger than the other one."""
    low, high = table.writer.quoted(some), table.writer.quoted(every)
    kinds = {table.column(name).kind for name in (some, every)}
    return kinds != {"number"} or not table.aggregate([f"sum(CASE WHEN {low} > {high} THEN 1 ELSE 0 END)"])[0]


def columns_of_counts(table: Table, names: Collection[str] | None = None) -> tuple[str, ...]:
    """Return the columns that can count cases: whole numbers from 0, or numbers as offices print them."""
    facts = [fact for fact in number_facts(table) if names is None or fact.column.name in names]
    return tuple(fact.column.name for fact in facts if _counts(table, fact))


def find_wide_counts(table: Table) -> WideCounts | None:
    """Return two columns whose names say that one counts some of the cases, and the other all or the rest of them.

    Columns that are no figures must not repeat a combination, but in few rows, or where numbers are hidden.
    """
    named = [name for name, column in table.columns.items() if column.kind in ("number", "text")]
    roles = {name: role for name in named if (role := _role(name)) is not None}
    if not 2 <= table.n_rows <= MOST_ROWS or len(set(roles.values())) < 2 or len(roles) == len(table.columns):
        return None
    facts = number_facts(table)
    # Of several columns of all cases, the smallest holds those that were decided on.
    counting = [fact.column.name for fact in sorted(facts, key=lambda fact: fact.most) if _counts(table, fact)]
    roles = {name: role for name, role in roles.items() if name in counting}
    by_role = {role: [name for name in counting if roles.get(name) == role] for role in _ROLES}
    others = [fact for fact in facts if fact.column.name not in roles]
    keys = [fact for fact in others if not _is_figure(table, fact)] or others[:1]
    if len(keys) > 1 and table.n_rows > FEWEST_PEOPLE and any(fact.distinct == table.n_rows for fact in keys):
        return None
    if not keys:
        return None
    # Two rows of a group are parts of it; of many rows, each may be a person.
    is_table = table.n_rows <= FEWEST_PEOPLE or _once_each(table, keys)

    def may_count(pair: tuple[str, str]) -> bool:
        return is_table or any(_hides_numbers(table, name) for name in pair)

    for part in ("favorable", "others"):
        for some, every in filter(may_count, itertools.product(by_role[part], by_role["all"])):
            if _is_never_more(table, some, every):
                return WideCounts(**{part: some, "all": every})
    pairs = filter(may_count, itertools.product(by_role["favorable"], by_role["others"]))
    return next((WideCounts(some, others=rest) for some, rest in pairs), None)


def _role(name: str) -> str | None:
    """Return which cases a column counts by its name; None where the name does not say."""
    words = set(words_of(name))
    role = "all" if is_count_name(name) or words & _ALL_WORDS else None
    role = "others" if words & _OTHER_WORDS else role
    role = "favorable" if words & _FAVORABLE_WORDS else role
    return "others" if role == "favorable" and words & _NEGATIONS else role


def find_count_column(table: Table) -> str | None:
    """Return the column that seems to say how many cases each row stands for; None where rows are cases.

    The other columns, of which each repeats its values, never repeat a combination. A column with a telling name is
    enough then, also beside other columns of figures where most combinations occur. Without such a name, at least half
    of all combinations must occur, and the numbers must differ.
    """
    n_rows = table.n_rows
    if not (FEWEST_ROWS <= n_rows <= MOST_ROWS and len(table.columns) > 2):
        return None
    named = [column for column in table.columns.values() if column.kind in ("number", "text")]
    named = [column for column in named if is_count_name(column.name)]
    unnamed = FEWEST_ROWS_UNNAMED <= n_rows <= MOST_ROWS_UNNAMED and len(table.columns) <= MOST_COLUMNS_UNNAMED
    unnamed = unnamed and not table.is_connected
    if not named and not (unnamed and any(column.kind == "number" for column in table.columns.values())):
        return None
    facts = number_facts(table)
    telling = [fact for fact in facts if fact.column in named and _counts(table, fact)]
    if telling:
        return telling[0].column.name if _is_counted(table, facts, telling) else None
    candidates = [fact for fact in facts if fact.counts and fact.distinct >= max(3, min(20, n_rows // 4))]
    found = [fact for fact in candidates if unnamed and _is_full(table, [f for f in facts if f is not fact])]
    return found[0].column.name if len(found) == 1 else None


def _is_counted(table: Table, facts: list[NumberFacts], telling: list[NumberFacts]) -> bool:
    """Say whether what is no figure has each combination once."""
    others = [fact for fact in facts if fact not in telling]
    figures = [fact for fact in others if _is_figure(table, fact)]
    keys = [fact for fact in others if fact not in figures]
    if len(keys) < 2 and not (keys and len(telling) > 1):
        return False
    if len(telling) == 1:
        if any(fact.distinct > table.n_rows / 2 for fact in keys):
            return False
        if figures and table.n_rows < FULL * _combinations(keys):
            return False
    return _once_each(table, keys)


def _is_full(table: Table, keys: list[NumberFacts]) -> bool:
    """Say whether most combinations of few values occur, each once."""
    most = min(MOST_LEVELS_UNNAMED, table.n_rows / 2)
    if len(keys) < 2 or any(not 2 <= fact.distinct <= most or not fact.whole for fact in keys):
        return False
    return table.n_rows >= FULL * _combinations(keys) and _once_each(table, keys)


def _is_figure(table: Table, fact: NumberFacts) -> bool:
    if fact.column.kind == "number":
        return fact.column.is_mean or not fact.whole or fact.distinct > table.n_rows / 2
    return fact.column.kind == "text" and _all_like(table, fact.column, _FIGURE)


def figure_columns(table: Table) -> set[str]:
    """Return the columns that hold figures, such as shares, and tell no cases apart."""
    return {fact.column.name for fact in number_facts(table) if _is_figure(table, fact)}


def _combinations(keys: list[NumberFacts]) -> int:
    return math.prod(max(fact.distinct, 1) + (fact.known == 0) for fact in keys)


def _once_each(table: Table, keys: list[NumberFacts]) -> bool:
    if not {fact.column.name for fact in keys}.isdisjoint(table.first_rows.merged):
        # Only the first of some rows has the value of a merged cell.
        return True
    if table.n_rows > _combinations(keys) * 2:
        # Missing values make combinations of their own, but not so many.
        return False
    return len(table.counts([fact.column.name for fact in keys])) == table.n_rows


def _counts(table: Table, fact: NumberFacts) -> bool:
    if fact.column.kind == "number":
        return fact.counts
    return fact.known > 0 and _all_like(table, fact.column, PRINTED)


def _hides_numbers(table: Table, name: str) -> bool:
    """Say whether some cells of a column of texts are numbers, and others stand in the place of one."""
    if table.column(name).kind != "text":
        return False
    texts = [value.strip() for value in table.common_values(name) if isinstance(value, str)]
    numbers = [text for text in texts if text[:1].isdigit()]
    return len(numbers) > 1 and len(numbers) < len(texts)


def _all_like(table: Table, column: Column, pattern: re.Pattern[str]) -> bool:
    values = [value.strip() for value in table.common_values(column.name) if isinstance(value, str)]
    texts = [text for text in values if text and unknown_meaning(text) is None]
    return bool(texts) and all(map(pattern.fullmatch, texts))


def number_facts(table: Table) -> list[NumberFacts]:
    """Ask once what all columns hold."""
    columns = list(table.columns.values())
    parts: list[str] = []
    for column in columns:
        name = table.writer.quoted(column.name)
        is_number = column.kind == "number"
        parts += [f"count({name})", f"count(DISTINCT {name})"]
        parts += [f"min({name})", f"max({name})"] if is_number else ["0", "0"]
        parts += [f"sum(CASE WHEN {name} <> floor({name}) THEN 1 ELSE 0 END)" if is_number else "0"]
    values = iter(table.aggregate(parts))
    facts = []
    for column in columns:
        known, distinct, least, most, fractions = (next(values) for _ in range(5))
        facts.append(
            NumberFacts(column, int(known), int(distinct), float(least or 0), float(most or 0), not int(fractions or 0))
        )
    return facts
