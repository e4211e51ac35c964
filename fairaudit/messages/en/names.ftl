# What groups, decisions and strata are called where the person has not said it.

group-rest = everyone else

# $condition: "race is not White"
name-people-whose = people whose { $condition }
name-people-for-whom = people for whom { $condition }

# Said of several people; $value: "loan approved"
name-verb-value = had the result “{ $value }”
name-verb-amount = had
# After an amount: "had 3.5 in column hours"
name-amount-of-column = in column { $column }
# The same of a model that has not decided yet
name-would-value = would have the result “{ $value }”

# The same where no grammar of the language is known; $verb: "were approved"
name-by-model = { $verb } by the model

# $columns: "grade"
name-similar-values = among people with the same { $columns }
name-similar-bands = among people with similar { $columns }
name-similar-both = { $first } and { $second }

# Groups of several conditions: men under 25 whose district is North or South
name-people = people
name-is = { $column } is { $value }
name-whose = whose { $conditions }
name-followed = { $who } { $by }
name-either = { $first } or { $second }
name-both = { $first } and { $second }
name-beside = { $first }, { $second }
name-label-value = { $column } { $value }
# $low, $high: whole numbers
name-range-to = up to { $high }
name-range-from = { $low } and over
name-range = { $low } to { $high }

# Said of several people whom a prediction warns of
name-flagged = were flagged
# $result: "no new offence"
name-with = with { $result }
# $columns: "race and sex"; $values: "Black, Male"
name-people-with = people whose { $columns } is { $values }
name-people-with-all = people whose { $columns } are { $values }

# Said of several people whom somebody searched or inspected
name-looked-at = were looked at

# A name that begins a row or a line
name-label = { CAP($label) }
