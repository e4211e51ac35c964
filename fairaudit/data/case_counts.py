"""What a row stands for: tables of counts, with a column of how many cases each row has, and weights of a survey."""

from __future__ import annotations

import re

from fairaudit.columns import ByGroup, Counts, Means, ReadOptions, SurveyDesign, WideCounts, count_columns
from fairaudit.data.count_columns import (
    NumberFacts,
    columns_by_group,
    doubted_counts,
    find_count_column,
    find_group_columns,
    find_group_counts,
    find_results_by_group,
    find_summed_counts,
    find_wide_counts,
    has_role,
    is_count_name,
    is_group_name,
    number_facts,
    words_of,
)
from fairaudit.data.counted_rows import is_median_name
from fairaudit.data.given import SaidCounts, SaidLabels, as_table
from fairaudit.data.roles import case_of_rows
from fairaudit.data.table import Table
from fairaudit.disclosure.said import remarks
from fairaudit.errors import InputError, quote
from fairaudit.findings import Message, Phrase, Word
from fairaudit.messages import say

MOSTLY = 0.9
"""A number that is different in so large a share of the rows may be the mean of each row's people."""

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
# These weigh people as well.
_HEAVY = "weight weights wt gewicht poids peso factor faktor facteur fator"
_OF_A_SURVEY = """
sample sampling survey person household final design analysis population calibrated calibration probability
respondent nonresponse expansion extrapolation stichproben hochrechnung sondage muestral replicate
"""
_WEIGHT_WORDS, _HEAVY_WORDS, _SURVEY_WORDS = (frozenset(text.split()) for text in (_WEIGHTS, _HEAVY, _OF_A_SURVEY))
_DRAWN_WORDS = frozenset(_DRAWN.split())
_DESIGN_WORDS = {part: frozenset(words.split()) for part, words in _DESIGNS.items()}
_MOST_WEIGHTS = 5


def is_weight_name(name: str) -> bool:
    """Say whether a column's name says that it holds the weights of a survey.

    Examples
    --------
    >>> [name for name in ("pweight", "Survey weight", "fnlwgt", "weight", "birth_weight") if is_weight_name(name)]
    ['pweight', 'Survey weight', 'fnlwgt']
    """
    words = words_of(name)
    if any(word in _WEIGHT_WORDS for word in words) or any(
        word not in _HEAVY_WORDS and _WEIGHED.fullmatch(word) for word in words
    ):
        return True
    return not (_HEAVY_WORDS.isdisjoint(words) or _SURVEY_WORDS.isdisjoint(words))


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
    weights = sorted(weight_columns(table), key=lambda name: not _DRAWN_WORDS.isdisjoint(words_of(name)))
    drawn = {
        part: next((each for each in table.columns if not names.isdisjoint(words_of(each))), None)
        for part, names in _DESIGN_WORDS.items()
    }
    return [SurveyDesign(each, drawn["strata"], drawn["clusters"]) for each in weights]


def weight_warnings(table: Table) -> tuple[str, ...]:
    """Say that weights are not used, where a column seems to hold them."""
    said = (Message("doubt-weights", {"column": Phrase(quote(name))}) for name in weight_columns(table))
    return remarks(said, "setting")


def count_warnings(table: Table) -> tuple[str, ...]:
    """Say that one of two columns seems to count other cases than was said."""
    counts, is_sure = table.source.options.counts, table.source.options.counts_confirmed
    asked = isinstance(counts, WideCounts) and not is_sure
    likely = doubted_counts(table.without_counts, counts) if asked else None
    if likely is None:
        return ()
    role = Word("others" if likely.all is None else "all")
    said = Message("doubt-counts", {"column": Phrase(quote(likely.columns[1])), "role": role})
    return remarks((said,), "setting")


def asks_about_weights(table: Table) -> bool:
    """Say whether a column seems to hold weights of a survey, and nobody has said whether rows count by them."""
    return not table.source.options.unweighted and bool(weight_columns(table))


def proposed_counts(table: Table) -> Counts | None:
    """Return the columns that seem to say how many cases each row stands for; looked for once a table."""
    return table.remember(
        ("counts",),
        lambda: (
            find_wide_counts(table)
            or find_group_counts(table)
            or find_group_columns(table)
            or find_summed_counts(table)
            or find_count_column(table)
        ),
    )


def results_by_group(table: Table) -> ByGroup | None:
    """Return columns that count those of each group with one result, which need a row for each group first."""
    if table.rows_are_cases or table.source.options.counts is not None or proposed_counts(table) is not None:
        return None
    return table.remember(("results_by_group",), lambda: find_results_by_group(table))


def proposed_means(table: Table, counts: Counts) -> Means:
    """Return the columns that seem to hold means of the people of each row, where these columns count them.

    Of counts by group, those of other figures by the same groups. Of one column of counts, numbers with fractions that
    hardly repeat.
    """
    if isinstance(counts, WideCounts):
        return ()
    if isinstance(counts, ByGroup):
        families = [each for each in columns_by_group(table) if each.groups == counts.groups and each != counts]
        # White women are some of the women.
        return tuple(each for each in families if not has_role(each) and not any(map(_is_no_mean, each.columns)))
    facts = [fact for fact in number_facts(table) if fact.column.kind == "number" and fact.column.name != counts]
    found = (fact.column.name for fact in facts if not fact.whole and _hardly_repeats(fact))
    return tuple(name for name in found if not is_median_name(name))


def _is_no_mean(name: str) -> bool:
    return is_group_name(name) or is_median_name(name)


def _hardly_repeats(fact: NumberFacts) -> bool:
    return fact.known > 1 and fact.distinct >= MOSTLY * fact.known


def asked_means(table: Table, amount: str | None = None) -> Means:
    """Return the columns of a table of counts of which nobody has said whether they hold means, though they may.

    Where several people stand behind a row on average, these are numbers with fractions that hardly repeat, and any
    such `amount`; none holds medians by its name.
    """
    options = table.source.options
    rows = table.without_counts
    if options.means is not None or not isinstance(options.counts, str) or not _stands_for_several(table):
        return ()
    found = proposed_means(rows, options.counts)
    if amount is not None and amount not in found and amount in rows.columns and not is_median_name(amount):
        found += tuple(f.column.name for f in number_facts(rows) if f.column.name == amount and _hardly_repeats(f))
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


def as_cases(
    data: object, *, decision: str | None = None, counts: SaidCounts = None, labels: SaidLabels = None
) -> Table:
    """Return a table each row of which is one case that counts once; refuse a table of counts, or one with weights.

    The column that is asked about counts no cases, unless its name says so.
    """
    table = as_weighted(data, decision=decision, counts=counts, labels=labels)
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
    data: object,
    *,
    decision: str | None = None,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> Table:
    """Return a table each row of which is one case, with the sampling weights that are named or that it was read with.

    For what knows weights; what does not takes :func:`as_cases`. Beside the weights that a table was read with, its
    strata and clusters hold unless they are named anew.
    """
    table = as_table(data, counts=counts, labels=labels)
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
    proposed = None if table.rows_are_cases else proposed_counts(table)
    columns = count_columns(proposed)
    if design is not None and not set(columns).isdisjoint(design.columns):
        return table
    if proposed is not None and (decision not in columns or is_count_name(columns[-1])):
        raise InputError(
            f"Column {quote(columns[-1])} seems to say how many cases each row stands for, so rows cannot be compared "
            "as cases.",
            hint=f"If it does, say so: {_options_of(table, proposed)} under [data] of a plan."
            f"{_of_two(proposed, decision)} If each row is one case: "
            "--rows-are-cases, or rows_are_cases=True, or rows_are_cases = true under [data.reading] of a plan.",
        )
    if proposed is None and (results := results_by_group(table)) is not None and decision not in results.columns:
        named = " and ".join(map(quote, results.columns))
        raise InputError(
            f"Columns {named} seem to count cases of groups with one result, so rows cannot be compared as cases.",
            hint="Bring the table with a row for each group. If each row is one case: --rows-are-cases, or "
            "rows_are_cases=True, or rows_are_cases = true under [data.reading] of a plan.",
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
    if not means:
        return f"{options}, or counts={heads} {in_python}, or counts = {_in_plan(heads)}"
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
