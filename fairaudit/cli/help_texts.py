"""What options of several commands mean, and the longer texts of the help."""

from __future__ import annotations

from fairaudit.defaults import USUAL_POWER

DATA_HELP = (
    "CSV, TSV, XLSX, Parquet, SPSS, Stata or SAS file; text forms also gzipped. Or connection:NAME/TABLE, a table that "
    "stays in a database; FAIRAUDIT_CONNECTIONS names the file of connections. - is standard input"
)
LABELS_HELP = (
    "what the codes of a column stand for, as sex:1=man,2=woman; conditions and values may name codes or labels; may "
    "be repeated"
)
CODEBOOK_HELP = (
    "a file of three columns (column, value, label), or as COL=FILE one of two (value, label) that is about a column; "
    "may be repeated"
)
POWER_HELP = f"how often a gap of that size is to be seen, a fraction (default {USUAL_POWER:g})"
STRATA_CUTS_HELP = (
    "cut a column of numbers among the strata into bands, such as age=30,45 for under 30, 30 to under 45, and 45 and "
    "over; may be repeated"
)
PLACE_HELP = "a column or a number of degrees"
FORM_PAIRS = (
    ("--reference", "ROLE=VALUE", "the group that others are compared with, where it is open"),
    ("--unknown", "ROLE=VALUE", "a value that means unknown, as race=3; may be repeated"),
    ("--known", "ROLE=VALUE", "a value that is a group, though the form lists it as unknown"),
    (
        "--counted",
        "ROLE=COND",
        "on pay: who alone counts in the figures of a role, as pay=\"full_pay = 'yes'\" for Great Britain",
    ),
    ("--compared", "ROLE=VALUE", "on pay: a value that means those who are compared, as women"),
    ("--compared-with", "ROLE=VALUE", "a value that means those they are compared with"),
    ("--justified", "CATEGORY=REASON", "the reason for the gap of a category that is marked"),
    ("--remedied", "CATEGORY=DAY", "when the gap of a category was remedied"),
    ("--measures", "CATEGORY=TEXT", "of a joint pay assessment: the measures that address the gap of a category"),
)
"""Options of a form that are written as a name, =, and a value."""

LEVELS_HELP = (
    "all levels of the decision, divided by commas, where it has more than yes and no: says who gets which; without "
    "--favorable, the first is the favourable result where one is asked for"
)
