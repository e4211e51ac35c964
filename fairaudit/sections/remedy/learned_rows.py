"""The rows that models learn from and are judged on, how they were drawn, and what makes figures of them doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from fairaudit.data.engines.sampling import SampledStratum
from fairaudit.disclosure.fields import Field, Kind
from fairaudit.findings import Argument, Count, Message, Phrase, Said, Word
from fairaudit.measure.not_known import NotKnown
from fairaudit.messages import say
from fairaudit.present.blocks import Block, Paragraph, TableBlock
from fairaudit.present.cases import ended_lead, joinable
from fairaudit.present.field_tables import Column, column_table, declared_by, declared_columns, figures_table
from fairaudit.present.proxies import proxies_blocks, proxies_table, say_proxies
from fairaudit.sections.remedy.reading import Facts, Finding
from fairaudit.study.findings import StudyFacts
from fairaudit.study.sampled import SampleFacts


def learned_rows_note(facts: Facts, remedies: Sequence[Finding]) -> str:
    """Return from whom models learn beside those whom the gap is about; empty where there are no others."""
    known_only = [remedy.plan.learns_known_groups for remedy in remedies]
    said = (filter_sentence(facts), unknown_groups_sentence(facts, known_only))
    return " ".join(text for text in said if text)


def filter_sentence(facts: Facts) -> str:
    """Return whether models learn from rows that do not meet the filter, too; empty where there are none."""
    if facts.where_words is None or facts.n_filtered_out == 0:
        return ""
    where = Phrase(facts.where_words)
    if facts.plan.learn_from == "population":
        return say(Message("learning-filter-alone", {"where": where}))
    if facts.n_filtered_out is None:
        return say(Message("learning-filter-hidden", {"where": where}))
    return say(Message("learning-filter", {"where": where, "n": Count(facts.n_filtered_out)}))


def unknown_groups_sentence(facts: Facts, known_only: Sequence[bool]) -> str:
    """Return whether models learn from people of an unknown group, and that none is judged on them; empty without any.

    `known_only` says of each model whether it learns from people whose group is known alone; empty for any models.
    """
    if facts.n_unknown == 0:
        return ""
    # Where columns make the groups, those that count in learning are others than who is protected.
    learn = not any(known_only) or bool(facts.group_columns)
    who = Word("learn" if learn else "none" if all(known_only) else "some")
    if facts.n_unknown is None:
        return say(Message("learning-unknown-hidden", {"who": who}))
    return say(Message("learning-unknown", {"who": who, "n": Count(facts.n_unknown)}))


def undecided_sentence(facts: Facts) -> str:
    """Return how many rows have no outcome to learn from; empty where there are none."""
    if not facts.n_undecided:
        return ""
    return say(Message("learning-undecided", {"n": Count(facts.n_undecided), "what": Phrase(facts.outcome.a_noun)}))


def learned_not_known_sentences(facts: Facts) -> tuple[str, ...]:
    """Return a caution for cases that ended undecided and that models learn from; an amount has none."""
    parts = facts.not_known if isinstance(facts, StudyFacts) else ()
    return tuple(say((ended_lead(part), _counted(part))) for part in parts)


def _counted(part: NotKnown) -> Message:
    good = Word("yes" if part.counted == "good" else "no")
    return Message("learning-counts-decision", {"good": good, "leave_out": Phrase(joinable(part.leave_out))})


# The rows in tables.

PART: Final = Field("part", "part", "text", "Which cases.")
USED: Final[dict[Kind, Field]] = {
    "count": Field("n", "cases", "count", "How many."),
    "text": Field("use", "what for", "text", "What they were used for."),
}


def rows_table(facts: StudyFacts, *, learned: bool = True) -> TableBlock:
    """Return how many rows each part of the data has; `learned` says whether any model was fitted."""
    words = {
        "n_rows": "divided into the parts below",
        "n_train": "models learned from them" if learned else "not used",
        "n_tune": "to choose thresholds, models and rules",
        "n_held_out": "to judge all models",
        "n_undecided": "left out",
    }
    title = "Which cases were used for what"
    return figures_table("remedies_rows", title, facts, words, USED, words=words, figure=PART)


def features_table(facts: StudyFacts) -> TableBlock:
    """Return the columns that models may use."""
    shown: tuple[Column[str], ...] = (
        (Field("feature", "column", "text", "A column that the models may use."), str),
        (
            Field("protected", "shows the group", "text", "yes: protection or the groups are made of it."),
            lambda name: name in facts.protected_features,
        ),
    )
    return column_table("remedies_features", "Columns that the models may use", facts.features, shown)


def say_feature_proxies(facts: Facts) -> Said | None:
    """Say which columns that models may use stand in for the group; None where that was not asked, or is hidden."""
    if facts.proxies is None:
        return None
    return say_proxies(facts.proxies, facts.names, facts.outcome.quantity, of_features=True, reveals="proxies")


def feature_proxies_tables(facts: Facts) -> list[TableBlock]:
    """Return how well each of them does; nothing where that was not asked, or is hidden."""
    if facts.proxies is None:
        return []
    return [proxies_table(facts.proxies, "remedies_proxies", facts.names, facts.outcome.quantity)]


def feature_proxies_blocks(facts: Facts) -> list[Block]:
    """Return both as the annex has them."""
    said = say_feature_proxies(facts)
    return [] if said is None else [*proxies_blocks(said), *feature_proxies_tables(facts)]


def sample_blocks(facts: Facts) -> list[Block]:
    """Return what the chapter of remedies says of its sample; nothing where none was drawn."""
    if facts.sample is None:
        return []
    return [Paragraph(sample_sentence(facts.sample)), *sample_tables(facts)]


def sample_tables(facts: Facts) -> list[TableBlock]:
    """Return the table of the strata, where rows were drawn and that is not hidden."""
    sample = facts.sample
    if sample is None or not sample.strata:
        return []
    parts = [
        (Field(name, name, "text", "What the cases have in common."), partial(_label, place))
        for place, name in enumerate(sample.by)
    ]
    counts = declared_columns(declared_by(SampledStratum), ("n", "n_population"))
    return [column_table("remedies_sample", "How the rows were drawn", sample.strata, (*parts, *counts))]


def _label(place: int, stratum: SampledStratum) -> str:
    return stratum.labels[place]


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


def study_caveats(facts: Facts, *, several: bool, befores: int = 1) -> tuple[str, ...]:
    """Return what holds for all models of a study; `befores` is how many models they are compared with."""
    keys = ["remedies-read-tested"]
    keys += [] if facts.decision_is_outcome else ["remedies-read-past"]
    keys += ["remedies-read-befores"] if befores > 1 else []
    keys += ["remedies-read-several"] if several else []
    return (*(say(Message(key)) for key in keys), *learned_not_known_sentences(facts), *facts.warnings)
