"""What explains a gap: its parts by controls, the gap with the controls held equal, and what could overturn that."""

from fairaudit.measure.explain.explaining import explain_gap
from fairaudit.measure.explain.results import AdjustedGap, Estimate, GapExplanation, Sensitivity

__all__ = ["AdjustedGap", "Estimate", "GapExplanation", "Sensitivity", "explain_gap"]
