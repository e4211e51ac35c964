"""Write the sample data sets and their plans; running it again rewrites identical files.

Run from the folder of the project::

    python -m sample_data.generate [FOLDER]
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from types import ModuleType

from fairaudit.data import read_table
from fairaudit.plan import DataPlan
from sample_data import berkeley_1973, loans, recidivism, stop_and_frisk

SAMPLES = {
    "berkeley_1973": berkeley_1973,
    "loans": loans,
    "recidivism": recidivism,
    "stop_and_frisk": stop_and_frisk,
}


def write_data(name: str, sample: ModuleType, folder: Path) -> Path:
    """Write one data set as CSV.

    Parameters
    ----------
    name : str
        Name of the file, without ending.
    sample : module
        One of `SAMPLES`.
    folder : Path
        Where to write.

    Returns
    -------
    Path
        The file.
    """
    table = sample.columns()
    path = folder / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))
    return path


def write_plan(name: str, sample: ModuleType, folder: Path) -> Path:
    """Write the plan of a data set that is already there, with its fingerprint.

    Parameters
    ----------
    name : str
        Name of the file, without ending.
    sample : module
        One of `SAMPLES`.
    folder : Path
        Where the data are and the plan goes.

    Returns
    -------
    Path
        The file.
    """
    table = read_table(folder / f"{name}.csv", options=sample.READING)
    data = DataPlan(
        source=f"{name}.csv",
        name=sample.TITLE,
        fingerprint=table.fingerprint,
        n_rows=table.n_rows,
        columns=tuple(table.columns),
        reading=sample.READING,
    )
    path = folder / f"{name}.toml"
    sample.plan(data).save(path)
    return path


def main(folder: Path) -> None:
    """Write every data set and plan into `folder`."""
    for name, sample in SAMPLES.items():
        for path in (write_data(name, sample, folder), write_plan(name, sample, folder)):
            sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
