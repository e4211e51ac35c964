# What makes figures doubtful, and how files were read

rows-n = { $n } { $n_count ->
    [one] row
   *[other] rows
}
names-more = { $names } and { $n } more
doubt-weights = Column { $column } seems to hold weights of a survey. Weights are not used: each row counts once.
doubt-counted = Each row was counted as one case, though column { $column } seems to count cases.
doubt-counts = { $role ->
    [all] Column { $column } was taken for the other cases, but its name or its numbers say all.
   *[others] Column { $column } was taken for all cases, but its name or its numbers say the others.
}
doubt-one-cluster = One group has rows in one value of { $column } only, so chance cannot be judged.
doubt-few-clusters = One group has rows in { $n } values of { $column } only, so ranges may be too narrow.
doubt-period = { $period }: { $text }
doubt-period-open = { $period }: { $n } without a decision { $n_count ->
    [one] is
   *[other] are
} left out.
doubt-no-spread = In one period the spread of the amounts of a group is not known: there is no test over all.
doubt-extremes = A few very large or very small amounts pull the mean of { $group } far from the median.
doubt-apart = Rows with { $values } in column { $column } count apart from { $named }. If they mean the same, name them, too.
doubt-apart-rows = { $rows } with { $values } in column { $column } { $n_count ->
    [one] counts
   *[other] count
} apart from { $named }. If they mean the same, name them, too.
doubt-resembles = { $value } ({ $rows }) resembles { $named }. Is it the same with a typing error?
cases-undecided = { $rows } without { $lacking } left out: { $own }, { $rest }.

# Errors and scores; $groups: with their rows
doubt-repeats-decision = The prediction repeats the decision in every row: name as decision the column that says what truly happened.
doubt-few-usable = Fewer than { $few } usable rows: { $groups }. Rates there are uncertain and not compared.
doubt-few-of-rate = Rates that are a share of fewer than { $few } rows are uncertain and not compared: { $groups }.
doubt-none-truly-positive = No row of { $groups } is truly positive, so true positive and false negative rates are not defined there.
doubt-none-truly-negative = No row of { $groups } is truly negative, so false positive and true negative rates are not defined there.
doubt-none-predicted-positive = Nobody of { $groups } is predicted positive, so shares right and wrong among them are not defined.
doubt-none-predicted-negative = Everyone of { $groups } is predicted positive, so shares right and wrong among others are not defined.
errors-rows-truly-positive = { $n } truly positive
errors-rows-truly-negative = { $n } truly negative
errors-rows-predicted-positive = { $n } predicted positive
errors-rows-predicted-negative = { $n } predicted not positive
doubt-no-outcome = { $rows } without an outcome or a prediction left out.
doubt-no-score = { $rows } without an outcome or a score left out.
doubt-few-scores = Fewer than { $few } usable rows: { $groups }. Areas and shares there are uncertain.
doubt-one-outcome = Only one kind of outcome: { $groups }. The area under the curve is not defined there.
doubt-score-turned = In every group the score ranks people worse than chance. Check which way the score points.

# What explains it
doubt-alone = { $who } { $n_count ->
    [one] has
   *[other] have
} no counterpart in the other group. They are a part of their own, and the adjusted gap leaves them out.
doubt-most-alone = More than half of all people have no counterpart. Fewer columns, or a regression, would leave fewer out.
doubt-nobody-alike = Nearly nobody of the other group is like { $who }. The second computation leaves them out.
doubt-no-second = A group has too few rows or outcomes for the second computation that checks the model.
doubt-few-of-outcome = { CAP($group) } had one of both outcomes fewer than { $few } times. Go by the range that Check gives.
doubt-methods = The model and the computation that checks it differ by more than chance. Take the size of what is left as rough.
doubt-few-values = There are { $n } values of { $column } only, so ranges may be too narrow.
doubt-unknown-rows = { $rows } without a known group or decision left out.
doubt-rows-of = { $rows } of { $group }
doubt-rows-both = { $first } and { $second }

# Searches and inspections
doubt-nobody-searched = Nobody of group { $group } was looked at, so its hit rate is not defined.
doubt-few-searched = Group { $group } has only { $rows } looked at, so its hit rate is uncertain.
doubt-search-open = Left out: { $rows } looked at without a known outcome. Hit rates are too high if finds are recorded more surely.
doubt-search-unknown = Left out: { $rows } without a known group or look.
doubt-search-values = Read as not known: { $values } in column { $column }.
doubt-search-uncounted = Left out: { $rows } without a number in { $columns }.
doubt-model-start = Where the search for the thresholds begins is not certain: another machine may find other figures.
doubt-model-rough = The computations did not settle, so thresholds are rough. Take larger places, or the other form of the model.
doubt-model-misfit-group = The model does not fit: it expects other numbers of looks or finds of a whole group. Do not rely on the thresholds.
doubt-model-misfit = The model does not fit: only { $share } of groups in places have the { $what ->
    [looks] looks
   *[finds] finds
} that it expects. Do not rely on the thresholds.
doubt-model-few = With { $groups } groups in { $places } places the data say little, so thresholds lean on the model.
doubt-model-base = The model begins by taking { $share } of all cases to be worth a find. Give the share that random checks showed, if any.
doubt-model-empty = In { $n_count ->
    [one] one place
   *[other] { $n } places
} nobody of a group was looked at: its threshold there leans on other places.
doubt-model-alone = Left out: { $n } { $n_count ->
    [one] place
   *[other] places
} with one group only ({ $rows }).
doubt-model-open = Of { $rows } looked at it is not known whether something was found. They count as looks alone.
doubt-model-unknown = Left out: { $rows } without a known group, place or look.
doubt-veil-none = Group { $group } has no stop at hours that are both light and dark.
doubt-veil-few = Group { $group } has only { $rows } at these hours.
doubt-veil-odds = Group { $group } has no odds ratio, as light and darkness keep it and the reference apart.
doubt-veil-unknown = Left out: { $rows } without a known group, date, time or place.

# Change over time: how periods were recorded
profile-gone = Column { $column } is gone.
profile-new = Column { $column } is new.
profile-kind = Column { $column } holds { $before } values before and { $after } values after.
profile-missing = In column { $column }, { $before } of the values were missing before and { $after } after.
profile-spelling = In column { $column }, values are spelled otherwise than before: { $values }.
profile-values-gone = In column { $column }, these values no longer occur: { $values }.
profile-values-new = In column { $column }, these values are new: { $values }.
profile-shares = In column { $column }, { $value } is { $before } of the known values before and { $after } after.
# $columns: boxes of which a person may tick several; $made: the column that is made of them
doubt-overlap = Of { $columns }, a person may have ticked several: who did counts in this group, and could count in others. Those who ticked one alone stand in { $made }, once it is made of them on Data.
