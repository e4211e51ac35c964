# How a table was read; $columns, $names: of columns
read-nameless = { $n_count ->
    [one] 1 column has no name and is
   *[other] { $n } columns have no name and are
} called by position, such as { $name }.
read-same-names = Some column names occur more than once and got a number at the end: { $names }.
read-one-column = There is only one column. If its cells look like several, choose another delimiter.
read-days = Written like 31.12.2024 and read as days, the day before the month: { $columns }.
read-marks = The decimal mark is a comma in { $commas } and a point in { $points }: look whether that is right.
read-lists = Left out, because they hold lists, structures or bytes: { $columns }.
read-signs = Read as numbers, without the sign: { $columns }.
read-sign = { $signs } in { $column }
read-no-sign = none
read-several-signs = { $column } has numbers with several signs ({ $signs }): it is read as text.
read-trimmed = Blanks around the values were removed in { $n } { $n_count ->
    [one] column
   *[other] columns
} ({ $columns }).
read-names-rows = The names of the columns were put together from the rows { $first } to { $last }.
read-merged = Cells are merged in the rows: { $n } of them are empty, as only the first has the value.
read-hidden = Hidden in the sheet, or by its filter, and read nevertheless: { $rows_count ->
    [one] { $rows } row
   *[other] { $rows } rows
} and { $columns_count ->
    [one] { $columns } column
   *[other] { $columns } columns
}.
read-uncomputed = { $n } { $n_count ->
    [one] formula has no stored value and is
   *[other] formulas have no stored value and are
} read as empty: open the file in a spreadsheet program and save it.
read-empty-rows = { $n } empty { $n_count ->
    [one] row was
   *[other] rows were
} left out.
read-below = { $n } { $n_count ->
    [one] row below an empty row was
   *[other] rows below an empty row were
} left out, as no row above is like them: { $rows }.
read-sheet = The workbook has { $n } sheets; sheet { $sheet } is read.
read-lines-above = { $n } { $n_count ->
    [one] line above the column names was
   *[other] lines above the column names were
} left out.
read-headless = The first line looks like data, so the columns are called by position.
read-repeated = { $n } { $n_count ->
    [one] row that repeats an earlier one was
   *[other] rows that repeat earlier ones were
} left out.
# $column: names cases
read-further-rows = Of each { $column }, the first row is kept: { $n } { $n_count ->
    [one] further row was
   *[other] further rows were
} left out.
read-not-known = Read as missing in column { $column }: { $values }.
read-left-out = Rows with { $values } in column { $column } were left out.
read-counted = Each row stands for as many cases as column { $column } says.
read-counted-wide = Columns { $column } and { $second } count cases; column { $decision } holds the decision that they make.
# $groups: the column of groups that is made
read-counted-groups = Columns { $columns } count people; column { $groups } holds the groups that they make.
read-means = { $n_count ->
    [one] Column { $columns } holds
   *[other] Columns { $columns } hold
} means of several people, and of nobody what they have.
read-no-value = no value
read-rounded = Numbers of cases are rounded to multiples of { $base }.
# $text: what is printed in place of a number
read-hidden-count = { $text } stands for { $low } to { $high } cases.
read-no-weight = { $n } { $n_count ->
    [one] row without a weight above 0 in column { $column } was
   *[other] rows without a weight above 0 in column { $column } were
} left out.
read-spellings = In column { $column }, { $parts }.
read-spelling = { $rows } written { $values } { $n_count ->
    [one] is
   *[other] are
} read as { $named }
read-spelling-ways = { $n } more ways
read-spelling-more = so are the spellings of { $n } more values
read-either = { $first } or { $second }
read-without-label = { $n_count ->
    [one] 1 value of column { $column } has
   *[other] { $n } values of column { $column } have
} no label and { $n_count ->
    [one] stays as it is
   *[other] stay as they are
}: { $values }.
read-labels = Codes are read as the labels that the file has for them: { $columns }.
read-labels-partly = Read as numbers, although some have a label in the file: { $columns }.
read-codebook-more = The codebook describes { $n_count ->
    [one] a column
   *[other] columns
} that the table has not: { $columns }.
read-not-utf8 = The text is not UTF-8 and is read as { $name }. If accented letters look wrong, choose another encoding.
read-type = Column { $column } holds { $type } values, which are not read; it is left out.
read-spark-name = Column { $column } is left out: Spark cannot tell its name from another.
read-mixed = Column { $column } holds numbers and texts; all are read as text.
read-nul = Column { $column } holds texts with a NUL character; it is left out.

# How data differ from those that a plan was saved with
differs-salted = The data were not compared with the plan's fingerprint: it is salted, and { $variable } is not set.
differs-rows = { $n } rows instead of { $recorded }
differs-new = new columns { $columns }
differs-gone = without the columns { $columns }
differs-order = the columns in another order
differs-record = The data are not as the plan records them: { $changes }.
differs-plan = The plan was changed: the data have its fingerprint, but differ from its record ({ $changes }).
differs-kind = The plan was saved with { $recorded ->
    [database] rows that stay in a database, and was given a file or a table in memory
   *[file] a file or a table in memory, and was given rows that stay in a database
}.
differs-kind-more = Whether they hold the same cannot be seen{ $has_changes ->
    [yes] ; { $changes }
   *[no] { "" }
}.
differs-same-size = as many rows and the same columns
differs-same-name = same name
differs-cells = but other content in the cells
differs-data = The data are not those the plan was saved with: { $changes }; fingerprint { $given }… instead of { $recorded }….
differs-since = Either the { $what ->
    [table] table
   *[file] file
}, or the plan's record of it, has changed since.

# What of a question is not compared, and why
check-not-compared-groups = { $columns }: there are fewer than two groups{ $has_reference ->
    [yes] , or no { $reference },
   *[no] { "" }
} among the rows looked at.
check-not-compared-strata = Inside { $columns }: no stratum holds both groups.
check-not-compared-many = { $columns }: there are more than { $most } different values{ $several ->
    [yes] together
   *[no] { "" }
}. { $remedy ->
    [bands] Choose columns with fewer, or cut numbers into bands.
   *[classes] Choose columns with fewer, or put the values into classes first.
}
check-not-compared-boxes = { $column }: it holds one of several boxes that a person may tick, so its groups overlap. Compare { $made }, made of all of them.
check-not-compared-open = { $columns }: only two groups are compared where cases are open.
check-not-compared-open-strata = { $columns }: where cases are open, one test over all similar cases stands for the gap in each.
check-not-compared-stay = People similar in { $columns }: this needs rows, but they stay in the database.
check-not-compared-similar = People similar in { $columns }: there are too few of both groups.

# A form
form-other-file = The file of the form { $name } is not the one that the plan was saved with: figures may differ.
form-above-median = { $column } above its median
form-no-rates = No rates: the decision is an amount, and rates need { $need ->
    [score] a score
   *[decision] a decision with a favourable result
}.
form-no-amounts = No means: no column of amounts, rates or scores is named.
form-no-table = Not made: the table by { $roles }, for which no column is named.
form-no-table-of-counts = The table by { $roles } cannot be known from these counts.
form-overlap = Of { $columns }, a person may have ticked several, so groups overlap. Compare { $made }, made of all of them.
form-no-table-as = Not made: { $table }, for which no column is named as: { $roles }.
form-no-table-and = { $roles } and { $role }
form-not-unknown = { $value }, to be counted as unknown, is not found in column { $column } among the people looked at.

# Why small counts hide more
hidden-few = There are fewer people than { $n }, the smallest count that may be shown, so no figure is shown.
hidden-all = The plan asks too many questions to prove that small counts stay hidden, so no figure is shown. Ask fewer.
hidden-columns = To prove that small counts stay hidden, what is by { $columns } is not shown. Leave out { $columns }, or other columns.

remedies-stopped = Stopped after { $n } of { $of } remedies; the last may be its best so far.
