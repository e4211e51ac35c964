"""What stands for a figure that the small-cell rule hides."""

from __future__ import annotations

from fairaudit.measure.results import Interval

HIDDEN = Interval(None, None)
NO_FIGURES = {
    "difference": None,
    "difference_interval": HIDDEN,
    "equivalence_interval": HIDDEN,
    "impact_ratio": None,
    "impact_ratio_interval": HIDDEN,
    "four_fifths": None,
    "z": None,
    "p_value": None,
    "test": None,
    "fair": None,
    "evidence": None,
    "warnings": (),
}
"""The figures of a comparison, without their values."""
