# Around every page, and the front page.
side-deeper = Go deeper

# The line above an answer; $n of $total questions; $asked: its title, or its group; $protected, $others: plurals
asked-question = Question { $n } of { $total }: { $asked }
asked-groups = { $protected } against { $others }
asked-cases-all = all cases
asked-cases-where = only where { $where }
# $groups: who is compared; $cases: among which
asked-line = { $groups } · { $cases }
side-no-table = No table yet
side-rows = { $n } { $n_count ->
    [one] row
   *[other] rows
}
side-save = Save this audit
side-save-help = A small file with your choices, not your data. Open it on the front page to go on later. It holds what is ticked for the report.
side-kept = Where are my data?
side-kept-here = Your data stay on this machine.
side-kept-there = The rows stay in their database.
# $minutes: for which the server holds an audit
side-held = After a reload, or when this page is closed, they are held in memory for { $minutes } minutes. Save the audit to go on later.
side-not-held = Reloading this page forgets them, so save the audit first.
side-forget = Forget everything
side-forget-says = Data, choices and results of this page are gone at once. What you saved stays yours.
side-forget-memory = The memory of the server is cleared within a minute.

files-hidden = Small counts are hidden, so this file comes with the report.

front-stays = Nothing you bring leaves this machine
front-question = Are like cases treated alike?
front-promise = Bring a table of decisions and say whom you ask about. You get the answer in one sentence, and a report that others can check.
front-bring = Bring a table
front-should-say = It should say
front-should-decided = what was decided, or what happened
front-should-who = who the people are: sex, age, origin
front-should-before = what was known before the decision
front-formats = One row for each case. Leave out names and addresses.
front-upload = CSV, TSV, Excel, Parquet, SPSS, Stata or SAS
front-saved = Go on with a saved audit
front-saved-file = The file from “Save this audit”
# $title: of a table
front-example = An example: { $title }
front-open = Open this example
front-others = Other examples
front-open-other = Open
front-from-database = Bring a table from a database
front-from-server = Bring a table from this server
amount-not-here = This page compares decisions, and { $column } is an amount. On Data, say from which amount on it is favourable.
front-opened = The audit is open. Now bring its data: { $awaited }.
front-other-table = The open audit was made with another table. Bring { $awaited } for that audit, or go on here with the choices that fit.
front-other-table-size = It has { $rows } rows and { $columns } columns.
side-save-lacks = Saving leaves out { $what }: what is not ticked on the page Report, or does not fit the decision now.
# A table with more rows than a page draws.
table-first-rows = The first { $most } of { $n } rows. The download holds them all.
# Work that goes on: $n is its place among what waits.
job-waits = { $what } begins after { $n_count ->
    [one] the one before it
   *[other] the { $n } before it
}.
job-left-out = { $what }: will not be begun.
job-line = It waits, so that others move on.
job-number = Number { $n } in the line, { $working } at work.
job-meanwhile = You can go to other pages meanwhile.
# What no longer fits, after another table or decision came: $group is who was asked about.
moved-models = Say again what models learn from: it was for rows where { $group }.
moved-question = The question about rows where { $group } was left out.
moved-no-row = No row of this table meets it.
moved-asked-again = Say again on the page Remedies whether a decision may use the group.
moved-value = No row of this table has the value { $value } in the column { $column }.
moved-remedies = { $n_count ->
    [one] The remedy of the audit before was
   *[other] The { $n } remedies of the audit before were
} made for another decision, another score or other groups.
moved-score = There is no column of numbers { $column } for the score.
moved-column = There is no column { $column } to compare by.
moved-bands = Bands need a column of numbers; { $column } holds { $kind } values here, and each is a stratum.
moved-feature = There is no column { $column } for models to learn from.
