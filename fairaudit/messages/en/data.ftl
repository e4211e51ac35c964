# How a table was read, and who is compared, as sentences that can be put right.
# $verb: "were approved"; $share, $mean: of all people; $what: what an amount is, where no verb says it

verdict-open-questions = { $n_count ->
    [one] { $n } open question
   *[other] { $n } open questions
}
verdict-ready = No open questions
data-question = Bring a table, one row for each case. Leave out names and addresses.
data-headline-share = { $share } of people { $verb }
data-headline-amount = People { $verb } { $mean } { $what } on average
data-headline-named = The rows say which people { $verb }
data-headline-decision = What was decided?
data-headline-good = What is good for the person?
data-headline-cases = Is each row one case?
data-lead-read = This is how your table was read. If the sentence is wrong, change it here.
data-lead-decision = Choose the column that says it, or the one that says what happened later.
data-lead-good = Choose the values that are good for the person who is decided about.
data-lead-cases = Your answer decides how people are counted.
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
data-former-save-help = The audit of { $name } was not saved. Open it on the front page to go on with it.
data-another = Bring another table
data-next = Next: who is compared
# $n: of things that stand out
data-more = More: protected columns, predictions, how the table was read
data-more-issues = More: protected columns, predictions, how the table was read, what stands out ({ $n })

# Groups; $protected, $others: plurals; $where: a filter in words
groups-question = Which cases are compared, and whom do you ask about?
groups-headline = { CAP($protected) } are compared with { $others_kind ->
    [rest] all others
   *[named] { $others }
}
groups-lead-all = All cases count.
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
groups-rows-left = { $n } of { $total } cases.
groups-row-all = All { $n } cases.
groups-empty = No case is of { $group_kind ->
    [rest] all others
   *[named] { $group }
}. Choose another group, or a wider filter.
groups-one-group = All { $n } cases are of { $group }, so there is nobody to compare with. Choose another group, or a wider filter.
groups-few = Only { $n } cases are of { $group_kind ->
    [rest] all others
   *[named] { $group }
}, so expect a wide range.
groups-next = Next: check
groups-another = Ask another question
groups-more = More: title of this question, smallest gap that shows
