"""Ten tables in the forms that offices publish, made up and small, each with one question and its right answer.

The forms are those of the offices: names of columns, codes, words for what is not known, totals, marks of numbers. The
numbers are drawn from a seed. The right answer comes from the clean rows that a table was made of, before they take
the form of the office.
"""

from __future__ import annotations

import io
import itertools
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat


@dataclass(frozen=True)
class Right:
    """The right answer: share with the favourable result, or mean amount, and rows or cases, of both groups."""

    protected: float
    rest: float
    n_protected: int
    n_rest: int
    groups: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, value: pd.Series, protected: pd.Series, *, groups: Mapping[str, float] | None = None) -> Right:
        """Return the means of a column of known values among rows of known groups."""
        here, rest = value[protected], value[~protected]
        return cls(float(here.mean()), float(rest.mean()), len(here), len(rest), groups or {})

    @classmethod
    def of_counts(cls, good: pd.Series, every: pd.Series, protected: pd.Series) -> Right:
        """Return the shares where each row holds numbers of cases."""
        n, n_rest = int(every[protected].sum()), int(every[~protected].sum())
        return cls(float(good[protected].sum() / n), float(good[~protected].sum() / n_rest), n, n_rest)


@dataclass(frozen=True)
class OfficeTable:
    """A table as an office publishes it, what is asked of it, and what whoever knows the table says when asked.

    Parameters
    ----------
    file : str
        Its name.
    content : bytes
        The file.
    question : tuple of str
        What `check` is asked, without a word on how the table is read.
    ways : tuple of tuple of str
        What is said when asked: options of the command line, each with its value.
    right : Right
        What is true.
    """

    file: str
    content: bytes
    question: tuple[str, ...]
    ways: tuple[tuple[str, ...], ...]
    right: Right


def _chosen(random: np.random.Generator, n: int, **shares: float) -> np.ndarray:
    return random.choice(list(shares), n, p=np.array(list(shares.values())) / sum(shares.values()))


def _written(write: Callable[[pd.DataFrame, str], None], frame: pd.DataFrame, ending: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table.{ending}"
        write(frame, str(path))
        return path.read_bytes()


def home_loans() -> OfficeTable:
    """Return applications for home loans in the form of the register that US lenders publish: 400 rows.

    Actions are codes, 3 for denied; race may be "Race Not Available" or "Free Form Text Only", age 8888; race stands in
    up to five boxes, too.
    """
    n = 400
    random = np.random.default_rng(101)
    races = {
        "White": (5, 0.50),
        "Black or African American": (3, 0.24),
        "Asian": (2, 0.08),
        "Joint": (5, 0.03),
        "2 or more minority races": (3, 0.02),
        "Race Not Available": (6, 0.11),
        "Free Form Text Only": (6, 0.02),
    }
    race = random.choice(list(races), n, p=[share for _, share in races.values()])
    ages = ["<25", "25-34", "35-44", "45-54", "55-64", "65-74", ">74", "8888"]
    age = random.choice(ages, n, p=[0.04, 0.22, 0.22, 0.2, 0.14, 0.07, 0.03, 0.08])
    black, unknown = race == "Black or African American", np.isin(race, ["Race Not Available", "Free Form Text Only"])
    denied = random.random(n) < np.where(black, 0.42, np.where(unknown, 0.6, 0.2))
    action = np.where(denied, 3, random.choice([1, 1, 1, 2], n))
    action = np.where(random.random(n) < 0.2, random.choice([4, 5, 6], n), action)
    ethnicities = ["Not Hispanic or Latino", "Hispanic or Latino", "Ethnicity Not Available"]
    frame = pd.DataFrame({
        "activity_year": 2023,
        "lei": random.choice(["549300EXAMPLE0000A01", "549300EXAMPLE0000B02", "549300EXAMPLE0000C03"], n),
        "derived_msa-md": random.choice([12060, 99999, 35620], n),
        "state_code": random.choice(["GA", "NY"], n),
        "county_code": random.choice([13121, 13089, 36061], n),
        "census_tract": random.choice(13_121_000_000 + np.arange(40) * 100, n),
        "conforming_loan_limit": random.choice(["C", "NC"], n, p=[0.9, 0.1]),
        "derived_loan_product_type": random.choice(["Conventional:First Lien", "FHA:First Lien"], n),
        "derived_dwelling_category": "Single Family (1-4 Units):Site-Built",
        "derived_ethnicity": random.choice(ethnicities, n),
        "derived_race": race,
        "derived_sex": random.choice(["Male", "Female", "Joint", "Sex Not Available"], n, p=[0.35, 0.25, 0.32, 0.08]),
        "action_taken": action,
        "purchaser_type": random.choice([0, 1, 3, 71], n),
        "preapproval": random.choice([1, 2], n, p=[0.05, 0.95]),
        "loan_type": random.choice([1, 2, 3], n),
        "loan_purpose": random.choice([1, 2, 31, 32, 4], n),
        "lien_status": random.choice([1, 2], n, p=[0.9, 0.1]),
        "loan_amount": random.integers(5, 70, n) * 10_000 + 5_000,
        "loan_to_value_ratio": np.where(random.random(n) < 0.1, "Exempt", random.integers(40, 100, n).astype(str)),
        "interest_rate": np.where(action == 1, random.choice(["6.5", "7.125", "5.99"], n), "NA"),
        "loan_term": random.choice(["360", "180", "Exempt"], n),
        "property_value": random.integers(10, 90, n) * 10_000 + 5_000,
        "occupancy_type": random.choice([1, 2, 3], n, p=[0.9, 0.04, 0.06]),
        "income": np.where(random.random(n) < 0.08, "NA", random.integers(20, 300, n).astype(str)),
        "debt_to_income_ratio": random.choice(["<20%", "20%-<30%", "30%-<36%", "36", "41", "50%-60%", "NA"], n),
        "applicant_credit_score_type": random.choice([1, 2, 3, 9], n),
        "applicant_race-1": [races[each][0] for each in race],
        "applicant_race-2": np.where(race == "2 or more minority races", "2", ""),
        "applicant_race-3": "",
        "applicant_sex": random.choice([1, 2, 3], n, p=[0.55, 0.4, 0.05]),
        "applicant_age": age,
        "applicant_age_above_62": random.choice(["Yes", "No", "NA"], n),
        "denial_reason-1": np.where(action == 3, random.choice([1, 3, 4], n), 10),
        "denial_reason-2": "",
    })  # fmt: skip
    decided = pd.DataFrame({"age": age, "good": np.isin(action, [1, 2])})[np.isin(action, [1, 2, 3])]
    clean = decided[~unknown[decided.index]]
    of_known_age = decided[decided["age"] != "8888"]
    return OfficeTable(
        "hmda_2023.csv",
        frame.to_csv(index=False).encode(),
        (
            *("--decision", "action_taken", "--favorable", "1", "--favorable", "2"),
            *("--where", "action_taken IN (1, 2, 3)"),
            *("--protected", "derived_race = 'Black or African American'", "--by", "applicant_age"),
        ),
        (
            ("--not-known", "derived_race=Race Not Available"),
            ("--not-known", "derived_race=Free Form Text Only"),
            ("--not-known", "applicant_age=8888"),
        ),
        Right.of(
            clean["good"],
            pd.Series(black[clean.index], clean.index),
            groups=of_known_age.groupby("age")["good"].mean().to_dict(),
        ),
    )


def pay_gaps() -> OfficeTable:
    """Return what employers of Great Britain report on pay: 300 rows, an employer each; some give no size."""
    n = 300
    random = np.random.default_rng(102)
    sizes = ["Not Provided", "Less than 250", "250 to 499", "500 to 999", "1000 to 4999", "5000 to 19,999"]
    size = random.choice(sizes, n, p=[0.08, 0.1, 0.4, 0.22, 0.16, 0.04])
    small = size == "250 to 499"
    gap = np.round(random.normal(np.where(small, 14, 9), 8) + np.where(size == "Not Provided", 25, 0), 1)
    bonus = random.random(n) < 0.75
    women = {part: np.round(random.uniform(10, 90, n), 1) for part in ("Lower", "LowerMiddle", "UpperMiddle", "Top")}
    frame = pd.DataFrame({
        "EmployerName": [f"EXAMPLE EMPLOYER {i:03} LIMITED" for i in range(n)],
        "EmployerId": random.permutation(np.arange(n) * 7 + 1_000),
        "Address": [f"{i} High Street, Anytown,\r\nAnyshire, United Kingdom" for i in range(1, n + 1)],
        "PostCode": [f"AN{i % 30} {i % 9}XX" for i in range(n)],
        "CompanyNumber": [f"{12_340_000 + i:08}" if i % 5 else "" for i in range(n)],
        "SicCodes": random.choice(["1,\r\n84110", "47110,\r\n47190", "85310", ""], n),
        "DiffMeanHourlyPercent": gap,
        "DiffMedianHourlyPercent": np.round(gap + random.normal(0, 3, n), 1),
        "DiffMeanBonusPercent": np.where(bonus, np.round(random.normal(20, 20, n), 1).astype(str), ""),
        "DiffMedianBonusPercent": np.where(bonus, np.round(random.normal(10, 20, n), 1).astype(str), ""),
        "MaleBonusPercent": np.where(bonus, np.round(random.uniform(1, 99, n), 1), 0.0),
        "FemaleBonusPercent": np.where(bonus, np.round(random.uniform(1, 99, n), 1), 0.0),
    })  # fmt: skip
    for part, share in women.items():
        frame[f"Male{part}Quartile"] = np.round(100 - share, 1)
        frame[f"Female{part}Quartile"] = share
    late = np.where(random.random(n) < 0.08, "True", "False")
    frame = frame.assign(
        CompanyLinkToGPGInfo=np.where(random.random(n) < 0.5, "https://example.org/gender-pay", ""),
        ResponsiblePerson="A Person (Director)",
        EmployerSize=size,
        CurrentName=frame["EmployerName"],
        SubmittedAfterTheDeadline=late,
        DueDate="2024/04/05 00:00:00",
        DateSubmitted=[f"2024/03/{1 + i % 28:02} 10:{i % 60:02}:07" for i in range(n)],
    )
    clean = frame[size != "Not Provided"]
    return OfficeTable(
        "UK Gender Pay Gap Data - 2023 to 2024.csv",
        frame.to_csv(index=False).encode("utf-8-sig"),
        (
            *("--decision", "DiffMeanHourlyPercent", "--amount", "--lower-is-better"),
            *("--protected", "EmployerSize = '250 to 499'"),
        ),
        (("--not-known", "EmployerSize=Not Provided"),),
        Right.of(clean["DiffMeanHourlyPercent"], clean["EmployerSize"] == "250 to 499"),
    )


_JOBS = (
    "Executive/Senior Level Officials and Managers", "First/Mid Level Officials and Managers", "Professionals",
    "Technicians", "Sales Workers", "Administrative Support Workers", "Craft Workers", "Operatives",
    "Laborers and Helpers", "Service Workers",
)  # fmt: skip


def job_categories() -> OfficeTable:
    """Return employees by state and job category, counts side by side as the US commission prints them: 220 rows.

    Each state ends with a row for all its categories.
    """
    random = np.random.default_rng(103)
    states = [f"State {letter}" for letter in "ABCDEFGHIJKLMNOPQRST"]
    share = dict(zip(_JOBS, (0.3, 0.4, 0.5, 0.5, 0.55, 0.7, 0.1, 0.3, 0.4, 0.6), strict=True))
    races = {"White": 0.6, "Black or African American": 0.15, "Hispanic or Latino": 0.15, "Asian": 0.1}
    rows = []
    for state, job in itertools.product(states, _JOBS):
        n = int(random.integers(100, 3_000))
        n_women = int(random.binomial(n, share[job]))
        women = random.multinomial(n_women, list(races.values()))
        men = random.multinomial(n - n_women, list(races.values()))
        cells = {"State": state, "Job Category": job, "All Employees": n, "Men": n - n_women, "Women": n_women}
        for race, here, there in zip(races, men, women, strict=True):
            cells |= {f"{race} Men": int(here), f"{race} Women": int(there)}
        rows.append(cells)
    clean = pd.DataFrame(rows)
    totals = clean.groupby("State", as_index=False).sum(numeric_only=True).assign(**{"Job Category": "Total"})
    frame = pd.concat([clean, totals]).sort_values("State", kind="stable")
    return OfficeTable(
        "eeo1_state_aggregate.csv",
        frame.map(lambda cell: f"{cell:,}" if isinstance(cell, int) else cell).to_csv(index=False).encode(),
        ("--protected", f"\"Job Category\" = '{_JOBS[0]}'"),
        (
            tuple(part for name in clean.columns[2:] for part in ("--decimal-point", name)),
            ("--counts", "favorable=Women", "--counts", "all=All Employees"),
            ("--leave-out", "Job Category=Total"),
        ),
        Right.of_counts(clean["Women"], clean["All Employees"], clean["Job Category"] == _JOBS[0]),
    )


def stops() -> OfficeTable:
    """Return stops of drivers as a police force hands them out: 250 stops, a row for each violation, NA in between."""
    n = 250
    random = np.random.default_rng(104)
    race = random.choice(
        ["black", "white", "hispanic", "asian/pacific islander", "NA"], n, p=[0.34, 0.4, 0.14, 0.04, 0.08]
    )
    black = race == "black"
    searched = random.random(n) < np.where(black, 0.3, 0.2)
    # Searches of black drivers end in more violations, so that rows count them more often than stops do.
    n_rows = 1 + np.where(black & searched, random.integers(1, 4, n), random.integers(0, 2, n))
    found = np.where(searched, np.where(random.random(n) < 0.3, "TRUE", "FALSE"), "NA")
    stop = pd.DataFrame({
        "stop_id": [f"2023-{i:06}" for i in range(1, n + 1)],
        "date": [f"2023-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(n)],
        "time": [f"{i % 24:02}:{i % 60:02}:00" for i in range(n)],
        "district": random.choice(["1", "2", "3", "4"], n),
        "subject_age": np.where(random.random(n) < 0.06, "NA", random.integers(16, 80, n).astype(str)),
        "subject_race": race,
        "subject_sex": random.choice(["male", "female", "NA"], n, p=[0.65, 0.32, 0.03]),
        "officer_id_hash": random.choice([f"{i:08x}" for i in range(1_000, 1_030)], n),
        "search_conducted": np.where(searched, "TRUE", "FALSE"),
        "contraband_found": found,
        "outcome": random.choice(["citation", "warning", "arrest", "NA"], n, p=[0.5, 0.35, 0.1, 0.05]),
    })  # fmt: skip
    rows = stop.loc[stop.index.repeat(n_rows)].reset_index(drop=True)
    rows.insert(1, "violation_number", rows.groupby("stop_id").cumcount() + 1)
    rows["violation"] = random.choice(["speeding", "equipment", "registration", "lane change", "seat belt"], len(rows))
    known = stop[stop["subject_race"] != "NA"]
    return OfficeTable(
        "traffic_stops.csv",
        rows.to_csv(index=False).encode(),
        ("--decision", "search_conducted", "--favorable", "FALSE", "--protected", "subject_race = 'black'"),
        (("--not-known", "subject_race=NA"), ("--one-row-per", "stop_id")),
        Right.of(known["search_conducted"] == "FALSE", known["subject_race"] == "black"),
    )


def survey() -> OfficeTable:
    """Return a social survey in a file of SPSS: 400 people, two weights, strata and clusters, labels, missing codes."""
    n = 400
    random = np.random.default_rng(105)
    area = np.arange(n) // 20
    female = random.random(n) < 0.52
    weight = np.round(np.where(female, 0.6, 1.1) * random.choice([0.4, 0.9, 2.2], n), 4)
    # Those who weigh much were victims more often, among women above all.
    victim = random.random(n) < np.where(weight > 1.2, np.where(female, 0.5, 0.2), 0.12)
    answer = np.where(victim, 1, 2)
    answer = np.where(random.random(n) < 0.06, random.choice([7, 8, 9], n), answer)
    gender = np.where(random.random(n) < 0.01, 9, np.where(female, 2, 1))
    frame = pd.DataFrame({
        "idno": np.arange(n) * 3 + 10_001,
        "cntry": "XX",
        "dweight": np.round(random.choice([0.7, 1.0, 1.4], n), 2),
        "pspwght": weight,
        "stratum": 100 + area // 4,
        "psu": 2_000 + area,
        "gndr": gender,
        "agea": np.where(random.random(n) < 0.02, 999, random.integers(15, 90, n)),
        "eduyrs": np.where(random.random(n) < 0.03, 88, random.integers(6, 22, n)),
        "hinctnta": random.choice([*range(1, 11), 77, 88], n),
        "domicil": random.integers(1, 6, n),
        "crmvct": answer,
    })  # fmt: skip
    unsaid: dict[int | float, str] = {7: "Refusal", 8: "Don't know", 9: "No answer"}
    labels: dict[str, dict[int | float, str]] = {
        "gndr": {1: "Male", 2: "Female", 9: "No answer"},
        "crmvct": {1: "Yes", 2: "No", **unsaid},
        "hinctnta": {**{code: f"decile {code}" for code in range(1, 11)}, 77: "Refusal", 88: "Don't know"},
        "domicil": {
            1: "A big city", 2: "Suburbs or outskirts of big city", 3: "Town or small city",
            4: "Country village", 5: "Farm or home in countryside", **unsaid,
        },
        "agea": {999: "Not available"},
        "eduyrs": {77: "Refusal", 88: "Don't know", 99: "No answer"},
    }  # fmt: skip
    missing = {"gndr": [9], "crmvct": [7, 8, 9], "hinctnta": [77, 88, 99], "agea": [999], "eduyrs": [77, 88, 99]}
    names = {
        "idno": "Respondent's identification number", "cntry": "Country", "dweight": "Design weight",
        "pspwght": "Post-stratification weight including design weight", "stratum": "Sampling stratum",
        "psu": "Primary sampling unit", "gndr": "Gender", "agea": "Age of respondent, calculated",
        "eduyrs": "Years of full-time education completed", "hinctnta": "Household's total net income, all sources",
        "domicil": "Domicile, respondent's description",
        "crmvct": "Respondent or household member victim of burglary/assault last 5 years",
    }  # fmt: skip

    def write(frame: pd.DataFrame, path: str) -> None:
        pyreadstat.write_sav(
            frame,
            path,
            variable_value_labels=labels,
            missing_ranges={column: [*codes] for column, codes in missing.items()},
            column_labels=list(names.values()),
        )

    clean = frame[frame["crmvct"].isin([1, 2]) & frame["gndr"].isin([1, 2])]
    women, weighed = clean["gndr"] == 2, clean["pspwght"]
    spared = weighed.where(clean["crmvct"] == 2, 0)
    own, other = (float(spared[rows].sum() / weighed[rows].sum()) for rows in (women, ~women))
    return OfficeTable(
        "social_survey.sav",
        _written(write, frame, "sav"),
        ("--decision", "crmvct", "--favorable", "No", "--protected", "gndr = 'Female'"),
        (("--weights", "pspwght", "--design-strata", "stratum", "--design-clusters", "psu"),),
        Right(own, other, int(women.sum()), int((~women).sum())),
    )


def _print_housing(sheet: Any, clean: pd.DataFrame, random: np.random.Generator) -> None:
    """Write the table as it is printed: a title, two rows of names, merged cells, totals, a source."""
    sheet["A1"] = "Table 3: Applications for social housing decided, by district and household, 2023"
    sheet.merge_cells("A1:E1")
    for cell, text in {
        "A3": "District",
        "B3": "Household",
        "C3": "Applications",
        "C4": "Decided",
        "D4": "Granted",
    }.items():
        sheet[cell] = text
    sheet["E3"] = "Mean wait (weeks)"
    for merged in ("A3:A4", "B3:B4", "C3:D3", "E3:E4"):
        sheet.merge_cells(merged)
    at = 5
    for district, part in clean.groupby("district", sort=False):
        sheet.cell(at, 1, district)
        sheet.merge_cells(start_row=at, end_row=at + len(part), start_column=1, end_column=1)
        for household, decided, granted in part[["household", "decided", "granted"]].itertuples(index=False):
            for place, value in enumerate((household, decided, granted, round(float(random.uniform(8, 60)), 1)), 2):
                sheet.cell(at, place, value)
            at += 1
        for place, value in enumerate(("All households", part["decided"].sum(), part["granted"].sum()), 2):
            sheet.cell(at, place, value if place == 2 else int(value))
        at += 1
    sheet.cell(at, 1, "All districts")
    sheet.cell(at, 3, int(clean["decided"].sum()))
    sheet.cell(at, 4, int(clean["granted"].sum()))
    sheet.cell(at + 2, 1, "Source: housing register, extracted 12 January 2024.")


def housing() -> OfficeTable:
    """Return a table of a housing department: two rows of names under a title, merged cells, totals, a source."""
    random = np.random.default_rng(106)
    districts = [f"{side} {place}" for side in ("North", "South", "East", "West") for place in "ABCDE"]
    households = {
        "Lone parent": 0.34,
        "Couple with children": 0.46,
        "Couple without children": 0.42,
        "Single person": 0.4,
    }
    rows = [
        (district, household, n := int(random.integers(150, 1_400)), int(random.binomial(n, share)))
        for district, (household, share) in itertools.product(districts, households.items())
    ]
    clean = pd.DataFrame(rows, columns=["district", "household", "decided", "granted"])
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer, engine="openpyxl") as book:
        _print_housing(book.book.create_sheet("Table 3"), clean, random)
    return OfficeTable(
        "housing_table_3.xlsx",
        buffer.getvalue(),
        ("--protected", "Household = 'Lone parent'"),
        (
            ("--counts", "favorable=Applications Granted", "--counts", "all=Applications Decided"),
            ("--leave-out", "Household=All households"),
            ("--leave-out", "District=All districts"),
        ),
        Right.of_counts(clean["granted"], clean["decided"], clean["household"] == "Lone parent"),
    )


def hiring_tool() -> OfficeTable:
    """Return what an employer publishes on its hiring tool by Local Law 144 of New York, for six jobs: 96 rows."""
    random = np.random.default_rng(107)
    races = {
        "Hispanic or Latino": 0.36, "White": 0.42, "Black or African American": 0.33,
        "Native Hawaiian or Pacific Islander": 0.4, "Asian": 0.41, "Native American or Alaska Native": 0.4,
        "Two or More Races": 0.38,
    }  # fmt: skip
    small = {"Native Hawaiian or Pacific Islander", "Native American or Alaska Native"}
    jobs = ["Analyst", "Associate", "Call center", "Engineer", "Retail", "Warehouse"]
    rows = []
    for job, (race, share), sex in itertools.product(jobs, races.items(), ("Male", "Female")):
        n = int(random.integers(8, 30) if race in small else random.integers(200, 2_400))
        rows.append((job, race, sex, n, int(random.binomial(n, share))))
    clean = pd.DataFrame(rows, columns=["job", "race", "sex", "n", "selected"])
    printed = []
    for job, part in clean.groupby("job"):
        rates = part["selected"] / part["n"]
        best = rates[~part["race"].isin(small)].max()
        for row, rate in zip(part.itertuples(), rates, strict=True):
            ratio = "N/A" if row.race in small else f"{rate / best:.2f}"
            printed.append((job, row.race, row.sex, f"{row.n:,}", f"{row.selected:,}", f"{rate:.1%}", ratio))
        printed.append((job, "Unknown", "Unknown", f"{int(random.integers(100, 1_900)):,}", "", "", ""))
        printed.append((job, "Total", "", f"{part['n'].sum():,}", f"{part['selected'].sum():,}", "", ""))
    names = ["Job", "Race/Ethnicity", "Sex", "# of Applicants", "# Selected", "Selection Rate", "Impact Ratio"]
    return OfficeTable(
        "aedt_bias_audit_results.csv",
        pd.DataFrame(printed, columns=names).to_csv(index=False).encode("utf-8-sig"),
        ("--protected", "\"Race/Ethnicity\" = 'Black or African American'"),
        (
            ("--decimal-point", "# of Applicants", "--decimal-point", "# Selected"),
            ("--counts", "favorable=# Selected", "--counts", "all=# of Applicants"),
            ("--leave-out", "# Selected="),
            ("--leave-out", "Race/Ethnicity=Total"),
        ),
        Right.of_counts(clean["selected"], clean["n"], clean["race"] == "Black or African American"),
    )


def admissions() -> OfficeTable:
    """Return offers of school places as counts, a row a cell, as the department for education of England lays them out.

    Each column of groups has the value Total, too, and rows of the whole country stand beside those of 12 places.
    """
    random = np.random.default_rng(108)
    places = [f"Borough {i}" for i in range(1, 13)]
    meals = {"FSM": 0.74, "Not FSM": 0.83}
    rows = []
    for place, sex, (meal, share) in itertools.product(places, ("Boys", "Girls"), meals.items()):
        n = int(random.integers(60, 240) if meal == "FSM" else random.integers(300, 900))
        first, other, none = random.multinomial(n, [share, (1 - share) * 0.7, (1 - share) * 0.3])
        for offer, pupils in {"First preference": first, "Other preference": other, "No preferred offer": none}.items():
            rows.append((place, sex, meal, offer, int(pupils)))
    clean = pd.DataFrame(rows, columns=["la_name", "sex", "fsm_status", "offer", "pupils"])
    parts = [clean]
    parts.append(pd.concat(parts).assign(sex="Total"))
    parts.append(pd.concat(parts).assign(fsm_status="Total"))
    local = pd.concat(parts).groupby(["la_name", "sex", "fsm_status", "offer"], as_index=False)["pupils"].sum()
    national = local.groupby(["sex", "fsm_status", "offer"], as_index=False)["pupils"].sum()
    frame = pd.concat([
        national.assign(geographic_level="National", la_name=""),
        local.assign(geographic_level="Local authority"),
    ])  # fmt: skip
    frame = frame.assign(time_period="202324", time_identifier="Academic year", country_name="England")
    names = ["time_period", "time_identifier", "geographic_level", "country_name", "la_name"]
    every = clean.groupby(["la_name", "sex", "fsm_status"], as_index=False)["pupils"].sum()
    first = (
        clean[clean["offer"] == "First preference"]
        .groupby(["la_name", "sex", "fsm_status"], as_index=False)["pupils"]
        .sum()
    )
    return OfficeTable(
        "school_offers.csv",
        frame[[*names, "sex", "fsm_status", "offer", "pupils"]].to_csv(index=False).encode(),
        ("--decision", "offer", "--favorable", "First preference", "--protected", "fsm_status = 'FSM'"),
        (
            ("--counts", "pupils"),
            ("--leave-out", "fsm_status=Total"),
            ("--leave-out", "sex=Total"),
            ("--leave-out", "la_name="),
        ),
        Right.of_counts(first["pupils"], every["pupils"], every["fsm_status"] == "FSM"),
    )


def benefits() -> OfficeTable:
    """Return benefits as a German office exports them: 300 rows, (null) where nothing stands, 1.157 for a thousand."""
    n = 300
    random = np.random.default_rng(109)
    sex = random.choice(["w", "m", "(null)"], n, p=[0.5, 0.42, 0.08])
    amount = np.round(random.normal(np.where(sex == "w", 905, 1_140), 220)).clip(200).astype(int)
    amount = np.where(sex == "(null)", amount + 1_500, amount)
    refused = random.random(n) < 0.2
    frame = pd.DataFrame({
        "Aktenzeichen": [f"SGB-{i:05}/23" for i in range(n)],
        "Antragsdatum": [f"{1 + i % 28:02}.{1 + i % 12:02}.2023" for i in range(n)],
        "Dienststelle": random.choice(["Süd", "Nord", "Mitte"], n),
        "Geschlecht": sex,
        "Staatsangehörigkeit": random.choice(["deutsch", "EU", "sonstige", "(null)"], n, p=[0.6, 0.15, 0.2, 0.05]),
        "Haushaltsgröße": random.integers(1, 7, n),
        "Bescheid": np.where(refused, "abgelehnt", "bewilligt"),
        "Betrag": np.where(refused, "(null)", [f"{each:,}".replace(",", ".") for each in amount]),
    })  # fmt: skip
    clean = pd.DataFrame({"sex": sex, "amount": amount})[~refused & (sex != "(null)")]
    return OfficeTable(
        "leistungen_2023.csv",
        frame.to_csv(index=False, sep=";", lineterminator="\r\n").encode("cp1252"),
        ("--decision", "Betrag", "--amount", "--protected", "Geschlecht = 'w'"),
        (("--not-known", "Betrag=(null)"), ("--decimal-comma", "Betrag"), ("--not-known", "Geschlecht=(null)")),
        Right.of(clean["amount"], clean["sex"] == "w"),
    )


def household_panel() -> OfficeTable:
    """Return a panel of households in a file of Stata: 350 people; negative codes with labels say what is missing."""
    n = 350
    random = np.random.default_rng(110)
    sex = np.where(random.random(n) < 0.01, -9, random.choice([1, 2], n))
    pay = np.round(random.normal(np.where(sex == 2, 2_050, 2_480), 500), 2).clip(300)
    unsaid = random.random(n) < np.where(sex == 2, 0.35, 0.1)
    frame = pd.DataFrame({
        "pidp": 68_000_000 + np.arange(n) * 68,
        "sex": sex,
        "age_dv": random.integers(17, 66, n),
        "ethn_dv": random.choice([1, 2, 9, 10, 14, 15, -9], n, p=[0.7, 0.03, 0.08, 0.07, 0.06, 0.04, 0.02]),
        "gor_dv": random.integers(1, 13, n),
        "jbstat": np.where(unsaid, random.choice([3, 6], n), 2),
        "jbperm": random.choice([1, 2, -8, -1], n, p=[0.7, 0.1, 0.15, 0.05]),
        "jbhrs": np.where(unsaid, -8, random.integers(8, 50, n)),
        "paygu_dv": np.where(unsaid, random.choice([-8.0, -9.0, -1.0], n), pay),
    })  # fmt: skip
    codes: dict[int | float, str] = {-9: "missing", -8: "inapplicable", -7: "proxy", -2: "refusal", -1: "don't know"}
    regions = (
        "North East", "North West", "Yorkshire and the Humber", "East Midlands", "West Midlands", "East of England",
        "London", "South East", "South West", "Wales", "Scotland", "Northern Ireland",
    )  # fmt: skip
    labels: dict[str, dict[int | float, str]] = {
        "sex": {1: "male", 2: "female", **codes},
        "ethn_dv": {1: "british", 2: "irish", 9: "indian", 10: "pakistani", 14: "caribbean", 15: "african", **codes},
        "gor_dv": {**dict(enumerate(regions, 1)), **codes},
        "jbstat": {1: "self employed", 2: "paid employment", 3: "unemployed", 6: "family care", **codes},
        "jbperm": {1: "permanent job", 2: "not permanent job", **codes},
        "jbhrs": codes,
        "paygu_dv": codes,
        "age_dv": codes,
    }
    names = {
        "pidp": "cross-wave person identifier", "sex": "sex", "age_dv": "age, derived", "ethn_dv": "ethnic group",
        "gor_dv": "government office region", "jbstat": "current labour force status", "jbperm": "current job",
        "jbhrs": "no. of hours normally worked per week", "paygu_dv": "usual gross pay per month: current job",
    }  # fmt: skip

    def write(frame: pd.DataFrame, path: str) -> None:
        pyreadstat.write_dta(frame, path, variable_value_labels=labels, column_labels=list(names.values()))

    clean = frame[(frame["paygu_dv"] >= 0) & (frame["sex"] > 0)]
    return OfficeTable(
        "household_panel.dta",
        _written(write, frame, "dta"),
        ("--decision", "paygu_dv", "--amount", "--protected", "sex = 'female'"),
        (
            ("--not-known", "sex=missing"),
            ("--not-known", "paygu_dv=-8", "--not-known", "paygu_dv=-9", "--not-known", "paygu_dv=-1"),
        ),
        Right.of(clean["paygu_dv"], clean["sex"] == 2),
    )


OFFICES: Mapping[str, Callable[[], OfficeTable]] = {
    table.__name__: table
    for table in (
        home_loans, pay_gaps, job_categories, stops, survey, housing, hiring_tool, admissions, benefits,
        household_panel,
    )
}  # fmt: skip
