"""How the site is built from this folder: ``make docs``. Nothing in it is loaded from another machine."""

from __future__ import annotations

from fairaudit.disclosure.fields import described
from fairaudit.measure.detectable import DetectableGap
from fairaudit.measure.explain.results import GapExplanation
from fairaudit.measure.inspections.results import OutcomeTest, ThresholdTest, VeilOfDarkness
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.period_results import PeriodComparison, PeriodLine
from fairaudit.measure.results import (
    ControlledBounds,
    ControlledFairness,
    ControlledMeans,
    ErrorComparison,
    GroupComparison,
    ScoreComparison,
    StratifiedFairness,
)
from fairaudit.presets.findings import PresetFinding
from fairaudit.sections.alternatives.finding import AlternativesFinding
from fairaudit.subgroups.results import Subgroup, SubgroupSearch
from fairaudit.version import __version__

project = "fairaudit"
release = version = __version__
# No name and no year: the licence says whose it is.
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
autodoc_typehints = "none"
numpydoc_show_class_members = False

html_theme = "furo"
html_title = f"fairaudit {version}"
html_favicon = "../ui/icon.svg"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f4e79", "color-brand-content": "#1f4e79"},
    "dark_css_variables": {"color-brand-primary": "#9cc3e6", "color-brand-content": "#9cc3e6"},
}
html_static_path = ["_static"]
html_css_files = ["site.css"]

# What the fields of a result hold is declared beside each: the reference has it as one section.
for result in (
    AlternativesFinding,
    ControlledBounds,
    ControlledFairness,
    ControlledMeans,
    DetectableGap,
    ErrorComparison,
    GapExplanation,
    GroupComparison,
    OutcomeTest,
    PeriodComparison,
    PeriodLine,
    PresetFinding,
    ScoreComparison,
    StratifiedFairness,
    StratifiedMeans,
    Subgroup,
    SubgroupSearch,
    ThresholdTest,
    VeilOfDarkness,
):
    described(result)
