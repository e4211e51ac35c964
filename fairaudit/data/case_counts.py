"""What a row stands for: tables of counts, with a column of how many cases each row has, and weights of a survey."""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from dataclasses import dataclass

import pandas as pd

from fairaudit.columns import ByGroup, Column, Counts, Means, ReadOptions, SurveyDesign, WideCounts, count_columns
from fairaudit.data.counted_rows import is_median_name
from fairaudit.data.printed_counts import PRINTED
from fairaudit.data.roles import case_of_rows
from fairaudit.data.table import Table, as_table
from fairaudit.data.unknown_values import unknown_meaning
from fairaudit.disclosure.said import remarks
from fairaudit.errors import InputError, quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say

FEWEST_ROWS = 4
MOST_ROWS = 1_000_000
MOST_ROWS_UNNAMED = 100_000
"""Counts whose column has no telling name are looked for in tables of at most so many rows."""
FEWEST_ROWS_UNNAMED = 8
MOST_COLUMNS_UNNAMED = 12
MOST_LEVELS_UNNAMED = 30
MOSTLY = 0.9
"""A number that is different in so large a share of the rows may be the mean of each row's people."""
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
_WEIGHTS = """
pweight pweights fweight aweight iweight pwgt pwgtp wgtp wgt fnlwgt perwt hhwt wtfinl finalwt finalweight
weighting gewichtung hochrechnungsfaktor ponderation ponderacion ponderazione phrf hhrf lw xw
"""
_WEIGHED = re.compile(
    r"[a-z]{0,3}weight|[a-z]{0,5}(wght|wgt)|(pop|fin|final|pers?|person|hh|ind|stu|fstu|sch|smp)w(eigh)?ts?|wt[a-z]{3,}"
)
"""Words of surveys that are one of weights and a few letters: dweight, pspwght, perwt, wtssall; no overweight."""
_DRAWN = "dweight dwgt dwght design sampling base"
"""These weigh by how the sample was drawn alone; weights that were adjusted to the population hold them as well."""
_DESIGNS = {
    "strata": "stratum strata stratification vstrat schicht strate estrato strato",
    "clusters": "psu psus cluster clusters vpsu klumpen grappe conglomerado",
}
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
# These weigh people as well.
_HEAVY = "weight weights wt gewicht poids peso factor faktor facteur fator"
_OF_A_SURVEY = """
sample sampling survey person household final design analysis population calibrated calibration probability
respondent nonresponse expansion extrapolation stichproben hochrechnung sondage muestral replicate
"""
_COUNT_WORDS, _CASE_WORDS, _JOINING_WORDS = (frozenset(text.split()) for text in (_COUNTS, _PEOPLE, _JOINING))
_FAVORABLE_WORDS, _OTHER_WORDS, _ALL_WORDS = (frozenset(text.split()) for text in (_FAVORABLE, _OTHERS, _ALL))
_WEIGHT_WORDS, _HEAVY_WORDS, _SURVEY_WORDS = (frozenset(text.split()) for text in (_WEIGHTS, _HEAVY, _OF_A_SURVEY))
_DRAWN_WORDS = frozenset(_DRAWN.split())
_DESIGN_WORDS = {part: frozenset(words.split()) for part, words in _DESIGNS.items()}
_ROLES = ("favorable", "others", "all")
_MOST_WEIGHTS = 5
FEWEST_PEOPLE = 30
"""In a table of more rows, a column beside others that is different in each row names people."""
_FIGURE = re.compile(r"\d*[.,]\d+|[\d.,]+\s*%")


@dataclass(frozen=True)
class _Facts:
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
    words = [word for word in _words(name) if word != "all"]
    return bool(words) and all(word in _COUNT_WORDS or word in _CASE_WORDS for word in words)


def is_weight_name(name: str) -> bool:
    """Say whether a column's name says that it holds the weights of a survey.

    Examples
    --------
    >>> [name for name in ("pweight", "Survey weight", "fnlwgt", "weight", "birth_weight") if is_weight_name(name)]
    ['pweight', 'Survey weight', 'fnlwgt']
    """
    words = _words(name)
    if any(word in _WEIGHT_WORDS for word in words) or any(
        word not in _HEAVY_WORDS and _WEIGHED.fullmatch(word) for word in words
    ):
        return True
    return not (_HEAVY_WORDS.isdisjoint(words) or _SURVEY_WORDS.isdisjoint(words))


def _words(name: str) -> list[str]:
    text = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    return [word for word in re.split(r"[\W_\d]+", text) if word and word not in _JOINING_WORDS]


def weight_columns(table: Table) -> list[str]:
    """Return the columns that seem to say how many people each row stands for, where nobody has named one."""
    if table.design is not None:
        return []
    named = [name for name, column in table.columns.items() if column.kind == "number" and is_weight_name(name)]
    parts = [f"{bound}({table.writer.quoted(name)})" for name in named for bound in ("min", "max")]
    ends = iter(table.aggregate(parts) if parts else ())
    return [name for name, low, high in zip(named, ends, ends, strict=False) if low is not None and 0 <= low < high]


def proposed_designs(table: Table) -> list[SurveyDesign]:
    """Return how a survey may be weighted, a design for each column of weights; its strata and clusters by their names.

    Last come weights of the draw alone: others hold them. Empty where no column seems to hold weights.
    """
    weights = sorted(weight_columns(table), key=lambda name: not _DRAWN_WORDS.isdisjoint(_words(name)))
    drawn = {
        part: next((each for each in table.columns if not names.isdisjoint(_words(each))), None)
        for part, names in _DESIGN_WORDS.items()
    }
    return [SurveyDesign(each, drawn["strata"], drawn["clusters"]) for each in weights]


def weight_warnings(table: Table) -> tuple[str, ...]:
    """Say that weights are not used, where a column seems to hold them."""
    said = (Message("doubt-weights", {"column": Phrase(quote(name))}) for name in weight_columns(table))
    return remarks(said, "setting")


def asks_about_weights(table: Table) -> bool:
    """Say whether a column seems to hold weights of a survey, and nobody has said whether rows count by them."""
    return not table.source.options.unweighted and bool(weight_columns(table))


def proposed_counts(table: Table) -> Counts | None:
    """Return the columns that seem to say how many cases each row stands for; looked for once a table."""
    return table.remember(
        ("counts",), lambda: find_wide_counts(table) or find_group_counts(table) or find_count_column(table)
    )


def proposed_means(table: Table, counts: Counts) -> Means:
    """Return the columns that seem to hold means of the people of each row, where these columns count them.

    Of counts by group, those of other figures by the same groups. Of one column of counts, numbers with fractions that
    hardly repeat.
    """
    if isinstance(counts, WideCounts):
        return ()
    if isinstance(counts, ByGroup):
        families = [each for each in _by_group(table) if each.groups == counts.groups and each != counts]
        return tuple(each for each in families if not any(map(is_median_name, each.columns)))
    facts = [fact for fact in _facts(table) if fact.column.kind == "number" and fact.column.name != counts]
    found = (fact.column.name for fact in facts if not fact.whole and _hardly_repeats(fact))
    return tuple(name for name in found if not is_median_name(name))


def _hardly_repeats(fact: _Facts) -> bool:
    return fact.known > 1 and fact.distinct >= MOSTLY * fact.known


def asked_means(table: Table, amount: str | None = None) -> Means:
    """Return the columns of a table of counts of which nobody has said whether they hold means, though they may.

    Where several people stand behind a row on average, these are numbers with fractions that hardly repeat, and any
    such `amount`; none holds medians by its name.
    """
    options = table.source.options
    rows = table.without_counts
    if options.means is not None or not _stands_for_several(table):
        return ()
    found = proposed_means(rows, options.counts)
    if amount is not None and amount not in found and amount in rows.columns and not is_median_name(amount):
        found += tuple(f.column.name for f in _facts(rows) if f.column.name == amount and _hardly_repeats(f))
    return found


def _stands_for_several(table: Table) -> bool:
    """Say whether several people stand behind a row on average, by one column of counts."""
    return isinstance(table.source.options.counts, str) and table.n_rows >= 2 * table.without_counts.n_rows


def refuse_open_means(table: Table, amount: str | None) -> None:
    """Refuse an amount of a table of counts of which it is not said whether it is the mean of each row's people.

    Unless each person is said to have it, one that holds medians by its name is refused as well.
    """
    if (
        amount is not None
        and is_median_name(amount)
        and table.source.options.means != ()
        and _stands_for_several(table)
    ):
        raise InputError(
            f"Column {quote(amount)} holds medians by its name, and the people of several rows have no figure that "
            "follows from medians.",
            hint="Name a column of means, with --means, or what each person has. If each person has this: --no-means, "
            "or means=() in Python, or means = [] under [data] of a plan.",
        )
    if amount is not None and amount in asked_means(table, amount):
        name = quote(amount)
        raise InputError(
            f"Column {name} may hold the mean of the people that each row stands for, or what each of them has.",
            hint=f"If it holds means, say so: --means {name}, or means={name} of Table.from_pandas and ReadOptions in "
            f"Python, or means = [{name}] under [data] of a plan. If each person has it: --no-means, or means=() in "
            "Python, or means = [] under [data] of a plan.",
        )


def count_column(table: Table) -> str | None:
    """Return the column that seems to say how many cases each row stands for; of two, that of all or the others."""
    columns = count_columns(proposed_counts(table))
    return columns[-1] if columns else None


def counts_cases(table: Table) -> bool:
    """Say whether a table seems to hold counts of cases, and nobody has said that each row is one case."""
    return not table.rows_are_cases and count_column(table) is not None


def taken_for_cases(table: Table) -> str | None:
    """Return the column that seems to count cases where somebody has said that each row is one case."""
    return count_column(table) if table.source.options.rows_are_cases else None


def counts_caution(column: str) -> str:
    """Say that rows were counted as cases although a column seems to count them."""
    return say(Message("doubt-counted", {"column": Phrase(quote(column, limit=40))}))


def as_cases(data: Table | pd.DataFrame, *, decision: str | None = None) -> Table:
    """Return a table each row of which is one case that counts once; refuse a table of counts, or one with weights.

    The column that is asked about counts no cases, unless its name says so.
    """
    table = as_weighted(data, decision=decision)
    refuse_weights(table)
    return table


def refuse_weights(table: Table) -> None:
    """Refuse a table with sampling weights, for what is not defined with them."""
    if table.design is not None:
        raise InputError(
            f"This is not defined with sampling weights, which column {quote(table.design.weights)} holds.",
            hint="Ask what is, such as a check of two groups, or leave the weights out if each row is to count once.",
        )


def refuse_partial(table: Table, asked: str | None = None) -> None:
    """Refuse a table some of whose counts are rounded or hidden, for what is `asked` and not defined with them."""
    if table.partial_counts is not None:
        columns = " and ".join(map(quote, count_columns(table.source.options.counts)))
        raise InputError(
            f"{'This' if asked is None else quote(asked)} needs exact counts, and some in {columns} are rounded or "
            "hidden.",
            hint="Ask for a check of two groups, which gives bounds: fairaudit check, a check in a plan, or "
            "check_partial_counts in Python.",
        )


def as_weighted(
    data: Table | pd.DataFrame,
    *,
    decision: str | None = None,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
) -> Table:
    """Return a table each row of which is one case, with the sampling weights that are named or that it was read with.

    For what knows weights; what does not takes :func:`as_cases`. Beside the weights that a table was read with, its
    strata and clusters hold unless they are named anew.
    """
    table = as_table(data)
    refuse_partial(table)
    if table.design is not None and weights in (None, table.design.weights):
        known = table.design
        design: SurveyDesign | None = SurveyDesign(
            known.weights, design_strata or known.strata, design_clusters or known.clusters
        )
    else:
        design = ReadOptions(weights=weights, design_strata=design_strata, design_clusters=design_clusters).design
    if design is not None and design != table.design:
        table = table.with_design(design)
    design = table.design
    if design is not None and decision in design.columns:
        raise InputError(
            f"Column {quote(decision)} says how the sample was drawn, so nothing can be asked about it.",
            hint="Name another decision, or other weights.",
        )
    if asks_about_weights(table):
        raise _open_weights(proposed_designs(table))
    refuse_open_means(table, decision)
    counts = None if table.rows_are_cases else proposed_counts(table)
    columns = count_columns(counts)
    if design is not None and not set(columns).isdisjoint(design.columns):
        return table
    if counts is not None and (decision not in columns or is_count_name(columns[-1])):
        raise InputError(
            f"Column {quote(columns[-1])} seems to say how many cases each row stands for, so rows cannot be compared "
            "as cases.",
            hint=f"If it does, say so: {_options_of(table, counts)} under [data] of a plan.{_of_two(counts, decision)} "
            "If each row is one case: "
            "--rows-are-cases, or rows_are_cases=True, or rows_are_cases = true under [data.reading] of a plan.",
        )
    _refuse_rows_of_cases(table, decision)
    return table


def _refuse_rows_of_cases(table: Table, decision: str | None) -> None:
    """Refuse a table some cases of which have several rows, and nobody has said that each row counts."""
    if decision is None or decision not in table.columns or table.rows_are_cases or table.design is not None:
        return
    key = table.remember(("cases", decision), lambda: case_of_rows(table, decision))
    if key is None:
        return
    name = quote(key.column)
    raise InputError(
        f"Some cases have several rows: {table.n_rows:,} rows name {key.n:,} of {name}, each with one decision.",
        hint=f"To count each once: --one-row-per {name}, or one_row_per={name} of ReadOptions and Table.from_pandas in "
        f"Python, or one_row_per = {name} under [data.reading] of a plan. If each row is one case: --rows-are-cases, "
        "or rows_are_cases=True, or rows_are_cases = true there.",
    )


def _open_weights(designs: list[SurveyDesign]) -> InputError:
    """Return the error for a table that seems to have weights, with the way to say so for each of them."""
    first = designs[0]
    names = [quote(each.weights, limit=40) for each in designs[:_MOST_WEIGHTS]]
    several = len(designs) > 1
    who = (
        f"Columns {' and '.join(names)} seem to hold weights" if several else f"Column {names[0]} seems to hold weights"
    )
    which = "one of them" if several else "it"
    drawn = {"strata": first.strata, "clusters": first.clusters}
    more = "".join(f" --design-{part} {quote(column)}" for part, column in drawn.items() if column is not None)
    name = quote(first.weights)
    return InputError(
        f"{who} of a survey, by which rows would count.",
        hint=f"If {which} does, say so: --weights {', or --weights '.join(names)}"
        f"{f', with{more}' if more else ''}. In Python weights={name} of Table.from_pandas and ReadOptions, in a plan "
        f"weights = {name} under [data]. If each row counts once: --unweighted, or unweighted=True, or unweighted = "
        "true under [data.reading] of a plan.",
    )


def _options_of(table: Table, counts: Counts) -> str:
    in_python = "of Table.from_pandas and ReadOptions in Python"
    if isinstance(counts, str):
        name = quote(counts)
        return f"--counts {name}, or counts={name} {in_python}, or counts = {name}"
    if isinstance(counts, WideCounts):
        roles = counts.roles
        return f"{_option('counts', roles)}, or counts={roles} {in_python}, or counts = {_in_plan(roles)}"
    heads = dict(counts.pairs)
    means = [dict(each.pairs) for each in proposed_means(table, counts) if isinstance(each, ByGroup)]
    options = " ".join([_option("counts", heads), *(_option("means", each) for each in means)])
    in_plan = f"counts = {_in_plan(heads)} and means = [{', '.join(map(_in_plan, means))}]"
    return f"{options}, or counts={heads} and means={means} {in_python}, or {in_plan}"


def _of_two(counts: Counts, decision: str | None) -> str:
    """Name the way for two columns, where one was found and no decision is named."""
    if decision is not None or not isinstance(counts, str):
        return ""
    return (
        f" If another column counts those with a result: --counts {quote(f'all={counts}')} --counts favorable=COLUMN."
    )


def _option(name: str, columns: dict[str, str]) -> str:
    return " ".join(f"--{name} {quote(f'{key}={column}')}" for key, column in columns.items())


def _in_plan(columns: dict[str, str]) -> str:
    return f"{{{', '.join(f'{key} = {quote(column)}' for key, column in columns.items())}}}"


def find_group_counts(table: Table) -> ByGroup | None:
    """Return columns of each of some groups whose names say that they count people, beside other figures of these.

    Their names differ by one word, which is the group. What is no figure must not repeat a combination.
    """
    families = _by_group(table) if table.n_rows <= MOST_ROWS else []
    for heads in families:
        others = [each for each in families if each.groups == heads.groups and each != heads]
        if not others or not all(_COUNT_WORDS.union(_CASE_WORDS) & set(_words(name)) for name in heads.columns):
            continue
        facts = _facts(table)
        figures = {name for each in families for name in each.columns}
        keys = [fact for fact in facts if fact.column.name not in figures and not _is_figure(table, fact)]
        if table.n_rows > FEWEST_PEOPLE and any(fact.distinct == table.n_rows for fact in keys):
            continue
        counting = [fact for fact in facts if fact.column.name in heads.columns]
        if all(fact.counts for fact in counting) and (table.n_rows == 1 or (keys and _once_each(table, keys))):
            return heads
    return None


def _by_group(table: Table) -> list[ByGroup]:
    """Return columns of numbers whose names differ by one word alone: the group that they are of."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for name, column in table.columns.items():
        words = re.split(r"[\s_.,/-]+", name.strip()) if column.kind == "number" else []
        for place, word in enumerate(words if len(words) > 1 else ()):
            if word.isalpha():
                rest = tuple(each.casefold() for each in words)
                found.setdefault((*rest[:place], "", *rest[place + 1 :]), {})[word] = name
    return [ByGroup(tuple(columns.items())) for columns in found.values() if len(columns) > 1]


def find_wide_counts(table: Table) -> WideCounts | None:
    """Return two columns whose names say that one counts some of the cases, and the other all or the rest of them.

    Columns that are no figures must not repeat a combination.
    """
    named = [name for name, column in table.columns.items() if column.kind in ("number", "text")]
    roles = {name: role for name in named if (role := _role(name)) is not None}
    if not 2 <= table.n_rows <= MOST_ROWS or len(set(roles.values())) < 2 or len(roles) == len(table.columns):
        return None
    facts = _facts(table)
    # Of several columns of all cases, the smallest holds those that were decided on.
    counting = [fact.column.name for fact in sorted(facts, key=lambda fact: fact.most) if _counts(table, fact)]
    roles = {name: role for name, role in roles.items() if name in counting}
    by_role = {role: [name for name in counting if roles.get(name) == role] for role in _ROLES}
    others = [fact for fact in facts if fact.column.name not in roles]
    keys = [fact for fact in others if not _is_figure(table, fact)] or others[:1]
    if len(keys) > 1 and table.n_rows > FEWEST_PEOPLE and any(fact.distinct == table.n_rows for fact in keys):
        return None
    if not keys or not _once_each(table, keys):
        return None
    for part in ("favorable", "others"):
        for some, every in itertools.product(by_role[part], by_role["all"]):
            low, high = table.writer.quoted(some), table.writer.quoted(every)
            kinds = {table.column(name).kind for name in (some, every)}
            if kinds != {"number"} or not table.aggregate([f"sum(CASE WHEN {low} > {high} THEN 1 ELSE 0 END)"])[0]:
                return WideCounts(**{part: some, "all": every})
    pairs = itertools.product(by_role["favorable"], by_role["others"])
    return next((WideCounts(some, others=rest) for some, rest in pairs), None)


def _role(name: str) -> str | None:
    """Return which cases a column counts by its name; None where the name does not say."""
    words = set(_words(name))
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
    facts = _facts(table)
    telling = [fact for fact in facts if fact.column in named and _counts(table, fact)]
    if telling:
        return telling[0].column.name if _is_counted(table, facts, telling) else None
    candidates = [fact for fact in facts if fact.counts and fact.distinct >= max(3, min(20, n_rows // 4))]
    found = [fact for fact in candidates if unnamed and _is_full(table, [f for f in facts if f is not fact])]
    return found[0].column.name if len(found) == 1 else None


def _is_counted(table: Table, facts: list[_Facts], telling: list[_Facts]) -> bool:
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


def _is_full(table: Table, keys: list[_Facts]) -> bool:
    """Say whether most combinations of few values occur, each once."""
    most = min(MOST_LEVELS_UNNAMED, table.n_rows / 2)
    if len(keys) < 2 or any(not 2 <= fact.distinct <= most or not fact.whole for fact in keys):
        return False
    return table.n_rows >= FULL * _combinations(keys) and _once_each(table, keys)


def _is_figure(table: Table, fact: _Facts) -> bool:
    if fact.column.kind == "number":
        return fact.column.is_mean or not fact.whole or fact.distinct > table.n_rows / 2
    return fact.column.kind == "text" and _all_like(table, fact.column, _FIGURE)


def figure_columns(table: Table) -> set[str]:
    """Return the columns that hold figures, such as shares, and tell no cases apart."""
    return {fact.column.name for fact in _facts(table) if _is_figure(table, fact)}


def _combinations(keys: list[_Facts]) -> int:
    return math.prod(max(fact.distinct, 1) + (fact.known == 0) for fact in keys)


def _once_each(table: Table, keys: list[_Facts]) -> bool:
    if not {fact.column.name for fact in keys}.isdisjoint(table.first_rows.merged):
        # Only the first of some rows has the value of a merged cell.
        return True
    if table.n_rows > _combinations(keys) * 2:
        # Missing values make combinations of their own, but not so many.
        return False
    return len(table.counts([fact.column.name for fact in keys])) == table.n_rows


def _counts(table: Table, fact: _Facts) -> bool:
    if fact.column.kind == "number":
        return fact.counts
    return fact.known > 0 and _all_like(table, fact.column, PRINTED)


def _all_like(table: Table, column: Column, pattern: re.Pattern[str]) -> bool:
    values = [value.strip() for value in table.common_values(column.name) if isinstance(value, str)]
    texts = [text for text in values if text and unknown_meaning(text) is None]
    return bool(texts) and all(map(pattern.fullmatch, texts))


def _facts(table: Table) -> list[_Facts]:
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
            _Facts(column, int(known), int(distinct), float(least or 0), float(most or 0), not int(fractions or 0))
        )
    return facts
