# Limits on how far apart groups may be, or on what each has at least.

remedy-name-constrain = Train to your limits
remedy-phrase-constrain = training to your limits
remedy-short-constrain = A model learns to keep within your limits.
constrain-question = How small can gaps between groups be made, and at what price? You set limits, and a model is trained to keep them.
constrain-not-for = Not where groups are so small that their rates are mostly chance.
constrain-nothing = Nothing has been trained yet. It takes seconds to minutes.
constrain-no-limit = There is no limit yet. Add the first one below.
constrain-listed = This is among the limits above.
constrain-changed = These settings are not the ones that were trained: { $name }.
constrain-plain-purpose = A model without limits shows which of them it breaks.
constrain-meets-all = A model without limits keeps them all, on the tuning cases.
constrain-breaks = A model without limits breaks { $n } of { $all } limits, on the tuning cases.
constrain-before-note = On tuning cases, without limits.
constrain-widest = Of each limit, the two groups that are furthest apart.
constrain-not-in-use = Not in use. The limits above could be read last.
constrain-no-group = Choose a column that makes the groups, such as sex.
constrain-two-groups = Choose at least two groups.
constrain-name-two = Name at least two groups.
constrain-rows-where = Cases where { $condition }.
# $groups: with their numbers of tuning cases; $n: of groups that are not named
constrain-sizes = Tuning cases that count: { names-first }.
constrain-few-tuned = Fewer than { $least } tuning cases count for { names-first }. That is mostly chance.
constrain-left-out = Without a limit: { names-first }.
constrain-how-written = A limit is a metric, “by”, the groups, “<=”, and how far any two of them may be apart.
constrain-how-groups = Groups are values of a column, of several that are crossed, or conditions in square brackets and double quotes.

# $metric: as a plan has it; $what: the same in words; $outcome: what is called positive
limit-share = { $metric ->
    [demographic_parity] The share predicted to have “{ $outcome }”
    [fpr] Of people without “{ $outcome }”, the share predicted to have it
    [fnr] Of people with “{ $outcome }”, the share predicted not to have it
    [tpr] Of people with “{ $outcome }”, the share predicted to have it
    [tnr] Of people without “{ $outcome }”, the share predicted not to have it
    [fdr] Of people predicted to have “{ $outcome }”, the share who do not
    [for_] Of people predicted not to have “{ $outcome }”, the share who do
    [ppv] Of people predicted to have “{ $outcome }”, the share who do
    [npv] Of people predicted not to have “{ $outcome }”, the share who do not
   *[other] The { $what }
}
# $groups: names of groups, or of the columns that make them
limit-between = { $of ->
    [columns] any two groups of { $groups }
    [pair] { $groups }
   *[several] any two of { $groups }
}
limit-in = { $of ->
    [columns] each group of { $groups }
   *[several] each of { $groups }
}
# $among: all people, or similar cases; $strata: the columns that these are alike in
limit-asked = { limit-share } differs by at most { remedy-size } between { limit-between }{ $among ->
    [similar] , on average among people alike in { $strata }
   *[all] { "" }
}.
limit-asked-floor = { limit-share } is at least { $least } in { limit-in }.
limit-name = { $what } by { $groups }
limit-name-floor = { $what } by { $groups }, at least { $least } each
# $name: of a limit; $size: how far apart groups may be
limit-named = { $name }: { remedy-size }
# $model: its kind; $limits: their names; $times: how many times wider they were chosen
limit-remedy = Train to your limits ({ $model }; { $limits })
limit-remedy-scaled = Train to your limits, times { $times } ({ $model }; { $limits })

# How it was made; $n: of models
constrain-made = A model was trained { $n_count ->
    [one] once
   *[other] { $n } times
}, with cases counted more or less by group and outcome.
constrain-made-met = Of those that keep your limits on the tuning cases, it is right most often.
constrain-made-closest = None kept all limits on the tuning cases: it comes closest.
constrain-made-scaled = A person chose { $times } times your limits; within that, it is right most often on the tuning cases.
constrain-kept = { $n } of { $all } limits are kept on the test cases, against { $before } without.
constrain-caution-tuning = Limits are kept on the tuning cases. On other cases groups may be further apart.
constrain-caution-floor = A floor says what each group has at least, not how far apart groups are.
constrain-caution-unmet = No model that was found keeps all limits. Another kind of model might.
# $groups: with few cases; $n: groups that are not named; $least: the fewest that say something
constrain-few = Fewer than { $least } cases count for { names-first }, so chance decides there.
constrain-spread = So few cases do not decide this. Were they drawn anew, “{ $outcome }” might be predicted for { $low } or { $high } of people.
constrain-term = Constraint, limit
constrain-term-means = How far apart any two groups may be in a rate. A model is trained again and again until that holds on the tuning cases.
constrain-asked = What was asked

# What stands against it; $what, $names: rates; $first, $second: groups; $high, $low: how many have the outcome
conflict-two-limits = The { $what } of the same groups has two limits. Drop the looser one.
conflict-clash = The limits on { $names } work against each other: { $high } of { $first } and { $low } of { $second } have the outcome. Drop one, or allow more.
conflict-clash-anywhere = The limits on { $names } work against each other where the outcome is not equally common. Drop one, or allow more.
conflict-same-people = { CAP($first) } and { $second } are nearly the same people. Compare groups that share fewer.
conflict-impossible = No model at all can keep all of these limits. Drop one, or allow more.
conflict-price = Even the best possible model differs from the data in at least { $share } of cases. Larger limits cost less.

# The pictures
constrain-chart-gaps = Gap between each two groups among test cases, with and without limits
constrain-chart-gaps-row = { $what }, { $first } minus { $second }: { $before } before, { $after } after, { $limit } allowed.
constrain-chart-undrawn = { $n } more { $n_count ->
    [one] pair of groups stands
   *[other] pairs of groups stand
} in the table only.
constrain-chart-path = Accuracy and largest gap of each model of the search, on tuning cases
constrain-chart-frontier = What wider or closer limits would cost, on tuning cases
constrain-chart-fit = Accuracy { $accuracy }, largest gap { $times } times the limit.
constrain-chart-chosen = Chosen: accuracy { $accuracy }, largest gap { $times } times the limit.
constrain-search-certified = Only the chosen model was tested for new people. For another limit, change it and train again.
constrain-search-nothing = No other model of the search is right more often, or has smaller gaps.
constrain-search-is = This is the model that was tested.
constrain-search-stopped = The search was stopped. Train to its end to test other models of it.
constrain-search-fits = { $n } models were trained. The first has no limits.
constrain-search-at = On tuning cases: accuracy { $accuracy }, largest gap { $times } times the limit.
