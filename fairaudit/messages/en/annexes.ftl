# The annexes of a report.
# $noun: what is known or not of a row, "decision"; $columns: that make groups

annex-title = Annex { $letter }. { $title }
annex-numbered = { $n }. { $title }
annex-both = Both groups side by side
annex-known = rows with a known { $noun }
annex-unknown = rows without a known { $noun }
annex-figures = The gap in numbers
# Beside an answer that similar cases may change
annex-verdict = verdict on all cases together
annex-strata = Among similar cases
annex-by = By { $columns }
annex-chart-groups = Gap of each group of { $columns } to { $others }, with likely ranges.
annex-chart-strata = Gap within each { $columns }, with likely ranges. Dashed: in all rows.
annex-hidden = Some are not shown, because counts are too small.
annex-no-group = { $n } { $n_count ->
    [one] row has
   *[other] rows have
} no known group.
annex-no-group-hidden = How many rows have no known group is not shown.
annex-no-noun = { $n } { $n_count ->
    [one] row has
   *[other] rows have
} no { $noun }.
annex-no-noun-hidden = How many rows have no { $noun } is not shown.
annex-range = How to read ranges and p-values
annex-range-chance = They say how far chance could move the gap, if the same way of deciding met other cases like these.
annex-range-rows = Each row counts as a case of its own. Where one office decided many, a column of offices allows for that.
annex-range-cluster = They allow for rows that depend on each other by { $column }. Common odds ratios do not.
annex-range-weighted = They allow for unequal weights, and for how the sample was drawn as far as columns for that are named.
annex-range-bounds = Some counts are rounded or hidden. Each range holds that of every table that fits them.
annex-median-rounded = The medians are rounded, so that none is one person's amount.
annex-range-many = Where many groups are compared, verdicts allow for all rows of a table, and ranges do not.
annex-sql = The same rows in SQL
annex-similar = Similar people

annex-numbers = The numbers behind the answers
annex-remedies = How the remedies were made
annex-data = The data
annex-words = What the words mean
annex-repeat = Repeat this audit

annex-saved = The saved audit
annex-fingerprint-hidden = not shown, as small counts are hidden and no salt is set
annex-fingerprint-weak = The rows stayed in their database. So the fingerprint is of names, counts and sums, not of every cell.
annex-repeat-file = Save the audit below as plan.toml beside the data file, and run this.
annex-repeat-database = Save the audit below as plan.toml. Let FAIRAUDIT_CONNECTIONS name the file of connections, and run this.
annex-repeat-python = Save the audit below as plan.toml, open the same data in Python, and run this.
annex-repeat-same = The same audit and data give these numbers.
annex-repeat-stopped = What a person stopped may come out otherwise: { $names }.

# What stands in the zip of tables
files-title = Tables of an audit made with fairaudit
files-dictionary = what each column means, and its unit
files-saved = the audit itself
files-result = all findings, for machines
files-plan = the audit itself; put it beside the data file and repeat it with:
files-not-shown = Such a cell holds the text "not shown".
files-cells = CSV in UTF-8, with commas between cells and a point as decimal mark.
files-fractions = Shares and gaps are fractions: 0.32 is 32%, a gap of -0.123 is -12.3 points.
files-weak = It is of names, counts and sums, as the rows stayed in their database.
files-spelling = One spelling was read of each value of { $columns }.
files-counts = Cases were counted by { $column }.
files-one-row-per = Of each { $column }, the data have the first row alone.
files-distinct = The data are without rows that repeat an earlier one.
table-band = Band of the column { $column }.
table-value = Value of the column { $column }.
files-empty = An empty cell is undefined, or has nothing to say.
files-apostrophe = An apostrophe stands before a text that a spreadsheet would run as a formula.

annex-rates = { $rate }, by group, with likely ranges.
annex-second-earlier = these data, and the earlier ones of { $table }
annex-second-later = these data, and the later ones of { $table }
# $columns: of date and time; $zone: of the clock
annex-light-sun = by the sun, from { $columns }, position and the clock of { $zone }
# A table of the largest groups. $left: how many are not in it; $which: of how many groups the size is shown
annex-some-groups = { $which ->
    [all] The { $most } groups with most rows
    [some] { $most } of { $n } groups, those with most rows where that is shown
   *[none] { $most } of { $n } groups
}; { $left_count ->
    [one] the other one is
   *[other] the other { $left } are
} in the CSV files, which hold all.
