"""What explains a gap: its parts by controls, the gap with the controls held equal, and what could overturn that."""

from fairaudit.measure.explain.explaining import explain_gap
from fairaudit.measure.explain.proxies import Proxies, find_proxies
from fairaudit.measure.explain.results import AdjustedGap, Estimate, GapExplanation, Sensitivity

__all__ = ["AdjustedGap", "Estimate", "GapExplanation", "Proxies", "Sensitivity", "explain_gap", "find_proxies"]
