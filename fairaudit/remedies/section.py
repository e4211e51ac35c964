"""What a kind of remedy does: one object, from the fit to the lines on the command line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.remedies.part import RemedyPart

if TYPE_CHECKING:
    from fairaudit.findings import Message
    from fairaudit.present.blocks import Block, TableBlock
    from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known

PlanT = TypeVar("PlanT", bound=RemedyPart)
FindingT = TypeVar("FindingT", bound="RemedyFinding | AmountRemedyFinding")
FactsT = TypeVar("FactsT", bound="StudyFacts | AmountStudyFacts")


class RemedySection(ABC, Generic[PlanT, FindingT, FactsT]):
    """What a kind of remedy does with decisions of one kind; a kind that can be tried on both has two of these.

    Defaults show nothing beside what all remedies show. Methods import what takes long to load.
    """

    plan: ClassVar[type[RemedyPart]]
    """Its part of a plan."""
    outcome: ClassVar[OutcomeKind] = SHARES
    """The kind of decision."""

    @property
    def method(self) -> str:
        """Its name in a plan, such as "rules"."""
        return str(self.plan.model_fields["method"].default)

    @property
    def details(self) -> type | None:
        """The class of what a fit found; each field says who may see it. None where there is nothing to say."""
        return None

    @abstractmethod
    def fit(self, study: Any, plan: PlanT, name: str, known: Known) -> Fit:
        """Yield the events of a fit and return its `Candidate`; `known` finds models that are fitted already."""

    @abstractmethod
    def name(self, plan: PlanT) -> str:
        """Return what it is called where the plan gives no name."""

    @abstractmethod
    def done(self, finding: FindingT, facts: FactsT) -> str:
        """Return the sentences that say what was done."""

    def proven(self, finding: FindingT, facts: FactsT) -> Sequence[Message]:
        """Return what a search proved that is its answer: a headline, and of what that holds; mostly nothing."""
        return ()

    def cautions(self, finding: FindingT, facts: FactsT) -> Iterable[str]:
        """Return sentences to keep in mind."""
        return ()

    def tables(self, finding: FindingT, facts: FactsT, number: int) -> Sequence[TableBlock]:
        """Return its tables beside those that all remedies have."""
        return ()

    def joint_tables(self, findings: Sequence[FindingT]) -> Sequence[TableBlock]:
        """Return tables that hold several of its kind."""
        return ()

    # Its part of a report. `tables` are by the end of their keys.

    def result_blocks(
        self, finding: FindingT, facts: FactsT, number: int, tables: dict[str, TableBlock]
    ) -> Sequence[Block]:
        """Return what was asked and what came out, before the tables that all remedies have."""
        return ()

    def search_blocks(
        self, finding: FindingT, facts: FactsT, number: int, tables: dict[str, TableBlock]
    ) -> Sequence[Block]:
        """Return how it was found, after them."""
        return ()

    def command_lines(self, finding: FindingT, facts: FactsT) -> Sequence[str]:
        """Return lines on the command line, below that with accuracy and gap."""
        return ()

    def definitions(self) -> tuple[tuple[str, str], ...]:
        """Return words that its part of a report uses and what they mean, beside those that all remedies use."""
        return ()


AnyRemedy = RemedySection[Any, Any, Any]
