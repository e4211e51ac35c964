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
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from sample_data import (
    appraisals,
    berkeley_1973,
    hiring_tool,
    loans,
    municipal_pay,
    recidivism,
    shortlists,
    stop_and_frisk,
)

SAMPLES = {
    "appraisals": appraisals,
    "berkeley_1973": berkeley_1973,
    "hiring_tool": hiring_tool,
    "loans": loans,
    "municipal_pay": municipal_pay,
    "recidivism": recidivism,
    "shortlists": shortlists,
    "stop_and_frisk": stop_and_frisk,
}
FURTHER = {
    "berkeley_1973_explained": (
        "berkeley_1973",
        berkeley_1973.EXPLAINED_TITLE,
        berkeley_1973.explained_plan,
    ),
    "municipal_pay_explained": ("municipal_pay", municipal_pay.EXPLAINED_TITLE, municipal_pay.explained_plan),
    "municipal_pay_forms": ("municipal_pay", municipal_pay.FORMS_TITLE, municipal_pay.forms_plan),
    "stop_and_frisk_halves": ("stop_and_frisk", stop_and_frisk.HALVES_TITLE, stop_and_frisk.halves_plan),
    "stop_and_frisk_searches": ("stop_and_frisk", stop_and_frisk.SEARCHES_TITLE, stop_and_frisk.searches_plan),
    "municipal_pay_tree": ("municipal_pay", municipal_pay.TREE_TITLE, municipal_pay.tree_plan),
    "recidivism_rules": ("recidivism", recidivism.RULES_TITLE, recidivism.rules_plan),
    "recidivism_worst": ("recidivism", recidivism.WORST_TITLE, recidivism.worst_plan),
}
"""Further plans for data that have one: the data, the title and what makes the plan."""


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
    path = folder / f"{name}.toml"
    _in_words(sample.plan(_data_plan(name, sample.TITLE, folder)), sample).save(path)
    return path


def write_further_plan(name: str, folder: Path) -> Path:
    """Write a further plan of a data set that is already there.

    Parameters
    ----------
    name : str
        One of `FURTHER`.
    folder : Path
        Where the data are and the plan goes.

    Returns
    -------
    Path
        The file.
    """
    data, title, plan = FURTHER[name]
    path = folder / f"{name}.toml"
    _in_words(plan(_data_plan(data, title, folder)), SAMPLES[data]).save(path)
    return path


def main(folder: Path) -> None:
    """Write every data set and plan into `folder`."""
    for name, sample in SAMPLES.items():
        for path in (write_data(name, sample, folder), write_plan(name, sample, folder)):
            sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
    for name in FURTHER:
        write_further_plan(name, folder)


def _in_words(plan: AuditPlan, sample: ModuleType) -> AuditPlan:
    """Return a plan with what its decision, groups and strata are called."""
    named = [check.model_copy(update={"others_name": sample.OTHERS.get(check.protected_name)}) for check in plan.checks]
    strata = {column for check in plan.checks for column in check.strata}
    phrases = {column: said for column, said in sample.SIMILAR.items() if column in strata}
    is_said = plan.decision.verb or plan.decision.unfavorable_verb
    decision = plan.decision if is_said else plan.decision.model_copy(update=sample.VERB)
    names = plan.names.model_copy(update={"strata": phrases})
    return plan.model_copy(update={"decision": decision, "checks": tuple(named), "names": names})


def _data_plan(name: str, title: str, folder: Path) -> DataPlan:
    reading = SAMPLES[name].READING
    table = read_table(folder / f"{name}.csv", options=reading)
    return DataPlan(
        source=f"{name}.csv",
        name=title,
        fingerprint=table.fingerprint,
        n_rows=table.n_rows,
        columns=tuple(table.columns),
    ).read_by(reading)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
