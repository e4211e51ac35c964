"""How the rows of remedies were drawn, where the data stay in a database or cluster: a paragraph and a table."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.disclosure.hidden import without_figures
from fairaudit.present.blocks import Block, ColumnSpec, Paragraph, Table
from fairaudit.present.numbers import count_text, shown
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import StudyFacts
from fairaudit.study.sampled import SampleFacts

KEY = "remedies_sample"


def sample_blocks(facts: StudyFacts | AmountStudyFacts) -> list[Block]:
    """Return what the chapter of remedies says of its sample; nothing where none was drawn."""
    if facts.sample is None:
        return []
    return [Paragraph(sample_sentence(facts.sample)), *sample_tables(facts)]


def sample_tables(facts: StudyFacts | AmountStudyFacts) -> list[Table]:
    """Return the table of the strata, where rows were drawn and that is not hidden."""
    sample = facts.sample
    if sample is None or not sample.strata:
        return []
    columns = (
        *(ColumnSpec(name, name, "text", f"The {name} of the rows of this stratum.") for name in sample.by),
        ColumnSpec("n", "rows drawn", "count", "Rows of the sample."),
        ColumnSpec("n_population", "rows there are", "count", "Rows that the sample was drawn from."),
    )
    rows = tuple((*each.labels, shown(each.n), shown(each.n_population)) for each in sample.strata)
    return [Table(KEY, "How the rows were drawn", columns, rows)]


def sample_sentence(sample: SampleFacts) -> str:
    """Return how rows were drawn, in words.

    Examples
    --------
    >>> sample_sentence(SampleFacts("Spark", ("protection",), (), 50, 50, 4)).split(". ")[0]
    'The data stay in Spark, so that rows to learn from had to be drawn there: all 50 with a decision'
    """
    what = f"{count_text(sample.n_rows)} of the {count_text(sample.n_population)}"
    if sample.n_rows is None:
        what = "a part of those"
    elif sample.n_rows == sample.n_population:
        what = f"all {count_text(sample.n_rows)}"
    return (
        f"The data stay in {sample.engine}, so that rows to learn from had to be drawn there: {what} with a decision. "
        f"They were drawn at random within strata of {' and '.join(sample.by)}, from each in proportion to its size "
        f"and at least one, with the seed {sample.seed}; the same data and seed give the same rows. All figures about "
        "remedies are of these rows."
    )


def masked_sample(sample: SampleFacts | None, minimum: int, *, sizes: bool) -> SampleFacts | None:
    """Return a copy in which small counts, and what gives them away, are hidden."""
    if sample is None:
        return None
    if not sizes:
        return without_figures(sample)
    small = any(min(each.n, each.n_population) < minimum for each in sample.strata)
    return replace(sample, strata=()) if small else sample
