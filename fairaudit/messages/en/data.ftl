# How a table was read, and who is compared, as sentences that can be put right.
# $verb: "were approved"; $share, $mean: of all people; $what: what an amount is, where no verb says it

verdict-open-questions = { $n_count ->
    [one] { $n } open question
   *[other] { $n } open questions
}
verdict-ready = No open questions
data-question = Bring a table, one row for each case. Leave out names and addresses.
data-headline-share = { $share } of people { $verb }
data-headline-amount = People { $verb } { $mean } { $what } on average, and { $better } is better
data-headline-open = { CAP($what) } is a time, { $better } is better, and some cases may still be open
data-headline-named = The rows say which people { $verb }
data-headline-decision = What was decided?
data-headline-good = What is good for the person?
data-headline-direction = Is more or less of it better for the person?
data-lead-read = This is how your table was read. If the sentence is wrong, change it here.
data-lead-decision = Choose the column that says it, or the one that says what happened later.
data-lead-good = Choose the values that are good for the person who is decided about.
data-lead-direction = Say it below: nothing in the table does.
# The same person in several rows; $period: the column that tells them apart, $value: its last value
data-several-rows = Are all rows of one { $column } compared?
data-several-lead = The same { $column } is in several rows, one for each { $period }.
data-several-one = One row each: { $period } { $value }
data-several-all = All rows
data-several-answer = { $answer ->
    [one] Of each { $column }, the row of { $period } { $value } is compared.
   *[all] All rows of each { $column } are compared.
}
# $column: names cases of which some have several rows; $n: rows; $cases: how many cases
data-case-question = Is each { $column } one case?
data-case-lead = { $n } rows name { $cases } of them, each with one decision. Cases of more rows would count more often.
data-case-once = Count each once
data-case-rows = Each row is a case
data-case-answer = Of each { $column }, one row is counted.
data-lead-cases = Your answer decides how people are counted.
# $columns: of numbers of cases; $n: rows without one
data-lead-cases-empty = { $n_count ->
    [one] A row has no number in { $columns } and would be left out.
   *[other] { $n } rows have no number in { $columns } and would be left out.
}
# $values: of the decision
data-not-good = Not good: { $values }.
data-filtered-out = Left out by the filter: { $values }.
# $column: looks like a prediction or score
data-predicted = To see whom { $column } gets wrong, name it under More.
# $rows, $columns: how many
data-sizes = { $rows } { $rows_count ->
    [one] row
   *[other] rows
}, { $columns } { $columns_count ->
    [one] column
   *[other] columns
}
# $n: of choices made for another table; $name: of its file
data-former = { $n_count ->
    [one] One choice
   *[other] { $n } choices
} of the audit before did not fit.
data-former-which = Which
data-former-save = Save the former audit
data-former-save-help = { $named ->
    [yes] The audit of { $name }
   *[no] The audit before
} was not saved. Open it on the front page to go on with it.
data-another = Bring another table
data-next = Next: who is compared
data-next-form = Next: legal forms
# $n: of things that stand out
data-more = More: protected columns, predictions, how the table was read
data-more-issues = More: protected columns, predictions, how the table was read, what stands out ({ $n })

# Groups; $protected, $others: plurals; $where: a filter in words
groups-question = Which cases are compared, and whom do you ask about?
groups-headline = { CAP($protected) } are compared with { $others }
# $n: of cases whose group is not known
groups-lead-all = { $n_count ->
    [0] All cases count.
    [one] All cases count but one, whose group is not known.
   *[other] All cases count but { $n }, whose group is not known.
}
groups-printed = { $n } of { $total } rows of the table are of { $group }. How many people these are, the check says.
groups-lead-where = Only cases count where { $where }.
groups-cases = Which cases?
groups-who = Who is compared with whom?
# $n: of cases, or of people; $group: a plural
groups-of = Of { $n } { $n_count ->
    [one] case
   *[other] cases
}
groups-size-unknown = { $n } not known
groups-size-left = { $n } left out by the filter
# $of: whether the rows of the table are cases, or stand for a number of cases that is not known exactly
groups-rows-left = { $n } of { $total } { $of ->
    [rows] rows of the table
   *[cases] cases
}.
groups-row-all = All { $n } { $of ->
    [rows] rows of the table
   *[cases] cases
}.
groups-empty = No case counts among { $group }. Choose another group, or a wider filter.
groups-one-group = All { $n } cases are of { $group }, so there is nobody to compare with. Choose another group, or a wider filter.
groups-few = Only { $n_count ->
    [one] one case counts
   *[other] { $n } cases count
} among { $group }, so expect a wide range.
groups-next = Next: check
groups-another = Ask another question
groups-more = More: title of this question, smallest gap that shows
groups-filter-now = The filter is now: { $filter }.
groups-filter-none = No row meets the filter. Loosen it or undo the last step.
groups-filter-unused = No row meets the filter, so it is not used. Loosen it.
groups-filter-uncounted = This filter is not in use, because its rows could not be counted. Ask again later.
groups-any-name = people who ticked { $boxes }, alone or with others
groups-with-others = Also those who ticked other boxes, too
# $columns: of one stem; $n: rows with several boxes ticked; $name: of the column that is made
data-boxes = Shall one column be made of { $columns }?
data-boxes-lead = Several are ticked in { $n } { $n_count ->
    [one] row
   *[other] rows
}, which would have the value { $several }.
data-boxes-make = Make the column { $name }
data-boxes-leave = Leave them apart
data-boxes-made = { $name } is made of { $columns }. Who ticked several has the value { $several }.
groups-undecided = { $n } of these rows { $n_count ->
    [one] has no { $noun } and is
   *[other] have no { $noun } and are
} left out of the check
data-most-values = The column has more than { $n } values; the most frequent are listed.
data-prediction-unused = The prediction { $column } is not used yet: say what in it is good for the person.
data-no-values = The column { $column } has no values to choose from.
data-database-unknown = This server knows no database named { $name }. Ask its administrator to name it, or bring the same rows as a file.
data-database = Database: { $database }. It can only be read from here, never changed. It answers each question with counts.
data-awaited = The open audit waits for its data. Bring { $awaited } above.
data-awaited-query = the query in the database { $database }
data-awaited-table = the table { $table } in the database { $database }
data-connected-query = a query in the database { $database }
data-connected-table = table { $table } in the database { $database }
data-runs = The column runs from { $low } to { $high }.
data-runs-unknown = The column has no smallest and largest value.
data-looks-like-days = The column { $column } looks like days, such as { $value }, but was read as text.
data-days-as-text = The days in { $columns } were read as text.
data-days-read = Days such as { $day } are read with the { $order }.
data-counts-flagged = { $column } counts as flagged
# $why: how much memory is taken
data-room = For now, files of up to { $room } can be sent, as { $why }.
data-days-kept = Write its days as 2025-07-30 where the table is kept.
data-days-pressed = A press under “Is the table sound?” on the page Data reads it as days.
data-days-read = Open “How the file was read” on the page Data, choose how “Days are written”, and read the file again.
data-moved-group = The protected group of the table before was left out: { $condition }.
data-moved-filter = The filter of the table before was left out: { $condition }.
data-moved-all = Every row is looked at.
data-missing-texts = texts that mean 'missing': { $texts }
data-one-spelling-in = one spelling in { $columns }
data-moved-used = The filter of the table before is still in use: { $condition }.
data-moved-kept = The filter of the table before is still in use: { $condition }. { $n } of { $total } rows meet it.
data-spellings-one = The spellings in column { $column } are read as one value.
data-spellings = { $n } { $n_count ->
    [one] row has
   *[other] rows have
} another spelling in column { $column }, such as { $other } beside { $value }.
data-spellings-blanks = { $n } { $n_count ->
    [one] row has
   *[other] rows have
} another spelling in column { $column }, such as { $other } with other blanks in it.
data-all-good = Every value is called good, so there is nothing to compare. Leave at least one out.
data-read-in-place = This file is read where it lies, as it is.
data-presses = { $n } things here depend on how the file is read.
data-repeated-out = Rows that repeat an earlier one are left out.
data-repeated = { $n_count ->
    [one] One row repeats
   *[other] { $n } rows repeat
} an earlier one.
data-named-otherwise = The file is named “.{ $named }”, but it holds { $kind }. It was read as that.
data-read-as-saved = This is the file of the saved audit, and it was read as the audit says.
data-read-as-saved-how = This is the file of the saved audit, and it was read as the audit says ({ $how }).
data-ask-counts = { $n_count ->
    [one] Does { $columns } say how many cases each row stands for?
   *[other] Do { $columns } say how many cases each row stands for?
}
# $groups: "women and men"; $columns: those that count them; $means: columns with their means
data-ask-group-counts = { $has_means ->
    [yes] Does each row hold how many { $groups }, and their means?
   *[no] Does each row hold how many { $groups } there are?
}
data-lead-group-counts = { $has_means ->
    [yes] { $columns } would count them, and { $means } hold their means.
   *[no] { $columns } would count them, and can then be compared.
}
data-group-counts-use = { $has_means ->
    [yes] Yes, numbers and means
   *[no] Yes, they are groups
}
# $groups: each with columns that count those of one result
data-ask-results = Does each row count the results of { $groups }?
data-lead-results = Then bring the table with a row for each group, and its numbers in two columns.
# Columns of counts that a person chooses
data-counts-choose = Choose the columns
data-rows-count = For whom a row stands
data-counts-begin = Rows stand for several cases
data-ask-which = Which columns count whom?
data-lead-which = Choose those with the favourable result, then all cases or the others.
data-lead-sum = { $columns } add up to { $whole } in every row.
data-counts-some = Cases with the favourable result
data-counts-second = All cases, or the others
data-counts-none = another column holds the decision
data-counts-column = Choose a column
data-counts-are = { $role ->
    [one] { $column } counts the cases of each row
    [all] { $column } counts all
   *[others] { $column } counts the others
}
# $column: was said to count the others, or all
data-ask-doubted = { $role ->
    [all] Does { $column } count all cases?
   *[others] Does { $column } count only the other cases?
}
data-lead-doubted = { $role ->
    [all] It was taken for the others, but its name or its numbers say all.
   *[others] It was taken for all, but its name or its numbers say the others.
}
# Numbers beside counts
data-ask-means = { $n_count ->
    [one] Is { $columns } the mean of the people of each row?
   *[other] Are { $columns } the means of the people of each row?
}
data-lead-means = Of means nobody knows what each person has, so only forms on pay take them.
data-means-use = Yes, means
data-means-leave = No, each person of a row has it
data-means = { $n_count ->
    [one] { $columns } is the mean of the people of each row.
   *[other] { $columns } are the means of the people of each row.
}
data-no-means = Each person of a row has its numbers, as you said.
data-counts-use = Yes, they are numbers of cases
data-counts-leave = No, each row is one case
data-counts-back = Read the table as it is again
data-rows-are-cases = Each row is one case, as you said.
# $cells: texts in the place of numbers; $base: to whose multiples numbers were rounded
data-ask-printed = { $hidden ->
    [yes] How many cases may { $cells } stand for?
   *[no] Are these numbers of cases rounded?
}
data-lead-printed = { $hidden ->
    [yes] { $rounded ->
        [yes] Likely as below; all other numbers are multiples of { $base }.
       *[no] Likely as below.
    }
   *[no] All of them are multiples of { $base }.
} A check then gives the gap of every table that fits.
data-printed-use = { $hidden ->
    [yes] Read them so
   *[no] Yes, to { $base }
}
data-printed-exact = No, they are exact
data-printed-from = { $cell }: at least
data-printed-to = { $cell }: at most
data-printed-rounded = Other numbers are rounded to the nearest multiple of (1: not rounded)
# $column: of weights
data-weights-headline = Does each row speak for more people than one?
data-weights-question = { $n_count ->
    [one] Column { $column } seems to hold survey weights: how many people each row speaks for.
   *[other] Columns { $column } seem to hold survey weights: how many people each row speaks for.
}
data-weights-field = Survey weights
data-weights-strata = Strata that the sample was drawn from
data-weights-clusters = What was drawn first, such as schools
data-weights-use = Use them
data-weights-use-this = Use { $column }
data-weights-leave = Count each row once
data-weights-none = none: each row counts once
data-weights-change = Count by these
data-questions = { $n_count ->
    [one] One question
   *[other] { $n } questions
}, then you can go on
# $meaning: what values may be; $values: they, quoted; $column: theirs, or several that are asked about together
data-open = { $meaning ->
    [total] Are rows with { $values } in { $of ->
        [columns] columns
       *[column] column
    } { $column } totals of other rows?
    [group] Does { $values } in { $of ->
        [columns] columns
       *[column] column
    } { $column } say that the group is not known?
    [amount] Does { $values } in { $of ->
        [columns] columns
       *[column] column
    } { $column } say that the amount is not known?
    [value] Does { $values } in { $of ->
        [columns] columns
       *[column] column
    } { $column } say that the value is not known?
    [undecided] Does { $values } in column { $column } say that nobody decided the case?
    [outcome] Is { $values } in column { $column } a result, as the other values are?
   *[decision] Does { $values } in column { $column } say that the decision is not known?
}
# $meaning: what values may be
data-open-likely = { $answer ->
    [left_out] Likely: totals. They would be counted twice.
    [not_known] { $meaning ->
        [undecided] Likely: nobody decided. Counted in, such a case is a decision like others.
       *[other] Likely: not known. Such cells are then empty.
    }
   *[real_values] { $meaning ->
        [outcome] Likely: a result. It counts as unfavourable, unless you choose it as good.
       *[other] Likely: a value. The other values are short codes, too.
    }
}
data-open-answer = { $answer ->
    [left_out] Leave these rows out
    [not_known] { $meaning ->
        [undecided] Leave these cases out as undecided
        [outcome] Leave these cases out
       *[other] It is not known: read it as missing
    }
   *[real_values] { $meaning ->
        [undecided] Count them as decided
        [outcome] Count it as a result
       *[other] It is a value like others
    }
}
data-undo = Undo
data-said-of-values = { $answer ->
    [left_out] Left out: rows with { $values } in column { $column }.
    [undecided] Left out as undecided in column { $column }: { $values }.
    [decided] Counted as decided in column { $column }: { $values }.
    [not_known] Read as missing in column { $column }: { $values }.
   *[real_values] Taken as values like others in column { $column }: { $values }.
}
data-rows = Choose rows by their box, then say what they hold.
data-rows-out = Left out: { $called } { $rows }.
data-rows-names = The names stand in { $called } { $row }{ $n_count ->
    [one] { "" }
   *[other] , over { $n } rows
}, as you said.
data-merged = Shall merged cells in { $columns } be filled downward?
data-merged-fill = Fill them with the value above
data-merged-leave = Leave them empty
data-left-empty = Merged cells in { $columns } stay empty.
data-filled = Empty cells in { $columns } have the value above them.
data-mark-thousands = { $number }: the { $mark } stands between thousands
data-mark-decimal = { $number }: the { $mark } is the decimal mark
data-mark-shown = In { $column } the decimal mark is a { $mark }.
# Texts that are numbers but for a few words
data-texts = Is { $column } a column of numbers?
data-texts-lead = { $is_open ->
    [yes] As it stands in the file: { $cells }.
   *[no] As it stands in the file: { $cells }. As numbers: { $numbers }.
} { $n_count ->
    [one] 1 cell
   *[other] { $n } cells
} with { $words } would be missing.
data-texts-numbers = Read it as numbers
data-texts-keep = Keep it as text
data-texts-kept = Column { $column } is kept as text.
data-cells = As it stands in the file: { $cells }.

# What codes of a column stand for
data-codes = What do { $codes } in column { $column } stand for?
data-codes-lead = Names stand in sentences, charts and the report.
data-codes-name = Name them
data-codes-unnamed = They are codes without names
data-codes-are-numbers = They are numbers
# Columns whose numbers an answer would take for an order; { $columns } in the lead with their first numbers
data-order = Are the numbers in { $columns } codes?
data-order-likely = { $answer ->
    [codes] Likely: codes. None is more than another.
   *[numbers] Likely: no. More is more.
} { $columns }.
data-order-codes = They are codes
data-order-numbers = No, more is more
data-codes-title = What codes stand for
data-codes-said = { $answer ->
    [codes] In column { $column }, numbers are codes.
   *[numbers] In column { $column }, more is more.
}
data-code = { $code } ({ $n_count ->
    [one] 1 row
   *[other] { $n } rows
})
