# A short list of rules, and what limits on differences between groups say of it and of a tree.

remedy-name-rules = A short list of rules
remedy-phrase-rules = a short list of rules
remedy-short-rules = A few rules that people can read aloud.
rules-question = Can a few plain rules, which anyone can read and check, predict as well with the groups kept alike?
rules-not-for = { learn-no-score }
# $outcome: what is expected where a rule holds; $n: a count
rules-head = Expect “{ $outcome }” { $n_count ->
    [one] where this rule holds, and nowhere else
   *[other] where any one of these { $n } rules holds
}
rules-column-rule = Rule
rules-column-people = People
rules-column-right = Right
rules-none = No rule is better than one answer for all.
rules-not-shown = The rules are not shown, as small counts are hidden.
rules-hidden = The report will not show these rules, as small counts are hidden.

# What stands beside a rule or a split; $columns: of the table
rules-mark-group = It decides by group.
rules-mark-proxy = “{ $columns }” nearly says who is in which group.

# How it was made; $n: of rules that were considered; $most: complexity; $alike: rates; $size: points they may be apart
rules-made = A search considered { $n } rules and took those that make few errors, with a complexity of at most { $most }.
rules-made-by-hand = A person chose these rules.
rules-made-alike = { $alike ->
    [equalized-odds] Both error rates
    [equal-opportunity] False negative rates
    [fpr] False positive rates
    [demographic-parity] Shares of positive predictions
   *[error-rate] Shares of errors
} may differ by { $size } { $size_count ->
    [one] point
   *[other] points
} between any two groups.
# $fnr, $fpr: points that the two error rates may be apart
rules-made-apart = False negative rates may differ by { $fnr } { $fnr_count ->
    [one] point
   *[other] points
} between any two groups, false positive rates by { $fpr }.
rules-made-margin = On the training cases { $size } { $size_count ->
    [one] point was
   *[other] points were
} allowed.
rules-made-kept = It is made of the rules that were found, so that no group is worse off on the tuning cases.

# How far from the best it can be; $above: share of the fewest errors
rules-proof = Proven: no list of this complexity makes fewer errors, as the search counts them.
rules-solved = { $solver ->
    [search] Our own search found new rules; SCIP, a solver of integer programs, chose among them.
    [scip] SCIP, a solver of integer programs, found new rules and chose among them.
    [published] SCIP found new rules and chose among them as first published.
   *[auto] Our own search and SCIP, a solver of integer programs, found new rules; SCIP chose among them.
}
rules-confirmed = { $confirmed ->
    [yes] SCIP confirms their limit and errors in the integer program of the paper.
    [no] SCIP does not confirm their limit and errors in the integer program of the paper.
   *[too-large] The integer program of the paper is too large to check them there.
}
rules-name-solver = { $solver ->
    [search] new rules without SCIP
    [scip] new rules through SCIP
   *[published] searched as first published
}
rules-proof-near = At most { $above } more errors, as the search counts them, than the best list of this complexity.
rules-proof-open = How far it is from the best list of this complexity is not known.
rules-ended-work-limit = All the work that was allowed is done; more may find better.
rules-ended-stopped = A person stopped the search.

# What a search says of itself; $columns, $groups: of the data; $size, $closest: points
rules-note-revealing = Rules were made without { $columns }, which reveal the group.
rules-note-one-group = There is only one group, so nothing is compared.
rules-note-lacking = Not compared in every rate, for want of cases with one of the outcomes: { $groups }.
rules-note-pool = Of the rules that were generated, no list has a loss below { $n }; nothing is proven of others.
rules-note-limit = No list of rules keeps the limit of { $size } points on the training cases; { $closest } is the closest.

# What to doubt; $numbers: of rules
rules-doubt-margin = The limit holds on the training cases, but not on the tuning cases. A margin in the settings helps.
rules-doubt-few = Chance may have made rules that hold for few training cases: { $numbers }.
rules-doubt-wrong = Rules that are wrong more often than right: { $numbers }.
rules-doubt-components = Rules use the columns themselves, not the principal components that were asked for.

# Charts; $n: of rounds, settings, rules or differences; $best, $bound: losses; $size: points; $share: accuracy
rules-chart-coverage = How often each rule holds in each group of test cases, and is right there
rules-chart-coverage-text = How often { $n } rules hold in each group, and are right there. The table holds the figures.
rules-chart-path = Errors of the best list so far, and the fewest that are proven, by round of the search
rules-chart-path-text = After { $n } rounds the best list has a loss of { $best }; { $bound } is proven to be the least.
rules-chart-path-open = The loss of the best list so far, over { $n } rounds of a search that has proven nothing yet.
rules-chart-settings = Lists of other complexities and limits, on the tuning cases
rules-chart-settings-text = Accuracy of { $n } lists of rules. The chosen one is right for { $share } of tuning cases.
limits-chart = Differences between groups beside the limit
limits-chart-text = { $n } differences between two groups; the largest is { $size } points on the test cases.
limits-chart-none = There is no difference to draw.
limits-chart-left-out = { $n } more { $n_count ->
    [one] is
   *[other] are
} in the table alone.
limits-none = Nothing had to be alike between groups.

# On the page; $n: of cases, $right: how often a rule is right; $share: accuracy, $limit and $size: points
rules-old = These rules were found with other settings.
rules-edit = Figures of { $n } tuning cases; test cases stay out of sight.
rules-covered-nobody = No tuning case meets it.
rules-covered = { $n } tuning { $n_count ->
    [one] case
   *[other] cases
}, right for { $right }.
rules-too-complex = More complex than was allowed.
rules-hidden-chosen = The report will show no figures of rules that a person chose, as small counts are hidden.
rules-setting = complexity up to { $n }: accuracy { $share }
rules-setting-limit = complexity up to { $n }, limit { $limit } points: accuracy { $share }, difference { $size } points
rules-not-begun = No rules have been looked for yet. You can stop a search and keep the best so far.
rules-no-search = A person chose these rules: there was no search.
rules-search-nearest = No list keeps the limit. The search looks for those that come closest.
rules-search-choosing = Now the best of the rules considered are chosen.
