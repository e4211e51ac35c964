"""Worst groups: subgroups searched on one half of the rows and judged on the other.

Each column is cut into levels (`levels`), the rows are counted by all of them at once (`cells`), every conjunction is
counted and bounded from that one table (`search`), shuffled outcomes say what chance would show (`chance`), and what
is shown is judged on rows that the search never saw (`judging`).
"""

from fairaudit.late import late_names

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
