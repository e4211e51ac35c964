# Limits among similar cases: the words that all remedies share.

# $strata: the columns that these are alike in
similar-ask = Keep groups alike among similar cases: people alike in { $strata }
similar-help = Each gap is then the average over these cases, by how many people they are.
# $n: people whose stratum lacks one of the groups
similar-left-out = { $n ->
    [one] One person has
   *[other] { $n } people have
 } no similar cases in another group, and limits are not about them.
# What a name of a remedy ends in where its limits are among similar cases
similar-name = { $name }, among similar cases
similar-rates = Rates are averages among similar cases.
# How it was made; $strata: the columns that cases are alike in
similar-made = Gaps were averages among people alike in { $strata }.
