"""Figures of the other result follow from what fields declare, and what declares nothing is refused."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fairaudit.disclosure.fields import figure
from fairaudit.measure.comparison import compare_counts
from fairaudit.measure.other_side import flipped
from fairaudit.measure.results import Comparison


@dataclass(frozen=True)
class WithOdds(Comparison):
    """A comparison with one more figure."""

    odds_ratio: float = figure("Protected divided by reference.", kind="number", turns=True)


@dataclass(frozen=True)
class Undeclared(Comparison):
    """A comparison with a figure that does not say whether it turns."""

    odds_ratio: float = figure("Protected divided by reference.")


COMPARED = compare_counts(10, 40, 30, 60, names=("F", "M"))


def test_what_turns_is_that_of_the_other_counts():
    turned, other = flipped(COMPARED), compare_counts(30, 40, 30, 60, names=("F", "M"))
    assert turned.protected.positives == other.protected.positives
    assert turned.difference == other.difference
    for name in ("difference_interval", "equivalence_interval"):
        assert getattr(turned, name) == pytest.approx(getattr(other, name))
    assert turned.protected.interval == pytest.approx(other.protected.interval)
    assert turned.impact_ratio == COMPARED.impact_ratio


def test_another_figure_turns_by_what_it_declares():
    assert flipped(WithOdds(**vars(COMPARED), odds_ratio=4.0)).odds_ratio == 0.25


def test_a_figure_that_does_not_say_is_refused():
    with pytest.raises(TypeError, match=r"Undeclared\.odds_ratio"):
        flipped(Undeclared(**vars(COMPARED), odds_ratio=4.0))
