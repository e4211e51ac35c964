# What groups, decisions and strata are called where the person has not said it.

group-rest = everyone else

# $condition: "race is not White"
name-people-whose = people whose { $condition }
name-people-for-whom = people for whom { $condition }

# Said of several people; $value: "loan approved"
name-verb-value = had the result “{ $value }”
name-verb-amount = had

# $columns: "grade"
name-similar-values = among people with the same { $columns }
name-similar-bands = among people with similar { $columns }
name-similar-both = { $first } and { $second }
