"""The groups that the rows of a study are in, and whether there is anybody to compare among the held-out ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import GroupError, quote
from fairaudit.measure.controlled import REST
from fairaudit.measure.grouping import MISSING, check_group_count, distinct_names, group_names, group_rows


def groups_of_rows(
    rows: pd.DataFrame, by: tuple[str, ...], protected: NDArray[np.bool_], known: NDArray[np.bool_], name: str
) -> tuple[NDArray[np.object_], tuple[str, ...]]:
    """Return the group of each row and all groups.

    Parameters
    ----------
    rows : DataFrame
        With the columns `by`.
    by : tuple of str
        The columns that make the groups, crossed; empty for the protected group and the rest.
    protected, known : ndarray of bool
        Who is protected, and of whom that is known.
    name : str
        What the protected group is called.

    Returns
    -------
    groups : ndarray of str
        The group of each row.
    names : tuple of str
        The groups that there are.
    """
    if by:
        grouping = group_rows(rows[list(by)], len(rows))
        check_group_count(grouping.n_groups, by)
        names = distinct_names(group_names(pd.DataFrame(grouping.labels)))
        codes = grouping.codes
    else:
        label = f"{name} (protected)" if name in (REST, MISSING) else name
        codes = np.where(known, np.where(protected, 0, 1), 2)
        names = [label, REST, MISSING]
    present = np.unique(codes)
    return np.array(names, dtype=object)[codes], tuple(names[code] for code in present)


def check_held_out(protected: NDArray[np.bool_], population: NDArray[np.bool_], name: str) -> None:
    """Refuse a division that leaves nobody to compare among the held-out rows.

    Parameters
    ----------
    protected, population : ndarray of bool
        Who is protected and who is looked at, of the held-out rows.
    name : str
        What the protected group is called.

    Raises
    ------
    GroupError
        If the protected group or the rest is not there.
    """
    sizes = {f"the protected group {quote(name)}": protected & population, REST: ~protected & population}
    for group, rows in sizes.items():
        if not rows.any():
            raise GroupError(
                f"No row of {group} is among the {len(population):,} held-out rows that models are judged on.",
                uncounted=f"No row of {group} is among the held-out rows that models are judged on.",
                hint="Check how the values are spelled in the condition, choose a wider filter, or bring more rows.",
            )
