"""Worst groups: subgroups searched on one half of the rows and judged on the other.

Each column is cut into levels (`levels`), the rows are counted by all of them at once (`cells`), every conjunction is
counted and bounded from that one table (`search`), shuffled outcomes say what chance would show (`chance`), and what
is shown is judged on rows that the search never saw (`judging`).
"""

from typing import TYPE_CHECKING

from fairaudit.late import late_names

if TYPE_CHECKING:
    from fairaudit.subgroups.finding import find_subgroups, iter_subgroups
    from fairaudit.subgroups.results import LeftOut, RankingFound, Subgroup, SubgroupFigures, SubgroupSearch

__all__ = [
    "LeftOut",
    "RankingFound",
    "Subgroup",
    "SubgroupFigures",
    "SubgroupSearch",
    "find_subgroups",
    "iter_subgroups",
]

__getattr__ = late_names(
    __name__,
    {
        "LeftOut": "fairaudit.subgroups.results",
        "RankingFound": "fairaudit.subgroups.results",
        "Subgroup": "fairaudit.subgroups.results",
        "SubgroupFigures": "fairaudit.subgroups.results",
        "SubgroupSearch": "fairaudit.subgroups.results",
        "find_subgroups": "fairaudit.subgroups.finding",
        "iter_subgroups": "fairaudit.subgroups.finding",
    },
)
