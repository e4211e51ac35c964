# What stands out in a table, and what to do about it
quality-missing-text = read the file again with { $value } as a missing text
quality-missing-texts = read the file again with them as missing texts
quality-to-null = connect with a query that turns { $value } into NULL
quality-them-to-null = connect with a query that turns them into NULL

quality-code = { $rows } { $n_count ->
    [one] has
   *[other] have
} the value { $value }, which { $meaning ->
    [not-known] may mean "not known"
    [not-decided] may mean "not decided"
   *[code] often stands for unknown
}.
quality-code-advice = If it does, { $as_missing }, or filter these rows out.
quality-duplicates-unknown = Repeated rows were not looked for, as there are { $rows }.
quality-duplicates-unknown-advice = Make sure that each case stands in the table once.
quality-duplicate-rows = { $rows } of { $all } { $n_count ->
    [one] is a repetition
   *[other] are repetitions
} of an earlier row.
quality-duplicate-rows-advice = Where each row is one case, remove repetitions before the audit. Where columns were left out, equal rows may be right.
quality-counts-cases = It seems to say how many cases each of the { $rows } stands for.
quality-counts-cases-advice = Say whether it does: the cases can be written out as rows.
quality-counts-named-advice = Say which cases each column counts.
quality-weights = It seems to say how many people each of the { $rows } stands for, as in a survey.
quality-weights-advice = Weights are not used: each row counts once, so figures are those of the rows.
quality-not-looked-through = The text has more than { $n } different values, which were not looked through.
quality-not-looked-through-advice = Where it makes groups, look through its values in the database first.
quality-empty = The column has no value at all.
quality-empty-advice = Leave it out of the audit.
quality-missing = { $n } of { $all } values are missing ({ $share }).
quality-missing-advice = Rows without a value belong to no group of this column. Ask whether some people miss it more often.
quality-constant = All known values are the same.
quality-constant-advice = It tells no groups apart; leave it out.
quality-near-unique = Nearly every row has its own value ({ $n } of { $all }).
quality-near-unique-advice = It looks like an identifier: do not form groups by it, and leave it out if it points to people.
quality-mixed = { $n } of { $all } values are other texts than numbers, so all are read as text.
quality-mixed-advice = If the other texts mean unknown, { $as_missing }.
quality-same-but-case = { $n } of { $all } different values are the same as another one but for letter case or blanks.
quality-same-but-case-advice = { $can_join ->
    [yes] Read them as one value, or name
   *[no] Name
} every spelling where you choose values, or make them alike in the file.
quality-typing-errors-more = { $n } more resemble another value
quality-typing-error = { $value } ({ $rows }) resembles { $named }
quality-typing-errors = { $errors }.
quality-typing-errors-advice = If that is a typing error, correct it in the file, or choose { $value } wherever you choose { $named }.
quality-money-as-text = { $is_all ->
    [yes] The
   *[no] { $n } of { $all }
} values are amounts with a sign or a code of money{ $has_example ->
    [yes] , such as { $example }
   *[no] { "" }
}, so all are read as text.
quality-money-as-text-advice = Take signs and codes out in the file, so that they are read as numbers. Of several currencies, keep one.
quality-few-numbers = It holds { $n } whole numbers and is read as numbers: more of them is more.
quality-few-numbers-advice = If they are codes, say what they stand for, or read the column as text.
quality-days-as-text = The values look like days, such as { $value }, but are read as text.
quality-days-as-text-advice = Say how its days are written under “How the file was read”, or make them days in the file.
quality-many-values = The text has { $n } different values.
quality-many-values-advice = Groups by single values will be small. Put values together with IN (…) in a condition.
quality-most-in = In { $n } columns. The most, in { $column }: { $message }
