"""How the rows of remedies were drawn, where the data stay in a database or cluster: a paragraph and a table."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.disclosure.hidden import without_figures
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present.blocks import Block, ColumnSpec, Paragraph, Table
from fairaudit.present.numbers import shown
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
        *(ColumnSpec(name, name, "text", "What the cases have in common.") for name in sample.by),
        ColumnSpec("n", "rows drawn", "count", "Cases of the sample."),
        ColumnSpec("n_population", "rows there are", "count", "Cases there are."),
    )
    rows = tuple((*each.labels, shown(each.n), shown(each.n_population)) for each in sample.strata)
    return [Table(KEY, "How the rows were drawn", columns, rows)]


def sample_sentence(sample: SampleFacts) -> str:
    """Return how rows were drawn, in words.

    Examples
    --------
    >>> sample_sentence(SampleFacts("Spark", ("protection",), (), 50, 50, 4))
    'The data stay in Spark. All 50 cases were drawn there.'
    """
    args: dict[str, Argument] = {"engine": Phrase(sample.engine), "by": Phrase(" and ".join(sample.by))}
    if sample.n_rows is None or sample.n_population is None:
        return say(Message("learning-sample-part", args))
    args |= {"n": Count(sample.n_rows), "all": Count(sample.n_population)}
    return say(Message("learning-sample-all" if sample.n_rows == sample.n_population else "learning-sample", args))


def masked_sample(sample: SampleFacts | None, minimum: int, *, sizes: bool) -> SampleFacts | None:
    """Return a copy in which small counts, and what gives them away, are hidden."""
    if sample is None:
        return None
    if not sizes:
        return without_figures(sample)
    small = any(min(each.n, each.n_population) < minimum for each in sample.strata)
    return replace(sample, strata=()) if small else sample
